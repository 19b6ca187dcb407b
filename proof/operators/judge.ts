import type { Entry } from '../../src/providers/stand-in/book.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { listAccounts } from '../../src/store/operators/accounts.ts'
import { acceptDifference } from '../../src/store/operators/balances.ts'
import { verifyBooks } from '../../src/usecases/accounts/verify-books.ts'
import type { Verdict } from '../support/check.ts'
import type { Ask } from './accounts.ts'
import type { StandInProcess } from './stand-ins.ts'

type Row = { readonly id: string; readonly state: string; readonly reported: readonly string[] }

/** Compares every payment with the books of the operators; each has a number of its own. */
export async function judge(
  database: Database,
  operators: readonly StandInProcess[],
  asks: readonly Ask[],
): Promise<readonly Verdict[]> {
  const rows = await database.query<Row>(
    `select p.id, p.state, coalesce(array_agg(c.reported) filter (where c.closed_at is null), '{}') as reported
     from payments p left join cases c on c.merchant_id = p.merchant_id and c.payment_key = p.key
       and c.cause = 'CONTRADICTION' group by p.id, p.state`,
  )
  const known = new Map(rows.map((row) => [row.id, row]))
  const moved = new Map<string, number>()
  for (const operator of operators) {
    for (const entry of await operator.book()) {
      if (entry.state !== 'success') continue
      const number = numberOf(entry, asks)
      moved.set(number, (moved.get(number) ?? 0) + 1)
    }
  }
  const accepted = asks.filter(({ isAccepted }) => isAccepted)
  const times = ({ number }: Ask): number => moved.get(number) ?? 0
  const stateOf = ({ id }: Ask): string => known.get(id)?.state ?? 'missing'
  const reportedOf = ({ id }: Ask): string => known.get(id)?.reported.join() ?? ''
  const wavering = accepted.filter(({ hadEnded }) => hadEnded !== undefined)
  const steady = accepted.filter(({ hadEnded }) => hadEnded === undefined)
  const found = (asked: readonly Ask[], isWrong: (ask: Ask) => boolean): string[] =>
    asked
      .filter(isWrong)
      .map(
        (ask) =>
          `${ask.line.connector} ${ask.kind} ${ask.id}: ${stateOf(ask)}, moved ${times(ask)}, ` +
          `had ended ${ask.hadEnded ?? 'for good'}, case says ${reportedOf(ask) || 'nothing'}`,
      )
  return [
    verdict(
      'nothing accepted is lost',
      accepted,
      found(accepted, (one) => stateOf(one) === 'missing'),
    ),
    verdict(
      'no payment moved money twice',
      asks,
      found(asks, (one) => times(one) > 1),
    ),
    verdict(
      'what is COMPLETED moved money once',
      steady,
      found(steady, (one) => stateOf(one) === 'COMPLETED' && times(one) !== 1),
    ),
    verdict(
      'what is FAILED moved none',
      steady,
      found(steady, (one) => stateOf(one) === 'FAILED' && times(one) !== 0),
    ),
    verdict(
      'a word taken back changes no payment, and is a case for a person',
      wavering,
      found(
        wavering,
        (one) => stateOf(one) !== one.hadEnded || reportedOf(one) !== oppositeOf(one.hadEnded),
      ),
    ),
    verdict(
      'no other payment is such a case',
      steady,
      found(steady, (one) => reportedOf(one) !== ''),
    ),
    verdict(
      'payouts ended, and deposits ended or are in open doubt',
      accepted,
      found(accepted, (one) => !isOver(one, stateOf(one))),
    ),
    await booksVerdict(database),
  ]
}

const oppositeOf = (state: 'COMPLETED' | 'FAILED'): string =>
  state === 'COMPLETED' ? 'FAILED' : 'COMPLETED'

const isOver = ({ kind }: Ask, state: string): boolean =>
  state === 'COMPLETED' ||
  state === 'FAILED' ||
  (kind === 'deposit' && state === 'IN_RECONCILIATION')

const verdict = (
  guarantee: string,
  looked: readonly unknown[],
  findings: readonly string[],
): Verdict => ({
  guarantee,
  checked: looked.length,
  findings,
})

/** Operators write numbers in forms of their own; the last seven digits are unique here. */
const numberOf = ({ party }: Entry, asks: readonly Ask[]): string =>
  byEnd(asks).get(party.slice(-7)) ?? party

let ends: ReadonlyMap<string, string> | undefined
function byEnd(asks: readonly Ask[]): ReadonlyMap<string, string> {
  ends ??= new Map(asks.map(({ number }) => [number.slice(-7), number]))
  return ends
}

async function booksVerdict(database: Database): Promise<Verdict> {
  // What stays in doubt may have moved, which the operator states and nobody may book.
  for (const { name } of await listAccounts(database)) {
    await acceptDifference(database, { account: name, by: 'proof', note: 'in doubt' }, Date.now())
  }
  const results = await verifyBooks(database, () => {})
  return {
    guarantee: 'the books add up',
    checked: results.length,
    findings: results.flatMap(({ name, findings }) =>
      findings.map(({ subject, finding }) => `${name}: ${subject} ${finding}`),
    ),
  }
}

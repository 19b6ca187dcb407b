import type { Entry } from '../../src/providers/stand-in/book.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { listAccounts } from '../../src/store/operators/accounts.ts'
import { acceptDifference } from '../../src/store/operators/balances.ts'
import { verifyBooks } from '../../src/usecases/accounts/verify-books.ts'
import type { Verdict } from '../support/check.ts'
import type { Ask } from './accounts.ts'
import type { StandInProcess } from './stand-ins.ts'

type Row = { readonly id: string; readonly state: string }

/** Compares every payment with the books of the operators; each has a number of its own. */
export async function judge(
  database: Database,
  operators: readonly StandInProcess[],
  asks: readonly Ask[],
): Promise<readonly Verdict[]> {
  const rows = await database.query<Row>('select id, state from payments')
  const states = new Map(rows.map(({ id, state }) => [id, state]))
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
  const stateOf = ({ id }: Ask): string => states.get(id) ?? 'missing'
  const found = (asked: readonly Ask[], isWrong: (ask: Ask) => boolean): string[] =>
    asked
      .filter(isWrong)
      .map(
        (ask) =>
          `${ask.line.connector} ${ask.kind} ${ask.id}: ${stateOf(ask)}, moved ${times(ask)}`,
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
      accepted,
      found(accepted, (one) => stateOf(one) === 'COMPLETED' && times(one) !== 1),
    ),
    verdict(
      'what is FAILED moved none',
      accepted,
      found(accepted, (one) => stateOf(one) === 'FAILED' && times(one) !== 0),
    ),
    verdict(
      'payouts ended, and deposits ended or are in open doubt',
      accepted,
      found(accepted, (one) => !isOver(one, stateOf(one))),
    ),
    await booksVerdict(database),
  ]
}

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

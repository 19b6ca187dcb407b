/**
 * Holds what a merchant wrote down (requests, answers, callbacks) against the database and the
 * operator's book, when all work is over. Finds, and does not throw: a rig reports everything.
 */
import type { Database, Db } from '../../src/store/database.ts'
import { beginSnapshot } from '../../src/store/verify.ts'
import { verifyBooks } from '../../src/usecases/verify-books.ts'
import type { Kind } from '../../test/support/every-kind.ts'
import type { Listener, Told } from './listener.ts'
import { type Ask, nameOf, type Shop } from './shop.ts'

export type Verdict = {
  /** The guarantee, as the closing table names it. */
  readonly guarantee: string
  /** How many things were looked at. */
  readonly checked: number
  readonly findings: readonly string[]
}

type Row = {
  readonly kind: Kind
  readonly id: string
  readonly state: string
  readonly finals: number
  /** How often the operator was asked; null where it never was. */
  readonly asked: number | null
  readonly split: string | null
}

const FINAL = new Set(['COMPLETED', 'FAILED', 'PAYOUT_FAILED'])

export async function checkEverything(
  database: Database,
  shop: Shop,
  listener: Listener,
): Promise<readonly Verdict[]> {
  const asks = [...shop.asks.values()]
  const verdicts = await database.inTransaction(async (tx) => {
    await beginSnapshot(tx)
    const rows = await tx.query<Row>(ROWS)
    const stored = new Map(rows.map((row) => [nameOf(row.kind, row.id), row]))
    return [
      answers(asks, stored),
      endings(asks, rows, stored),
      await operator(tx, rows),
      callbacks(rows, stored, listener.told),
      await money(tx, listener.told),
    ]
  })
  return [...verdicts, await books(database)]
}

/** The verdict for the work that has to come to its end before anything can be judged. */
export async function allWorkEnds(database: Database, withinMs: number): Promise<Verdict> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const open = await database.query<{ what: string }>(OPEN)
    if (open.length === 0 || performance.now() > deadline) {
      const guarantee = 'all work comes to its end'
      return { guarantee, checked: 1, findings: open.map(({ what }) => what) }
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const OPEN = `
select kind || ' ' || id || ' is ' || state as what from payments where due_at is not null
union all
select 'callback of ' || kind || ' ' || payment_id || ' is ' || status from callbacks
where due_at is not null limit 1000`

const ROWS = `
select p.kind, p.id, p.state, o.asked, p.split_id as split, coalesce(e.finals, 0) as finals
from payments p
left join (select merchant_id, payment_key, count(*)::int as finals from payment_events
           where state in ('COMPLETED', 'FAILED') group by 1, 2) e
  on e.merchant_id = p.merchant_id and e.payment_key = p.key
left join sandbox_orders o on o.merchant_id = p.merchant_id and o.reference = p.provider_reference
union all
select 'splitPayment', id, state, null, null, 1 from split_payments`

function answers(asks: readonly Ask[], stored: ReadonlyMap<string, Row>): Verdict {
  const findings = asks.flatMap(({ kind, id, accepted, isDoubtful, refusal }) => {
    const name = nameOf(kind, id)
    const isThere = stored.has(name)
    if (accepted > 1) return [`${name} was ACCEPTED ${accepted} times`]
    if (accepted === 1 && !isThere) return [`${name} was ACCEPTED and is not there`]
    if (refusal !== undefined) return [`${name} was refused: ${refusal}`]
    if (isDoubtful) return [`${name} got no answer, however often it was asked for`]
    return isThere ? [] : [`${name} was answered as known and is not there`]
  })
  return {
    guarantee: 'every answer is true: what was accepted is there, once',
    ...of(asks, findings),
  }
}

/** It ended, once, as the operator has it, and somebody had asked for it. */
function endings(
  asks: readonly Ask[],
  rows: readonly Row[],
  stored: ReadonlyMap<string, Row>,
): Verdict {
  const strange = rows
    .filter(({ state, finals }) => !FINAL.has(state) || finals !== 1)
    .map(({ kind, id, state, finals }) => `${kind} ${id} is ${state}, ${finals} final states`)
  const wrong = asks.flatMap(({ kind, id, ending }) => {
    const state = stored.get(nameOf(kind, id))?.state ?? ending
    return state === ending ? [] : [`${kind} ${id} is ${state}, the operator says ${ending}`]
  })
  const known = new Set(asks.map(({ kind, id }) => nameOf(kind, id)))
  const unasked = rows
    .filter(({ kind, id, split }) => split === null && !known.has(nameOf(kind, id)))
    .filter(({ kind, id }) => !(kind === 'deposit' && known.has(nameOf('splitPayment', id))))
    .map(({ kind, id }) => `${kind} ${id} is there and nobody asked for it`)
  const findings = [...strange, ...wrong, ...unasked]
  return { guarantee: 'each payment has one final state, the operator’s', ...of(rows, findings) }
}

/** The operator's own book: nothing was asked for twice, and nothing that we do not know of. */
async function operator(db: Db, rows: readonly Row[]): Promise<Verdict> {
  const payments = rows.filter(({ kind }) => kind !== 'splitPayment')
  const wrong = payments
    .filter(({ asked, state }) => (asked ?? 0) > 1 || (asked === null && state === 'COMPLETED'))
    .map(({ kind, id, asked, state }) => `${kind} ${id} is ${state}, asked for ${asked ?? 0} times`)
  const orphans = await db.query<{ reference: string; amount: string }>(
    `select o.reference, o.amount::text from sandbox_orders o
     left join payments p on p.merchant_id = o.merchant_id and p.provider_reference = o.reference
     where p.key is null`,
  )
  const findings = [
    ...wrong,
    ...orphans.map(
      ({ reference, amount }) => `the operator has ${reference} over ${amount}, we not`,
    ),
  ]
  return { guarantee: 'the operator was asked once for each payment', ...of(payments, findings) }
}

/** A state on the way comes before the end; the end is told, and nothing else after it. */
const RANKS: Readonly<Record<string, number>> = {
  PROCESSING: 1,
  IN_RECONCILIATION: 2,
  COMPLETED: 3,
  FAILED: 3,
  PAYOUT_FAILED: 3,
}

function callbacks(
  rows: readonly Row[],
  stored: ReadonlyMap<string, Row>,
  told: ReadonlyMap<string, Told>,
): Verdict {
  const silent = rows
    .filter(({ kind, id, state }) => !told.get(nameOf(kind, id))?.states.includes(state))
    .map(({ kind, id, state }) => `nobody was told that ${kind} ${id} is ${state}`)
  const wrong = [...told].flatMap(([name, { states }]) => {
    const row = stored.get(name)
    if (row === undefined) return [`${name} was told as ${states.join(', ')} and is not there`]
    const finals = new Set(states.filter((state) => FINAL.has(state)))
    const ranks = states.map((state) => RANKS[state] ?? 0)
    const isInOrder = ranks.every((rank, at) => at === 0 || rank >= (ranks[at - 1] ?? 0))
    const isTrue = finals.size <= 1 && [...finals].every((state) => state === row.state)
    return isInOrder && isTrue
      ? []
      : [`${name} is ${row.state} and was told as ${states.join(', ')}`]
  })
  const findings = [...silent, ...wrong]
  return { guarantee: 'each end was told, once acknowledged, in order', ...of(rows, findings) }
}

/** What the callbacks add up to is what the wallets gained, from the merchant's side alone. */
async function money(db: Db, told: ReadonlyMap<string, Told>): Promise<Verdict> {
  const sums = new Map<string, bigint>()
  for (const [name, { states, amount, currency }] of told) {
    const kind = name.split(' ')[0]
    if (kind === 'splitPayment' || !states.includes('COMPLETED')) continue
    const units = kind === 'deposit' ? unitsOf(amount) : -unitsOf(amount)
    sums.set(currency, (sums.get(currency) ?? 0n) + units)
  }
  const rows = await db.query<{ currency: string; gained: string }>(
    `select a.currency, sum(a.balance - coalesce(t.added, 0))::text as gained
     from accounts a
     left join (select merchant_id, account, sum(amount) as added from (
                  select merchant_id, credit as account, amount from transfers
                  where cause = 'ADJUSTMENT'
                  union all
                  select merchant_id, debit, -amount from transfers where cause = 'ADJUSTMENT') m
                group by 1, 2) t
       on t.merchant_id = a.merchant_id and t.account = a.account
     where a.type = 'wallet' group by 1`,
  )
  const findings = rows.flatMap(({ currency, gained }) => {
    const expected = sums.get(currency) ?? 0n
    const found = unitsOf(gained)
    return expected === found
      ? []
      : [`wallets in ${currency} gained ${found}, the callbacks add up to ${expected} (1/10000)`]
  })
  return { guarantee: 'wallets hold what the callbacks add up to', ...of(rows, findings) }
}

/** Ten-thousandths. */
function unitsOf(text: string): bigint {
  const [, sign, whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d{1,4}))?\d*$/.exec(text) ?? []
  const units = BigInt(whole) * 10_000n + BigInt(part.padEnd(4, '0'))
  return sign === '-' ? -units : units
}

async function books(database: Database): Promise<Verdict> {
  const results = await verifyBooks(database, () => {})
  const findings = results.flatMap((result) =>
    result.findings.map(({ subject, finding }) => `${result.name}: ${subject}, ${finding}`),
  )
  return { guarantee: 'the books are in order (malipo verify)', ...of(results, findings) }
}

const of = (looked: readonly unknown[], findings: readonly string[]) => ({
  checked: looked.length,
  findings,
})

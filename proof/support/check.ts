/**
 * Holds what a merchant wrote down (requests, answers, callbacks) against the database and the
 * operator's book, when all work is over. Finds, and does not throw: a rig reports everything.
 */

import type { Kind } from '../../harness/every-kind.ts'
import type { Database, Db } from '../../src/store/engine/database.ts'
import { beginSnapshot } from '../../src/store/verify/books.ts'
import { verifyBooks } from '../../src/usecases/accounts/verify-books.ts'
import { attempts } from './attempts.ts'
import type { Listener, Told } from './listener.ts'
import { nameOf } from './names.ts'
import type { Ask, Shop, Wanted } from './shop.ts'

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
  /** Sum, currency, provider and number, as we have them and as the operator has them. */
  readonly terms: string | null
  readonly ordered: string | null
  /** What became of the callback of its state, as the service has it; null where it owes none. */
  readonly telling: string | null
}

const FINAL = new Set(['COMPLETED', 'FAILED', 'PAYOUT_FAILED'])

export async function checkEverything(
  database: Database,
  shop: Pick<Shop, 'asks'>,
  listener: Pick<Listener, 'told'>,
): Promise<readonly Verdict[]> {
  const asks = [...shop.asks.values()]
  const verdicts = await database.inTransaction(async (tx) => {
    await beginSnapshot(tx)
    const rows = await tx.query<Row>(ROWS)
    const stored = new Map(rows.map((row) => [nameOf(row.kind, row.id), row]))
    return [
      answers(asks, stored),
      contents(asks, stored),
      endings(asks, rows, stored),
      await operator(tx, rows),
      callbacks(rows, stored, listener.told),
      await attempts(tx, listener.told),
      await money(tx, listener.told),
    ]
  })
  return [...verdicts, await books(database)]
}

/** The verdict for the work that has to come to its end before anything can be judged. */
export async function allWorkEnds(
  database: Database,
  withinMs: number,
  /** Called now and then while there is work: moves the test clock on. */
  hurry: () => Promise<unknown> = async () => {},
): Promise<Verdict> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const open = await database.query<{ what: string }>(OPEN)
    if (open.length === 0 || performance.now() > deadline) {
      const guarantee = 'all work comes to its end'
      return { guarantee, checked: 1, findings: open.map(({ what }) => what) }
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
    await hurry()
  }
}

const OPEN = `
select kind || ' ' || id || ' is ' || state as what from payments where due_at is not null
union all
select 'callback of ' || kind || ' ' || payment_id || ' is ' || status from callbacks
where due_at is not null limit 1000`

const ROWS = `
select p.kind, p.id, p.state, o.asked, coalesce(e.finals, 0) as finals,
       concat_ws(' ', trim_scale(p.amount), p.currency, p.provider, p.phone_number) as terms,
       case when o.reference is not null then
         concat_ws(' ', trim_scale(o.amount), o.currency, o.provider, o.phone_number) end as ordered,
       c.status as telling
from payments p
left join callbacks c on c.merchant_id = p.merchant_id and c.payment_key = p.key
  and c.kind = p.kind and c.state = p.state
left join (select merchant_id, payment_key, count(*)::int as finals from payment_events
           where state in ('COMPLETED', 'FAILED') group by 1, 2) e
  on e.merchant_id = p.merchant_id and e.payment_key = p.key
left join sandbox_orders o on o.merchant_id = p.merchant_id and o.reference = p.provider_reference
union all
select 'splitPayment', s.id, s.state, null, 1, null, null, c.status
from split_payments s
left join callbacks c on c.merchant_id = s.merchant_id and c.kind = 'splitPayment'
  and c.payment_id = s.id and c.state = s.state`

function answers(asks: readonly Ask[], stored: ReadonlyMap<string, Row>): Verdict {
  const findings = asks.flatMap((ask) => {
    const { kind, id, accepted, isDoubtful, refusal, wrongError } = ask
    const name = nameOf(kind, id)
    const isThere = stored.has(name)
    if (accepted > 1) return [`${name} was ACCEPTED ${accepted} times`]
    if (accepted === 1 && !isThere) return [`${name} was ACCEPTED and is not there`]
    if (refusal !== undefined) return [`${name} was refused: ${refusal}`]
    if (wrongError !== undefined) return [`${name} failed in the wrong words: ${wrongError}`]
    if (isDoubtful) return [`${name} got no answer, however often it was asked for`]
    return isThere ? [] : [`${name} was answered as known and is not there`]
  })
  return {
    guarantee: 'every answer is true: what was accepted is there, once',
    ...of(asks, findings),
  }
}

const termsOf = ({ amount, currency, provider, phoneNumber }: Wanted): string =>
  [amount, currency, provider, phoneNumber].join(' ')

/** What is stored is what the request said, with all parts of a split payment. */
function contents(asks: readonly Ask[], stored: ReadonlyMap<string, Row>): Verdict {
  // What is lost as a whole is a false answer; a part of what is there must be there as well.
  const wanted = asks.flatMap((ask) => {
    const hasParts = ask.ending === 'COMPLETED' && stored.has(nameOf(ask.kind, ask.id))
    return ask.payments.filter(({ kind, id }) => hasParts || stored.has(nameOf(kind, id)))
  })
  const findings = wanted.flatMap((one) => {
    const [name, terms] = [nameOf(one.kind, one.id), termsOf(one)]
    const found = stored.get(name)?.terms ?? 'nothing'
    return found === terms ? [] : [`${name} is over ${found}, asked for was ${terms}`]
  })
  return {
    guarantee: 'each payment has the sum and the number of its request',
    ...of(wanted, findings),
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
  const wanted = new Map(
    asks
      .flatMap((ask) => [ask, ...ask.payments])
      .map(({ kind, id, ending }) => [nameOf(kind, id), ending]),
  )
  const wrong = [...wanted].flatMap(([name, ending]) => {
    const state = stored.get(name)?.state ?? ending
    return state === ending ? [] : [`${name} is ${state}, the operator says ${ending}`]
  })
  const unasked = rows
    .filter(({ kind, id }) => !wanted.has(nameOf(kind, id)))
    .map(({ kind, id }) => `${kind} ${id} is there and nobody asked for it`)
  const findings = [...strange, ...wrong, ...unasked]
  return { guarantee: 'each payment has one final state, the operator’s', ...of(rows, findings) }
}

/** The operator's own book: nothing was asked for twice, and nothing that we do not know of. */
async function operator(db: Db, rows: readonly Row[]): Promise<Verdict> {
  const payments = rows.filter(({ kind }) => kind !== 'splitPayment')
  const wrong = payments
    .filter(({ asked }) => asked !== 1)
    .map(({ kind, id, asked, state }) => `${kind} ${id} is ${state}, asked for ${asked ?? 0} times`)
  const unlike = payments
    .filter(({ terms, ordered }) => ordered !== null && ordered !== terms)
    .map(({ kind, id, terms, ordered }) => `${kind} ${id} is over ${terms}, ordered was ${ordered}`)
  const orphans = await db.query<{ reference: string; amount: string }>(
    `select o.reference, o.amount::text from sandbox_orders o
     left join payments p on p.merchant_id = o.merchant_id and p.provider_reference = o.reference
     where p.key is null`,
  )
  const findings = [
    ...wrong,
    ...unlike,
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
  const silent = rows.flatMap(({ kind, id, state, telling }) => {
    const { states = [], acknowledged = [] } = told.get(nameOf(kind, id)) ?? {}
    const what = `${kind} ${id} is ${state}`
    if (!states.includes(state)) return [`nobody was told that ${what}`]
    if (!acknowledged.includes(state)) return [`nobody acknowledged that ${what}`]
    // Both sides have to know: an acknowledgement that the service has not noted is told again.
    return telling === 'DELIVERED' ? [] : [`that ${what} was told, and is noted as ${telling}`]
  })
  const wrong = [...told].flatMap(([name, { states, overlaps }]) => {
    if (overlaps > 0) return [`${name} was sent ${overlaps} times while it was being sent`]
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
  return { guarantee: 'each end was told and acknowledged, in order', ...of(rows, findings) }
}

/**
 * What the callbacks add up to is what each wallet gained, from the merchant's side alone. Counted
 * are wallets that moved by one of the two accounts: the others compare nothing with nothing.
 */
async function money(db: Db, told: ReadonlyMap<string, Told>): Promise<Verdict> {
  const expected = new Map<string, bigint>()
  for (const [name, { states, amount, currency, country }] of told) {
    const kind = name.split(' ')[0]
    if (kind === 'splitPayment' || !states.includes('COMPLETED')) continue
    const units = kind === 'deposit' ? unitsOf(amount) : -unitsOf(amount)
    const wallet = `${country} ${currency}`
    expected.set(wallet, (expected.get(wallet) ?? 0n) + units)
  }
  const rows = await db.query<{ wallet: string; gained: string }>(
    `select a.country || ' ' || a.currency as wallet,
            sum(a.balance - coalesce(t.added, 0))::text as gained
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
  const gained = new Map(rows.map((row) => [row.wallet, unitsOf(row.gained)]))
  const moved = [...new Set([...expected.keys(), ...gained.keys()])].filter(
    (wallet) => expected.has(wallet) || gained.get(wallet) !== 0n,
  )
  const findings = moved.flatMap((wallet) => {
    const [told, found] = [expected.get(wallet) ?? 0n, gained.get(wallet) ?? 0n]
    return told === found
      ? []
      : [`the wallet ${wallet} gained ${found}, the callbacks add up to ${told} (1/10000)`]
  })
  return { guarantee: 'wallets hold what the callbacks add up to', ...of(moved, findings) }
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

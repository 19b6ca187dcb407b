/**
 * Compares what a merchant recorded (requests, answers, callbacks) with the database and the
 * operator's records, when all work is done. Findings are returned, not thrown: all are reported.
 */

import type { Kind } from '../../harness/every-kind.ts'
import { OPEN_CALLBACKS } from '../../harness/open-callbacks.ts'
import type { Database, Db } from '../../src/store/engine/database.ts'
import { beginSnapshot } from '../../src/store/verify/books.ts'
import { verifyBooks } from '../../src/usecases/accounts/verify-books.ts'
import { attempts } from './attempts.ts'
import type { Listener, Received } from './listener.ts'
import { nameOf } from './names.ts'
import { isInOrder } from './order.ts'
import type { Ask, Shop, Wanted } from './shop.ts'

export type Verdict = {
  /** As named in the table at the end. */
  readonly guarantee: string
  /** How many items were checked. */
  readonly checked: number
  readonly findings: readonly string[]
}

type Row = {
  readonly kind: Kind
  readonly id: string
  readonly state: string
  readonly finals: number
  /** How often the operator got the order; null if never. */
  readonly asked: number | null
  /** Amount, currency, provider and number, as stored and as the operator has them. */
  readonly terms: string | null
  readonly ordered: string | null
  /** The status of the callback of its state; null if there is none. */
  readonly callback: string | null
}

const FINAL = new Set(['COMPLETED', 'FAILED', 'PAYOUT_FAILED'])

export async function checkEverything(
  database: Database,
  shop: Pick<Shop, 'asks'>,
  listener: Pick<Listener, 'received'>,
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
      callbacks(rows, stored, listener.received),
      await attempts(tx, listener.received),
      await money(tx, listener.received),
    ]
  })
  return [...verdicts, await books(database)]
}

/** Waits until no work is left, as everything else is judged after that. */
export async function allWorkEnds(
  database: Database,
  withinMs: number,
  /** Called now and then while work is left: moves the test clock by so much. */
  hurry: (seconds: number) => Promise<unknown> = async () => {},
): Promise<Verdict> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const open = await database.query<{ what: string }>(OPEN)
    if (open.length === 0 || performance.now() > deadline) {
      const guarantee = 'all work is completed'
      return { guarantee, checked: 1, findings: open.map(({ what }) => what) }
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
    // Where a slow machine let several attempts fail, the next one is hours away.
    const isLastOfCallbacks = open.every(({ what }) => what.startsWith(CALLBACK_OF))
    await hurry(isLastOfCallbacks ? 3600 : 30)
  }
}

const CALLBACK_OF = 'callback of '

const OPEN = `
select kind || ' ' || id || ' is ' || state as what from payments where due_at is not null
union all
select '${CALLBACK_OF}' || o.kind || ' ' || o.payment_id || ' for ' || state || ' is owed' || coalesce(
  format(': attempts %s, node %s, due %s', c.attempts, c.holder, c.due_at), '')
from (select * from ${OPEN_CALLBACKS}) o
left join callbacks c using (merchant_id, payment_key, state) limit 1000`

const ROWS = `
select p.kind, p.id, p.state, o.asked, coalesce(e.finals, 0) as finals,
       concat_ws(' ', trim_scale(p.amount), p.currency, p.provider, p.phone_number) as terms,
       case when o.reference is not null then
         concat_ws(' ', trim_scale(o.amount), o.currency, o.provider, o.phone_number) end as ordered,
       c.status as callback
from payments p
left join callbacks c on c.merchant_id = p.merchant_id and c.payment_key = p.key
  and c.kind = p.kind and c.state = p.state
left join (select merchant_id, key, count(*)::int as finals from (
             select merchant_id, key, state from payments where ended_at is not null
             union select merchant_id, key, cause from transfers
             union select merchant_id, payment_key, state from callbacks) ends
           where state in ('COMPLETED', 'FAILED') group by 1, 2) e
  on e.merchant_id = p.merchant_id and e.key = p.key
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
    if (accepted === 1 && !isThere) return [`${name} was ACCEPTED but does not exist`]
    if (refusal !== undefined) return [`${name} was refused: ${refusal}`]
    if (wrongError !== undefined) return [`${name} failed with the wrong error: ${wrongError}`]
    if (isDoubtful) return [`${name} got no answer, however often it was requested`]
    return isThere ? [] : [`${name} was answered as a repeat, but does not exist`]
  })
  return {
    guarantee: 'every answer is true: what was accepted exists once',
    ...of(asks, findings),
  }
}

const termsOf = ({ amount, currency, provider, phoneNumber }: Wanted): string =>
  [amount, currency, provider, phoneNumber].join(' ')

/** What is stored matches the request, including all parts of a split payment. */
function contents(asks: readonly Ask[], stored: ReadonlyMap<string, Row>): Verdict {
  // A payment lost as a whole is an untrue answer; here, an existing one must have all its parts.
  const wanted = asks.flatMap((ask) => {
    const hasParts = ask.ending === 'COMPLETED' && stored.has(nameOf(ask.kind, ask.id))
    return ask.payments.filter(({ kind, id }) => hasParts || stored.has(nameOf(kind, id)))
  })
  const findings = wanted.flatMap((one) => {
    const [name, terms] = [nameOf(one.kind, one.id), termsOf(one)]
    const found = stored.get(name)?.terms ?? 'nothing'
    return found === terms ? [] : [`${name} is ${found}, but requested was ${terms}`]
  })
  return {
    guarantee: 'each payment has the amount and number of its request',
    ...of(wanted, findings),
  }
}

/** It has one final state, the operator's, and it was requested. */
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
    .map(({ kind, id }) => `${kind} ${id} exists, but nobody asked for it`)
  const findings = [...strange, ...wrong, ...unasked]
  return { guarantee: 'each payment has one final state, the operator’s', ...of(rows, findings) }
}

/** The operator's own records: no order twice, and none without a payment. */
async function operator(db: Db, rows: readonly Row[]): Promise<Verdict> {
  const payments = rows.filter(({ kind }) => kind !== 'splitPayment')
  const wrong = payments
    .filter(({ asked }) => asked !== 1)
    .map(({ kind, id, asked, state }) => `${kind} ${id} is ${state}, ordered ${asked ?? 0} times`)
  const unlike = payments
    .filter(({ terms, ordered }) => ordered !== null && ordered !== terms)
    .map(({ kind, id, terms, ordered }) => `${kind} ${id} is ${terms}, but ordered was ${ordered}`)
  const orphans = await db.query<{ reference: string; amount: string }>(
    `select o.reference, o.amount::text from sandbox_orders o
     left join payments p on p.merchant_id = o.merchant_id and p.provider_reference = o.reference
     where p.key is null`,
  )
  const findings = [
    ...wrong,
    ...unlike,
    ...orphans.map(
      ({ reference, amount }) =>
        `the operator has an order ${reference} of ${amount} without a payment`,
    ),
  ]
  return { guarantee: 'the operator got one order for each payment', ...of(payments, findings) }
}

function callbacks(
  rows: readonly Row[],
  stored: ReadonlyMap<string, Row>,
  received: ReadonlyMap<string, Received>,
): Verdict {
  const silent = rows.flatMap(({ kind, id, state, callback }) => {
    const { states = [], acknowledged = [] } = received.get(nameOf(kind, id)) ?? {}
    const what = `${kind} ${id} is ${state}`
    if (!states.includes(state)) return [`${what}, but no callback of that was received`]
    if (!acknowledged.includes(state)) return [`${what}, but no callback of that was acknowledged`]
    // Both sides must agree: a callback whose acknowledgement is not stored is sent again.
    return callback === 'DELIVERED'
      ? []
      : [`${what}, which was acknowledged, but the callback is stored as ${callback}`]
  })
  const wrong = [...received].flatMap(([name, { states, signedAt, overlaps }]) => {
    if (overlaps > 0)
      return [`${name} had ${overlaps} callbacks while another was not answered yet`]
    const row = stored.get(name)
    if (row === undefined)
      return [`${name} was received as ${states.join(', ')}, but does not exist`]
    const finals = new Set(states.filter((state) => FINAL.has(state)))
    const isTrue = finals.size <= 1 && [...finals].every((state) => state === row.state)
    return isInOrder(states, signedAt) && isTrue
      ? []
      : [`${name} is ${row.state}, but was received as ${states.join(', ')}`]
  })
  const findings = [...silent, ...wrong]
  return { guarantee: 'each outcome was reported, acknowledged, in order', ...of(rows, findings) }
}

/**
 * Each wallet gained the sum of its callbacks, computed from the merchant's side alone. Wallets that
 * moved by neither count are left out.
 */
async function money(db: Db, received: ReadonlyMap<string, Received>): Promise<Verdict> {
  const expected = new Map<string, bigint>()
  for (const [name, { states, amount, currency, country }] of received) {
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
    const [expectedGain, found] = [expected.get(wallet) ?? 0n, gained.get(wallet) ?? 0n]
    return expectedGain === found
      ? []
      : [
          `the wallet ${wallet} gained ${found}, but the callbacks add up to ${expectedGain} (1/10000)`,
        ]
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

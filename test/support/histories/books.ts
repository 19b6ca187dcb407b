import assert from 'node:assert/strict'
import type { Body } from '../../../harness/random/requests.ts'
import { type Generation, type Kind, storyOf } from '../../../harness/random/world.ts'
import { accountOf, type Findings, type Found, failureCodeOf, unitsOf } from './findings.ts'
import { type Entry, isOver } from './journal.ts'
import { startedIn } from './origins.ts'
import type { Plan } from './plan.ts'
import type { Stage } from './stage.ts'

/** Money of each merchant and currency, in ten-thousandths. */
export type Money = ReadonlyMap<string, bigint>

/** What the wallets hold, as their owners are told. */
export async function readWallets(stage: Stage): Promise<Money> {
  const money = new Map<string, bigint>()
  for (const merchant of stage.merchants.keys()) {
    const at = { node: 0, merchant } as const
    const { body } = await stage.call(at, 'GET', '/v2/wallet-balances')
    const { body: earlier } = await stage.call(at, 'GET', '/v1/wallet-balances')
    const inOldWords = ({ provider = '', ...rest }: Body) => ({ ...rest, mno: provider })
    assert.deepEqual(earlier, { balances: body.balances.map(inOldWords) })
    for (const { currency, balance } of body.balances) {
      const name = `${merchant} ${currency}`
      assert.ok(unitsOf(balance) >= 0n, `${name} ${balance}`)
      money.set(name, (money.get(name) ?? 0n) + unitsOf(balance))
    }
  }
  return money
}

/** What the sandbox put into wallets or took out of them, on somebody's demand. */
export async function readAdjustments(stage: Stage): Promise<Map<string, bigint>> {
  const rows = await stage.service.database.query<{ m: number; currency: string; sum: string }>(
    `select a.merchant_id as m, a.currency,
            sum(case when t.credit = a.account then t.amount else -t.amount end)::text as sum
     from transfers t join accounts a
       on a.merchant_id = t.merchant_id and a.account in (t.debit, t.credit)
     where t.cause = 'ADJUSTMENT' and a.type = 'wallet' group by 1, 2`,
  )
  const merchants = stage.merchants.map(({ id }) => id)
  return new Map(
    rows.map(({ m, currency, sum }) => {
      const units = sum.startsWith('-') ? -unitsOf(sum.slice(1)) : unitsOf(sum)
      return [`${merchants.indexOf(m)} ${currency}`, units]
    }),
  )
}

/** Every wallet holds what it held before, and what came in, less what went out or is held. */
export function checkMoney(before: Money, adjusted: Money, after: Money, findings: Findings): void {
  const expected = new Map(before)
  const add = (name: string, units: bigint): void => {
    expected.set(name, (expected.get(name) ?? 0n) + units)
  }
  for (const [name, units] of adjusted) add(name, units)
  for (const { entry, record } of findings.all) {
    if (entry.kind === 'splitPayment' || record.status === 'FAILED') continue
    const name = `${entry.merchant} ${record.currency}`
    const units = unitsOf(record.amount)
    if (entry.kind !== 'deposit') add(name, -units)
    else if (record.status === 'COMPLETED') add(name, units)
  }
  assert.deepEqual(new Map([...after].toSorted()), new Map([...expected].toSorted()))
}

type Row = {
  readonly merchant: number
  readonly kind: Kind
  readonly id: string
  readonly asked: number | null
  readonly callbacks: readonly { readonly state: string; readonly status: string }[]
  readonly cases: readonly Case[]
}
type Case = {
  readonly cause: string
  readonly said: string | null
  readonly closed: boolean
  readonly resolution: string | null
}

/** Behind the scenes: the operator's own book, what is owed to merchants, and cases of doubt. */
export async function checkInside(plan: Plan, stage: Stage, findings: Findings): Promise<void> {
  const rows = await stage.service.database.query<Row>(ROWS)
  const merchants = stage.merchants.map(({ id }) => id)
  const byName = new Map(
    rows.map((row) => [`${merchants.indexOf(row.merchant)}/${row.kind}/${row.id}`, row]),
  )
  for (const found of findings.all) {
    const { merchant, kind, id } = found.entry
    const name = `${merchant}/${kind}/${id.toLowerCase()}`
    const row = byName.get(name)
    assert.ok(row !== undefined, `${name} is not in the database`)
    byName.delete(name)
    checkCallbacks(plan, found, row)
    if (kind !== 'splitPayment') checkOperator(plan, found, row)
  }
  assert.deepEqual([...byName.keys()], [], 'payments that nobody knows of')
}

/** One record of what is owed, which ends delivered, where there is somebody who listens. */
function checkCallbacks(plan: Plan, { entry, record }: Found, { callbacks }: Row): void {
  const name = `${entry.kind} ${entry.id}`
  const listens = plan.merchants[entry.merchant]?.listens.includes(entry.kind) === true
  if (listens && isOver(record)) {
    assert.deepEqual(callbacks, [{ state: record.status, status: 'DELIVERED' }], name)
  } else if (entry.resends === 0) assert.deepEqual(callbacks, [], name)
}

const NEVER_SENT = ['PAWAPAY_WALLET_OUT_OF_FUNDS', 'MANUALLY_CANCELLED']

/** Asked for once, or never where it ended before; contradicted once where the story says so. */
function checkOperator(plan: Plan, { entry, record }: Found, { asked, cases }: Row): void {
  const name = `${entry.kind} ${entry.id} with ${accountOf(record).phoneNumber}`
  const isSent = !NEVER_SENT.includes(failureCodeOf(record) ?? '')
  assert.equal(asked, isSent ? 1 : null, name)
  const story = isSent ? storyOf(accountOf(record).phoneNumber) : undefined
  const said = story?.takesBack
  assert.deepEqual(
    cases.filter(({ cause }) => cause === 'CONTRADICTION'),
    said === undefined ? [] : [{ cause: 'CONTRADICTION', said, closed: false, resolution: null }],
    name,
  )
  const doubts = cases.filter(({ cause }) => cause === 'UNKNOWN_OUTCOME')
  for (const doubt of doubts) {
    assert.deepEqual(doubt, {
      cause: 'UNKNOWN_OUTCOME',
      said: null,
      closed: true,
      resolution: record.status,
    })
    assert.ok(plan.isTroubled || story?.isDoubtful === true, `no reason to doubt ${name}`)
  }
}

const ROWS = `
select s.merchant_id as merchant, s.kind, s.id, o.asked,
  coalesce((select jsonb_agg(jsonb_build_object('state', c.state, 'status', c.status))
            from callbacks c
            where c.merchant_id = s.merchant_id and c.payment_key = s.key), '[]') as callbacks,
  coalesce((select jsonb_agg(jsonb_build_object('cause', c.cause, 'said', c.said,
              'closed', c.closed_at is not null, 'resolution', c.resolution))
            from cases c
            where c.merchant_id = s.merchant_id and c.payment_key = s.key), '[]') as cases
from (
  select merchant_id, kind, id, key, provider_reference as reference from payments
  where state <> 'WAITING'
  union all
  select merchant_id, 'splitPayment', id, key, null from split_payments) s
left join sandbox_orders o on o.merchant_id = s.merchant_id and o.reference = s.reference`

/**
 * Whatever arrived at the merchant's server is the record that the status check shows, in the
 * generation that started the payment.
 */
export function checkDeliveries(plan: Plan, stage: Stage, findings: Findings): void {
  const deliveries = new Map<Entry, number>()
  const spoken = new Map<Entry, Generation>()
  const foundAt = (path: string, told: Body): Found | undefined => {
    const [, merchant, kind] = /^\/callbacks\/(\d)\/(\w+)$/.exec(path) ?? []
    return findings.find(Number(merchant), kind as Kind, told[`${kind}Id`])
  }
  for (const { path, body } of stage.receiver.received) {
    if (path.endsWith('/checkout')) continue
    const told = JSON.parse(body) as Body
    const found = foundAt(path, told)
    assert.ok(found !== undefined, `told of what is not there: ${body}`)
    const { entry, record, earlier } = found
    const generation = spoken.get(entry) ?? generationOf(told)
    assert.deepEqual(told, generation === 'v1' ? earlier : record)
    assert.ok(startedIn(entry, record, findings).has(generation), `not started in these: ${body}`)
    spoken.set(entry, generation)
    assert.ok(isOver(told), `told before the end: ${body}`)
  }
  for (const { path, body } of stage.acknowledged) {
    const entry = foundAt(path, JSON.parse(body))?.entry
    if (entry !== undefined) deliveries.set(entry, (deliveries.get(entry) ?? 0) + 1)
  }
  for (const { entry, record } of findings.all) {
    const listens = plan.merchants[entry.merchant]?.listens.includes(entry.kind) === true
    if (!listens || !isOver(record)) continue
    const count = deliveries.get(entry) ?? 0
    assert.ok(count >= 1, `nobody was told of ${entry.kind} ${entry.id}`)
    // Where a node loses its database after it has told, another one tells again.
    const most = plan.isTroubled ? Number.POSITIVE_INFINITY : 1 + entry.resends
    assert.ok(count <= most, `${entry.kind} ${entry.id} was acknowledged ${count} times`)
  }
}

/** Only records of the earlier generation name a correspondent. */
const generationOf = (told: Body): Generation => ('correspondent' in told ? 'v1' : 'v2')

import { setTimeout as sleep } from 'node:timers/promises'
import { generationsOf, pathOf } from '../../harness/random/generations.ts'
import { ID_FIELDS } from '../../harness/random/requests.ts'
import type { CaseWatch } from './case-watch.ts'
import { type Client, recordIn } from './client.ts'
import type {
  AccountRow,
  Asked,
  BookOrder,
  CaseRow,
  CheckoutSeen,
  Evidence,
  FinalRecord,
  MerchantSeen,
  OwedRow,
  PaymentRow,
  SplitRow,
  UsageSeen,
  Wallet,
} from './evidence.ts'
import type { Plan } from './plan.ts'
import type { Rig } from './rig.ts'
import type { Body, Kind } from './world.ts'

/** The balances of the wallets, as the API shows them. */
export function walletsOf(rig: Rig, client: Client): Promise<readonly (readonly Wallet[])[]> {
  return Promise.all(
    rig.merchants.map(async (_, merchant) => {
      const { body } = await client.insist(merchant, 'GET', '/v2/wallet-balances')
      return body.balances.map(({ country, currency, balance }: Wallet) => ({
        country,
        currency,
        balance,
      }))
    }),
  )
}

/** What had to be recorded during the run. */
type Noted = { readonly opening: readonly (readonly Wallet[])[]; readonly watch: CaseWatch }

/** All that the judge gets, when the run is over. */
export async function collect(
  rig: Rig,
  client: Client,
  plan: Plan,
  { opening, watch }: Noted,
): Promise<Evidence> {
  const closing = await walletsOf(rig, client)
  const listed = await listedBy(rig, client)
  const checkouts = await checkoutsOf(client)
  const asks = [...client.asks, ...attemptsOf(checkouts)]
  const records = await recordsOf(client, asks)
  const usage = await usageOf(rig, client)
  const keys = await client.insist(0, 'GET', '/v2/public-key/http')
  const numbers = new Map(rig.merchants.map(({ id }, index) => [id, index]))
  const cases = await rig.database.query<CaseRow>(`
    select merchant_id as merchant, kind, payment_id as id, payment_key as key, cause, reported,
      resolution from cases`)
  const dump = async <Row extends { readonly merchant: number }>(sql: string): Promise<Row[]> => {
    const rows = await rig.database.query<Row>(sql)
    return rows.map((row) => ({ ...row, merchant: numbers.get(row.merchant) ?? -1 }))
  }
  return {
    merchants: rig.merchants.map(({ id }, index) => ({
      id,
      listens: plan.merchants[index]?.listens ?? [],
      opening: opening[index] ?? [],
      closing: closing[index] ?? [],
      listed: listed[index] ?? { current: [], earlier: [] },
    })),
    keys: keys.body,
    asks,
    pages: [...client.pages],
    damaged: [...client.damaged],
    checkouts,
    usage,
    switches: [...client.switches],
    leaps: [...client.leaps],
    looks: [...client.looks],
    orders: [...client.orders],
    callbacks: [...rig.receivers.callbacks],
    records,
    book: await dump<BookOrder>(`
      select merchant_id as merchant, reference, operation, phone_number as "phoneNumber",
        provider, amount::text as amount, currency, asked from sandbox_orders`),
    payments: await dump<PaymentRow>(`
      select merchant_id as merchant, kind, id, amount::text as amount, currency,
        case state when 'WAITING' then 'ACCEPTED' else state end as state,
        phone_number as "phoneNumber", provider_reference as reference,
        failure_code as "failureCode" from payments`),
    splits: await dump<SplitRow>(`
      select merchant_id as merchant, id, state from split_payments`),
    accounts: await dump<AccountRow>(`
      select merchant_id as merchant, account, type, balance::text as balance from accounts`),
    owed: await dump<OwedRow>(`
      select merchant_id as merchant, kind, payment_id as id, state, status from callbacks`),
    cases: cases.map((one) => ({
      ...one,
      ...watch.seenAt(one),
      merchant: numbers.get(one.merchant) ?? -1,
    })),
    outages: [...rig.outages],
    unserved: [...rig.unserved],
  }
}

async function checkoutsOf(client: Client): Promise<CheckoutSeen[]> {
  const all = [...client.checkouts.values()]
  for (const checkout of all) {
    const { merchant, id } = checkout
    const { body } = await client.insist(merchant, 'GET', `/v2/checkouts/${id}`)
    checkout.final = body?.data ?? null
  }
  return all
}

/** The attempts of a checkout are deposits like any other, requested by pressing Pay. */
function attemptsOf(checkouts: readonly CheckoutSeen[]): Asked[] {
  const at = Date.now()
  return checkouts.flatMap(({ merchant, final }) => {
    const attempts = (final?.depositsHistory ?? []) as readonly Body[]
    return attempts.map(({ depositId, amount, currency, payer, created }) => ({
      merchant,
      kind: 'deposit',
      generation: 'v2',
      isBulk: false,
      isAttempt: true,
      bodies: [{ depositId, amount, currency, payer }],
      ...{ sent: AT_THE_END, answered: AT_THE_END, at },
      status: 200,
      answer: { depositId, status: 'ACCEPTED', created },
    }))
  })
}

/** Later than every moment that a client counts. */
const AT_THE_END = 1e8

function listedBy(rig: Rig, client: Client): Promise<MerchantSeen['listed'][]> {
  return Promise.all(
    rig.merchants.map(async (_, merchant) => {
      const { body: current } = await client.insist(merchant, 'GET', '/v2/wallet-balances')
      const { body: earlier } = await client.insist(merchant, 'GET', '/v1/wallet-balances')
      return { current: current.balances, earlier: earlier.balances }
    }),
  )
}

const COUNTED_WITHIN_MS = 60_000

/** Waits until the nodes have stored their usage counts. */
async function usageOf(rig: Rig, client: Client): Promise<UsageSeen[]> {
  const deadline = performance.now() + COUNTED_WITHIN_MS
  for (;;) {
    const all = await usageNow(rig, client)
    const isBehind = all.some(({ counted, answeredLast }) => counted < answeredLast)
    if (!isBehind || performance.now() > deadline) return all
    await sleep(500)
  }
}

async function usageNow(rig: Rig, client: Client): Promise<UsageSeen[]> {
  const quietSince = Math.max(0, ...rig.outages.map(({ until = 0 }) => until))
  const all: UsageSeen[] = []
  for (const merchant of rig.merchants.keys()) {
    const { body } = await client.insist(merchant, 'GET', '/sandbox/migration')
    const calls: readonly { method: string; path: string; count: number }[] = body.calls
    const counts = new Map(calls.map(({ method, path, count }) => [`${method} ${path}`, count]))
    const own = rig.earlierCalls.filter((one) => one.merchant === merchant)
    for (const call of new Set([...counts.keys(), ...own.map(({ name }) => name)])) {
      const made = own.filter(({ name }) => name === call)
      const last = made.filter(({ at, isAnswered }) => isAnswered && at > quietSince)
      const counted = counts.get(call) ?? 0
      all.push({ merchant, call, made: made.length, answeredLast: last.length, counted })
    }
  }
  return all
}

/** A status check of every identifier that was ever sent, in both generations. */
async function recordsOf(client: Client, asks: readonly Asked[]): Promise<FinalRecord[]> {
  const names = new Map<string, Omit<FinalRecord, 'current' | 'earlier'>>()
  const add = (merchant: number, kind: Kind, id: string): void => {
    names.set(`${merchant}/${kind}/${id.toLowerCase()}`, { merchant, kind, id })
  }
  for (const { merchant, kind, bodies } of asks) {
    for (const body of bodies) {
      const id = String(body[ID_FIELDS[kind]])
      add(merchant, kind, id)
      if (kind !== 'splitPayment') continue
      add(merchant, 'deposit', id)
      for (const part of body.splits as readonly Body[]) add(merchant, 'payout', `${part.payoutId}`)
    }
  }
  const records: FinalRecord[] = []
  const all = [...names.values()]
  for (let start = 0; start < all.length; start += 20) {
    const some = all.slice(start, start + 20).map((name) => recordOf(client, name))
    records.push(...(await Promise.all(some)))
  }
  return records
}

async function recordOf(
  client: Client,
  name: Omit<FinalRecord, 'current' | 'earlier'>,
): Promise<FinalRecord> {
  const { merchant, kind, id } = name
  const read = async (generation: 'v1' | 'v2'): Promise<Body | null> =>
    recordIn(await client.insist(merchant, 'GET', `${pathOf(generation, kind)}/${id}`))
  const current = await read('v2')
  if (!generationsOf('check', kind).includes('v1')) return { ...name, current }
  return { ...name, current, earlier: await read('v1') }
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Answer, eventually, payer, type Service } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
type Json = any

export const MTN = 'MTN_MOMO_ZMB'
export const AIRTEL = 'AIRTEL_OAPI_ZMB'

/** The same shape as a payer: a wallet of a provider. */
export const recipient = payer

/** A payout that is accepted and completes. */
export function payoutBody(changes: Record<string, unknown> = {}): Json {
  return {
    payoutId: randomUUID(),
    amount: '15',
    currency: 'ZMW',
    recipient: recipient('260763456789', MTN),
    ...changes,
  }
}

/** Posts a payout that can be accepted, changed by `changes`. */
export async function payout(
  service: Service,
  changes: Record<string, unknown> = {},
): Promise<Answer & { id: string }> {
  const body = payoutBody(changes)
  return { ...(await service.post('/v2/payouts', body)), id: body.payoutId }
}

/** Waits until the payout is in the state; fails when it does not get there. */
export function reachesPayout(service: Service, id: string, status: string): Promise<Json> {
  return eventually(async () => {
    const { body } = await service.get(`/v2/payouts/${id}`)
    assert.equal(body.data?.status, status)
    return body.data
  })
}

/** Moves the clock in small steps until the payout is in the state. */
export function advanceUntilPayout(service: Service, id: string, status: string): Promise<Json> {
  return eventually(async () => {
    await service.advance(5)
    const { body } = await service.get(`/v2/payouts/${id}`)
    assert.equal(body.data?.status, status)
    return body.data
  })
}

/** The available balance; `provider` if a wallet belongs to a single one. */
export async function balanceOf(service: Service, country = 'ZMB', provider = ''): Promise<string> {
  const { body } = await service.get(`/v2/wallet-balances?country=${country}`)
  return body.balances.find((one: Json) => one.provider === provider)?.balance
}

export async function setBalance(
  service: Service,
  balance: string,
  provider?: string,
): Promise<void> {
  const wallet = { country: 'ZMB', currency: 'ZMW', balance }
  const answer = await service.put('/sandbox/wallets', { ...wallet, provider })
  assert.equal(answer.status, 204)
}

export async function switchPayouts(
  service: Service,
  status: 'OPERATIONAL' | 'DELAYED' | 'CLOSED',
  provider = MTN,
): Promise<void> {
  const entry = { provider, operationType: 'PAYOUT', status }
  const answer = await service.put('/sandbox/availability', entry)
  assert.equal(answer.status, 204, JSON.stringify(answer.body))
}

/** How many payouts are in which state, from the database. */
export async function statesOf(
  service: Pick<Service, 'database'>,
  ids: readonly string[],
): Promise<Record<string, number>> {
  const rows = await service.database.query<{ state: string; count: number }>(
    `select state, count(*)::int as count from payments
     where kind = 'payout' and id = any($1) group by 1 order by 1`,
    [ids],
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

/** The payouts among these whose order the simulated operator got. */
export async function sentOf(
  service: Pick<Service, 'database'>,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await service.database.query<{ id: string }>(
    `select p.id from payments p
     join sandbox_orders o on o.merchant_id = p.merchant_id and o.reference = p.provider_reference
     where p.kind = 'payout' and p.id = any($1)`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/** The new state of the provider is known to all nodes. */
export async function allAreUpdated(nodes: readonly Service[], status: string): Promise<void> {
  for (const node of nodes) {
    await eventually(async () => {
      const { body } = await node.get('/v2/availability?country=ZMB&operationType=PAYOUT')
      const found = body[0].providers.find((one: Json) => one.provider === MTN)
      assert.equal(found.operationTypes.PAYOUT, status)
    })
  }
}

/** Makes the provider DELAYED, and `count` payouts (a multiple of 20) that wait for it. */
export async function enqueuePayouts(nodes: readonly Service[], count: number): Promise<string[]> {
  const [first] = nodes as [Service]
  await switchPayouts(first, 'DELAYED')
  await allAreUpdated(nodes, 'DELAYED')
  const calls = Array.from({ length: count / 20 }, async (_, at) => {
    const bodies = Array.from({ length: 20 }, () => payoutBody())
    await nodes[at % nodes.length]?.post('/v2/payouts/bulk', bodies)
    return bodies.map(({ payoutId }): string => payoutId)
  })
  const ids = (await Promise.all(calls)).flat()
  await eventually(async () => assert.deepEqual(await statesOf(first, ids), { ENQUEUED: count }))
  return ids
}

/** Waits until each of them is COMPLETED or FAILED. */
export async function areOver(service: Service, ids: readonly string[]): Promise<void> {
  await eventually(async () => {
    const { COMPLETED = 0, FAILED = 0 } = await statesOf(service, ids)
    assert.equal(COMPLETED + FAILED, ids.length)
  })
}

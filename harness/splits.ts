import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Receiver } from './receiver.ts'
import { type Answer, eventually, payer, type Service } from './service.ts'
import type { SharedService } from './share.ts'

/** One payout of a split payment; the number decides how it ends. */
type Part = {
  readonly payoutId: string
  readonly amount: string
  readonly recipient: ReturnType<typeof payer>
}

export const PAYOUT_FAILS = '260763456119'
export const DEPOSIT_FAILS = '260763456039'

export function part(
  amount: string,
  phoneNumber = '260763456789',
  provider = 'MTN_MOMO_ZMB',
): Part {
  return { payoutId: randomUUID(), amount, recipient: payer(phoneNumber, provider) }
}

/** A split payment that is accepted and completes. */
export function splitBody(changes: Record<string, unknown> = {}) {
  return {
    splitPaymentId: randomUUID() as string,
    amount: '100',
    currency: 'ZMW',
    payer: payer('260763456789', 'MTN_MOMO_ZMB'),
    splits: [part('60'), part('30')],
    ...changes,
  }
}

export type Split = Answer & { readonly id: string; readonly parts: readonly Part[] }

export async function split(
  service: Service,
  changes: Record<string, unknown> = {},
): Promise<Split> {
  const body = splitBody(changes)
  const answer = await service.post('/v2/split-payments', body)
  return { ...answer, id: body.splitPaymentId, parts: body.splits }
}

/** Waits until the split payment is in the state; returns its record. */
export function splitReaches(
  service: Service,
  id: string,
  status: string,
  // biome-ignore lint/suspicious/noExplicitAny: records are inspected freely by tests
): Promise<any> {
  return eventually(async () => {
    const { body } = await service.get(`/v2/split-payments/${id}`)
    assert.equal(body.data?.status, status)
    return body.data
  })
}

/** The callbacks with this identifier, in order of arrival. */
export function callbacksWith(receiver: Receiver, idField: string, id: string): object[] {
  return receiver.received
    .map(({ body }) => JSON.parse(body))
    .filter((body) => body[idField] === id && (idField !== 'depositId' || !('splits' in body)))
}

/** The contents of the tables that a split payment writes to. */
export async function storedOf({ database, merchantId }: SharedService): Promise<unknown> {
  const [counts] = await database.query(
    `select (select count(*)::int from split_payments where merchant_id = $1) as splits,
       (select count(*)::int from payments where merchant_id = $1) as payments,
       (select count(*)::int from payment_events where merchant_id = $1) as events,
       (select count(*)::int from transfers where merchant_id = $1) as transfers,
       (select count(*)::int from callbacks where merchant_id = $1) as callbacks`,
    [merchantId],
  )
  return counts
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { PayForm } from '../src/usecases/hosted/form.ts'
import type { Receiver } from './receiver.ts'
import { eventually, type Service } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: records and views are inspected freely by tests
type Json = any

/** Numbers decide the outcome. */
export const PAYS = '260763456789'
export const FAILS = '260763456039'
export const STAYS = '260763456129'

/** What a customer of a single provider fills in. */
export const form = (phoneNumber = PAYS, changes: PayForm = {}): PayForm => ({
  phoneNumber,
  provider: 'MTN_MOMO_ZMB',
  ...changes,
})

/** A checkout of 15 ZMW that is accepted. */
export function checkoutBody(changes: Json = {}): Json {
  return {
    checkoutId: randomUUID(),
    returnUrl: 'https://shop.example/thanks?order=7#top',
    countries: ['ZMB'],
    amounts: [{ country: 'ZMB', currency: 'ZMW', amount: '15' }],
    ...changes,
  }
}

export type NewCheckout = { readonly id: string; readonly code: string; readonly answer: Json }

export async function checkout(service: Service, changes: Json = {}): Promise<NewCheckout> {
  const body = checkoutBody(changes)
  const { status, body: answer } = await service.post('/v2/checkouts', body)
  assert.deepEqual([status, answer.status], [200, 'ACCEPTED'], JSON.stringify(answer))
  return { id: body.checkoutId, code: answer.checkoutCode, answer }
}

export async function recordOf(service: Service, id: string): Promise<Json> {
  return (await service.get(`/v2/checkouts/${id}`)).body.data
}

/** Waits until the checkout is in the state; returns its record. */
export function checkoutReaches(service: Service, id: string, status: string): Promise<Json> {
  return eventually(async () => {
    const record = await recordOf(service, id)
    assert.equal(record?.status, status)
    return record
  })
}

/** Pays and waits until the attempt has failed and the form is back; returns the payer's proof. */
export async function failOnce(service: Service, { id, code }: NewCheckout): Promise<string> {
  const { depositsHistory } = await recordOf(service, id)
  const paid = await service.node.hosted.payOnCheckout(code, form(FAILS))
  assert.ok(paid.status === 'STARTED' && paid.payer !== undefined)
  await eventually(async () => {
    const record = await recordOf(service, id)
    assert.equal(record.depositsHistory.length, depositsHistory.length + 1)
    assert.equal(record.depositStatus, 'FAILED')
  })
  return paid.payer
}

/** A session of the Payment Page for 15 ZMW. */
export function pageBody(changes: Json = {}): Json {
  return {
    depositId: randomUUID(),
    returnUrl: 'https://shop.example/thanks?order=7#top',
    country: 'ZMB',
    amountDetails: { amount: '15', currency: 'ZMW' },
    ...changes,
  }
}

type NewPage = { readonly id: string; readonly token: string }

export async function page(service: Service, changes: Json = {}): Promise<NewPage> {
  const body = pageBody(changes)
  const { status, body: answer } = await service.post('/v2/paymentpage', body)
  assert.equal(status, 201, JSON.stringify(answer))
  return { id: body.depositId, token: answer.redirectUrl.split('/').at(-1) }
}

/** The callbacks of the checkout itself. */
const callbacksOf = (receiver: Receiver, id: string): Json[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter((body) => body.checkoutId === id)

/** The checkout had one callback, with its record; nodes of a test differ in their address. */
export async function assertSentOnce(
  service: Service,
  receiver: Receiver,
  id: string,
): Promise<Json> {
  const record = await recordOf(service, id)
  const anywhere = (one: Json) => ({ ...one, redirectUrl: new URL(one.redirectUrl).pathname })
  await eventually(() =>
    assert.deepEqual(callbacksOf(receiver, id).map(anywhere), [anywhere(record)]),
  )
  return record
}

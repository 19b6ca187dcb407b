import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../harness/service.ts'
import { DARAJA_STAND_IN } from '../../src/providers/daraja/stand-in/operator.ts'
import type { StandInRequest } from '../../src/providers/stand-in/operator.ts'
import { type RunningStandIn, startStandIn } from '../../src/providers/stand-in/server.ts'
import { orderTo, ownConnector, shapeOf } from '../support/own-connector.ts'

/** The client that Safaricom published, from the registry, against our stand-in for Daraja. */
type Answer = { readonly data: Readonly<Record<string, string>> }
type Mpesa = {
  baseURL: string
  lipaNaMpesaOnline(...given: readonly unknown[]): Promise<Answer>
  lipaNaMpesaQuery(...given: readonly unknown[]): Promise<Answer>
}
const MpesaClient = createRequire(import.meta.url)('mpesa-node') as new (config: object) => Mpesa

const PARTY = '254712000001'
let operator: RunningStandIn
before(async () => {
  operator = await startStandIn(DARAJA_STAND_IN)
  // The addresses below are nobody's.
  operator.faults.set([{ on: 'callback', fault: 'no-callback' }])
})
after(() => operator.close())

const last = (target: string): StandInRequest => {
  const found = operator.requests.findLast((one) => DARAJA_STAND_IN.targetOf(one) === target)
  return found ?? assert.fail(`no request for ${target}`)
}

describe('the client mpesa-node', () => {
  it('sends a prompt and looks it up', async () => {
    const client = new MpesaClient({
      consumerKey: 'key-0123456789',
      consumerSecret: 'secret-0123456789',
      lipaNaMpesaShortCode: '174379',
      lipaNaMpesaShortPass: 'passkey-0123456789',
    })
    client.baseURL = operator.url
    const url = 'https://example.org/callback'
    const pushed = await client.lipaNaMpesaOnline(PARTY, 15, url, 'order12', 'an order')
    assert.equal(pushed.data.ResponseCode, '0')
    const checkout = pushed.data.CheckoutRequestID
    await eventually(async () => {
      const { data } = await client.lipaNaMpesaQuery(checkout)
      assert.equal(String(data.ResultCode), '0')
    })
  })

  it('asks as our connector does', async () => {
    const theirs = {
      create: shapeOf(last('create')),
      status: shapeOf(last('status')),
      token: shapeOf(last('token')),
    }
    const ours = ownConnector({
      connector: 'daraja',
      baseUrl: operator.url,
      settings: { shortCode: '174379' },
      secrets: {
        consumerKey: 'key-0123456789',
        consumerSecret: 'secret-0123456789',
        passkey: 'passkey-0123456789',
      },
    })
    // Two equal prompts to one payer within two minutes are refused.
    const money = { amount: '15', currency: 'KES', phoneNumber: '254712000002' }
    const order = orderTo('DEPOSIT', 'MPESA_KEN', money)
    const { reference } = ours.prepare(order)
    const pushed = await ours.submit(order, reference)
    assert.ok(pushed.kind === 'PENDING' && pushed.ids !== undefined)
    const known = { ...order, ids: pushed.ids }
    await eventually(async () => assert.equal((await ours.query(known, reference)).kind, 'DONE'))
    await ours.close()
    for (const target of ['create', 'status', 'token'] as const) {
      const { headers: own, body, ...rest } = shapeOf(last(target))
      const { headers: other, body: otherBody, ...otherRest } = theirs[target]
      assert.deepEqual(rest, otherRest)
      assert.deepEqual(own, other)
      assert.deepEqual(Object.keys(body as object), Object.keys(otherBody as object))
    }
  })
})

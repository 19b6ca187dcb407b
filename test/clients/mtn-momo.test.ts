import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import mtnMomo from 'mtn-momo'
import { eventually } from '../../harness/service.ts'
import { MTN_MOMO_STAND_IN } from '../../src/providers/mtn-momo/stand-in/operator.ts'
import type { StandInRequest } from '../../src/providers/stand-in/operator.ts'
import { type RunningStandIn, startStandIn } from '../../src/providers/stand-in/server.ts'
import { orderTo, ownConnector, shapeOf } from '../support/own-connector.ts'

/** A client that others wrote for MTN, from the registry, against our stand-in for MTN. */
const credentials = {
  subscriptionKey: 'sub-0123456789',
  apiUser: '4b5f0a4e-27a3-4d39-a0a1-3d3a7e1b9f50',
  apiKey: 'key-0123456789',
}
const PARTY = '260763400001'
let operator: RunningStandIn
before(async () => {
  operator = await startStandIn(MTN_MOMO_STAND_IN)
  // The addresses below are nobody's.
  operator.faults.set([{ on: 'callback', fault: 'no-callback' }])
})
after(() => operator.close())

const last = (target: string): StandInRequest => {
  const found = operator.requests.findLast((one) => MTN_MOMO_STAND_IN.targetOf(one) === target)
  return found ?? assert.fail(`no request for ${target}`)
}

describe('the client mtn-momo', () => {
  const clientOf = () =>
    mtnMomo.create({ callbackHost: 'example.org', baseUrl: operator.url } as never)
  const product = {
    userSecret: credentials.apiKey,
    userId: credentials.apiUser,
    primaryKey: credentials.subscriptionKey,
  }

  it('collects, looks up and asks for the balance', async () => {
    const collections = clientOf().Collections(product)
    const reference = await collections.requestToPay({
      amount: '50',
      currency: 'EUR',
      externalId: '123456',
      payer: { partyIdType: mtnMomo.PayerType.MSISDN, partyId: PARTY },
      payerMessage: 'testing',
      payeeNote: 'hello',
      callbackUrl: `${operator.url}/elsewhere`,
    })
    await eventually(async () => {
      const found = await collections.getTransaction(reference)
      assert.equal(found.status, 'SUCCESSFUL')
      assert.equal(found.externalId, '123456')
    })
    assert.ok(Number((await collections.getBalance()).availableBalance) > 0)
    const active = await collections.isPayerActive(PARTY, mtnMomo.PayerType.MSISDN)
    assert.match(JSON.stringify(active), /true/)
  })

  it('asks as our connector does', async () => {
    const theirs = {
      create: shapeOf(last('create')),
      status: shapeOf(last('status')),
      token: shapeOf(last('token')),
    }
    const ours = ownConnector({
      connector: 'mtn-momo',
      baseUrl: operator.url,
      settings: { targetEnvironment: 'sandbox' },
      secrets: { collection: credentials },
    })
    const order = orderTo('DEPOSIT', 'MTN_MOMO_ZMB', {
      amount: '50',
      currency: 'EUR',
      phoneNumber: PARTY,
    })
    const reference = randomUUID()
    assert.equal((await ours.submit(order, reference)).kind, 'PENDING')
    await eventually(async () => assert.equal((await ours.query(order, reference)).kind, 'DONE'))
    await ours.close()
    for (const target of ['create', 'status', 'token'] as const) {
      assert.deepEqual(shapeOf(last(target)), theirs[target])
    }
  })

  it('pays out', async () => {
    const disbursements = clientOf().Disbursements(product)
    const reference = await disbursements.transfer({
      amount: '20',
      currency: 'EUR',
      externalId: '947354',
      payee: { partyIdType: mtnMomo.PayerType.MSISDN, partyId: PARTY },
      payerMessage: 'testing',
      payeeNote: 'hello',
      callbackUrl: `${operator.url}/elsewhere`,
    })
    await eventually(async () => {
      assert.equal((await disbursements.getTransaction(reference)).status, 'SUCCESSFUL')
    })
  })
})

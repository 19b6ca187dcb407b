import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { advanceUntil, reachesOperator } from '../../../../harness/operator.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { answersOf } from '../../../../harness/refunds.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  assertLegacyError,
  legacyReaches,
  msisdn,
  startLegacy,
} from '../../../support/legacy-payments.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { deposit: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const resend = '/deposits/resend-callback'

const callbacksOf = (id: string): unknown[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter(({ depositId }) => depositId === id)

async function delivered(id: string, times: number): Promise<void> {
  await eventually(async () => {
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
    assert.deepEqual([body[0]?.delivery, body[0]?.attempts.length], ['DELIVERED', times])
  })
}

describe('a resend is ACCEPTED and sends the same record again, for a deposit that is', () => {
  for (const [state, phoneNumber] of [
    ['COMPLETED', '260763456789'],
    ['FAILED', '260763456039'],
  ] as const) {
    it(`${state}, as often as asked`, async () => {
      const metadata = [{ fieldName: 'a', fieldValue: 'b' }]
      const changes = { payer: msisdn(phoneNumber), metadata }
      const { id: depositId } = await startLegacy(service, 'deposit', changes)
      const record = await legacyReaches(service, 'deposit', depositId, state)
      await delivered(depositId, 1)
      for (const times of [2, 3]) {
        const answer = await service.post(resend, { depositId })
        assertLegacy(answer, 200, { depositId, status: 'ACCEPTED' })
        await delivered(depositId, times)
      }
      assert.deepEqual(callbacksOf(depositId), [record, record, record])
    })
  }

  it('written in another case, which is echoed', async () => {
    const { id } = await startLegacy(service, 'deposit')
    await legacyReaches(service, 'deposit', id, 'COMPLETED')
    await delivered(id, 1)
    const depositId = id.toUpperCase()
    assertLegacy(await service.post(resend, { depositId }), 200, { depositId, status: 'ACCEPTED' })
    await delivered(id, 2)
  })
})

describe('a resend is REJECTED with 200 and a text', () => {
  const refused = (depositId: string, rejectionReason: RegExp) => ({
    depositId,
    status: 'REJECTED',
    rejectionReason,
  })

  for (const depositId of [randomUUID(), '00000000-0000-0000-0000-000000000000']) {
    it(`for an unknown deposit: ${depositId.slice(-4)}`, async () => {
      const says = new RegExp(`^No deposit .*'${depositId}'`)
      assertLegacy(await service.post(resend, { depositId }), 200, refused(depositId, says))
    })
  }

  it('for the deposit of another merchant', async () => {
    const { id: depositId } = await startLegacy(service, 'deposit')
    const other = await addMerchant(service)
    const answer = await other.call('POST', resend, { depositId })
    assertLegacy(answer, 200, refused(depositId, /^No deposit/))
  })

  it('for a deposit that has not finished, in the terms of this generation', async () => {
    const changes = { payer: msisdn('260763456129') }
    const { id: depositId } = await startLegacy(service, 'deposit', changes)
    await legacyReaches(service, 'deposit', depositId, 'SUBMITTED')
    const says = new RegExp(`deposit '${depositId}' has not finished processing: it is SUBMITTED`)
    assertLegacy(await service.post(resend, { depositId }), 200, refused(depositId, says))
    assert.deepEqual((await service.get(`/sandbox/deliveries?paymentId=${depositId}`)).body, [])
  })

  it('for a deposit whose outcome is in doubt, in the terms of this generation', async () => {
    const number = '260763450002'
    await answersOf(service, number, [{ afterSeconds: 0, answer: 'silent' }])
    const changes = { payer: msisdn(number) }
    const { id: depositId } = await startLegacy(service, 'deposit', changes)
    await reachesOperator(service, depositId)
    await advanceUntil(service, depositId, 'IN_RECONCILIATION')
    const answer = await service.post(resend, { depositId })
    assertLegacy(answer, 200, refused(depositId, /it is SUBMITTED/))
  })
})

/** Bodies that name no deposit. */
const BODIES: readonly (readonly [body: unknown, says: RegExp])[] = [
  [undefined, /could not be parsed/],
  ['{', /could not be parsed/],
  ['null', /'body'.*an object/],
  [[], /'body'.*an object/],
  [{}, /'depositId' is required/],
  [{ depositId: null }, /'depositId' is required/],
  [{ payoutId: randomUUID() }, /'payoutId' is not known/],
  [{ depositId: randomUUID(), amount: '15' }, /'amount' is not known/],
  [{ depositId: '' }, /'depositId'.*must be a UUID, such as/],
  [{ depositId: 'order-17' }, /'depositId'.*must be a UUID, such as/],
  [{ depositId: 17 }, /'depositId'.*text/],
]

describe('a resend is refused with 400 for', () => {
  for (const [body, says] of BODIES) {
    it(JSON.stringify(body) ?? 'no body', async () => {
      const answer = await service.post(resend, body)
      assertLegacyError(service, answer, 400, says)
    })
  }
})

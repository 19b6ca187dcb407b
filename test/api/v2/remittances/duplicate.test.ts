import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../../../harness/receiver.ts'
import {
  NEVER_ENDS,
  recipient,
  remittanceBody,
  remittanceWith,
  remitterOf,
  setRemittances,
} from '../../../../harness/remittances.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { remittance: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})
const { reaches, status } = remitterOf(service)
const post = (body: unknown) => service.post('/v2/remittances', body)

const { sender: otherSender } = remittanceWith('sender.senderDetails.firstName', 'Brenda')

/** A first request that is accepted, and a second one with its identifier. */
const REPEATS: readonly (readonly [what: string, first: object, second: object])[] = [
  ['the same request', {}, {}],
  ['another amount', {}, { amount: '99' }],
  ['another sender', {}, { sender: otherSender }],
  ['another recipient', {}, { recipient: recipient('260973456789', 'AIRTEL_OAPI_ZMB') }],
  ['an amount that would be refused', {}, { amount: '20001' }],
  ['a currency that would be refused', {}, { currency: 'KES' }],
  ['a number that would be refused', {}, { recipient: recipient('1') }],
  ['a provider that would be refused', {}, { recipient: recipient('1', 'NOBODY') }],
  ['a first one that failed', { recipient: recipient('260763456079') }, {}],
  ['a first one that is still running', { recipient: recipient(NEVER_ENDS) }, {}],
]

describe('a repeated identifier is a duplicate and changes nothing, with', () => {
  for (const [what, first, second] of REPEATS) {
    it(what, async () => {
      const body = remittanceBody({ ...first })
      const remittanceId: string = body.remittanceId
      const { created } = (await post(body)).body
      const again = await post({ ...body, ...second })
      assertAnswer(again, 200, { remittanceId, status: 'DUPLICATE_IGNORED', created })
      const { data } = (await status(remittanceId)).body
      assert.deepEqual(
        [data.amount, data.recipient, data.sender, data.created],
        [body.amount, body.recipient, body.sender, created],
      )
    })
  }
})

it('an identifier is case-insensitive, and echoed as sent', async () => {
  const body = remittanceBody({ remittanceId: randomUUID().toUpperCase() })
  const { created } = (await post(body)).body
  for (const remittanceId of [body.remittanceId.toLowerCase(), body.remittanceId]) {
    const answer = await post({ ...body, remittanceId })
    assertAnswer(answer, 200, { remittanceId, status: 'DUPLICATE_IGNORED', created })
  }
  assert.equal((await status(body.remittanceId)).body.data.remittanceId, body.remittanceId)
})

it('a repeat is a duplicate while the provider is delayed or closed', async () => {
  const body = remittanceBody()
  const { remittanceId } = body
  const { created } = (await post(body)).body
  for (const state of ['DELAYED', 'CLOSED'] as const) {
    await setRemittances(service, state)
    const again = await post(body)
    assertAnswer(again, 200, { remittanceId, status: 'DUPLICATE_IGNORED', created })
  }
  await setRemittances(service, 'OPERATIONAL')
})

it('a repeat is a duplicate when the wallet has become empty', async () => {
  const body = remittanceBody({
    amount: '100',
    currency: 'MWK',
    recipient: recipient('265993456789', 'AIRTEL_MWI'),
  })
  const { created } = (await post(body)).body
  await reaches(body.remittanceId, 'COMPLETED')
  await service.put('/sandbox/wallets', { country: 'MWI', currency: 'MWK', balance: '0' })
  const { remittanceId } = body
  assertAnswer(await post(body), 200, { remittanceId, status: 'DUPLICATE_IGNORED', created })
  await reaches(remittanceId, 'COMPLETED')
})

it('of simultaneous requests with one identifier only one is accepted, and paid once', async () => {
  const balance = async (): Promise<number> =>
    Number((await service.get('/v2/wallet-balances?country=UGA')).body.balances[0].balance)
  const before = await balance()
  const body = remittanceBody({
    amount: '500',
    currency: 'UGX',
    recipient: recipient('256783456789', 'MTN_MOMO_UGA'),
  })
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => {
      const remittanceId = index % 2 === 0 ? body.remittanceId : body.remittanceId.toUpperCase()
      return post({ ...body, remittanceId })
    }),
  )
  const statuses = answers.map((answer) => answer.body.status).toSorted()
  assert.deepEqual(statuses, ['ACCEPTED', ...Array(39).fill('DUPLICATE_IGNORED')])
  assert.equal(new Set(answers.map((answer) => answer.body.created)).size, 1)
  await reaches(body.remittanceId, 'COMPLETED')
  assert.equal(before - (await balance()), 500)
})

it('a duplicate has no callback of its own', async () => {
  const body = remittanceBody()
  for (let times = 0; times < 3; times += 1) await post(body)
  const list = async () =>
    (await service.get(`/sandbox/deliveries?paymentId=${body.remittanceId}`)).body
  await eventually(async () => assert.equal((await list())[0]?.delivery, 'DELIVERED'))
  const [only, ...others] = await list()
  assert.deepEqual([only.attempts.length, others.length], [1, 0])
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../../../harness/receiver.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  legacyDeposit,
  legacyReaches,
  msisdn,
  taken,
} from '../../../support/legacy-payments.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { deposit: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const orange = {
  amount: '100',
  currency: 'XOF',
  correspondent: 'ORANGE_BFA',
  payer: msisdn('22607345678'),
  preAuthorisationCode: '1234',
}

/** A first request that is accepted, and a second one with its identifier. */
const REPEATS: readonly (readonly [what: string, first: object, second: object])[] = [
  ['the same request', {}, {}],
  ['the same amount as a number', {}, { amount: 15 }],
  ['another amount', {}, { amount: '99' }],
  ['another time', {}, { customerTimestamp: '2020-01-01T00:00:00Z' }],
  ['another payer', {}, { correspondent: 'AIRTEL_OAPI_ZMB', payer: msisdn('260973456789') }],
  ['an amount that would be refused', {}, { amount: '20001' }],
  ['a currency that would be refused', {}, { currency: 'KES' }],
  ['a country that would be refused', {}, { country: 'KEN' }],
  ['a number that would be refused', {}, { payer: msisdn('1') }],
  ['a correspondent that would be refused', {}, { correspondent: 'NOBODY' }],
  ['a correspondent with a page of its own', orange, { correspondent: 'WAVE_SEN' }],
  ['the one-time code left out', orange, { preAuthorisationCode: undefined }],
  ['a first one that failed', { payer: msisdn('260763456039') }, {}],
  ['a first one that is still running', { payer: msisdn('260763456129') }, {}],
]

describe('a repeated identifier is a duplicate and changes nothing, with', () => {
  for (const [what, first, second] of REPEATS) {
    it(what, async () => {
      const body = legacyDeposit({ ...first })
      const { depositId } = body
      const { created } = (await service.post('/deposits', body)).body
      const again = await service.post('/deposits', { ...body, ...second })
      assertLegacy(again, 200, taken({ depositId }, 'DUPLICATE_IGNORED', created))
      const [record] = (await service.get(`/deposits/${depositId}`)).body
      assert.deepEqual(
        [record.requestedAmount, record.payer, record.customerTimestamp, record.created],
        [body.amount, body.payer, body.customerTimestamp, created],
      )
    })
  }
})

it('an identifier is case-insensitive, and echoed as sent', async () => {
  const body = legacyDeposit({ depositId: randomUUID().toUpperCase() })
  const { created } = (await service.post('/deposits', body)).body
  for (const depositId of [body.depositId.toLowerCase(), body.depositId]) {
    const answer = await service.post('/deposits', { ...body, depositId })
    assertLegacy(answer, 200, taken({ depositId }, 'DUPLICATE_IGNORED', created))
  }
})

it('a repeat is a duplicate while the correspondent is closed, and a day later', async () => {
  const body = legacyDeposit()
  const { depositId } = body
  const { created } = (await service.post('/deposits', body)).body
  const control = { provider: 'MTN_MOMO_ZMB', operationType: 'DEPOSIT' }
  await service.put('/sandbox/availability', { ...control, status: 'CLOSED' })
  const closed = await service.post('/deposits', body)
  await service.put('/sandbox/availability', { ...control, status: 'OPERATIONAL' })
  await service.advance(86_400)
  for (const answer of [closed, await service.post('/deposits', body)]) {
    assertLegacy(answer, 200, taken({ depositId }, 'DUPLICATE_IGNORED', created))
  }
})

it('of simultaneous requests with one identifier only one is accepted', async () => {
  const body = legacyDeposit({
    amount: 500,
    currency: 'UGX',
    correspondent: 'MTN_MOMO_UGA',
    payer: msisdn('256783456789'),
  })
  const balance = async (): Promise<number> =>
    Number((await service.get('/v2/wallet-balances?country=UGA')).body.balances[0].balance)
  const before = await balance()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => {
      const depositId = at % 2 === 0 ? body.depositId : body.depositId.toUpperCase()
      return service.post('/deposits', { ...body, depositId })
    }),
  )
  const statuses = answers.map((answer) => answer.body.status).toSorted()
  assert.deepEqual(statuses, ['ACCEPTED', ...Array(19).fill('DUPLICATE_IGNORED')])
  await legacyReaches(service, 'deposit', body.depositId, 'COMPLETED')
  assert.equal((await balance()) - before, 500)
})

it('a duplicate has no callback of its own', async () => {
  const body = legacyDeposit()
  for (let times = 0; times < 3; times += 1) await service.post('/deposits', body)
  const list = async () =>
    (await service.get(`/sandbox/deliveries?paymentId=${body.depositId}`)).body
  await eventually(async () => assert.equal((await list())[0]?.delivery, 'DELIVERED'))
  const [only, ...others] = await list()
  assert.deepEqual([only.attempts.length, others.length], [1, 0])
})

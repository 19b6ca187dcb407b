import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../../../harness/receiver.ts'
import { depositBody, eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer } from '../../../support/shapes.ts'

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
  payer: payer('22607345678', 'ORANGE_BFA'),
  preAuthorisationCode: '1234',
}

/** A first request that is accepted, and a second one with its identifier. */
const REPEATS: readonly (readonly [what: string, first: object, second: object])[] = [
  ['the same request', {}, {}],
  ['another amount', {}, { amount: '99' }],
  ['another payer', {}, { payer: payer('260973456789', 'AIRTEL_OAPI_ZMB') }],
  ['an amount that would be refused', {}, { amount: '20001' }],
  ['a currency that would be refused', {}, { currency: 'KES' }],
  ['a number that would be refused', {}, { payer: payer('1', 'MTN_MOMO_ZMB') }],
  ['a provider that would be refused', {}, { payer: payer('1', 'NOBODY') }],
  ['the one-time code left out', orange, { preAuthorisationCode: undefined }],
  ['a first one that failed', { payer: payer('260763456039', 'MTN_MOMO_ZMB') }, {}],
  ['a first one that is still running', { payer: payer('260763456129', 'MTN_MOMO_ZMB') }, {}],
]

describe('a repeated identifier is a duplicate and changes nothing, with', () => {
  for (const [what, first, second] of REPEATS) {
    it(what, async () => {
      const body = depositBody({ ...first })
      const depositId: string = body.depositId
      const { created } = (await service.post('/v2/deposits', body)).body
      const again = await service.post('/v2/deposits', { ...body, ...second })
      assertAnswer(again, 200, { depositId, status: 'DUPLICATE_IGNORED', created })
      const { data } = (await service.get(`/v2/deposits/${depositId}`)).body
      assert.deepEqual([data.amount, data.payer, data.created], [body.amount, body.payer, created])
    })
  }
})

it('an identifier is case-insensitive, and echoed as sent', async () => {
  const body = depositBody({ depositId: randomUUID().toUpperCase() })
  const { created } = (await service.post('/v2/deposits', body)).body
  for (const depositId of [body.depositId.toLowerCase(), body.depositId]) {
    const answer = await service.post('/v2/deposits', { ...body, depositId })
    assertAnswer(answer, 200, { depositId, status: 'DUPLICATE_IGNORED', created })
  }
  const { data } = (await service.get(`/v2/deposits/${body.depositId.toLowerCase()}`)).body
  assert.equal(data.depositId, body.depositId)
})

it('a repeat is a duplicate while the provider is closed', async () => {
  const body = depositBody()
  const { created } = (await service.post('/v2/deposits', body)).body
  const control = { provider: 'MTN_MOMO_ZMB', operationType: 'DEPOSIT' }
  await service.put('/sandbox/availability', { ...control, status: 'CLOSED' })
  const again = await service.post('/v2/deposits', body)
  await service.put('/sandbox/availability', { ...control, status: 'OPERATIONAL' })
  assertAnswer(again, 200, { depositId: body.depositId, status: 'DUPLICATE_IGNORED', created })
})

it('the time of creation stays, however much later it is repeated', async () => {
  const body = depositBody()
  const { created } = (await service.post('/v2/deposits', body)).body
  await service.advance(3600)
  assert.equal((await service.post('/v2/deposits', body)).body.created, created)
})

it('of simultaneous requests with one identifier only one is accepted', async () => {
  const before = (await service.get('/v2/wallet-balances?country=UGA')).body.balances[0].balance
  const body = depositBody({
    amount: '500',
    currency: 'UGX',
    payer: payer('256783456789', 'MTN_MOMO_UGA'),
  })
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => {
      const depositId = index % 2 === 0 ? body.depositId : body.depositId.toUpperCase()
      return service.post('/v2/deposits', { ...body, depositId })
    }),
  )
  const statuses = answers.map((answer) => answer.body.status).toSorted()
  assert.deepEqual(statuses, ['ACCEPTED', ...Array(39).fill('DUPLICATE_IGNORED')])
  assert.equal(new Set(answers.map((answer) => answer.body.created)).size, 1)

  await service.reaches(body.depositId, 'COMPLETED')
  const after = (await service.get('/v2/wallet-balances?country=UGA')).body.balances[0].balance
  assert.equal(Number(after) - Number(before), 500)
})

it('a duplicate has no callback of its own', async () => {
  const body = depositBody()
  for (let times = 0; times < 3; times += 1) await service.post('/v2/deposits', body)
  const list = async () =>
    (await service.get(`/sandbox/deliveries?paymentId=${body.depositId}`)).body
  await eventually(async () => assert.equal((await list())[0]?.delivery, 'DELIVERED'))
  const [only, ...others] = await list()
  assert.deepEqual([only.attempts.length, others.length], [1, 0])
})

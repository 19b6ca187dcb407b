import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { balanceOf } from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import {
  completedDeposit,
  depositThatHangs,
  REFUND_FAILS,
  refundBody,
  refundReaches,
  setAvailability,
} from '../../../../harness/refunds.ts'
import { eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { refund: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const toFail = { payer: payer(REFUND_FAILS, 'MTN_MOMO_ZMB') }

/** The deposit, a first refund that is accepted, and a second one with its identifier. */
const REPEATS: readonly (readonly [
  what: string,
  deposit: object,
  first: object,
  second: object,
  ending: string,
])[] = [
  ['the same request', {}, {}, {}, 'COMPLETED'],
  ['another amount', {}, { amount: '15' }, { amount: '16' }, 'COMPLETED'],
  ['an amount that would be refused', {}, { amount: '15' }, { amount: '101' }, 'COMPLETED'],
  ['a currency that would be refused', {}, {}, { currency: 'KES' }, 'COMPLETED'],
  ['a deposit that does not exist', {}, {}, { depositId: randomUUID() }, 'COMPLETED'],
  ['a first one that failed', toFail, {}, {}, 'FAILED'],
]

describe('a repeated identifier is a duplicate and changes nothing, with', () => {
  for (const [what, deposit, first, second, ending] of REPEATS) {
    it(what, async () => {
      const depositId = await completedDeposit(service, { ...deposit })
      const body = refundBody(depositId, { ...first })
      const { refundId } = body
      const { created } = (await service.post('/v2/refunds', body)).body
      const expected = { refundId, status: 'DUPLICATE_IGNORED', created }
      assertAnswer(await service.post('/v2/refunds', { ...body, ...second }), 200, expected)
      const record = await refundReaches(service, refundId, ending)
      assertAnswer(await service.post('/v2/refunds', { ...body, ...second }), 200, expected)
      assert.deepEqual(await refundReaches(service, refundId, ending), record)
      assert.equal(record.depositId, depositId)
    })
  }
})

it('a repeat while the refund is under way is a duplicate, not a second refund', async () => {
  const depositId = await depositThatHangs(service, '260763450001')
  const body = refundBody(depositId)
  const { refundId } = body
  const { created } = (await service.post('/v2/refunds', body)).body
  await refundReaches(service, refundId, 'PROCESSING')
  for (const changes of [{}, { amount: '1' }, { refundId: refundId.toUpperCase() }]) {
    const sent = { ...body, ...changes }
    assertAnswer(await service.post('/v2/refunds', sent), 200, {
      refundId: sent.refundId,
      status: 'DUPLICATE_IGNORED',
      created,
    })
  }
})

it('a repeat is a duplicate while the provider is closed, and after it was cancelled', async () => {
  await setAvailability(service, 'REFUND', 'DELAYED')
  const body = refundBody(await completedDeposit(service))
  const { refundId } = body
  const { created } = (await service.post('/v2/refunds', body)).body
  await refundReaches(service, refundId, 'ENQUEUED')
  const expected = { refundId, status: 'DUPLICATE_IGNORED', created }
  await setAvailability(service, 'REFUND', 'CLOSED')
  assertAnswer(await service.post('/v2/refunds', body), 200, expected)
  await service.post(`/v2/refunds/fail-enqueued/${refundId}`)
  await setAvailability(service, 'REFUND', 'OPERATIONAL')
  assertAnswer(await service.post('/v2/refunds', body), 200, expected)
  await refundReaches(service, refundId, 'FAILED')
})

it('the time of creation stays, however much later it is repeated', async () => {
  const body = refundBody(await completedDeposit(service))
  const { created } = (await service.post('/v2/refunds', body)).body
  await service.advance(3600)
  assert.equal((await service.post('/v2/refunds', body)).body.created, created)
})

describe('of simultaneous requests with one identifier only one is accepted, for', () => {
  for (const [what, changes] of [
    ['all of the deposit', {}],
    ['a part of it', { amount: '30' }],
  ] as const) {
    it(what, async () => {
      const before = Number(await balanceOf(service))
      const body = refundBody(await completedDeposit(service), { ...changes })
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) => {
          const refundId = index % 2 === 0 ? body.refundId : body.refundId.toUpperCase()
          return service.post('/v2/refunds', { ...body, refundId })
        }),
      )
      const statuses = answers.map((answer) => answer.body.status).toSorted()
      assert.deepEqual(statuses, ['ACCEPTED', ...Array(39).fill('DUPLICATE_IGNORED')])
      assert.equal(new Set(answers.map((answer) => answer.body.created)).size, 1)
      await refundReaches(service, body.refundId, 'COMPLETED')
      const left = 'amount' in changes ? 70 : 0
      assert.equal(Number(await balanceOf(service)) - before, left)
    })
  }

  it('two deposits: the identifier is used once', async () => {
    const deposits = [await completedDeposit(service), await completedDeposit(service)]
    const refundId = randomUUID()
    const answers = await Promise.all(
      deposits.map((depositId) => service.post('/v2/refunds', { refundId, depositId })),
    )
    const statuses = answers.map((answer) => answer.body.status).toSorted()
    assert.deepEqual(statuses, ['ACCEPTED', 'DUPLICATE_IGNORED'])
    await refundReaches(service, refundId, 'COMPLETED')
  })
})

it('a duplicate has no callback of its own', async () => {
  const body = refundBody(await completedDeposit(service))
  for (let times = 0; times < 3; times += 1) await service.post('/v2/refunds', body)
  const list = async () =>
    (await service.get(`/sandbox/deliveries?paymentId=${body.refundId}`)).body
  await eventually(async () => assert.equal((await list())[0]?.delivery, 'DELIVERED'))
  const [only, ...others] = await list()
  assert.deepEqual([only.attempts.length, others.length], [1, 0])
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { balanceOf, payout, reachesPayout } from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { setAvailability } from '../../../../harness/refunds.ts'
import { depositBody, eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  callbacksWith,
  DEPOSIT_FAILS,
  part,
  split,
  splitBody,
  splitReaches,
  storedOf,
} from '../../../../harness/splits.ts'
import { assertAnswer } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { splitPayment: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const failing = { payer: payer(DEPOSIT_FAILS, 'MTN_MOMO_ZMB') }
const hanging = { payer: payer('260763456129', 'MTN_MOMO_ZMB') }

/** A first request that is accepted, and a second one with its identifier. */
const REPEATS: readonly (readonly [what: string, first: object, second: object, state: string])[] =
  [
    ['the same request', {}, {}, 'COMPLETED'],
    ['other payouts', {}, { splits: [part('1')] }, 'COMPLETED'],
    ['another amount', {}, { amount: '500' }, 'COMPLETED'],
    ['payouts that would be refused', {}, { splits: [part('100.01')] }, 'COMPLETED'],
    ['a currency that would be refused', {}, { currency: 'KES' }, 'COMPLETED'],
    ['a provider that would be refused', {}, { payer: payer('1', 'NOBODY') }, 'COMPLETED'],
    ['a first one that failed', failing, {}, 'FAILED'],
    ['a first one that is still running', hanging, {}, 'PROCESSING'],
  ]

describe('a repeated identifier is a duplicate and changes nothing, with', () => {
  for (const [what, first, second, state] of REPEATS) {
    it(what, async () => {
      const body = splitBody({ ...first })
      const { splitPaymentId } = body
      const { created } = (await service.post('/v2/split-payments', body)).body
      const record = await splitReaches(service, splitPaymentId, state)
      const again = await service.post('/v2/split-payments', { ...body, ...second })
      assertAnswer(again, 200, { splitPaymentId, status: 'DUPLICATE_IGNORED', created })
      assert.deepEqual(await splitReaches(service, splitPaymentId, state), record)
    })
  }

  it('the identifier in another case, which is echoed as sent', async () => {
    const body = splitBody({ splitPaymentId: randomUUID().toUpperCase() })
    const { created } = (await service.post('/v2/split-payments', body)).body
    const splitPaymentId = body.splitPaymentId.toLowerCase()
    const again = await service.post('/v2/split-payments', { ...body, splitPaymentId })
    assertAnswer(again, 200, { splitPaymentId, status: 'DUPLICATE_IGNORED', created })
    await splitReaches(service, splitPaymentId, 'COMPLETED')
  })

  it('the provider closed meanwhile', async () => {
    const body = splitBody()
    const { splitPaymentId } = body
    const { created } = (await service.post('/v2/split-payments', body)).body
    await setAvailability(service, 'DEPOSIT', 'CLOSED')
    const again = await service.post('/v2/split-payments', body)
    await setAvailability(service, 'DEPOSIT', 'OPERATIONAL')
    assertAnswer(again, 200, { splitPaymentId, status: 'DUPLICATE_IGNORED', created })
    await splitReaches(service, splitPaymentId, 'COMPLETED')
  })
})

it('of simultaneous requests with one identifier only one is accepted', async () => {
  const before = Number(await balanceOf(service))
  const body = splitBody()
  const { splitPaymentId } = body
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      service.post('/v2/split-payments', {
        ...body,
        splitPaymentId: at % 2 === 0 ? splitPaymentId : splitPaymentId.toUpperCase(),
        // The same payouts or others: the first one that comes decides.
        splits: at % 3 === 0 ? [part('60'), part('30')] : body.splits,
      }),
    ),
  )
  const statuses = answers.map((answer) => answer.body.status).toSorted()
  assert.deepEqual(statuses, ['ACCEPTED', ...Array(29).fill('DUPLICATE_IGNORED')])
  assert.equal(new Set(answers.map((answer) => answer.body.created)).size, 1)
  await splitReaches(service, splitPaymentId, 'COMPLETED')
  assert.equal(Number(await balanceOf(service)) - before, 10)
})

it('the deposit of a split payment is a duplicate for an ordinary deposit', async () => {
  const { id, body } = await split(service, hanging)
  const answer = await service.post('/v2/deposits', depositBody({ depositId: id, amount: '7' }))
  assertAnswer(answer, 200, {
    depositId: id,
    status: 'DUPLICATE_IGNORED',
    created: body.created,
  })
  assert.equal((await service.get(`/v2/deposits/${id}`)).body.data.amount, '100')
  // What it still does would be counted by a later test.
  await splitReaches(service, id, 'PROCESSING')
})

describe('a reserved identifier of a payout is a duplicate for an ordinary payout', () => {
  it('before the deposit completes, and nothing is paid or held', async () => {
    const { id, body, parts } = await split(service, hanging)
    const [first] = parts
    await splitReaches(service, id, 'PROCESSING')
    const before = await storedOf(service)
    for (const changes of [{}, { amount: '5000' }]) {
      const answer = await payout(service, { ...first, ...changes })
      assertAnswer(answer, 200, {
        payoutId: first?.payoutId,
        status: 'DUPLICATE_IGNORED',
        created: body.created,
      })
    }
    assert.deepEqual(await storedOf(service), before)
    const found = await service.get(`/v2/payouts/${first?.payoutId}`)
    assert.equal(found.body.data.status, 'ACCEPTED')
  })

  it('after it, when the payout is one like any other', async () => {
    const { id, parts } = await split(service)
    await splitReaches(service, id, 'COMPLETED')
    const payoutId = parts[0]?.payoutId ?? ''
    const { created } = await reachesPayout(service, payoutId, 'COMPLETED')
    const answer = await payout(service, { payoutId })
    assertAnswer(answer, 200, { payoutId, status: 'DUPLICATE_IGNORED', created })
  })
})

it('a duplicate has no callback of its own', async () => {
  const body = splitBody()
  for (let times = 0; times < 3; times += 1) await service.post('/v2/split-payments', body)
  const record = await splitReaches(service, body.splitPaymentId, 'COMPLETED')
  // Another one from beginning to end: what was to come of the first has come by then.
  const { id } = await split(service)
  const last = await splitReaches(service, id, 'COMPLETED')
  await eventually(() => assert.deepEqual(callbacksWith(receiver, 'splitPaymentId', id), [last]))
  assert.deepEqual(callbacksWith(receiver, 'splitPaymentId', body.splitPaymentId), [record])
})

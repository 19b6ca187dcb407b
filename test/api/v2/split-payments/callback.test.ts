import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { reachesOperator } from '../../../../harness/operator.ts'
import { reachesPayout } from '../../../../harness/payouts.ts'
import { failForAnHour, startReceiver } from '../../../../harness/receiver.ts'
import { answersOf, setAvailability } from '../../../../harness/refunds.ts'
import { eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  callbacksWith,
  DEPOSIT_FAILS,
  PAYOUT_FAILS,
  part,
  split,
  splitReaches,
} from '../../../../harness/splits.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
const at = (path: string): string => `${receiver.url}/${path}`
const ADDRESSES = { deposit: at('deposit'), payout: at('payout'), splitPayment: at('split') }
await service.put('/sandbox/callbacks', ADDRESSES)
after(async () => {
  await service.stop()
  await receiver.close()
})

/** Requests, how the whole ends, and which of its parts there is a callback of. */
const ENDINGS: readonly (readonly [status: string, changes: object, payouts: readonly string[]])[] =
  [
    ['COMPLETED', {}, ['COMPLETED', 'COMPLETED']],
    ['COMPLETED', { splits: [part('100')] }, ['COMPLETED']],
    [
      'COMPLETED',
      { splits: Array.from({ length: 20 }, () => part('5')) },
      Array.from({ length: 20 }, () => 'COMPLETED'),
    ],
    ['PAYOUT_FAILED', { splits: [part('10', PAYOUT_FAILS), part('10')] }, ['FAILED', 'COMPLETED']],
    ['PAYOUT_FAILED', { splits: [part('10', PAYOUT_FAILS)] }, ['FAILED']],
    ['FAILED', { payer: payer(DEPOSIT_FAILS, 'MTN_MOMO_ZMB') }, []],
  ]

describe('each part and the whole are sent once, with the record of the status check:', () => {
  for (const [status, changes, payouts] of ENDINGS) {
    it(`${status} with ${payouts.length} payouts`, async () => {
      const { id, parts } = await split(service, { ...changes })
      const record = await splitReaches(service, id, status)
      await eventually(() => assert.equal(callbacksWith(receiver, 'splitPaymentId', id).length, 1))
      assert.deepEqual(callbacksWith(receiver, 'splitPaymentId', id), [record])
      const deposit = (await service.get(`/v2/deposits/${id}`)).body.data
      await eventually(() => assert.deepEqual(callbacksWith(receiver, 'depositId', id), [deposit]))
      for (const [index, state] of payouts.entries()) {
        const payoutId = parts[index]?.payoutId ?? ''
        const payout = await reachesPayout(service, payoutId, state)
        await eventually(() =>
          assert.deepEqual(callbacksWith(receiver, 'payoutId', payoutId), [payout]),
        )
      }
      for (const { payoutId } of parts.slice(payouts.length)) {
        assert.deepEqual(callbacksWith(receiver, 'payoutId', payoutId), [])
      }
      const paths = receiver.received
        .filter(({ body }) => JSON.parse(body).splitPaymentId === id)
        .map((one) => one.path)
      assert.deepEqual(paths, ['/callbacks/split'])
    })
  }
})

it('the deposit, the payouts and the whole appear among the deliveries, each under its id', async () => {
  const { id, parts } = await split(service)
  const record = await splitReaches(service, id, 'COMPLETED')
  await eventually(async () => {
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
    const shown = body.map((one: Record<string, unknown>) => [one.kind, one.delivery, one.status])
    assert.deepEqual(shown, [
      ['deposit', 'DELIVERED', 'COMPLETED'],
      ['splitPayment', 'DELIVERED', 'COMPLETED'],
    ])
    assert.deepEqual(JSON.parse(body[1].attempts[0].requestBody), record)
  })
  const { body } = await service.get(`/sandbox/deliveries?paymentId=${parts[0]?.payoutId}`)
  assert.deepEqual(
    body.map((one: { kind: string }) => one.kind),
    ['payout'],
  )
})

it('the callback of the whole comes after its status check shows the same', async () => {
  const shown = new Map<string, Promise<unknown>>()
  receiver.answer((response) => {
    const { splitPaymentId } = JSON.parse(receiver.received.at(-1)?.body ?? '{}')
    if (splitPaymentId !== undefined) {
      const path = `/v2/split-payments/${splitPaymentId}`
      shown.set(
        splitPaymentId,
        service.get(path).then((answer) => answer.body.data),
      )
    }
    response.writeHead(200).end()
  })
  const splits = await Promise.all(Array.from({ length: 10 }, () => split(service)))
  await eventually(() => assert.ok(splits.every(({ id }) => shown.has(id))))
  receiver.answer(200)
  for (const { id } of splits) {
    assert.deepEqual(callbacksWith(receiver, 'splitPaymentId', id), [await shown.get(id)])
  }
})

it('while one payout is under way the whole is not sent, whatever the outcome of the others', async () => {
  const number = '260763450001'
  await answersOf(service, number, [
    { afterSeconds: 0, answer: 'pending' },
    { afterSeconds: 600, answer: 'done' },
  ])
  const splits = [part('10', number), part('10'), part('10', PAYOUT_FAILS)]
  const { id } = await split(service, { splits })
  await reachesOperator(service, splits[0]?.payoutId ?? '')
  for (const { payoutId } of splits.slice(1)) {
    await eventually(() => assert.equal(callbacksWith(receiver, 'payoutId', payoutId).length, 1))
  }
  const owed = `select from callbacks where kind = 'splitPayment' and payment_id = $1`
  assert.deepEqual(await service.database.query(owed, [id]), [])
  await service.advance(600)
  const record = await splitReaches(service, id, 'PAYOUT_FAILED')
  await eventually(() => assert.deepEqual(callbacksWith(receiver, 'splitPaymentId', id), [record]))
})

it('cancelling an enqueued payout ends the whole, which is sent', async () => {
  await setAvailability(service, 'PAYOUT', 'DELAYED')
  const { id, parts } = await split(service, { splits: [part('10')] })
  const payoutId = parts[0]?.payoutId ?? ''
  await reachesPayout(service, payoutId, 'ENQUEUED')
  assert.deepEqual(callbacksWith(receiver, 'splitPaymentId', id), [])
  await service.post(`/v2/payouts/fail-enqueued/${payoutId}`)
  await setAvailability(service, 'PAYOUT', 'OPERATIONAL')
  const record = await splitReaches(service, id, 'PAYOUT_FAILED')
  await eventually(() => assert.deepEqual(callbacksWith(receiver, 'splitPaymentId', id), [record]))
  await eventually(() => assert.equal(callbacksWith(receiver, 'payoutId', payoutId).length, 1))
})

it('a receiver that is out of order gets the same record later', async () => {
  receiver.answer(failForAnHour)
  const { id } = await split(service)
  const record = await splitReaches(service, id, 'COMPLETED')
  await eventually(() => assert.equal(callbacksWith(receiver, 'splitPaymentId', id).length, 1))
  receiver.answer(200)
  await eventually(async () => {
    await service.advance(3600)
    const received = callbacksWith(receiver, 'splitPaymentId', id)
    assert.deepEqual(received, [record, record])
  })
})

it('a resend sends the record of the whole again, once it is final', async () => {
  const resend = (id: string) => service.post(`/v2/split-payments/resend-callback/${id}`)
  const { id } = await split(service, { splits: [part('10', PAYOUT_FAILS)] })
  const record = await splitReaches(service, id, 'PAYOUT_FAILED')
  await eventually(() => assert.equal(callbacksWith(receiver, 'splitPaymentId', id).length, 1))
  assertAnswer(await resend(id), 200, { splitPaymentId: id, status: 'ACCEPTED' })
  await eventually(() =>
    assert.deepEqual(callbacksWith(receiver, 'splitPaymentId', id), [record, record]),
  )
  const open = await split(service, { payer: payer('260763456129', 'MTN_MOMO_ZMB') })
  const says = /has not finished.*when it is COMPLETED, PAYOUT_FAILED or FAILED/
  const tooEarly = refused('INVALID_STATE', says, { splitPaymentId: open.id })
  assertAnswer(await resend(open.id), 200, tooEarly)
  const splitPaymentId = randomUUID()
  const unknown = refused('NOT_FOUND', /No split payment/, { splitPaymentId })
  assertAnswer(await resend(splitPaymentId), 200, unknown)
})

it('without an address for split payments, the parts are sent and the whole is not', async () => {
  await service.put('/sandbox/callbacks', { splitPayment: null })
  const { id, parts } = await split(service)
  await splitReaches(service, id, 'COMPLETED')
  for (const { payoutId } of parts) {
    await eventually(() => assert.equal(callbacksWith(receiver, 'payoutId', payoutId).length, 1))
  }
  await service.put('/sandbox/callbacks', ADDRESSES)
  const rows = await service.database.query('select kind from callbacks where payment_id = $1', [
    id,
  ])
  assert.deepEqual(rows, [{ kind: 'deposit' }])
  assert.deepEqual(callbacksWith(receiver, 'splitPaymentId', id), [])
})

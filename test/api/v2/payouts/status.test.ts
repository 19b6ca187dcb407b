import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import {
  advanceUntilPayout,
  MTN,
  payout,
  payoutBody,
  reachesPayout,
  recipient,
  switchPayouts,
} from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, SECONDS } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const SENT = {
  amount: '15.50',
  currency: 'ZMW',
  customerMessage: 'Order 12345',
  clientReferenceId: 'INV-7',
  metadata: [{ orderId: 'ORD-1' }, { mail: 'a@b.c', isPII: true }],
}
const SHOWN = { ...SENT, country: 'ZMB', metadata: { orderId: 'ORD-1', mail: 'a@b.c' } }

/** A number of the sandbox, and what the record shows beside what was sent. */
const ENDINGS: readonly (readonly [phoneNumber: string, state: string, more: object])[] = [
  ['260763456789', 'COMPLETED', { providerTransactionId: /^SBX[0-9A-F]{16}$/ }],
  ['260763456129', 'PROCESSING', {}],
  ['260763456079', 'FAILED', failed('RECIPIENT_NOT_FOUND')],
  ['260763456099', 'FAILED', failed('WALLET_LIMIT_REACHED')],
  ['260763456109', 'FAILED', failed('RECIPIENT_LIMIT_REACHED')],
  ['260763456119', 'FAILED', failed('UNSPECIFIED_FAILURE')],
]

describe('FOUND holds the whole record and nothing else:', () => {
  for (const [phoneNumber, state, more] of ENDINGS) {
    const to = recipient(phoneNumber, MTN)

    it(`${state} ${JSON.stringify(more)}`, async () => {
      const { id, body } = await payout(service, { ...SENT, recipient: to })
      await reachesPayout(service, id, state)
      const data = {
        payoutId: id,
        status: state,
        ...SHOWN,
        recipient: to,
        created: body.created,
        ...more,
      }
      assertAnswer(await service.get(`/v2/payouts/${id}`), 200, { status: 'FOUND', data })
    })
  }

  it('ENQUEUED while the provider is DELAYED', async () => {
    await switchPayouts(service, 'DELAYED')
    const { id, body } = await payout(service, { ...SENT })
    await reachesPayout(service, id, 'ENQUEUED')
    const to = recipient('260763456789', MTN)
    const { created } = body
    const data = { payoutId: id, status: 'ENQUEUED', ...SHOWN, recipient: to, created }
    assertAnswer(await service.get(`/v2/payouts/${id}`), 200, { status: 'FOUND', data })
    await switchPayouts(service, 'OPERATIONAL')
    await reachesPayout(service, id, 'COMPLETED')
  })

  it('ACCEPTED or PROCESSING at once, without anything that is not known yet', async () => {
    const { id } = await payout(service, { recipient: recipient('260763456129', MTN) })
    const { body } = await service.get(`/v2/payouts/${id}`)
    assert.match(body.data.status, /^(ACCEPTED|PROCESSING)$/)
    assert.deepEqual(Object.keys(body.data).toSorted(), [
      'amount',
      'country',
      'created',
      'currency',
      'customerMessage',
      'payoutId',
      'recipient',
      'status',
    ])
  })

  it('IN_RECONCILIATION while the operator does not answer, then the outcome', async () => {
    await service.put('/sandbox/phones/260763450001', {
      script: [
        { afterSeconds: 0, answer: 'silent' },
        { afterSeconds: 100_000, answer: 'done' },
      ],
    })
    const { id } = await payout(service, { recipient: recipient('260763450001', MTN) })
    await reachesPayout(service, id, 'PROCESSING')
    const record = await advanceUntilPayout(service, id, 'IN_RECONCILIATION')
    assert.deepEqual([record.providerTransactionId, record.failureReason], [undefined, undefined])
    await service.advance(100_000)
    await reachesPayout(service, id, 'COMPLETED')
  })
})

describe('NOT_FOUND has no data, for', () => {
  for (const id of [
    randomUUID(),
    randomUUID().toUpperCase(),
    '00000000-0000-0000-0000-000000000000',
    '018f4e2a-7b6c-7d3e-9f10-aabbccddeeff',
  ]) {
    it(id.replace(/^\w{8}-(?=\w{4}-4)/, '…-'), async () => {
      assertAnswer(await service.get(`/v2/payouts/${id}`), 200, { status: 'NOT_FOUND' })
    })
  }

  it('a deposit of that identifier', async () => {
    const { id } = await service.deposit()
    assertAnswer(await service.get(`/v2/payouts/${id}`), 200, { status: 'NOT_FOUND' })
  })
})

it('a payout is found whatever the case of its identifier', async () => {
  const { id } = await payout(service)
  const data = await reachesPayout(service, id, 'COMPLETED')
  for (const path of [id, id.toUpperCase()]) {
    assertAnswer(await service.get(`/v2/payouts/${path}`), 200, { status: 'FOUND', data })
  }
})

it('created is the moment of acceptance, in UTC and whole seconds', async () => {
  const before = Math.floor(service.node.ctx.clock.now() / 1000) * 1000
  const { id, body } = await payout(service)
  assert.match(body.created, SECONDS)
  const at = Date.parse(body.created)
  assert.ok(at >= before && at <= service.node.ctx.clock.now())
  assert.equal((await reachesPayout(service, id, 'COMPLETED')).created, body.created)
})

it('a callback comes only when the status check already shows the same', async () => {
  const bodies = Array.from({ length: 20 }, (_, at) =>
    payoutBody({ recipient: recipient(at % 2 ? '260763456789' : '260763456119', MTN) }),
  )
  const shownAtCallback = new Map<string, Promise<unknown>>()
  receiver.answer((response) => {
    const { payoutId } = JSON.parse(receiver.received.at(-1)?.body ?? '{}')
    const path = `/v2/payouts/${payoutId}`
    shownAtCallback.set(
      payoutId,
      service.get(path).then((answer) => answer.body.data),
    )
    response.writeHead(200).end()
  })
  await Promise.all(bodies.map((body) => service.post('/v2/payouts', body)))
  const ids = bodies.map((body) => body.payoutId)
  await eventually(() => assert.ok(ids.every((id) => shownAtCallback.has(id))))
  receiver.answer(200)
  for (const { body } of receiver.received) {
    const callback = JSON.parse(body)
    if (ids.includes(callback.payoutId))
      assert.deepEqual(await shownAtCallback.get(callback.payoutId), callback)
  }
})

function failed(failureCode: string): object {
  return { failureReason: { failureCode, failureMessage: /^The .*\.$/ } }
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { advanceUntil } from '../../../../harness/operator.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { depositBody, eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, SECONDS } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { deposit: receiver.url })
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
  ['260763456019', 'FAILED', failed('PAYER_LIMIT_REACHED')],
  ['260763456029', 'FAILED', failed('PAYER_NOT_FOUND')],
  ['260763456039', 'FAILED', failed('PAYMENT_NOT_APPROVED')],
  ['260763456049', 'FAILED', failed('INSUFFICIENT_BALANCE')],
  ['260763456069', 'FAILED', failed('UNSPECIFIED_FAILURE')],
]

describe('FOUND holds the whole record and nothing else:', () => {
  for (const [phoneNumber, state, more] of ENDINGS) {
    const from = payer(phoneNumber, 'MTN_MOMO_ZMB')

    it(`${state} ${JSON.stringify(more)}`, async () => {
      const { id, body } = await service.deposit({ ...SENT, payer: from })
      await service.reaches(id, state)
      const data = {
        depositId: id,
        status: state,
        ...SHOWN,
        payer: from,
        created: body.created,
        ...more,
      }
      assertAnswer(await service.get(`/v2/deposits/${id}`), 200, { status: 'FOUND', data })
    })
  }

  it('ACCEPTED or PROCESSING at once, without anything that is not known yet', async () => {
    const { id } = await service.deposit({ payer: payer('260763456129', 'MTN_MOMO_ZMB') })
    const { body } = await service.get(`/v2/deposits/${id}`)
    assert.match(body.data.status, /^(ACCEPTED|PROCESSING)$/)
    assert.deepEqual(Object.keys(body.data).toSorted(), [
      'amount',
      'country',
      'created',
      'currency',
      'customerMessage',
      'depositId',
      'payer',
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
    const { id } = await service.deposit({ payer: payer('260763450001', 'MTN_MOMO_ZMB') })
    await service.reaches(id, 'PROCESSING')
    const record = await advanceUntil(service, id, 'IN_RECONCILIATION')
    assert.deepEqual([record.providerTransactionId, record.failureReason], [undefined, undefined])
    await service.advance(100_000)
    await service.reaches(id, 'COMPLETED')
  })
})

describe('NOT_FOUND has no data, for', () => {
  for (const id of [
    randomUUID(),
    randomUUID().toUpperCase(),
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '018f4e2a-7b6c-7d3e-9f10-aabbccddeeff',
  ]) {
    it(id.replace(/^\w{8}-(?=\w{4}-4)/, '…-'), async () => {
      assertAnswer(await service.get(`/v2/deposits/${id}`), 200, { status: 'NOT_FOUND' })
    })
  }
})

it('a deposit is found whatever the case of its identifier', async () => {
  const { id } = await service.deposit()
  const data = await service.reaches(id, 'COMPLETED')
  for (const path of [id, id.toUpperCase()]) {
    assertAnswer(await service.get(`/v2/deposits/${path}`), 200, { status: 'FOUND', data })
  }
})

it('headers and a query that have no meaning here change nothing', async () => {
  const { id } = await service.deposit()
  const data = await service.reaches(id, 'COMPLETED')
  const headers = { 'content-type': 'application/json', 'idempotency-key': id }
  const answer = await service.get(`/v2/deposits/${id}?verbose=1&depositId=other`, headers)
  assertAnswer(answer, 200, { status: 'FOUND', data })
})

it('created is the moment of acceptance, in UTC and whole seconds', async () => {
  const before = Math.floor(service.node.ctx.clock.now() / 1000) * 1000
  const { id, body } = await service.deposit()
  assert.match(body.created, SECONDS)
  const at = Date.parse(body.created)
  assert.ok(at >= before && at <= service.node.ctx.clock.now())
  assert.equal((await service.reaches(id, 'COMPLETED')).created, body.created)
})

it('a callback comes only when the status check already shows the same', async () => {
  const bodies = Array.from({ length: 20 }, () => depositBody())
  const shownAtCallback = new Map<string, Promise<unknown>>()
  receiver.answer((response) => {
    const { depositId } = JSON.parse(receiver.received.at(-1)?.body ?? '{}')
    const path = `/v2/deposits/${depositId}`
    shownAtCallback.set(
      depositId,
      service.get(path).then((answer) => answer.body.data),
    )
    response.writeHead(200).end()
  })
  await Promise.all(bodies.map((body) => service.post('/v2/deposits', body)))
  const ids = bodies.map((body) => body.depositId)
  await eventually(() => assert.ok(ids.every((id) => shownAtCallback.has(id))))
  receiver.answer(200)
  for (const { body } of receiver.received) {
    const callback = JSON.parse(body)
    if (ids.includes(callback.depositId))
      assert.deepEqual(await shownAtCallback.get(callback.depositId), callback)
  }
})

function failed(failureCode: string): object {
  return { failureReason: { failureCode, failureMessage: /^The .*\.$/ } }
}

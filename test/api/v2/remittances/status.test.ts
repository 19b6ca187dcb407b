import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../../../harness/receiver.ts'
import {
  NEVER_ENDS,
  recipient,
  remittanceBody,
  remitterOf,
  SENDER,
  setRemittances,
} from '../../../../harness/remittances.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, SECONDS } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { remittance: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})
const { remit, reaches, status } = remitterOf(service)

const SENT = {
  amount: '15.50',
  currency: 'ZMW',
  sender: SENDER,
  customerMessage: 'Order 12345',
  metadata: [{ orderId: 'ORD-1' }, { mail: 'a@b.c', isPII: true }],
}
const SHOWN = { ...SENT, country: 'ZMB', metadata: { orderId: 'ORD-1', mail: 'a@b.c' } }

const failed = (failureCode: string) => ({
  failureReason: { failureCode, failureMessage: /^The .*\.$/ },
})

/** A number of the sandbox, and what the record shows beside what was sent. */
const ENDINGS: readonly (readonly [phoneNumber: string, state: string, more: object])[] = [
  ['260763456789', 'COMPLETED', { providerTransactionId: /^SBX[0-9A-F]{16}$/ }],
  [NEVER_ENDS, 'PROCESSING', {}],
  ['260763456079', 'FAILED', failed('RECIPIENT_NOT_FOUND')],
  ['260763450099', 'FAILED', failed('WALLET_LIMIT_REACHED')],
  ['260763450109', 'FAILED', failed('RECIPIENT_LIMIT_REACHED')],
  ['260763456119', 'FAILED', failed('UNSPECIFIED_FAILURE')],
]

describe('FOUND holds the whole record and nothing else:', () => {
  for (const [phoneNumber, state, more] of ENDINGS) {
    it(`${state} ${JSON.stringify(more)}`, async () => {
      const to = recipient(phoneNumber)
      const { id, body } = await remit({ ...SENT, recipient: to })
      await reaches(id, state)
      const data = {
        remittanceId: id,
        status: state,
        ...SHOWN,
        recipient: to,
        created: body.created,
        ...more,
      }
      assertAnswer(await status(id), 200, { status: 'FOUND', data })
    })
  }

  it('ENQUEUED while the provider is delayed, then the outcome', async () => {
    await setRemittances(service, 'DELAYED')
    const { id, body } = await remit(SENT)
    await reaches(id, 'ENQUEUED')
    const data = {
      remittanceId: id,
      status: 'ENQUEUED',
      ...SHOWN,
      recipient: recipient('260763456789'),
      created: body.created,
    }
    assertAnswer(await status(id), 200, { status: 'FOUND', data })
    await setRemittances(service, 'OPERATIONAL')
    const done = await reaches(id, 'COMPLETED')
    assert.deepEqual(done.sender, SENDER)
  })

  it('IN_RECONCILIATION while the operator does not answer, then the outcome', async () => {
    await service.put('/sandbox/phones/260763450001', {
      script: [
        { afterSeconds: 0, answer: 'silent' },
        { afterSeconds: 100_000, answer: 'done' },
      ],
    })
    const { id } = await remit({ recipient: recipient('260763450001') })
    await reaches(id, 'PROCESSING')
    const record = await eventually(async () => {
      await service.advance(5)
      const { data } = (await status(id)).body
      assert.equal(data.status, 'IN_RECONCILIATION')
      return data
    })
    assert.deepEqual([record.providerTransactionId, record.failureReason], [undefined, undefined])
    await service.advance(100_000)
    await reaches(id, 'COMPLETED')
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
      assertAnswer(await status(id), 200, { status: 'NOT_FOUND' })
    })
  }

  it('the identifier of a payout and of a deposit', async () => {
    const { sender: _, remittanceId: id, recipient: to, ...money } = remittanceBody()
    const { recipientDetails: _names, ...account } = to
    const payout = { ...money, payoutId: id, recipient: account }
    const deposit = { ...money, depositId: id, payer: account }
    assert.equal((await service.post('/v2/payouts', payout)).body.status, 'ACCEPTED')
    assert.equal((await service.post('/v2/deposits', deposit)).body.status, 'ACCEPTED')
    assertAnswer(await status(id), 200, { status: 'NOT_FOUND' })
  })
})

it('a remittance is found whatever the case of its identifier', async () => {
  const { id } = await remit()
  const data = await reaches(id, 'COMPLETED')
  for (const path of [id, id.toUpperCase()]) {
    assertAnswer(await status(path), 200, { status: 'FOUND', data })
  }
})

it('created is the moment of acceptance, in UTC and whole seconds', async () => {
  const before = Math.floor(service.node.ctx.clock.now() / 1000) * 1000
  const { id, body } = await remit()
  assert.match(body.created, SECONDS)
  const at = Date.parse(body.created)
  assert.ok(at >= before && at <= service.node.ctx.clock.now())
  assert.equal((await reaches(id, 'COMPLETED')).created, body.created)
})

it('a callback comes only when the status check already shows the same', async () => {
  const bodies = Array.from({ length: 20 }, () => remittanceBody())
  const shownAtCallback = new Map<string, Promise<unknown>>()
  receiver.answer((response) => {
    const { remittanceId } = JSON.parse(receiver.received.at(-1)?.body ?? '{}')
    const shown = status(remittanceId).then((answer) => answer.body.data)
    shownAtCallback.set(remittanceId, shown)
    response.writeHead(200).end()
  })
  await Promise.all(bodies.map((body) => service.post('/v2/remittances', body)))
  const ids: string[] = bodies.map((body) => body.remittanceId)
  await eventually(() => assert.ok(ids.every((id) => shownAtCallback.has(id))))
  receiver.answer(200)
  const received = receiver.received.filter(({ body }) =>
    ids.includes(JSON.parse(body).remittanceId),
  )
  assert.equal(received.length, ids.length)
  for (const { body } of received) {
    const shown = await shownAtCallback.get(JSON.parse(body).remittanceId)
    assert.equal(JSON.stringify(shown), body)
  }
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import {
  ALL_KINDS,
  delayPayingOut,
  type Ending,
  KINDS,
  type Kind,
  reachesState,
  setAllCallbacks,
  start,
  statusPath,
} from '../../harness/every-kind.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, payer } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'

const service = await shareService()
const second = await service.addNode()
const receiver = await startReceiver()
await setAllCallbacks(service, receiver.url)
await delayPayingOut(service)
after(async () => {
  await second.stop()
  await service.stop()
  await receiver.close()
})

const WORDS = {
  amount: '1500.50',
  customerMessage: 'Invoice 0042',
  clientReferenceId: 'INV "42" \\ ünïcode 😀',
  metadata: [{ orderId: 'ORD-1' }, { customer: 'x@example.com', isPII: true }, { 7: 'seven' }],
}
const { clientReferenceId: _, ...WITHOUT_REFERENCE } = WORDS
const { customerMessage: _message, amount: _amount, ...OF_A_REFUND } = WORDS

/** Everything a merchant may say, by kind. */
const EVERYTHING: Readonly<Record<Kind, object>> = {
  deposit: WORDS,
  payout: WORDS,
  refund: { ...OF_A_REFUND, amount: '1.50', currency: 'ZMW' },
  remittance: WITHOUT_REFERENCE,
  splitPayment: WORDS,
}

const TABLE: readonly (readonly [name: string, kind: Kind, ending: Ending, changes: object])[] =
  ALL_KINDS.flatMap((kind) => [
    [`a plain ${kind}`, kind, 'COMPLETED', {}],
    [`a ${kind} that fails`, kind, 'FAILED', {}],
    [`a ${kind} with everything a merchant may say`, kind, 'COMPLETED', EVERYTHING[kind]],
  ])

/** The bodies received about it. A split payment shares its identifier with its deposit. */
const received = (kind: Kind, id: string): string[] =>
  receiver.received
    .map(({ body }) => body)
    .filter((body) => Object.keys(JSON.parse(body))[0] === KINDS[kind].idField)
    .filter((body) => JSON.parse(body)[KINDS[kind].idField] === id)

/** What is owed about it, however often it was sent. */
async function callbackRows(kind: Kind, id: string): Promise<string[]> {
  const rows = await service.database.query<{ state: string }>(
    `select c.state from callbacks c
     join (select merchant_id, key, kind, id from payments
           union all select merchant_id, key, 'splitPayment', id from split_payments) s
       on s.merchant_id = c.merchant_id and s.key = c.payment_key
     where s.kind = $1 and s.id = $2`,
    [kind, id],
  )
  return rows.map(({ state }) => state)
}

/** The body that was received must be that of the status check, and stay so. */
async function assertSent(kind: Kind, id: string, state: string): Promise<void> {
  const record = await reachesState(service, kind, id, state)
  const text = JSON.stringify(record)
  await eventually(() => assert.deepEqual(received(kind, id), [text]))
  // The other node reads the payment from the database instead of memory.
  assert.deepEqual((await second.get(statusPath(kind, id))).body.data, record)
  if (kind !== 'splitPayment') {
    await second.post(`${KINDS[kind].path}/resend-callback/${id}`)
    await eventually(() => assert.deepEqual(received(kind, id), [text, text]))
  }
  assert.deepEqual(await callbackRows(kind, id), [state])
}

describe('the callback, byte for byte the record of the status check, is owed once, of', () => {
  for (const [name, kind, ending, changes] of TABLE) {
    it(name, async () => {
      const { id } = await start(service, kind, ending, changes)
      await assertSent(kind, id, ending)
    })
  }

  for (const kind of ['payout', 'refund', 'remittance'] as const) {
    it(`a ${kind} that was cancelled while enqueued`, async () => {
      const { id } = await start(service, kind, 'OPEN')
      assert.deepEqual(await callbackRows(kind, id), [], 'nothing is sent while it waits')
      const { body } = await service.post(`${KINDS[kind].path}/fail-enqueued/${id}`)
      assert.equal(body.status, 'ACCEPTED')
      await assertSent(kind, id, 'FAILED')
    })
  }

  it('each part of a split payment of which one payout fails', async () => {
    const splits = ['260763456789', '260763450099'].map((phoneNumber, index) => ({
      payoutId: randomUUID(),
      amount: String(index + 1),
      recipient: payer(phoneNumber, 'MTN_MOMO_ZMB'),
    }))
    const body = {
      amount: '15',
      currency: 'ZMW',
      splits,
      payer: payer('260763456789', 'MTN_MOMO_ZMB'),
    }
    const splitPaymentId = randomUUID()
    await service.post('/v2/split-payments', { splitPaymentId, ...body })
    await assertSent('splitPayment', splitPaymentId, 'PAYOUT_FAILED')
    await assertSent('deposit', splitPaymentId, 'COMPLETED')
    await assertSent('payout', splits[0]?.payoutId ?? '', 'COMPLETED')
    await assertSent('payout', splits[1]?.payoutId ?? '', 'FAILED')
  })
})

it('only final states were sent', () => {
  const states = receiver.received.map(({ body }) => JSON.parse(body).status)
  assert.deepEqual([...new Set(states)].toSorted(), ['COMPLETED', 'FAILED', 'PAYOUT_FAILED'])
})

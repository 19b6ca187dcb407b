import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, type Service, startService } from '../../harness/service.ts'
import {
  DOUBTFUL_KINDS,
  type DoubtfulPayment,
  doubtfulPayments,
  gainOf,
  moneyOf,
  type Step,
} from '../support/doubtful-payments.ts'

const service = await startService()
const second = await service.addNode()
const receiver = await startReceiver()
const payments = doubtfulPayments(service, receiver)
after(async () => {
  await second.stop()
  await service.stop()
  await receiver.close()
})
const addresses = { deposit: receiver.url, payout: receiver.url }
await service.put('/sandbox/callbacks', addresses)

const DAY = 86_400
const ORDERS = [
  { first: 'COMPLETED', opposite: 'FAILED', word: {} },
  { first: 'FAILED', opposite: 'COMPLETED', word: { failureCode: 'INSUFFICIENT_BALANCE' } },
] as const

const openCaseOf = (reported: string) => ({
  cause: 'CONTRADICTION',
  reported,
  resolution: null,
  by: null,
})

/** Warnings about this payment in all logs. */
async function warningsOf(payment: DoubtfulPayment, nodes: readonly Service[]): Promise<string[]> {
  const [row] = await service.database.query<{ key: string }>(
    'select key from payments where kind = $1 and id = $2',
    [payment.kind, payment.id],
  )
  return nodes
    .flatMap(({ logLines }) => logLines)
    .filter((line) => line.includes(String(row?.key)) && line.includes('"level":"warn"'))
}

/** The operator has reported everything that it had to report by itself. */
async function everythingIsReported(node: Service): Promise<void> {
  await eventually(async () => {
    const left = await node.database.query('select from sandbox_orders where notify_at is not null')
    assert.equal(left.length, 0)
  })
}

for (const kind of DOUBTFUL_KINDS) {
  for (const { first, opposite, word } of ORDERS) {
    const openCase = openCaseOf(opposite)

    describe(`a ${kind} that the operator calls ${first}`, { timeout: 540_000 }, () => {
      for (const afterSeconds of [0, 40]) {
        it(`and calls so again, from ${afterSeconds} s on, ends once`, async () => {
          const before = await moneyOf(service)
          const script = [{ afterSeconds, answer: 'duplicate', ...word }]
          const payment = await payments.start(kind, script)
          await service.advance(afterSeconds)
          const record = await payment.reaches(first)
          await everythingIsReported(service)
          await eventually(() => assert.deepEqual(payment.callbacks(), [record]))
          await assertStands(payment, record, before.wallet)
          assert.deepEqual(await payment.cases(), [])
          assert.deepEqual(await warningsOf(payment, [service, second]), [])
        })

        it(`and then ${opposite}, from ${afterSeconds} s on, stays ${first} with one case`, async () => {
          const before = await moneyOf(service)
          const script = [{ afterSeconds, answer: 'contradict', ...word }]
          const payment = await payments.start(kind, script)
          await service.advance(afterSeconds)
          const record = await payment.reaches(first)
          await everythingIsReported(service)
          await eventually(async () => assert.deepEqual(await payment.cases(), [openCase]))
          await eventually(() => assert.deepEqual(payment.callbacks(), [record]))
          // Time does not settle it: a person has to.
          await service.advance(3 * DAY)
          await assertStands(payment, record, before.wallet)
          assert.deepEqual(await payment.cases(), [openCase])
          // Both nodes may have received it; one of them has logged a warning.
          assert.equal((await warningsOf(payment, [service, second])).length, 1)
        })
      }

      it(`after a silence and then ${opposite} is first a doubt and then a contradiction`, async () => {
        const before = await moneyOf(service)
        const script: readonly Step[] = [
          { afterSeconds: 0, answer: 'silent' },
          { afterSeconds: 300, answer: 'contradict', ...word },
        ]
        const payment = await payments.start(kind, script)
        await service.advance(70)
        await payment.reaches('IN_RECONCILIATION')
        await service.advance(230)
        const record = await payment.reaches(first)
        await everythingIsReported(service)
        const doubt = {
          cause: 'UNKNOWN_OUTCOME',
          reported: null,
          resolution: first,
          by: 'provider',
        }
        await eventually(async () => assert.deepEqual(await payment.cases(), [doubt, openCase]))
        await eventually(() => assert.deepEqual(payment.callbacks(), [record]))
        await assertStands(payment, record, before.wallet)
      })
    })
  }
}

describe('a contradiction while no node was running is received after a restart', async () => {
  const alone = await startService()
  await alone.put('/sandbox/callbacks', addresses)
  const payments = doubtfulPayments(alone, receiver)
  const each = DOUBTFUL_KINDS.flatMap((kind) => ORDERS.map((order) => ({ kind, ...order })))
  const started = await Promise.all(
    each.map(async ({ kind, word, ...order }) => {
      const script = [{ afterSeconds: 120, answer: 'contradict', ...word }]
      return { ...order, payment: await payments.start(kind, script) }
    }),
  )
  for (const { payment } of started) {
    // Written after the operator has the order.
    await eventually(async () => assert.equal(await payment.status(), 'PROCESSING'))
  }
  await alone.node.stop()
  await alone.database.query('update service_state set clock_offset_ms = clock_offset_ms + 130000')
  for (const { payment } of started) {
    assert.deepEqual(await payment.timeLine(), ['ACCEPTED', 'PROCESSING'])
  }
  const later = await alone.addNode()
  after(async () => {
    await later.stop()
    await alone.stop()
  })

  for (const { payment, first, opposite } of started) {
    it(`of a ${payment.kind}: ${first}, then ${opposite}`, async () => {
      const record = await payment.reaches(first, later)
      await everythingIsReported(later)
      assert.deepEqual(await payment.cases(), [openCaseOf(opposite)])
      await eventually(() => assert.deepEqual(payment.callbacks(), [record]))
      assert.deepEqual(await payment.asked(), [1])
    })
  }
})

/** One end, one callback, one order, and the money where the first word put it. */
async function assertStands(
  payment: DoubtfulPayment,
  record: Record<string, unknown>,
  walletBefore: number,
): Promise<void> {
  const status = String(record.status)
  for (const node of [service, second])
    assert.deepEqual(await payment.reaches(status, node), record)
  const line = await payment.timeLine()
  assert.deepEqual(
    line.filter((state) => state === 'COMPLETED' || state === 'FAILED'),
    [status],
  )
  assert.deepEqual(payment.callbacks(), [record])
  assert.deepEqual(await payment.asked(), [1])
  const wallet = walletBefore + gainOf(payment.kind, status)
  assert.deepEqual(await moneyOf(service), { wallet, reserve: 0 })
}

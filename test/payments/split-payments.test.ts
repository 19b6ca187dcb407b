import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { balanceOf, payout, reachesPayout } from '../../harness/payouts.ts'
import { connectTo } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import {
  depositBody,
  eventually,
  payer,
  type Service,
  startService,
} from '../../harness/service.ts'
import { callbacksWith, part, split, splitBody, splitReaches } from '../../harness/splits.ts'
import type { Payment } from '../../src/domain/payments/payment.ts'
import type { PaymentKind } from '../../src/domain/payments/payment-state.ts'
import { findPayment } from '../../src/store/payments/payments.ts'
import { advancePayment } from '../../src/usecases/payments/advance-payment.ts'
import { startDatabaseLink } from '../support/database-link.ts'
import { STEP, waitForLock } from '../support/lock-waits.ts'

const service = await startService()
const link = await startDatabaseLink(service.databaseUrl)
const second = await service.addNode({ DATABASE_URL: link.url })
const nodeAt = (at: number): Service => (at % 2 === 0 ? service : second)
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { splitPayment: receiver.url })
after(async () => {
  await second.stop()
  await service.stop()
  await link.close()
  await receiver.close()
})

/** A number whose operator never finishes. */
const HANGS = '260763456129'

async function stored(kind: PaymentKind, id: string): Promise<Payment> {
  const [row] = await service.database.query<Pick<Payment, 'merchantId' | 'id'>>(
    'select merchant_id as "merchantId", id from payments where kind = $1 and id = $2',
    [kind, id],
  )
  assert.ok(row !== undefined, `there is no ${kind} ${id}`)
  const payment = await findPayment(service.database, row.merchantId, kind, row.id)
  assert.ok(payment !== undefined)
  return payment
}

type Ending = 'confirm' | 'decline'
const FAILURE = { code: 'UNSPECIFIED_FAILURE', message: 'No.' } as const
const end = (node: Service, payment: Payment, event: Ending) =>
  advancePayment(node.node.ctx, payment, event, event === 'decline' ? { failure: FAILURE } : {})

async function callbacksOf(id: string): Promise<unknown> {
  return service.database.query(
    `select state, count(*)::int from callbacks where kind = 'splitPayment' and payment_id = $1
     group by state`,
    [id],
  )
}

describe('the last payouts that end at the same moment', { timeout: 540_000 }, () => {
  /** A split payment whose payouts all wait for their operator. */
  async function pending(count: number): Promise<{ id: string; payouts: readonly Payment[] }> {
    const splits = Array.from({ length: count }, () => part('10', HANGS))
    const { id } = await split(service, { splits })
    for (const { payoutId } of splits) await reachesPayout(service, payoutId, 'PROCESSING')
    const payouts = await Promise.all(splits.map((one) => stored('payout', one.payoutId)))
    return { id, payouts }
  }
  const pairs: readonly (readonly [Ending, Ending, string])[] = [
    ['confirm', 'confirm', 'COMPLETED'],
    ['confirm', 'decline', 'PAYOUT_FAILED'],
    ['decline', 'decline', 'PAYOUT_FAILED'],
  ]

  for (const [one, other, state] of pairs) {
    it(`${one} and ${other}, on one node or on two: the whole is sent once, as ${state}`, async () => {
      const all = await Promise.all(Array.from({ length: 6 }, () => pending(2)))
      await Promise.all(
        all.flatMap(({ payouts }, at) =>
          payouts.map((payment, index) =>
            end(nodeAt(at % 3 === 0 ? at : at + index), payment, index === 0 ? one : other),
          ),
        ),
      )
      for (const { id } of all) {
        const record = await splitReaches(service, id, state)
        await eventually(() =>
          assert.deepEqual(callbacksWith(receiver, 'splitPaymentId', id), [record]),
        )
        assert.deepEqual(await callbacksOf(id), [{ state, count: 1 }])
      }
    })
  }

  it('ten at once, each reported to both nodes', async () => {
    const { id, payouts } = await pending(10)
    await Promise.all(
      payouts.flatMap((payment) => [
        end(service, payment, 'confirm'),
        end(second, payment, 'decline'),
      ]),
    )
    const { status } = (await service.get(`/v2/split-payments/${id}`)).body.data
    assert.match(status, /^(COMPLETED|PAYOUT_FAILED)$/)
    assert.deepEqual(await callbacksOf(id), [{ state: status, count: 1 }])
  })

  it('both are written while the row of the whole is locked: one of them ends it', async (test) => {
    const { id, payouts } = await pending(2)
    const blocker = await connectTo(service.databaseUrl)
    test.after(() => blocker.end())
    await blocker.query('begin')
    await blocker.query('select from split_payments where id = $1 for update', [id])
    const ended = Promise.all(payouts.map((payment, at) => end(nodeAt(at), payment, 'confirm')))
    await waitForLock(service, STEP, 2)
    await blocker.query('commit')
    await ended
    await splitReaches(service, id, 'COMPLETED')
    assert.deepEqual(await callbacksOf(id), [{ state: 'COMPLETED', count: 1 }])
  })
})

it('money that was collected for payouts cannot be taken by others from the same wallet', {
  timeout: 540_000,
}, async () => {
  await service.put('/sandbox/wallets', { country: 'ZMB', currency: 'ZMW', balance: '0' })
  let over = false
  const others: string[] = []
  const flood = async (at: number): Promise<void> => {
    while (!over) {
      const one = part(at % 2 === 0 ? '1' : '60')
      others.push(one.payoutId)
      assert.equal((await payout(nodeAt(at), { ...one })).body.status, 'ACCEPTED')
    }
  }
  const flooding = Promise.all([flood(0), flood(1)])
  let count = 0
  for (let round = 0; round < 3; round += 1) {
    const some = await Promise.all(
      Array.from({ length: 5 }, (_, at) => split(nodeAt(at), { splits: [part('60'), part('40')] })),
    )
    count += some.length
    for (const { id } of some) await splitReaches(service, id, 'COMPLETED')
  }
  await eventually(() => assert.ok(others.length > count, `${others.length} ordinary payouts`))
  over = true
  await flooding
  await eventually(async () => {
    const states = await service.database.query(
      `select distinct state from payments where id = any($1) and kind = 'payout'`,
      [others],
    )
    assert.deepEqual(states, [{ state: 'FAILED' }])
  })
  assert.equal(await balanceOf(service), '0.00')
  await service.put('/sandbox/wallets', { country: 'ZMB', currency: 'ZMW', balance: '1000000' })
})

describe('an identifier that is wanted by two at once', { timeout: 540_000 }, () => {
  it('a payout and a split payment: one of them gets it, the other is rejected', async () => {
    for (let round = 0; round < 6; round += 1) {
      const one = part('10')
      const [ordinary, whole] = await Promise.all([
        payout(nodeAt(round), { ...one }),
        split(nodeAt(round + 1), { splits: [part('1'), one] }),
      ])
      const outcome = [ordinary.body.status, whole.status].join()
      assert.ok(['ACCEPTED,400', 'DUPLICATE_IGNORED,200'].includes(outcome), outcome)
      await reachesPayout(service, one.payoutId, 'COMPLETED')
    }
  })

  it('a deposit and a split payment: one of them gets it, the other is rejected', async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = randomUUID()
      const [ordinary, whole] = await Promise.all([
        nodeAt(round).post('/v2/deposits', depositBody({ depositId: id })),
        split(nodeAt(round + 1), { splitPaymentId: id }),
      ])
      const outcome = [ordinary.body.status, whole.status].join()
      assert.ok(['ACCEPTED,400', 'DUPLICATE_IGNORED,200'].includes(outcome), outcome)
      await service.reaches(id, 'COMPLETED')
    }
  })

  it('split payments with the same payouts in different orders: one is accepted, none waits for ever', async () => {
    for (let round = 0; round < 4; round += 1) {
      const splits = Array.from({ length: 10 }, () => part('1'))
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          split(nodeAt(at), { splits: at % 2 === 0 ? splits : splits.toReversed() }),
        ),
      )
      const statuses = answers.map(({ status }) => status).toSorted()
      assert.deepEqual(statuses, [200, 400, 400, 400, 400, 400])
    }
  })

  it('a payout requested while its reservation is released is paid, not lost', async () => {
    const { id, parts } = await split(service, { payer: payer(HANGS, 'MTN_MOMO_ZMB') })
    await splitReaches(service, id, 'PROCESSING')
    const [one] = parts
    const held = link.holdRequestOf('hold-find')
    const answer = payout(second, { ...one })
    await held.reached
    await end(service, await stored('deposit', id), 'decline')
    held.letThrough()
    assert.equal((await answer).body.status, 'ACCEPTED')
    await reachesPayout(service, one?.payoutId ?? '', 'COMPLETED')
  })
})

describe('a reset with open split payments', { timeout: 540_000 }, () => {
  it('forgets all of them, frees their identifiers and gives the money back', async () => {
    const bodies = [
      splitBody({ payer: payer(HANGS, 'MTN_MOMO_ZMB') }),
      splitBody({ splits: [part('10', HANGS), part('10')] }),
    ]
    for (const body of bodies) {
      await service.post('/v2/split-payments', body)
      await splitReaches(service, body.splitPaymentId, 'PROCESSING')
    }
    await reachesPayout(service, bodies[1]?.splits[1]?.payoutId ?? '', 'COMPLETED')
    await service.post('/sandbox/reset')
    assert.equal(await balanceOf(service), '1000000.00')
    for (const { splitPaymentId, splits } of bodies) {
      const { body } = await service.get(`/v2/split-payments/${splitPaymentId}`)
      assert.equal(body.status, 'NOT_FOUND')
      const again = await split(service, {
        splitPaymentId,
        splits: splits.map((one) => ({ ...part('5'), payoutId: one.payoutId })),
      })
      assert.equal(again.body.status, 'ACCEPTED')
      await splitReaches(service, splitPaymentId, 'COMPLETED')
    }
    assert.equal(await balanceOf(service), '1000180.00')
  })

  it('in the middle of many leaves books that agree', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, at) =>
        at % 10 === 5 ? service.post('/sandbox/reset') : split(nodeAt(at)),
      ),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 204]))
    await service.post('/sandbox/reset')
    assert.equal(await balanceOf(service), '1000000.00')
  })
})

it('no step of all this failed', () => {
  const lines = [...service.logLines, ...second.logLines]
  assert.deepEqual(
    lines.filter((line) => line.includes('"level":"error"')),
    [],
  )
})

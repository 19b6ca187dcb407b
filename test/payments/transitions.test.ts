import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, payer, startService } from '../../harness/service.ts'
import type { Payment } from '../../src/domain/payments/payment.ts'
import type { PaymentEvent } from '../../src/domain/payments/payment-state.ts'
import { findPayment } from '../../src/store/payments/payments.ts'
import { advancePayment, type Facts } from '../../src/usecases/payments/advance-payment.ts'
import type { PaymentContext } from '../../src/usecases/payments/context.ts'

const service = await startService()
const second = await service.addNode()
const contexts = [service.node.ctx, second.node.ctx]
const receiver = await startReceiver()
after(async () => {
  await second.stop()
  await service.stop()
  await receiver.close()
})
await service.put('/sandbox/callbacks', { deposit: receiver.url })

const PENDING_NUMBER = '260763456701'
await service.put(`/sandbox/phones/${PENDING_NUMBER}`, {
  script: [{ afterSeconds: 0, answer: 'pending' }],
})

/** A payment that waits for its operator. */
async function pendingPayment(): Promise<Payment> {
  const { id } = await service.deposit({ payer: payer(PENDING_NUMBER, 'MTN_MOMO_ZMB') })
  await service.reaches(id, 'PROCESSING')
  return stored(id)
}

async function stored(id: string): Promise<Payment> {
  const [row] = await service.database.query<Pick<Payment, 'merchantId' | 'id'>>(
    'select merchant_id as "merchantId", id from payments where id = $1',
    [id],
  )
  assert.ok(row !== undefined)
  const payment = await findPayment(service.database, row.merchantId, 'deposit', row.id)
  assert.ok(payment !== undefined)
  return payment
}

const FAILURE = { code: 'PAYMENT_NOT_APPROVED', message: 'No.' } as const
const factsOf = (event: PaymentEvent): Facts => (event === 'decline' ? { failure: FAILURE } : {})
const apply = (ctx: PaymentContext | undefined, payment: Payment, event: PaymentEvent) =>
  advancePayment(ctx as PaymentContext, payment, event, factsOf(event))

async function tracesOf({ key }: Payment) {
  const [row] = await service.database.query(
    `select (select count(*)::int from payment_timeline where payment_key = $1
               and state in ('COMPLETED', 'FAILED')) as endings,
            (select count(*)::int from transfers where key = $1) as transfers,
            (select count(*)::int from (
               select payment_key from callbacks union all
               select payment_key from callbacks_in_hand) c where payment_key = $1) as callbacks`,
    [key],
  )
  return row
}

describe('two transitions of one payment at once', { timeout: 540_000 }, () => {
  const pairs: readonly (readonly [PaymentEvent, PaymentEvent])[] = [
    ['confirm', 'confirm'],
    ['confirm', 'decline'],
    ['decline', 'decline'],
    ['loseTrack', 'confirm'],
  ]
  for (const [one, other] of pairs) {
    it(`${one} and ${other}: one wins on one node as on two, with everything that belongs to it`, async () => {
      for (const [first, last] of [
        [contexts[0], contexts[0]],
        [contexts[0], contexts[1]],
        [contexts[1], contexts[0]],
      ]) {
        const payment = await pendingPayment()
        const results = await Promise.all([apply(first, payment, one), apply(last, payment, other)])
        const winners = results.filter((result) => result !== undefined)
        assert.equal(winners.length, 1)
        const now = await stored(payment.id)
        assert.equal(now.state, winners[0]?.state)
        const isOver = now.state !== 'IN_RECONCILIATION'
        assert.deepEqual(await tracesOf(payment), {
          endings: isOver ? 1 : 0,
          transfers: now.state === 'COMPLETED' ? 1 : 0,
          callbacks: isOver ? 1 : 0,
        })
      }
    })
  }

  it('in a crowd: of a hundred answers for one payment, one counts', async () => {
    const payment = await pendingPayment()
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        apply(contexts[at % 2], payment, at % 3 === 0 ? 'decline' : 'confirm'),
      ),
    )
    assert.equal(results.filter((result) => result !== undefined).length, 1)
    const { state } = await stored(payment.id)
    const transfers = state === 'COMPLETED' ? 1 : 0
    assert.deepEqual(await tracesOf(payment), { endings: 1, transfers, callbacks: 1 })
  })
})

describe('a final state', { timeout: 540_000 }, () => {
  for (const [ending, state] of [
    ['confirm', 'COMPLETED'],
    ['decline', 'FAILED'],
  ] as const) {
    it(`${state} never changes, whatever is reported later`, async () => {
      const before = await pendingPayment()
      await apply(contexts[0], before, ending)
      const over = await stored(before.id)
      assert.equal(over.state, state)
      for (const event of ['submit', 'confirm', 'decline', 'loseTrack'] as const) {
        assert.equal(await apply(contexts[1], over, event), undefined)
        // A process that does not know of the final state yet.
        assert.equal(await apply(contexts[1], before, event), undefined)
      }
      assert.deepEqual(await stored(before.id), over)
    })
  }
})

describe('a transition whose account is missing', { timeout: 540_000 }, () => {
  it('fails as a whole, leaves nothing, does not affect others, and succeeds later', async () => {
    const provider = 'ZAMTEL_ZMB'
    const account = `float:${provider}:ZMW`
    const [row] = await service.database.query<{ balance: string }>(
      'delete from accounts where account = $1 returning balance',
      [account],
    )
    assert.equal(Number(row?.balance), 0)
    const number = '260950000001'
    await service.put(`/sandbox/phones/${number}`, {
      script: [
        { afterSeconds: 0, answer: 'pending' },
        { afterSeconds: 5, answer: 'done' },
      ],
    })
    const { id, body } = await service.deposit({ payer: payer(number, provider) })
    assert.equal(body.status, 'ACCEPTED')
    await service.reaches(id, 'PROCESSING')
    const payment = await stored(id)
    const intact = await Promise.all(Array.from({ length: 5 }, pendingPayment))
    const before = await tracesOf(payment)

    const [failed, ...others] = await Promise.allSettled(
      [payment, ...intact].map((one) => apply(contexts[0], one, 'confirm')),
    )
    assert.equal(failed?.status, 'rejected')
    assert.match(String(failed?.status === 'rejected' && failed.reason), /ledger_guard/)
    assert.ok(others.every((one) => one.status === 'fulfilled' && one.value !== undefined))
    assert.deepEqual(await tracesOf(payment), before)
    assert.deepEqual(await stored(id), payment)

    await service.database.query(
      `insert into accounts (merchant_id, account, type, currency, provider)
       select merchant_id, $1, 'float', 'ZMW', $2 from merchants`,
      [account, provider],
    )
    await service.advance(5)
    await eventually(async () => {
      await service.advance(10)
      assert.equal((await stored(id)).state, 'COMPLETED')
    })
    assert.deepEqual(await tracesOf(payment), { endings: 1, transfers: 1, callbacks: 1 })
  })
})

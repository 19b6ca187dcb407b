import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { balanceOf } from '../../harness/payouts.ts'
import { newSeed, seededRandom } from '../../harness/process.ts'
import {
  answersOf,
  completedDeposit,
  depositThatHangs,
  refund,
  refunded,
  refundReaches,
} from '../../harness/refunds.ts'
import { IS_PROOF } from '../../harness/scale.ts'
import { eventually, payer, type Service, startService } from '../../harness/service.ts'
import type { Payment } from '../../src/domain/payments/payment.ts'
import { findPayment } from '../../src/store/payments/payments.ts'
import { advancePayment } from '../../src/usecases/payments/advance-payment.ts'
import type { PaymentContext } from '../../src/usecases/payments/context.ts'
import { startDatabaseLink } from '../support/database-link.ts'
import { waitForLock } from '../support/lock-waits.ts'

const service = await startService()
const link = await startDatabaseLink(service.databaseUrl)
const second = await service.addNode({ DATABASE_URL: link.url })
const nodes: readonly [Service, Service] = [service, second]
after(async () => {
  await second.stop()
  await service.stop()
  await link.close()
})

const seed = newSeed()
const random = seededRandom(seed)
const nodeAt = (at: number): Service => nodes[at % 2] ?? service
const codeOf = (answer: { body: { status: string; failureReason?: { failureCode: string } } }) =>
  answer.body.failureReason?.failureCode ?? answer.body.status

/** Amounts in hundredths, so that sums are exact. */
async function sumOfRefunds(depositId: string, state = 'COMPLETED'): Promise<number> {
  const [row] = await service.database.query<{ total: string }>(
    'select coalesce(sum(amount * 100), 0) as total from payments where refund_of = $1 and state = $2',
    [depositId, state],
  )
  return Number(row?.total)
}

describe('simultaneous refunds of one deposit over two nodes', { timeout: 540_000 }, () => {
  for (const [count, rounds] of [
    [2, IS_PROOF ? 8 : 2],
    [20, IS_PROOF ? 3 : 1],
  ] as const) {
    it(`${count} of them: one is accepted, the others are rejected with a reason`, async () => {
      const before = await balanceOf(service)
      for (let round = 0; round < rounds; round += 1) {
        const depositId = await completedDeposit(service)
        const changes = round % 2 === 0 ? {} : { amount: '100' }
        const answers = await Promise.all(
          Array.from({ length: count }, (_, at) => refund(nodeAt(at), depositId, { ...changes })),
        )
        const accepted = answers.filter(({ body }) => body.status === 'ACCEPTED')
        assert.equal(accepted.length, 1)
        const others = new Set(answers.map(codeOf))
        others.delete('ACCEPTED')
        for (const code of others) {
          assert.match(code, /^(REFUND_IN_PROGRESS|DEPOSIT_ALREADY_REFUNDED)$/)
        }
        await refundReaches(service, accepted[0]?.id ?? '', 'COMPLETED')
        assert.equal(await sumOfRefunds(depositId), 100_00)
      }
      assert.equal(await balanceOf(service), before)
    })
  }

  it('of many deposits at once: each is refunded once', async () => {
    const deposits = await Promise.all(Array.from({ length: 10 }, () => completedDeposit(service)))
    const answers = await Promise.all(
      deposits.flatMap((depositId) => [0, 1, 0, 1].map((at) => refund(nodeAt(at), depositId))),
    )
    assert.equal(answers.filter(({ body }) => body.status === 'ACCEPTED').length, 10)
    for (const depositId of deposits) {
      await eventually(async () => assert.equal(await sumOfRefunds(depositId), 100_00))
    }
  })

  it('one is half written: the other waits for it, and is refused', async () => {
    const depositId = await completedDeposit(service)
    const half = link.holdRequestOf('hold')
    const first = refund(second, depositId)
    await half.reached
    const other = refund(service, depositId)
    await waitForLock(service, 'for no key update')
    half.letThrough()
    assert.equal(codeOf(await first), 'ACCEPTED')
    assert.match(codeOf(await other), /^(REFUND_IN_PROGRESS|DEPOSIT_ALREADY_REFUNDED)$/)
  })
})

it('parts asked for in parallel until nothing is left add up to the deposit', {
  timeout: 540_000,
}, async (test) => {
  test.diagnostic(`MALIPO_TEST_SEED=${seed}`)
  const number = '260763450010'
  const depositId = await completedDeposit(service, {
    amount: '120',
    payer: payer(number, 'MTN_MOMO_ZMB'),
  })
  let over = false
  const client = async (at: number): Promise<void> => {
    while (!over) {
      // Whole amounts: a rest below the least amount could never be given back.
      const amount = `${random(1, 25)}${['', '.0', '.00'][random(0, 3)]}`
      const answer = await refund(nodeAt(at), depositId, { amount })
      if (codeOf(answer) === 'AMOUNT_TOO_LARGE') await refund(nodeAt(at), depositId)
      if (codeOf(answer) === 'DEPOSIT_ALREADY_REFUNDED') over = true
      assert.ok((await sumOfRefunds(depositId)) <= 120_00, `with MALIPO_TEST_SEED=${seed}`)
      assert.notEqual(codeOf(answer), 'UNKNOWN_ERROR')
    }
  }
  /** Now and then the operator refuses, so that amounts become free again. */
  const operator = async (): Promise<void> => {
    for (let at = 0; !over; at += 1) {
      const answer = at % 3 === 0 && at < 60 ? 'failed' : 'done'
      await answersOf(service, number, [{ afterSeconds: 0, answer }])
      await sleep(10)
    }
  }
  await Promise.all([operator(), ...Array.from({ length: 6 }, (_, at) => client(at))])
  assert.equal(await sumOfRefunds(depositId), 120_00)
})

describe('a refund that ends while another is asked for', { timeout: 540_000 }, () => {
  const number = '260763450011'
  const rounds = IS_PROOF ? 6 : 2
  const failure = { code: 'RECIPIENT_NOT_FOUND', message: 'No.' } as const

  /** A refund of 60 from 100 that waits for its operator. */
  async function pending(): Promise<{ depositId: string; payment: Payment }> {
    await answersOf(service, number, [{ afterSeconds: 0, answer: 'done' }])
    const depositId = await depositThatHangs(service, number)
    const { id } = await refund(service, depositId, { amount: '60' })
    await refundReaches(service, id, 'PROCESSING')
    const [row] = await service.database.query<Pick<Payment, 'merchantId' | 'id'>>(
      `select merchant_id as "merchantId", id from payments where kind = 'refund' and id = $1`,
      [id],
    )
    assert.ok(row !== undefined)
    const payment = await findPayment(service.database, row.merchantId, 'refund', row.id)
    assert.ok(payment !== undefined)
    return { depositId, payment }
  }
  const end = (ctx: PaymentContext, payment: Payment, event: 'confirm' | 'decline') =>
    advancePayment(ctx, payment, event, event === 'decline' ? { failure } : {})

  it('COMPLETED: what is left is not exceeded', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { depositId, payment } = await pending()
      const [other] = await Promise.all([
        refund(nodeAt(round), depositId, { amount: '60' }),
        end(nodeAt(round + 1).node.ctx, payment, 'confirm'),
      ])
      assert.match(codeOf(other), /^(REFUND_IN_PROGRESS|AMOUNT_TOO_LARGE)$/)
      assert.equal(await sumOfRefunds(depositId), 60_00)
      assert.equal(codeOf(await refund(service, depositId, { amount: '40' })), 'ACCEPTED')
    }
  })

  it('FAILED: its amount is free from that moment on', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { depositId, payment } = await pending()
      const [other] = await Promise.all([
        refund(nodeAt(round), depositId, { amount: '100' }),
        end(nodeAt(round + 1).node.ctx, payment, 'decline'),
      ])
      assert.match(codeOf(other), /^(REFUND_IN_PROGRESS|ACCEPTED)$/)
      if (other.body.status === 'ACCEPTED') continue
      assert.equal(codeOf(await refund(service, depositId, { amount: '100' })), 'ACCEPTED')
    }
  })
})

describe('a wallet that holds too little', { timeout: 540_000 }, () => {
  const wallet = { country: 'ZMB', currency: 'ZMW' }

  it('fails the refund after it was accepted, and it can be tried again', async () => {
    const depositId = await completedDeposit(service)
    await service.put('/sandbox/wallets', { ...wallet, balance: '99.99' })
    const { id, body } = await refund(service, depositId)
    assert.equal(body.status, 'ACCEPTED')
    const record = await refundReaches(service, id, 'FAILED')
    const { failureCode } = record.failureReason as { failureCode: string }
    assert.equal(failureCode, 'PAWAPAY_WALLET_OUT_OF_FUNDS')
    assert.equal(await balanceOf(service), '99.99')
    await service.put('/sandbox/wallets', { ...wallet, balance: '100' })
    assert.equal((await refunded(service, depositId)).amount, '100')
    assert.equal(await balanceOf(service), '0.00')
  })

  it('gives what it has to some of many, and nothing to the others', async () => {
    const deposits = await Promise.all(Array.from({ length: 12 }, () => completedDeposit(service)))
    await service.put('/sandbox/wallets', { ...wallet, balance: '555' })
    const answers = await Promise.all(
      deposits.map((depositId, at) => refund(nodeAt(at), depositId)),
    )
    assert.ok(answers.every(({ body }) => body.status === 'ACCEPTED'))
    const states = await Promise.all(
      answers.map(({ id }) =>
        eventually(async () => {
          const { data } = (await service.get(`/v2/refunds/${id}`)).body
          assert.match(data.status, /^(COMPLETED|FAILED)$/)
          return data.status
        }),
      ),
    )
    assert.equal(states.filter((state) => state === 'COMPLETED').length, 5)
    assert.equal(await balanceOf(service), '55.00')
  })
})

it('a deposit that is wiped between the question and the lock is not refunded', async () => {
  const depositId = await completedDeposit(service)
  const held = link.holdRequestOf('lock-deposits')
  const refundId = randomUUID()
  const answer = refund(second, depositId, { refundId })
  await held.reached
  await service.post('/sandbox/reset')
  // Another deposit of the same name is not the one that was asked for.
  await service.deposit({ depositId, amount: '7' })
  await service.reaches(depositId, 'COMPLETED')
  held.letThrough()
  assert.equal(codeOf(await answer), 'NOT_FOUND')
  assert.equal((await service.get(`/v2/refunds/${refundId}`)).body.status, 'NOT_FOUND')
})

it('no step of all this failed', () => {
  const lines = [...service.logLines, ...second.logLines]
  assert.deepEqual(
    lines.filter((line) => line.includes('"level":"error"')),
    [],
  )
})

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
import { type TestPhone, takenPhone } from '../../harness/phones.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'
import { ATTEMPTS_AT_ONCE } from '../../src/domain/callbacks/breaker.ts'
import type { MerchantId, PaymentId } from '../../src/domain/ids.ts'
import type { Payment } from '../../src/domain/payments/payment.ts'
import { findPayment } from '../../src/store/payments/payments.ts'
import { advancePayment } from '../../src/usecases/payments/advance-payment.ts'
import { startDatabaseLink } from '../support/database-link.ts'
import { assertInTime, untilInTime } from '../support/in-time.ts'

/** Two nodes; the payments of these tests begin on the one behind the link. */
const other = await startService()
const link = await startDatabaseLink(other.databaseUrl)
const service = await other.addNode({ DATABASE_URL: link.url })
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { deposit: receiver.url })
// While somebody listens, callbacks are stored before they are sent; those that have no row while
// they are under way are the matter of `in-hand.test.ts`.
await service.get('/callbacks/feed?address=http%3A%2F%2Flocalhost%3A9')
await eventually(async () => {
  for (const { node } of [service, other]) {
    const merchant = await node.ctx.merchants.byId(1 as MerchantId)
    assert.ok(merchant?.hasListener)
  }
})
after(async () => {
  await service.stop()
  await link.close()
  await other.stop()
  await receiver.close()
})

/** Requests that the receiver has in hand and has not answered. */
const open: ServerResponse[] = []
let hangsSince = 0
const hang = (): void => {
  hangsSince = performance.now()
  receiver.answer((response) => void open.push(response))
}
const answerAll = (status: number): void => {
  receiver.answer(status)
  for (const response of open.splice(0)) response.writeHead(status).end()
}
/** Sees what it is about while the attempt hangs; in the end nothing hangs any more. */
const whileItHangs = (scenario: () => Promise<void>): Promise<void> =>
  untilInTime(() => scenario().finally(() => answerAll(200)))
afterEach(() => answerAll(200))
// What is accepted while a node may not act goes to the other.
beforeEach(() => eventually(() => assert.ok(service.node.ctx.node.mayAct())))

type Row = {
  readonly status: string
  readonly holder: number
  readonly waits: boolean
  readonly results: readonly (number | string)[]
}

const rowOf = async (id: string): Promise<Row> => {
  const [row] = await other.database.query<Row>(
    `select status, holder, due_at > clock_timestamp() as waits,
       array(select coalesce(http_status::text, reason) from kept_attempts a
         where a.payment_key = c.payment_key and a.state = c.state order by attempt) as results
     from callbacks c where payment_id = $1`,
    [id],
  )
  assert.ok(row !== undefined)
  return row
}

const paymentOf = async (id: string): Promise<Payment> => {
  const payment = await findPayment(other.database, 1 as MerchantId, 'deposit', id as PaymentId)
  assert.ok(payment !== undefined)
  return payment
}

const callbacksOf = (id: string): readonly { status: string }[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter((one) => one.depositId === id)

/** A callback that the node behind the link is sending, to a receiver that does not answer. */
const hangingAttempt = (): Promise<string> =>
  eventually(async () => {
    hang()
    const { id } = await service.deposit()
    await eventually(() => assert.equal(callbacksOf(id).length, 1))
    const { holder } = await rowOf(id)
    if (holder !== service.node.ctx.node.id()) answerAll(200)
    assert.equal(holder, service.node.ctx.node.id())
    return id
  })

/** Both nodes look for work all the time; when new work was done, they have looked. */
const othersHaveLooked = async (): Promise<void> => {
  for (let round = 0; round < 2; round += 1) {
    const { id } = await other.deposit()
    await eventually(() => assert.equal(callbacksOf(id).length, 1))
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

describe('an attempt that ends while the database is away', { timeout: 240_000 }, () => {
  for (const [what, lose] of [
    ['whose record is lost on the way', link.loseRequestOf],
    ['whose record is stored, but the confirmation is lost', link.loseAnswerTo],
  ] as const) {
    it(`${what}, is recorded once`, async () => {
      const id = await hangingAttempt()
      const lost = lose('record-attempts')
      answerAll(500)
      await lost
      await eventually(async () => assert.equal((await rowOf(id)).results[0], '500'))
      receiver.answer(200)
      await othersHaveLooked()
      // By now it may have been sent again: one record for each time it was received.
      await eventually(async () => {
        assert.equal((await rowOf(id)).results.length, callbacksOf(id).length)
      })
    })
  }
})

/** The ways in which the node behind the link loses its name and takes another. */
const LOSSES = {
  voluntarily: async () => service.node.ctx.work.startOver(),
  'taken for dead': () => other.database.query('delete from nodes where node_id = $1', [nameOf()]),
}
const nameOf = () => service.node.ctx.node.id()
const renamed = async (loss: keyof typeof LOSSES): Promise<void> => {
  const former = nameOf()
  await LOSSES[loss]()
  await eventually(() => assert.ok(nameOf() !== former && nameOf() !== 0))
}

describe('a live node that loses its identity in the middle of an attempt', {
  timeout: 240_000,
}, () => {
  it('voluntarily: the attempt stays its own, and no other node sends meanwhile', () =>
    whileItHangs(async () => {
      const id = await hangingAttempt()
      await renamed('voluntarily')
      await othersHaveLookedWhileHanging()
      const row = await rowOf(id)
      assertInTime(hangsSince)
      assert.deepEqual(row, { status: 'PENDING', holder: 0, waits: true, results: [] })
      answerAll(200)
      await eventually(async () => assert.deepEqual((await rowOf(id)).results, ['200']))
      assert.deepEqual([(await rowOf(id)).status, callbacksOf(id).length], ['DELIVERED', 1])
    }))

  it('taken for dead: no other node sends meanwhile, and the result of the attempt is recorded', () =>
    whileItHangs(async () => {
      const id = await hangingAttempt()
      await renamed('taken for dead')
      await othersHaveLookedWhileHanging()
      const { results, ...row } = await rowOf(id)
      assertInTime(hangsSince)
      assert.deepEqual(row, { status: 'PENDING', holder: 0, waits: true })
      // Others may have found the attempt first, and noted it as cut off.
      for (const result of results) assert.match(String(result), /ended before it recorded/)
      answerAll(200)
      await eventually(async () => assert.equal((await rowOf(id)).results.at(-1), '200'))
      assert.deepEqual([(await rowOf(id)).status, callbacksOf(id).length], ['DELIVERED', 1])
    }))

  for (const loss of ['voluntarily', 'taken for dead'] as const) {
    it(`${loss}: a resend waits until the attempt is over, and then goes out`, () =>
      whileItHangs(async () => {
        const id = await hangingAttempt()
        await renamed(loss)
        const asked = await other.post(`/v2/deposits/resend-callback/${id}`)
        assert.equal(asked.body.status, 'ACCEPTED')
        await othersHaveLookedWhileHanging()
        assertInTime(hangsSince)
        assert.equal(callbacksOf(id).length, 1)
        answerAll(200)
        await eventually(() => assert.equal(callbacksOf(id).length, 2))
        await eventually(async () => assert.equal((await rowOf(id)).status, 'DELIVERED'))
      }))
  }

  /** New callbacks are answered at once; those that hang go on hanging. */
  async function othersHaveLookedWhileHanging(): Promise<void> {
    receiver.answer(200)
    await othersHaveLooked()
  }
})

describe('two callbacks of one payment that wait for a place in the lane', {
  timeout: 240_000,
}, () => {
  it('are sent one after the other', async () => {
    const phone = await takenPhone(service, '221781000002', 'WAVE_SEN')
    let received: readonly string[] = []
    // A node that a slow machine keeps from acting loses them to the other, which sends the final
    // state first, and then no earlier one is sent.
    for (let round = 1; round <= 5 && received.length < 2; round += 1) {
      received = await bothWaitInTheLane(phone)
      assert.equal(received.at(-1), 'COMPLETED')
    }
    assert.deepEqual(received, ['PROCESSING', 'COMPLETED'])
  })

  const heldByTheNode = async (): Promise<number> => {
    const rows = await other.database.query(
      'select from callbacks where holder = $1 and due_at is not null',
      [service.node.ctx.node.id()],
    )
    return rows.length
  }

  /** The states that were sent, which never overlapped. */
  async function bothWaitInTheLane(phone: TestPhone): Promise<readonly string[]> {
    // All places are taken by attempts that cannot be noted, and so do not begin.
    const notes = link.holdAnswersTo('begin-sending')
    for (let free = ATTEMPTS_AT_ONCE; free > 0; free = ATTEMPTS_AT_ONCE - (await heldByTheNode())) {
      const deposits = await Promise.all(Array.from({ length: free }, () => service.deposit()))
      await Promise.all(deposits.map(({ id }) => other.reaches(id, 'COMPLETED')))
    }
    const id = await phone.pays({ amount: '100', currency: 'XOF' })
    const payment = await eventually(async () => {
      const found = await paymentOf(id)
      assert.ok(found.authorizationUrl !== undefined)
      return found
    })
    // Not by approval: either node may learn of that, and both callbacks belong in one lane.
    assert.ok((await advancePayment(service.node.ctx, payment, 'confirm', {})) !== undefined)

    let openOnes = 0
    let overlaps = 0
    receiver.answer((response) => {
      const isOurs = JSON.parse(receiver.received.at(-1)?.body ?? '{}').depositId === id
      if (isOurs && openOnes > 0) overlaps += 1
      if (isOurs) openOnes += 1
      const end = (): void => {
        if (isOurs) openOnes -= 1
        response.writeHead(200).end()
      }
      setTimeout(end, isOurs ? 500 : 0)
    })
    notes.letThrough()
    await eventually(async () => {
      const owed = await other.database.query(
        'select from callbacks where payment_id = $1 and due_at is not null',
        [id],
      )
      assert.equal(owed.length, 0)
    })
    assert.equal(overlaps, 0)
    return callbacksOf(id).map(({ status }) => status)
  }
})

describe('two callbacks of one payment held by two nodes', { timeout: 240_000 }, () => {
  const statesOf = (id: string) => callbacksOf(id).map(({ status }) => status)

  it('the final state waits until the attempt to send the earlier one is over', async () => {
    const phone = await takenPhone(service, '221781000001', 'WAVE_SEN')
    await whileItHangs(async () => {
      hang()
      const id = await phone.pays({ amount: '100', currency: 'XOF' })
      await eventually(() => assert.equal(callbacksOf(id).length, 1))
      receiver.answer(200)
      const { body } = await service.get(`/v2/deposits/${id}`)
      const page = new URL(body.data.authorizationUrl).pathname
      const approved = await fetch(`${other.url}${page}/approve`, {
        method: 'POST',
        redirect: 'manual',
      })
      assert.equal(approved.status, 303)
      await other.reaches(id, 'COMPLETED')
      await othersHaveLooked()
      assertInTime(hangsSince)
      assert.deepEqual(statesOf(id), ['PROCESSING'])
      answerAll(200)
      await eventually(() => assert.deepEqual(statesOf(id), ['PROCESSING', 'COMPLETED']))
    })
  })

  for (const loss of ['voluntarily', 'taken for dead'] as const) {
    it(`the final state waits also where the node of the earlier one has lost its name, ${loss}`, async () => {
      const phone = await takenPhone(service, '221781000004', 'WAVE_SEN')
      await whileItHangs(async () => {
        hang()
        const id = await phone.pays({ amount: '100', currency: 'XOF' })
        await eventually(() => assert.equal(callbacksOf(id).length, 1))
        receiver.answer(200)
        await renamed(loss)
        const payment = await paymentOf(id)
        assert.ok((await advancePayment(other.node.ctx, payment, 'confirm', {})) !== undefined)
        await othersHaveLooked()
        assertInTime(hangsSince)
        assert.deepEqual(statesOf(id), ['PROCESSING'])
        answerAll(200)
        await eventually(() => assert.deepEqual(statesOf(id), ['PROCESSING', 'COMPLETED']))
      })
    })
  }

  it('the final state is sent last, even if its node read the payment before the address was known', async () => {
    const phone = await takenPhone(service, '221781000003', 'WAVE_SEN')
    const storing = link.holdRequestOf('authorise')
    const id = await phone.pays({ amount: '100', currency: 'XOF' })
    await storing.reached
    const payment = await paymentOf(id)
    assert.deepEqual([payment.state, payment.authorizationUrl], ['PROCESSING', undefined])
    const sending = link.holdRequestOf('begin-sending')
    storing.letThrough()
    await sending.reached
    assert.ok((await advancePayment(other.node.ctx, payment, 'confirm', {})) !== undefined)
    await othersHaveLooked()
    sending.letThrough()
    await eventually(async () => {
      const rows = await other.database.query<{ open: boolean }>(
        'select due_at is not null as open from callbacks where payment_id = $1',
        [id],
      )
      assert.deepEqual(rows, [{ open: false }, { open: false }])
    })
    assert.equal(statesOf(id).at(-1), 'COMPLETED')
  })
})

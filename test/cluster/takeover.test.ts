import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setImmediate as immediately } from 'node:timers/promises'
import { assertAllWorkEnds, callAt, type Place, startProcess } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { depositBody, eventually, startService } from '../../harness/service.ts'
import type { MerchantId, PaymentId, PaymentKey } from '../../src/domain/ids.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { type Booking, createBookingGroup } from '../../src/store/sandbox/orders.ts'
import { bookWithPhone } from '../../src/store/sandbox/phones.ts'
import { startDatabaseLink } from '../support/database-link.ts'
import { addMortalNode } from '../support/mortal-node.ts'

/**
 * What operators take, on a clock that the test moves on: longer than any machine is slow, and not
 * so long that a node gives a payment out of its hands meanwhile.
 */
const OPERATOR_S = 50
const ACCEPTED = new Set(['ACCEPTED', 'DUPLICATE_IGNORED'])

describe('of two nodes', { timeout: 540_000 }, async () => {
  const receiver = await startReceiver()
  const settings = {
    MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
    MALIPO_SANDBOX_DELAY_MS: String(OPERATOR_S * 1000),
  }
  const living = await startService(settings)
  const { database } = living
  after(async () => {
    await living.stop()
    await receiver.close()
  })

  const deposits = async (place: Place, count: number): Promise<string[]> => {
    const bodies = Array.from({ length: count }, () => depositBody())
    // Sent again where no answer came in time, as a merchant does.
    const send = (body: unknown) =>
      eventually(async () => {
        const answer = await callAt(place, 'POST', '/v2/deposits', body)
        assert.ok(ACCEPTED.has(answer?.body.status), `${answer?.status}`)
      })
    await Promise.all(bodies.map(send))
    return bodies.map(({ depositId }) => depositId)
  }
  /** The operator has them all, and the other node waits for what comes of it. */
  const reachOperator = (ids: readonly string[]): Promise<void> =>
    eventually(async () => {
      const rows = await database.query(
        `select from payments p join sandbox_orders o
           on o.merchant_id = p.merchant_id and o.reference = p.provider_reference
         where p.id = any($1) and p.state = 'PROCESSING' and p.holder not in (0, $2)`,
        [ids, living.node.ctx.node.id()],
      )
      assert.equal(rows.length, ids.length)
    })
  const allWorkEnds = (place: Place): Promise<void> =>
    eventually(async () => {
      const clock = { seconds: OPERATOR_S }
      assert.equal((await callAt(place, 'POST', '/sandbox/clock/advance', clock))?.status, 200)
      await assertAllWorkEnds(database, 2000)
    })
  const statesOf = async (ids: readonly string[]): Promise<string[]> => {
    const rows = await database.query<{ state: string }>(
      'select distinct state from payments where id = any($1)',
      [ids],
    )
    return rows.map(({ state }) => state)
  }
  const assertReceived = (ids: readonly string[]): void => {
    const received = new Set(receiver.received.map(({ body }) => JSON.parse(body).depositId))
    assert.ok(ids.every((id) => received.has(id)))
  }
  const nodesRegistered = async (): Promise<number> => {
    const rows = await database.query('select from nodes')
    return rows.length
  }

  it('the living one finishes the work of the killed one', async (test) => {
    const killed = await addMortalNode(living, test, settings)
    const ids = await deposits(killed, 50)
    await reachOperator(ids)
    await killed.kill()
    await allWorkEnds(living)
    assert.deepEqual(await statesOf(ids), ['COMPLETED'])
    assertReceived(ids)
  })

  it('one frozen past its lease sends nothing twice, joins again and works on', async (test) => {
    const link = await startDatabaseLink(living.databaseUrl)
    await eventually(async () => assert.equal(await nodesRegistered(), 1))
    const frozen = await startProcess({ ...settings, DATABASE_URL: link.url })
    test.after(async () => {
      await frozen.kill()
      await link.close()
    })
    await eventually(async () => assert.equal(await nodesRegistered(), 2))
    const atOperator = await deposits(frozen, 30)
    await reachOperator(atOperator)
    // Stored, and frozen on the way from there to the operator.
    const held = link.holdAnswerTo('accept')
    const posted = deposits(frozen, 1)
    await held.reached
    frozen.signal('SIGSTOP')
    held.letThrough()

    await allWorkEnds(living)
    const states = await database.query('select distinct state from payments')
    assert.deepEqual(states, [{ state: 'COMPLETED' }])
    assert.equal(await nodesRegistered(), 1)

    frozen.signal('SIGCONT')
    const onItsWay = await posted
    await eventually(async () => assert.equal(await nodesRegistered(), 2))
    await eventually(async () => {
      assert.equal((await callAt(frozen, 'GET', '/readyz'))?.status, 200)
    })
    await living.node.stop()
    const later = await deposits(frozen, 5)
    await allWorkEnds(frozen)
    assertReceived([...atOperator, ...onItsWay, ...later])
  })
})

describe('an order that waits for a connection to the operator', { timeout: 540_000 }, async () => {
  const service = await startService()
  after(() => service.stop())
  const { id } = await service.deposit()
  await service.reaches(id, 'COMPLETED')
  const [payment] = await service.database.query<{ key: PaymentKey }>('select key from payments')
  assert.ok(payment !== undefined)
  const order = {
    merchantId: 1 as MerchantId,
    paymentKey: payment.key,
    reference: 'waits',
    operation: 'DEPOSIT',
    phoneNumber: '260763456789',
    provider: 'MTN_MOMO_ZMB',
    amount: '15',
    currency: 'ZMW',
    receivedAt: 0,
    story: undefined,
    paymentId: id as PaymentId,
    isFollowed: false,
    notifyAt: undefined,
  } as const

  /** `mayAct`: when the connection is there. */
  async function booked(
    send: (db: Database, maySend: () => boolean) => Promise<Booking | undefined>,
    mayAct: boolean,
  ): Promise<boolean> {
    const database = openDatabase({ connectionString: service.databaseUrl }, 1)
    let may = true
    const letGo = await holdConnection(database)
    const booking = send(database, () => may)
    // By then it has been asked for, and waits for the only connection.
    await immediately()
    await immediately()
    may = mayAct
    letGo()
    assert.equal((await booking) !== undefined, mayAct)
    const rows = await database.query(
      "delete from sandbox_orders where reference = 'waits' returning reference",
    )
    await database.close()
    return rows.length === 1
  }

  for (const [what, send] of [
    ['in a group', (db: Database, may: () => boolean) => createBookingGroup(db, may).add(order)],
    [
      'with a phone',
      (db: Database, may: () => boolean) => bookWithPhone(db, order, may, async () => undefined),
    ],
  ] as const) {
    it(`is not sent ${what} when the node may no longer act by then`, async () => {
      assert.equal(await booked(send, true), true)
      assert.equal(await booked(send, false), false)
    })
  }
})

async function holdConnection(database: Database): Promise<() => void> {
  let letGo = (): void => {}
  await new Promise<void>((taken) => {
    void database.inTransaction(
      () =>
        new Promise<void>((resolve) => {
          letGo = resolve
          taken()
        }),
    )
  })
  return letGo
}

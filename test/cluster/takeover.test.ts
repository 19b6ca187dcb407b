import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import { setImmediate as immediately } from 'node:timers/promises'
import { payout, reachesPayout } from '../../harness/payouts.ts'
import { assertAllWorkEnds, callAt, type Place, startProcess } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { completedDeposit, refund } from '../../harness/refunds.ts'
import {
  cloneDatabase,
  depositBody,
  eventually,
  type Service,
  startService,
} from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { NODE_TIMING } from '../../src/domain/timing.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { createBookingGroup } from '../../src/store/sandbox/orders.ts'
import { bookWithPhone } from '../../src/store/sandbox/phones.ts'
import { type DatabaseLink, startDatabaseLink } from '../support/database-link.ts'
import { addMortalNode } from '../support/mortal-node.ts'

/**
 * What operators take, on a clock that the test moves on: longer than any machine is slow, and not
 * so long that a node gives a payment out of its hands meanwhile.
 */
const OPERATOR_S = 50
/** Settings of every node here: half the wait for dead nodes. */
const LEASE: Record<string, string> = { MALIPO_SANDBOX_TIME_SCALE: '0.5' }

describe('of two nodes', { timeout: 540_000 }, async () => {
  const receiver = await startReceiver()
  const settings = {
    ...LEASE,
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
    const answers = await Promise.all(
      bodies.map((body) => callAt(place, 'POST', '/v2/deposits', body)),
    )
    for (const answer of answers) assert.equal(answer?.body.status, 'ACCEPTED')
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
    }, 180_000)
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
    // Stored as PROCESSING, and frozen on the way from there to the operator.
    const held = link.holdAnswerTo('advance')
    const onItsWay = await deposits(frozen, 1)
    await held.reached
    frozen.signal('SIGSTOP')
    held.letThrough()

    await allWorkEnds(living)
    assert.deepEqual(await statesOf([...atOperator, ...onItsWay]), ['COMPLETED'])
    assert.equal(await nodesRegistered(), 1)

    frozen.signal('SIGCONT')
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

describe('a node that was taken for dead, or came near to it', { timeout: 540_000 }, () => {
  it('does not send what it had begun under its former name', async (test) => {
    const { service, node, link } = await startBesideLink(test)
    const before = node.node.ctx.node.id()
    const held = link.holdAnswerTo('advance')
    const { id } = await node.deposit()
    await held.reached
    await service.database.query('delete from nodes where node_id = $1', [before])
    await service.reaches(id, 'COMPLETED')
    await eventually(() => assert.ok(node.node.ctx.node.id() > before))
    held.letThrough()
    // A later payment on the same node: by then the held one has gone as far as it can.
    const next = await node.deposit()
    await node.reaches(next.id, 'COMPLETED')
    const orders = await service.database.query('select asked from sandbox_orders')
    assert.deepEqual(orders, [{ asked: 1 }, { asked: 1 }])
  })

  it('has an order on its way, which is waited for and not sent again', async (test) => {
    const { service, node, link } = await startBesideLink(test)
    const living = await startDatabaseLink(service.databaseUrl)
    const other = await service.addNode({ ...LEASE, DATABASE_URL: living.url })
    test.after(async () => {
      await other.stop()
      await living.close()
    })
    await service.node.stop()
    const id = await askedForOnItsWay(node, link, other, living)
    await other.reaches(id, 'COMPLETED')
    const orders = await service.database.query(
      `select o.asked from sandbox_orders o join payments p
         on o.merchant_id = p.merchant_id and o.reference = p.provider_reference
       where p.id = $1`,
      [id],
    )
    assert.deepEqual(orders, [{ asked: 1 }])
  })

  it('holds up nobody with a transaction that it cannot end', async (test) => {
    const { service, node, link } = await startBesideLink(test)
    const depositId = await completedDeposit(service)
    const held = link.holdAnswerTo('hold')
    const refunding = refund(node, depositId)
    await held.reached
    // The wallet is locked by a node that stands still; this payout draws on the same wallet.
    const { id } = await payout(service)
    await reachesPayout(service, id, 'COMPLETED')
    held.letThrough()
    assert.equal((await refunding).status, 500)
  })

  it('leaves a server that says nothing any more for the next one', async (test) => {
    const service = await startService(LEASE)
    const first = await startDatabaseLink(service.databaseUrl)
    const second = await startDatabaseLink(service.databaseUrl)
    const [one, two] = [new URL(first.url), new URL(second.url)]
    const servers = `${one.protocol}//${one.username}@${one.host},${two.host}${one.pathname}`
    const node = await service.addNode({ ...LEASE, DATABASE_URL: servers })
    test.after(async () => {
      await node.stop()
      await Promise.all([first.close(), second.close()])
      await service.stop()
    })
    const before = node.node.ctx.node.id()
    // For good: the connection stays, and nothing comes over it, as when a machine is gone.
    first.swallow()
    await eventually(() => assert.ok(node.node.ctx.node.id() > before), 60_000)
    const { id } = await node.deposit()
    await node.reaches(id, 'COMPLETED')
  })

  it('still looks after a payment that it could not send in time', async (test) => {
    const { service, node, link } = await startBesideLink(test)
    // Alone: nobody takes this node for dead, and nobody else looks after its payments.
    await service.node.stop()
    const held = link.holdAnswerTo('advance')
    const beat = link.holdAnswerTo('beat')
    const { id } = await node.deposit()
    await Promise.all([held.reached, beat.reached])
    await eventually(() => assert.equal(node.node.ctx.node.mayAct(), false))
    held.letThrough()
    beat.letThrough()
    await node.reaches(id, 'COMPLETED')
  })
})

describe('nodes whose waits are scaled', { timeout: 540_000 }, () => {
  it('take over from a dead one, which then joins again', async (test) => {
    const scaled = { MALIPO_SANDBOX_TIME_SCALE: '0.5' }
    const { service, node, link } = await startBesideLink(test, scaled)
    const { deadAfterMs } = service.node.ctx.timing
    assert.equal(deadAfterMs, NODE_TIMING.deadAfterMs / 2)
    const before = node.node.ctx.node.id()
    const advance = link.holdAnswerTo('advance')
    const { id } = await node.deposit()
    const heartbeat = link.holdAnswerTo('beat')
    await heartbeat.reached
    await service.reaches(id, 'COMPLETED')
    const left = await service.database.query('select from nodes where node_id = $1', [before])
    assert.deepEqual(left, [])
    heartbeat.letThrough()
    advance.letThrough()
    await eventually(() => assert.ok(node.node.ctx.node.id() > before))
  })
})

describe('an order that waits for a connection to the operator', { timeout: 540_000 }, () => {
  const order = {
    merchantId: 1 as MerchantId,
    reference: 'waits',
    operation: 'DEPOSIT',
    phoneNumber: '260763456789',
    provider: 'MTN_MOMO_ZMB',
    amount: '15',
    currency: 'ZMW',
    receivedAt: 0,
    story: undefined,
    paymentId: undefined,
    notifyAt: undefined,
  }
  for (const [what, send] of [
    ['in a group', (db: Database, may: () => boolean) => createBookingGroup(db, may).add(order)],
    [
      'with a phone',
      (db: Database, may: () => boolean) => bookWithPhone(db, order, may, async () => undefined),
    ],
  ] as const) {
    it(`is not sent ${what} when the node may no longer act by then`, async (test) => {
      const database = openDatabase({ connectionString: await cloneDatabase() }, 1)
      test.after(() => database.close())
      let mayAct = true
      let letGo = (): void => {}
      const busy = new Promise<void>((taken) => {
        void database.inTransaction(
          () =>
            new Promise<void>((resolve) => {
              letGo = resolve
              taken()
            }),
        )
      })
      await busy
      const booking = send(database, () => mayAct)
      // By then it has been asked for, and waits for the only connection.
      await immediately()
      await immediately()
      mayAct = false
      letGo()
      assert.equal(await booking, undefined)
      assert.deepEqual(await database.query('select from sandbox_orders'), [])
    })
  }
})

/** Sooner than an order that does not arrive counts as lost, by more than the last step takes. */
const IN_TIME_MS = 4000

/**
 * A deposit whose order is held up on its way from a node that was taken for dead, until the
 * operator has been asked about it and has no such order yet.
 */
async function askedForOnItsWay(
  node: Service,
  link: DatabaseLink,
  other: Service,
  living: DatabaseLink,
): Promise<string> {
  const asked = (): number => living.sent('find-order') + link.sent('find-order')
  for (let tries = 1; ; tries += 1) {
    const [before, begun] = [asked(), performance.now()]
    const held = link.holdRequestOf('book-orders')
    const { id } = await node.deposit()
    await held.reached
    await other.database.query('delete from nodes where node_id = $1', [node.node.ctx.node.id()])
    await eventually(() => assert.ok(asked() > before))
    const isInTime = performance.now() - begun < IN_TIME_MS
    // One that comes later was sent anew already, and rightly so; it never arrives.
    if (!isInTime) link.cut()
    held.letThrough()
    if (isInTime) return id
    assert.ok(tries < 30, 'no order could be let through in time')
    await other.reaches(id, 'COMPLETED')
    await eventually(async () => assert.equal((await node.get('/readyz')).status, 200))
  }
}

async function startBesideLink(test: TestContext, settings: Record<string, string> = LEASE) {
  const service = await startService(settings)
  test.after(() => service.stop())
  const link = await startDatabaseLink(service.databaseUrl)
  const node = await service.addNode({ ...settings, DATABASE_URL: link.url })
  test.after(async () => {
    await node.stop()
    await link.close()
  })
  return { service, node, link }
}

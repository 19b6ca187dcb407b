import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { payout, reachesPayout } from '../../harness/payouts.ts'
import { startProcess } from '../../harness/process.ts'
import { completedDeposit, refund } from '../../harness/refunds.ts'
import { itInProofs } from '../../harness/scale.ts'
import { eventually, type Service, startService } from '../../harness/service.ts'
import { LIMITS, NODE_TIMING } from '../../src/domain/timing.ts'
import { type DatabaseLink, startDatabaseLink } from '../support/database-link.ts'

// One after the other and with whole waits: a node that a slow machine makes late must not be taken
// for dead before the test has it taken for dead.
describe('a node that was taken for dead, or nearly was', { timeout: 540_000 }, () => {
  it('does not send what it has just accepted under its former identity', async (test) => {
    const { service, node, link } = await startBesideLink(test)
    const accepted = link.holdAnswerTo('accept')
    const posted = node.deposit()
    await accepted.reached
    await diesAndIsReplaced(service, node)
    accepted.letThrough()
    await posted
    await assertOrderedOnce(service, node)
  })

  itInProofs('does not send what it accepted earlier and is about to send', async (test) => {
    const { service, node, link } = await startBesideLink(test)
    const accepted = link.holdAnswerTo('accept')
    const posted = node.deposit()
    await accepted.reached
    // So late, PROCESSING is stored before the order leaves.
    await sleep(LIMITS.sentAtOnceWithinMs)
    const processing = link.holdAnswerTo('advance')
    accepted.letThrough()
    await Promise.all([posted, processing.reached])
    await diesAndIsReplaced(service, node)
    processing.letThrough()
    await assertOrderedOnce(service, node)
  })

  itInProofs('has an order on its way, which is waited for and not sent again', async (test) => {
    const { service, node, link } = await startBesideLink(test)
    const living = await startDatabaseLink(service.databaseUrl)
    const other = await service.addNode({ DATABASE_URL: living.url })
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

  itInProofs('blocks no other node with a transaction that it cannot end', async (test) => {
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

  itInProofs('leaves a server that is silent for the next one', async (test) => {
    const service = await startService()
    const first = await startDatabaseLink(service.databaseUrl)
    const second = await startDatabaseLink(service.databaseUrl)
    const [one, two] = [new URL(first.url), new URL(second.url)]
    const servers = `${one.protocol}//${one.username}@${one.host},${two.host}${one.pathname}`
    const node = await service.addNode({ DATABASE_URL: servers })
    test.after(async () => {
      await node.stop()
      await Promise.all([first.close(), second.close()])
      await service.stop()
    })
    const before = node.node.ctx.node.id()
    // For good: the connection stays, and nothing comes over it, as when a machine is gone.
    first.swallow()
    await eventually(() => assert.ok(node.node.ctx.node.id() > before))
    const { id } = await node.deposit()
    await node.reaches(id, 'COMPLETED')
  })

  itInProofs('still handles a payment that it could not send in time', async (test) => {
    const { service, node, link } = await startBesideLink(test)
    // Alone: no other node takes this one for dead, or handles its payments.
    await service.node.stop()
    const held = link.holdAnswerTo('accept')
    const heartbeat = link.holdAnswerTo('heartbeat')
    const posted = node.deposit()
    await Promise.all([held.reached, heartbeat.reached])
    await eventually(() => assert.equal(node.node.ctx.node.mayAct(), false))
    held.letThrough()
    heartbeat.letThrough()
    const { id } = await posted
    await node.reaches(id, 'COMPLETED')
  })

  itInProofs('is not taken for dead while its main thread is busy', async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'malipo-busy-'))
    const busyWhile = join(folder, 'busy')
    writeFileSync(busyWhile, '')
    const service = await startService()
    const node = await startProcess({
      DATABASE_URL: service.databaseUrl,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(busyOnSignal(busyWhile))}`,
    })
    test.after(async () => {
      await node.kill()
      await service.stop()
      rmSync(folder, { recursive: true })
    })
    const rowOf = async (pid: number): Promise<Row | undefined> => {
      const rows = await service.database.query<Row>(
        'select node_id, beat::int, pulse::int from nodes where pid = $1',
        [pid],
      )
      return rows[0]
    }
    const before = await rowOf(node.pid)
    node.signal('SIGUSR2')
    await eventually(async () => assert.ok(((await rowOf(node.pid))?.pulse ?? 0) > 0))
    // After that many heartbeats of the other, a node without one counts as dead.
    const since = (await rowOf(process.pid))?.beat ?? 0
    const enough = since + (2 * NODE_TIMING.deadAfterMs) / NODE_TIMING.heartbeatEveryMs
    await eventually(async () => {
      assert.ok(((await rowOf(process.pid))?.beat ?? 0) > enough)
    })
    assert.equal((await rowOf(node.pid))?.node_id, before?.node_id)
    rmSync(busyWhile)
    await eventually(async () => assert.equal((await fetch(`${node.url}/readyz`)).status, 200))
  })

  itInProofs('joins again, and the waits of all of them are scaled', async (test) => {
    const scaled = { MALIPO_SANDBOX_TIME_SCALE: '0.5' }
    const { service, node, link } = await startBesideLink(test, scaled)
    const { deadAfterMs } = service.node.ctx.timing
    assert.equal(deadAfterMs, NODE_TIMING.deadAfterMs / 2)
    const before = node.node.ctx.node.id()
    const advance = link.holdRequestOf('advance')
    const { id } = await node.deposit()
    const heartbeat = link.holdAnswerTo('heartbeat')
    await heartbeat.reached
    await service.reaches(id, 'COMPLETED')
    const left = await service.database.query('select from nodes where node_id = $1', [before])
    assert.deepEqual(left, [])
    heartbeat.letThrough()
    advance.letThrough()
    await eventually(() => assert.ok(node.node.ctx.node.id() > before))
  })
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

/** The payment that it has in hand is completed by the other node. */
async function diesAndIsReplaced(service: Service, node: Service): Promise<void> {
  const before = node.node.ctx.node.id()
  await service.database.query('delete from nodes where node_id = $1', [before])
  await eventually(async () => {
    const rows = await service.database.query('select state from payments')
    assert.deepEqual(rows, [{ state: 'COMPLETED' }])
  })
  await eventually(() => assert.ok(node.node.ctx.node.id() > before))
}

/** After a later payment on the same node: by then the first has gone as far as it can. */
async function assertOrderedOnce(service: Service, node: Service): Promise<void> {
  const next = await node.deposit()
  await node.reaches(next.id, 'COMPLETED')
  const orders = await service.database.query('select asked from sandbox_orders')
  assert.deepEqual(orders, [{ asked: 1 }, { asked: 1 }])
}

async function startBesideLink(test: TestContext, settings: Record<string, string> = {}) {
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

type Row = { readonly node_id: number; readonly beat: number; readonly pulse: number }

/** A program whose main thread stands still from a signal on, as long as there is the file. */
const busyOnSignal = (file: string): string => `
  import { existsSync } from 'node:fs'
  process.on('SIGUSR2', () => {
    const cell = new Int32Array(new SharedArrayBuffer(4))
    while (existsSync(${JSON.stringify(file)})) Atomics.wait(cell, 0, 0, 50)
  })`

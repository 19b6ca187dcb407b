import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { advanceUntil } from '../../harness/operator.ts'
import {
  advanceUntilPayout,
  MTN,
  payout,
  reachesPayout,
  switchPayouts,
} from '../../harness/payouts.ts'
import {
  assertBooks,
  eventually,
  payer,
  type Service,
  startService,
} from '../../harness/service.ts'
import { split, splitReaches } from '../../harness/splits.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { claimPayments } from '../../src/store/payments/payments.ts'
import { copyDatabase, onServer } from '../node/program.ts'

const HOUR = 3600

it('what was sent after the backup is looked up and not sent again', async () => {
  const number = '260763456701'
  const first = await startService()
  running.add(first)
  const pays = { script: [{ afterSeconds: HOUR, answer: 'done' }] }
  assert.equal((await first.put(`/sandbox/phones/${number}`, pays)).status, 204)
  const shared = await split(first, { payer: payer(number, MTN) })
  await first.reaches(shared.id, 'PROCESSING')
  await switchPayouts(first, 'DELAYED')
  const { id } = await payout(first)
  await reachesPayout(first, id, 'ENQUEUED')
  await stop(first)
  const backup = await copyDatabase(first.databaseUrl)

  // What happens after the backup is lost to the service, and not to the operator.
  const second = await first.addNode()
  running.add(second)
  assert.deepEqual(marks(second), [])
  await switchPayouts(second, 'OPERATIONAL')
  await reachesPayout(second, id, 'COMPLETED')
  await second.advance(HOUR)
  await splitReaches(second, shared.id, 'COMPLETED')
  const restored = await restoreFor(second, backup)
  assert.deepEqual(await timesAsked(restored), [1, 1, 1, 1])
  await stop(second)

  // Nobody says that it was restored: the node sees by itself that the data are elsewhere.
  const third = await first.addNode({ DATABASE_URL: backup })
  running.add(third)
  // Two parts of the split payment and the enqueued payout.
  assert.deepEqual(marks(third), [3])
  await third.advance(2 * HOUR)
  await switchPayouts(third, 'OPERATIONAL')
  await splitReaches(third, shared.id, 'COMPLETED')
  await advanceUntilPayout(third, id, 'COMPLETED')
  assert.deepEqual(await timesAsked(restored), [1, 1, 1, 1])

  // What is asked for from now on is sent at once.
  const later = await payout(third)
  await reachesPayout(third, later.id, 'COMPLETED')
  assert.deepEqual(await timesAsked(restored), [1, 1, 1, 1, 1])
  await stop(third)

  // Another start in the same place finds nothing new.
  const fourth = await first.addNode({ DATABASE_URL: backup })
  running.add(fourth)
  assert.deepEqual(marks(fourth), [])
  await stop(fourth)
  await assertBooks(restored)
  await restored.close()
})

it('a node that is at work while the database goes back in time looks up as well', async () => {
  const first = await startService()
  running.add(first)
  await switchPayouts(first, 'DELAYED')
  const { id } = await payout(first)
  await reachesPayout(first, id, 'ENQUEUED')
  await stop(first)
  const backup = await copyDatabase(first.databaseUrl)
  const node = await first.addNode()
  running.add(node)
  await switchPayouts(node, 'OPERATIONAL')
  await reachesPayout(node, id, 'COMPLETED')
  const lost = await node.deposit()
  await node.reaches(lost.id, 'COMPLETED')
  const restored = await restoreFor(node, backup)
  await restored.close()
  await takeThePlaceOf(first.databaseUrl, backup)
  await eventually(() => assert.deepEqual(marks(node), [1]))
  await eventually(() => switchPayouts(node, 'OPERATIONAL'))
  await advanceUntilPayout(node, id, 'COMPLETED')
  assert.deepEqual(await timesAsked(node.database), [1, 1])

  // A deposit that went with the lost rows is new when it comes again, and not paid twice.
  assert.equal((await node.deposit({ depositId: lost.id })).body.status, 'ACCEPTED')
  await advanceUntil(node, lost.id, 'COMPLETED')
  const orders = await node.database.query<{ paid: number }>(
    `select count(*)::int as paid from sandbox_orders where operation = 'DEPOSIT'`,
  )
  assert.deepEqual(orders, [{ paid: 1 }])
  await stop(node)
})

it('a node notices also where no connection breaks, and claims nothing before', async () => {
  const node = await startService()
  running.add(node)
  await switchPayouts(node, 'DELAYED')
  const { id } = await payout(node)
  await reachesPayout(node, id, 'ENQUEUED')
  const lost = await node.deposit({ payer: payer('260763456039', MTN) })
  await node.reaches(lost.id, 'FAILED')
  const { lineage } = node.node.ctx.node
  const known = lineage()
  await node.database.inTransaction(async (tx) => {
    // As a dump does that is read into the same database.
    await tx.query('create table restored_state (like service_state including all)')
    await tx.query('insert into restored_state select * from service_state')
    await tx.query('drop table service_state')
    await tx.query('alter table restored_state rename to service_state')
    await tx.query(`update payments set due_at = now() where state = 'ENQUEUED'`)
    await tx.query('delete from payments where id = $1', [lost.id])
  })
  const claim = (at: string) =>
    claimPayments(node.database, node.node.ctx.node.id(), at, Date.now() + HOUR * 1000, 10)
  assert.deepEqual(await claim(known), [])
  await eventually(() => assert.deepEqual(marks(node), [1]))
  assert.notEqual(lineage(), known)
  await eventually(() =>
    assert.ok(node.logLines.some((line) => line.includes('joined again as a new node'))),
  )
  // What is missing now was accepted once, and is new when it comes again.
  const again = await node.deposit({ depositId: lost.id, payer: payer('260763456039', MTN) })
  assert.equal(again.body.status, 'ACCEPTED')
  await advanceUntil(node, lost.id, 'FAILED')
  await switchPayouts(node, 'OPERATIONAL')
  await advanceUntilPayout(node, id, 'COMPLETED')
  await stop(node)
})

/** The operator's book stays as it is when the service goes back to its backup. */
async function restoreFor(service: Service, backup: string): Promise<Database> {
  const book = await service.database.query('select * from sandbox_orders')
  const restored = openDatabase({ connectionString: backup }, 2)
  await restored.query('delete from sandbox_orders')
  await restored.query(
    'insert into sandbox_orders select * from json_populate_recordset(null::sandbox_orders, $1)',
    [JSON.stringify(book)],
  )
  return restored
}

/** The one database goes under the name of the other, whose users lose their connections. */
async function takeThePlaceOf(databaseUrl: string, copyUrl: string): Promise<void> {
  const [name, copy] = [databaseUrl, copyUrl].map((url) => new URL(url).pathname.slice(1))
  await onServer(databaseUrl, `alter database ${name} allow_connections false`)
  await eventually(async () => {
    await onServer(
      databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname in ('${name}', '${copy}')`,
    )
    await onServer(databaseUrl, `alter database ${name} rename to ${name}_gone`)
  })
  await onServer(databaseUrl, `alter database ${copy} rename to ${name}`)
}

/** How many payments are looked up first, for each time that the node found the data elsewhere. */
const marks = ({ logLines }: Service): readonly number[] =>
  logLines
    .filter((line) => line.includes('looked up at their operators first'))
    .map((line) => JSON.parse(line).unsent)

/** Also where the test fails before it stops them. */
const running = new Set<Service>()
after(async () => {
  for (const one of running) await stop(one)
})

async function stop(service: Service): Promise<void> {
  running.delete(service)
  await service.stop()
}

const timesAsked = async (database: Database): Promise<number[]> =>
  (await database.query<{ asked: number }>('select asked from sandbox_orders')).map(
    ({ asked }) => asked,
  )

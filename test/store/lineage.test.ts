import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { cloneDatabase } from '../../harness/service.ts'
import { type NodeId, UNHELD } from '../../src/domain/ids.ts'
import { hasForgotten, isSynchronous, readPlace } from '../../src/store/cluster/lineage.ts'
import { registerNode, removeNode, sendHeartbeat } from '../../src/store/cluster/nodes.ts'
import { initialiseState } from '../../src/store/cluster/service-state.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { copyDatabase } from '../node/program.ts'

const url = await cloneDatabase()
const database = openDatabase({ connectionString: url }, 2)
await initialiseState(database, 'sandbox')
after(() => database.close().catch(() => {}))

const join = (): Promise<NodeId> =>
  registerNode(
    database,
    { machine: 'here', pid: 1, version: '0.0.0', startedAt: Date.now() },
    UNHELD,
    Date.now(),
  )

it('a database has forgotten a node if it lacks its heartbeats, or never knew it', async () => {
  const node = await join()
  await sendHeartbeat(database, node)
  await sendHeartbeat(database, node)
  assert.equal(await hasForgotten(database, node, 2), false)
  assert.equal(await hasForgotten(database, node, 3), true)
  // Taken for dead by another node: nothing is missing.
  await removeNode(database, node)
  assert.equal(await hasForgotten(database, node, 2), false)
  assert.equal(await hasForgotten(database, (node + 1) as NodeId, 0), true)
})

it('a server is synchronous where every standby that is named must confirm', () => {
  for (const [standbys, commits, expected] of [
    ['second', 'on', true],
    ['"Second 2"', 'remote_apply', true],
    ['FIRST 1 (second)', 'on', true],
    ['2 (second, third)', 'on', true],
    ['ANY 2 (second, third)', 'on', true],
    ['', 'on', false],
    ['*', 'on', false],
    ['second, third', 'on', false],
    ['ANY 1 (second, third)', 'on', false],
    ['FIRST 1 (*)', 'on', false],
    ['second', 'local', false],
    ['second', 'remote_write', false],
    ['second', 'off', false],
  ] as const) {
    assert.equal(isSynchronous({ standbys, commits }), expected, `${standbys} ${commits}`)
  }
})

it('the same place has the same lineage, and a copy another', async () => {
  const place = await readPlace(database)
  assert.deepEqual(await readPlace(database), place)
  assert.equal(place.isSynchronous, false)
  assert.match(place.lineage, /^\d+\.[0-9A-F]{8}\.\d+\.\d+$/)
  // If the server reveals nothing about itself, database and table remain.
  await database.inTransaction(async (tx) => {
    await tx.query('create role lineage_test')
    await tx.query('revoke execute on function pg_control_system() from public')
    await tx.query('set local role lineage_test')
    const [row] = await tx.query<{ lineage: string }>('select data_lineage() as lineage')
    assert.ok(place.lineage.endsWith(`.${row?.lineage}`))
    assert.match(row?.lineage ?? '', /^\d+\.\d+$/)
    await tx.query('reset role')
    await tx.query('drop role lineage_test')
  })
  await database.close()
  const copy = openDatabase({ connectionString: await copyDatabase(url) }, 2)
  assert.notEqual((await readPlace(copy)).lineage, place.lineage)
  await copy.close()
})

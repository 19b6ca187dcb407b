import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { cloneDatabase } from '../../harness/service.ts'
import { markRestored } from '../../src/store/cluster/lineage.ts'
import { initialiseState } from '../../src/store/cluster/service-state.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { heartbeatingNode } from '../support/membership.ts'

it('a node acts on data that another one has marked only when it knows the mark', async () => {
  const database = openDatabase({ connectionString: await cloneDatabase() }, 2)
  await initialiseState(database, 'sandbox')
  const membership = heartbeatingNode(database)
  await membership.start()
  try {
    const known = membership.lineage()
    assert.equal(membership.restoredAt(), Number.NEGATIVE_INFINITY)
    await database.inTransaction(async (tx) => {
      await tx.query('create table restored_state (like service_state including all)')
      await tx.query('insert into restored_state select * from service_state')
      await tx.query('drop table service_state')
      await tx.query('alter table restored_state rename to service_state')
      await markRestored(tx)
    })
    while (!membership.mayAct() || membership.lineage() === known) await turn()
    assert.ok(Number.isFinite(membership.restoredAt()))
  } finally {
    await membership.stop()
    await database.close()
  }
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cloneDatabase } from '../../harness/service.ts'
import { initialiseState } from '../../src/store/cluster/service-state.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { heartbeatingNode } from '../support/membership.ts'

it('a node whose machine was suspended may not act before its next heartbeat', async () => {
  const database = openDatabase({ connectionString: await cloneDatabase() }, 2)
  await initialiseState(database, 'sandbox')
  let wentBy = 0
  const membership = heartbeatingNode(database, () => Date.now() + wentBy)
  await membership.start()
  try {
    assert.ok(membership.mayAct())
    // The steady clock of the machine does not notice; the clock on the wall does.
    wentBy = 4000
    assert.equal(membership.mayAct(), false)
    wentBy = 6000
    assert.equal(membership.isJoined(), false)
    wentBy = -60_000
    assert.ok(membership.mayAct())
  } finally {
    await membership.stop()
    await database.close()
  }
})

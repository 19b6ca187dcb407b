import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openDatabase } from '../../src/store/database.ts'
import { initialiseState } from '../../src/store/service-state.ts'
import { beatingNode } from '../support/membership.ts'
import { cloneDatabase } from '../support/service.ts'

it('a node whose machine was suspended may not act before it has beaten again', async () => {
  const database = openDatabase({ connectionString: await cloneDatabase() }, 2)
  await initialiseState(database, 'sandbox')
  let wentBy = 0
  const membership = beatingNode(database, () => Date.now() + wentBy)
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

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startService } from '../../harness/service.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { createMerchantDirectory } from '../../src/usecases/accounts/merchant-directory.ts'

const service = await startService()
after(() => service.stop())

/** A directory that knew the caller, is not notified of changes, and then cannot ask the database. */
async function cutOff(change: (forget: () => void) => void) {
  const database = openDatabase({ connectionString: service.databaseUrl }, 1)
  const directory = createMerchantDirectory(database, Date.now)
  directory.follow(true)
  await directory.byToken(service.token)
  assert.ok(directory.known(service.token))
  directory.follow(false)
  change(directory.forget)
  await database.close()
  return directory.byToken(service.token)
}

describe('without the database, while changes are not announced', () => {
  it('a caller that was known is believed', async () => {
    const caller = await cutOff(() => {})
    assert.ok(caller)
  })

  it('but not after a change that this node has made', async () => {
    await assert.rejects(cutOff((forget) => forget()))
  })
})

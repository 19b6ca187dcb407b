import assert from 'node:assert/strict'
import { it } from 'node:test'
import { payout, reachesPayout, switchPayouts } from '../../harness/payouts.ts'
import { cloneDatabase, startService } from '../../harness/service.ts'
import { openCommandLine } from './command-line.ts'

it('`restored` waits until no node is at work, and says how many payments it concerns', async (t) => {
  const service = await startService()
  const commandLine = openCommandLine({ DATABASE_URL: service.databaseUrl })
  t.after(commandLine.close)
  await switchPayouts(service, 'DELAYED')
  const { id } = await payout(service)
  await reachesPayout(service, id, 'ENQUEUED')

  const early = await commandLine.run(['restored'])
  await service.stop()
  assert.equal(early.code, 2)
  assert.match(early.stderr, /A node is at work on this database: version .*Stop all nodes first\./)

  const ended = await commandLine.run(['restored'])
  assert.equal(ended.stderr, '')
  assert.match(ended.stdout, /^1 payment waits to be sent\. It is looked up at its operator first/)
  assert.match(ended.stdout, / in the time that is lost\. Start the nodes now\.\n$/)
  const result = await commandLine.run(['restored', '--json'])
  assert.deepEqual(JSON.parse(result.stdout), { paymentsLookedUpFirst: 1 })
  const unused = await commandLine.run(['restored'], { DATABASE_URL: await cloneDatabase() })
  assert.equal(unused.stdout, 'No payment waits to be sent. Start the nodes now.\n')
})

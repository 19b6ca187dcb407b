import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assertAllWorkEnds } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'

const PROGRAM = fileURLToPath(new URL('../support/paying-node.js', import.meta.url))
const settings = { MALIPO_SANDBOX_DELAY_MS: '20' }
const service = await startService(settings)
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { checkout: receiver.url, deposit: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

/** Runs until enough checkouts were paid on, then dies in the middle of whatever it does. */
async function payUntilKilled(pays: number): Promise<readonly string[]> {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM], {
    env: { ...settings, PORT: '0', DATABASE_URL: service.databaseUrl, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  let output = ''
  const ended = once(child, 'exit')
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (output.split('\n').length > pays) kill()
  })
  await ended
  process.off('exit', kill)
  return output.split('\n').slice(0, -1)
}

it('nodes killed while customers pay: every attempt ends, and so does what it belongs to', {
  timeout: 540_000,
}, async () => {
  const started = (await Promise.all([40, 60, 80].map(payUntilKilled))).flat()
  assert.ok(started.length >= 180)
  await assertAllWorkEnds(service.database)
  type Row = { id: string; state: string; attempts: number; callbacks: number; isOver: boolean }
  const rows = await eventually(async () => {
    const found = await service.database.query<Row>(
      `select c.id, c.state, c.attempts, c.ended_at is not null as "isOver",
              (select count(*)::int from callbacks b
               where b.merchant_id = c.merchant_id and b.payment_key = c.key) as callbacks
       from checkouts c`,
    )
    assert.deepEqual(
      found.filter(({ state }) => state === 'PROCESSING'),
      [],
    )
    return found
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const id of started) assert.ok((byId.get(id)?.attempts ?? 0) >= 1, id)
  for (const { isOver, callbacks } of rows) assert.equal(callbacks, isOver ? 1 : 0)
  const states = new Set(rows.map(({ state }) => state))
  for (const state of ['COMPLETED', 'CANCELLED', 'WAITING_PAYMENT']) assert.ok(states.has(state))
  await service.advance(15 * 60)
  await eventually(async () => {
    const open = await service.database.query('select from checkouts where ended_at is null')
    assert.equal(open.length, 0)
  })
})

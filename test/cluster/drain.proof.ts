import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { copyInitialised } from '../../harness/data-folder.ts'
import {
  assertAllWorkEnds,
  callAt,
  type NodeProcess,
  type Settings,
  startProcess,
} from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import {
  assertBooks,
  cloneDatabase,
  depositBody,
  eventually,
  payer,
} from '../../harness/service.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { checkpoint } from '../support/checkpoint.ts'
import { startDatabaseLink } from '../support/database-link.ts'

const databaseUrl = await cloneDatabase()
const database = openDatabase({ connectionString: databaseUrl }, 4)
const link = await startDatabaseLink(databaseUrl)
const receiver = await startReceiver()
const nodes: NodeProcess[] = []
after(async () => {
  for (const node of nodes) await node.kill()
  await link.close()
  await assertBooks(database)
  await database.close()
  await receiver.close()
})

const start = async (settings: Settings = {}): Promise<NodeProcess> => {
  const node = await startProcess({
    DATABASE_URL: link.url,
    MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
    MALIPO_SANDBOX_DELAY_MS: '0',
    ...settings,
  })
  nodes.push(node)
  return node
}
const PAYS_AT_ONCE = '260763456701'
const SCRIPT = { script: [{ afterSeconds: 0, answer: 'done' }] }
const deposit = (node: NodeProcess) => callAt(node, 'POST', '/v2/deposits', depositBody())

// A node that cannot stop in time ends itself with code 1 before the 10 s are over, so that code 0
// says both: everything was done, and within the time.
const STOPPED = { code: 0, signal: null }

describe('SIGTERM', { concurrency: 2, timeout: 540_000 }, () => {
  it('answers requests in flight and waits for nothing else; sent twice, it ends the node at once', async () => {
    const first = await start({ MALIPO_SANDBOX_DELAY_MS: '600000' })
    for (let count = 0; count < 20; count += 1) {
      assert.equal((await deposit(first))?.body.status, 'ACCEPTED')
    }
    await allAtTheOperator(20)
    // A receiver that hangs, and clients that say nothing, stop in the middle, or stay.
    receiver.answer(() => {})
    const hanging = depositBody({ payer: payer(PAYS_AT_ONCE, 'MTN_MOMO_ZMB') })
    assert.equal(
      (await callAt(first, 'PUT', `/sandbox/phones/${PAYS_AT_ONCE}`, SCRIPT))?.status,
      204,
    )
    assert.equal((await callAt(first, 'POST', '/v2/deposits', hanging))?.body.status, 'ACCEPTED')
    await eventually(() => assert.equal(receiver.received.length, 1))
    const sockets = await Promise.all([
      openSocket(first, ''),
      openSocket(
        first,
        'POST /v2/deposits HTTP/1.1\r\nhost: x\r\ncontent-length: 500\r\n\r\n{"dep',
      ),
      openSocket(first, 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n'),
    ])
    await once(sockets[2] as Socket, 'data')
    const held = link.holdAnswerTo('accept')
    const answer = deposit(first)
    await held.reached
    first.signal('SIGTERM')
    await refusesConnections(first)
    held.letThrough()
    assert.equal((await answer)?.body.status, 'ACCEPTED')
    assert.deepEqual(await first.ended, STOPPED)
    for (const socket of sockets) socket.destroy()
    await assertNothingHeld()

    receiver.answer(200)
    const second = await start({ MALIPO_SANDBOX_DELAY_MS: '600000' })
    await allAtTheOperator(22)
    await callAt(second, 'POST', '/sandbox/clock/advance', { seconds: 600 })
    await assertAllWorkEnds(database)
    // The one that hung is owed as before.
    assert.equal(receiver.received.length, 23)

    // Given twice, it ends the process at once, and what was under way goes on later.
    const lost = link.holdAnswerTo('accept')
    const unanswered = deposit(second)
    await lost.reached
    second.signal('SIGTERM')
    await refusesConnections(second)
    second.signal('SIGTERM')
    assert.deepEqual(await second.ended, { code: 1, signal: null })
    assert.equal(await unanswered, undefined)
    lost.letThrough()
    const third = await start()
    await assertAllWorkEnds(database)
    assert.deepEqual(await third.stop(), STOPPED)
  })

  it('stops the embedded PostgreSQL as well, also when given twice', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'malipo-test-'))
    await copyInitialised(dataDir)
    const lockFile = join(dataDir, 'postgres', 'postmaster.pid')
    const settings = { MALIPO_DATA_DIR: dataDir }
    for (const times of [1, 2]) {
      const node = await startProcess(settings)
      nodes.push(node)
      const postmaster = Number.parseInt(await readFile(lockFile, 'utf8'), 10)
      assert.equal((await deposit(node))?.body.status, 'ACCEPTED')
      await checkpoint(dataDir)
      for (let count = 0; count < times; count += 1) node.signal('SIGTERM')
      const { code } = await node.ended
      if (times === 1) assert.equal(code, 0)
      await eventually(() => {
        assert.throws(() => process.kill(postmaster, 0), { code: 'ESRCH' })
      })
      await assert.rejects(readFile(lockFile), { code: 'ENOENT' })
    }
    await rm(dataDir, { recursive: true, force: true })
  })
})

async function allAtTheOperator(count: number): Promise<void> {
  await eventually(async () => {
    const rows = await database.query('select from sandbox_orders')
    assert.equal(rows.length, count)
  })
}

async function assertNothingHeld(): Promise<void> {
  const [held] = await database.query(
    `select (select count(*)::int from payments where holder <> 0) as payments,
            (select count(*)::int from callbacks where holder <> 0) as callbacks,
            (select count(*)::int from nodes) as nodes`,
  )
  assert.deepEqual(held, { payments: 0, callbacks: 0, nodes: 0 })
}

async function refusesConnections(node: NodeProcess): Promise<void> {
  await eventually(async () => assert.equal(await callAt(node, 'GET', '/livez'), undefined))
}

async function openSocket({ url }: NodeProcess, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

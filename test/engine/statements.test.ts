import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, describe, it } from 'node:test'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { type DatabaseLink, startDatabaseLink } from '../support/database-link.ts'
import { writeMovements } from '../support/movements.ts'
import { callAt, type NodeProcess, startProcess } from '../support/process.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import {
  assertBooks,
  cloneDatabase,
  depositBody,
  eventually,
  payer,
  startService,
} from '../support/service.ts'
import {
  askStatement,
  assertAddsUp,
  ended,
  rowsOf,
  statementBody,
  statementOf,
  walletBalance,
} from '../support/statements.ts'

/** Enough for several pieces. */
const MOVEMENTS = 3000

type Scene = {
  readonly database: Database
  readonly link: DatabaseLink
  readonly receiver: Receiver
  /** A process that reaches its database through the link, or straight. */
  start(through?: 'link'): Promise<NodeProcess>
}

let clearUp: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const step of clearUp.toReversed()) await step()
  clearUp = []
})

async function setScene(): Promise<Scene> {
  const databaseUrl = await cloneDatabase()
  const database = openDatabase({ connectionString: databaseUrl }, 4)
  const link = await startDatabaseLink(databaseUrl)
  const receiver = await startReceiver()
  clearUp.push(async () => {
    await assertBooks(database)
    await database.close()
    await link.close()
    await receiver.close()
  })
  const start = async (through?: 'link'): Promise<NodeProcess> => {
    const node = await startProcess({
      DATABASE_URL: through === 'link' ? link.url : databaseUrl,
      MALIPO_SANDBOX_DELAY_MS: '0',
    })
    clearUp.push(node.kill)
    return node
  }
  return { database, link, receiver, start }
}

async function ask(node: NodeProcess, receiver: Receiver): Promise<string> {
  const body = statementBody({ callbackUrl: receiver.url })
  const answer = await callAt(node, 'POST', '/v2/statements', body)
  assert.equal(answer?.body.status, 'ACCEPTED')
  return answer?.body.statementId
}

/** The statement is over, its file is whole and adds up, and its end was told once. */
async function assertWritten(scene: Scene, node: NodeProcess, id: string): Promise<void> {
  const { database, receiver } = scene
  const record = await eventually(async () => {
    const answer = await callAt(node, 'GET', `/v2/statements/${id}`)
    assert.equal(answer?.body.data.status, 'COMPLETED')
    return answer?.body.data
  }, 40_000)
  const { pathname } = new URL(record.downloadUrl)
  const text = await (await fetch(node.url + pathname)).text()
  assert.equal(Buffer.byteLength(text), record.fileSize)
  const rows = rowsOf(text)
  assert.equal(rows.length, MOVEMENTS + 1)
  assertAddsUp(record, rows)
  const [pieces] = await database.query<{ size: number; count: number; last: number }>(
    `select sum(length(bytes))::int as size, count(*)::int as count, max(piece) as last
     from statement_pieces where statement_id = $1`,
    [id],
  )
  assert.equal(pieces?.size, record.fileSize)
  assert.ok((pieces?.count ?? 0) > 1)
  assert.equal(pieces?.last, (pieces?.count ?? 0) - 1)
  await eventually(async () => {
    const left = await database.query('select from callbacks where due_at is not null')
    assert.equal(left.length, 0)
  })
  const told = receiver.received.filter(({ body }) => JSON.parse(body).statementId === id)
  assert.equal(told.length, 1)
  assert.deepEqual(JSON.parse(told[0]?.body ?? ''), record)
}

const rowOf = async (database: Database, id: string) => {
  const [row] = await database.query<{ state: string; holder: number; attempts: number }>(
    'select state, holder, attempts from statements where id = $1',
    [id],
  )
  assert.ok(row !== undefined)
  return row
}

describe('a statement', { timeout: 180_000 }, () => {
  it('that a killed node had begun is written by another one, from the start', async () => {
    const scene = await setScene()
    const killed = await scene.start('link')
    await writeMovements(scene.database, MOVEMENTS)
    const held = scene.link.holdAnswerTo('add-piece')
    const id = await ask(killed, scene.receiver)
    await held.reached
    const living = await scene.start()
    await killed.kill()
    held.letThrough()
    await assertWritten(scene, living, id)
    assert.equal((await rowOf(scene.database, id)).attempts, 2)
  })

  for (const step of ['add-piece', 'end-statement']) {
    it(`is ended once though a node taken for dead wakes up in ${step}`, async () => {
      const scene = await setScene()
      const frozen = await scene.start('link')
      await writeMovements(scene.database, MOVEMENTS)
      const held = scene.link.holdRequestOf(step)
      const id = await ask(frozen, scene.receiver)
      await held.reached
      frozen.signal('SIGSTOP')
      const living = await scene.start()
      await assertWritten(scene, living, id)
      const before = await rowOf(scene.database, id)
      frozen.signal('SIGCONT')
      held.letThrough()
      await eventually(async () => {
        assert.equal((await scene.database.query('select from nodes')).length, 2)
        assert.equal((await callAt(frozen, 'GET', '/readyz'))?.status, 200)
      })
      // By the end of a statement that it asks for now, it has done with the first one.
      await assertWritten(scene, frozen, await ask(frozen, scene.receiver))
      await assertWritten(scene, living, id)
      assert.deepEqual(await rowOf(scene.database, id), before)
    })
  }

  it('is given back by a node that is told to stop, and does not count as tried', async () => {
    const scene = await setScene()
    const first = await scene.start('link')
    await writeMovements(scene.database, MOVEMENTS)
    const held = scene.link.holdAnswerTo('add-piece')
    const id = await ask(first, scene.receiver)
    await held.reached
    const stopped = first.stop()
    await eventually(async () => assert.equal(await callAt(first, 'GET', '/livez'), undefined))
    held.letThrough()
    assert.deepEqual(await stopped, { code: 0, signal: null })
    assert.deepEqual(await rowOf(scene.database, id), {
      state: 'PROCESSING',
      holder: 0,
      attempts: 0,
    })
    const second = await scene.start()
    await assertWritten(scene, second, id)
  })

  it('is given up when every node that begins with it dies', async () => {
    const scene = await setScene()
    const node = await scene.start('link')
    await writeMovements(scene.database, MOVEMENTS)
    const held = scene.link.holdAnswerTo('claim-statement')
    await held.reached
    const { body } = (await callAt(node, 'POST', '/v2/statements', statementBody())) ?? {}
    await scene.database.query('update statements set attempts = 5')
    held.letThrough()
    await eventually(async () => {
      const row = await rowOf(scene.database, body.statementId)
      assert.deepEqual(row, { state: 'FAILED', holder: 0, attempts: 6 })
    })
  })

  it('is written by one of two nodes, however many are asked for', async () => {
    const scene = await setScene()
    const nodes = [await scene.start(), await scene.start()]
    await writeMovements(scene.database, MOVEMENTS)
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, at) => ask(nodes[at % 2] as NodeProcess, scene.receiver)),
    )
    for (const id of ids) {
      await assertWritten(scene, nodes[0] as NodeProcess, id)
      assert.equal((await rowOf(scene.database, id)).attempts, 1)
    }
  })
})

describe('payments that go on while a statement is written', { timeout: 120_000 }, async () => {
  const databaseUrl = await cloneDatabase()
  const link = await startDatabaseLink(databaseUrl)
  const service = await startService({ DATABASE_URL: link.url })
  after(async () => {
    await service.stop()
    await link.close()
  })

  it('are not in its file, and in that of the next one', async () => {
    const held = link.holdAnswerTo('add-piece')
    const id = await askStatement(service)
    await held.reached
    const before = await walletBalance(service)
    const deposit = await service.deposit()
    await service.reaches(deposit.id, 'COMPLETED')
    held.letThrough()
    const record = await ended(service, id)
    assert.equal(record.closingBalance, before)
    const rows = rowsOf(await (await fetch(record.downloadUrl)).text())
    assertAddsUp(record, rows)
    assert.ok(rows.every(({ transactionId }) => transactionId !== deposit.id))
    const next = await statementOf(service)
    assert.equal(next.rows.at(-1)?.transactionId, deposit.id)
    assert.equal(next.record.closingBalance, await walletBalance(service))
  })

  it('leave every file adding up, in the midst of deposits, payouts and reversals', async () => {
    let isOver = false
    const client = async (): Promise<void> => {
      while (!isOver) {
        await service.post('/v2/deposits', depositBody({ amount: '3' }))
        for (const number of ['260763456789', '260763456089']) {
          const recipient = payer(number, 'MTN_MOMO_ZMB')
          const body = { payoutId: randomUUID(), amount: '2.5', currency: 'ZMW', recipient }
          assert.equal((await service.post('/v2/payouts', body)).body.status, 'ACCEPTED')
        }
      }
    }
    const load = Promise.all([client(), client(), client(), client()])
    const sizes: number[] = []
    for (let count = 0; count < 8; count += 1) {
      const { rows } = await statementOf(service, { compressed: false })
      sizes.push(rows.length)
    }
    isOver = true
    await load
    assert.ok((sizes.at(-1) ?? 0) > (sizes[0] ?? 0), 'payments went on meanwhile')
    await eventually(async () => {
      const open = await service.database.query('select from payments where due_at is not null')
      assert.equal(open.length, 0)
    })
    const { record, rows } = await statementOf(service)
    assert.equal(record.closingBalance, await walletBalance(service))
    const types = new Set(rows.map(({ type }) => type))
    assert.deepEqual([...types].toSorted(), ['ADJUSTMENT', 'DEPOSIT', 'PAYOUT', 'REVERSAL'])
  })
})

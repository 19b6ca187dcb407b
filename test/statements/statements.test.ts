import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it, type TestContext } from 'node:test'
import { callAt, startProcess } from '../../harness/process.ts'
import { type Receiver, startReceiver } from '../../harness/receiver.ts'
import {
  cloneDatabase,
  depositBody,
  eventually,
  payer,
  type Service,
  startService,
} from '../../harness/service.ts'
import {
  askStatement,
  assertAddsUp,
  ended,
  rowsOf,
  statementBody,
  statementOf,
  walletBalance,
} from '../../harness/statements.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { type DatabaseLink, startDatabaseLink } from '../support/database-link.ts'
import { writeMovements } from '../support/movements.ts'

/** Enough for several pieces. */
const MOVEMENTS = 2000

type Scene = {
  /** A node whose way to the database is the link; alone, until another one is added. */
  readonly first: Service
  readonly link: DatabaseLink
  readonly receiver: Receiver
  /** Another node on the same database, straight. */
  addNode(): Promise<Service>
}

async function setScene(test: TestContext): Promise<Scene> {
  const databaseUrl = await cloneDatabase('malipo_demo')
  const link = await startDatabaseLink(databaseUrl)
  const receiver = await startReceiver()
  const first = await startService({ DATABASE_URL: link.url })
  const others: Service[] = []
  test.after(async () => {
    for (const one of others) await one.stop()
    await first.stop()
    await link.close()
    await receiver.close()
  })
  await writeMovements(first.database, MOVEMENTS)
  return {
    first,
    link,
    receiver,
    addNode: async () => {
      const node = await first.addNode({ DATABASE_URL: databaseUrl })
      others.push(node)
      return node
    },
  }
}

/** The statement is final, its file is complete and adds up, and it was sent once. */
async function assertWritten(receiver: Receiver, node: Service, id: string): Promise<void> {
  const record = await ended(node, id, 60_000)
  assert.equal(record.status, 'COMPLETED')
  const text = await (await fetch(node.url + new URL(record.downloadUrl).pathname)).text()
  assert.equal(Buffer.byteLength(text), record.fileSize)
  const rows = rowsOf(text)
  assert.equal(rows.length, MOVEMENTS + 1)
  assertAddsUp(record, rows)
  const [pieces] = await node.database.query<{ size: number; count: number; last: number }>(
    `select sum(length(bytes))::int as size, count(*)::int as count, max(piece) as last
     from statement_pieces where statement_id = $1`,
    [id],
  )
  assert.equal(pieces?.size, record.fileSize)
  assert.ok((pieces?.count ?? 0) > 1)
  assert.equal(pieces?.last, (pieces?.count ?? 0) - 1)
  await eventually(async () => {
    const left = await node.database.query('select from callbacks where due_at is not null')
    assert.equal(left.length, 0)
  })
  const received = receiver.received.filter(({ body }) => JSON.parse(body).statementId === id)
  assert.equal(received.length, 1)
  assert.deepEqual(JSON.parse(received[0]?.body ?? ''), record)
}

async function rowOf({ database }: Service, id: string) {
  const [row] = await database.query<{ state: string; holder: number; attempts: number }>(
    'select state, holder, attempts from statements where id = $1',
    [id],
  )
  assert.ok(row !== undefined)
  return row
}

describe('a statement', { timeout: 540_000 }, () => {
  it('that a killed node had begun is written by another one, from the start', async (test) => {
    const databaseUrl = await cloneDatabase('malipo_demo')
    const link = await startDatabaseLink(databaseUrl)
    const receiver = await startReceiver()
    const killed = await startProcess({ DATABASE_URL: link.url })
    test.after(async () => {
      await killed.kill()
      await link.close()
      await receiver.close()
    })
    const database = openDatabase({ connectionString: databaseUrl }, 2)
    await writeMovements(database, MOVEMENTS)
    await database.close()
    const held = link.holdAnswerTo('add-piece-of-statements')
    const body = statementBody({ callbackUrl: receiver.url })
    const id = (await callAt(killed, 'POST', '/v2/statements', body))?.body.statementId
    await held.reached
    await killed.kill()
    const living = await startService({ DATABASE_URL: databaseUrl })
    test.after(living.stop)
    await assertWritten(receiver, living, id)
    assert.equal((await rowOf(living, id)).attempts, 2)
  })

  for (const step of ['add-piece-of-statements', 'end-statement']) {
    it(`is ended once though a node taken for dead goes on with ${step}`, async (test) => {
      const { first, link, receiver, addNode } = await setScene(test)
      const held = link.holdRequestOf(step)
      const id = await askStatement(first, { callbackUrl: receiver.url })
      await held.reached
      const { holder } = await rowOf(first, id)
      const second = await addNode()
      await first.database.query('delete from nodes where node_id = $1', [holder])
      await assertWritten(receiver, second, id)
      const before = await rowOf(second, id)
      held.letThrough()
      // By the end of a statement that it is asked for now, it has done with the first one.
      await second.node.stop()
      await assertWritten(receiver, first, await askStatement(first, { callbackUrl: receiver.url }))
      await assertWritten(receiver, first, id)
      assert.deepEqual(await rowOf(first, id), before)
    })
  }

  it('is given back by a node that stops, and that does not count as an attempt', async (test) => {
    const { first, link, receiver, addNode } = await setScene(test)
    const held = link.holdAnswerTo('add-piece-of-statements')
    const id = await askStatement(first, { callbackUrl: receiver.url })
    await held.reached
    const stopped = first.node.stop()
    await eventually(async () => assert.equal(await callAt(first, 'GET', '/livez'), undefined))
    held.letThrough()
    await stopped
    const given = { state: 'PROCESSING', holder: 0, attempts: 0 }
    assert.deepEqual(await rowOf(first, id), given)
    const second = await addNode()
    await assertWritten(receiver, second, id)
    assert.equal((await rowOf(second, id)).attempts, 1)
  })

  it('is read no faster than its pieces are stored', async (test) => {
    const { first, link, receiver, addNode } = await setScene(test)
    const held = link.holdRequestOf('add-piece-of-statements')
    const id = await askStatement(first, { callbackUrl: receiver.url })
    await held.reached
    // Another node writes a whole file meanwhile: as much time as the first one would need.
    const second = await addNode()
    await ended(second, await askStatement(second, { callbackUrl: receiver.url }))
    assert.equal(link.sent('add-piece-of-statements'), 1)
    held.letThrough()
    await assertWritten(receiver, second, id)
  })

  it('is given up when every node that begins with it dies', async (test) => {
    const { first, link } = await setScene(test)
    const held = link.holdAnswerTo('due-work')
    await held.reached
    const id = await askStatement(first)
    await first.database.query('update statements set attempts = 5')
    held.letThrough()
    await eventually(async () => {
      assert.deepEqual(await rowOf(first, id), { state: 'FAILED', holder: 0, attempts: 6 })
    })
  })

  it('is written by one of two nodes, however many are asked for', async (test) => {
    const { first, receiver, addNode } = await setScene(test)
    const nodes = [first, await addNode()]
    const ids = await Promise.all(
      [0, 1, 0, 1, 0, 1].map((at) =>
        askStatement(nodes[at] as Service, { callbackUrl: receiver.url }),
      ),
    )
    for (const id of ids) {
      await assertWritten(receiver, first, id)
      assert.equal((await rowOf(first, id)).attempts, 1)
    }
  })
})

describe('payments that go on while a statement is written', { timeout: 540_000 }, async () => {
  const databaseUrl = await cloneDatabase('malipo_demo')
  const link = await startDatabaseLink(databaseUrl)
  const service = await startService({ DATABASE_URL: link.url })
  after(async () => {
    await service.stop()
    await link.close()
  })

  it('are not in its file, and in that of the next one', async () => {
    const held = link.holdAnswerTo('add-piece-of-statements')
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
    const load = Promise.all([client(), client()])
    const sizes: number[] = []
    for (let count = 0; count < 4; count += 1) {
      const { rows } = await statementOf(service, { compressed: false })
      sizes.push(rows.length)
    }
    isOver = true
    await load
    assert.ok((sizes.at(-1) ?? 0) > (sizes[0] ?? 0), 'payments went on meanwhile')
    await eventually(async () => {
      const open = await service.database.query('select from payments where due_at is not null')
      assert.equal(open.length, 0)
    }, 120_000)
    const { record, rows } = await statementOf(service)
    assert.equal(record.closingBalance, await walletBalance(service))
    const types = new Set(rows.map(({ type }) => type))
    assert.deepEqual([...types].toSorted(), ['ADJUSTMENT', 'DEPOSIT', 'PAYOUT', 'REVERSAL'])
  })
})

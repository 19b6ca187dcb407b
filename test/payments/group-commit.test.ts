import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { connectTo } from '../../harness/process.ts'
import { depositBody, eventually, startService } from '../../harness/service.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { createGroup } from '../../src/store/engine/group.ts'
import { startDatabaseLink } from '../support/database-link.ts'

const service = await startService()
const { database } = service
after(() => service.stop())

describe('group commit', { timeout: 540_000 }, () => {
  it('writes many simultaneous deposits in few groups', async () => {
    const before = await groupSizes()
    // While the first write is under way, all others come in.
    const blocker = await connectTo(service.databaseUrl)
    await blocker.query('begin')
    await blocker.query('lock table payments in exclusive mode')
    const posted = Promise.all(Array.from({ length: 200 }, () => service.deposit()))
    await eventually(() => assert.ok(service.node.ctx.writes.accept.waiting() > 150))
    await blocker.query('rollback')
    await blocker.end()
    const answers = await posted
    assert.ok(answers.every(({ body }) => body.status === 'ACCEPTED'))
    const now = await groupSizes()
    assert.equal(now.sum - before.sum, 200)
    assert.ok(now.count - before.count <= 55, `${now.count - before.count} groups`)
    for (const { id } of answers) await service.reaches(id, 'COMPLETED')
  })

  it('lets owners take turns where more wait than one write takes, each in its own order', async () => {
    const written: (readonly string[])[] = []
    const group = createGroup<string, string>({
      maxItems: 4,
      maxInFlight: 1,
      ownerOf: (item) => item.charAt(0),
      write: async (items) => {
        written.push(items)
        await database.query('select')
        return items
      },
    })
    const items = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9', 'b1', 'c1', 'c2']
    const asked = items.map((item) => group.add(item))
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((owner) => group.waitingOf(owner)),
      [9, 1, 2, 0],
    )
    assert.deepEqual(await Promise.all(asked), items)
    assert.deepEqual(written, [
      ['a1', 'b1', 'c1', 'a2'],
      ['a3', 'c2', 'a4', 'a5'],
      ['a6', 'a7', 'a8', 'a9'],
    ])
  })

  it('does not let one bad item fail the rest of its group', async () => {
    await database.query('create table numbers (value int primary key check (value <> 13))')
    const group = insertingGroup(database)
    const results = await Promise.allSettled(Array.from({ length: 50 }, (_, at) => group.add(at)))
    const failed = results.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))
    assert.deepEqual(failed, [13])
    const [stored] = await database.query('select count(*)::int as count from numbers')
    assert.deepEqual(stored, { count: 49 })
  })

  it('writes again after a deadlock of two groups, and nothing is written twice', async () => {
    await database.query('create table cells (name text primary key, writes int default 0)')
    await database.query(`insert into cells (name) values ('a'), ('b')`)
    let bothHoldOne = (): void => {}
    const meeting = new Promise<void>((resolve) => {
      bothHoldOne = resolve
    })
    let firstDone = (): void => {}
    const oneIsDone = new Promise<void>((resolve) => {
      firstDone = resolve
    })
    let writes = 0
    let holdOne = 0
    const groupOver = (names: readonly string[]) =>
      createGroup<string, string>({
        maxItems: 10,
        maxInFlight: 1,
        write: (items) =>
          database.inTransaction(async (tx) => {
            writes += 1
            // The one that is tried again could take its first row back before the other has gone
            // on, and meet it in a second circle; it begins when the other is done.
            if (writes > 2) await oneIsDone
            for (const name of names) {
              await tx.query('update cells set writes = writes + 1 where name = $1', [name])
              holdOne += 1
              if (holdOne === 2) bothHoldOne()
              await meeting
            }
            return items
          }),
      })
    const results = await Promise.all([
      groupOver(['a', 'b']).add('first').finally(firstDone),
      groupOver(['b', 'a']).add('second').finally(firstDone),
    ])
    assert.deepEqual(results, ['first', 'second'])
    assert.equal(writes, 3)
    const cells = await database.query('select name, writes from cells order by name')
    assert.deepEqual(cells, [
      { name: 'a', writes: 2 },
      { name: 'b', writes: 2 },
    ])
  })

  it('fails for all callers when the server goes away, and does not retry by itself', async () => {
    let writes = 0
    const group = createGroup<number, number>({
      maxItems: 10,
      maxInFlight: 1,
      write: async (items) => {
        writes += 1
        await database.query('select pg_terminate_backend(pg_backend_pid())')
        return items
      },
    })
    const results = await Promise.allSettled([1, 2, 3].map((item) => group.add(item)))
    assert.ok(results.every(({ status }) => status === 'rejected'))
    assert.equal(writes, 1)
  })
})

describe('an accepted deposit whose answer got lost', { timeout: 540_000 }, () => {
  it('is finished all the same, although the merchant was answered 500 without a status', async () => {
    const link = await startDatabaseLink(service.databaseUrl)
    const node = await service.addNode({ DATABASE_URL: link.url })
    // Everything that is cached is cached now.
    const { id: earlier } = await node.deposit()
    await node.reaches(earlier, 'COMPLETED')

    const lost = link.loseAnswerTo('accept')
    const answer = await node.deposit()
    await lost
    assert.equal(answer.status, 500)
    assert.equal(answer.body.status, undefined)
    assert.equal(answer.body.failureReason.failureCode, 'UNKNOWN_ERROR')
    const repeat = await node.post('/v2/deposits', depositBody({ depositId: answer.id }))
    assert.equal(repeat.body.status, 'DUPLICATE_IGNORED')
    await node.reaches(answer.id, 'COMPLETED')
    await node.stop()
    await link.close()
  })

  it('is still answered as accepted if only the look-up of repeats was cancelled', async () => {
    const link = await startDatabaseLink(service.databaseUrl)
    const node = await service.addNode({ DATABASE_URL: link.url })
    const blocker = await connectTo(service.databaseUrl)
    const known = depositBody()
    await service.post('/v2/deposits', known)
    await service.reaches(known.depositId, 'COMPLETED')
    const fresh = depositBody()

    // Two writes are under way and stand still; a repeat and a new one form the group after them.
    await blocker.query('begin')
    await blocker.query('lock table payments in exclusive mode')
    const { accept } = node.node.ctx.writes
    const under = [node.deposit()]
    await eventually(() => assert.equal(link.sent('accept'), 1))
    under.push(node.deposit())
    await eventually(() => assert.equal(link.sent('accept'), 2))
    const answers = [known, fresh].map((body) => node.post('/v2/deposits', body))
    await eventually(() => assert.equal(accept.waiting(), 2))
    const held = link.holdRequestOf('accept-find')
    await blocker.query('rollback')
    await held.reached
    await blocker.query('begin')
    await blocker.query('lock table payments in access exclusive mode')
    held.letThrough()
    await eventually(async () => {
      const rows = await service.database.query(
        `select pg_cancel_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'
           and query like '%as created_ms%' and query like '%from unnest%'`,
      )
      assert.equal(rows.length, 1)
    })
    await blocker.query('rollback')
    const [repeat, first] = await Promise.all(answers)
    assert.equal(repeat?.body.status, 'DUPLICATE_IGNORED')
    assert.equal(first?.body.status, 'ACCEPTED')
    for (const { id } of await Promise.all(under)) await node.reaches(id, 'COMPLETED')
    await node.reaches(fresh.depositId, 'COMPLETED')
    await blocker.end()
    await node.stop()
    await link.close()
  })
})

function insertingGroup(db: Database) {
  return createGroup<number, number>({
    maxItems: 100,
    maxInFlight: 2,
    write: async (items) => {
      await db.query('insert into numbers select unnest($1::int[])', [items])
      return items
    },
  })
}

async function groupSizes(): Promise<{ sum: number; count: number }> {
  const { body } = await service.get('/metrics')
  const read = (name: string): number =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(body)?.[1] ?? 0)
  return {
    sum: read('malipo_accept_group_size_sum'),
    count: read('malipo_accept_group_size_count'),
  }
}

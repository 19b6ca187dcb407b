import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, describe, it, type TestContext } from 'node:test'
import { eventually } from '../../harness/service.ts'
import { startPostgres } from '../../proof/support/postgres.ts'
import { addStandby } from '../../proof/support/standby.ts'
import { readConfig } from '../../src/node/config.ts'
import {
  type Database,
  type Db,
  isConnectionLoss,
  openDatabase,
} from '../../src/store/engine/database.ts'
import { serversAfar, serversIn } from '../../src/store/engine/servers.ts'

it('an address names one server or several', () => {
  for (const [url, servers] of [
    ['postgres://a/db', ['postgres://a/db']],
    ['postgres://u:p@a:1,b:2/db?x=1', ['postgres://u:p@a:1/db?x=1', 'postgres://u:p@b:2/db?x=1']],
    ['postgresql://a,[::1]:5,c/db', ['a', '[::1]:5', 'c'].map((one) => `postgresql://${one}/db`)],
    // A comma elsewhere separates nothing.
    ['postgres://u:p,q@a/d,b?host=/x,y', ['postgres://u:p,q@a/d,b?host=/x,y']],
  ] as const) {
    assert.deepEqual(serversIn(url), servers)
    assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url)
  }
  for (const url of ['postgres://a:1,b:x/db', 'a:1,b:2', 'http://a,b/db']) {
    assert.throws(() => readConfig({ DATABASE_URL: url }), /DATABASE_URL must be an address/)
  }
})

it('those on other machines are recognised by their names', () => {
  for (const [url, afar] of [
    ['postgres://u:p@db1:5432,localhost,127.0.0.1:5,[::1]:6,10.0.0.7/db', ['db1:5432', '10.0.0.7']],
    ['postgres://localhost.example/db', ['localhost.example']],
    ['postgres://[2001:db8::1]:5/db', ['[2001:db8::1]:5']],
    ['postgres:///db?host=/run/postgresql', []],
    ['postgres://u@x/db?host=/run/postgresql', []],
    ['postgres:///db?host=db2', ['db2']],
  ] as const) {
    assert.deepEqual(serversAfar(url), afar)
  }
})

it('of several servers the one that takes writes is used, also after a failover', {
  timeout: 540_000,
}, async () => {
  const primary = await startPostgres({ fsync: 'off' })
  const standby = await addStandby(primary, { name: 'second', synchronous: true })
  // The standby comes first, and a server that is not there at all.
  const hosts = `127.0.0.1:${standby.port},127.0.0.1:1,127.0.0.1:${primary.port}`
  const database = openDatabase(
    { connectionString: primary.url.replace(/127\.0\.0\.1:\d+/, hosts) },
    2,
  )
  const followers = openDatabase({ connectionString: standby.url }, 2)
  after(async () => {
    await followers.close()
    await database.close()
    await primary.remove()
    await standby.remove()
  })
  await database.query('create table kept (id int)')
  await database.inTransaction((tx) => tx.query('insert into kept values (1)'))
  // Where a proxy leads to a standby, what could not be written is done again, like after a loss.
  const write = (db: Db) => db.query('insert into kept values (3)')
  await eventually(() => followers.query('select from kept'))
  await assert.rejects(write(followers), isConnectionLoss)
  await assert.rejects(followers.inTransaction(write), isConnectionLoss)
  let notified = 0
  const listen = () =>
    database.listen('news', () => {
      notified += 1
    })
  const before = await listen()
  await database.query('notify news')
  await eventually(() => assert.equal(notified, 1))

  await primary.kill()
  await assert.rejects(database.query('select 1'), /connection was lost/)
  // It is notified by itself, perhaps a moment later.
  await eventually(() => assert.equal(before.isOpen(), false))
  await standby.promote()
  await eventually(() => database.query('insert into kept values (2)'))
  await followers.inTransaction(write)
  assert.deepEqual(await database.query('select id from kept'), [{ id: 1 }, { id: 2 }, { id: 3 }])
  const again = await listen()
  await database.query('notify news')
  await eventually(() => assert.equal(notified, 2))
  await again.close()
})

describe('a server that ends is an error of the work under way, never of the process', () => {
  for (const hosts of ['alone', 'one of several']) {
    it(`at the moment it accepts a connection, ${hosts}`, async (t) => {
      const database = openDying(t, await startDyingServer(t, 'welcome'), hosts)
      const select = (db: Db = database) => db.query('select 1')
      const ways = [
        () => select(),
        () => database.onConnection(select),
        () => database.inTransaction(select),
      ]
      for (const work of ways) await assert.rejects(work(), isConnectionLoss)
    })

    it(`at the moment its connection is handed over, ${hosts}`, async (t) => {
      const database = openDying(t, await startDyingServer(t, 'answer'), hosts)
      const first = database.query('select 1')
      const second = database.onConnection((db) => db.query('select 1'))
      const ends = await Promise.allSettled([first, second])
      // The second one may have found time to take a new connection.
      for (const end of ends) assert.ok(end.status === 'fulfilled' || isConnectionLoss(end.reason))
    })
  }
})

/** With one connection only, so that the next user waits for the one before. */
function openDying(t: TestContext, port: number, hosts: string): Database {
  const address = hosts === 'alone' ? `127.0.0.1:${port}` : `127.0.0.1:1,127.0.0.1:${port}`
  const database = openDatabase({ connectionString: `postgres://malipo@${address}/malipo` }, 1)
  t.after(database.close)
  return database
}

/** Adds "I am ending" to the packet that says "ready", as a server does whose postmaster was killed. */
async function startDyingServer(t: TestContext, dies: 'welcome' | 'answer'): Promise<number> {
  const message = (type: string, body: string): Buffer => {
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeUInt32BE(4 + body.length, 1)
    return Buffer.concat([head, Buffer.from(body, 'latin1')])
  }
  const ready = message('Z', 'I')
  const welcome = Buffer.concat([message('R', '\0\0\0\0'), ready])
  const answer = Buffer.concat([message('C', 'SELECT 0\0'), ready])
  const goodbye = 'terminating connection due to unexpected postmaster exit'
  const end = message('E', `SFATAL\0VFATAL\0C57P01\0M${goodbye}\0\0`)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      if (dies === 'welcome') return void socket.end(Buffer.concat([welcome, end]))
      socket.write(welcome)
      socket.on('data', (question) => {
        // The look whether it is a standby comes before the connection is lent.
        const isLent = !question.includes('pg_is_in_recovery')
        socket.write(isLent ? Buffer.concat([answer, end]) : answer)
        if (isLent) socket.end()
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

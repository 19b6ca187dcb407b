import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { addStandby, startPostgres } from '../../proof/support/postgres.ts'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/store/database.ts'
import { serversAfar, serversIn } from '../../src/store/servers.ts'
import { eventually } from '../support/service.ts'

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

it('those on other machines are told by their names', () => {
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
  after(async () => {
    await database.close()
    await primary.remove()
    await standby.remove()
  })
  await database.query('create table kept (id int)')
  await database.inTransaction((tx) => tx.query('insert into kept values (1)'))
  let heard = 0
  const listen = () =>
    database.listen('news', () => {
      heard += 1
    })
  const before = await listen()
  await database.query('notify news')
  await eventually(() => assert.equal(heard, 1))

  await primary.kill()
  await assert.rejects(database.query('select 1'), /connection was lost/)
  // It hears of it by itself, perhaps a moment later.
  await eventually(() => assert.equal(before.isOpen(), false))
  await standby.promote()
  await eventually(() => database.query('insert into kept values (2)'))
  assert.deepEqual(await database.query('select id from kept'), [{ id: 1 }, { id: 2 }])
  const again = await listen()
  await database.query('notify news')
  await eventually(() => assert.equal(heard, 2))
  await again.close()
})

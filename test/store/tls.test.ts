import assert from 'node:assert/strict'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { eventually } from '../../harness/service.ts'
import { onServer, type Postgres, startPostgres } from '../../proof/support/postgres.ts'
import { isEncrypted } from '../../src/store/engine/connection-check.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { makeSelfSigned, type SelfSigned } from '../outbound/self-signed.ts'

describe('a connection to PostgreSQL with sslmode=verify-full', { timeout: 540_000 }, () => {
  const good = makeSelfSigned()
  let server: Postgres
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'malipo-tls-'))
    server = await startPostgres({ fsync: 'off' })
    await writeFile(join(folder, 'good.pem'), good.certificate)
    await writeFile(join(folder, 'other.pem'), makeSelfSigned().certificate)
  })
  after(async () => {
    await server.remove()
    await rm(folder, { recursive: true })
  })

  /** As a node opens it, with the certificates that it trusts in a file. */
  function open(t: TestContext, hosts: string, trusted = 'good.pem'): Database {
    const url = server.url.replace(/127\.0\.0\.1:\d+/, hosts)
    const file = encodeURIComponent(join(folder, trusted))
    const connectionString = `${url}?sslmode=verify-full&sslrootcert=${file}`
    const database = openDatabase({ connectionString }, 2, { statementMs: 15_000 })
    t.after(database.close)
    return database
  }

  const way = (host = '127.0.0.1'): string => `${host}:${server.port}`
  /** By address, by name, and as one of several after another that is not there. */
  const ways = (): readonly string[] => [way(), way('localhost'), `127.0.0.1:1,${way()}`]

  it('fails with a server that does not encrypt, and is not made in plain text', async (t) => {
    for (const hosts of ways()) {
      await assert.rejects(open(t, hosts).query('select 1'), /does not support SSL/, hosts)
    }
    const plain = openDatabase({ connectionString: server.url }, 2)
    t.after(plain.close)
    assert.equal(await isEncrypted(plain), false)
  })

  it('is encrypted, for statements and for what listens, with one server and with several', async (t) => {
    await present(server, good)
    for (const hosts of ways()) {
      const database = open(t, hosts)
      assert.equal(await isEncrypted(database), true)
      let notified = 0
      const listener = await database.listen('news', () => {
        notified += 1
      })
      t.after(listener.close)
      await database.inTransaction((tx) => tx.query('notify news'))
      await eventually(() => assert.equal(notified, 1))
      assert.deepEqual(await database.query(ENCRYPTED), [
        { name: 'malipo', ssl: true },
        { name: 'malipo listener', ssl: true },
      ])
    }
  })

  it('is closed when the node leaves a silent server', async (t) => {
    await present(server, good)
    const database = open(t, `${way()},${way('localhost')}`)
    await database.query('select 1')
    const silent = assert.rejects(database.query('select pg_sleep(60)'), /connection was lost/)
    await eventually(async () => {
      assert.equal((await database.query(SLEEPING)).length, 1)
    })
    assert.equal(database.turnAway(), true)
    await silent
    assert.deepEqual(await database.query('select 1 as one'), [{ one: 1 }])
  })

  it('is not made if no known authority signed the certificate', async (t) => {
    await present(server, good)
    for (const hosts of ways()) {
      await assert.rejects(open(t, hosts, 'other.pem').query('select 1'), /self-signed/, hosts)
      await assert.rejects(
        open(t, hosts, 'other.pem').listen('news', () => {}),
        hosts,
      )
    }
  })

  it('is not made to a server whose certificate is for another name', async (t) => {
    const foreign = makeSelfSigned({ name: 'db.example', address: '192.0.2.1' })
    await writeFile(join(folder, 'foreign.pem'), foreign.certificate)
    await present(server, foreign)
    for (const hosts of ways()) {
      const database = open(t, hosts, 'foreign.pem')
      await assert.rejects(database.query('select 1'), /does not match certificate/, hosts)
    }
  })
})

const ENCRYPTED = `
  select distinct a.application_name as name, s.ssl
  from pg_stat_activity a join pg_stat_ssl s using (pid)
  where a.application_name like 'malipo%' and a.datname = current_database() order by 1`

const SLEEPING = `
  select from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`

/** From now on the server encrypts, and presents this certificate to its clients. */
async function present(server: Postgres, { key, certificate }: SelfSigned): Promise<void> {
  await onServer(server.port, 'postgres', async (client) => {
    const { rows } = await client.query(`select current_setting('data_directory') as data`)
    const data: string = rows[0].data
    const { uid, gid } = await stat(data)
    for (const [name, text] of [
      ['server.key', key],
      ['server.crt', certificate],
    ] as const) {
      await writeFile(join(data, name), text, { mode: 0o600 })
      await chown(join(data, name), uid, gid)
    }
    await client.query('alter system set ssl = on')
  })
  await server.stop()
  await server.start()
}

/** The embedded server behind a port, which is how it runs on Windows; here on every system. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import pg from 'pg'
import { eventually } from '../../harness/service.ts'
import {
  attachEmbedded,
  type EmbeddedConnection,
  type EmbeddedServer,
  startEmbedded,
} from '../../src/store/embedded/server.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'malipo-port-'))
const start = (): Promise<EmbeddedServer> =>
  startEmbedded({ dataDir, byPort: true, log: () => {}, settings: { fsync: 'off' } })
let server = await start()
after(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function ask(way: pg.ClientConfig, sql: string): Promise<unknown> {
  const client = new pg.Client(way)
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

const urlOf = ({ user, password, host, port, database }: EmbeddedConnection): string =>
  `postgresql://${user}:${password}@${host}:${port}/${database}`

it('listens on loopback alone, and has no socket', async () => {
  const rows = await ask(
    server.connection,
    `select current_setting('listen_addresses') as listen, current_setting('unix_socket_directories') as sockets,
            current_setting('password_encryption') as passwords`,
  )
  assert.deepEqual(rows, [{ listen: '127.0.0.1', sockets: '', passwords: 'scram-sha-256' }])
  assert.equal(server.url, urlOf(server.connection))
  assert.deepEqual(await ask({ connectionString: server.url }, 'select 1 as one'), [{ one: 1 }])
})

it('lets nobody in without the password, which only its account may read', async () => {
  const { password = '', ...others } = server.connection
  assert.ok(password.length >= 32)
  for (const wrong of ['', 'postgres', `${password}x`]) {
    const code = await ask({ ...others, password: wrong }, 'select 1').catch(
      (error: { code?: string }) => error.code ?? 'refused by the client',
    )
    assert.match(String(code), /^(28P01|refused by the client)$/)
  }
  const file = join(dataDir, 'postgres.password')
  assert.equal(await readFile(file, 'utf8'), password)
  if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600)
})

it('is found by commands, and refused to a second node', async () => {
  assert.deepEqual(await attachEmbedded({ dataDir }), server.connection)
  await assert.rejects(start(), /in use by another Malipo/)
})

it('comes back at the same port after it was killed', async () => {
  const lock = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  process.kill(Number.parseInt(lock, 10), 'SIGKILL')
  await eventually(async () => {
    const now = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
    assert.notEqual(Number.parseInt(now, 10), Number.parseInt(lock, 10))
    assert.deepEqual(await ask(server.connection, 'select 1 as one'), [{ one: 1 }])
  })
})

it('stops in order, and keeps its data and its password', async () => {
  await ask(server.connection, 'create table kept as select 7 as value')
  const { password } = server.connection
  await server.stop()
  assert.equal(await attachEmbedded({ dataDir }), undefined)
  const left = await readdir(join(dataDir, 'postgres'))
  assert.ok(!left.includes('postmaster.pid'), 'a server that ends in order takes its lock along')
  server = await start()
  assert.equal(server.connection.password, password)
  assert.deepEqual(await ask(server.connection, 'select value from kept'), [{ value: 7 }])
})

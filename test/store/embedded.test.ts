import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import { copyInitialised } from '../../harness/data-folder.ts'
import { eventually } from '../../harness/service.ts'
import { flushMethodOf } from '../../src/store/embedded/flush.ts'
import {
  attachEmbedded,
  type EmbeddedServer,
  startEmbedded,
} from '../../src/store/embedded/server.ts'

const isRoot = process.getuid?.() === 0

// Each has a folder of its own, and mostly waits for the disk.
describe('the embedded server', { concurrency: 4, timeout: 540_000 }, () => {
  it('keeps its data over a restart, and clears away an unfinished first start', async (test) => {
    const { dataDir, start } = await openPlace(test)
    await mkdir(join(dataDir, `postgres.new-${await deadPid()}-abcdef`))
    const first = await start()
    assert.equal(first.adopted, false)
    await query(first, 'create table kept as select 7 as value')
    await first.stop()
    assert.equal(await attachEmbedded({ dataDir }), undefined)

    const second = await start()
    assert.equal(second.adopted, false)
    assert.deepEqual(await query(second, 'select value from kept'), [{ value: 7 }])
    assert.deepEqual(await readdir(dataDir), ['postgres'])
  })

  it('is durable, speaks UTF-8, sorts by code point and has no port', async (test) => {
    const { startAgain } = await openPlace(test)
    const server = await startAgain()
    const rows = await query(
      server,
      `select name, setting from pg_settings where name in
         ('data_checksums', 'fsync', 'listen_addresses', 'recovery_init_sync_method',
          'server_encoding', 'synchronous_commit')
       order by name`,
    )
    assert.deepEqual(
      rows.map(({ name, setting }) => `${name}=${setting}`),
      [
        'data_checksums=on',
        'fsync=on',
        'listen_addresses=',
        `recovery_init_sync_method=${flushMethodOf(process.platform, release())}`,
        'server_encoding=UTF8',
        'synchronous_commit=on',
      ],
    )
    const sorted = await query(server, `select upper('é') as e, 'Z' < 'a' as by_code_point`)
    assert.deepEqual(sorted, [{ e: 'É', by_code_point: true }])
    assert.equal((await stat(server.connection.host)).mode & 0o777, 0o700)
  })

  it('flushes the file system by one call where that call reports errors', () => {
    const methods = [
      ['linux', '6.18.44-generic'],
      ['linux', '5.8.0'],
      ['linux', '5.7.19'],
      ['linux', '4.19.0-27-amd64'],
      ['darwin', '24.6.0'],
    ].map(([platform = '', kernel = '']) => flushMethodOf(platform, kernel))
    assert.deepEqual(methods, ['syncfs', 'syncfs', 'fsync', 'fsync', 'fsync'])
  })

  it('can be reached through the folder, even one linked elsewhere, and the url', async (test) => {
    const { dataDir, start } = await openPlace(test)
    await mkdir(join(dataDir, 'elsewhere'))
    await symlink('elsewhere', join(dataDir, 'postgres'))
    const server = await start()
    assert.deepEqual(await attachEmbedded({ dataDir }), server.connection)
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.end()
  })

  it('is taken over when its owner was killed, and is then restarted like any other', async (test) => {
    const { dataDir, start, startElsewhere } = await openPlace(test)
    const owner = await startElsewhere(`await client.query('create table kept ()')`)
    const pid = await serverPid(dataDir)
    await killOwnerOf(owner)

    const server = await start()
    assert.equal(server.adopted, true)
    assert.equal(await serverPid(dataDir), pid)
    process.kill(pid, 'SIGKILL')
    assert.deepEqual(await persistentQuery(server, 'select * from kept'), [])
    assert.notEqual(await serverPid(dataDir), pid)
  })

  it('refuses a second owner, and names both ways out', async (test) => {
    const { dataDir, start, startElsewhere } = await openPlace(test)
    const owner = await startElsewhere('')
    await assert.rejects(start(), (error: Error) => {
      assert.ok(error.message.includes(join(dataDir, 'postgres')))
      assert.ok(error.message.includes(`process ${owner.pid}`))
      assert.match(error.message, /Stop that one, or run .* DATABASE_URL='postgresql:\/\/malipo@/)
      return true
    })
    await killOwnerOf(owner)
    await start()
  })

  it('comes back with its data when it is killed', async (test) => {
    const { dataDir, logged, startAgain } = await openPlace(test)
    const server = await startAgain()
    await query(server, 'create table kept as select 7 as value')
    process.kill(await serverPid(dataDir), 'SIGKILL')
    assert.deepEqual(await persistentQuery(server, 'select value from kept'), [{ value: 7 }])
    await until(async () => logged.some((line) => line.includes('server is back')))
    await assert.rejects(startEmbedded({ dataDir, log: () => undefined }), /in use by another/)
  })

  it('comes back when its socket folder was deleted', async (test) => {
    const { startAgain } = await openPlace(test)
    const server = await startAgain()
    await rm(server.connection.host, { recursive: true })
    assert.deepEqual(await persistentQuery(server, 'select 1 as one'), [{ one: 1 }])
  })

  it('starts over lock files that name a living process of another kind', async (test) => {
    const { dataDir, undo, start, startElsewhere } = await openPlace(test)
    const owner = await startElsewhere('')
    const pid = await serverPid(dataDir)
    const socketDir = (await attachEmbedded({ dataDir }))?.host ?? ''
    await killOwnerOf(owner)
    process.kill(pid, 'SIGKILL')
    await until(async () => (await attachEmbedded({ dataDir })) === undefined)

    // PostgreSQL minds only processes of its own account.
    const { uid, gid } = await stat(join(dataDir, 'postgres'))
    const foreign = spawn('sleep', ['60'], { uid, gid, cwd: '/' })
    undo.push(async () => foreign.kill('SIGKILL'))
    for (const file of [
      join(dataDir, 'postgres', 'postmaster.pid'),
      join(socketDir, '.s.PGSQL.5432.lock'),
    ]) {
      const [, ...rest] = (await readFile(file, 'utf8')).split('\n')
      await writeFile(file, [foreign.pid, ...rest].join('\n'))
    }
    assert.equal((await start()).adopted, false)
    assert.equal(foreign.exitCode, null)
  })

  it('does not keep a process alive, and stops with it', async (test) => {
    const { dataDir, start } = await openPlace(test)
    await copyInitialised(dataDir)
    const child = startInChild(dataDir, 'await client.end(); clearInterval(idle)')
    assert.deepEqual(await once(child, 'exit'), [0, null])
    await until(async () => (await attachEmbedded({ dataDir })) === undefined)
    assert.equal((await start()).adopted, false)
  })

  it('names a folder that cannot be written to, and the way out', async (test) => {
    const { dataDir } = await openPlace(test)
    const blocked = join(dataDir, 'blocked')
    if (isRoot) await writeFile(blocked, '')
    else await mkdir(blocked, { mode: 0o500 })
    const inside = join(blocked, 'data')
    await assert.rejects(startEmbedded({ dataDir: inside, log: () => undefined }), (error: Error) =>
      [inside, 'Set MALIPO_DATA_DIR'].every((part) => error.message.includes(part)),
    )
  })

  it('names a folder made by another version, and leaves it alone', async (test) => {
    const { dataDir, start } = await openPlace(test)
    const data = join(dataDir, 'postgres')
    await mkdir(data)
    await writeFile(join(data, 'PG_VERSION'), '17\n')
    await assert.rejects(start(), (error: Error) =>
      [data, 'PostgreSQL 17', 'PostgreSQL 18', 'pg_dump'].every((part) =>
        error.message.includes(part),
      ),
    )
    assert.deepEqual(await readdir(data), ['PG_VERSION'])
  })

  it('takes a data folder as a backup restores it: open to others, owned by root', async (test) => {
    const { dataDir, start } = await openPlace(test)
    await copyInitialised(dataDir)
    const data = join(dataDir, 'postgres')
    await chmod(data, 0o755)
    if (isRoot) await chown(data, 0, 0)
    await start()
    assert.equal((await stat(data)).mode & 0o777, 0o700)
  })
})

/** An empty data folder of one test, and what the test does with it; cleared away at its end. */
async function openPlace(test: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'malipo-test-'))
  const logged: string[] = []
  const undo: (() => Promise<unknown>)[] = []
  test.after(async () => {
    for (const step of undo.reverse()) await step()
    await rm(dataDir, { recursive: true, force: true })
  })

  const start = async (): Promise<EmbeddedServer> => {
    const server = await startEmbedded({ dataDir, log: (line) => logged.push(line) })
    undo.push(() => server.stop())
    return server
  }

  /** As if it had been started before. */
  const startAgain = async (): Promise<EmbeddedServer> => {
    await copyInitialised(dataDir)
    return start()
  }

  const startElsewhere = async (then: string): Promise<ChildProcess> => {
    await copyInitialised(dataDir)
    const child = startInChild(dataDir, then)
    undo.push(async () => child.kill('SIGKILL'))
    assert.ok(child.stdout !== null)
    await once(child.stdout, 'data')
    return child
  }
  return { dataDir, logged, undo, start, startAgain, startElsewhere }
}

async function killOwnerOf(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** A process that starts the server, does `then` with an open client, says so and waits. */
function startInChild(dataDir: string, then: string): ChildProcess {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const module = new URL(`../../src/store/embedded/server.${extension}`, import.meta.url).href
  const script = `
    import pg from ${JSON.stringify(import.meta.resolve('pg'))}
    import { startEmbedded } from ${JSON.stringify(module)}
    const idle = setInterval(() => {}, 1000)
    const dataDir = ${JSON.stringify(dataDir)}
    const server = await startEmbedded({ dataDir, log: () => {} })
    const client = new pg.Client(server.connection)
    client.on('error', () => {})
    await client.connect()
    ${then}
    process.stdout.write('ready')`
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function deadPid(): Promise<number> {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid ?? 0
}

async function serverPid(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

async function query(
  server: EmbeddedServer,
  sql: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(server.connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Through a crash and all that it takes to come back from it. */
const persistentQuery = (server: EmbeddedServer, sql: string) =>
  eventually(() => query(server, sql), 180_000)

const until = (isTrue: () => Promise<boolean>): Promise<void> =>
  eventually(async () => assert.ok(await isTrue(), 'it has not become true'))

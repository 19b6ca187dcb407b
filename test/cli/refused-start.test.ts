import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { cloneDatabase, startService } from '../../harness/service.ts'
import { emptyDatabase, malipo, sql } from '../node/program.ts'
import { startDatabaseLink } from '../support/database-link.ts'
import { freePorts, listenOn } from '../support/ports.ts'
import { openCommandLine } from './command-line.ts'

const SECRET = 'a secret of more than thirty-two characters'
const PRODUCTION = { MALIPO_ENV: 'production', MALIPO_SECRET_KEY: SECRET }

const folder = mkdtempSync(join(tmpdir(), 'malipo-refused-'))
/** For what is refused early. Where a node had begun to run, a process has to end by itself. */
const commandLine = openCommandLine()
after(() => {
  commandLine.close()
  rmSync(folder, { recursive: true })
})

describe('a start that is refused', { concurrency: 2, timeout: 540_000 }, () => {
  it('a port in use is named, with another to take, before the database is touched', async () => {
    const other = await listenOn(0)
    const DATABASE_URL = await emptyDatabase()
    const { code, stdout, stderr } = await commandLine.run(['start'], {
      DATABASE_URL,
      PORT: String(other.port),
      MALIPO_LOG_LEVEL: 'silent',
    })
    await other.close()
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.ok(stderr.includes(`Port ${other.port} on 127.0.0.1 is in use by another program.`))
    assert.ok(stderr.includes(`PORT=${other.port + 1} npm start`))
    const made = await sql(DATABASE_URL, `select from pg_tables where schemaname = 'public'`)
    assert.equal(made.length, 0)
  })

  it('a data folder that cannot be written is named, with the setting to change', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    const { code, stderr } = await commandLine.run(['start'], {
      PORT: '0',
      MALIPO_DATA_DIR: `${file}/data`,
    })
    assert.equal(code, 1)
    assert.ok(stderr.includes(`The data folder ${file}/data cannot be used`), stderr)
    assert.match(stderr, /Set MALIPO_DATA_DIR to a folder that this user may write to\./)
  })

  it('a database that cannot be reached is named without its password', async () => {
    const port = await freePorts()
    const { code, stderr } = await commandLine.run(['start'], {
      PORT: '0',
      DATABASE_URL: `postgres://shop:pass-of-the-shop@127.0.0.1:${port}/malipo`,
    })
    assert.equal(code, 1)
    assert.ok(stderr.includes(`The database of DATABASE_URL (127.0.0.1:${port}) cannot be`))
    assert.doesNotMatch(stderr, /pass-of-the-shop/)
  })

  it('production refuses to start without a secret of its own', async () => {
    const { code, stderr } = await commandLine.run(['start'], {
      PORT: '0',
      MALIPO_ENV: 'production',
    })
    assert.equal(code, 1)
    assert.match(stderr, /MALIPO_SECRET_KEY must be set in production\. .*openssl rand/)
  })

  it('production refuses every setting of the sandbox', async () => {
    for (const [name, value] of Object.entries({
      MALIPO_SANDBOX_TOKEN: 'first-token-of-the-shop',
      MALIPO_SANDBOX_CALLBACK_URL: 'http://127.0.0.1:9/',
      MALIPO_SANDBOX_DELAY_MS: '0',
    })) {
      const { code, stderr } = await commandLine.run(['start'], {
        ...PRODUCTION,
        PORT: '0',
        [name]: value,
      })
      assert.equal(code, 1)
      assert.ok(stderr.includes(`${name} is for the sandbox only.`), stderr)
    }
  })

  it('production refuses the database of a sandbox', async () => {
    const DATABASE_URL = await cloneDatabase()
    await sql(DATABASE_URL, `insert into service_state (environment) values ('sandbox')`)
    const { code, stderr } = await commandLine.run(['start'], {
      ...PRODUCTION,
      PORT: '0',
      DATABASE_URL,
    })
    assert.equal(code, 1)
    assert.match(stderr, /belongs to the sandbox environment and MALIPO_ENV asks for production/)
  })

  it('another secret than the data was sealed with is refused, and named', async () => {
    const sealed = await startService({ MALIPO_SECRET_KEY: SECRET })
    await sealed.stop()
    const { code, stderr } = await commandLine.run(['start'], {
      DATABASE_URL: sealed.databaseUrl,
      PORT: '0',
      MALIPO_SECRET_KEY: `${SECRET}, another one`,
    })
    assert.equal(code, 1)
    assert.match(stderr, /MALIPO_SECRET_KEY does not fit the stored data/)
  })

  it('a node that loses the database as it begins to listen ends', async (test) => {
    const link = await startDatabaseLink(await cloneDatabase())
    test.after(link.close)
    // Asked for by a node that listens, for the link in its banner.
    const lost = link.loseRequestOf('find-token')
    const { code, stderr } = await malipo(['start'], { DATABASE_URL: link.url, PORT: '0' })
    await lost
    assert.equal(code, 1)
    assert.match(stderr, /the database connection was lost/)
    assert.doesNotMatch(stderr, /stopping/, 'it did not end by itself')
  })
})

import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { cloneDatabase, startService } from '../../harness/service.ts'
import { MIGRATIONS_FOLDER } from '../../src/package-root.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { migrate, readMigrations } from '../../src/store/engine/migrate.ts'
import { openCommandLine } from '../cli/command-line.ts'
import { call, emptyDatabase, sql, startProgram } from '../node/program.ts'

const commandLine = openCommandLine()
after(() => commandLine.close())

describe('the schema', { concurrency: 3, timeout: 540_000 }, () => {
  it('two nodes that start at once on an empty database agree on everything', async () => {
    const DATABASE_URL = await emptyDatabase()
    const settings = { DATABASE_URL, PORT: '0' }
    const [one, other] = await Promise.all([startProgram(settings), startProgram(settings)])
    assert.equal(one.token, other.token)
    const keys = []
    for (const { url, token } of [one, other]) {
      const { status, body } = await call(`${url}/v2/public-key/http`, token)
      assert.equal(status, 200)
      keys.push(body)
    }
    assert.deepEqual(keys[0], keys[1])
    await Promise.all([one.stop(), other.stop()])

    const applied = await sql<{ file: string }>(
      DATABASE_URL,
      'select file from schema_migrations order by number',
    )
    assert.deepEqual(
      applied.map((row) => row.file),
      readMigrations(MIGRATIONS_FOLDER).map((migration) => migration.file),
    )
    assert.deepEqual(await sql(DATABASE_URL, 'select slug from merchants'), [{ slug: 'demo' }])
  })

  it('migrate brings an empty database up to date, once', async () => {
    const DATABASE_URL = await emptyDatabase()
    const files = readMigrations(MIGRATIONS_FOLDER).map((migration) => migration.file)
    const first = await commandLine.run(['migrate', '--json'], { DATABASE_URL })
    assert.deepEqual(JSON.parse(first.stdout), { applied: files, version: files.length })
    const again = await commandLine.run(['migrate'], { DATABASE_URL })
    assert.equal(again.stdout, `Schema version ${files.length}: nothing to do.\n`)
  })

  it('a schema newer than the program is refused by every command', async () => {
    const DATABASE_URL = await cloneDatabase()
    await sql(DATABASE_URL, `insert into schema_migrations values (9999, '9999_future.sql', 'x')`)
    for (const command of ['start', 'migrate', 'verify']) {
      const { code, stderr } = await commandLine.run([command], { DATABASE_URL, PORT: '0' })
      assert.equal(code, 1)
      assert.match(stderr, /has the schema of a newer Malipo \(9999_future\.sql\)/)
      assert.match(stderr, /Start the newer version, or restore a backup/)
    }
  })

  it('a migration that was edited after it ran is refused and named', async () => {
    const DATABASE_URL = await cloneDatabase()
    await sql(DATABASE_URL, `update schema_migrations set hash = 'x' where number = 1`)
    const { code, stderr } = await commandLine.run(['start'], { DATABASE_URL, PORT: '0' })
    assert.equal(code, 1)
    const [first] = readMigrations(MIGRATIONS_FOLDER)
    assert.ok(stderr.includes(`${first?.file} differs from the text this database was made with.`))
  })

  it('a migration that fails leaves nothing of itself behind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'malipo-migrations-'))
    cpSync(MIGRATIONS_FOLDER, folder, { recursive: true })
    const url = await cloneDatabase()
    const database = openDatabase({ connectionString: url }, 4)
    const next = join(folder, '9000_next.sql')
    writeFileSync(next, 'create table half_done (id integer); select 1 / 0;')
    await assert.rejects(migrate(database, folder), /division by zero/)
    writeFileSync(next, 'create table half_done (id integer);')
    assert.deepEqual(await migrate(database, folder), { applied: ['9000_next.sql'], version: 9000 })
    await database.close()
    rmSync(folder, { recursive: true })
  })

  it('what operators reported has the words of today, and the rest of it is as it was', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'malipo-migrations-'))
    for (const { file } of readMigrations(MIGRATIONS_FOLDER)) {
      if (file < '0038') cpSync(join(MIGRATIONS_FOLDER, file), join(folder, file))
    }
    const database = openDatabase({ connectionString: await emptyDatabase() }, 2)
    await migrate(database, folder)
    const kept = [
      { said: 'ESB000010', saidTimeout: 'true', transId: 'T-1' },
      { heardNotifToken: 'n', heardAt: '1700000000000', saidForged: 'true' },
      { transId: 'T-2' },
      null,
    ]
    await database.query(
      `insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
         country, provider, phone_number, details, state, holder, due_at, operator_ids)
       select 1, 'deposit', gen_random_uuid(), gen_random_uuid(), 'v2', to_timestamp(n), 100, 'ZMW',
         'ZMB', 'MTN_MOMO_ZMB', '260763456789', '{}', 'ACCEPTED', 0, now(), nullif(one, 'null')
       from jsonb_array_elements($1::jsonb) with ordinality as given (one, n)`,
      [JSON.stringify(kept)],
    )
    await migrate(database, MIGRATIONS_FOLDER)
    const rows = await database.query<{ ids: unknown }>(
      'select operator_ids as ids from payments order by created_at',
    )
    assert.deepEqual(
      rows.map(({ ids }) => ids),
      [
        { responseCode: 'ESB000010', timeoutReported: 'true', transId: 'T-1' },
        { callbackNotifToken: 'n', callbackAt: '1700000000000', forgeryReported: 'true' },
        { transId: 'T-2' },
        null,
      ],
    )
    await database.close()
    rmSync(folder, { recursive: true })
  })

  it('a migration that older nodes would not survive waits until they are stopped', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'malipo-migrations-'))
    cpSync(MIGRATIONS_FOLDER, folder, { recursive: true })
    const older = await startService()
    const database = openDatabase({ connectionString: older.databaseUrl }, 4)

    writeFileSync(
      join(folder, '9000_more.sql'),
      '-- Older nodes go on: they do not know it.\ncreate table more ();',
    )
    assert.deepEqual((await migrate(database, folder)).applied, ['9000_more.sql'])
    assert.equal((await older.get('/v2/wallet-balances')).status, 200)

    writeFileSync(join(folder, '9001_else.sql'), 'alter table merchants rename name to title;')
    await assert.rejects(migrate(database, folder), (fault: Error) => {
      assert.match(
        fault.message,
        /^9001_else\.sql changes what older nodes rely on, and there is one/,
      )
      assert.match(
        fault.message,
        /: version \d+\.\d+\.\d+ on \S+, process \d+\. Stop all nodes, make/,
      )
      return true
    })
    assert.equal((await older.get('/v2/wallet-balances')).status, 200)

    // One that was killed has left its name, and no beat.
    await older.stop()
    await database.query(
      `insert into nodes (machine, pid, beat, version, started_at) values ('m', 1, 7, '0.0.1', now())`,
    )
    assert.deepEqual((await migrate(database, folder)).applied, ['9001_else.sql'])
    await database.close()
    rmSync(folder, { recursive: true })
  })
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { cloneDatabase, depositBody, eventually } from '../../harness/service.ts'
import { checkpoint } from '../support/checkpoint.ts'
import { startDatabaseLink } from '../support/database-link.ts'
import { freePorts, listenOn } from '../support/ports.ts'
import {
  call,
  malipo,
  onServer,
  type RunningProgram,
  type Settings,
  shell,
  sql,
  startByShell,
  startProgram,
} from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'malipo-start-'))
const running = new Set<RunningProgram>()
after(async () => {
  for (const program of running) await program.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A node on a database of its own, stopped at the end of the file if not before. */
async function start(settings: Settings): Promise<RunningProgram> {
  const program = await startProgram({ PORT: '0', ...settings })
  running.add(program)
  return program
}

async function stop(program: RunningProgram): Promise<void> {
  running.delete(program)
  const { code } = await program.stop()
  assert.equal(code, 0)
}

/** A line of the banner, with the one after it where it goes on there. */
const lineOf = (banner: string, beginning: string): string => {
  const lines = banner.split('\n')
  const at = lines.findIndex((line) => line.startsWith(`  ${beginning}`))
  assert.ok(at >= 0, `"${beginning}" in ${banner}`)
  const line = lines[at] ?? ''
  return line.endsWith('\\') ? `${line}\n${lines[at + 1]}` : line
}

const outcomeOf = ({ url, token }: RunningProgram, id: string, status: string) =>
  eventually(async () => {
    const { body } = await call(`${url}/v2/deposits/${id}`, token)
    assert.equal(body.data?.status, status)
  })

it('what the banner prints can be pasted and works, second node included', async () => {
  const port = await freePorts(2)
  const settings = { MALIPO_DATA_DIR: join(folder, 'data'), PORT: String(port) }
  const first = await start(settings)
  assert.match(first.banner, /Malipo is ready \(sandbox\)/)
  assert.equal(first.url, `http://127.0.0.1:${port}`)
  assert.match(first.token, /^mlp_sbx_/)
  const docs = /Reference +(\S+)/.exec(first.banner)?.[1] ?? ''
  assert.equal((await fetch(docs)).status, 200)

  const paid = await shell(lineOf(first.banner, `curl -s ${first.url}/v2/deposits -H`))
  assert.equal(paid.code, 0)
  assert.equal(JSON.parse(paid.stdout).status, 'ACCEPTED')
  await eventually(async () => {
    const outcome = await shell(lineOf(first.banner, `curl -s ${first.url}/v2/deposits/`))
    assert.equal(JSON.parse(outcome.stdout).data.status, 'COMPLETED')
  })

  const second = await startByShell(lineOf(first.banner, 'DATABASE_URL='))
  running.add(second)
  assert.equal(second.url, `http://127.0.0.1:${port + 1}`)
  assert.equal(second.token, first.token)
  const body = depositBody()
  const { body: answer } = await call(`${second.url}/v2/deposits`, second.token, body)
  assert.equal(answer.status, 'ACCEPTED')
  await outcomeOf(first, body.depositId, 'COMPLETED')

  // A command beside a running node uses the database of that node.
  const verdict = await malipo(['verify'], settings)
  assert.deepEqual({ code: verdict.code, stderr: verdict.stderr }, { code: 0, stderr: '' })

  running.delete(second)
  await second.stop()
  await checkpoint(settings.MALIPO_DATA_DIR)
  await stop(first)

  const again = await start({ ...settings, PORT: '0' })
  assert.equal(again.token, first.token)
  const { body: kept } = await call(`${again.url}/v2/deposits/${body.depositId}`, again.token)
  assert.equal(kept.data.status, 'COMPLETED')
  await checkpoint(settings.MALIPO_DATA_DIR)
  await stop(again)
})

it('MALIPO_SANDBOX_TOKEN decides the token; the one before it ends', async () => {
  const DATABASE_URL = await cloneDatabase()
  const tokens = ['first-token-of-the-shop', 'other-token-of-the-shop', 'first-token-of-the-shop']
  let former: string | undefined
  for (const token of tokens) {
    const program = await start({ DATABASE_URL, MALIPO_SANDBOX_TOKEN: token })
    assert.equal(program.token, token)
    const balances = `${program.url}/v2/wallet-balances`
    assert.equal((await call(balances, token)).status, 200)
    if (former !== undefined) assert.equal((await call(balances, former)).status, 401)
    former = token
    await stop(program)
  }
  const program = await start({ DATABASE_URL })
  assert.equal(program.token, former, 'the token is kept without the setting')
  await stop(program)
})

it('a demo token that was revoked stays so: the next start makes another', async () => {
  const DATABASE_URL = await cloneDatabase()
  const first = await start({ DATABASE_URL })
  await stop(first)
  const listed = await malipo(['token', 'list', '--json'], { DATABASE_URL })
  const [{ tokenId }] = JSON.parse(listed.stdout)
  assert.equal((await malipo(['token', 'revoke', tokenId], { DATABASE_URL })).code, 0)
  const second = await start({ DATABASE_URL })
  assert.notEqual(second.token, first.token)
  assert.equal((await call(`${second.url}/v2/wallet-balances`, second.token)).status, 200)
  assert.equal((await call(`${second.url}/v2/wallet-balances`, first.token)).status, 401)
  await stop(second)
})

it('MALIPO_SANDBOX_CALLBACK_URL is where callbacks go, MALIPO_SANDBOX_DELAY_MS when', async () => {
  const receiver = await startReceiver()
  const DATABASE_URL = await cloneDatabase()
  const program = await start({
    DATABASE_URL,
    MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
    MALIPO_SANDBOX_DELAY_MS: '86400000',
  })
  const body = depositBody()
  await call(`${program.url}/v2/deposits`, program.token, body)
  // The delay counts from here, and not from PROCESSING.
  await eventually(async () => {
    assert.equal((await sql(DATABASE_URL, 'select from sandbox_orders')).length, 1)
  })
  await call(`${program.url}/sandbox/clock/advance`, program.token, { seconds: 86_300 })
  await outcomeOf(program, body.depositId, 'PROCESSING')
  assert.equal(receiver.received.length, 0)
  await call(`${program.url}/sandbox/clock/advance`, program.token, { seconds: 100 })
  await outcomeOf(program, body.depositId, 'COMPLETED')
  await eventually(() => assert.equal(receiver.received.length, 1))
  await stop(program)
  await receiver.close()
})

it('a port in use is named, with another to take', async () => {
  const other = await listenOn(0)
  const { code, stdout, stderr } = await malipo(['start'], {
    DATABASE_URL: await cloneDatabase(),
    PORT: String(other.port),
    MALIPO_LOG_LEVEL: 'silent',
  })
  await other.close()
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
  assert.ok(stderr.includes(`Port ${other.port} on 127.0.0.1 is in use by another program.`))
  assert.ok(stderr.includes(`PORT=${other.port + 1} npm start`))
})

it('a data folder that cannot be written is named, with the setting to change', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const { code, stderr } = await malipo(['start'], { PORT: '0', MALIPO_DATA_DIR: `${file}/data` })
  assert.equal(code, 1)
  assert.ok(stderr.includes(`The data folder ${file}/data cannot be used`), stderr)
  assert.match(stderr, /Set MALIPO_DATA_DIR to a folder that this user may write to\./)
})

it('a database that cannot be reached is named without its password', async () => {
  const port = await freePorts()
  const { code, stderr } = await malipo(['start'], {
    PORT: '0',
    DATABASE_URL: `postgres://shop:pass-of-the-shop@127.0.0.1:${port}/malipo`,
  })
  assert.equal(code, 1)
  assert.ok(stderr.includes(`The database of DATABASE_URL (127.0.0.1:${port}) cannot be`))
  assert.doesNotMatch(stderr, /pass-of-the-shop/)
})

const SECRET = 'a secret of more than thirty-two characters'
const PRODUCTION = { MALIPO_ENV: 'production', MALIPO_SECRET_KEY: SECRET }

it('production refuses to start without a secret of its own', async () => {
  const { code, stderr } = await malipo(['start'], { PORT: '0', MALIPO_ENV: 'production' })
  assert.equal(code, 1)
  assert.match(stderr, /MALIPO_SECRET_KEY must be set in production\. .*openssl rand/)
})

it('production refuses every setting of the sandbox', async () => {
  for (const [name, value] of Object.entries({
    MALIPO_SANDBOX_TOKEN: 'first-token-of-the-shop',
    MALIPO_SANDBOX_CALLBACK_URL: 'http://127.0.0.1:9/',
    MALIPO_SANDBOX_DELAY_MS: '0',
  })) {
    const { code, stderr } = await malipo(['start'], { ...PRODUCTION, PORT: '0', [name]: value })
    assert.equal(code, 1)
    assert.ok(stderr.includes(`${name} is for the sandbox only.`), stderr)
  }
})

it('production has no sandbox, no demo merchant and tokens of its own', async () => {
  const DATABASE_URL = await cloneDatabase()
  const settings = { ...PRODUCTION, DATABASE_URL }
  const program = await start(settings)
  assert.match(program.banner, /Malipo is ready \(production\)/)
  assert.equal(program.token, '')
  assert.deepEqual(JSON.parse((await malipo(['merchant', 'list', '--json'], settings)).stdout), [])
  assert.equal((await malipo(['merchant', 'create', 'acme'], settings)).code, 0)
  const made = await malipo(['token', 'create', 'acme', '--json'], settings)
  const { token } = JSON.parse(made.stdout)
  assert.match(token, /^mlp_live_/)
  assert.equal((await call(`${program.url}/v2/wallet-balances`, token)).status, 200)
  // No connector reaches an operator in production, so no payment is accepted that would hang.
  const refused = await call(`${program.url}/v2/deposits`, token, depositBody())
  assert.equal(refused.body.status, 'REJECTED')
  assert.equal(refused.body.failureReason.failureCode, 'INVALID_PROVIDER')
  for (const path of [
    '/sandbox',
    '/sandbox/clock',
    '/sandbox/deliveries',
    '/sandbox/reset',
    '/sandbox/phones/260763456789',
    '/sandbox/phones/260763456789/actions',
    '/sandbox/wallet/token',
    '/sandbox/wallet/token/approve',
    '/sandbox/sign-in',
    '/sandbox/enter/code',
    '/sandbox/acts',
    '/sandbox/live/260763456789',
    '/sandbox/numbers',
    '/sandbox/shop',
    '/sandbox/shop/back',
  ]) {
    for (const method of ['GET', 'POST', 'PUT']) {
      const { status } = await call(`${program.url}${path}`, token, undefined, method)
      assert.equal(status, 404, `${method} ${path}`)
    }
  }
  const { body } = await call(`${program.url}/openapi.json`, token)
  assert.ok(!Object.keys(body.paths).some((path) => path.startsWith('/sandbox')))
  await stop(program)

  const wrong = await malipo(['start'], { PORT: '0', DATABASE_URL })
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /belongs to the production environment and MALIPO_ENV asks for sandb/)
})

it('production refuses the database of a sandbox', async () => {
  const DATABASE_URL = await cloneDatabase()
  await sql(DATABASE_URL, `insert into service_state (environment) values ('sandbox')`)
  const { code, stderr } = await malipo(['start'], { ...PRODUCTION, PORT: '0', DATABASE_URL })
  assert.equal(code, 1)
  assert.match(stderr, /belongs to the sandbox environment and MALIPO_ENV asks for production/)
})

it('another secret than the data was sealed with is refused, and named', async () => {
  const DATABASE_URL = await cloneDatabase()
  const sealed = await start({ DATABASE_URL, MALIPO_SECRET_KEY: SECRET })
  await stop(sealed)
  const { code, stderr } = await malipo(['start'], {
    DATABASE_URL,
    PORT: '0',
    MALIPO_SECRET_KEY: `${SECRET}, another one`,
  })
  assert.equal(code, 1)
  assert.match(stderr, /MALIPO_SECRET_KEY does not fit the stored data/)
})

it('a node that loses the database as it begins to listen ends', async () => {
  const link = await startDatabaseLink(await cloneDatabase())
  after(link.close)
  // Asked for by a node that listens, for the link in its banner.
  const lost = link.loseRequestOf('find-token')
  const { code, stderr } = await malipo(['start'], { DATABASE_URL: link.url, PORT: '0' })
  await lost
  assert.equal(code, 1)
  assert.match(stderr, /the database connection was lost/)
  assert.doesNotMatch(stderr, /stopping/, 'it did not end by itself')
})

it('is ready only while payments can be accepted, and alive all the time', async () => {
  const DATABASE_URL = await cloneDatabase()
  const program = await start({ DATABASE_URL })
  const name = new URL(DATABASE_URL).pathname.slice(1)
  const ready = () => call(`${program.url}/readyz`, '')
  assert.deepEqual((await ready()).body, { status: 'ready' })

  await onServer(DATABASE_URL, `alter database ${name} allow_connections false`)
  await onServer(
    DATABASE_URL,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
  await eventually(async () => {
    const { status, body } = await ready()
    assert.equal(status, 503)
    assert.deepEqual(body, { status: 'not ready', reason: 'the database cannot be reached' })
  })
  assert.deepEqual((await call(`${program.url}/livez`, '')).body, { status: 'alive' })
  const refused = await call(`${program.url}/v2/deposits`, program.token, depositBody())
  assert.equal(refused.status, 500)
  assert.equal(refused.body.failureReason.failureCode, 'UNKNOWN_ERROR')

  await onServer(DATABASE_URL, `alter database ${name} allow_connections true`)
  await eventually(async () => assert.equal((await ready()).status, 200))
  const body = depositBody()
  assert.equal(
    (await call(`${program.url}/v2/deposits`, program.token, body)).body.status,
    'ACCEPTED',
  )
  await outcomeOf(program, body.depositId, 'COMPLETED')
  await stop(program)
})

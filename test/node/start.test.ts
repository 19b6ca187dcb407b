import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { itInProofs } from '../../harness/scale.ts'
import {
  clientOf,
  cloneDatabase,
  depositBody,
  eventually,
  startService,
} from '../../harness/service.ts'
import { FIRST_NUMBER } from '../../src/web/sandbox/view.ts'
import { openCommandLine } from '../cli/command-line.ts'
import { checkpoint } from '../support/checkpoint.ts'
import { freePorts } from '../support/ports.ts'
import {
  call,
  onServer,
  type RunningProgram,
  type Settings,
  shell,
  startByShell,
  startProgram,
} from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'malipo-start-'))
const running = new Set<RunningProgram>()
/** One process for all commands beside the nodes. */
const commandLine = openCommandLine()
after(async () => {
  for (const program of running) await program.stop()
  commandLine.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A process of its own, stopped at the end of the file if not before. */
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

/** With it a service begins on an empty database. */
const OWN_SECRET = { MALIPO_SECRET_KEY: 'a secret of more than thirty-two characters' }
const PRODUCTION = { MALIPO_ENV: 'production', ...OWN_SECRET }

/** A line of the banner, with the one after it where it goes on there. */
const lineOf = (banner: string, beginning: string): string => {
  const lines = banner.split('\n')
  const at = lines.findIndex((line) => line.startsWith(`  ${beginning}`))
  assert.ok(at >= 0, `"${beginning}" in ${banner}`)
  const line = lines[at] ?? ''
  return line.endsWith('\\') ? `${line}\n${lines[at + 1]}` : line
}

/** What a server says that has no room for another page. */
const FULL_DISK = `
create function no_room() returns trigger language plpgsql as $$
begin raise 'could not extend file' using errcode = '53100'; end $$;
create function no_room_for_tables() returns event_trigger language plpgsql as $$
begin raise 'could not extend file' using errcode = '53100'; end $$;
create trigger no_room before insert on payments execute function no_room();
create event trigger no_room on ddl_command_start when tag in ('CREATE TABLE AS')
  execute function no_room_for_tables()`
const ROOM_AGAIN = 'drop event trigger no_room; drop trigger no_room on payments'

const outcomeOf = ({ url, token }: RunningProgram, id: string, status: string) =>
  eventually(async () => {
    const { body } = await call(`${url}/v2/deposits/${id}`, token)
    assert.equal(body.data?.status, status)
  })

describe('malipo start', { concurrency: 3, timeout: 540_000 }, () => {
  it('what the banner prints can be pasted and works, second node included', async () => {
    const port = await freePorts(2)
    const settings = { MALIPO_DATA_DIR: join(folder, 'data'), PORT: String(port) }
    const first = await start(settings)
    assert.match(first.banner, /Malipo is ready \(sandbox\)/)
    assert.equal(first.url, `http://127.0.0.1:${port}`)
    assert.match(first.token, /^mlp_sbx_/)
    const docs = /Reference +(\S+)/.exec(first.banner)?.[1] ?? ''
    assert.equal((await fetch(docs)).status, 200)

    // As in README: a number is taken in hand before the first call of the API.
    const phone = `${first.url}/sandbox/phones/${FIRST_NUMBER}`
    assert.equal((await call(phone, first.token, { mode: 'interactive' }, 'PUT')).status, 204)
    const paid = await shell(lineOf(first.banner, `curl -s ${first.url}/v2/deposits -H`))
    assert.equal(paid.code, 0)
    assert.equal(JSON.parse(paid.stdout).status, 'ACCEPTED')
    await eventually(async () => {
      const outcome = await shell(lineOf(first.banner, `curl -s ${first.url}/v2/deposits/`))
      assert.equal(JSON.parse(outcome.stdout).data.status, 'COMPLETED')
    })

    const second = await startByShell(
      `ulimit -n 2000; exec env ${lineOf(first.banner, 'DATABASE_URL=')}`,
    )
    running.add(second)
    assert.match(
      second.logLines().join(),
      /this process may open 2000 files and connections, and needs up to 11\d\d\d: .*Raise the limit/,
    )
    assert.doesNotMatch(first.logLines().join(), /this process may open/)
    assert.equal(second.url, `http://127.0.0.1:${port + 1}`)
    assert.equal(second.token, first.token)
    const body = depositBody()
    const { body: answer } = await call(`${second.url}/v2/deposits`, second.token, body)
    assert.equal(answer.status, 'ACCEPTED')
    await outcomeOf(first, body.depositId, 'COMPLETED')

    // A command beside a running node uses the database of that node.
    const verdict = await commandLine.run(['verify'], settings)
    assert.deepEqual({ code: verdict.code, stderr: verdict.stderr }, { code: 0, stderr: '' })

    running.delete(second)
    await second.stop()
    await checkpoint(settings.MALIPO_DATA_DIR)
    await stop(first)
  })

  itInProofs('after a restart the token is the same, and payments are there', async () => {
    const settings = { MALIPO_DATA_DIR: join(folder, 'kept'), PORT: '0' }
    const first = await start(settings)
    const body = depositBody()
    assert.equal(
      (await call(`${first.url}/v2/deposits`, first.token, body)).body.status,
      'ACCEPTED',
    )
    await outcomeOf(first, body.depositId, 'COMPLETED')
    await checkpoint(settings.MALIPO_DATA_DIR)
    await stop(first)
    const again = await start(settings)
    assert.equal(again.token, first.token)
    const { body: kept } = await call(`${again.url}/v2/deposits/${body.depositId}`, again.token)
    assert.equal(kept.data.status, 'COMPLETED')
    await checkpoint(settings.MALIPO_DATA_DIR)
    await stop(again)
  })

  it('MALIPO_SANDBOX_TOKEN decides the token; the one before it ends, and so does a revoked one', async () => {
    const [first, other] = ['first-token-of-the-shop', 'other-token-of-the-shop']
    const service = await startService({ ...OWN_SECRET, MALIPO_SANDBOX_TOKEN: first })
    assert.equal(service.token, first)
    assert.equal((await service.get('/v2/wallet-balances')).status, 200)
    await service.node.stop()
    for (const [token, former] of [
      [other, first],
      [first, other],
    ] as const) {
      const node = await service.addNode({ ...OWN_SECRET, MALIPO_SANDBOX_TOKEN: token })
      assert.equal(node.token, token)
      assert.equal((await node.get('/v2/wallet-balances')).status, 200)
      assert.equal((await call(`${node.url}/v2/wallet-balances`, former)).status, 401)
      await node.stop()
    }
    const node = await service.addNode(OWN_SECRET)
    assert.equal(node.token, first, 'the token is kept without the setting')
    await node.stop()

    // One that was revoked stays so: the next start makes another.
    const settings = { ...OWN_SECRET, DATABASE_URL: service.databaseUrl }
    const listed = JSON.parse((await commandLine.run(['token', 'list', '--json'], settings)).stdout)
    const active = listed.filter((one: { revoked: string | null }) => !one.revoked)
    assert.equal(active.length, 1)
    const { tokenId } = active[0]
    assert.equal((await commandLine.run(['token', 'revoke', tokenId], settings)).code, 0)
    const next = await service.addNode(OWN_SECRET)
    assert.ok(![first, other].includes(next.token))
    assert.equal((await next.get('/v2/wallet-balances')).status, 200)
    assert.equal((await call(`${next.url}/v2/wallet-balances`, first)).status, 401)
    await next.stop()
    await service.stop()
  })

  it('MALIPO_SANDBOX_CALLBACK_URL is where callbacks go, MALIPO_SANDBOX_DELAY_MS when', async () => {
    const receiver = await startReceiver()
    const service = await startService({
      MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
      MALIPO_SANDBOX_DELAY_MS: '86400000',
    })
    const { id } = await service.deposit()
    // The delay counts from here, and not from PROCESSING.
    await eventually(async () => {
      assert.equal((await service.database.query('select from sandbox_orders')).length, 1)
    })
    await service.advance(86_300)
    await service.reaches(id, 'PROCESSING')
    assert.equal(receiver.received.length, 0)
    await service.advance(100)
    await service.reaches(id, 'COMPLETED')
    await eventually(() => assert.equal(receiver.received.length, 1))
    await service.stop()
    await receiver.close()
  })

  it('production has no sandbox, no demo merchant and tokens of its own', async () => {
    const DATABASE_URL = await cloneDatabase()
    const settings = { ...PRODUCTION, DATABASE_URL }
    const program = await start(settings)
    assert.match(
      program.banner,
      /Malipo is running \(production\), and refuses payments: no operator account\n/,
    )
    const { status, body: why } = await call(`${program.url}/readyz`, '')
    assert.equal(status, 503)
    assert.deepEqual(why, { status: 'not ready', reason: 'no operator account' })
    const home = await (await fetch(program.url)).text()
    assert.match(home, /Not accepting payments/)
    assert.match(home, /No operator account/)
    assert.equal(program.token, '')
    assert.deepEqual(
      JSON.parse((await commandLine.run(['merchant', 'list', '--json'], settings)).stdout),
      [],
    )
    assert.equal((await commandLine.run(['merchant', 'create', 'acme'], settings)).code, 0)
    const made = await commandLine.run(['token', 'create', 'acme', '--json'], settings)
    const { token } = JSON.parse(made.stdout)
    assert.match(token, /^mlp_live_/)
    assert.equal((await call(`${program.url}/v2/wallet-balances`, token)).status, 200)
    // No connector reaches an operator in production, so no payment is accepted that would hang.
    const refused = await call(`${program.url}/v2/deposits`, token, depositBody())
    assert.equal(refused.body.status, 'REJECTED')
    assert.equal(refused.body.failureReason.failureCode, 'INVALID_PROVIDER')
    const api = clientOf(program.url, token)
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
        const { status } = await api.call(method, path)
        assert.equal(status, 404, `${method} ${path}`)
      }
    }
    const { body } = await call(`${program.url}/openapi.json`, token)
    assert.ok(!Object.keys(body.paths).some((path) => path.startsWith('/sandbox')))
    await stop(program)

    const wrong = await commandLine.run(['start'], { PORT: '0', DATABASE_URL })
    assert.equal(wrong.code, 1)
    assert.match(
      wrong.stderr,
      /belongs to the production environment and MALIPO_ENV asks for sandb/,
    )
  })

  it('is ready only while payments can be accepted, and alive all the time', async () => {
    const service = await startService()
    const name = new URL(service.databaseUrl).pathname.slice(1)
    const ready = () => service.get('/readyz')
    assert.deepEqual((await ready()).body, { status: 'ready' })

    await service.database.query(FULL_DISK)
    assert.equal((await service.deposit()).status, 500)
    const beats = async (): Promise<number> => {
      const [row] = await service.database.query<{ sum: number }>(
        'select sum(beat)::float8 from nodes',
      )
      return row?.sum ?? 0
    }
    const until = (await beats()) + 3
    await eventually(async () => {
      const { status, body: answer } = await ready()
      assert.equal(status, 503)
      assert.equal(answer.reason, 'the disk of the database is full')
      assert.ok((await beats()) >= until)
    })
    await service.database.query(ROOM_AGAIN)
    await eventually(async () => assert.equal((await ready()).status, 200))

    await onServer(service.databaseUrl, `alter database ${name} allow_connections false`)
    await onServer(
      service.databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    )
    await eventually(async () => {
      const { status, body } = await ready()
      assert.equal(status, 503)
      assert.deepEqual(body, { status: 'not ready', reason: 'the database cannot be reached' })
    })
    assert.deepEqual((await service.get('/livez')).body, { status: 'alive' })
    const refused = await service.deposit()
    assert.equal(refused.status, 500)
    assert.equal(refused.body.failureReason.failureCode, 'UNKNOWN_ERROR')

    await onServer(service.databaseUrl, `alter database ${name} allow_connections true`)
    await eventually(async () => assert.equal((await ready()).status, 200))
    const { id, body } = await service.deposit()
    assert.equal(body.status, 'ACCEPTED')
    await service.reaches(id, 'COMPLETED')
    await service.stop()
  })
})

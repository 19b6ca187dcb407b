import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { sandboxCache } from '../../harness/data-folder.ts'
import { itInProofs } from '../../harness/scale.ts'
import { depositBody, eventually } from '../../harness/service.ts'
import { isAlive } from '../../src/store/embedded/lock.ts'
import { openCommandLine } from '../cli/command-line.ts'
import { listenOn } from '../support/ports.ts'
import { call, malipo, ROOT } from './program.ts'

/** Temporary files of these tests alone. */
const own = mkdtempSync(join(tmpdir(), 'malipo-ephemeral-'))
const temp = join(own, 'tmp')
mkdirSync(temp, { mode: 0o711 })
const cache = await sandboxCache()
const commandLine = openCommandLine()
const started: ChildProcess[] = []
after(() => {
  for (const child of started) child.kill('SIGKILL')
  commandLine.close()
  rmSync(own, { recursive: true, force: true, maxRetries: 10 })
})

const COMMAND = [join(ROOT, 'bin/malipo.mjs'), 'sandbox', '--ephemeral', '--json']

type Sandbox = {
  readonly baseUrl: string
  readonly token: string
  readonly pid: number
  /** The process that was started, which may be another one than that of the sandbox. */
  readonly child: ChildProcess
  /** The process of PostgreSQL. */
  readonly server: number
  readonly folder: string
}

/** A test suite of another language: `command` is run with a closed standard input. */
function launch(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...folders(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  return child
}

const folders = () => ({ TMPDIR: temp, XDG_CACHE_HOME: cache })

const foldersNow = (): readonly string[] =>
  readdirSync(temp).filter((name) => name.startsWith('malipo-sandbox-'))

const serverOf = (folder: string): number =>
  Number.parseInt(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10)

async function ready(child: ChildProcess): Promise<Sandbox> {
  let line = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    line += text
  })
  await eventually(() => assert.ok(line.endsWith('\n') || child.exitCode !== null))
  const facts = JSON.parse(line)
  assert.deepEqual(Object.keys(facts), ['baseUrl', 'token', 'pid'])
  const name = foldersNow().find((one) => one.includes(`-${facts.pid}-`))
  assert.ok(name !== undefined)
  const folder = join(temp, name)
  return { ...facts, child, folder, server: serverOf(folder) }
}

async function isGone({ pid, server, folder }: Sandbox): Promise<void> {
  await eventually(() => {
    assert.ok(!isAlive(pid), 'the sandbox is gone')
    assert.ok(!isAlive(server), 'PostgreSQL is gone')
    assert.ok(!existsSync(folder), 'the folder is gone')
    // Of sockets, too.
    assert.deepEqual(
      readdirSync(temp).filter((name) => /^malipo-[0-9a-f]{16}$/.test(name)),
      [],
    )
  })
}

/** The shell that cleans up after a sandbox. */
const reaperOf = (folder: string): number =>
  Number(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .find((pid) => {
        try {
          const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
          return words.includes('malipo-reaper') && words.includes(folder)
        } catch {
          return false
        }
      }),
  )

/** A parent that a test can kill; `way` is what stands between it and the sandbox. */
const parentOf = (way: 'direct' | 'shell'): ChildProcess => {
  const line = `"${process.execPath}" "${COMMAND[0]}" sandbox --ephemeral --json; true`
  const [command, args] = way === 'direct' ? [process.execPath, COMMAND] : ['/bin/sh', ['-c', line]]
  const code = `require('child_process').spawn(${JSON.stringify(command)}, ${JSON.stringify(args)},
    { stdio: ['ignore', 'inherit', 'inherit'] })`
  return launch(process.execPath, ['-e', code])
}

const TIMEOUT = { timeout: 540_000 }

describe('malipo sandbox --ephemeral', TIMEOUT, () => {
  it('pays in a sandbox of its own, whatever the environment says, and leaves nothing', async () => {
    const sandbox = await ready(
      launch(process.execPath, COMMAND, {
        PORT: '1',
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
        MALIPO_ENV: 'production',
        MALIPO_DATA_DIR: '/nowhere',
        MALIPO_COMMAND: 'of the test suite',
      }),
    )
    const { baseUrl, token } = sandbox
    const body = depositBody()
    assert.equal((await call(`${baseUrl}/v2/deposits`, token, body)).body.status, 'ACCEPTED')
    await eventually(async () => {
      const { body: found } = await call(`${baseUrl}/v2/deposits/${body.depositId}`, token)
      assert.equal(found.data.status, 'COMPLETED')
    })
    sandbox.child.kill('SIGTERM')
    assert.deepEqual(await once(sandbox.child, 'exit'), [0, null])
    // By itself, or by its reaper where that takes too long.
    await isGone(sandbox)
  })

  itInProofs('two at once do not touch each other, and kill -9 leaves nothing of one', async () => {
    const start = () => ready(launch(process.execPath, COMMAND))
    const [one, other] = await Promise.all([start(), start()])
    assert.notEqual(one.baseUrl, other.baseUrl)
    assert.notEqual(one.token, other.token)
    one.child.kill('SIGKILL')
    await eventually(() => {
      assert.ok(!isAlive(one.server) && !existsSync(one.folder))
    })
    assert.equal((await call(`${other.baseUrl}/v2/wallet-balances`, other.token)).status, 200)
    other.child.kill('SIGINT')
    await isGone(other)
  })

  itInProofs(
    'ends with its parent, also through a shell; what was left without a reaper goes as well',
    async (t) => {
      const lost = process.platform === 'linux' ? await leaveBehind() : undefined
      if (lost === undefined) t.diagnostic('no /proc here: nothing is left behind on purpose')
      const parent = parentOf('shell')
      const sandbox = await ready(parent)
      if (lost !== undefined) await eventually(() => assert.ok(!foldersNow().includes(lost)))
      parent.kill('SIGKILL')
      await isGone(sandbox)
    },
  )

  itInProofs('ends with a parent that dies while it starts', async () => {
    const parent = parentOf('direct')
    await eventually(() => assert.equal(foldersNow().length, 1))
    parent.kill('SIGKILL')
    await eventually(() => assert.deepEqual(readdirSync(temp), []))
  })
})

/** A sandbox that is killed after its reaper; its server runs on. */
async function leaveBehind(): Promise<string> {
  const sandbox = await ready(launch(process.execPath, COMMAND))
  process.kill(reaperOf(sandbox.folder), 'SIGKILL')
  sandbox.child.kill('SIGKILL')
  await once(sandbox.child, 'exit')
  assert.ok(isAlive(sandbox.server))
  return basename(sandbox.folder)
}

describe('a start that cannot succeed', TIMEOUT, () => {
  const REFUSED: readonly (readonly [
    args: string,
    settings: object,
    code: number,
    says: RegExp,
  ])[] = [
    ['', {}, 2, /needs --ephemeral/],
    ['--ephemeral --port x', {}, 2, /--port is "x"; give a whole number/],
    ['--ephemeral --port 65536', {}, 2, /--port is "65536"; give a whole number/],
    ['--ephemeral', { MALIPO_SANDBOX_DELAY: '1' }, 1, /Did you mean MALIPO_SANDBOX_DELAY_MS/],
  ]
  for (const [args, settings, code, says] of REFUSED) {
    it(`says why: ${says.source}`, async () => {
      const words = args.split(' ').filter((word) => word !== '')
      const ended = await commandLine.run(['sandbox', ...words], { ...folders(), ...settings })
      assert.equal(ended.code, code)
      assert.match(ended.stderr, says)
      assert.deepEqual(foldersNow(), [])
    })
  }

  it('says how to get another port, which the setting PORT does not do', async () => {
    const other = await listenOn(0)
    const args = ['sandbox', '--ephemeral', '--port', String(other.port)]
    const { code, stderr } = await malipo(args, folders())
    await other.close()
    assert.equal(code, 1)
    assert.ok(stderr.includes(`Port ${other.port} on 127.0.0.1 is in use by another program.`))
    assert.match(stderr, /Give another port, or none: a free one is taken then\./)
    assert.doesNotMatch(stderr, /PORT=/)
    assert.deepEqual(foldersNow(), [])
  })
})

// npm run proof -- package: a fresh clone is packed, the package is installed into an empty folder, and
// everything that docs/testing.md and docs/operating/running.md promise about it is done there: with
// npx, node:test, Vitest, Jest, TypeScript and pytest. It needs the npm registry.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const RUNNERS = ['vitest@4.1.12', 'jest@30.5.2', 'typescript@7.0.2', '@types/node@20.19.43']
/** On a busy machine five seconds are not much. */
const SLOW_MACHINE = ['--testTimeout=60000']
const STARTS = 7
const work = mkdtempSync(join(tmpdir(), 'malipo-package-'))
const [clone, app, temp] = ['clone', 'app', 'tmp'].map((name) => join(work, name))
for (const folder of [app, temp]) mkdirSync(folder)
// Nothing of the caller counts, npm's own variables included.
const { PATH, HOME } = process.env
const env = { PATH, HOME, NO_COLOR: '1', TMPDIR: temp, MALIPO_SANDBOX_DELAY_MS: '0' }

async function prove() {
  run(['git', 'clone', '-q', ROOT, clone], work)
  step('npm pack in a fresh clone, in which nothing was installed')
  const [packed] = JSON.parse(run(['npm', 'pack', '--json'], clone))
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
  report(
    `${packed.filename}: ${megabytes(packed.size)}, ${megabytes(packed.unpackedSize)} unpacked, ${packed.files.length} files`,
  )

  step('npm install into an empty folder')
  run(['npm', 'init', '-y'], app)
  // Where install scripts are switched off, too.
  run(['npm', 'install', '--ignore-scripts', join(clone, packed.filename)], app)
  const { scripts } = JSON.parse(
    readFileSync(join(app, 'node_modules/malipo/package.json'), 'utf8'),
  )
  for (const name of ['preinstall', 'install', 'postinstall']) assert.ok(!(name in scripts), name)
  report(
    `${megabytes(sizeOf(join(app, 'node_modules')))} with all that it needs, PostgreSQL included`,
  )
  report(`npx malipo --version: ${run(['npx', 'malipo', '--version'], app).trim()}`)

  step('npx malipo start, and a payment')
  await startAndPay()

  step('the kit: node:test, and how soon it is ready')
  copyExample('node')
  report(countOf(run(['node', '--test', 'node/'], app), /^# (pass|fail) \d+/gm))
  report(run(['node', '--input-type=module', '-e', MEASURE], app).trim())

  step('npx malipo sandbox --ephemeral: ends with a parent that is killed, and pytest')
  await killParent()
  if (spawnSync('python3', ['-m', 'pytest', '--version']).status === 0) {
    copyExample('pytest')
    report(run(['python3', '-m', 'pytest', '-q', 'pytest'], app).trim().split('\n').at(-1))
  } else {
    report('skipped: there is no pytest here')
  }

  step('the kit: Vitest, Jest, and its types in both module systems')
  run(['npm', 'install', '--save-dev', ...RUNNERS], app)
  copyExample('vitest')
  copyExample('jest')
  report(
    countOf(
      run(['npx', 'vitest', 'run', '--dir', 'vitest', ...SLOW_MACHINE], app),
      /^ +Tests .*/gm,
    ),
  )
  report(
    countOf(
      run(['npx', 'jest', '--testMatch', '**/jest/*.cjs', ...SLOW_MACHINE], app),
      /^Tests: .*/gm,
    ),
  )
  typeCheck()
  report('leftovers: none')
  assert.deepEqual(leftovers(), [])
}

async function startAndPay() {
  const settings = { ...env, PORT: '0', MALIPO_DATA_DIR: join(work, 'data') }
  const child = spawn('npx', ['malipo', 'start', '--json'], {
    cwd: app,
    env: settings,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const ended = once(child, 'close')
  const [line] = await once(child.stdout, 'data')
  const { url, token } = JSON.parse(line)
  const depositId = crypto.randomUUID()
  const payer = {
    type: 'MMO',
    accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' },
  }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ depositId, amount: '15', currency: 'ZMW', payer })
  await fetch(`${url}/v2/deposits`, { method: 'POST', headers, body })
  await eventually(async () => {
    const { data } = await (await fetch(`${url}/v2/deposits/${depositId}`, { headers })).json()
    return data.status === 'COMPLETED'
  })
  report(`a deposit of ZMW 15 is COMPLETED at ${url}`)
  // The group, since npx does not pass the signal on.
  process.kill(-child.pid, 'SIGTERM')
  await ended
}

/** The first start of a machine prepares a database; the others show what a test suite waits for. */
const MEASURE = `
  import { startMalipo } from 'malipo/testing'
  const ms = []
  for (let at = 0; at < ${STARTS}; at += 1) {
    const begun = performance.now()
    const malipo = await startMalipo()
    ms.push(Math.round(performance.now() - begun))
    await malipo.close()
  }
  console.log('startMalipo() took ' + ms.join(', ') + ' ms')`

async function killParent() {
  const code =
    "require('child_process').spawn('npx', ['malipo', 'sandbox', '--ephemeral', '--json'], { stdio: ['ignore', 'inherit', 'inherit'] })"
  const parent = spawn(process.execPath, ['-e', code], {
    cwd: app,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(parent.stdout, 'data')
  const { pid } = JSON.parse(line)
  parent.kill('SIGKILL')
  await eventually(() => !isAlive(pid) && leftovers().length === 0)
  report('process and folder are gone')
}

function typeCheck() {
  const program = `import { createClient, type Client } from 'malipo/client'
  import { createCallbackVerifier, type Verification } from 'malipo/receiver'
  import { startMalipo, type Malipo } from 'malipo/testing'
  export type All = Client | Verification | Malipo
  async function f() {
    const malipo = await startMalipo({ delayMs: 5, env: { MALIPO_LOG_LEVEL: 'error' } })
    const depositId: string = await malipo.phone('260763456789').approve('1234')
    const { failureReason } = await malipo.callbacks.next({ depositId }, 1000)
    const code: string | undefined = failureReason?.failureCode
    await malipo.clock.advance(60)
    const { baseUrl, token } = malipo
    const deposit = await createClient({ baseUrl, token }).deposits.waitForFinal(depositId)
    const status: 'COMPLETED' | 'FAILED' = deposit.status
    const verify = createCallbackVerifier({ service: baseUrl, callbackUrl: baseUrl })
    const { ok } = await verify({ method: 'POST', headers: {}, body: status })
    return [ok, code, malipo.callbacks.all().length, await malipo.close()]
  }
  void f\n`
  const files = ['esm.mts', 'cjs.cts']
  for (const name of files) writeFileSync(join(app, name), program)
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node']
  run(['npx', 'tsc', ...options, ...files], app)
  report('types hold for ES modules and CommonJS')
}

function copyExample(name) {
  cpSync(join(clone, 'examples/testing', name), join(app, name), { recursive: true })
}

function run([command, ...args], cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`)
  // Jest reports on standard error.
  return args.includes('jest') ? stderr : stdout
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

const leftovers = () => readdirSync(temp).filter((name) => name.startsWith('malipo-sandbox-'))
const countOf = (text, form) => [...text.matchAll(form)].map(([line]) => line.trim()).join(', ')
const step = (words) => console.log(`\n${words}`)
const report = (words) => console.log(`  ${words}`)

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function eventually(holds) {
  for (let tries = 0; !(await holds()); tries += 1) {
    assert.ok(tries < 600, String(holds))
    await sleep(100)
  }
}

try {
  await prove()
  console.log('\nholds')
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}

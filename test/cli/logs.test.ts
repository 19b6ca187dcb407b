import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import {
  appendFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { cloneDatabase, eventually, startService } from '../../harness/service.ts'
import { shownLine } from '../../src/cli/logs/lines.ts'
import { logPlaceOf } from '../../src/cli/logs/place.ts'
import { machineName } from '../../src/node/machine.ts'
import { ROOT, sql } from '../node/program.ts'
import { openCommandLine } from './command-line.ts'

/** `malipo logs` and `malipo open`: what a person at the machine asks for. */
const service = await startService()
const commandLine = openCommandLine()
const folder = mkdtempSync(join(tmpdir(), 'malipo-logs-'))
const children: ChildProcess[] = []
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  commandLine.close()
  await service.stop()
  rmSync(folder, { recursive: true })
})
const RUNNING = { DATABASE_URL: service.databaseUrl, PORT: String(service.node.port) }
const isLinux = process.platform === 'linux'
const skip = isLinux ? false : 'only Linux shows where a process writes'

const line = (level: string, msg: string, more: object = {}): string =>
  JSON.stringify({ level, time: '2026-11-15T10:14:00.123Z', ...more, msg })

it('lines are shown for people, or as they are, from a level on', () => {
  const text = { level: undefined, json: false }
  const request = line('info', 'request', { route: 'GET /v2/x', status: 200 })
  assert.equal(
    shownLine(request, text),
    '2026-11-15 10:14:00.123  INFO   request  route="GET /v2/x"  status=200',
  )
  assert.equal(shownLine('  Malipo is ready (sandbox)', text), '  Malipo is ready (sandbox)')
  assert.equal(shownLine('\u001b[2J', text), '\ufffd[2J')
  assert.equal(shownLine('', text), undefined)
  assert.equal(shownLine(request, { level: 'warn', json: false }), undefined)
  assert.equal(shownLine(request, { level: 'info', json: true }), request)
  assert.equal(shownLine('Malipo is ready', { level: undefined, json: true }), undefined)
})

/** A process that writes its log to a file, and a database in which it is a node of this machine. */
async function loggingTo(file: string): Promise<string> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'ignore', openSync(file, 'a')],
  })
  children.push(child)
  const databaseUrl = await cloneDatabase('malipo_demo')
  await sql(
    databaseUrl,
    `insert into nodes (machine, pid, beat, version, started_at)
     values ('${machineName()}', ${child.pid}, 0, '0', now())`,
  )
  return databaseUrl
}

it('the log of the service is found where it writes it', { skip }, async () => {
  const file = join(folder, 'found.log')
  const lines = Array.from({ length: 300 }, (_, at) => line(at === 299 ? 'warn' : 'info', `m${at}`))
  writeFileSync(file, `Malipo is ready\n${lines.join('\n')}\n`)
  const DATABASE_URL = await loggingTo(file)
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await commandLine.run(['logs', ...args], { DATABASE_URL })
    assert.deepEqual([code, stderr], [0, ''])
    return stdout.trimEnd().split('\n')
  }
  assert.equal((await run()).length, 100)
  assert.match((await run('--lines', '2'))[0] ?? '', /INFO {3}m298$/)
  assert.equal((await run('--lines', '1000')).length, 301)
  assert.deepEqual(await run('--level', 'warn', '--json'), [lines[299]])
})

it('with --follow it goes on, also in the next file', { skip }, async () => {
  const file = join(folder, 'followed.log')
  writeFileSync(file, `${line('info', 'before')}\n`)
  const DATABASE_URL = await loggingTo(file)
  const child = spawn(process.execPath, ['bin/malipo.mjs', 'logs', '--follow'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: folder, DATABASE_URL },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const shows = (word: string) =>
    eventually(() => assert.match(text, new RegExp(`INFO   ${word}$`, 'm')))
  await shows('before')
  appendFileSync(file, `${line('info', 'added')}\n`)
  await shows('added')
  renameSync(file, `${file}.1`)
  writeFileSync(file, `${line('info', 'rotated')}\n`)
  await shows('rotated')
  assert.equal(text.match(/added/g)?.length, 1)
})

it('where it cannot be read, it says where it can', { skip }, async () => {
  const quiet = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  children.push(quiet)
  const place = logPlaceOf(quiet.pid ?? 0)
  assert.ok(place.kind === 'elsewhere')
  assert.match(place.words, /throws its log away\. Start it with 2>>malipo\.log/)
  const gone = logPlaceOf(2 ** 30)
  assert.ok(gone.kind === 'elsewhere')
  assert.match(gone.words, /Look where it was started/)
})

it('without a service it says so', async () => {
  const { code, stdout, stderr } = await commandLine.run(['logs'], { MALIPO_DATA_DIR: folder })
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /No service of this database runs on this machine/)
})

const opened = async (args: readonly string[], settings: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await commandLine.run(['open', ...args, '--json'], {
    ...RUNNING,
    BROWSER: '',
    DISPLAY: '',
    WAYLAND_DISPLAY: '',
    ...settings,
  })
  assert.deepEqual([code, stderr], [0, ''])
  return JSON.parse(stdout)
}

it('pages are opened with a link that signs in once, or without where nobody signs in', async () => {
  for (const [page, path, leads] of [
    ['dashboard', /^\/sign-in\/[\w-]{20,}$/, undefined],
    ['phone', /^\/sandbox\/enter\/[\w-]{20,}$/, '/sandbox?lang=en'],
    ['reference', /^\/docs$/, undefined],
  ] as const) {
    const { url, opened: isOpened } = await opened([page, '--print'])
    assert.equal(isOpened, false)
    const { origin, pathname } = new URL(url)
    assert.equal(origin, service.url)
    assert.match(pathname, path)
    const answer = await fetch(url, { redirect: 'manual' })
    assert.ok([200, 303].includes(answer.status), `${page}: ${answer.status}`)
    if (leads !== undefined) assert.equal(answer.headers.get('location'), leads)
  }
})

it('the browser gets the address, and without one it is printed', {
  skip: process.platform !== 'linux',
}, async () => {
  const got = join(folder, 'got')
  const browser = join(folder, 'browser')
  writeFileSync(browser, `#!/bin/sh\necho "$1" > ${got}.new && mv ${got}.new ${got}\n`, {
    mode: 0o755,
  })
  const { url, opened: isOpened } = await opened([], { BROWSER: browser })
  assert.equal(isOpened, true)
  await eventually(() => assert.equal(readFileSync(got, 'utf8').trim(), url))
  const { opened: without } = await opened([], { BROWSER: join(folder, 'nothing') })
  assert.equal(without, false)
  const { opened: noScreen } = await opened(['reference'])
  assert.equal(noScreen, false)
})

it('a page that does not exist, or no service, is reported', async () => {
  const misuse = await commandLine.run(['open', 'shop'], RUNNING)
  assert.deepEqual([misuse.code], [2])
  assert.match(misuse.stderr, /"shop" is none of dashboard, phone, reference/)
  const nobody = await commandLine.run(['open', '--service', 'http://127.0.0.1:9'], RUNNING)
  assert.equal(nobody.code, 1)
  assert.match(nobody.stderr, /No service answers at http:\/\/127\.0\.0\.1:9\. Start it/)
})

it('"payments" is another name of "payment"', async () => {
  // Somebody reads the feed, so callbacks are owed though there is no address.
  await service.get('/callbacks/feed?address=http://127.0.0.1:9/callbacks')
  const { id } = await service.deposit()
  await service.reaches(id, 'COMPLETED')
  for (const group of ['payment', 'payments']) {
    const list = await commandLine.run([group, 'list', '--json'], RUNNING)
    assert.deepEqual(
      JSON.parse(list.stdout).map((one: { id: string }) => one.id),
      [id],
    )
    const show = await commandLine.run([group, 'show', id], RUNNING)
    assert.match(show.stdout, new RegExp(`^deposit ${id}: COMPLETED`))
    assert.match(
      (await commandLine.run([group, '--help'])).stdout,
      /payment show.*\n.*payment list/,
    )
  }
  const { stdout: all } = await commandLine.run(['--help'])
  assert.match(all, /^ {2}payment list .*\(also: malipo payments list\)$/m)
  await eventually(async () => {
    const { stdout } = await commandLine.run(['payments', 'show', id], RUNNING)
    assert.match(stdout, /callback COMPLETED: no callback address is set/)
  })
})

/** Three servers under Patroni with etcd, and HAProxy in front, with the files of deploy/patroni. */
import { spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ROOT } from '../../harness/process.ts'
import { handOver, PATH, runTool, serverPrograms } from '../support/tools.ts'
import { addMachine, layNetwork, type Machine } from './machines.ts'

type Member = {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly timeline?: number
  readonly lag?: number | 'unknown'
}

export type Cluster = {
  readonly machines: readonly Machine[]
  /** Through HAProxy, and to the three servers. */
  readonly addresses: { readonly proxy: string; readonly direct: string }
  readonly folder: string
  /** Starts etcd and Patroni there, if they do not run. */
  boot(machine: Machine): void
  /** The machines whose Patroni says that it is the leader. */
  leaders(): Promise<readonly Machine[]>
  /** The machine of the synchronous standby. */
  standby(): Promise<Machine | undefined>
  /** Resolves to why the cluster is not whole again within the time; undefined if it is. */
  whole(withinMs: number): Promise<string | undefined>
  /** From now on commits are confirmed without a standby. */
  makeAsynchronous(): Promise<void>
  remove(): Promise<void>
}

const NAMES = ['db1', 'db2', 'db3'] as const
const addressOf = (at: number): string => `10.0.0.1${at + 1}`
const PROXY = '127.0.0.1:5000'
const PASSWORD = 'malipo-proof'
const MADE_WITHIN_MS = 180_000
const ASK_WITHIN_MS = 3000
/** Bytes that a standby may be behind. */
const LAG_MOST = 1024 * 1024

const deployed = (file: string): string =>
  readFileSync(join(ROOT, 'deploy', 'patroni', file), 'utf8')

export async function makeCluster(api: 'etcd' | 'etcd3'): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-patroni-'))
  await runTool(['chmod', '755', folder])
  await layNetwork()
  const machines: Machine[] = []
  for (const [at, name] of NAMES.entries()) {
    const machine = await addMachine(name, addressOf(at), folder)
    await furnish(machine, api)
    machines.push(machine)
  }
  startProxy(folder)
  for (const machine of machines) boot(machine)
  const cluster = clusterOf(machines, folder)
  const trouble = await cluster.whole(MADE_WITHIN_MS)
  if (trouble !== undefined) throw new Error(`no cluster: ${trouble}; see the logs in ${folder}`)
  await makeDatabase()
  return cluster
}

/** Its configuration: that of users, with folders of its own. */
async function furnish(machine: Machine, api: 'etcd' | 'etcd3'): Promise<void> {
  const { folder } = machine
  await mkdir(join(folder, 'run'))
  await mkdir(join(folder, 'etcd'), { mode: 0o700 })
  const text = deployed('patroni.yml')
    .replace(/^etcd:$/m, `${api}:`)
    .replaceAll('/usr/lib/postgresql/15/bin', serverPrograms() ?? '')
    .replaceAll('/var/lib/postgresql', folder)
    .replaceAll('/var/run/postgresql', join(folder, 'run'))
    // The watchdog of the real machine is not to be touched.
    .replace('mode: automatic', 'mode: "off"')
  await writeFile(join(folder, 'patroni.yml'), text)
  await handOver(folder)
}

/** The settings of an environment file for db1, made those of the machine. */
function environment(file: string, { name, address }: Machine): Readonly<Record<string, string>> {
  const lines = deployed(file)
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) =>
      line.startsWith('ETCD_INITIAL_CLUSTER=')
        ? line
        : line.replaceAll('db1', name).replaceAll('10.0.0.11', address),
    )
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)))
}

function boot(machine: Machine): void {
  if (!machine.isRunning('etcd')) {
    const env = environment('etcd.env', machine)
    machine.start(['etcd'], { ...env, ETCD_DATA_DIR: join(machine.folder, 'etcd') }, 'etcd.log')
  }
  if (!machine.isRunning('patroni')) {
    const file = join(machine.folder, 'patroni.yml')
    machine.start(['patroni', file], environment('patroni.env', machine), 'patroni.log')
  }
}

/** With the file as it is. */
function startProxy(folder: string): void {
  const output = openSync(join(folder, 'haproxy.log'), 'a')
  const file = join(ROOT, 'deploy', 'patroni', 'haproxy.cfg')
  const child = spawn('haproxy', ['-db', '-f', file], {
    cwd: '/',
    env: { PATH },
    stdio: ['ignore', output, output],
  })
  process.once('exit', () => child.kill('SIGKILL'))
}

async function makeDatabase(): Promise<void> {
  const { PATRONI_SUPERUSER_PASSWORD: password = '' } = environment('patroni.env', {
    name: 'db1',
    address: addressOf(0),
  } as Machine)
  const [host, port] = PROXY.split(':')
  const client = new pg.Client({ host, port: Number(port), user: 'postgres', password })
  await client.connect()
  await client.query(`create role malipo login password '${PASSWORD}'`)
  await client.query('create database malipo owner malipo')
  await client.end()
}

function clusterOf(machines: readonly Machine[], folder: string): Cluster {
  let isSynchronous = true
  const leaders = async (): Promise<readonly Machine[]> => {
    const answers = await Promise.all(machines.map((one) => ask(one, '/primary')))
    return machines.filter((_, at) => answers[at]?.status === 200)
  }
  const standby = async (): Promise<Machine | undefined> => {
    const answers = await Promise.all(machines.map((one) => ask(one, '/synchronous')))
    return machines.find((_, at) => answers[at]?.status === 200)
  }
  return {
    machines,
    folder,
    boot,
    leaders,
    standby,
    addresses: {
      proxy: `postgres://malipo:${PASSWORD}@${PROXY}/malipo`,
      direct: `postgres://malipo:${PASSWORD}@${machines.map(({ address }) => `${address}:5432`)}/malipo`,
    },
    whole: async (withinMs) => {
      const deadline = performance.now() + withinMs
      for (;;) {
        const trouble = await troubleIn(machines, await leaders(), isSynchronous)
        if (trouble === undefined || performance.now() > deadline) return trouble
        await sleep(300)
      }
    },
    makeAsynchronous: async () => {
      isSynchronous = false
      const [leader] = await leaders()
      if (leader === undefined) throw new Error('there is no leader to configure')
      const env = environment('patroni.env', leader)
      const account = `${env.PATRONI_RESTAPI_USERNAME}:${env.PATRONI_RESTAPI_PASSWORD}`
      await fetch(`http://${leader.address}:8008/config`, {
        method: 'PATCH',
        headers: { authorization: `Basic ${Buffer.from(account).toString('base64')}` },
        body: JSON.stringify({ synchronous_mode: false, synchronous_mode_strict: false }),
      })
      while ((await standby()) !== undefined) await sleep(300)
    },
    remove: async () => {
      for (const machine of machines) machine.signal('SIGKILL')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** One leader, a synchronous standby, and everybody on the timeline of the leader. */
async function troubleIn(
  machines: readonly Machine[],
  leaders: readonly Machine[],
  isSynchronous: boolean,
): Promise<string | undefined> {
  const [leader] = leaders
  if (leader === undefined || leaders.length > 1) return `${leaders.length} leaders`
  const answer = await ask(leader, '/cluster')
  const members = ((answer?.body as { members?: readonly Member[] })?.members ?? []).filter(
    ({ state }) => ['running', 'streaming'].includes(state),
  )
  if (members.length < machines.length) return `only ${members.map(({ name }) => name)} run`
  const timeline = members.find(({ role }) => role === 'leader')?.timeline
  const astray = members.filter((one) => one.timeline !== timeline)
  if (astray.length > 0) return `${astray.map(({ name }) => name)} on another timeline`
  const behind = members.filter(({ role, lag }) => role !== 'leader' && !(Number(lag) < LAG_MOST))
  if (behind.length > 0) return `${behind.map(({ name }) => name)} behind`
  const isSafe = !isSynchronous || members.some(({ role }) => role === 'sync_standby')
  return isSafe ? undefined : 'no synchronous standby'
}

async function ask(
  { address }: Machine,
  path: string,
): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const response = await fetch(`http://${address}:8008${path}`, {
      signal: AbortSignal.timeout(ASK_WITHIN_MS),
    })
    return { status: response.status, body: await response.json().catch(() => undefined) }
  } catch {
    return undefined
  }
}

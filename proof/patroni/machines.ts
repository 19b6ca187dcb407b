/**
 * Machines that share nothing but a network: each has a network namespace of its own, with a cable
 * to a bridge. They can be switched off, frozen and cut off. The program must run in a network
 * namespace of its own already, so nothing of this is seen by the real machine.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendSignal } from '../../src/store/embedded/lock.ts'
import { asPostgres, handOver, PATH, runTool } from '../support/tools.ts'

export type Machine = {
  readonly name: string
  readonly address: string
  /** Its disk. */
  readonly folder: string
  /** Starts a program in the background, as the account of PostgreSQL. */
  start(command: readonly string[], env: Readonly<Record<string, string>>, log: string): void
  /** To every process, or to those with this name. */
  signal(signal: NodeJS.Signals, name?: string): void
  isRunning(name: string): boolean
  /** From everything. */
  cutOff(): Promise<void>
  /** From these alone, in both directions. */
  cutFrom(others: readonly Machine[]): Promise<void>
  reconnect(): Promise<void>
  /** Runs a program of the network there. */
  network(...words: readonly string[]): Promise<string>
}

const BRIDGE = 'malipo0'

/** The machine of the nodes and of this program has the first address. */
export async function layNetwork(): Promise<void> {
  await runTool(['ip', 'link', 'set', 'lo', 'up'])
  await runTool(['ip', 'link', 'add', BRIDGE, 'type', 'bridge'])
  await runTool(['ip', 'address', 'add', '10.0.0.1/24', 'dev', BRIDGE])
  await runTool(['ip', 'link', 'set', BRIDGE, 'up'])
}

export async function addMachine(name: string, address: string, below: string): Promise<Machine> {
  const folder = join(below, name)
  await mkdir(folder)
  await handOver(folder)
  const keeper = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
  process.once('exit', () => keeper.kill('SIGKILL'))
  const space = await spaceOf(keeper)
  const inside = ['nsenter', `--net=/proc/${keeper.pid}/ns/net`]
  const network = (...words: readonly string[]): Promise<string> => runTool([...inside, ...words])

  const cable = `cable-${name}`
  const far = ['peer', 'name', 'eth0', 'netns', String(keeper.pid)]
  await runTool(['ip', 'link', 'add', cable, 'type', 'veth', ...far])
  await runTool(['ip', 'link', 'set', cable, 'master', BRIDGE, 'up'])
  await network('ip', 'link', 'set', 'lo', 'up')
  await network('ip', 'address', 'add', `${address}/24`, 'dev', 'eth0')
  await network('ip', 'link', 'set', 'eth0', 'up')

  const cuts: (() => Promise<unknown>)[] = []
  const processes = (wanted?: string): readonly number[] =>
    everyProcess().filter(
      (pid) =>
        pid !== keeper.pid &&
        linkOf(pid) === space &&
        (wanted === undefined || nameOf(pid) === wanted),
    )
  return {
    name,
    address,
    folder,
    network,
    start: (command, env, log) => {
      const output = openSync(join(folder, log), 'a')
      const [program = '', ...args] = [...inside, ...asPostgres(), ...command]
      spawn(program, args, {
        cwd: '/',
        detached: true,
        env: { PATH, LC_ALL: 'C.UTF-8', HOME: folder, ...env },
        stdio: ['ignore', output, output],
      })
    },
    signal: (signal, wanted) => {
      // Twice: what was started while the first signals were sent.
      for (const pid of [...processes(wanted), ...processes(wanted)]) sendSignal(pid, signal)
    },
    isRunning: (wanted) => processes(wanted).length > 0,
    cutOff: async () => {
      await runTool(['ip', 'link', 'set', cable, 'down'])
      cuts.push(() => runTool(['ip', 'link', 'set', cable, 'up']))
    },
    cutFrom: async (others) => {
      for (const other of others) {
        const there = ['blackhole', `${other.address}/32`]
        const here = ['blackhole', `${address}/32`]
        await network('ip', 'route', 'add', ...there)
        await other.network('ip', 'route', 'add', ...here)
        cuts.push(() => network('ip', 'route', 'del', ...there))
        cuts.push(() => other.network('ip', 'route', 'del', ...here))
      }
    },
    reconnect: async () => {
      for (const mend of cuts.splice(0)) await mend()
    },
  }
}

const linkOf = (pid: number | 'self'): string => {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return ''
  }
}

const nameOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

const everyProcess = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** Its namespace, as soon as it has one of its own. */
async function spaceOf(keeper: ChildProcess): Promise<string> {
  for (let tries = 0; tries < 500; tries += 1) {
    const space = keeper.pid === undefined ? '' : linkOf(keeper.pid)
    if (space !== '' && space !== linkOf('self')) return space
    await sleep(20)
  }
  throw new Error('no network namespace could be made')
}

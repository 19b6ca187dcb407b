/** Programs of the operating system that some proofs need, and the account that PostgreSQL runs as. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What a proof needs of the machine; `root` for network namespaces. */
export type Needs = { readonly programs: readonly string[]; readonly root: boolean }

/** By program: Debian's package. */
const PACKAGES: Readonly<Record<string, string>> = {
  postgres: 'postgresql',
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbackrest: 'pgbackrest',
  ip: 'iproute2',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
}

const FOLDERS = ['/usr/bin', '/usr/sbin', '/bin', '/sbin', '/usr/local/bin', '/usr/local/sbin']
const SERVERS = '/usr/lib/postgresql'
export const PATH = FOLDERS.join(':')

/** What is missing on this machine, in words; empty if the proof can be run. */
export function whyNot(needs: Needs): string {
  const absent = needs.programs.filter((program) => !isThere(program))
  const packages = [...new Set(absent.map((program) => PACKAGES[program] ?? program))]
  const reasons = [
    ...(process.platform === 'linux' ? [] : ['it needs Linux']),
    ...(needs.root && process.getuid?.() !== 0 ? ['it needs root, for network namespaces'] : []),
    ...(absent.length === 0
      ? []
      : [`${absent.join(', ')} not found: apt-get install ${packages.join(' ')}`]),
  ]
  return reasons.join('; ')
}

const isThere = (program: string): boolean =>
  program === 'postgres'
    ? serverPrograms() !== undefined
    : FOLDERS.some((folder) => existsSync(join(folder, program)))

/** The folder with the programs of the newest server that Debian has installed. */
export function serverPrograms(): string | undefined {
  if (!existsSync(SERVERS)) return undefined
  return readdirSync(SERVERS)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(SERVERS, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'postgres')))
}

/** PostgreSQL refuses to run as root; any other user runs the servers of a proof too. */
export const asPostgres = (): readonly string[] =>
  process.getuid?.() === 0
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups']
    : []

const run = promisify(execFile)

/** Runs a program to its end; what it wrote is in the error if it fails. */
export async function runTool(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await run(program, args, {
    cwd: '/',
    env: { PATH, LC_ALL: 'C.UTF-8', ...env },
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout?: string; stderr?: string; message: string }) => {
    const output = `${error.stdout ?? ''}${error.stderr ?? ''}`.slice(-3000)
    throw new Error(`${[program, ...args].join(' ')}:\n${output || error.message}`)
  })
  return stdout
}

/** Gives a folder to the account of PostgreSQL. */
export async function handOver(folder: string): Promise<void> {
  if (process.getuid?.() === 0) await runTool(['chown', '-R', 'postgres:postgres', folder])
}

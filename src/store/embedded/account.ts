/**
 * Which system account the server runs as. PostgreSQL refuses to run as root, so root hands it to
 * an unprivileged account; an ordinary user runs it directly.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'

export type Account = {
  readonly uid: number
  readonly gid: number
  /** The command that changes the account, where the plain change of user is not enough. */
  readonly prefix: readonly string[]
}

/** What the account must reach: programs to run and folders to enter. */
type Reach = { readonly program: string; readonly folders: readonly string[] }

/** `owner` is who owns the data already; it stays theirs. Undefined before the first start. */
export async function chooseAccount(reach: Reach, owner: Ids | undefined): Promise<Account> {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  // Windows has no such numbers: the server runs as the user of the node.
  if (self.uid !== 0 || process.getuid === undefined) return { ...self, prefix: [] }

  const chosen = owner !== undefined && owner.uid !== 0 ? owner : await unprivilegedIds()
  for (const prefix of [[], ...CAPABILITIES.map((name) => withCapability(chosen, name))]) {
    const account = { ...chosen, prefix }
    if (await canReach(account, reach)) return account
  }
  throw new Error(
    `PostgreSQL cannot run as root, and the account with uid ${chosen.uid} that would run it ` +
      `instead has no access to ${reach.program} or to ${reach.folders.join(' or ')}. Set ` +
      'MALIPO_DATA_DIR to a folder such as /var/lib/malipo and keep Malipo itself outside of ' +
      'private folders (/opt/malipo, say), or run Malipo as an ordinary user.',
  )
}

/**
 * Runs a program as the account, in a session of its own: a Ctrl-C in the terminal reaches every
 * process of the foreground group, and would stop the server before the node has drained. The
 * environment is not passed on, so PGDATA and its like cannot change the server.
 */
export function spawnAs(account: Account, program: string, args: readonly string[]): ChildProcess {
  const [command = program, ...rest] = [...account.prefix, program, ...args]
  const options: SpawnOptions = {
    cwd: '/',
    detached: true,
    env: ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
  }
  const changesUser = account.prefix.length === 0 && process.getuid?.() === 0
  return spawn(
    command,
    rest,
    changesUser ? { ...options, uid: account.uid, gid: account.gid } : options,
  )
}

/** Windows opens no socket without the folder of the system. */
const ENVIRONMENT =
  process.platform === 'win32'
    ? { SystemRoot: process.env.SystemRoot, PATH: process.env.PATH, TEMP: tmpdir(), LC_ALL: 'C' }
    : { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' }

/** Runs a program to its end and returns what it complained about. */
export async function runAs(
  account: Account,
  program: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly complaint: string }> {
  const child = spawnAs(account, program, args)
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const complaint = child.stderr === null ? Promise.resolve('') : text(child.stderr)
  return { code: await code, complaint: await complaint }
}

type Ids = { readonly uid: number; readonly gid: number }

/** In the order of preference: the first allows reading only, but containers often withhold it. */
const CAPABILITIES = ['dac_read_search', 'dac_override'] as const

/**
 * For data or programs inside a folder closed to others, as /root is. The server keeps one
 * capability, to pass through that folder; `no_setuid_fixup` makes access(2), with which
 * PostgreSQL looks at its own programs, take the capability into account.
 */
function withCapability({ uid, gid }: Ids, capability: string): readonly string[] {
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=-all,+${capability}`,
    '--securebits=+no_setuid_fixup',
  ]
}

async function unprivilegedIds(): Promise<Ids> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid = '', gid = ''] = lines.find(([name]) => name === wanted) ?? []
    const ids = { uid: Number.parseInt(uid, 10), gid: Number.parseInt(gid, 10) }
    if (ids.uid > 0 && ids.gid > 0) return ids
  }
  throw new Error(
    'PostgreSQL cannot run as root, and /etc/passwd has neither "postgres" nor "nobody" to run ' +
      'it as. Run Malipo as an ordinary user.',
  )
}

/** The complaint counts as well: PostgreSQL gives its version even where it could not start. */
async function canReach(account: Account, { program, folders }: Reach): Promise<boolean> {
  const script = 'for folder in "$@"; do cd "$folder" || exit 1; done; exec "$0" -V'
  try {
    const { code, complaint } = await runAs(account, '/bin/sh', ['-c', script, program, ...folders])
    return code === 0 && complaint === ''
  } catch {
    return false
  }
}

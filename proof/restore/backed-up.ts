/** A server with Debian's PostgreSQL that archives with pgBackRest, and the one restored from it. */
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../../harness/process.ts'
import { chooseAccount } from '../../src/store/embedded/account.ts'
import { SUPERUSER } from '../../src/store/embedded/folder.ts'
import { onServer, type Postgres, serverIn } from '../support/postgres.ts'
import { asPostgres, handOver, runTool, serverPrograms } from '../support/tools.ts'

type BackedUp = {
  readonly server: Postgres
  /** A full backup of the running server; resolves to what pgBackRest says of all backups. */
  backUp(): Promise<string>
  /** Resolves when everything that was committed so far is in the archive. */
  archiveAll(): Promise<void>
}

type Backups = {
  /** Where servers and backups are. */
  readonly folder: string
  make(): Promise<BackedUp>
  /** Restores into another folder and resolves when the server there takes writes. */
  restore(moment: string): Promise<BackedUp>
  remove(): Promise<void>
}

const deployed = (file: string): string =>
  readFileSync(join(ROOT, 'deploy', 'pgbackrest', file), 'utf8')

const ARCHIVED_WITHIN_MS = 120_000

export async function openBackups(): Promise<Backups> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-restore-'))
  for (const name of ['repository', 'log', 'lock', 'spool', 'run']) await mkdir(join(folder, name))
  await handOver(folder)
  return {
    folder,
    make: async () => {
      const data = join(folder, 'first')
      await initialise(data)
      const backedUp = await startIn(folder, 'first')
      await pgBackRest(folder, 'first', ['stanza-create'])
      await pgBackRest(folder, 'first', ['check'])
      await onServer(backedUp.server.port, 'postgres', (client) =>
        client.query('create database malipo'),
      )
      return backedUp
    },
    restore: async (moment) => {
      const target = ['--type=time', `--target=${moment}`, '--target-action=promote']
      await writeConfiguration(folder, 'second')
      await pgBackRest(folder, 'second', [...target, 'restore'])
      const backedUp = await startIn(folder, 'second')
      while (await isInRecovery(backedUp.server)) await sleep(100)
      return backedUp
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

async function initialise(data: string): Promise<void> {
  const initdb = join(serverPrograms() ?? '', 'initdb')
  const options = ['--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--data-checksums']
  await runTool([...asPostgres(), initdb, '-D', data, '-U', SUPERUSER, ...options])
}

const configurationOf = (folder: string, name: string): string => join(folder, `${name}.conf`)

/** That of users, with folders of its own. The port is known when the server is about to start. */
async function writeConfiguration(folder: string, name: string, port = 5432): Promise<void> {
  const text = deployed('pgbackrest.conf')
    .replace('/var/lib/pgbackrest', join(folder, 'repository'))
    .replace('/var/lib/postgresql/15/main', join(folder, name))
    .replace('/var/run/postgresql', join(folder, 'run'))
    .replace('pg1-port=5432', `pg1-port=${port}\npg1-user=${SUPERUSER}`)
    .replace(
      '[malipo]',
      ['log', 'lock', 'spool']
        .map((one) => `${one}-path=${join(folder, one)}`)
        .concat('', '[malipo]')
        .join('\n'),
    )
  await writeFile(configurationOf(folder, name), text)
}

const pgBackRest = (folder: string, name: string, words: readonly string[]): Promise<string> =>
  runTool([
    ...asPostgres(),
    'pgbackrest',
    `--config=${configurationOf(folder, name)}`,
    '--stanza=malipo',
    ...words,
  ])

/** The settings of users; only the command must name the configuration of the proof. */
function archiving(folder: string, name: string): Readonly<Record<string, string>> {
  const lines = deployed('postgresql.conf').matchAll(/^(\w+) = '?(.*?)'?$/gm)
  const settings = Object.fromEntries([...lines].map(([, key, value]) => [key, value]))
  const own = `pgbackrest --config=${configurationOf(folder, name)}`
  return {
    ...settings,
    archive_command: String(settings.archive_command).replace('pgbackrest', own),
    unix_socket_directories: join(folder, 'run'),
  }
}

async function startIn(folder: string, name: string): Promise<BackedUp> {
  const data = join(folder, name)
  const programs = serverPrograms() ?? ''
  const [postgres = '', initdb = '', pgCtl = ''] = ['postgres', 'initdb', 'pg_ctl'].map((name) =>
    join(programs, name),
  )
  const binaries = { postgres, initdb, pgCtl }
  const reach = { program: binaries.postgres, folders: [data] }
  const account = await chooseAccount(reach, await stat(data))
  const endpoint = { kind: 'socket', folder: join(folder, 'run') } as const
  const place = { data, endpoint, account, binaries }
  const server = await serverIn(place, archiving(folder, name))
  await writeConfiguration(folder, name, server.port)
  await server.start()
  return {
    server,
    backUp: async () => {
      await pgBackRest(folder, name, ['--type=full', 'backup'])
      return pgBackRest(folder, name, ['info'])
    },
    archiveAll: () => archiveAll(server),
  }
}

const isInRecovery = ({ port }: Postgres): Promise<boolean> =>
  onServer(port, 'postgres', async (client) => {
    const { rows } = await client.query('select pg_is_in_recovery() as follows')
    return rows[0]?.follows === true
  })

async function archiveAll({ port }: Postgres): Promise<void> {
  await onServer(port, 'postgres', async (client) => {
    const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as file')
    const deadline = performance.now() + ARCHIVED_WITHIN_MS
    for (;;) {
      const { rows: found } = await client.query(
        'select last_archived_wal >= $1 as is_there from pg_stat_archiver',
        [rows[0].file],
      )
      if (found[0]?.is_there === true) return
      if (performance.now() > deadline) throw new Error(`${rows[0].file} is not archived in time`)
      await sleep(100)
    }
  })
}

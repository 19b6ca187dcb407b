/** A second server that replicates the rig's server and can replace it. */
import { appendFile, copyFile, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Place, preparePlace, SUPERUSER } from '../../src/store/embedded/folder.ts'
import { onServer, type Postgres, serverIn } from './postgres.ts'

type Standby = Postgres & {
  /** Makes it the primary; resolves when it takes writes. */
  promote(): Promise<void>
  /** Cuts it off from its primary. */
  cutOff(): Promise<void>
}

const FOLLOWS_WITHIN_MS = 120_000

/**
 * A standby that follows the server by streaming, made from a running one with the low-level
 * backup functions: the packages have no pg_basebackup. With `synchronous`, from now on the
 * primary confirms no commit before the standby has it on disk.
 */
export async function addStandby(
  primary: Postgres,
  options: { readonly name: string; readonly synchronous: boolean },
): Promise<Standby> {
  const { name, synchronous } = options
  const folder = await mkdtemp(join(tmpdir(), 'malipo-proof-'))
  const place = await copyOf(primary, folder)
  const way = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} application_name=${name}`
  await appendFile(join(place.data, 'postgresql.auto.conf'), `primary_conninfo = '${way}'\n`)
  const server = await serverIn(place, {})
  await server.start()
  await follows(primary, name, 'streaming')
  if (synchronous) {
    await onServer(primary.port, 'postgres', async (client) => {
      await client.query(`alter system set synchronous_standby_names = '${name}'`)
      await client.query('select pg_reload_conf()')
    })
    await follows(primary, name, 'sync')
  }
  const promote = (): Promise<void> =>
    onServer(server.port, 'postgres', async (client) => {
      const { rows } = await client.query('select pg_promote(true, 60) as promoted')
      if (rows[0]?.promoted !== true) throw new Error(`${name} was not promoted in time`)
    })
  const cutOff = (): Promise<void> =>
    onServer(server.port, 'postgres', async (client) => {
      await client.query(`alter system set primary_conninfo = ''`)
      await client.query('select pg_reload_conf()')
    })
  return { ...server, promote, cutOff }
}

/** The files of a running server, as of the end of the backup, configured as a standby. */
async function copyOf(primary: Postgres, folder: string): Promise<Place> {
  return onServer(primary.port, 'postgres', async (client) => {
    const { rows } = await client.query(`select current_setting('data_directory') as data`)
    const from: string = rows[0].data
    const to = join(folder, 'postgres')
    await client.query(`select pg_backup_start('standby', fast => true)`)
    await copyFolder(from, to)
    const { rows: ends } = await client.query('select labelfile from pg_backup_stop(false)')
    await writeFile(join(to, 'backup_label'), ends[0].labelfile)
    await writeFile(join(to, 'standby.signal'), '')
    return preparePlace(folder)
  })
}

/** Not copied: the log is streamed, the rest belongs to the running server. */
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts'])

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (LEFT_OUT.has(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target)
    // A file may disappear while it is copied; the log restores what is missing.
    else await copyFile(source, target).catch(unlessGone)
  }
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

async function follows(primary: Postgres, name: string, how: 'streaming' | 'sync'): Promise<void> {
  const column = how === 'sync' ? 'sync_state' : 'state'
  await onServer(primary.port, 'postgres', async (client) => {
    const deadline = performance.now() + FOLLOWS_WITHIN_MS
    while (performance.now() < deadline) {
      const { rows } = await client.query(
        `select from pg_stat_replication where application_name = $1 and ${column} = $2`,
        [name, how],
      )
      if (rows.length === 1) return
      await sleep(20)
    }
    throw new Error(`${name} does not follow its primary (${how})`)
  })
}

import type { Environment } from '../../domain/accounts/token.ts'
import { COMMAND_TIMING } from '../../domain/client-timing.ts'
import type { Config } from '../../node/config.ts'
import type { Connection } from '../../node/connect.ts'
import { MIGRATIONS_FOLDER } from '../../package-root.ts'
import { readState } from '../../store/cluster/service-state.ts'
import { droppedSettings, isEncrypted } from '../../store/engine/connection-check.ts'
import type { Database } from '../../store/engine/database.ts'
import { pendingMigrations, readMigrations } from '../../store/engine/migrate.ts'
import { readServerFacts, type ServerFacts } from '../../store/engine/server-facts.ts'
import { serversAfar } from '../../store/engine/servers.ts'
import { requireFittingSecret } from '../../usecases/accounts/signing-keys.ts'
import { bad, type Check, durationText, good, plural, sizeText, tried } from './check.ts'

const PAGE = 'see docs/operating/database.md'

/** The server, how it is set, and what is stored on it. */
export async function databaseChecks(
  { database, place }: Connection,
  config: Config,
  nodes: number,
): Promise<readonly Check[]> {
  const askedAt = Date.now()
  const facts = await readServerFacts(database)
  const answeredAt = Date.now()
  return [
    server(facts, place),
    ...(await tried('encryption', () => encryption(database, config))),
    durability(facts),
    ...(await tried('server settings', () => speed(facts, database))),
    connections(facts, config, nodes),
    clock(facts, askedAt, answeredAt),
  ]
}

function server({ version, versionNumber, isStandby, size }: ServerFacts, place: string): Check {
  const message = `PostgreSQL ${version.split(' ')[0]}, ${sizeText(size)}, ${place}`
  if (versionNumber < 150_000) {
    return bad('database', `${message}. Malipo needs PostgreSQL 15 or newer.`)
  }
  if (isStandby) {
    return bad(
      'database',
      `${message}: this is a standby, which cannot be written to. Promote it, or name the primary in DATABASE_URL.`,
    )
  }
  return good('database', message)
}

async function encryption(database: Database, { databaseUrl }: Config): Promise<Check> {
  const afar = databaseUrl === undefined ? [] : serversAfar(databaseUrl)
  if (afar.length === 0) return good('encryption', 'not needed: the database is on this machine')
  if (await isEncrypted(database)) return good('encryption', `TLS to ${afar.join(', ')}`)
  return bad(
    'encryption',
    `No TLS to ${afar.join(', ')}: anyone on the network in between can read and change ` +
      `everything. Add ?sslmode=verify-full to DATABASE_URL, ${PAGE}.`,
  )
}

/** Without these, a power cut loses payments that were accepted. */
function durability({ settings }: ServerFacts): Check {
  const names = ['fsync', 'full_page_writes', 'synchronous_commit'] as const
  const shown = names.map((name) => `${name} ${settings[name]}`).join(', ')
  const off = names.filter((name) => settings[name] === 'off')
  if (off.length === 0) return good('durability', shown)
  return bad(
    'durability',
    `${off.join(' and ')} is off: a power cut loses payments that were accepted. Switch it on.`,
  )
}

async function speed({ settings }: ServerFacts, database: Database): Promise<Check> {
  const name = 'server settings'
  if (settings.autovacuum === 'off') {
    return bad(name, `autovacuum is off: tables grow for ever. Switch it on, ${PAGE}.`)
  }
  // A command is no node, and its transactions may be idle.
  const dropped = (await droppedSettings(database)).filter((one) => !one.startsWith('idle_in'))
  if (dropped.length > 0) {
    const list = dropped.join(', ')
    return bad(name, `A pooler dropped ${list}. Give them to the role, ${PAGE}.`)
  }
  const shown = ['wal_compression', 'max_wal_size', 'checkpoint_timeout', 'data_checksums']
  return good(name, shown.map((one) => `${one} ${settings[one]}`).join(', '))
}

/** For LISTEN and the heartbeat. */
const BESIDES = 2
/** For administrators, backups and standbys. */
const OTHERS = 5

function connections(facts: ServerFacts, config: Config, nodes: number): Check {
  const perNode = config.databaseConnections + BESIDES
  const needed = Math.max(nodes, 1) * perNode + OTHERS
  const message = `${facts.connections} of ${facts.maxConnections} in use, a node opens up to ${perNode}`
  if (facts.maxConnections >= needed) return good('connections', message)
  return bad(
    'connections',
    `${message}: ${needed} are needed for ${plural(Math.max(nodes, 1), 'node')}. Raise ` +
      `max_connections of the server, or lower MALIPO_DB_CONNECTIONS.`,
  )
}

function clock({ nowMs }: ServerFacts, askedAt: number, answeredAt: number): Check {
  const middle = (askedAt + answeredAt) / 2
  // The answer was made somewhere in between.
  const apart = Math.max(0, Math.abs(middle - nowMs) - (answeredAt - askedAt) / 2)
  if (apart <= COMMAND_TIMING.clocksApartMs) {
    return good('clock', `within ${Math.max(1, Math.ceil(apart))} ms of the database`)
  }
  const way = middle > nowMs ? 'ahead of' : 'behind'
  return bad(
    'clock',
    `This machine is ${durationText(apart)} ${way} the database. Set both by network time (chrony, ` +
      'systemd-timesyncd): signatures end after a minute.',
  )
}

export type Stored = { readonly environment: Environment; readonly clockOffsetMs: number }

/** What is on the server; the state is undefined where there is no schema to read it by. */
export async function storedChecks(
  database: Database,
  config: Config,
): Promise<{ readonly checks: readonly Check[]; readonly state: Stored | undefined }> {
  const newest = readMigrations(MIGRATIONS_FOLDER).at(-1)?.number
  const pending = await tried('schema', async () => {
    const files = await pendingMigrations(database, MIGRATIONS_FOLDER)
    if (files.length === 0) return good('schema', `version ${newest}, up to date`)
    const count = plural(files.length, 'migration')
    return bad('schema', `${count} to apply. Run "malipo migrate", or start the service.`)
  })
  if (pending.some(({ ok }) => !ok)) return { checks: pending, state: undefined }
  const state = await readState(database).catch(() => undefined)
  if (state === undefined) {
    const message = 'The service was never started on this database. Run "malipo start".'
    return { checks: [...pending, bad('environment', message)], state }
  }
  const secret = await tried('secret key', async () => {
    await requireFittingSecret(database, config.secretKey)
    return good('secret key', 'opens what is stored')
  })
  return { checks: [...pending, environment(state, config), ...secret], state }
}

function environment({ environment: stored, clockOffsetMs }: Stored, config: Config): Check {
  if (stored !== config.environment) {
    return bad(
      'environment',
      `The database belongs to the ${stored} environment, and MALIPO_ENV says ` +
        `${config.environment}. Use another database, or set MALIPO_ENV=${stored}.`,
    )
  }
  const moved = clockOffsetMs === 0 ? '' : `, its clock ${durationText(clockOffsetMs)} ahead`
  return good('environment', `${stored}${moved}`)
}

import type { Environment } from '../../domain/accounts/token.ts'
import type { Db } from '../engine/database.ts'

/** The few things all nodes agree on. A change of settings is announced and counted. */
export const CONFIG_CHANNEL = 'malipo_config'

type ServiceState = {
  readonly environment: Environment
  readonly clockOffsetMs: number
  readonly configVersion: number
  readonly sealedSandboxToken: string | undefined
}

/** The first start decides the environment of a database; it never changes afterwards. */
export async function initialiseState(db: Db, environment: Environment): Promise<ServiceState> {
  await db.query(
    'insert into service_state (environment) values ($1) on conflict (only_row) do nothing',
    [environment],
  )
  return readState(db)
}

export async function readState(db: Db): Promise<ServiceState> {
  type Row = {
    environment: Environment
    clock_offset_ms: string
    config_version: string
    sealed_sandbox_token: string | null
  }
  const [row] = await db.query<Row>(
    `select environment, clock_offset_ms, config_version, sealed_sandbox_token
     from service_state`,
  )
  if (row === undefined)
    throw new Error('The database holds no service state; run "malipo migrate".')
  return {
    environment: row.environment,
    clockOffsetMs: Number(row.clock_offset_ms),
    configVersion: Number(row.config_version),
    sealedSandboxToken: row.sealed_sandbox_token ?? undefined,
  }
}

/** Every change of settings ends with this, in its own transaction: nodes drop what they cached. */
export async function announceChange(db: Db): Promise<number> {
  const rows = await db.query<{ config_version: string }>(
    `with next as (
       update service_state set config_version = config_version + 1 returning config_version
     ) select config_version, pg_notify('${CONFIG_CHANNEL}', config_version::text) from next`,
  )
  return Number(rows[0]?.config_version ?? 0)
}

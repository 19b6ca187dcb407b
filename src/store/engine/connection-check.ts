/** What lies between a node and its database, seen from a connection. */
import type { Db } from './database.ts'
import { OF_NODES } from './session-settings.ts'

/** Whether what is sent to the server is encrypted. */
export async function isEncrypted(db: Db): Promise<boolean> {
  const [row] = await db.query<{ ssl: boolean }>(
    'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
  )
  return row?.ssl ?? false
}

/** Those of a node that a connection has not: a pooler may drop what it was opened with. */
export async function droppedSettings(db: Db): Promise<readonly string[]> {
  const rows = await db.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [Object.keys(OF_NODES)],
  )
  return rows
    .filter(({ name, value }) => value !== OF_NODES[name])
    .map(({ name }) => `${name} = ${OF_NODES[name]}`)
}

/** How poolers say that they do not let a client bring such settings. */
export const isRefusalOfSettings = (reason: string): boolean =>
  /unsupported startup parameter/.test(reason)

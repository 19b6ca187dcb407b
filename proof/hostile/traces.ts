import type { Database } from '../../src/store/database.ts'

/** What is stored of merchants that was started by requests, as `name/id`. */
const STARTED = `
  select p.kind || '/' || p.id as name from payments p
  left join split_payments s on s.merchant_id = p.merchant_id
    and s.id = case p.kind when 'deposit' then p.id else p.split_id end
  where p.merchant_id = any ($1) and s.id is null and p.checkout_id is null
  union all select 'splitPayment/' || id from split_payments where merchant_id = any ($1)
  union all select 'checkout/' || id from checkouts where merchant_id = any ($1)
  union all select 'statement/' || id from statements where merchant_id = any ($1)`

export async function startedBy(
  db: Database,
  merchantIds: readonly number[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ name: string }>(STARTED, [merchantIds])
  return new Set(rows.map(({ name }) => name))
}

/** Rows that no call may make or change, whoever makes it. */
const FIXED = [
  `(select merchant_id, slug, name, suspended_at, created_at from merchants)`,
  'api_tokens',
  'merchant_providers',
  'schema_migrations',
  'signing_keys',
]
/** Rows of the paying merchant that only its settings change; hostile settings have their own. */
const SETTINGS = [
  'merchants',
  'callback_urls',
  'merchant_keys',
  'provider_availability',
  'sandbox_phones',
  'callback_replays',
]

/** One text for each of those tables: the same as long as nothing in it has changed. */
export async function fingerprints(
  db: Database,
  merchantId: number,
): Promise<ReadonlyMap<string, string>> {
  const prints = new Map<string, string>()
  for (const table of [...FIXED, ...SETTINGS]) {
    const where = SETTINGS.includes(table) ? `where merchant_id = ${merchantId}` : ''
    const [row] = await db.query<{ print: string }>(
      `select count(*) || ' rows, ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '')
         as print from ${table} t ${where}`,
    )
    prints.set(table, row?.print ?? '')
  }
  return prints
}

/** Every table with its rows. */
export async function rowCounts(db: Database): Promise<ReadonlyMap<string, number>> {
  const tables = await db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const [row] = await db.query<{ count: number }>(`select count(*)::int as count from ${name}`)
    counts.set(name, row?.count ?? 0)
  }
  return counts
}

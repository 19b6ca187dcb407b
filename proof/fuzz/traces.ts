import type { Database } from '../../src/store/engine/database.ts'
import type { World } from './world.ts'

/**
 * What requests have stored for these merchants, as `name/id`, with the identifier in the request. A
 * deposit that a customer started is named for where: on a page, or as an attempt on a checkout.
 */
const STARTED = `
  select case when p.details ? 'pageKey' then 'pageDeposit' else p.kind end || '/' || p.id as name,
    p.id
  from payments p
  left join split_payments s on s.merchant_id = p.merchant_id
    and s.id = case p.kind when 'deposit' then p.id else p.split_id end
  where p.merchant_id = any ($1) and s.id is null and p.checkout_id is null
  union all
  select 'attempt/' || checkout_id || '/' ||
      row_number() over (partition by merchant_id, checkout_id order by key), checkout_id
  from payments where merchant_id = any ($1) and checkout_id is not null
  union all
  select 'page/' || encode(token_hash, 'hex'), deposit_id
  from page_sessions where merchant_id = any ($1)
  union all select 'splitPayment/' || id, id from split_payments where merchant_id = any ($1)
  union all select 'checkout/' || id, id from checkouts where merchant_id = any ($1)
  union all select 'statement/' || id, id from statements where merchant_id = any ($1)`

/** Identifiers by name. */
export async function startedBy(
  db: Database,
  merchantIds: readonly number[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ name: string; id: string }>(STARTED, [merchantIds])
  return new Map(rows.map(({ name, id }) => [name, id]))
}

/** Rows that no call may add or change. */
const FIXED = [
  `(select merchant_id, slug, name, suspended_at, created_at from merchants)`,
  'api_tokens',
  'merchant_providers',
  'schema_migrations',
  'signing_keys',
]
/** Refused calls use a token as well, and when one was used last is shown to people. */
const READ_WITHOUT: Readonly<Record<string, string>> = {
  api_tokens: `(select merchant_id, to_jsonb(one) - 'last_used_at' from api_tokens one)`,
}
/** Rows of the paying merchant that only its settings change; hostile settings have their own. */
const SETTINGS = [
  'merchants',
  'callback_urls',
  'merchant_keys',
  'provider_availability',
  'sandbox_phones',
  'callback_replays',
]
/** Rows of the merchant that requires signatures; only a signed call can add them. */
const ONLY_SIGNED = [
  'payments',
  'payment_events',
  'transfers',
  'accounts',
  'account_days',
  'cases',
  'sandbox_orders',
  'sandbox_approvals',
  'sandbox_codes',
  'split_payments',
]

/** The only tables in which a refused call leaves a trace, and why it should. */
const COUNTERS: Readonly<Record<string, string>> = {
  api_requests: 'shows merchants the calls of their programs, including refused ones',
  legacy_usage: 'shows merchants which earlier calls they still make, including refused ones',
  signature_checks: 'shows merchants how their signatures fail, so it counts refusals',
}

type Watched = {
  readonly merchantId: number
  readonly signedMerchantId: number
  readonly powerlessMerchantId: number
  readonly finished: World['finished']
}

/** Rows to look at: `from` is what follows `from` in SQL, with the alias `t`. */
type Watch = { readonly name: string; readonly from: string }

const rowsOf = (table: string): string => `${READ_WITHOUT[table] ?? table} t`
const of = (table: string, id: number): string => `${rowsOf(table)} where t.merchant_id = ${id}`

/** Every table with rows of merchants, except the counters. */
async function ownedTables(db: Database): Promise<readonly string[]> {
  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'merchant_id' order by 1`,
  )
  return tables.map(({ name }) => name).filter((name) => !(name in COUNTERS))
}

/** Everything that is stored for one merchant, and how far the test clock is ahead. */
export async function watchesOf(db: Database, merchantId: number): Promise<readonly Watch[]> {
  return [
    ...(await ownedTables(db)).map((name) => ({ name, from: of(name, merchantId) })),
    { name: 'the test clock', from: '(select clock_offset_ms from service_state) t' },
  ]
}

async function watches(db: Database, watched: Watched): Promise<readonly Watch[]> {
  const { merchantId, signedMerchantId, powerlessMerchantId, finished } = watched
  const quoted = (ids: readonly string[]): string => ids.map((id) => `'${id}'`).join()
  // Another kind may use the same identifier; a split payment shares that of its deposit.
  const splits = quoted(finished.splitPayment)
  const isOver = Object.entries(finished).map(
    ([kind, ids]) =>
      `(p.kind = '${kind === 'splitPayment' ? 'deposit' : kind}' and p.id in (${quoted(ids)}))`,
  )
  const over = `payments p where p.merchant_id = ${merchantId}
    and (${isOver.join(' or ')} or p.split_id in (${splits}))`
  return [
    ...FIXED.map((table) => ({ name: table, from: rowsOf(table) })),
    ...SETTINGS.map((table) => ({ name: table, from: of(table, merchantId) })),
    ...ONLY_SIGNED.map((table) => ({
      name: `${table} without a signature`,
      from: of(table, signedMerchantId),
    })),
    { name: 'payments that are over', from: `(select * from ${over}) t` },
    {
      name: 'events of payments that are over',
      from: `payment_events t where (t.merchant_id, t.payment_key) in
        (select p.merchant_id, p.key from ${over})`,
    },
    {
      name: 'split payments that are over',
      from: `${of('split_payments', merchantId)} and t.id in (${splits})`,
    },
    // All its requests are refused, so nothing of it may change in any table.
    ...(await ownedTables(db)).map((name) => ({
      name: `${name} of a merchant without rights`,
      from: of(name, powerlessMerchantId),
    })),
  ]
}

export type Prints = ReadonlyMap<string, string>

/** A fingerprint of each: the same as long as nothing has changed. */
export const fingerprints = async (db: Database, watched: Watched): Promise<Prints> =>
  printsOf(db, await watches(db, watched))

export async function printsOf(db: Database, list: readonly Watch[]): Promise<Prints> {
  const parts = list.map(
    ({ from }, at) =>
      `select ${at} as at, count(*) || ' rows, ' ||
         coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as print from ${from}`,
  )
  const rows = await db.query<{ at: number; print: string }>(parts.join(' union all '))
  return new Map(rows.map(({ at, print }) => [list[at]?.name ?? '', print]))
}

export const changesIn = (before: Prints, after: Prints): readonly string[] =>
  [...before]
    .filter(([name, print]) => after.get(name) !== print)
    .map(([name, print]) => `${name} has changed: ${print}, now ${after.get(name)}`)

/** How far the test clock is ahead. */
export async function clockAheadMs(db: Database): Promise<number> {
  const [row] = await db.query<{ ms: number }>(
    'select clock_offset_ms::float8 as ms from service_state',
  )
  return row?.ms ?? 0
}

/** The number of rows in every table. */
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

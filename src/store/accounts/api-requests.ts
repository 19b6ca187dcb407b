import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** The requests of merchants to the API, as far as people may read them. */
export type StoredRequest = {
  readonly merchantId: MerchantId
  readonly at: number
  readonly requestId: string
  readonly tokenId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly outcome: string | null
  readonly failureCode: string | null
  readonly durationMs: number
  readonly ids: readonly string[]
  readonly countries: readonly string[]
  readonly requestBody: string | null
  readonly requestBytes: number
  readonly answerBody: string | null
  readonly answerBytes: number
}

export async function insertRequests(db: Db, requests: readonly StoredRequest[]): Promise<void> {
  await db.query(
    `insert into api_requests (merchant_id, at, request_id, token_id, method, path, status, outcome,
       failure_code, duration_ms, ids, countries, request_body, request_bytes, answer_body,
       answer_bytes)
     select "merchantId", to_timestamp(at / 1000), "requestId", "tokenId", method, path, status,
       outcome, "failureCode", "durationMs", ids, countries, "requestBody", "requestBytes",
       "answerBody", "answerBytes"
     from json_to_recordset($1::json) as r ("merchantId" int, at float8, "requestId" text,
       "tokenId" text, method text, path text, status smallint, outcome text, "failureCode" text,
       "durationMs" real, ids text[], countries text[], "requestBody" text, "requestBytes" int,
       "answerBody" text, "answerBytes" int)
     on conflict do nothing`,
    [JSON.stringify(requests)],
    'insert-requests',
  )
}

const LISTED = `at, r.request_id as "requestId", r.token_id as "tokenId", t.label as token,
  t.last_four as "lastFour", r.method, r.path, r.status, r.outcome,
  r.failure_code as "failureCode", r.duration_ms::float8 as "durationMs", r.ids, r.countries`

const AT = '(extract(epoch from r.at) * 1000)::float8'

export type ListedRequest = Omit<
  StoredRequest,
  'merchantId' | 'requestBody' | 'requestBytes' | 'answerBody' | 'answerBytes'
> & {
  /** What the token is called, while it is there. */
  readonly token: string | null
  readonly lastFour: string | null
}

export type RequestPlace = { readonly at: number; readonly requestId: string }

export type RequestFilter = {
  readonly merchantId: MerchantId
  /** From and to, both included. */
  readonly status?: readonly [from: number, to: number] | undefined
  readonly outcome?: string | undefined
  /** A part of it. */
  readonly path?: string | undefined
  readonly tokenId?: string | undefined
  /** Only what is about no payment, or about payments of these; none: all. */
  readonly countries: readonly string[]
  /** Older than this one. */
  readonly after?: RequestPlace | undefined
}

/** What a country limit leaves of `r`, with the countries as the parameter. */
const WITHIN = (countries: string): string =>
  `(cardinality(${countries}::text[]) = 0 or cardinality(r.ids) = 0 and cardinality(r.countries) = 0
    or cardinality(r.countries) > 0 and r.countries <@ ${countries}::text[])`

export type RequestPage = {
  readonly requests: readonly ListedRequest[]
  /** The oldest that was looked at, where there may be more behind it. */
  readonly seenUntil: RequestPlace | undefined
}

/** Newest first. Looks through `scan` requests at most, so that no filter reads two weeks at once. */
export async function listRequests(
  db: Db,
  filter: RequestFilter,
  { limit, scan }: { readonly limit: number; readonly scan: number },
): Promise<RequestPage> {
  const { merchantId, status, outcome, path, tokenId, countries, after } = filter
  const rows = await db.query<ListedRequest & { isMatch: boolean }>(
    `with r as materialized (
       select r.*, ${WITHIN('$7')}
         and ($2::int is null or r.status between $2 and $3) and ($4::text is null or outcome = $4)
         and ($5::text is null or position($5 in r.path) > 0)
         and ($6::text is null or r.token_id = $6) as is_match,
         row_number() over (order by r.at desc, r.request_id desc) as place
       from (
         select merchant_id, at, request_id, token_id, method, path, status, outcome, failure_code,
           duration_ms, ids, countries
         from api_requests where merchant_id = $1 and ($8::float8 is null
           or (at, request_id) < (to_timestamp($8 / 1000), $9::text))
         order by at desc, request_id desc limit $10) r
     ), shown as (select * from r where is_match order by place limit $11),
     last as (select * from r where place = $10)
     select ${AT} as ${LISTED}, r.is_match as "isMatch"
     from (select * from shown union all select * from last where not is_match) r
     left join api_tokens t on t.merchant_id = r.merchant_id and t.token_id = r.token_id
     order by place`,
    [
      merchantId,
      status?.[0] ?? null,
      status?.[1] ?? null,
      outcome ?? null,
      path ?? null,
      tokenId ?? null,
      countries,
      after?.at ?? null,
      after?.requestId ?? null,
      scan,
      limit + 1,
    ],
  )
  const found = rows.filter(({ isMatch }) => isMatch)
  const requests = found.slice(0, limit)
  const last = found.length > limit ? requests.at(-1) : rows.find(({ isMatch }) => !isMatch)
  return { requests, seenUntil: last }
}

export type RequestDetail = ListedRequest &
  Pick<StoredRequest, 'requestBody' | 'requestBytes' | 'answerBody' | 'answerBytes'>

export async function findRequest(
  db: Db,
  merchantId: MerchantId,
  { at, requestId }: RequestPlace,
  countries: readonly string[],
): Promise<RequestDetail | undefined> {
  const [row] = await db.query<RequestDetail>(
    `select ${AT} as ${LISTED}, r.request_body as "requestBody", r.request_bytes as "requestBytes",
       r.answer_body as "answerBody", r.answer_bytes as "answerBytes"
     from api_requests r
     left join api_tokens t on t.merchant_id = r.merchant_id and t.token_id = r.token_id
     where r.merchant_id = $1 and r.at = to_timestamp($2::float8 / 1000) and r.request_id = $3
       and ${WITHIN('$4')}`,
    [merchantId, at, requestId, countries],
  )
  return row
}

/** Some of each merchant's, so that no delete takes long; answers how many. */
export async function deleteRequestsBefore(db: Db, ms: number, limit: number): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `with old as (
       select o.* from merchants m cross join lateral (
         select merchant_id, at, request_id from api_requests r
         where r.merchant_id = m.merchant_id and at < to_timestamp($1::float8 / 1000)
         order by at limit $2 for update skip locked) o
     ), deleted as (
       delete from api_requests r using old o
       where r.merchant_id = o.merchant_id and r.at = o.at and r.request_id = o.request_id
       returning 1
     )
     select count(*)::int as count from deleted`,
    [ms, limit],
  )
  return rows[0]?.count ?? 0
}

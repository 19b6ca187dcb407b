import type { CallbackStatus } from '../../domain/callbacks/callback.ts'
import type { SubjectKind, SubjectState } from '../../domain/callbacks/callback-subject.ts'
import { keySpan, UNSENT } from '../../domain/callbacks/replay.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { present } from '../../domain/present.ts'
import type { Db } from '../engine/database.ts'
import { sqlList } from '../engine/sql-list.ts'
import { inCountries } from './in-countries.ts'

/** Callbacks of one merchant as its people read them: newest first, a page at a time. */
export type HistoryFilter = {
  readonly merchantId: MerchantId
  /** FAILED: given up or paused. */
  readonly result?: CallbackStatus | 'FAILED' | undefined
  readonly kind?: SubjectKind | undefined
  /** A part of the address. */
  readonly url?: string | undefined
  /** When the payment was accepted. */
  readonly fromMs?: number | undefined
  /** Not included. */
  readonly toMs?: number | undefined
  /** None: all. */
  readonly countries: readonly string[]
}

/** A callback is found by the key of its payment and the state that it reports. */
export type HistoryPlace = { readonly key: string; readonly state: string }

export type HistoryRow = {
  readonly key: string
  readonly kind: SubjectKind
  readonly paymentId: string
  readonly state: SubjectState
  readonly status: CallbackStatus
  readonly dueMs: number | null
  readonly url: string | null
  readonly tries: number
  readonly durationMs: number | null
  readonly httpStatus: number | null
}

export type HistoryPage = {
  readonly rows: readonly HistoryRow[]
  /** Where the next page begins, if there may be one. */
  readonly next: HistoryPlace | undefined
  /** So many were looked through; the page ends because the search stopped, and is not full. */
  readonly stoppedAfter: number | undefined
}

/** So many callbacks are looked through for a page where not all of them match. */
const LOOKED_AT = 2000

const COLUMNS = `c.merchant_id, c.payment_key, c.state, c.kind, c.payment_id, c.status, c.due_at,
  c.attempts, c.first_at, c.first_url, c.first_duration_ms, c.first_http_status`

/** A callback in hand has no row yet: its first attempt is under way. */
const IN_HAND = `
  union all
  select c.merchant_id, c.payment_key, c.state, c.kind, c.payment_id, 'PENDING', c.begun_at,
    0, null, null, null, null
  from callbacks_in_hand c`

/** These lie in indexes of their own; what was delivered is found among all. Texts for the planner. */
const FOUND_BY: Readonly<Partial<Record<NonNullable<HistoryFilter['result']>, string>>> = {
  PENDING: `c.status = 'PENDING' and c.due_at is not null`,
  GIVEN_UP: `c.status = 'GIVEN_UP'`,
  PAUSED: `c.status = 'PAUSED'`,
  FAILED: `c.status in (${sqlList(UNSENT)})`,
}

const WITHIN = `c.merchant_id = $1 and (c.payment_key, c.state) < ($2, $3) and c.payment_key >= $4`

const historyOf = (result: HistoryFilter['result']): string => {
  // What is pending is found by another index than the keys, so it is read whole and then sorted.
  const early = `order by c.payment_key desc, c.state desc limit $10`
  const isInHand = result === undefined || result === 'PENDING'
  const found = result === undefined ? 'true' : (FOUND_BY[result] ?? 'true')
  return `
with stored as materialized (
  select ${COLUMNS} from callbacks c
  where ${WITHIN} and ${found} ${result === 'PENDING' ? '' : early}
), looked_at as materialized (
  select * from (
    select * from stored ${isInHand ? `${IN_HAND} where ${WITHIN}` : ''}
  ) c ${early}
), extent as (
  select count(*)::int as count, (array_agg(payment_key order by payment_key, state))[1] as key,
    (array_agg(state order by payment_key, state))[1] as state
  from looked_at
), rows as (
  select c.payment_key as key, c.kind, c.payment_id as "paymentId", c.state, c.status,
    (extract(epoch from c.due_at) * 1000)::float8 as "dueMs",
    coalesce(nullif(case when a.attempt is null then c.first_url else a.url end, ''), u.url) as url,
    case when a.attempt is null then c.first_duration_ms else a.duration_ms end as "durationMs",
    case when a.attempt is null then c.first_http_status else a.http_status end as "httpStatus",
    c.first_at is not null as has_first, c.merchant_id
  from looked_at c
  left join callback_attempts a on a.merchant_id = c.merchant_id
    and a.payment_key = c.payment_key and a.state = c.state and a.attempt = c.attempts
  left join callback_urls u on u.merchant_id = c.merchant_id and u.kind = c.kind
  where ($5::text is null or c.status = $5) and ($6::text is null or c.kind = $6)
    and ${inCountries('$8')}
), page as (
  select * from rows where $7::text is null or strpos(lower(url), lower($7)) > 0
  order by key desc, state desc limit $9
)
select e.count as "lookedAt", e.key as "lastKey", e.state as "lastState", p.key, p.kind,
  p."paymentId", p.state, p.status, p."dueMs", p.url, p."durationMs", p."httpStatus",
  p.has_first::int + (select count(*)::int from callback_attempts s
    where s.merchant_id = p.merchant_id and s.payment_key = p.key and s.state = p.state
      and s.url <> '') as tries
from extent e left join page p on true
order by p.key desc, p.state desc`
}

type Extent = {
  readonly lookedAt: number
  readonly lastKey: string | null
  readonly lastState: string | null
}

/** What it costs depends on the page and never on how many callbacks there were before. */
export async function readHistory(
  db: Db,
  filter: HistoryFilter,
  { after, limit }: { readonly after: HistoryPlace | undefined; readonly limit: number },
): Promise<HistoryPage> {
  const { merchantId, result, kind, url, fromMs, toMs, countries } = filter
  const span = keySpan(present({ fromMs, toMs: toMs || undefined }))
  const isPast = after !== undefined && after.key < span.to
  const isIndexed = result === undefined || result in FOUND_BY
  const isSieved = !isIndexed || kind !== undefined || url !== undefined || countries.length > 0
  const lookAt = isSieved ? LOOKED_AT : limit + 1
  const found = await db.query<Extent & (HistoryRow | { readonly key: null })>(historyOf(result), [
    merchantId,
    isPast ? after.key : span.to,
    isPast ? after.state : '',
    span.from,
    result === 'FAILED' ? null : (result ?? null),
    kind ?? null,
    url ?? null,
    countries.length === 0 ? null : countries,
    limit + 1,
    lookAt,
  ])
  const rows = found.filter((row): row is Extent & HistoryRow => row.key !== null)
  const last = rows[limit - 1]
  if (rows.length > limit && last !== undefined) {
    return { rows: rows.slice(0, limit), next: placeOf(last), stoppedAfter: undefined }
  }
  const { lookedAt, lastKey: key, lastState: state } = found[0] ?? { lookedAt: 0 }
  const isStopped = lookedAt >= lookAt
  const isKnown = key !== null && key !== undefined && state !== null && state !== undefined
  if (!isStopped || !isKnown) return { rows, next: undefined, stoppedAfter: undefined }
  return { rows, next: { key, state }, stoppedAfter: lookedAt }
}

const placeOf = ({ key, state }: HistoryRow): HistoryPlace => ({ key, state })

/** What the callbacks of a key are about. */
export async function findCallbackSubject(
  db: Db,
  merchantId: MerchantId,
  key: string,
): Promise<{ readonly kind: SubjectKind; readonly paymentId: string } | undefined> {
  const [row] = await db.query<{ kind: SubjectKind; paymentId: string }>(
    `select kind, payment_id as "paymentId" from callbacks
     where merchant_id = $1 and payment_key = $2
     union all
     select kind, payment_id from callbacks_in_hand where merchant_id = $1 and payment_key = $2
     limit 1`,
    [merchantId, key],
  )
  return row
}

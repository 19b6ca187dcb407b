import type { Failure } from '../../domain/failure.ts'
import { ATTEMPTS_MAX, CHECKOUT_MACHINE } from '../../domain/hosted/checkout.ts'
import { type NodeId, UNHELD } from '../../domain/ids.ts'
import type { AccountName } from '../../domain/payments/ledger.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { EVENT_STATES, nextState, type PaymentState } from '../../domain/payments/payment-state.ts'
import { SPLIT_MACHINE } from '../../domain/payments/split-payment.ts'
import { present } from '../../domain/present.ts'
import type { Notes } from '../callbacks/notes.ts'
import { plain, quoted } from '../engine/columns.ts'
import type { Db } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'
import { POST_TRANSFERS, POSTED_WHOLE } from '../engine/posting.ts'
import { sqlList } from '../engine/sql-list.ts'

/** One transition of one payment, with everything that belongs to it. */
export type Advance = {
  readonly payment: Payment
  readonly to: PaymentState
  readonly at: number
  /** Set where only the node that holds the payment may act: before the operator is asked. */
  readonly fence?: NodeId
  readonly providerReference?: string
  /** When the operator was asked. */
  readonly submittedAt?: number
  readonly providerTransactionId?: string
  readonly failure?: Failure
  readonly transfer?: { readonly debit: AccountName; readonly credit: AccountName }
  /** The payment is over: nobody has to look at it again. */
  readonly isFinal: boolean
  /** A callback is owed from now on, held by this node. */
  readonly callbackHolder?: NodeId
  /** Where it goes at once: a note of the attempt says that it is owed, in place of a row. */
  readonly callbackUrl?: string
  /** A callback is owed for the split payment or checkout that this may end. */
  readonly notifiesWhole?: boolean
}

export type Moved = {
  /** It may have been stored since the payment was read. */
  readonly authorizationUrl?: string
  /** Where the callback is owed by a note alone. */
  readonly noteEnded?: () => void
}

/**
 * The only place that writes a payment's state. A transition is a compare-and-set; its ledger
 * transfer, the balances, the owed callback and what it means for a split payment, a checkout or a
 * case of doubt are part of the same statement, so they happen together or not at all. Answers nothing
 * where the payment had already left the state.
 */
export function createAdvanceGroup(db: Db, notes: Notes): Group<Advance, Moved | undefined> {
  return createGroup({
    write: (items) => advance(db, items, notes),
    maxItems: 256,
    maxInFlight: 2,
    ownerOf: ({ payment }) => payment.merchantId,
  })
}

type MovedRow = {
  readonly key: string
  readonly state: string
  readonly authorization_url: string | null
  readonly is_noted: boolean
}

async function advance(
  db: Db,
  items: readonly Advance[],
  notes: Notes,
): Promise<readonly (Moved | undefined)[]> {
  // Rows are locked in one order by every group, so groups wait for each other, never in a circle.
  const sorted = items.toSorted((a, b) => (a.payment.id < b.payment.id ? -1 : 1))
  const [name, statement] = items.every(isPlain) ? PLAIN : WHOLE
  const batch = notes.next()
  const columns = [...columnsOf(sorted), ...noteOf(sorted), batch]
  const rows = await db.query<MovedRow>(statement, columns, name)
  const done = new Map(rows.map((row) => [row.key + row.state, row]))
  const noteEnded = notes.begun(batch, rows.filter((row) => row.is_noted).length)
  return items.map(({ payment, to }) => {
    const row = done.get(payment.key + to)
    // Of two equal transitions in one group, the second did nothing.
    done.delete(payment.key + to)
    if (row === undefined) return undefined
    const { authorization_url: authorizationUrl, is_noted: isNoted } = row
    return { ...present({ authorizationUrl }), ...(isNoted ? { noteEnded } : {}) }
  })
}

/** Most payments belong to nothing else, and their outcome is never in doubt. */
const isPlain = ({ payment, to }: Advance): boolean =>
  payment.splitId === undefined &&
  payment.checkoutId === undefined &&
  payment.state !== 'IN_RECONCILIATION' &&
  !EVENT_STATES.includes(to)

function columnsOf(items: readonly Advance[]): unknown[] {
  return [
    plain(items, ({ payment }) => payment.merchantId),
    plain(items, ({ payment }) => payment.kind),
    plain(items, ({ payment }) => payment.id),
    plain(items, ({ payment }) => payment.key),
    plain(items, ({ payment }) => payment.state),
    plain(items, ({ to }) => to),
    plain(items, ({ at }) => at),
    plain(items, ({ fence }) => fence),
    plain(items, ({ isFinal }) => isFinal),
    quoted(items, ({ providerReference }) => providerReference),
    plain(items, ({ submittedAt }) => submittedAt),
    quoted(items, ({ providerTransactionId }) => providerTransactionId),
    plain(items, ({ failure }) => failure?.code),
    quoted(items, ({ failure }) => failure?.message),
    plain(items, ({ transfer }) => transfer?.debit),
    plain(items, ({ transfer }) => transfer?.credit),
    plain(items, ({ payment }) => payment.amount),
    plain(items, ({ callbackHolder }) => callbackHolder),
    plain(items, ({ notifiesWhole }) => notifiesWhole === true),
  ]
}

/** The node that notes, the addresses, and which of them is each one's. */
function noteOf(items: readonly Advance[]): unknown[] {
  const node = items.find(({ callbackUrl }) => callbackUrl !== undefined)?.callbackHolder
  const urls = [...new Set(items.flatMap(({ callbackUrl = [] }) => callbackUrl))]
  return [
    quoted(urls, (url) => url),
    plain(items, ({ callbackUrl, callbackHolder }) =>
      callbackUrl === undefined || callbackHolder !== node
        ? undefined
        : urls.indexOf(callbackUrl) + 1,
    ),
    node,
  ]
}

/** The ways on from where a split payment is open, an attempt of a checkout runs, a payout waits. */
const { OPEN } = SPLIT_MACHINE
const { PROCESSING: TRIED } = CHECKOUT_MACHINE
const BEGUN = nextState('payout', 'WAITING', 'begin')

/**
 * Payouts of a split payment begin with the completion of its deposit: the money that has just come
 * in is held for them at once, so nothing else can take it. A deposit that fails lets go of them.
 */
const SPLIT_PARTS = `
begun as (
  update payments c set state = '${BEGUN}', due_at = m.at, held_from = m.credit
  from moved m
  where m.split_id is not null and m.kind = 'deposit' and m.to_state = 'COMPLETED'
    and c.merchant_id = m.merchant_id and c.split_id = m.split_id and c.state = 'WAITING'
  -- A moment after the deposit, so that every list shows the money come in before it goes out.
  returning c.merchant_id, c.key, c.id, c.amount, c.held_from,
    m.at + interval '1 microsecond' as at
), dropped as (
  delete from payments c using moved m
  where m.split_id is not null and m.kind = 'deposit' and m.to_state = 'FAILED'
    and c.merchant_id = m.merchant_id and c.split_id = m.split_id and c.state = 'WAITING'
)`

/** The last payout to end, or the deposit that failed, ends the split payment: its row decides. */
const SPLIT_END = `
ends as (
  select merchant_id, split_id, max(at) as at, bool_or(kind = 'deposit') as is_lost,
         count(*) as ended, count(*) filter (where to_state = 'FAILED') as failed,
         bool_or(notifies_whole) as is_owed
  from moved
  where split_id is not null and is_final and (kind <> 'deposit' or to_state = 'FAILED')
  group by 1, 2 order by 1, 2
), split as (
  update split_payments s
  set open_parts = case when e.is_lost then 0 else s.open_parts - e.ended end,
      failed_parts = s.failed_parts + case when e.is_lost then 0 else e.failed end,
      state = case when e.is_lost then '${OPEN.depositFails}'
                   when s.open_parts > e.ended then '${OPEN.part}'
                   when s.failed_parts + e.failed > 0 then '${OPEN.lastPartOfSomeFailed}'
                   else '${OPEN.lastPart}' end
  from ends e
  -- Asked first, so that accounts are locked before split payments, by everyone.
  where (select count(*) from balanced) >= 0
    and s.merchant_id = e.merchant_id and s.id = e.split_id
  returning s.merchant_id, s.id, s.key, s.state, e.at, e.is_owed
)`

/** Only what the row of the payment cannot say: see `payment_timeline` in `schema.sql`. */
const EVENTS = `
line as (
  insert into payment_events (merchant_id, payment_key, state, at)
  select merchant_id, key, to_state, at from moved where to_state in (${sqlList(EVENT_STATES)})
  union all select merchant_id, key, '${BEGUN}', at from begun
)`

const HOLDS_OF_BEGUN = `
  select merchant_id, key, id, '${BEGUN}', held_from, 'reserve' || substr(held_from, 7), amount, at
  from begun`

const CALLBACKS_OF_SPLITS = `
  select merchant_id, key, state, 'splitPayment', id, at, 'PENDING', ${UNHELD}, at, at, 0, 0, false
  from split where is_owed and state <> '${OPEN.part}'`

/**
 * An attempt that ends decides about its checkout, whose row is read as it is once it is locked: an
 * expiry may have been asked for meanwhile, or an earlier attempt turned out to be paid.
 */
const CHECKOUT_END = `
fates as materialized (
  select c.merchant_id, c.id, c.key, c.expires_at, m.at, m.notifies_whole as is_owed,
         case when m.to_state = 'COMPLETED' then '${TRIED.complete}'
              when c.paid_attempt is not null then '${TRIED.complete}'
              when c.on_hold then '${TRIED.retry}'
              when c.expiry_asked_at is not null or c.expires_at <= m.at then '${TRIED.expire}'
              when c.attempts >= ${ATTEMPTS_MAX} then '${TRIED.exhaust}'
              else '${TRIED.retry}' end as state
  from moved m
  join checkouts c on c.merchant_id = m.merchant_id and c.id = m.checkout_id
  -- Asked first, so that accounts and split payments are locked before checkouts, by everyone.
  where m.is_final and (select count(*) from balanced) + (select count(*) from split) >= 0
    and c.state = 'PROCESSING'
  order by c.merchant_id, c.id
  for update of c
), checkout as (
  update checkouts c
  set state = f.state,
      due_at = case when f.state = '${TRIED.retry}' then f.expires_at end,
      ended_at = case when f.state <> '${TRIED.retry}' then f.at end
  from fates f
  where c.merchant_id = f.merchant_id and c.id = f.id
  returning c.merchant_id, c.id, c.key, c.state, f.at, f.is_owed
)`

const CALLBACKS_OF_CHECKOUTS = `
  select merchant_id, key, state, 'checkout', id, at, 'PENDING', ${UNHELD}, at, at, 0, 0, false
  from checkout where is_owed and state <> '${TRIED.retry}'`

/** While nobody knows the outcome there is a case; the answer that comes at last closes it. */
const CASES = `
doubted as (
  insert into cases (merchant_id, payment_key, cause, kind, payment_id, opened_at)
  select merchant_id, key, 'UNKNOWN_OUTCOME', kind, id, at from moved
  where to_state = 'IN_RECONCILIATION'
), cleared as (
  update cases c set closed_at = m.at, resolution = m.to_state, resolved_by = 'provider'
  from moved m
  where m.from_state = 'IN_RECONCILIATION' and c.merchant_id = m.merchant_id
    and c.payment_key = m.key and c.cause = 'UNKNOWN_OUTCOME'
)`

/** What a plain group cannot need is left out: it takes time even where it finds nothing. */
const advanceStatement = (isWhole: boolean): string => `
with input as materialized (
  select i.*, to_timestamp(at_ms / 1000) as at from unnest(
    $1::int[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::float8[], $8::int[],
    $9::boolean[], $10::text[], $11::float8[], $12::text[], $13::text[], $14::text[], $15::text[],
    $16::text[], $17::numeric[], $18::int[], $19::boolean[], $21::int[])
  as i (merchant_id, kind, id, key, from_state, to_state, at_ms, fence, is_final,
        provider_reference, submitted_ms, provider_transaction_id, failure_code, failure_message,
        debit, credit, amount, callback_holder, notifies_whole, url_at)
), moved as (
  update payments p
  set state = i.to_state,
      holder = case when i.is_final then ${UNHELD} else p.holder end,
      due_at = case when i.is_final then null else p.due_at end,
      submitted_at = coalesce(to_timestamp(i.submitted_ms / 1000), p.submitted_at),
      -- What waits in line has not been sent, and whoever sends it stores the reference first.
      provider_reference = case when i.to_state = 'ENQUEUED' then null
                                else coalesce(i.provider_reference, p.provider_reference) end,
      provider_transaction_id = coalesce(i.provider_transaction_id, p.provider_transaction_id),
      ended_at = case when i.is_final then i.at end,
      failure_code = i.failure_code,
      failure_message = i.failure_message,
      pre_authorisation_code = case when i.is_final then null else p.pre_authorisation_code end
  from input i
  where p.merchant_id = i.merchant_id and p.kind = i.kind and p.id = i.id and p.key = i.key
    and p.state = i.from_state and (i.fence is null or p.holder = i.fence)
  returning i.*, p.split_id, p.checkout_id, p.authorization_url,
    -- Where two callbacks of one payment take turns, each has a row.
    i.url_at is not null and p.authorization_url is null
      and exists (select from nodes where node_id = $22) as is_noted
)${isWhole ? `, ${SPLIT_PARTS}, ${EVENTS}` : ''}, postings as (
  select merchant_id, key, id as payment_id, to_state as cause, debit, credit, amount, at
  from moved where debit is not null
  ${isWhole ? `union all ${HOLDS_OF_BEGUN}` : ''}
), ${POST_TRANSFERS}${isWhole ? `, ${SPLIT_END}, ${CHECKOUT_END}, ${CASES}` : ''}, noted as (
  insert into sendings
    (node_id, batch, begun_at, urls, merchant_ids, payment_keys, states, attempts, url_at, kinds,
     payment_ids)
  select $22, $23, min(at), $20::text[], array_agg(merchant_id), array_agg(key),
         array_agg(to_state), array_agg(0), array_agg(url_at), array_agg(kind), array_agg(id)
  from moved where is_noted having count(*) > 0
), owed as (
  insert into callbacks
    (merchant_id, payment_key, state, kind, payment_id, created_at, status, holder, due_at,
     round_started_at, tries, attempts, resend)
  select merchant_id, key, to_state, kind, id, at, 'PENDING', callback_holder, at, at, 0, 0, false
  from moved where callback_holder is not null and not is_noted
  ${isWhole ? `union all ${CALLBACKS_OF_SPLITS} union all ${CALLBACKS_OF_CHECKOUTS}` : ''}
  on conflict do nothing
)
select key, to_state as state, authorization_url, is_noted from moved where ${POSTED_WHOLE}`

const PLAIN = ['advance', advanceStatement(false)] as const
const WHOLE = ['advance-whole', advanceStatement(true)] as const

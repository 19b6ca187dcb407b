import type { Failure } from '../../domain/failure.ts'
import { type NodeId, UNHELD } from '../../domain/ids.ts'
import type { AccountName } from '../../domain/payments/ledger.ts'
import type { OperatorIds, Payment } from '../../domain/payments/payment.ts'
import { EVENT_STATES, type PaymentState } from '../../domain/payments/payment-state.ts'
import { present } from '../../domain/present.ts'
import { createNotes, type Notes } from '../callbacks/notes.ts'
import { plain, quoted } from '../engine/columns.ts'
import { type Database, type Db, type Recording, untilItPasses } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'
import { POST_TRANSFERS, POSTED_WHOLE } from '../engine/posting.ts'
import {
  CALLBACKS_OF_CHECKOUTS,
  CALLBACKS_OF_SPLITS,
  CASES,
  CHECKOUT_END,
  EVENTS,
  HOLDS_OF_BEGUN,
  SPLIT_END,
  SPLIT_PARTS,
} from './advance-wholes.ts'

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
  /** The account with the operator that it is sent through. */
  readonly operatorAccount?: string
  readonly operatorIds?: OperatorIds
  readonly transfer?: { readonly debit: AccountName; readonly credit: AccountName }
  /** The payment is over: nobody has to look at it again. */
  readonly isFinal: boolean
  /** A callback is owed from now on, held by this node. */
  readonly callbackHolder?: NodeId
  /** Where it goes at once: a note of the attempt says that it is owed, in place of a row. */
  readonly callbackUrl?: string
  /** A callback is owed for the split payment or checkout that this may end. */
  readonly notifiesWhole?: boolean
  /** Who asked for it: written together with the transition, or not at all. */
  readonly record?: Recording
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
export function createAdvanceGroup(
  database: Database,
  notes: Notes,
): Group<Advance, Moved | undefined> {
  const group = createGroup({
    write: (items: readonly Advance[]) => advance(database, items, notes),
    maxItems: 256,
    maxInFlight: 2,
    ownerOf: ({ payment }) => payment.merchantId,
  })
  return {
    ...group,
    // What has to be recorded is rare, and waits for others of its merchant: it holds up no group.
    add: (item) => {
      const { record } = item
      if (record === undefined) return group.add(item)
      const write = async (tx: Db): Promise<Moved | undefined> => {
        const moved = await advanceWithin(tx, item)
        if (moved !== undefined) await record(tx)
        return moved
      }
      return untilItPasses(() => database.inTransaction(write))
    },
  }
}

/** One transition as part of a transaction; its callback has a row, as a note could be undone. */
export async function advanceWithin(tx: Db, item: Advance): Promise<Moved | undefined> {
  const { callbackUrl, ...withoutNote } = item
  const [moved] = await advance(tx, [withoutNote], createNotes())
  return moved
}

/** Without a key: all of them were moved, and noted as wanted. */
type MovedRow = {
  readonly key: string | null
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
  const isWhole = !items.every(isPlain)
  const [name, statement] = isWhole ? WHOLE : PLAIN
  const batch = notes.next()
  const wanted = noteOf(sorted)
  const urlAt = plain(sorted, wanted.urlAt)
  const urls = quoted(wanted.urls, (url) => url)
  const columns = [
    ...columnsOf(sorted),
    ...[urls, urlAt, wanted.node, batch, items.length],
    ...(isWhole ? operatorColumns(sorted) : []),
  ]
  const rows = await db.query<MovedRow>(statement, columns, name)
  if (rows[0]?.key === null) {
    const isNoted = (item: Advance): boolean => wanted.urlAt(item) !== undefined
    const note = notes.begun(batch, items.filter(isNoted).length)
    return items.map((item) => (isNoted(item) ? { noteEnded: note() } : {}))
  }
  const done = new Map(rows.map((row) => [`${row.key}${row.state}`, row]))
  const note = notes.begun(batch, rows.filter((row) => row.is_noted).length)
  return items.map(({ payment, to }) => {
    const row = done.get(payment.key + to)
    // Of two equal transitions in one group, the second did nothing.
    done.delete(payment.key + to)
    if (row === undefined) return undefined
    const { authorization_url: authorizationUrl, is_noted: isNoted } = row
    return { ...present({ authorizationUrl }), ...(isNoted ? { noteEnded: note() } : {}) }
  })
}

/** Most payments belong to nothing else, and their outcome is never in doubt. */
const isPlain = ({ payment, to, operatorAccount, operatorIds }: Advance): boolean =>
  payment.splitId === undefined &&
  payment.checkoutId === undefined &&
  operatorAccount === undefined &&
  operatorIds === undefined &&
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

const operatorColumns = (items: readonly Advance[]): unknown[] => [
  quoted(items, ({ operatorAccount }) => operatorAccount),
  quoted(items, ({ operatorIds }) => operatorIds && JSON.stringify(operatorIds)),
]

/** The node that notes, the addresses, and which of them is that of each. */
function noteOf(items: readonly Advance[]) {
  const node = items.find(({ callbackUrl }) => callbackUrl !== undefined)?.callbackHolder
  const urls = [...new Set(items.flatMap(({ callbackUrl = [] }) => callbackUrl))]
  const urlAt = ({ callbackUrl, callbackHolder }: Advance): number | undefined =>
    callbackUrl === undefined || callbackHolder !== node ? undefined : urls.indexOf(callbackUrl) + 1
  return { node, urls, urlAt }
}

const OF_THE_OPERATOR = `
      operator_account = case when i.to_state = 'ENQUEUED' then null
                              else coalesce(i.operator_account, p.operator_account) end,
      operator_ids = case when i.to_state = 'ENQUEUED' then i.operator_ids
                          else coalesce(p.operator_ids || i.operator_ids, i.operator_ids,
                                        p.operator_ids) end,
      unknown_since = case when i.to_state <> 'ENQUEUED' then p.unknown_since end,`

/** What a plain group cannot need is left out: it takes time even where it finds nothing. */
const advanceStatement = (isWhole: boolean): string => `
with input as materialized (
  select i.*, to_timestamp(at_ms / 1000) as at from unnest(
    $1::int[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::float8[], $8::int[],
    $9::boolean[], $10::text[], $11::float8[], $12::text[], $13::text[], $14::text[], $15::text[],
    $16::text[], $17::numeric[], $18::int[], $19::boolean[], $21::int[]${isWhole ? ', $25::text[], $26::jsonb[]' : ''})
  as i (merchant_id, kind, id, key, from_state, to_state, at_ms, fence, is_final,
        provider_reference, submitted_ms, provider_transaction_id, failure_code, failure_message,
        debit, credit, amount, callback_holder, notifies_whole, url_at${isWhole ? ', operator_account, operator_ids' : ''})
), moved as (
  update payments p
  set state = i.to_state,
      holder = case when i.is_final then ${UNHELD} else p.holder end,
      due_at = case when i.is_final then null else p.due_at end,
      submitted_at = coalesce(to_timestamp(i.submitted_ms / 1000), p.submitted_at),
      -- What waits in line has not been sent, and the node that sends it stores the reference first.
      provider_reference = case when i.to_state = 'ENQUEUED' then null
                                else coalesce(i.provider_reference, p.provider_reference) end,
      ${isWhole ? OF_THE_OPERATOR : ''}
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
), summary as (
  select count(*) = $24 and bool_and(
    authorization_url is null and is_noted = (url_at is not null)) as is_usual
  from moved
)
-- Mostly there is nothing to say about each of them, and saying it takes time.
select key, to_state as state, authorization_url, is_noted from moved cross join summary
where not is_usual and ${POSTED_WHOLE}
union all
select null, null, null, null from summary where is_usual and ${POSTED_WHOLE}`

const PLAIN = ['advance', advanceStatement(false)] as const
const WHOLE = ['advance-whole', advanceStatement(true)] as const

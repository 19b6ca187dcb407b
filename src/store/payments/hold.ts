import type { NodeId } from '../../domain/ids.ts'
import { invariant } from '../../domain/invariant.ts'
import { type AccountName, reserveName } from '../../domain/payments/ledger.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { LIMITS } from '../../domain/timing.ts'
import { objects, plain, quoted } from '../engine/columns.ts'
import type { Db } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'
import { POST_TRANSFERS, POSTED_WHOLE } from '../engine/posting.ts'

/** A payment that needs money from a wallet, to be stored together with the hold on it. */
export type FundsHold = {
  readonly payment: Payment
  readonly holder: NodeId
  readonly wallet: AccountName
  /** Where too little money means that nothing is stored; else it is stored without a hold. */
  readonly onlyFunded: boolean
}

export type HoldResult =
  | { readonly result: 'NEW'; readonly heldFrom: AccountName | undefined }
  | { readonly result: 'REPEAT'; readonly createdAt: number }
  /** The wallet holds too little, and `onlyFunded` was set. */
  | { readonly result: 'SHORT' }

/**
 * Stores payments together with the money they hold. A thousand of them from one wallet cost one
 * lock of its row for each group. Groups are taken for simple, all new and all with money enough, until the
 * database refuses one of them.
 */
export function createHoldGroup(
  db: Db,
  onWritten: (size: number) => void,
): Group<FundsHold, HoldResult> {
  let carefulUntil = Number.NEGATIVE_INFINITY
  const write = async (items: readonly FundsHold[]): Promise<readonly HoldResult[]> => {
    if (performance.now() >= carefulUntil) {
      const results = await holdSimple(db, items)
      if (results !== undefined) return results
      carefulUntil = performance.now() + LIMITS.groupCarefulMs
    }
    return hold(db, items)
  }
  const ownerOf = ({ payment }: FundsHold): unknown => payment.merchantId
  return createGroup({ write, maxItems: 256, maxInFlight: 2, onWritten, ownerOf })
}

/** Undefined, and nothing stored, when one of them is a repeat or finds too little money. */
async function holdSimple(
  db: Db,
  items: readonly FundsHold[],
): Promise<readonly HoldResult[] | undefined> {
  try {
    await db.query(HOLD_SIMPLE, columnsOf(items), 'hold-simple')
    return items.map(({ wallet }) => ({ result: 'NEW', heldFrom: wallet }))
  } catch (error) {
    if (NOT_SIMPLE.has((error as { code?: unknown }).code)) return undefined
    throw error
  }
}

/** Whether the money suffices is decided in the order in which they came. */
export async function hold(db: Db, items: readonly FundsHold[]): Promise<readonly HoldResult[]> {
  const first = new Map<string, FundsHold>()
  for (const item of items) {
    if (!first.has(identity(item))) first.set(identity(item), item)
  }
  const rows = await db.query<{ key: string; verdict: string }>(
    HOLD,
    columnsOf([...first.values()]),
    'hold',
  )
  const verdicts = new Map(rows.map((row) => [row.key, row.verdict]))
  const repeats = items.filter((item) => isRepeat(item, first, verdicts))
  const stored = repeats.length === 0 ? NONE : await findStored(db, repeats)
  // Repeats of what was refused repeat nothing: they come after it, each as it asks.
  const rest = repeats.filter((item) => !stored.has(identity(item)))
  const later = rest.length === 0 ? NO_RESULTS : await holdLater(db, rest, first)
  return items.map((item) => {
    if (!isRepeat(item, first, verdicts)) return outcome(item, verdicts)
    const found = stored.get(identity(item))
    if (found === undefined) return resultOf(later, item)
    // Under its own key: this very item was written by a try that failed later on.
    if (found.key === item.payment.key) return { result: 'NEW', heldFrom: found.heldFrom }
    return { result: 'REPEAT', createdAt: found.createdAt }
  })
}

const identity = ({ payment }: FundsHold): string =>
  `${payment.merchantId}/${payment.kind}/${payment.id}`

function isRepeat(
  item: FundsHold,
  first: ReadonlyMap<string, FundsHold>,
  verdicts: ReadonlyMap<string, string>,
): boolean {
  return first.get(identity(item)) !== item || verdicts.get(item.payment.key) === 'REPEAT'
}

function outcome(item: FundsHold, verdicts: ReadonlyMap<string, string>): HoldResult {
  if (verdicts.get(item.payment.key) === 'HELD') return { result: 'NEW', heldFrom: item.wallet }
  return item.onlyFunded ? { result: 'SHORT' } : { result: 'NEW', heldFrom: undefined }
}

/**
 * The identifier was taken a moment ago and is free now: a split payment let go of its payouts. As
 * nothing of this one is stored, it is tried again.
 */
class Freed extends Error {
  readonly code = '40001'
}

const NO_RESULTS: ReadonlyMap<FundsHold, HoldResult> = new Map()

function resultOf(results: ReadonlyMap<FundsHold, HoldResult>, item: FundsHold): HoldResult {
  const result = results.get(item)
  invariant(result !== undefined, 'what repeats nothing was held later')
  return result
}

async function holdLater(
  db: Db,
  rest: readonly FundsHold[],
  first: ReadonlyMap<string, FundsHold>,
): Promise<ReadonlyMap<FundsHold, HoldResult>> {
  const freed = rest.find((item) => first.get(identity(item)) === item)
  if (freed !== undefined) throw new Freed(`${identity(freed)} is free again`)
  const results = await hold(db, rest)
  return new Map(results.map((result, at) => [rest[at] as FundsHold, result]))
}

type Stored = {
  readonly key: string
  readonly createdAt: number
  readonly heldFrom: AccountName | undefined
}
const NONE: ReadonlyMap<string, Stored> = new Map()

/** A second statement on purpose: it sees rows that were committed while the first one ran. */
async function findStored(
  db: Db,
  items: readonly FundsHold[],
): Promise<ReadonlyMap<string, Stored>> {
  type Row = {
    merchant_id: number
    kind: string
    id: string
    key: string
    created_ms: number
    held_from: AccountName | null
  }
  const rows = await db.query<Row>(
    `select p.merchant_id, p.kind, p.id, p.key, p.held_from,
            (extract(epoch from p.created_at) * 1000)::float8 as created_ms
     from unnest($1::int[], $2::text[], $3::uuid[]) as i (merchant_id, kind, id)
     join payments p using (merchant_id, kind, id)`,
    [
      plain(items, ({ payment }) => payment.merchantId),
      plain(items, ({ payment }) => payment.kind),
      plain(items, ({ payment }) => payment.id),
    ],
    'hold-find',
  )
  return new Map(
    rows.map((row) => [
      `${row.merchant_id}/${row.kind}/${row.id}`,
      {
        key: row.key,
        createdAt: Math.round(row.created_ms),
        heldFrom: row.held_from ?? undefined,
      },
    ]),
  )
}

function columnsOf(items: readonly FundsHold[]): unknown[] {
  return [
    plain(items, ({ payment }) => payment.merchantId),
    plain(items, ({ payment }) => payment.kind),
    plain(items, ({ payment }) => payment.id),
    quoted(items, ({ wallet }) => wallet),
    quoted(items, ({ wallet }) => reserveName(wallet)),
    plain(items, ({ payment }) => payment.amount),
    quoted(items, ({ payment }) =>
      payment.idAsSent === payment.id ? undefined : payment.idAsSent,
    ),
    plain(items, ({ payment }) => payment.key),
    plain(items, ({ payment }) => payment.generation),
    plain(items, ({ payment }) => payment.createdAt),
    plain(items, ({ payment }) => payment.currency),
    plain(items, ({ payment }) => payment.country),
    plain(items, ({ payment }) => payment.provider),
    plain(items, ({ payment }) => payment.phoneNumber),
    plain(items, ({ payment }) => payment.refundOf),
    plain(items, ({ holder }) => holder),
    plain(items, ({ onlyFunded }) => onlyFunded),
    quoted(items, ({ payment }) => payment.providerReference),
    objects(items, ({ payment }) => payment.details),
  ]
}

/** The columns above as rows; with another function beside them, its column comes last. */
const rowsWith = (more: { readonly call: string; readonly column: string }): string => `
  select i.*, to_timestamp(created_ms / 1000) as created_at from rows from (
    unnest($1::int[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::numeric[], $7::text[],
      $8::uuid[], $9::text[], $10::float8[], $11::text[], $12::text[], $13::text[], $14::text[],
      $15::uuid[], $16::int[], $17::boolean[], $18::text[]),
    jsonb_array_elements($19::jsonb)${more.call})
  as i (merchant_id, kind, id, wallet, reserve, amount, id_as_sent, key, generation, created_ms,
        currency, country, provider, phone_number, refund_of, holder, only_funded,
        provider_reference, details${more.column})`

/** `ifHeld` wraps what is stored only where the money is held: without it, nothing is ever sent. */
const insertFrom = (rows: string, ifHeld: (column: string) => string): string => `
  insert into payments
    (merchant_id, kind, id, id_as_sent, key, generation, created_at, amount, currency, country,
     provider, phone_number, details, state, holder, due_at, held_from, refund_of,
     provider_reference)
  select merchant_id, kind, id, id_as_sent, key, generation, created_at, amount, currency, country,
         provider, phone_number, details, 'ACCEPTED', holder, created_at, ${ifHeld('wallet')},
         refund_of, ${ifHeld('provider_reference')}
  from ${rows} order by merchant_id, kind, id`

/** A unique key is taken, an account would be overdrawn, or there is no such account. */
const NOT_SIMPLE: ReadonlySet<unknown> = new Set(['23505', '23514', 'P0001'])

const HOLD_SIMPLE = `
with input as materialized (${rowsWith({ call: '', column: '' })}
), inserted as (
  ${insertFrom('input', (column) => column)}
), postings as (
  select merchant_id, key, id as payment_id, 'ACCEPTED' as cause, wallet as debit,
         reserve as credit, amount, created_at as at
  from input
), ${POST_TRANSFERS}
select where ${POSTED_WHOLE}`

/**
 * `decide_holds` (see `schema.sql`) locks the wallets of the group and answers for each payment, in
 * the order of arrival, whether it is a repeat, held, or short of money. `accept_guard` makes the
 * statement fail, and be done once more, where another one stored a payment of the group meanwhile.
 */
const HOLD = `
with input as materialized (${rowsWith({
  call: ', unnest(decide_holds($1, $2, $3, $4, $5, $6))',
  column: ', verdict',
})}
), wanted as materialized (
  select * from input where verdict = 'HELD' or (verdict = 'SHORT' and not only_funded)
), inserted as (
  ${insertFrom('wanted', (column) => `case verdict when 'HELD' then ${column} end`)}
  on conflict do nothing
  returning 1
), postings as (
  select merchant_id, key, id as payment_id, 'ACCEPTED' as cause, wallet as debit,
         reserve as credit, amount, created_at as at
  from wanted where verdict = 'HELD'
), ${POST_TRANSFERS}
select key, verdict from input
where accept_guard((select count(*) from wanted), (select count(*) from inserted))
  and ${POSTED_WHOLE}`

import { randomUUID } from 'node:crypto'
import { isArchived, yearOf } from '../../domain/archive/years.ts'
import type { SubjectKind } from '../../domain/callbacks/callback-subject.ts'
import {
  type CallbackFilter,
  REPLAY_MAX_PER_SECOND,
  UNSENT,
} from '../../domain/callbacks/replay.ts'
import { present } from '../../domain/present.ts'
import {
  countMatching,
  insertReplay,
  listReplaysOf,
  type Replay,
  stopReplay,
  takeTurn,
} from '../../store/callbacks/replays.ts'
import type { Db } from '../../store/engine/database.ts'
import { archivedOf } from '../archive/archived.ts'
import { recordChange } from '../people/change.ts'
import type { PeopleContext, Person } from '../people/context.ts'

export type { Replay }

/** Replays of callbacks by the merchant's people, one at a time. */
type ReplayOrder = {
  /** Made with the form: pressed twice, it is one replay. */
  readonly id: string | undefined
  readonly fromMs: number
  readonly kinds: readonly SubjectKind[]
  /** Also what is tried again by itself later. */
  readonly withPending: boolean
  readonly perSecond: number
}

type ReplayStart =
  | { readonly result: 'STARTED' | 'ALREADY'; readonly id: string; readonly matched: number }
  | { readonly result: 'NOTHING' | 'BUSY' }
  | { readonly result: 'ARCHIVED'; readonly year: number }

export async function startReplayAs(
  ctx: PeopleContext,
  person: Person,
  order: ReplayOrder,
): Promise<ReplayStart> {
  const filter = filterOf(person, order)
  const archived = await archivedOf(ctx, person.merchant.id)
  if (isArchived(archived, order.fromMs)) {
    return { result: 'ARCHIVED', year: yearOf(order.fromMs) }
  }
  return ctx.db.inTransaction(async (tx) => {
    await takeTurn(tx, person.merchant.id)
    const before = await listReplaysOf(tx, person.merchant.id)
    const same = before.find(
      (one) => one.id === order.id || (one.state === 'RUNNING' && isSame(one.filter, filter)),
    )
    if (same !== undefined) return { result: 'ALREADY', id: same.id, matched: same.matched }
    if (before.some(({ state }) => state === 'RUNNING')) return { result: 'BUSY' }
    return insert(ctx, tx, person, { ...order, filter })
  })
}

async function insert(
  ctx: PeopleContext,
  tx: Db,
  person: Person,
  { id = randomUUID(), perSecond, filter }: ReplayOrder & { readonly filter: CallbackFilter },
): Promise<ReplayStart> {
  const { id: merchantId } = person.merchant
  const now = ctx.clock.now()
  const matched = await countMatching(tx, merchantId, filter, now)
  if (matched === 0) return { result: 'NOTHING' }
  const rate = Math.min(REPLAY_MAX_PER_SECOND, Math.max(1, perSecond))
  await insertReplay(tx, { merchantId, id, filter, perSecond: rate, matched, startedMs: now })
  await recordChange(ctx, tx, person, {
    action: 'callback replay started',
    object: `replay ${id}`,
    after: { ...filter, perSecond: rate, matched },
  })
  return { result: 'STARTED', id, matched }
}

const filterOf = ({ countries }: Person, order: ReplayOrder): CallbackFilter => ({
  statuses: order.withPending ? [...UNSENT, 'PENDING'] : UNSENT,
  kinds: order.kinds,
  fromMs: order.fromMs,
  ...(countries.length > 0 && { countries }),
})

const isSame = (a: CallbackFilter, b: CallbackFilter): boolean =>
  a.fromMs === b.fromMs &&
  a.toMs === b.toMs &&
  a.result === b.result &&
  [a.statuses, a.kinds, a.countries].join('|') === [b.statuses, b.kinds, b.countries].join('|')

/** Somebody who sees some countries sees the replays of these alone. */
const isOf =
  ({ countries }: Person) =>
  ({ filter }: Replay): boolean =>
    countries.length === 0 || (filter.countries?.every((one) => countries.includes(one)) ?? false)

const SHOWN = 10

/** The newest first. */
export async function listReplaysFor(
  ctx: PeopleContext,
  person: Person,
): Promise<readonly Replay[]> {
  const replays = await listReplaysOf(ctx.db, person.merchant.id)
  return replays.filter(isOf(person)).slice(0, SHOWN)
}

/** False where there is none that runs. What it has sent stays sent. */
export async function stopReplayAs(
  ctx: PeopleContext,
  person: Person,
  id: string,
): Promise<boolean> {
  return ctx.db.inTransaction(async (tx) => {
    const replays = (await listReplaysOf(tx, person.merchant.id)).filter(isOf(person))
    if (!replays.some((one) => one.id === id && one.state === 'RUNNING')) return false
    if (!(await stopReplay(tx, id, ctx.clock.now()))) return false
    const [replay] = (await listReplaysOf(tx, person.merchant.id)).filter((one) => one.id === id)
    const countries = replay?.filter.countries
    await recordChange(ctx, tx, person, {
      action: 'callback replay stopped',
      object: `replay ${id}`,
      after: {
        ...{ sent: replay?.sent ?? 0, matched: replay?.matched ?? 0 },
        ...present({ countries }),
      },
    })
    return true
  })
}

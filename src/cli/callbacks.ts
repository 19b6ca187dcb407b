import { setTimeout as pause } from 'node:timers/promises'
import { isArchived } from '../domain/archive/years.ts'
import { CALLBACK_STATUSES } from '../domain/callbacks/callback.ts'
import { SUBJECT_WORDS } from '../domain/callbacks/callback-subject.ts'
import { type CallbackFilter, REPLAY_MAX_PER_SECOND, UNSENT } from '../domain/callbacks/replay.ts'
import { COMMAND_TIMING } from '../domain/client-timing.ts'
import { listMerchants, type MerchantSummary } from '../store/accounts/merchants.ts'
import { type ListedCallback, listCallbacks } from '../store/callbacks/deliveries.ts'
import { listReplays, type Replay, stopReplay } from '../store/callbacks/replays.ts'
import { countNodes } from '../store/cluster/nodes.ts'
import { readState } from '../store/cluster/service-state.ts'
import type { Database } from '../store/engine/database.ts'
import { archivedOf } from '../usecases/archive/archived.ts'
import { planReplay, startReplay } from '../usecases/callbacks/replay-callbacks.ts'
import { filterFor } from './callback-filter.ts'
import {
  type Command,
  CommandProblem,
  dateText,
  merchantNamed,
  print,
  table,
  textOf,
  withDatabase,
} from './command-kit.ts'
import { limitOf, rateOf } from './option-values.ts'

const KINDS = Object.keys(SUBJECT_WORDS).join(', ')
const DEFAULT_RATE = 50

const FILTER = {
  merchant: { value: 'short-name', summary: 'only of this merchant' },
  kind: { value: 'kind', many: true, summary: `only of this kind, repeatable: ${KINDS}` },
  result: { value: 'state', summary: 'only those that report this state, such as COMPLETED' },
  endpoint: { value: 'url', summary: 'only those that go to this address by the settings of now' },
  from: { value: 'time', summary: 'only of payments accepted at this time or later' },
  to: { value: 'time', summary: 'only of payments accepted before this time' },
} as const
const statusOption = (byDefault: readonly string[]) => ({
  value: 'status',
  many: true,
  summary: `repeatable: ${CALLBACK_STATUSES.join(', ')} (default ${byDefault.join(' and ')})`,
})
const LISTED = ['PENDING', ...UNSENT] as const

/** Callbacks for the operator of the service: what did not arrive, and sending it again. */
export const CALLBACK_COMMANDS: readonly Command[] = [
  {
    name: 'callbacks list',
    summary: 'List callbacks that were not delivered, with the reason and the next attempt',
    options: {
      ...FILTER,
      status: statusOption(LISTED),
      limit: {
        value: 'number',
        summary: 'at most so many of each merchant and status (default 100)',
      },
      after: { value: 'key', summary: 'go on after the callback with this key' },
    },
    run: ({ values, json }) =>
      withDatabase(async ({ database }) => {
        const rows: object[] = []
        const limit = limitOf(values.limit)
        const after = keyOf(values.after)
        for (const merchant of await chosenMerchants(database, values)) {
          const filter = await filterFor(database, merchant, values, LISTED)
          for (const status of filter?.statuses ?? []) {
            if (filter === undefined) break
            const found = await listCallbacks(database, merchant.id, filter, {
              status,
              after,
              limit,
            })
            rows.push(...found.map((one) => shownCallback(merchant, one)))
          }
        }
        return print(json, rows, table(rows as Record<string, string | number>[], NO_MATCH))
      }),
  },
  {
    name: 'callbacks replay',
    summary: 'Send many callbacks again, at a rate; the nodes do it, also if this command ends',
    options: {
      ...FILTER,
      status: statusOption(UNSENT),
      rate: {
        value: 'number',
        summary: `callbacks per second for each merchant, 1 to ${REPLAY_MAX_PER_SECOND} (default ${DEFAULT_RATE})`,
      },
      'dry-run': { summary: 'count what would be sent and change nothing' },
      detach: { summary: 'do not wait for the end' },
    },
    run: ({ values, json }) =>
      withDatabase(async ({ database }) => {
        const perSecond = rateOf(values.rate, DEFAULT_RATE)
        const now = Date.now() + (await readState(database)).clockOffsetMs
        const isDry = values['dry-run'] === true
        const begun: Begun[] = []
        for (const merchant of await chosenMerchants(database, values)) {
          const filter = await filterFor(database, merchant, values, UNSENT)
          if (filter === undefined) continue
          await refuseArchived(database, merchant, filter)
          const matched = await planReplay(database, merchant.id, filter, now)
          const order = { merchantId: merchant.id, filter, perSecond, now }
          if (isDry || matched === 0) begun.push({ merchant: merchant.slug, matched })
          else begun.push({ merchant: merchant.slug, ...(await startReplay(database, order)) })
        }
        const matched = begun.reduce((sum, one) => sum + one.matched, 0)
        if (isDry) {
          return print(
            json,
            { matched, merchants: begun },
            `${matched} callbacks would be sent again.`,
          )
        }
        const ids = begun.flatMap(({ id }) => id ?? [])
        if (ids.length === 0)
          return print(json, { matched: 0, replays: [] }, 'Nothing to send again.')
        if (values.detach === true || (await countNodes(database)) === 0) {
          const words =
            values.detach === true ? 'It goes on.' : 'No node is running; it waits for one.'
          return print(
            json,
            { matched, replays: ids },
            `${matched} callbacks to send again. ${words}`,
          )
        }
        return watch(database, ids, json)
      }),
  },
  {
    name: 'callbacks replays',
    summary: 'List replays, the newest first, with how far they have come',
    options: {},
    run: ({ json }) =>
      withDatabase(async ({ database }) => {
        const merchants = await listMerchants(database)
        const replays = (await listReplays(database)).map((one) => shownReplay(one, merchants))
        return print(json, replays, table(replays))
      }),
  },
  {
    name: 'callbacks stop',
    summary: 'Stop a replay; what it has sent again stays sent',
    arguments: ['replay'],
    options: {},
    run: ({ positionals: [id = ''], json }) =>
      withDatabase(async ({ database }) => {
        if (!UUID.test(id) || !(await stopReplay(database, id, Date.now()))) {
          throw new CommandProblem(
            `There is no replay "${id}" that runs. See malipo callbacks replays.`,
          )
        }
        return print(json, { replay: id, state: 'STOPPED' }, `Replay ${id} is stopped.`)
      }),
  },
]

const NO_MATCH =
  'No callback matches. Without --status, neither delivered ones are listed nor those with the ' +
  'status NO_ADDRESS, which are for malipo listen. See malipo callbacks list --help.'

type Begun = { readonly merchant: string; readonly matched: number; readonly id?: string }

/** Shows progress until all have ended. */
async function watch(database: Database, ids: readonly string[], json: boolean): Promise<number> {
  const say = (text: string): void => {
    if (!json) process.stdout.write(`${text}\n`)
  }
  say('The nodes send them, also if this command is ended. See malipo callbacks replays.')
  for (let shown = -1; ; await pause(COMMAND_TIMING.replayLooksEveryMs)) {
    const replays = await listReplays(database, ids)
    const sum = (read: (one: Replay) => number): number =>
      replays.reduce((total, one) => total + read(one), 0)
    const [sent, matched] = [sum((one) => one.sent), sum((one) => one.matched)]
    if (sent !== shown) say(`  ${sent} of ${matched} sent again`)
    shown = sent
    if (replays.some(({ state }) => state === 'RUNNING')) continue
    const held = sent < matched ? HELD_BACK : ''
    return print(json, { matched, sent, replays: ids }, `${sent} callbacks were sent again.${held}`)
  }
}

const HELD_BACK =
  ' The others were sent meanwhile, or wait for an endpoint that answered 410 (gone) again: ' +
  'see malipo callbacks list --status PAUSED.'

async function chosenMerchants(
  database: Database,
  values: Readonly<Record<string, unknown>>,
): Promise<readonly MerchantSummary[]> {
  const slug = textOf(values.merchant)
  return slug === undefined ? listMerchants(database) : [await merchantNamed(database, slug)]
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function keyOf(value: unknown): string | undefined {
  const text = textOf(value)
  if (text === undefined || UUID.test(text)) return text
  throw new CommandProblem(`"${text}" is not a key. See the first column of malipo callbacks list.`)
}

const shownCallback = (merchant: MerchantSummary, one: ListedCallback) => ({
  key: one.key,
  merchant: merchant.slug,
  kind: one.kind,
  payment: one.paymentId,
  result: one.state,
  status: one.status,
  attempts: one.attempts,
  owed: dateText(one.createdMs),
  next: one.dueMs === null ? '' : dateText(one.dueMs),
  why: one.status === 'PAUSED' ? PAUSED : (one.reason ?? ''),
})

const PAUSED = 'paused: the receiver answered 410 (gone)'

const shownReplay = (one: Replay, merchants: readonly MerchantSummary[]) => ({
  replay: one.id,
  merchant: merchants.find(({ id }) => id === one.merchantId)?.slug ?? '',
  started: dateText(one.startedMs),
  state: one.state,
  perSecond: one.perSecond,
  matched: one.matched,
  sent: one.sent,
})

/** Without a start, what is in the database is meant. */
async function refuseArchived(
  database: Database,
  merchant: MerchantSummary,
  { fromMs }: CallbackFilter,
): Promise<void> {
  if (fromMs === undefined) return
  const archived = await archivedOf({ db: database }, merchant.id)
  if (archived === undefined || !isArchived(archived, fromMs)) return
  throw new CommandProblem(
    `The callbacks of "${merchant.slug}" before ${dateText(archived.until)} are archived and cannot ` +
      'be sent again. Give a later --from.',
  )
}

import { CALLBACK_STATUSES, type CallbackStatus } from '../domain/callbacks/callback.ts'
import { SUBJECT_WORDS, type SubjectKind } from '../domain/callbacks/callback-subject.ts'
import type { CallbackFilter } from '../domain/callbacks/replay.ts'
import { CHECKOUT_STATES } from '../domain/hosted/checkout.ts'
import { PAYMENT_STATES } from '../domain/payments/payment-state.ts'
import { SPLIT_STATES } from '../domain/payments/split-payment.ts'
import { present } from '../domain/present.ts'
import { STATEMENT_STATES } from '../domain/statements/statement.ts'
import { findMerchant, type MerchantSummary } from '../store/accounts/merchants.ts'
import type { Database } from '../store/engine/database.ts'
import { CommandProblem, textOf } from './command-kit.ts'
import { choicesOf, timeOf } from './option-values.ts'

/** The options of a command that choose callbacks, read and checked. */

const KINDS = Object.keys(SUBJECT_WORDS) as readonly SubjectKind[]
const RESULTS = [
  ...new Set([...PAYMENT_STATES, ...SPLIT_STATES, ...CHECKOUT_STATES, ...STATEMENT_STATES]),
]

/** Undefined when nothing of this merchant can be meant: none of its kinds goes to the address. */
export async function filterFor(
  database: Database,
  merchant: MerchantSummary,
  values: Readonly<Record<string, unknown>>,
  byDefault: readonly CallbackStatus[],
): Promise<CallbackFilter | undefined> {
  const named = choicesOf(values.kind, KINDS, 'kind')
  const wanted = named.length === 0 ? KINDS : named
  const kinds = await atEndpoint(database, merchant, wanted, textOf(values.endpoint))
  if (kinds.length === 0) {
    if (textOf(values.merchant) === undefined) return undefined
    throw new CommandProblem(
      `No kind of payment of "${merchant.slug}" is sent to ${textOf(values.endpoint)} now. ` +
        'Give the address exactly as it is set.',
    )
  }
  const statuses = choicesOf(values.status, CALLBACK_STATUSES, 'status')
  const [result] = choicesOf([values.result ?? []].flat(), RESULTS, 'result')
  const [fromMs, toMs] = [timeOf(values.from, 'from'), timeOf(values.to, 'to')]
  if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs) {
    throw new CommandProblem('--from must be earlier than --to.')
  }
  return {
    statuses: statuses.length === 0 ? byDefault : [...new Set(statuses)],
    kinds,
    ...present({ result, fromMs, toMs }),
  }
}

async function atEndpoint(
  database: Database,
  merchant: MerchantSummary,
  kinds: readonly SubjectKind[],
  url: string | undefined,
): Promise<readonly SubjectKind[]> {
  if (url === undefined) return kinds
  const urls = (await findMerchant(database, merchant.id))?.callbackUrls ?? {}
  // A statement brings its address along; the settings do not name one.
  return kinds.filter((kind) => kind !== 'statement' && urls[kind] === url)
}

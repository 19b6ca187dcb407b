import assert from 'node:assert/strict'
import { type Body, ID_FIELDS } from './requests.ts'
import { type Generation, type Kind, PLACES } from './world.ts'

/** The two generations of the API: the paths and terms of their calls. */
const CURRENT_ONLY: readonly Generation[] = ['v2']
const BOTH: readonly Generation[] = ['v1', 'v2']

/** What can be done with a payment, and the generations that have a call for it. */
type What = 'start' | 'bulk' | 'check' | 'resend' | 'cancel'
const HAVE: Readonly<Record<What, Partial<Record<Kind, readonly Generation[]>>>> = {
  start: { deposit: BOTH, payout: BOTH, refund: BOTH },
  bulk: { deposit: ['v1'], payout: BOTH },
  check: { deposit: BOTH, payout: BOTH, refund: BOTH },
  resend: { deposit: BOTH, payout: BOTH, refund: BOTH },
  cancel: { payout: BOTH },
}
export const generationsOf = (what: What, kind: Kind): readonly Generation[] =>
  HAVE[what][kind] ?? CURRENT_ONLY

const GROUPS: Readonly<Record<Kind, string>> = {
  deposit: 'deposits',
  payout: 'payouts',
  refund: 'refunds',
  remittance: 'remittances',
  splitPayment: 'split-payments',
}

export const pathOf = (generation: Generation, kind: Kind): string =>
  generation === 'v2' ? `/v2/${GROUPS[kind]}` : `/${GROUPS[kind]}`

/**
 * The request for a resend or a cancellation. The earlier generation takes the identifier of a
 * resend in the body, and that of a cancellation there or in the path; a client in use has another
 * path for refunds. `variant` chooses.
 */
export function orderOf(
  what: 'resend' | 'cancel',
  generation: Generation,
  kind: Kind,
  id: string,
  variant: 0 | 1,
): { readonly path: string; readonly body?: Body } {
  const name = what === 'resend' ? 'resend-callback' : 'fail-enqueued'
  const isInPath = generation === 'v2' || (what === 'cancel' && variant === 0)
  if (isInPath) return { path: `${pathOf(generation, kind)}/${name}/${id}` }
  const isAlias = kind === 'refund' && variant === 1
  const path = isAlias ? `/refund/${name}` : `${pathOf(generation, kind)}/${name}`
  return { path, body: { [ID_FIELDS[kind]]: id } }
}

/** A path as named in the usage report. */
export function callName(method: string, path: string): string {
  const [, group = ''] = path.split('/')
  const place = `{${group.slice(0, -1)}Id}`
  return `${method} ${path.replace(/[0-9a-f-]{36}$/i, place)}`
}

export const STARTED = '2026-11-15T10:14:00+02:00'
export const STATEMENT = 'Order 12345'

/** A request of the current generation in the form of the earlier one. */
export function inEarlierWords(kind: Kind, body: Body): Body {
  const { payer, recipient, clientReferenceId: _, metadata, ...rest } = body
  return {
    ...rest,
    ...earlierAmount(rest.amount),
    ...(kind === 'refund' ? {} : { customerTimestamp: STARTED, statementDescription: STATEMENT }),
    ...(payer === undefined ? {} : { ...earlierAccount(payer, 'payer') }),
    ...(recipient === undefined ? {} : { ...earlierAccount(recipient, 'recipient') }),
    ...(metadata === undefined ? {} : { metadata: earlierMetadata(metadata) }),
  }
}

/** An amount may be a number there; every second one is, if that changes nothing. */
function earlierAmount(amount: unknown): Body {
  const number = Number(amount)
  return String(number) === amount && number % 2 === 0 ? { amount: number } : {}
}

/** Payers come with their country, recipients without: it may be left out. */
function earlierAccount(account: unknown, field: 'payer' | 'recipient'): Body {
  const { phoneNumber, provider } = (account as { accountDetails: Record<string, string> })
    .accountDetails
  const country = PLACES.find((place) => place.provider === provider)?.country
  return {
    [field]: msisdn(phoneNumber),
    correspondent: provider,
    ...(field === 'payer' ? { country } : {}),
  }
}

export const msisdn = (value: unknown) => ({ type: 'MSISDN', address: { value } })

function earlierMetadata(metadata: unknown): unknown {
  if (!Array.isArray(metadata)) return metadata
  return metadata.flatMap((entry: Body) =>
    Object.entries(entry).map(([fieldName, fieldValue]) => ({ fieldName, fieldValue })),
  )
}

/** Why the earlier generation refuses to start a payment. */
const REJECTIONS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  deposit: ['INVALID_PAYER_FORMAT', 'DEPOSITS_NOT_ALLOWED', 'INVALID_CORRESPONDENT'],
  payout: ['INVALID_RECIPIENT_FORMAT', 'PAYOUTS_NOT_ALLOWED', 'INVALID_CORRESPONDENT'],
  refund: ['DEPOSIT_NOT_FOUND', 'DEPOSIT_NOT_COMPLETED', 'ALREADY_REFUNDED', 'IN_PROGRESS'],
}
const ANY_REJECTION: readonly string[] = [
  'INVALID_AMOUNT',
  'AMOUNT_TOO_SMALL',
  'AMOUNT_TOO_LARGE',
  'INVALID_CURRENCY',
  'INVALID_COUNTRY',
  'CORRESPONDENT_TEMPORARILY_UNAVAILABLE',
]
const PAID_OUT_REJECTION = 'BALANCE_INSUFFICIENT'

/** The answer to one start, or one entry of a bulk, has the fields of its generation, no others. */
export function assertStart(generation: Generation, kind: Kind, body: Body): void {
  const { status } = body
  const common = [ID_FIELDS[kind], 'status']
  if (status !== 'REJECTED') {
    const next = generation === 'v2' && kind === 'deposit' && status === 'ACCEPTED'
    const isInLine = generation === 'v1' && kind === 'payout' && status === 'ENQUEUED'
    assert.ok(isInLine || status === 'ACCEPTED' || status === 'DUPLICATE_IGNORED', String(status))
    assertFields(body, [...common, 'created', ...(next ? ['nextStep'] : [])])
  } else if (generation === 'v2') {
    assertFields(body, [...common, 'failureReason'])
    const reason = body.failureReason as Body
    assertFields(reason, ['failureCode', 'failureMessage'])
    // Accepted, and failed afterwards.
    assert.notEqual(reason.failureCode, 'PAWAPAY_WALLET_OUT_OF_FUNDS')
  } else {
    assertFields(body, [...common, 'rejectionReason'])
    assertRejection(kind, body.rejectionReason as Body)
  }
}

function assertRejection(kind: Kind, reason: Body): void {
  assertFields(reason, ['rejectionCode', 'rejectionMessage'])
  const known = [...ANY_REJECTION, ...(REJECTIONS[kind] ?? [])]
  if (kind !== 'deposit') known.push(PAID_OUT_REJECTION)
  assert.ok(known.includes(String(reason.rejectionCode)), JSON.stringify(reason))
}

/** The answer to a resend or a cancellation; the earlier generation gives the reason as text. */
export function assertOrder(generation: Generation, kind: Kind, body: Body): void {
  const reason = generation === 'v1' ? 'rejectionReason' : 'failureReason'
  const isDone = body.status === 'ACCEPTED'
  assert.ok(isDone || body.status === 'REJECTED', JSON.stringify(body))
  assertFields(body, [ID_FIELDS[kind], 'status', ...(isDone ? [] : [reason])])
  if (!isDone) assert.equal(typeof body[reason], generation === 'v1' ? 'string' : 'object')
}

const assertFields = (body: Body, names: readonly string[]): void =>
  assert.deepEqual(Object.keys(body).toSorted(), names.toSorted())

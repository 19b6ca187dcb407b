import assert from 'node:assert/strict'
import { msisdn, STARTED } from '../../../harness/random/generations.ts'
import { ID_FIELDS } from '../../../harness/random/requests.ts'
import type { Body } from '../world.ts'
import { accountOf, generationsFor, isFinal, type Note, type Subject } from './facts.ts'

/**
 * One payment as both generations show it: the same state and amount, each in its own terms. It
 * shows which generation started it.
 */
export function checkEarlier(subject: Subject, note: Note): void {
  const { record, earlier } = subject
  if (record === undefined || earlier === undefined) return
  try {
    compare(subject, record, earlier)
  } catch (error) {
    note('status', `is shown differently by the earlier generation: ${(error as Error).message}`)
  }
}

function compare(subject: Subject, record: Body, earlier: Body): void {
  const { kind } = subject
  const isDeposit = kind === 'deposit'
  const isDone = record.status === 'COMPLETED'
  const { phoneNumber, provider } = accountOf(record)
  const { customerTimestamp, ...rest } = earlier
  const { respondedByPayer, receivedByRecipient, correspondentIds, ...shown } = rest
  const message = (shown.failureReason as Body | undefined)?.failureMessage
  assert.deepEqual(shown, {
    [ID_FIELDS[kind]]: record[ID_FIELDS[kind]],
    status: STATES[String(record.status)] ?? record.status,
    [isDeposit ? 'requestedAmount' : 'amount']: record.amount,
    ...(isDeposit && isDone ? { depositedAmount: record.amount } : {}),
    currency: record.currency,
    country: record.country,
    correspondent: provider,
    [isDeposit ? 'payer' : 'recipient']: msisdn(phoneNumber),
    statementDescription: record.customerMessage,
    created: record.created,
    ...(record.failureReason === undefined ? {} : { failureReason: failureOf(record, message) }),
    ...(record.metadata === undefined ? {} : { metadata: record.metadata }),
  })
  const mark = kind !== 'refund' && customerTimestamp === STARTED ? 'v1' : 'v2'
  if (kind !== 'refund') assert.ok(generationsFor(subject).has(mark), `started in ${mark}`)
  if (mark === 'v2') assert.equal(customerTimestamp, record.created)
  assertTime(respondedByPayer, isDeposit && isFinal(record))
  assertTime(receivedByRecipient, !isDeposit && isDone)
  assertIds(record, correspondentIds as Body | undefined)
}

const STATES: Readonly<Record<string, string>> = {
  PROCESSING: 'SUBMITTED',
  IN_RECONCILIATION: 'SUBMITTED',
}

const CODES: Readonly<Record<string, string>> = {
  UNSPECIFIED_FAILURE: 'OTHER_ERROR',
  PAYMENT_IN_PROGRESS: 'TRANSACTION_ALREADY_IN_PROCESS',
  PAWAPAY_WALLET_OUT_OF_FUNDS: 'BALANCE_INSUFFICIENT',
  WALLET_LIMIT_REACHED: 'RECIPIENT_NOT_ALLOWED_TO_RECEIVE',
}

/** The wording is free, but must not use terms that the earlier generation does not have. */
function failureOf(record: Body, failureMessage: unknown): Body {
  const { failureCode } = record.failureReason as { failureCode: string }
  assert.match(String(failureMessage), /^(?!.*\b(provider|PROCESSING|IN_RECONCILIATION)\b)[A-Z]/s)
  return { failureCode: CODES[failureCode] ?? failureCode, failureMessage }
}

function assertTime(time: unknown, isThere: boolean): void {
  if (isThere) assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  else assert.equal(time, undefined)
}

/** The operator's own identifiers, once it is final; a payment that was never sent has none. */
function assertIds(record: Body, ids: Body | undefined): void {
  const [operator] = accountOf(record).provider.split('_')
  const last = record.providerTransactionId
  if (!isFinal(record)) assert.equal(ids, undefined)
  assert.equal(ids?.[`${operator}_FINAL`], last)
  if (ids === undefined) return
  const names = [`${operator}_INIT`, ...(last === undefined ? [] : [`${operator}_FINAL`])]
  assert.deepEqual(Object.keys(ids).toSorted(), names.toSorted())
}

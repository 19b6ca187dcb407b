import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ProviderOrder } from '../../src/providers/connector.ts'
import { readCreated, readStatus } from '../../src/providers/mtn-momo/answers.ts'
import { CODES } from '../../src/providers/mtn-momo/codes.ts'
import { MTN_MOMO_STAND_IN } from '../../src/providers/mtn-momo/stand-in/operator.ts'
import { contractOf } from './contract.ts'

const credentials = (product: string) => ({
  subscriptionKey: `${product}-subscription-0123456789`,
  apiUser: `${product}-user-0123456789`,
  apiKey: `${product}-key-0123456789`,
})
const SECRETS = {
  collection: credentials('collection'),
  disbursement: credentials('disbursement'),
  remittance: credentials('remittance'),
}

contractOf({
  standIn: MTN_MOMO_STAND_IN,
  account: (baseUrl) => ({
    name: 'mtn-zambia',
    connector: 'mtn-momo',
    baseUrl,
    providers: { MTN_MOMO_ZMB: ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] },
    priority: 1,
    settings: { targetEnvironment: 'mtnzambia' },
    secrets: SECRETS,
  }),
  provider: 'MTN_MOMO_ZMB',
  currency: 'ZMW',
  amount: '15',
  numbers: '2607634',
  kinds: ['deposit', 'payout', 'refund', 'remittance'],
  firstLookUp: 5,
  reconciliation: 420,
  declined: 'APPROVAL_REJECTED',
  failures: [
    { kind: 'deposit', reason: 'APPROVAL_REJECTED', means: 'the customer declines' },
    { kind: 'deposit', reason: 'NOT_ENOUGH_FUNDS', means: 'the customer has too little money' },
    { kind: 'deposit', reason: 'PAYER_NOT_FOUND', means: 'no wallet has this number' },
    { kind: 'payout', reason: 'PAYEE_NOT_FOUND', means: 'no wallet has this number' },
    { kind: 'payout', reason: 'PAYEE_LIMIT_REACHED', means: 'the wallet may not receive so much' },
  ],
  secrets: Object.values(SECRETS).flatMap((one) => Object.values(one)),
  traits: {
    refusesKnownReferences: true,
    isFoundByOurReference: true,
    namesTransaction: true,
    namesAmount: true,
    hasTokens: true,
    hasCallbacks: true,
  },
})

const order = (operation: ProviderOrder['operation']) =>
  ({ operation, amount: '15', currency: 'ZMW' }) as ProviderOrder
const answer = (status: number, json?: unknown) => ({
  status,
  json,
  text: json === undefined ? '' : JSON.stringify(json),
})
const failed = (reason: unknown, operation: ProviderOrder['operation']) =>
  readStatus(answer(200, { status: 'FAILED', reason }), order(operation), 'ZMW')

/** Reason, what a merchant reads of a deposit, and of a payout. */
const REASONS = [
  ['APPROVAL_REJECTED', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['PAYMENT_NOT_APPROVED', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['EXPIRED', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['TRANSACTION_CANCELED', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['COULD_NOT_PERFORM_TRANSACTION', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['NOT_ENOUGH_FUNDS', 'INSUFFICIENT_BALANCE', 'ours'],
  ['LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED', 'INSUFFICIENT_BALANCE', 'ours'],
  ['PAYER_LIMIT_REACHED', 'PAYER_LIMIT_REACHED', 'ours'],
  ['PAYER_NOT_FOUND', 'PAYER_NOT_FOUND', 'ours'],
  ['SENDER_ACCOUNT_NOT_ACTIVE', 'PAYER_NOT_FOUND', 'ours'],
  ['PAYEE_NOT_FOUND', 'ours', 'RECIPIENT_NOT_FOUND'],
  ['PAYEE_LIMIT_REACHED', 'ours', 'WALLET_LIMIT_REACHED'],
  ['PAYEE_NOT_ALLOWED_TO_RECEIVE', 'ours', 'WALLET_LIMIT_REACHED'],
  ['INTERNAL_PROCESSING_ERROR', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['SERVICE_UNAVAILABLE', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['TRANSFER_TYPE_UNKNOWN', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['VALIDATION_ERROR', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['RESOURCE_NOT_FOUND', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['RESOURCE_ALREADY_EXIST', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['TRANSACTION_NOT_FOUND', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['NOT_ALLOWED', 'ours', 'ours'],
  ['NOT_ALLOWED_TARGET_ENVIRONMENT', 'ours', 'ours'],
  ['INVALID_CALLBACK_URL_HOST', 'ours', 'ours'],
  ['INVALID_CURRENCY', 'ours', 'ours'],
  ['A_CODE_OF_TOMORROW', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
] as const

describe('14 the reasons of mtn-momo', () => {
  for (const [reason, ofDeposit, ofPayout] of REASONS) {
    it(reason, () => {
      for (const [operation, expected] of [
        ['DEPOSIT', ofDeposit],
        ['PAYOUT', ofPayout],
      ] as const) {
        for (const shape of [reason, { code: reason, message: 'words' }]) {
          const outcome = failed(shape, operation)
          assert.ok(outcome.kind === 'FAILED')
          const { isOurFault, failure } = outcome
          assert.equal(isOurFault ? 'ours' : failure.code, expected)
        }
      }
    })
  }

  it('none of the table is missing here', () => {
    const listed: readonly string[] = REASONS.map(([reason]) => reason)
    assert.deepEqual(
      Object.keys(CODES).filter((code) => !listed.includes(code)),
      [],
    )
  })
})

describe('the answers of mtn-momo to a new order', () => {
  const cases = [
    [202, undefined, 'PENDING'],
    [409, { code: 'RESOURCE_ALREADY_EXIST' }, 'UNKNOWN'],
    [400, { message: 'bad' }, 'REFUSED'],
    [400, undefined, 'REFUSED'],
    [401, { message: 'no' }, 'REFUSED'],
    [403, { statusCode: 403, message: 'Forbidden' }, 'REFUSED'],
    [500, { code: 'NOT_ALLOWED_TARGET_ENVIRONMENT' }, 'REFUSED'],
    [500, { code: 'INTERNAL_PROCESSING_ERROR' }, 'UNKNOWN'],
    [500, undefined, 'UNKNOWN'],
    [503, { code: 'SERVICE_UNAVAILABLE' }, 'UNKNOWN'],
    [200, { surprise: true }, 'UNKNOWN'],
  ] as const
  for (const [status, body, kind] of cases) {
    it(`${status} ${JSON.stringify(body) ?? ''} is ${kind}`, () => {
      assert.equal(readCreated(answer(status, body), order('DEPOSIT')).kind, kind)
    })
  }

  it('a time-out is asked about once more before it counts', () => {
    const reply = answer(200, { status: 'TIMEOUT' })
    const first = readStatus(reply, order('DEPOSIT'), 'ZMW')
    assert.ok(first.kind === 'PENDING')
    const again = readStatus(reply, { ...order('DEPOSIT'), ids: first.ids ?? {} }, 'ZMW')
    assert.equal(again.kind, 'FAILED')
  })
})

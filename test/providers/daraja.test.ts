import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OperatorIds } from '../../src/domain/payments/payment.ts'
import type { Outcome, ProviderOrder } from '../../src/providers/connector.ts'
import { readCreated, readPushStatus } from '../../src/providers/daraja/answers.ts'
import { readCallback } from '../../src/providers/daraja/callbacks.ts'
import { CODES, ERROR_CODES, TOKEN_ERRORS } from '../../src/providers/daraja/codes.ts'
import { partyMark } from '../../src/providers/daraja/crypto.ts'
import { DARAJA } from '../../src/providers/daraja/operator.ts'
import { standInCertificate } from '../../src/providers/daraja/stand-in/key.ts'
import { DARAJA_STAND_IN } from '../../src/providers/daraja/stand-in/operator.ts'
import { weigh } from '../../src/providers/daraja/weigh.ts'
import type { OpenAccount } from '../../src/providers/operator.ts'
import { contractOf } from './contract.ts'

const SECRETS = {
  consumerKey: 'consumer-key-0123456789',
  consumerSecret: 'consumer-secret-0123456789',
  passkey: 'pass-key-0123456789abcdef',
  initiatorPassword: 'initiator-password-0123456789',
  certificate: standInCertificate(),
}

contractOf({
  standIn: DARAJA_STAND_IN,
  account: (baseUrl) => ({
    name: 'kenya',
    connector: 'daraja',
    baseUrl,
    providers: { MPESA_KEN: ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] },
    priority: 1,
    settings: { shortCode: '174379', b2cShortCode: '600992', initiatorName: 'testapi' },
    secrets: SECRETS,
  }),
  provider: 'MPESA_KEN',
  currency: 'KES',
  amount: '15',
  numbers: '2547120',
  kinds: ['deposit', 'payout', 'refund', 'remittance'],
  firstLookUp: 25,
  reconciliation: 240,
  declined: '1032',
  failures: [
    { kind: 'deposit', reason: '1032', means: 'the customer declines' },
    { kind: 'deposit', reason: '1037', means: 'the phone cannot be reached' },
    { kind: 'deposit', reason: '1', means: 'the customer has too little money' },
    { kind: 'payout', reason: '2040', means: 'no wallet has this number' },
    { kind: 'payout', reason: '8', means: 'the wallet may not receive so much' },
  ],
  secrets: Object.values(SECRETS),
  traits: {
    refusesKnownReferences: false,
    isFoundByOurReference: false,
    namesTransaction: false,
    namesAmount: false,
    hasTokens: true,
    hasCallbacks: true,
    endedByCallback: ['payout', 'remittance'],
  },
})

const REFERENCE = '0d1cbd7c-67c5-4f1c-9a3b-0a7a4d2a7f11'
const NUMBER = '254712000001'
const TAKEN = { conversationId: 'AG_1', originatorConversationId: REFERENCE, sentAt: '1000' }

const order = (operation: ProviderOrder['operation'], ids?: OperatorIds) =>
  ({
    operation,
    amount: '15',
    currency: 'KES',
    phoneNumber: NUMBER,
    ...(ids ? { ids } : {}),
  }) as ProviderOrder

const answer = (status: number, json?: unknown) => ({
  status,
  json,
  text: json === undefined ? '' : JSON.stringify(json),
})

/** What remains of a callback with the payment. */
const idsFrom = (body: unknown): OperatorIds => {
  const { ids = {} } = readCallback({ headers: {}, raw: Buffer.from(JSON.stringify(body)) }, 2000)
  return ids
}

const resultBody = (code: number | string, changes: object = {}, parameters: object = {}) => ({
  Result: {
    ResultType: 0,
    ResultCode: code,
    ResultDesc: 'words',
    OriginatorConversationID: REFERENCE,
    ConversationID: 'AG_1',
    TransactionID: 'SG632NMUAB',
    ...changes,
    ...(Object.keys(parameters).length === 0
      ? {}
      : {
          ResultParameters: {
            ResultParameter: Object.entries(parameters).map(([Key, Value]) => ({ Key, Value })),
          },
        }),
    ReferenceData: { ReferenceItem: { Key: 'QueueTimeoutURL', Value: 'https://operator.example' } },
  },
})

const PAID = {
  TransactionAmount: 15,
  TransactionReceipt: 'SG632NMUAB',
  ReceiverPartyPublicName: `${NUMBER} - JOHN DOE`,
}

const weighed = (
  body: unknown,
  ids: OperatorIds = TAKEN,
  operation: 'PAYOUT' | 'REFUND' = 'PAYOUT',
) => weigh(order(operation, { ...ids, ...idsFrom(body) }), REFERENCE)

const shown = (outcome: Outcome | undefined): string => {
  if (outcome === undefined) return 'open'
  if (outcome.kind !== 'FAILED' && outcome.kind !== 'REFUSED') return outcome.kind
  return outcome.isOurFault ? `${outcome.kind} ours` : outcome.failure.code
}

/** Result, what a merchant reads of a deposit, and of a payout. */
const RESULTS = [
  ['0', 'DONE', 'DONE'],
  ['1', 'INSUFFICIENT_BALANCE', 'FAILED ours'],
  ['2', 'PAYER_LIMIT_REACHED', 'UNSPECIFIED_FAILURE'],
  ['3', 'PAYER_LIMIT_REACHED', 'UNSPECIFIED_FAILURE'],
  ['4', 'PAYER_LIMIT_REACHED', 'WALLET_LIMIT_REACHED'],
  ['8', 'FAILED ours', 'WALLET_LIMIT_REACHED'],
  ['11', 'UNSPECIFIED_FAILURE', 'FAILED ours'],
  ['17', 'PAYMENT_IN_PROGRESS', 'UNSPECIFIED_FAILURE'],
  ['21', 'FAILED ours', 'FAILED ours'],
  // Sent again later under the same reference, so it counts as refused.
  ['26', 'PENDING', 'REFUSED ours'],
  ['1001', 'PAYMENT_IN_PROGRESS', 'UNSPECIFIED_FAILURE'],
  ['1019', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['1025', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['1032', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['1036', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['1037', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['2001', 'PAYMENT_NOT_APPROVED', 'FAILED ours'],
  ['2006', 'UNSPECIFIED_FAILURE', 'FAILED ours'],
  ['2028', 'FAILED ours', 'FAILED ours'],
  ['2040', 'UNSPECIFIED_FAILURE', 'RECIPIENT_NOT_FOUND'],
  ['4999', 'PENDING', 'open'],
  ['8006', 'PAYMENT_NOT_APPROVED', 'FAILED ours'],
  ['9999', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['R000001', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['R000002', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['SFC_IC0003', 'FAILED ours', 'RECIPIENT_NOT_FOUND'],
  ['7777', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
] as const

describe('14 the results of daraja', () => {
  for (const [code, ofDeposit, ofPayout] of RESULTS) {
    it(code, () => {
      // Numbers and texts, as it happens.
      const forms = /^\d+$/.test(code) ? [code, Number(code)] : [code]
      for (const form of forms) {
        const answered = answer(200, { ResponseCode: '0', ResultCode: form })
        assert.equal(shown(readPushStatus(answered, order('DEPOSIT'), 'ws_CO_1')), ofDeposit)
        assert.equal(shown(weighed(resultBody(form))), ofPayout)
      }
    })
  }

  it('none of the table is missing here', () => {
    const listed: readonly string[] = RESULTS.map(([code]) => code)
    assert.deepEqual(
      Object.keys(CODES).filter((code) => !listed.includes(code)),
      [],
    )
  })

  it('a reversal that found the operator busy is asked about, and not sent again', () => {
    assert.equal(weighed(resultBody(26), { ...TAKEN, by: 'reversal' }, 'REFUND'), undefined)
    assert.equal(
      shown(weighed(resultBody(26), { ...TAKEN, by: 'payout' }, 'REFUND')),
      'REFUSED ours',
    )
  })

  it('a deposit that was reversed already is asked about', () => {
    assert.equal(weighed(resultBody('R000001'), TAKEN, 'REFUND'), undefined)
  })
})

const error = (status: number, errorCode: string, errorMessage: string) =>
  answer(status, { requestId: '1', errorCode, errorMessage })

/** Error, the answer to a new deposit, to a new payout, and to a look-up of a prompt. */
const ERRORS = [
  [
    400,
    '400.002.02',
    'Bad Request - Invalid PhoneNumber',
    'UNSPECIFIED_FAILURE',
    'UNSPECIFIED_FAILURE',
    'UNKNOWN',
  ],
  [
    400,
    '400.002.02',
    'Bad Request - Invalid Amount',
    'UNSPECIFIED_FAILURE',
    'UNSPECIFIED_FAILURE',
    'UNKNOWN',
  ],
  [
    400,
    '400.002.02',
    'Bad Request - Invalid BusinessShortCode',
    'REFUSED ours',
    'REFUSED ours',
    'UNKNOWN',
  ],
  [
    400,
    '400.002.02',
    'Bad Request - Invalid CallBackURL',
    'REFUSED ours',
    'REFUSED ours',
    'UNKNOWN',
  ],
  [
    400,
    '400.002.02',
    'Bad Request - Invalid SecurityCredential',
    'REFUSED ours',
    'REFUSED ours',
    'UNKNOWN',
  ],
  [
    400,
    '400.002.02',
    'Bad Request - Invalid CheckoutRequestID',
    'UNSPECIFIED_FAILURE',
    'UNSPECIFIED_FAILURE',
    'UNKNOWN',
  ],
  [404, '404.001.01', 'Resource not found', 'REFUSED ours', 'REFUSED ours', 'UNKNOWN'],
  [405, '405.001', 'GET Method Not Allowed', 'REFUSED ours', 'REFUSED ours', 'UNKNOWN'],
  [500, '500.001.1001', 'The transaction is being processed', 'UNKNOWN', 'UNKNOWN', 'PENDING'],
  [500, '500.001.1001', 'Merchant does not exist', 'REFUSED ours', 'REFUSED ours', 'UNKNOWN'],
  [
    500,
    '500.001.1001',
    '[MerchantValidate] - Wrong credentials',
    'REFUSED ours',
    'REFUSED ours',
    'UNKNOWN',
  ],
  [
    500,
    '500.001.1001',
    'Unable to lock subscriber, a transaction is already in process',
    'PAYMENT_IN_PROGRESS',
    'UNKNOWN',
    'UNKNOWN',
  ],
  [500, '500.001.1001', 'Internal Server Error', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN'],
  [500, '500.002.1001', 'Duplicate OriginatorConversationID.', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN'],
  [
    500,
    '500.003.02',
    'Error Occurred: Spike Arrest Violation',
    'REFUSED ours',
    'REFUSED ours',
    'PENDING',
  ],
  [
    500,
    '500.003.02',
    'System is busy. Please try again in few minutes.',
    'UNKNOWN',
    'UNKNOWN',
    'PENDING',
  ],
  [500, '500.003.03', 'Error Occurred: Quota Violation', 'REFUSED ours', 'REFUSED ours', 'PENDING'],
  [500, '500.003.1001', 'Internal Server Error', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN'],
  [429, '', '', 'REFUSED ours', 'REFUSED ours', 'PENDING'],
  [403, '', 'no', 'REFUSED ours', 'REFUSED ours', 'UNKNOWN'],
  [400, '400.999', 'something', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE', 'UNKNOWN'],
  [503, '', '', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN'],
] as const

describe('14 the errors of daraja', () => {
  for (const [status, code, text, ofDeposit, ofPayout, ofQuery] of ERRORS) {
    it(`${status} ${code} ${text}`, () => {
      const reply = error(status, code, text)
      const created = (operation: 'DEPOSIT' | 'PAYOUT') =>
        readCreated(reply, order(operation), operation === 'DEPOSIT' ? 'push' : 'payout', 0)
      assert.equal(shown(created('DEPOSIT')), ofDeposit)
      assert.equal(shown(created('PAYOUT')), ofPayout)
      assert.equal(shown(readPushStatus(reply, order('DEPOSIT'), 'ws_CO_1')), ofQuery)
    })
  }

  it('none of the table is missing here', () => {
    const listed: readonly string[] = ERRORS.map(([, code]) => code)
    assert.deepEqual(
      ERROR_CODES.filter((code) => !listed.includes(code)),
      [],
    )
  })

  it('a duplicate and a missing prompt are named as such', () => {
    const twice = error(500, '500.002.1001', 'Duplicate OriginatorConversationID.')
    const why = (outcome: Outcome) => (outcome.kind === 'UNKNOWN' ? outcome.why : outcome.kind)
    assert.equal(why(readCreated(twice, order('PAYOUT'), 'payout', 0)), 'DUPLICATE')
    const missing = error(400, '400.002.02', 'Bad Request - Invalid CheckoutRequestID')
    assert.equal(why(readPushStatus(missing, order('DEPOSIT'), 'ws_CO_1')), 'NOT_FOUND')
  })

  it('a token that is refused has several codes', () => {
    const { isTokenRefused } = DARAJA.open({ settings: {}, secrets: {} } as OpenAccount)
    for (const code of TOKEN_ERRORS) {
      assert.ok(isTokenRefused(error(404, code, 'Invalid Access Token')))
    }
    assert.ok(isTokenRefused(answer(401)))
    assert.ok(!isTokenRefused(error(404, '404.001.01', 'Resource not found')))
    assert.ok(!isTokenRefused(answer(200, {})))
  })
})

describe('the answers of daraja to a new order', () => {
  it('a prompt that was taken is pending, under the name that the operator gives it', () => {
    const body = { MerchantRequestID: '2654-1', CheckoutRequestID: 'ws_CO_1', ResponseCode: '0' }
    assert.deepEqual(readCreated(answer(200, body), order('DEPOSIT'), 'push', 0), {
      kind: 'PENDING',
      ids: { checkoutRequestId: 'ws_CO_1', merchantRequestId: '2654-1' },
    })
  })

  it('a payout and a refund that were taken say when, and how it is done', () => {
    const body = {
      ConversationID: 'AG_1',
      OriginatorConversationID: REFERENCE,
      ResponseCode: '0',
      ResponseDescription: 'Accept the service request successfully.',
    }
    const ids = { conversationId: 'AG_1', originatorConversationId: REFERENCE, sentAt: '7' }
    assert.deepEqual(readCreated(answer(200, body), order('PAYOUT'), 'payout', 7), {
      kind: 'PENDING',
      ids,
    })
    for (const by of ['payout', 'reversal'] as const) {
      assert.deepEqual(readCreated(answer(200, body), order('REFUND'), by, 7), {
        kind: 'PENDING',
        ids: { ...ids, by },
      })
    }
  })

  const OTHERS = [
    [200, { ResponseCode: '0' }, 'DEPOSIT', 'UNKNOWN'],
    [200, { ResponseCode: '2001', ResponseDescription: 'no' }, 'PAYOUT', 'REFUSED ours'],
    [200, { ResponseCode: '1' }, 'PAYOUT', 'REFUSED ours'],
    [200, { ResponseCode: '1' }, 'DEPOSIT', 'INSUFFICIENT_BALANCE'],
    [200, { ResponseCode: '77' }, 'PAYOUT', 'UNSPECIFIED_FAILURE'],
    [200, { surprise: true }, 'PAYOUT', 'UNKNOWN'],
    [200, undefined, 'DEPOSIT', 'UNKNOWN'],
    [500, undefined, 'PAYOUT', 'UNKNOWN'],
  ] as const
  for (const [status, body, operation, expected] of OTHERS) {
    it(`${status} ${JSON.stringify(body) ?? ''} for a ${operation} is ${expected}`, () => {
      const way = operation === 'DEPOSIT' ? 'push' : 'payout'
      assert.equal(shown(readCreated(answer(status, body), order(operation), way, 0)), expected)
    })
  }
})

const promptBody = (code: number, metadata: Readonly<Record<string, unknown>> = {}) => ({
  Body: {
    stkCallback: {
      MerchantRequestID: '2654-1',
      CheckoutRequestID: 'ws_CO_1',
      ResultCode: code,
      ResultDesc: 'words',
      ...(Object.keys(metadata).length === 0
        ? {}
        : {
            CallbackMetadata: {
              Item: Object.entries(metadata).map(([Name, Value]) => ({ Name, Value })),
            },
          }),
    },
  },
})
const PAID_IN = { Amount: 15.0, MpesaReceiptNumber: 'NLJ7RT61SV', Balance: undefined }

describe('the look-up of a prompt', () => {
  const done = answer(200, { ResponseCode: '0', CheckoutRequestID: 'ws_CO_1', ResultCode: '0' })
  const looked = (ids: OperatorIds) => readPushStatus(done, order('DEPOSIT', ids), 'ws_CO_1')
  const ids = { checkoutRequestId: 'ws_CO_1' }

  it('has the receipt of the callback, if there was one', () => {
    assert.deepEqual(looked(ids), { kind: 'DONE' })
    const all = { ...ids, ...idsFrom(promptBody(0, { ...PAID_IN, PhoneNumber: Number(NUMBER) })) }
    assert.deepEqual(looked(all), { kind: 'DONE', transactionId: 'NLJ7RT61SV', amount: '15' })
  })

  it('says what the callback says of the amount, and believes no receipt of another', () => {
    const all = { ...ids, ...idsFrom(promptBody(0, { ...PAID_IN, Amount: 1 })) }
    assert.deepEqual(looked(all), { kind: 'DONE', amount: '1' })
  })

  it('takes nothing from a callback about another prompt', () => {
    const other = { ...idsFrom(promptBody(0, PAID_IN)), checkoutRequestId: 'ws_CO_2' }
    const body = { ResponseCode: '0', ResultCode: '0' }
    assert.deepEqual(readPushStatus(answer(200, body), order('DEPOSIT', other), 'ws_CO_2'), {
      kind: 'DONE',
    })
  })

  it('an answer about another prompt, a word and nothing decide nothing', () => {
    const body = { ResponseCode: '0', CheckoutRequestID: 'ws_CO_9', ResultCode: '0' }
    assert.equal(shown(readPushStatus(answer(200, body), order('DEPOSIT'), 'ws_CO_1')), 'UNKNOWN')
    for (const ResultCode of ['PERHAPS', undefined]) {
      const outcome = readPushStatus(answer(200, { ResultCode }), order('DEPOSIT'), 'ws_CO_1')
      assert.ok(outcome.kind === 'PENDING' && outcome.alert !== undefined)
    }
  })
})

describe('the callbacks of daraja', () => {
  const read = (text: string) => readCallback({ headers: {}, raw: Buffer.from(text) }, 5)

  it('are acknowledged, whatever they are', () => {
    const bodies = [promptBody(0, PAID_IN), resultBody(1), { CommandID: 'BusinessPayment' }, {}, []]
    const texts = [...bodies.map((body) => JSON.stringify(body)), '', 'not JSON', '"text"', 'null']
    for (const text of texts) {
      const { isGenuine, reply } = read(text)
      assert.ok(isGenuine)
      assert.deepEqual(reply, { status: 200, body: { ResultCode: 0, ResultDesc: 'Accepted' } })
    }
  })

  it('a prompt: its name, receipt, amount, and a mark of the number instead of it', () => {
    const claim = read(JSON.stringify(promptBody(0, { ...PAID_IN, PhoneNumber: Number(NUMBER) })))
    assert.deepEqual(claim.ids, {
      resultCode: '0',
      resultTheirs: 'ws_CO_1',
      resultOurs: '2654-1',
      resultReceipt: 'NLJ7RT61SV',
      resultAmount: '15',
      resultParty: partyMark(NUMBER),
      callbackAt: '5',
    })
  })

  it('a number that is masked has no mark', () => {
    assert.equal(
      idsFrom(promptBody(0, { ...PAID_IN, PhoneNumber: '2547*****149' })).resultParty,
      '',
    )
  })

  it('the request itself comes back when it waited for too long', () => {
    const { ids } = read(JSON.stringify({ CommandID: 'BusinessPayment', Amount: 15 }))
    assert.deepEqual(ids, { timedOut: 'yes', callbackAt: '5' })
  })

  it('keeps nothing that the database would not, and nothing long', () => {
    const strange = idsFrom(
      resultBody('1', { ConversationID: 'a\u0000b', TransactionID: 'x'.repeat(500) }),
    )
    assert.equal(strange.resultTheirs, '')
    assert.equal(strange.resultReceipt, '')
  })
})

describe('the results of payouts and refunds', () => {
  it('count if reference, amount and party are ours', () => {
    assert.deepEqual(weighed(resultBody(0, {}, PAID)), {
      kind: 'DONE',
      transactionId: 'SG632NMUAB',
      amount: '15',
    })
  })

  it('say another amount as it is, for the core to notice', () => {
    const outcome = weighed(resultBody(0, {}, { ...PAID, TransactionAmount: 14 }))
    assert.ok(outcome?.kind === 'DONE' && outcome.amount === '14')
  })

  it('raise an alert where they name another party', () => {
    const other = { ...PAID, ReceiverPartyPublicName: '254799999999 - JANE DOE' }
    const outcome = weighed(resultBody(0, {}, other))
    assert.ok(outcome?.kind === 'PENDING' && outcome.alert !== undefined)
  })

  it('leave it open where they are about another order', () => {
    const forged = { ConversationID: 'AG_2', OriginatorConversationID: REFERENCE }
    assert.equal(weighed(resultBody(0, forged, PAID)), undefined)
    assert.equal(weighed(resultBody(1, forged)), undefined)
    // Where the operator named the order, both names have to be there.
    for (const half of [{ ConversationID: '' }, { OriginatorConversationID: 'other' }]) {
      assert.equal(weighed(resultBody(0, half, PAID)), undefined)
      assert.equal(weighed(resultBody(2040, half)), undefined)
    }
  })

  it('count before the answer to the order, too', () => {
    assert.equal(shown(weighed(resultBody(0, {}, PAID), {})), 'DONE')
    assert.equal(shown(weighed(resultBody(2040), {})), 'RECIPIENT_NOT_FOUND')
    // Not under our name: success is known by amount and party, failure by nothing.
    const unnamed = { OriginatorConversationID: '53e3-4aa8' }
    assert.equal(shown(weighed(resultBody(0, unnamed, PAID), {})), 'DONE')
    assert.equal(weighed(resultBody(0, unnamed, { ...PAID, TransactionAmount: 1 }), {}), undefined)
    assert.equal(weighed(resultBody(0, unnamed), {}), undefined)
    assert.equal(weighed(resultBody(1, unnamed), {}), undefined)
  })

  it('a reversal names the amount and the party in other words', () => {
    const parameters = {
      Amount: 1.5e1,
      OriginalTransactionID: 'SKC82PACB8',
      Charge: 0,
      CreditPartyPublicName: `${NUMBER} - JOHN DOE`,
      DebitPartyPublicName: '600992 - Safaricom',
    }
    const ids = { ...TAKEN, originatorConversationId: 'dad6-4c34' }
    const body = resultBody(0, { OriginatorConversationID: 'dad6-4c34' }, parameters)
    assert.deepEqual(weighed(body, ids, 'REFUND'), {
      kind: 'DONE',
      transactionId: 'SG632NMUAB',
      amount: '15',
    })
  })
})

/** The answer to a question about an order, as the operator's own sample has it. */
const statusBody = (word: string, changes: Readonly<Record<string, string>> = {}) => {
  const results = {
    OriginatorConversationID: REFERENCE,
    ConversationID: 'AG_1',
    TransactionStatus: word,
    Amount: '15',
    ReceiptNo: 'MBN31H462N',
    ...changes,
  }
  return {
    Result: {
      ResultType: 0,
      ResultCode: 0,
      ConversationID: 'AG_QUESTION',
      OriginatorConversationID: '3213-416199-2',
      TransactionID: 'MBN0000000',
      ResultParameters: {
        ResultParameter: [
          { Key: 'DebitPartyName', Value: '600310 - Safaricom333' },
          { Key: 'DebitPartyName', Value: `${NUMBER} - John Doe` },
          { Key: 'TransactionReason' },
          ...Object.entries(results).map(([Key, Value]) => ({ Key, Value })),
        ],
      },
      ReferenceData: { ReferenceItem: { Key: 'Occasion' } },
    },
  }
}

describe('the answers to questions about payouts', () => {
  const WORDS = [
    ['Completed', 'DONE'],
    ['Cancelled', 'UNSPECIFIED_FAILURE'],
    ['Declined', 'UNSPECIFIED_FAILURE'],
    ['Expired', 'UNSPECIFIED_FAILURE'],
    ['Initiated', 'open'],
    ['Authorized', 'open'],
    ['Pending', 'open'],
    ['Perhaps', 'PENDING'],
  ] as const
  for (const [word, expected] of WORDS) {
    it(word, () => assert.equal(shown(weighed(statusBody(word))), expected))
  }

  it('name receipt and amount', () => {
    assert.deepEqual(weighed(statusBody('Completed')), {
      kind: 'DONE',
      transactionId: 'MBN31H462N',
      amount: '15',
    })
  })

  it('are about the order that they name', () => {
    const other = { ConversationID: 'AG_9', OriginatorConversationID: 'x' }
    assert.equal(weighed(statusBody('Completed', other)), undefined)
    assert.equal(weighed(statusBody('Declined', other)), undefined)
  })

  it('a question that failed is no payout that failed', () => {
    const failed = resultBody(21, {
      ConversationID: 'AG_QUESTION',
      OriginatorConversationID: '3213-416199-2',
    })
    assert.equal(weighed(failed), undefined)
    assert.equal(weighed(failed, {}), undefined)
  })
})

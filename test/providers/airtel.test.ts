import assert from 'node:assert/strict'
import { constants, createDecipheriv, type KeyObject, privateDecrypt } from 'node:crypto'
import { describe, it } from 'node:test'
import { rsaPair } from '../../harness/rsa-pair.ts'
import type { OperationType } from '../../src/domain/provider.ts'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCreated, readRefunded, readStatus } from '../../src/providers/airtel/answers.ts'
import { CODES } from '../../src/providers/airtel/codes.ts'
import {
  callbackHash,
  encryptFor,
  isHashRight,
  rsaKeyOf,
  signatureHeaders,
} from '../../src/providers/airtel/crypto.ts'
import { AIRTEL } from '../../src/providers/airtel/operator.ts'
import { decrypted, standInPublicKey } from '../../src/providers/airtel/stand-in/keys.ts'
import { AIRTEL_STAND_IN } from '../../src/providers/airtel/stand-in/operator.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import type { Outcome, ProviderOrder } from '../../src/providers/connector.ts'
import { createMask } from '../../src/providers/masking.ts'
import type { OpenAccount, OperatorRequest, Step } from '../../src/providers/operator.ts'
import { openBook } from '../../src/providers/stand-in/book.ts'
import { createFaults } from '../../src/providers/stand-in/faults.ts'
import type { StandInAnswer } from '../../src/providers/stand-in/operator.ts'
import { createOrders } from '../../src/providers/stand-in/orders.ts'
import { contractOf } from './contract.ts'

const CALLBACK_KEY = 'callback-key-0123456789'
const SECRETS = {
  clientId: 'client-id-0123456789',
  clientSecret: 'client-secret-0123456789',
  pin: '7391',
  publicKey: standInPublicKey(),
  callbackKey: CALLBACK_KEY,
}

contractOf({
  standIn: AIRTEL_STAND_IN,
  account: (baseUrl) => ({
    name: 'airtel-uganda',
    connector: 'airtel',
    baseUrl,
    providers: { AIRTEL_OAPI_UGA: ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] },
    priority: 1,
    settings: {},
    secrets: SECRETS,
  }),
  enterCallbackUrl: async (operatorUrl, url) => {
    const body = JSON.stringify({ url, key: CALLBACK_KEY })
    await fetch(`${operatorUrl}/portal/callback`, { method: 'PUT', body })
  },
  provider: 'AIRTEL_OAPI_UGA',
  currency: 'UGX',
  amount: '1500',
  numbers: '2567540',
  kinds: ['deposit', 'payout', 'refund', 'remittance'],
  firstLookUp: 180,
  reconciliation: 600,
  declined: 'DP00800001008',
  failures: [
    { kind: 'deposit', reason: 'DP00800001008', means: 'the customer declines' },
    { kind: 'deposit', reason: 'DP00800001007', means: 'the customer has too little money' },
    { kind: 'deposit', reason: 'DP00800001010', means: 'no wallet has this number' },
    { kind: 'payout', reason: 'DP00900001012', means: 'no wallet has this number' },
    { kind: 'payout', reason: 'DP00900001003', means: 'the wallet may not receive so much' },
  ],
  // Four digits are in many a number; a test below looks for the PIN.
  secrets: [SECRETS.clientId, SECRETS.clientSecret, SECRETS.publicKey, SECRETS.callbackKey],
  traits: {
    refusesKnownReferences: true,
    isFoundByOurReference: true,
    namesTransaction: true,
    namesAmount: false,
    hasTokens: true,
    hasCallbacks: true,
  },
})

const CATALOG = readCatalog(CATALOG_FILE)
const REFERENCE = '0123456789abcdef0123456789abcdef'
const MONEY_ID = 'MP210603.1234.L06941'

const accountWith = (changes: Partial<OpenAccount> = {}): OpenAccount => ({
  name: 'airtel-uganda',
  connector: 'airtel',
  baseUrl: 'https://openapi.airtel.africa',
  providers: { AIRTEL_OAPI_UGA: ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] },
  priority: 1,
  enabled: true,
  settings: {},
  callbackSecret: 'secret',
  callbackSources: [],
  limits: {},
  secrets: SECRETS,
  catalog: CATALOG,
  referenceOf: () => '01234567-89ab-4def-8123-456789abcdef',
  callbackUrl: (reference) => `https://pay.example.org/${reference}`,
  now: () => 0,
  realNow: () => 0,
  ...changes,
})

const order = (operation: OperationType, changes: Partial<ProviderOrder> = {}): ProviderOrder => ({
  merchantId: 1 as ProviderOrder['merchantId'],
  paymentId: 'payment' as ProviderOrder['paymentId'],
  paymentKey: 'key' as ProviderOrder['paymentKey'],
  operation,
  provider: 'AIRTEL_OAPI_UGA',
  amount: '1500',
  currency: 'UGX',
  phoneNumber: '256754000001',
  ...changes,
})

const refundOrder = (changes: Partial<ProviderOrder> = {}) =>
  order('REFUND', {
    original: { amount: '1500.00', account: 'airtel-uganda', transactionId: MONEY_ID },
    ...changes,
  })

const answer = (status: number, json?: unknown) => ({
  status,
  json,
  text: json === undefined ? '' : JSON.stringify(json),
})

const isStep = (step: Step | Outcome): step is Step => 'request' in step

const stepOf = (step: Step | Outcome): Step => {
  assert.ok(isStep(step), JSON.stringify(step))
  return step
}

const submitted = (account: OpenAccount, one: ProviderOrder): OperatorRequest =>
  stepOf(AIRTEL.open(account).submit(one, REFERENCE)).request('a-token')

const asked = (account: OpenAccount, one: ProviderOrder): OperatorRequest =>
  stepOf(AIRTEL.open(account).query(one, REFERENCE)).request('a-token')

/** In one word what a merchant reads, or what happens instead. */
const inShort = (outcome: Outcome): string => {
  if (outcome.kind === 'FAILED' || outcome.kind === 'REFUSED') {
    return outcome.isOurFault ? 'ours' : outcome.failure.code
  }
  return outcome.kind === 'UNKNOWN' ? outcome.why : outcome.kind
}

const coded = (code: string, word?: string) => ({
  ...(word === undefined ? {} : { data: { transaction: { id: REFERENCE, status: word } } }),
  status: {
    code: '200',
    success: false,
    [code.startsWith('DP') ? 'response_code' : 'result_code']: code,
  },
})

/** Code; what it means for a look-up that says TF, of a deposit and of a payout; and for a new order. */
const CODE_ROWS = [
  ['DP00800001000', 'AMBIGUOUS', 'AMBIGUOUS', 'AMBIGUOUS'],
  ['DP00800001001', 'PENDING', 'PENDING', 'PENDING'],
  ['DP00800001002', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE', 'PAYMENT_NOT_APPROVED'],
  ['DP00800001003', 'PAYER_LIMIT_REACHED', 'UNSPECIFIED_FAILURE', 'PAYER_LIMIT_REACHED'],
  ['DP00800001004', 'ours', 'ours', 'ours'],
  ['DP00800001005', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE', 'PAYMENT_NOT_APPROVED'],
  ['DP00800001006', 'PENDING', 'PENDING', 'PENDING'],
  ['DP00800001007', 'INSUFFICIENT_BALANCE', 'ours', 'INSUFFICIENT_BALANCE'],
  ['DP00800001008', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE', 'PAYMENT_NOT_APPROVED'],
  ['DP00800001009', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['DP00800001010', 'PAYER_NOT_FOUND', 'RECIPIENT_NOT_FOUND', 'PAYER_NOT_FOUND'],
  ['DP00800001024', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE', 'AMBIGUOUS'],
  ['DP00800001025', 'NOT_FOUND', 'NOT_FOUND', 'AMBIGUOUS'],
  ['DP00800001026', 'ours', 'ours', 'ours'],
  ['DP00800001029', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE', 'PAYMENT_NOT_APPROVED'],
  ['DP00900001000', 'AMBIGUOUS', 'AMBIGUOUS', 'AMBIGUOUS'],
  ['DP00900001001', 'PENDING', 'PENDING', 'PENDING'],
  ['DP00900001003', 'WALLET_LIMIT_REACHED', 'WALLET_LIMIT_REACHED', 'WALLET_LIMIT_REACHED'],
  ['DP00900001004', 'ours', 'ours', 'ours'],
  ['DP00900001005', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['DP00900001006', 'PENDING', 'PENDING', 'PENDING'],
  ['DP00900001007', 'ours', 'ours', 'ours'],
  ['DP00900001009', 'RECIPIENT_NOT_FOUND', 'RECIPIENT_NOT_FOUND', 'RECIPIENT_NOT_FOUND'],
  ['DP00900001010', 'RECIPIENT_NOT_FOUND', 'RECIPIENT_NOT_FOUND', 'RECIPIENT_NOT_FOUND'],
  ['DP00900001011', 'PAYMENT_IN_PROGRESS', 'PAYMENT_IN_PROGRESS', 'DUPLICATE'],
  ['DP00900001012', 'RECIPIENT_NOT_FOUND', 'RECIPIENT_NOT_FOUND', 'RECIPIENT_NOT_FOUND'],
  ['DP00900001013', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['DP00900001014', 'AMBIGUOUS', 'AMBIGUOUS', 'AMBIGUOUS'],
  ['DP00900001015', 'NOT_FOUND', 'NOT_FOUND', 'AMBIGUOUS'],
  ['DP00900001016', 'ours', 'ours', 'ours'],
  ['DP00900001017', 'AMBIGUOUS', 'AMBIGUOUS', 'DUPLICATE'],
  ['DP00900001018', 'ours', 'ours', 'ours'],
  ['DP00900001019', 'ours', 'ours', 'ours'],
  ['ROUTER001', 'ours', 'ours', 'ours'],
  ['ROUTER003', 'ours', 'ours', 'ours'],
  ['ROUTER005', 'ours', 'ours', 'ours'],
  ['ROUTER006', 'ours', 'ours', 'ours'],
  ['ROUTER007', 'ours', 'ours', 'ours'],
  ['ROUTER110', 'ours', 'ours', 'ours'],
  ['ROUTER112', 'ours', 'ours', 'ours'],
  ['ROUTER114', 'ours', 'ours', 'ours'],
  ['ROUTER115', 'ours', 'ours', 'ours'],
  ['ROUTER116', 'ours', 'ours', 'ours'],
  ['ROUTER117', 'AMBIGUOUS', 'AMBIGUOUS', 'AMBIGUOUS'],
  ['ROUTER119', 'ours', 'ours', 'ours'],
  ['ESB000001', 'AMBIGUOUS', 'AMBIGUOUS', 'AMBIGUOUS'],
  ['ESB000004', 'AMBIGUOUS', 'AMBIGUOUS', 'AMBIGUOUS'],
  ['ESB000008', 'ours', 'ours', 'ours'],
  ['ESB000011', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['ESB000014', 'AMBIGUOUS', 'AMBIGUOUS', 'AMBIGUOUS'],
  ['ESB000033', 'ours', 'ours', 'ours'],
  ['ESB000034', 'ours', 'ours', 'ours'],
  ['ESB000035', 'ours', 'ours', 'ours'],
  ['ESB000036', 'ours', 'ours', 'ours'],
  ['ESB000039', 'ours', 'ours', 'ours'],
  ['ESB000041', 'AMBIGUOUS', 'AMBIGUOUS', 'DUPLICATE'],
  ['ESB000045', 'NOT_FOUND', 'NOT_FOUND', 'AMBIGUOUS'],
  ['0000900', 'AMBIGUOUS', 'AMBIGUOUS', 'AMBIGUOUS'],
  ['DP00800001099', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE', 'UNREADABLE'],
] as const

describe('14 the codes of airtel', () => {
  for (const [code, ofDeposit, ofPayout, ofNew] of CODE_ROWS) {
    it(code, () => {
      const failed = answer(200, coded(code, 'TF'))
      assert.equal(inShort(readStatus(failed, order('DEPOSIT'))), ofDeposit)
      assert.equal(inShort(readStatus(failed, order('PAYOUT'))), ofPayout)
      assert.equal(inShort(readCreated(answer(200, coded(code)), order('DEPOSIT'))), ofNew)
    })
  }

  it('none of the table is missing here', () => {
    const listed: readonly string[] = CODE_ROWS.map(([code]) => code)
    assert.deepEqual(
      Object.keys(CODES).filter((code) => !listed.includes(code)),
      [],
    )
  })

  it('our float is never the balance of a customer', () => {
    for (const operation of ['PAYOUT', 'REFUND', 'REMITTANCE'] as const) {
      for (const code of ['DP00900001007', 'DP00800001007']) {
        assert.equal(inShort(readStatus(answer(200, coded(code, 'TF')), order(operation))), 'ours')
      }
    }
  })
})

describe('the answers of airtel to a new order', () => {
  const accepted = {
    data: { transaction: { id: REFERENCE, status: 'SUCCESS' } },
    status: {
      code: '200',
      message: 'SUCCESS',
      result_code: 'ESB000010',
      response_code: 'DP00800001006',
      success: true,
    },
  }
  const cases = [
    [200, accepted, 'PENDING'],
    [
      200,
      { data: { transaction: { id: false, status: 'Success.' } }, status: { success: true } },
      'PENDING',
    ],
    [200, { data: { transaction: { status: 'TS' } }, status: { success: true } }, 'PENDING'],
    [200, { data: { transaction: { status: 'TA' } }, status: { success: false } }, 'AMBIGUOUS'],
    [200, { status: { response_code: 'DP00800001007', success: true } }, 'AMBIGUOUS'],
    [200, { status: { success: false, message: 'no' } }, 'UNREADABLE'],
    [200, { surprise: true }, 'UNREADABLE'],
    [200, undefined, 'UNREADABLE'],
    [400, { status: { response_code: 'DP00800001010', success: false } }, 'PAYER_NOT_FOUND'],
    [400, { status: { response_code: 'DP00800001024', success: false } }, 'AMBIGUOUS'],
    [400, { message: 'bad' }, 'UNSPECIFIED_FAILURE'],
    [400, { status_code: 'ROUTER003', status_message: 'missing' }, 'ours'],
    [400, { status: { code: 'ROUTER115', success: false } }, 'ours'],
    [401, { error: 'invalid_client' }, 'ours'],
    [403, undefined, 'ours'],
    [404, { message: 'no such path' }, 'ours'],
    [408, { message: 'Read Timeout' }, 'AMBIGUOUS'],
    [409, undefined, 'DUPLICATE'],
    [429, undefined, 'AMBIGUOUS'],
    [500, { status: { response_code: 'DP00800001005', success: false } }, 'SERVER'],
    [500, { status: { result_code: 'ROUTER116', success: false } }, 'ours'],
    [500, { status: { result_code: 'ROUTER117', success: false } }, 'SERVER'],
    [500, { status: { result_code: 'ESB000041', success: false } }, 'DUPLICATE'],
    [503, undefined, 'SERVER'],
  ] as const
  for (const [status, body, expected] of cases) {
    it(`${status} ${JSON.stringify(body) ?? ''} is ${expected}`, () => {
      assert.equal(inShort(readCreated(answer(status, body), order('DEPOSIT'))), expected)
    })
  }

  it('a disbursement that is done is looked up soon, and its id is kept', () => {
    const transaction = { reference_id: 'APC1', airtel_money_id: MONEY_ID, id: REFERENCE }
    for (const word of [{ status: 'TS' }, {}]) {
      const status = { response_code: 'DP00900001001', success: true }
      const body = { data: { transaction: { ...transaction, ...word } }, status }
      const outcome = readCreated(answer(200, body), order('PAYOUT'))
      const ids = { airtelMoneyId: MONEY_ID }
      assert.deepEqual(outcome, { kind: 'PENDING', checkAfterMs: 5000, ids })
    }
  })
})

describe('the answers of airtel to a look-up', () => {
  const looked = (
    word: string | undefined,
    more: object = {},
    operation: OperationType = 'DEPOSIT',
  ) =>
    readStatus(
      answer(200, { data: { transaction: { status: word, ...more } }, status: { success: false } }),
      order(operation),
    )

  it('TS is done, though the flag says no', () => {
    assert.deepEqual(looked('TS', { airtel_money_id: MONEY_ID }), {
      kind: 'DONE',
      transactionId: MONEY_ID,
    })
  })

  it('the id of a disbursement comes from its first answer, where the look-up has none', () => {
    const body = { data: { transaction: { status: 'TS' } } }
    const known = order('PAYOUT', { ids: { airtelMoneyId: MONEY_ID } })
    const outcome = readStatus(answer(200, body), known)
    assert.deepEqual(outcome, { kind: 'DONE', transactionId: MONEY_ID })
  })

  const cases = [
    ['TIP', 'PENDING'],
    ['TI', 'PENDING'],
    ['TA', 'AMBIGUOUS'],
    ['TF', 'UNSPECIFIED_FAILURE'],
    ['TE', 'PAYMENT_NOT_APPROVED'],
    [undefined, 'UNREADABLE'],
  ] as const
  for (const [word, expected] of cases) {
    it(`${word ?? 'nothing'} is ${expected}`, () => assert.equal(inShort(looked(word)), expected))
  }

  it('a word that no table knows is reported to a person', () => {
    const outcome = looked('SUCCESS')
    assert.ok(outcome.kind === 'PENDING' && outcome.alert?.includes('SUCCESS'))
  })

  it('not found, a server that is down, a gateway that refuses', () => {
    const read = (status: number, body?: unknown) =>
      inShort(readStatus(answer(status, body), order('DEPOSIT')))
    assert.equal(read(404), 'NOT_FOUND')
    assert.equal(read(200, coded('DP00800001025')), 'NOT_FOUND')
    assert.equal(read(400, coded('ESB000045')), 'NOT_FOUND')
    assert.equal(read(503, coded('DP00800001025')), 'SERVER')
    assert.equal(read(400, coded('ROUTER003')), 'UNREADABLE')
  })

  it('an amount that is stated is compared', () => {
    const outcome = looked('TS', { amount: 1, currency: 'UGX' })
    assert.deepEqual(outcome, { kind: 'DONE', amount: '1', currency: 'UGX' })
  })
})

describe('the answers of airtel to a refund', () => {
  const done = { data: { transaction: { airtel_money_id: MONEY_ID, status: 'SUCCESS' } } }
  const status = { code: '200', message: 'SUCCESS', result_code: 'ESB000010', success: false }
  const cases = [
    [200, { ...done, status }, 'DONE'],
    [
      200,
      { ...done, status: { ...status, response_code: 'DP00800001006', success: true } },
      'DONE',
    ],
    [200, { status: { ...status, success: true } }, 'DONE'],
    [200, { ...done, status: { response_code: 'DP00800001008', success: false } }, 'AMBIGUOUS'],
    [200, { ...done, status: { response_code: 'DP00800001000', success: true } }, 'AMBIGUOUS'],
    [200, coded('DP00800001007'), 'ours'],
    [200, coded('DP00800001025'), 'AMBIGUOUS'],
    [200, coded('DP00800001009', 'TF'), 'UNSPECIFIED_FAILURE'],
    [200, { status: { success: false } }, 'UNREADABLE'],
    [400, coded('ROUTER001'), 'ours'],
    [500, undefined, 'SERVER'],
  ] as const
  for (const [httpStatus, body, expected] of cases) {
    it(`${httpStatus} ${JSON.stringify(body) ?? ''} is ${expected}`, () => {
      assert.equal(inShort(readRefunded(answer(httpStatus, body), refundOrder())), expected)
    })
  }

  it('is final, and cannot be looked up', () => {
    const outcome = AIRTEL.open(accountWith()).query(refundOrder(), REFERENCE)
    assert.deepEqual(outcome, { kind: 'UNKNOWN', why: 'AMBIGUOUS', ids: { by: 'refund' } })
  })
})

const v = (version: string) => accountWith({ settings: { disbursementVersion: version } })

describe('the requests of airtel', () => {
  const common = {
    authorization: 'Bearer a-token',
    accept: '*/*',
    'x-country': 'UG',
    'x-currency': 'UGX',
  }

  it('a push: national number, and an amount that is a number', () => {
    const request = submitted(accountWith(), order('DEPOSIT', { message: 'Coffee, 2 bags' }))
    const { body = '', ...rest } = request
    assert.deepEqual(rest, {
      method: 'POST',
      path: '/merchant/v1/payments/',
      headers: { ...common, 'content-type': 'application/json' },
    })
    assert.deepEqual(JSON.parse(body), {
      reference: 'Coffee2bags',
      subscriber: { country: 'UG', currency: 'UGX', msisdn: '754000001' },
      transaction: { amount: 1500, country: 'UG', currency: 'UGX', id: REFERENCE },
    })
  })

  it('a number of Congo keeps its zero', () => {
    const place = { provider: 'AIRTEL_COG', currency: 'XAF', phoneNumber: '242055301273' }
    const { body = '', headers } = submitted(accountWith(), order('DEPOSIT', place))
    assert.equal(JSON.parse(body).subscriber.msisdn, '055301273')
    assert.equal(headers['x-country'], 'CG')
  })

  const disbursements = [
    ['v1', '/standard/v1/disbursements/', {}, {}],
    ['v2', '/standard/v2/disbursements/', { currency: 'UGX' }, { type: 'B2C' }],
    [
      'v3',
      '/standard/v3/disbursements',
      { currency: 'UGX', wallet_type: 'NORMAL' },
      { type: 'B2C' },
    ],
  ] as const
  for (const [version, path, ofPayee, ofTransaction] of disbursements) {
    it(`a disbursement of ${version}`, () => {
      const request = submitted(v(version), order('PAYOUT'))
      const { pin, ...body } = JSON.parse(request.body ?? '')
      assert.equal(request.path, path)
      assert.deepEqual(body, {
        payee: { msisdn: '754000001', ...ofPayee },
        reference: 'Payment',
        transaction: { amount: 1500, id: REFERENCE, ...ofTransaction },
      })
      assert.equal(decrypted(pin), SECRETS.pin)
      assert.equal('x-signature' in request.headers, version === 'v3')
    })
  }

  it('look-ups', () => {
    const isAt = (path: string, account: OpenAccount, one: ProviderOrder) =>
      assert.deepEqual(asked(account, one), { method: 'GET', path, headers: common })
    isAt(`/standard/v1/payments/${REFERENCE}`, v('v3'), order('DEPOSIT'))
    isAt(`/standard/v1/disbursements/${REFERENCE}`, v('v1'), order('PAYOUT'))
    const newer = `/standard/v2/disbursements/${REFERENCE}?transactionType=B2C`
    isAt(newer, v('v2'), order('PAYOUT'))
    isAt(newer, v('v3'), order('REMITTANCE'))
  })

  it('the token', () => {
    const { path, body = '' } = AIRTEL.open(accountWith()).tokens.access?.request() ?? assert.fail()
    assert.equal(path, '/auth/oauth2/token')
    assert.deepEqual(JSON.parse(body), {
      client_id: SECRETS.clientId,
      client_secret: SECRETS.clientSecret,
      grant_type: 'client_credentials',
    })
    const granted = { access_token: 'abc', expires_in: '180', token_type: 'bearer' }
    const token = AIRTEL.open(accountWith()).tokens.access?.read(answer(200, granted))
    assert.deepEqual(token, { value: 'abc', livesMs: 180_000 })
  })

  it('a refused token is not taken for forbidden access', () => {
    const { isTokenRefused } = AIRTEL.open(accountWith())
    assert.ok(isTokenRefused(answer(401)))
    assert.ok(isTokenRefused(answer(403, { error: 'invalid_token' })))
    assert.ok(!isTokenRefused(answer(403, { message: 'Forbidden' })))
    assert.ok(!isTokenRefused(answer(200, { message: 'invalid_token' })))
  })

  it('references are letters and digits', () => {
    const { reference } = AIRTEL.open(accountWith()).prepare(order('DEPOSIT'))
    assert.match(reference, /^[0-9a-f]{32}$/)
  })

  it('the balances, with their separators taken out', () => {
    const [first, second, ...others] = AIRTEL.open(v('v2')).balances ?? []
    assert.deepEqual(others, [])
    assert.equal(first?.request('t').path, '/standard/v2/users/balance?type=COLL')
    assert.equal(second?.request('t').path, '/standard/v2/users/balance?type=DISB')
    const body = { data: { balance: '37,600.00', currency: 'UGX' } }
    assert.deepEqual(second?.read(answer(200, body)), {
      product: 'disbursement',
      amount: '37600.00',
      currency: 'UGX',
    })
    assert.equal(second?.read(answer(200, { status: { success: false } })), undefined)
  })

  it('the PIN is masked in what is kept, even as it goes over the wire', () => {
    const { body = '' } = submitted(accountWith(), order('PAYOUT'))
    const kept = createMask(SECRETS)(body)
    assert.ok(!kept.includes(JSON.parse(body).pin))
    assert.ok(kept.includes('"pin":"***"'))
  })
})

describe('refunds with airtel', () => {
  it('of the whole amount, by the id of the operator', () => {
    const { path, body = '' } = submitted(accountWith(), refundOrder())
    assert.equal(path, '/standard/v1/payments/refund')
    assert.deepEqual(JSON.parse(body), { transaction: { airtel_money_id: MONEY_ID } })
  })

  const original = { amount: '1500', account: 'airtel-uganda', transactionId: MONEY_ID }
  const byPayout = [
    ['of a part', { amount: '500' }],
    ['of what came in elsewhere', { original: { ...original, account: 'another' } }],
    ['without the id of the operator', { original: { amount: '1500', account: 'airtel-uganda' } }],
  ] as const
  for (const [what, changes] of byPayout) {
    it(`${what}: by payout, which is kept`, () => {
      const one = refundOrder(changes)
      const step = stepOf(AIRTEL.open(accountWith()).submit(one, REFERENCE))
      assert.equal(step.request('t').path, '/standard/v1/disbursements/')
      const taken = step.read(answer(200, coded('DP00900001006', 'TIP')))
      assert.deepEqual(taken, { kind: 'PENDING', ids: { by: 'payout' } })
      assert.match(asked(accountWith(), one).path, /disbursements/)
    })
  }

  it('of a part, where the account may not pay out: refused', () => {
    const account = accountWith({ providers: { AIRTEL_OAPI_UGA: ['DEPOSIT', 'REFUND'] } })
    const outcome = AIRTEL.open(account).submit(refundOrder({ amount: '500' }), REFERENCE)
    assert.ok(!isStep(outcome) && outcome.kind === 'REFUSED' && outcome.isOurFault === undefined)
  })

  it('what was chosen once stays', () => {
    const one = refundOrder({ ids: { by: 'payout' } })
    assert.match(asked(accountWith(), one).path, /disbursements/)
  })
})

/** Decrypts with the private half, whatever the padding has to be. */
function opened(key: KeyObject, sealed: string, isOaep: boolean): string {
  const data = Buffer.from(sealed, 'base64')
  if (isOaep) {
    const padding = constants.RSA_PKCS1_OAEP_PADDING
    return privateDecrypt({ key, padding, oaepHash: 'sha256' }, data).toString()
  }
  const block = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, data)
  assert.deepEqual([...block.subarray(0, 2)], [0, 2])
  return block.subarray(block.indexOf(0, 2) + 1).toString()
}

describe('what airtel has encrypted', () => {
  for (const [bits, isOaep] of [
    [1024, false],
    [2048, true],
    [3072, true],
  ] as const) {
    it(`a key of ${bits} bits: ${isOaep ? 'OAEP with SHA-256' : 'PKCS#1 v1.5'}`, () => {
      const { publicKey, privateKey } = rsaPair(bits)
      const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
      const bare = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
      for (const text of [pem, bare]) {
        const key = rsaKeyOf(text) ?? assert.fail('no key')
        const [one, other] = [encryptFor(key, '7391'), encryptFor(key, '7391')]
        assert.notEqual(one, other)
        assert.equal(opened(privateKey, one, isOaep), '7391')
      }
      const body = '{"reference":"Payment"}'
      const headers = signatureHeaders(publicKey, body)
      const pair = opened(privateKey, headers['x-key'] ?? '', isOaep).split(':')
      const [aesKey = Buffer.of(), iv = Buffer.of()] = pair.map((one) => Buffer.from(one, 'base64'))
      const decipher = createDecipheriv('aes-256-cbc', aesKey, iv)
      const plain = decipher.update(headers['x-signature'] ?? '', 'base64', 'utf8')
      assert.equal(plain + decipher.final('utf8'), body)
    })
  }

  it('a key that is none: our fault, before anything is sent', () => {
    assert.equal(rsaKeyOf('bm8ga2V5'), undefined)
    const { publicKey, ...others } = SECRETS
    const signing = accountWith({ secrets: others, settings: { signing: 'v2' } })
    for (const [account, operation] of [
      [signing, 'DEPOSIT'],
      [accountWith({ secrets: { ...others, publicKey: 'bm8ga2V5' } }), 'PAYOUT'],
    ] as const) {
      const outcome = AIRTEL.open(account).submit(order(operation), REFERENCE)
      assert.ok(!isStep(outcome))
      assert.equal(inShort(outcome), 'ours')
    }
  })
})

describe('the callbacks of airtel', () => {
  const key = 'a4f48f692d2b4df9acbad7dff60a32a6'
  const body = {
    transaction: {
      id: 'BBZMiscxy',
      message: 'Paid UGX 5,000 to TECH LIMITED, Trans ID MP210603.1234.L06941.',
      status_code: 'TS',
      airtel_money_id: MONEY_ID,
    },
  }
  const ofPretty = 'zITVAAGYSlzl1WkUQJn81kbpT5drH3koffT8jCkcJJA='
  const ofCompact = 'UF8JMKZsAFX5k0WFbIQphnCRcCw1ViJXT+A84CRl434='

  it('the published hash', () => {
    assert.equal(callbackHash(JSON.stringify(body, null, 2), key), ofPretty)
    assert.equal(callbackHash(JSON.stringify(body), key), ofCompact)
  })

  const spaced = '{ "transaction": {"id":"BBZMiscxy", "status_code":"TS"} }'
  const ofSpaced = callbackHash(spaced, key)
  const cases = [
    ['indented', JSON.stringify({ ...body, hash: ofPretty }, null, 2), true],
    ['indented, sent without spaces', JSON.stringify({ ...body, hash: ofPretty }), true],
    ['without spaces', JSON.stringify({ ...body, hash: ofCompact }), true],
    ['without spaces, sent indented', JSON.stringify({ hash: ofCompact, ...body }, null, 4), true],
    ['as it came', spaced.replace(' }', `, "hash": "${ofSpaced}" }`), true],
    ['as it came, the hash first', spaced.replace('{ ', `{ "hash": "${ofSpaced}", `), true],
    [
      'of the inner object alone',
      JSON.stringify({ ...body, hash: callbackHash(JSON.stringify(body.transaction), key) }),
      false,
    ],
    [
      'with another key',
      JSON.stringify({ ...body, hash: callbackHash(JSON.stringify(body), 'x') }),
      false,
    ],
    [
      'of another body',
      JSON.stringify({ transaction: { ...body.transaction, status_code: 'TF' }, hash: ofPretty }),
      false,
    ],
    ['none', JSON.stringify(body), false],
    ['of no JSON', 'hash', false],
  ] as const
  for (const [what, raw, isRight] of cases) {
    it(`a hash ${what} is ${isRight ? 'taken' : 'refused'}`, () => {
      assert.equal(isHashRight(Buffer.from(raw), key), isRight)
    })
  }

  it('a forged one names its order all the same, so that it is asked about', () => {
    const raw = Buffer.from(JSON.stringify({ ...body, hash: 'forged' }))
    const claim = AIRTEL.open(accountWith()).readCallback({ headers: {}, raw })
    assert.deepEqual(claim, { reference: 'BBZMiscxy', isGenuine: false, reply: { status: 200 } })
  })

  it('without a key there is nothing to check, and nothing but the reference is read', () => {
    const { callbackKey, ...secrets } = SECRETS
    const raw = Buffer.from(JSON.stringify(body))
    const claim = AIRTEL.open(accountWith({ secrets })).readCallback({ headers: {}, raw })
    assert.deepEqual(claim, { reference: 'BBZMiscxy', isGenuine: true, reply: { status: 200 } })
  })
})

/** What the stand-in says to a request of ours, changed or not. */
function toStandIn(
  request: OperatorRequest,
  changes: Partial<OperatorRequest> = {},
): StandInAnswer {
  const faults = createFaults(() => 0)
  const { tools } = createOrders(AIRTEL_STAND_IN, openBook(undefined), faults, 0)
  const { method, path, headers, body: text = '' } = { ...request, ...changes }
  const url = new URL(path, 'http://stand-in')
  const authorization = `Bearer at-${Date.now()}`
  return AIRTEL_STAND_IN.handle(
    {
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: { ...headers, ...(headers.authorization === 'none' ? {} : { authorization }) },
      text,
      json: text === '' ? undefined : JSON.parse(text),
    },
    tools,
  )
}

describe('the stand-in of airtel', () => {
  const zambia = { provider: 'AIRTEL_OAPI_ZMB', currency: 'ZMW', phoneNumber: '260974000001' }

  for (const signing of ['none', 'v2']) {
    for (const disbursementVersion of ['v1', 'v2', 'v3']) {
      for (const bits of [1024, 2048] as const) {
        it(`takes what is signed ${signing}, ${disbursementVersion}, with ${bits} bits`, () => {
          const secrets = { ...SECRETS, publicKey: standInPublicKey(bits) }
          const account = accountWith({ secrets, settings: { signing, disbursementVersion } })
          for (const operation of ['DEPOSIT', 'PAYOUT'] as const) {
            const taken = toStandIn(submitted(account, order(operation)))
            assert.ok(taken.created !== undefined, JSON.stringify(taken))
          }
        })
      }
    }
  }

  it('wants signatures in Zambia', () => {
    const code = (settings: Record<string, string>) =>
      JSON.stringify(toStandIn(submitted(accountWith({ settings }), order('DEPOSIT', zambia))).body)
    assert.match(code({}), /DP00800001026/)
    assert.match(code({ signing: 'v2' }), /DP00800001006/)
  })

  const push = submitted(accountWith(), order('DEPOSIT'))
  const payout = submitted(v('v3'), order('PAYOUT'))
  const withBody = (request: OperatorRequest, change: (body: Record<string, never>) => void) => {
    const body = JSON.parse(request.body ?? '')
    change(body)
    return { body: JSON.stringify(body) }
  }
  const set = (part: string, name: string, value: unknown) => (body: Record<string, object>) => {
    body[part] = { ...body[part], [name]: value }
  }
  const v1 = submitted(accountWith(), order('PAYOUT'))
  const refusals: readonly (readonly [
    string,
    OperatorRequest,
    Partial<OperatorRequest>,
    RegExp,
  ])[] = [
    ['no token', push, { headers: { ...push.headers, authorization: 'none' } }, /invalid_token/],
    ['no country', push, { headers: { ...push.headers, 'x-country': '' } }, /ROUTER003/],
    ['an unknown country', push, { headers: { ...push.headers, 'x-country': 'UGA' } }, /ROUTER006/],
    ['no currency', push, { headers: { ...push.headers, 'x-currency': '' } }, /ROUTER119/],
    ['another currency', push, { headers: { ...push.headers, 'x-currency': 'KES' } }, /ROUTER112/],
    ['no type', push, { headers: { ...push.headers, 'content-type': '' } }, /ROUTER003/],
    ['an amount as text', push, withBody(push, set('transaction', 'amount', '1500')), /ESB000008/],
    ['an id with dashes', push, withBody(push, set('transaction', 'id', 'a-b')), /ESB000008/],
    [
      'a whole number',
      push,
      withBody(push, set('subscriber', 'msisdn', '256754000001')),
      /ESB000033/,
    ],
    ['two currencies', push, withBody(push, set('transaction', 'currency', 'KES')), /ESB000035/],
    ['another body', payout, withBody(payout, set('transaction', 'amount', 9)), /DP00900001018/],
    ['a path without its slash', push, { path: '/merchant/v1/payments' }, /404/],
    ['no PIN', v1, withBody(v1, (body) => Reflect.deleteProperty(body, 'pin')), /ROUTER116/],
    ['the old body at v2', v1, { path: '/standard/v2/disbursements/' }, /ESB000008/],
  ]
  for (const [what, request, changes, words] of refusals) {
    it(`refuses ${what}`, () => {
      const refused = toStandIn(request, changes)
      assert.equal(refused.created, undefined)
      assert.match(JSON.stringify(refused), words)
    })
  }

  it('refuses a wrong PIN', () => {
    const account = accountWith({ secrets: { ...SECRETS, pin: '0000' } })
    assert.match(JSON.stringify(toStandIn(submitted(account, order('PAYOUT')))), /ROUTER115/)
  })

  it('has the numbers of the test environment', () => {
    const { endingOf } = AIRTEL_STAND_IN
    const reason = (what: string, party: string) => endingOf?.(party, what)
    assert.equal(reason('payment', '256706218827'), undefined)
    const fails = (code: string) => ({ says: 'failure', reason: code })
    assert.deepEqual(reason('payment', '256752600157'), fails('DP00800001010'))
    assert.deepEqual(reason('disbursement', '2567500002240'), fails('DP00900001010'))
    assert.deepEqual(reason('payment', '256756255985'), fails('DP00800001004'))
  })
})

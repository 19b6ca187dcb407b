import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import type { Outcome, ProviderOrder } from '../../src/providers/connector.ts'
import { CODES } from '../../src/providers/gsma/codes.ts'
import { GSMA } from '../../src/providers/gsma/operator.ts'
import { GSMA_STAND_IN } from '../../src/providers/gsma/stand-in/operator.ts'
import type { Answer, OpenAccount, Step } from '../../src/providers/operator.ts'
import { startStandIn } from '../../src/providers/stand-in/server.ts'
import { contractOf } from './contract.ts'

const CLIENT = { clientId: 'gsma-client-0123456789', clientSecret: 'gsma-secret-0123456789' }
const API_KEY = { apiKey: 'gsma-api-key-0123456789' }
const SECRETS = { ...CLIENT, ...API_KEY }

contractOf({
  standIn: GSMA_STAND_IN,
  account: (baseUrl) => ({
    name: 'zamtel-zambia',
    connector: 'gsma',
    baseUrl,
    providers: { ZAMTEL_ZMB: ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] },
    priority: 1,
    settings: { basePath: '/v1.2', payeeMsisdn: '260950000001' },
    secrets: SECRETS,
  }),
  provider: 'ZAMTEL_ZMB',
  currency: 'ZMW',
  amount: '15',
  numbers: '2607540',
  kinds: ['deposit', 'payout', 'refund', 'remittance'],
  firstLookUp: 5,
  reconciliation: 360,
  declined: 'requestDeclined',
  failures: [
    { kind: 'deposit', reason: 'requestDeclined', means: 'the customer declines' },
    { kind: 'deposit', reason: 'insufficientFunds', means: 'the customer has too little money' },
    { kind: 'payout', reason: 'identifierError', means: 'no wallet has this number' },
    { kind: 'payout', reason: 'maxBalanceExceeded', means: 'the wallet may not receive so much' },
  ],
  secrets: Object.values(SECRETS),
  traits: {
    refusesKnownReferences: true,
    isFoundByOurReference: true,
    namesTransaction: true,
    namesAmount: true,
    hasTokens: true,
    hasCallbacks: true,
  },
})

const REFERENCE = '3f1c1f0e-8a8b-4c57-9f0a-1f2e3d4c5b6a'
const REQUEST = '878be43d-9fde-467b-a26b-889c80bf8830'
const NOW = Date.parse('2025-03-01T12:00:00.000Z')
const PHONE = '260754000001'
const OWN = '+260950000001'

const account = (change: Partial<OpenAccount> = {}): OpenAccount => ({
  name: 'zamtel-zambia',
  connector: 'gsma',
  baseUrl: 'https://operator.example',
  providers: { ZAMTEL_ZMB: ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] },
  priority: 1,
  enabled: true,
  settings: { basePath: '/v1.2', payeeMsisdn: '260950000001' },
  secrets: SECRETS,
  callbackSecret: 'secret',
  callbackSources: [],
  limits: {},
  catalog: readCatalog(CATALOG_FILE),
  referenceOf: () => REFERENCE,
  callbackUrl: (reference) => `https://malipo.example/operators/zamtel-zambia/secret/${reference}`,
  now: () => NOW,
  realNow: () => NOW,
  ...change,
})

type Operation = ProviderOrder['operation']

const order = (operation: Operation, change: Partial<ProviderOrder> = {}): ProviderOrder =>
  ({
    operation,
    provider: 'ZAMTEL_ZMB',
    amount: '15',
    currency: 'ZMW',
    phoneNumber: PHONE,
    ...change,
  }) as ProviderOrder

const ORIGINAL = { amount: '15.00', account: 'zamtel-zambia', transactionId: 'T/1' }

const answer = (status: number, json?: unknown): Answer => ({
  status,
  json,
  text: json === undefined ? '' : JSON.stringify(json),
})

function stepOf(next: Step | Outcome): Step {
  assert.ok('request' in next, JSON.stringify(next))
  return next
}

function outcomeOf(next: Step | Outcome): Outcome {
  assert.ok(!('request' in next), 'asked on')
  return next
}

const submit = (one: ProviderOrder, with_ = account()): Step =>
  stepOf(GSMA.open(with_).submit(one, REFERENCE))
const created = (status: number, json: unknown, one = order('DEPOSIT')): Outcome =>
  outcomeOf(submit(one).read(answer(status, json)))
const query = (ids?: Record<string, string>, one = order('DEPOSIT')): Step =>
  stepOf(GSMA.open(account()).query(ids === undefined ? one : { ...one, ids }, REFERENCE))
const bodyOf = (step: Step) => JSON.parse(step.request('token').body ?? '')

/** What a merchant reads, or who has to look. */
function verdict(outcome: Outcome): string {
  if (outcome.kind !== 'FAILED' && outcome.kind !== 'REFUSED') return outcome.kind
  return outcome.isOurFault ? 'ours' : outcome.failure.code
}

const state = (status: string, more: object = {}) => ({
  serverCorrelationId: REQUEST,
  status,
  notificationMethod: 'callback',
  ...more,
})
const error = (errorCode: string, errorCategory = 'businessRule', more: object = {}) => ({
  errorCategory,
  errorCode,
  ...more,
})
const transaction = (transactionStatus: string, more: object = {}) => ({
  transactionReference: 'T1',
  transactionStatus,
  type: 'merchantpay',
  amount: '15.00',
  currency: 'ZMW',
  debitParty: [{ key: 'msisdn', value: `+${PHONE}` }],
  creditParty: [{ key: 'msisdn', value: OWN }],
  ...more,
})

const LIMIT = ['PAYER_LIMIT_REACHED', 'ours', 'ours'] as const
const BOUND = ['PAYER_LIMIT_REACHED', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'] as const
const UNSPECIFIED = ['UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'] as const
const OURS = ['ours', 'ours', 'ours'] as const

/** Code, what a merchant reads of a deposit, of a payout, and of a refund by reversal. */
const VERDICTS: Readonly<Record<string, readonly [string, string, string]>> = {
  requestDeclined: ['PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  insufficientFunds: ['INSUFFICIENT_BALANCE', 'ours', 'ours'],
  dailyVolumeLimitExceeded: LIMIT,
  dailyValueLimitExceeded: LIMIT,
  weeklyVolumeLimitExceeded: LIMIT,
  weeklyValueLimitExceeded: LIMIT,
  monthlyVolumeLimitExceeded: LIMIT,
  monthlyValueLimitExceeded: LIMIT,
  accountMaxTotalVolumeExceeded: LIMIT,
  accountMaxTotalValueExceeded: LIMIT,
  lessThanTransactionMinValue: BOUND,
  greaterThanTransactionMaxValue: BOUND,
  maxBalanceExceeded: ['ours', 'WALLET_LIMIT_REACHED', 'WALLET_LIMIT_REACHED'],
  identifierError: ['PAYER_NOT_FOUND', 'RECIPIENT_NOT_FOUND', 'UNSPECIFIED_FAILURE'],
  incorrectState: UNSPECIFIED,
  samePartiesError: UNSPECIFIED,
  underPaymentNotAllowed: UNSPECIFIED,
  overPaymentNotAllowed: UNSPECIFIED,
  quoteHasExpired: UNSPECIFIED,
  genericError: UNSPECIFIED,
  clientAuthorisationError: OURS,
  requestingPartyAuthorisationError: OURS,
  servicingPartyAuthorisationError: OURS,
  transactionTypeError: OURS,
  noMandateAuthority: OURS,
  linkViolation: OURS,
  lengthError: OURS,
  formatError: OURS,
  negativeValue: OURS,
  currencyNotSupported: OURS,
  mandatoryValueNotSupplied: OURS,
  invalidOffset: OURS,
  countryofOriginNotPermitted: OURS,
  nationalityNotPermitted: OURS,
  idDocumentNotSupported: OURS,
  issuingCountryNotSupported: OURS,
}

const ORDERS = [order('DEPOSIT'), order('PAYOUT'), order('REFUND', { original: ORIGINAL })] as const

describe('14 the codes of gsma', () => {
  for (const [code, expected] of Object.entries(VERDICTS)) {
    it(code, () => {
      for (const [at, one] of ORDERS.entries()) {
        const asState = { error: error(code) }
        const asText = { errorReference: error(code[0]?.toUpperCase() + code.slice(1)) }
        for (const fault of [asState, asText]) {
          const read = query({ request: REQUEST }, one).read(answer(200, state('failed', fault)))
          assert.equal(verdict(outcomeOf(read)), expected[at])
        }
        assert.equal(verdict(created(400, error(code), one)), expected[at])
      }
    })
  }

  it('a duplicate is never a failure: what our reference led to is asked for', () => {
    assert.deepEqual(created(400, error('duplicateRequest')), { kind: 'UNKNOWN', why: 'DUPLICATE' })
    const fault = { error: error('DuplicateRequest', 'BusinessRule') }
    assert.deepEqual(created(202, state('failed', fault)), { kind: 'UNKNOWN', why: 'DUPLICATE' })
    const next = query({ request: REQUEST }).read(answer(200, state('failed', fault)))
    assert.equal(stepOf(next).request('').path, `/v1.2/responses/${REFERENCE}`)
  })

  it('too many requests: looked up, and sent again if it never arrived', () => {
    for (const status of [400, 429]) {
      assert.equal(created(status, error('rateLimitError')).kind, 'UNKNOWN')
    }
    const limited = state('failed', { error: error('rateLimitError') })
    const read = query({ request: REQUEST }, order('PAYOUT')).read(answer(200, limited))
    assert.equal(verdict(outcomeOf(read)), 'ours')
  })

  it('none of the table is missing here', () => {
    const listed = [...Object.keys(VERDICTS), 'duplicateRequest', 'rateLimitError']
    assert.deepEqual(
      Object.keys(CODES).filter((code) => !listed.includes(code)),
      [],
    )
  })

  const named = (code: string, key: string, value: string, one: ProviderOrder) =>
    verdict(created(400, error(code, 'x', { errorParameters: [{ key, value }] }), one))
  const parties = [
    ['identifierError', 'property', 'creditParty', 'DEPOSIT', 'ours'],
    ['identifierError', 'property', 'debitParty', 'DEPOSIT', 'PAYER_NOT_FOUND'],
    ['identifierError', 'debitParty', '1', 'PAYOUT', 'ours'],
    ['identifierError', 'creditParty', '1', 'PAYOUT', 'RECIPIENT_NOT_FOUND'],
    ['identifierError', 'providedValue', OWN, 'PAYOUT', 'ours'],
    ['identifierError', 'providedValue', `+${PHONE}`, 'PAYOUT', 'RECIPIENT_NOT_FOUND'],
    ['identifierError', 'providedValue', PHONE, 'DEPOSIT', 'PAYER_NOT_FOUND'],
    ['dailyValueLimitExceeded', 'creditParty', PHONE, 'PAYOUT', 'WALLET_LIMIT_REACHED'],
    ['dailyValueLimitExceeded', 'creditParty', OWN, 'DEPOSIT', 'ours'],
    ['insufficientFunds', 'creditParty', PHONE, 'PAYOUT', 'ours'],
  ] as const
  for (const [code, key, value, operation, expected] of parties) {
    it(`${code} with ${key} ${value} of a ${operation} is ${expected}`, () => {
      assert.equal(named(code, key, value, order(operation)), expected)
    })
  }

  it('of a reversal, a party that is named is the one that gets its money back', () => {
    const refund = order('REFUND', { original: ORIGINAL })
    assert.equal(named('identifierError', 'creditParty', '1', refund), 'RECIPIENT_NOT_FOUND')
  })

  it('a request whose time is over was not approved', () => {
    const expired = (expiryTime: string, one = order('DEPOSIT')) =>
      verdict(
        outcomeOf(
          query({ request: REQUEST }, one).read(answer(200, state('failed', { expiryTime }))),
        ),
      )
    assert.equal(expired('2025-03-01T11:59:59Z'), 'PAYMENT_NOT_APPROVED')
    assert.equal(expired('2025-03-01T12:04:00Z'), 'UNSPECIFIED_FAILURE')
    assert.equal(expired('2025-03-01T11:59:59Z', order('PAYOUT')), 'UNSPECIFIED_FAILURE')
  })
})

describe('the answers of gsma to a new order', () => {
  const cases = [
    [202, state('pending'), 'PENDING'],
    [202, state('completed', { objectReference: 'T1' }), 'PENDING'],
    [202, state('failed', { error: error('requestDeclined') }), 'PAYMENT_NOT_APPROVED'],
    [202, state('perhaps'), 'PENDING'],
    [202, undefined, 'UNKNOWN'],
    [202, { surprise: true }, 'UNKNOWN'],
    [201, transaction('completed'), 'DONE'],
    [201, transaction('Completed'), 'DONE'],
    [201, transaction('pending'), 'PENDING'],
    [201, transaction('failed'), 'UNSPECIFIED_FAILURE'],
    [201, transaction('perhaps'), 'PENDING'],
    [200, { surprise: true }, 'UNKNOWN'],
    [400, error('insufficientFunds'), 'INSUFFICIENT_BALANCE'],
    [400, error('codeOfTomorrow'), 'UNSPECIFIED_FAILURE'],
    [400, error('genericError'), 'UNSPECIFIED_FAILURE'],
    [400, error('genericError', 'validation'), 'UNSPECIFIED_FAILURE'],
    [400, error('genericError', 'internal'), 'UNKNOWN'],
    [400, { errorCode: 'genericError' }, 'UNKNOWN'],
    [400, error('genericError', 'Service Unavailable'), 'UNKNOWN'],
    [400, undefined, 'UNSPECIFIED_FAILURE'],
    [401, error('requestDeclined', 'authorisation'), 'PAYMENT_NOT_APPROVED'],
    [401, error('requestingPartyAuthorisationError', 'authorisation'), 'ours'],
    [403, undefined, 'ours'],
    [404, error('identifierError', 'identification'), 'PAYER_NOT_FOUND'],
    [404, undefined, 'ours'],
    [408, undefined, 'UNKNOWN'],
    [409, undefined, 'UNKNOWN'],
    [429, undefined, 'UNKNOWN'],
    [500, error('genericError', 'internal'), 'UNKNOWN'],
    [500, error('insufficientFunds'), 'UNKNOWN'],
    [503, error('genericError', 'serviceUnavailable'), 'UNKNOWN'],
    [503, undefined, 'UNKNOWN'],
  ] as const
  for (const [status, body, expected] of cases) {
    it(`${status} ${JSON.stringify(body) ?? ''} is ${expected}`, () => {
      assert.equal(verdict(created(status, body)), expected)
    })
  }

  it('keeps what the next look-up needs, and how a refund was made', () => {
    const pending = state('pending', { objectReference: 'T1', pollLimit: 10 })
    assert.deepEqual(created(202, pending), {
      kind: 'PENDING',
      ids: { request: REQUEST, transaction: 'T1', pollLimit: '10', polls: '0' },
    })
    const refund = order('REFUND', { original: ORIGINAL })
    const ids = (one: ProviderOrder) => {
      const outcome = created(202, state('pending'), one)
      return outcome.kind === 'PENDING' ? outcome.ids : undefined
    }
    assert.deepEqual(ids(refund), { request: REQUEST, by: 'reversal' })
    assert.deepEqual(ids(order('REFUND')), { request: REQUEST, by: 'payout' })
  })

  it('spreads the look-ups that are allowed over the time that is left', () => {
    const after = (expiryTime: string, pollLimit: number) => {
      const outcome = created(202, state('pending', { expiryTime, pollLimit }))
      return outcome.kind === 'PENDING' ? outcome.checkAfterMs : undefined
    }
    assert.equal(after('2025-03-01T12:05:00Z', 20), 15_000)
    assert.equal(after('2025-03-01T12:05:00Z', 1000), 5000)
    assert.equal(after('2025-03-02T12:00:00Z', 5), 60_000)
    assert.equal(after('2025-03-01T11:00:00Z', 20), undefined)
  })

  it('the token is refused by clientAuthorisationError only', () => {
    const { isTokenRefused } = GSMA.open(account())
    assert.ok(isTokenRefused(answer(401, error('clientAuthorisationError', 'authorisation'))))
    assert.ok(isTokenRefused(answer(401)))
    assert.ok(!isTokenRefused(answer(401, error('RequestDeclined', 'Authorisation'))))
    assert.ok(!isTokenRefused(answer(400, error('clientAuthorisationError'))))
  })
})

describe('the look-ups of gsma', () => {
  const pathOf = (next: Step | Outcome): string => stepOf(next).request('token').path
  const isUnknown = (next: Step | Outcome, why: string) =>
    assert.deepEqual(outcomeOf(next), { kind: 'UNKNOWN', why })

  it('asks for the state of the request, then for the transaction', () => {
    const first = query({ request: REQUEST })
    assert.equal(pathOf(first), `/v1.2/requeststates/${REQUEST}`)
    const second = first.read(answer(200, state('completed', { objectReference: 'T/1' })))
    assert.equal(pathOf(second), '/v1.2/transactions/T%2F1')
    assert.deepEqual(stepOf(second).read(answer(200, transaction('completed'))), {
      kind: 'DONE',
      transactionId: 'T1',
      amount: '15.00',
      currency: 'ZMW',
    })
    isUnknown(stepOf(second).read(answer(404)), 'AMBIGUOUS')
    isUnknown(stepOf(second).read(answer(503)), 'SERVER')
  })

  it('asks by our reference where nothing else is known, and follows the link', () => {
    const first = query()
    assert.equal(pathOf(first), `/v1.2/responses/${REFERENCE}`)
    const links = [
      ['/transactions/T1', '/v1.2/transactions/T1'],
      ['transactions/T1', '/v1.2/transactions/T1'],
      ['/v1.2/transactions/T1/', '/v1.2/transactions/T1'],
      ['https://elsewhere.example/mm/transactions/T1?x=1', '/v1.2/transactions/T1'],
      [`/requeststates/${REQUEST}`, `/v1.2/requeststates/${REQUEST}`],
    ] as const
    for (const [link, path] of links) assert.equal(pathOf(first.read(answer(200, { link }))), path)
    for (const link of ['https://elsewhere.example/T1', '/accounts/1', '/transactions/', '']) {
      isUnknown(first.read(answer(200, { link })), 'UNREADABLE')
    }
    isUnknown(first.read(answer(404, error('identifierError', 'identification'))), 'NOT_FOUND')
    isUnknown(first.read(answer(500)), 'SERVER')
  })

  it('an order that was taken is not taken for one that never arrived', () => {
    const first = query({ request: REQUEST })
    const second = stepOf(first.read(answer(404, error('identifierError', 'identification'))))
    assert.equal(pathOf(second), `/v1.2/responses/${REFERENCE}`)
    isUnknown(second.read(answer(404)), 'AMBIGUOUS')
    const linked = stepOf(second.read(answer(200, { link: `/requeststates/${REQUEST}` })))
    isUnknown(linked.read(answer(404)), 'AMBIGUOUS')
    isUnknown(linked.read(answer(200, state('completed'))), 'AMBIGUOUS')
  })

  it('counts the look-ups where they are limited, and asks another way after the last', () => {
    const ids = { request: REQUEST, pollLimit: '2', polls: '1' }
    const outcome = outcomeOf(query(ids).read(answer(200, state('pending', { pollLimit: 2 }))))
    assert.ok(outcome.kind === 'PENDING')
    assert.deepEqual(outcome.ids, { request: REQUEST, pollLimit: '2', polls: '2' })
    assert.equal(pathOf(query(outcome.ids)), `/v1.2/responses/${REFERENCE}`)
    assert.equal(pathOf(query({ ...outcome.ids, transaction: 'T1' })), '/v1.2/transactions/T1')
    const refused = query(ids).read(answer(400, error('rateLimitError')))
    assert.equal(pathOf(refused), `/v1.2/responses/${REFERENCE}`)
    const unlimited = outcomeOf(query({ request: REQUEST }).read(answer(200, state('pending'))))
    assert.deepEqual(unlimited, { kind: 'PENDING', ids: { request: REQUEST } })
  })

  it('a transaction that came at once, still pending', () => {
    const outcome = created(201, transaction('pending'))
    assert.deepEqual(outcome, { kind: 'PENDING', ids: { transaction: 'T1' } })
    const next = query({ transaction: 'T1' })
    assert.equal(pathOf(next), '/v1.2/transactions/T1')
    assert.equal(verdict(outcomeOf(next.read(answer(200, transaction('completed'))))), 'DONE')
  })

  it('a transaction that failed has no reason, but its callback may have had one', () => {
    const read = (ids: Record<string, string>, one = order('DEPOSIT')) =>
      verdict(outcomeOf(query({ transaction: 'T1', ...ids }, one).read(answer(200, FAILED))))
    const FAILED = transaction('failed')
    assert.equal(read({}), 'UNSPECIFIED_FAILURE')
    assert.equal(read({ reason: 'requestDeclined' }), 'PAYMENT_NOT_APPROVED')
    assert.equal(read({ reason: 'insufficientFunds' }, order('PAYOUT')), 'ours')
    const ids = { request: REQUEST, reason: 'requestDeclined' }
    const named = state('failed', { error: error('insufficientFunds') })
    const outcome = outcomeOf(query(ids).read(answer(200, named)))
    assert.equal(verdict(outcome), 'INSUFFICIENT_BALANCE')
  })

  it('a word that no table knows changes nothing', () => {
    for (const next of [
      query({ request: REQUEST }).read(answer(200, state('perhaps'))),
      query({ transaction: 'T1' }).read(answer(200, transaction('perhaps'))),
    ]) {
      const outcome = outcomeOf(next)
      assert.ok(outcome.kind === 'PENDING')
      assert.match(outcome.alert ?? '', /"perhaps"/)
    }
  })
})

describe('the requests of gsma', () => {
  const customer = [{ key: 'msisdn', value: `+${PHONE}` }]
  const ours = [{ key: 'msisdn', value: OWN }]
  const money = { amount: '15', currency: 'ZMW' }
  const texts = {
    descriptionText: 'Payment',
    requestingOrganisationTransactionReference: REFERENCE,
  }
  const shapes: readonly (readonly [string, ProviderOrder, string, object])[] = [
    [
      'deposit',
      order('DEPOSIT'),
      '/transactions/type/merchantpay',
      { ...money, debitParty: customer, creditParty: ours, ...texts },
    ],
    [
      'deposit with a one-time code',
      order('DEPOSIT', { oneTimeCode: '123456', message: 'Déjà-vu & more' }),
      '/transactions/type/merchantpay',
      {
        ...money,
        debitParty: customer,
        creditParty: ours,
        ...texts,
        descriptionText: 'Dejavu more',
        oneTimeCode: '123456',
      },
    ],
    [
      'payout',
      order('PAYOUT'),
      '/transactions/type/disbursement',
      { ...money, debitParty: ours, creditParty: customer, ...texts },
    ],
    [
      'remittance',
      order('REMITTANCE'),
      '/transactions/type/inttransfer',
      { ...money, debitParty: ours, creditParty: customer, ...texts },
    ],
    [
      'whole refund',
      order('REFUND', { original: ORIGINAL }),
      '/transactions/T%2F1/reversals',
      { type: 'reversal', ...texts },
    ],
    [
      'partial refund',
      order('REFUND', { original: ORIGINAL, amount: '4.5' }),
      '/transactions/T%2F1/reversals',
      { type: 'reversal', amount: '4.5', currency: 'ZMW', ...texts },
    ],
    [
      'refund of a deposit through another account',
      order('REFUND', { original: { ...ORIGINAL, account: 'another' } }),
      '/transactions/type/disbursement',
      { ...money, debitParty: ours, creditParty: customer, ...texts },
    ],
  ]
  for (const [name, one, path, body] of shapes) {
    it(name, () => {
      const step = submit(one)
      const request = step.request('token')
      assert.deepEqual(step.tokens, ['bearer'])
      assert.equal(request.method, 'POST')
      assert.equal(request.path, `/v1.2${path}`)
      assert.deepEqual(bodyOf(step), body)
      assert.deepEqual(request.headers, {
        accept: 'application/json',
        'accept-charset': 'utf-8',
        'x-date': '2025-03-01T12:00:00.000Z',
        'x-api-key': API_KEY.apiKey,
        'x-client-id': CLIENT.clientId,
        authorization: 'Bearer token',
        'content-type': 'application/json',
        'x-correlationid': REFERENCE,
        'x-callback-url': `https://malipo.example/operators/zamtel-zambia/secret/${REFERENCE}`,
        'x-content-hash': createHash('sha256')
          .update(request.body ?? '')
          .digest('hex'),
      })
    })
  }

  it('a refund that can neither be reversed nor paid out is refused', () => {
    const without = account({ providers: { ZAMTEL_ZMB: ['DEPOSIT', 'REFUND'] } })
    const outcome = outcomeOf(GSMA.open(without).submit(order('REFUND'), REFERENCE))
    assert.equal(verdict(outcome), 'UNSPECIFIED_FAILURE')
  })

  it('signs in with a form, at the path of the settings', () => {
    const requestOf = (settings: Record<string, string>) =>
      GSMA.open(account({ settings: { basePath: '/v1.2', ...settings } })).tokens.bearer?.request()
    const request = requestOf({})
    assert.equal(request?.path, '/oauth/token')
    assert.equal(request?.method, 'POST')
    assert.equal(request?.headers['content-type'], 'application/x-www-form-urlencoded')
    assert.equal(
      request?.body,
      `grant_type=client_credentials&client_id=${CLIENT.clientId}&client_secret=${CLIENT.clientSecret}`,
    )
    assert.equal(requestOf({ tokenPath: '/v1/accesstoken' })?.path, '/v1/accesstoken')
    const { tokens } = GSMA.open(account())
    assert.deepEqual(tokens.bearer?.read(answer(200, { access_token: 'a', expires_in: 60 })), {
      value: 'a',
      livesMs: 60_000,
    })
    assert.equal(tokens.bearer?.read(answer(401, { error: 'invalid_client' })), undefined)
  })

  it('a user goes with every request, without signing in', () => {
    const basicOnly = account({ secrets: { username: 'user', password: 'password' } })
    const step = submit(order('DEPOSIT'), basicOnly)
    assert.deepEqual(step.tokens, [])
    assert.deepEqual(GSMA.open(basicOnly).tokens, {})
    const { headers } = step.request()
    assert.equal(headers.authorization, 'Basic dXNlcjpwYXNzd29yZA==')
    assert.equal(headers['x-api-key'], undefined)
  })

  it('names the institution, and what kind of name it is', () => {
    const headersOf = (accountHoldingInstitution: string) =>
      submit(
        order('DEPOSIT'),
        account({ settings: { basePath: '/', accountHoldingInstitution } }),
      ).request('').headers
    const name = 'x-account-holding-institution-identifier'
    assert.equal(headersOf('ZAMTEL')[name], 'ZAMTEL')
    assert.equal(headersOf('ZAMTEL')[`${name}-type`], 'organisationid')
    assert.equal(headersOf('swiftbic:ZAMTZMLU')[name], 'ZAMTZMLU')
    assert.equal(headersOf('swiftbic:ZAMTZMLU')[`${name}-type`], 'swiftbic')
  })

  it('names our own account by number, by identifier, or not at all', () => {
    const of = (settings: Record<string, string>) => {
      const one = account({ settings: { basePath: '/', ...settings } })
      const [balance] = GSMA.open(one).balances ?? []
      const { creditParty } = bodyOf(submit(order('DEPOSIT'), one))
      return [creditParty, balance?.request('').path]
    }
    assert.deepEqual(of({ payeeMsisdn: OWN }), [ours, `/accounts/msisdn/${OWN}/balance`])
    assert.deepEqual(of({ payeeAccount: 'A 1' }), [
      [{ key: 'accountid', value: 'A 1' }],
      '/accounts/accountid/A%201/balance',
    ])
    assert.deepEqual(of({}), [undefined, '/accounts/balance'])
  })

  it('reads the balance and the heartbeat', () => {
    const { balances = [], probe } = GSMA.open(account())
    const balance = (json: object, status = 200) => balances[0]?.read(answer(status, json))
    const found = { product: 'account', amount: '7.50', currency: 'ZMW' }
    assert.deepEqual(balance({ availableBalance: '7.50', currentBalance: '9' }), found)
    assert.deepEqual(balance({ currentBalance: '7.50', currency: 'ZMW' }), found)
    assert.equal(balance({}), undefined)
    assert.equal(balance(error('identifierError'), 404), undefined)
    assert.equal(probe?.read(answer(200, { serviceStatus: 'degraded' })), 'degraded')
    assert.equal(probe?.read(answer(200, { serviceStatus: 'unavailable' })), undefined)
    assert.equal(probe?.read(answer(404)), 'the operator has none')
  })
})

describe('the callbacks of gsma', () => {
  const asBody = (json: unknown) => Buffer.from(JSON.stringify(json))
  const raw = asBody(
    transaction('completed', { requestingOrganisationTransactionReference: REFERENCE }),
  )
  const hash = createHash('sha256').update(raw).digest('hex')
  const { readCallback } = GSMA.open(account())
  const genuine = { isGenuine: true, reply: { status: 204 } }
  const declined = { ...genuine, ids: { reason: 'requestDeclined' } }
  const forged = { isGenuine: false, reply: { status: 400 } }
  const cases = [
    ['with our reference', { 'x-correlationid': REFERENCE }, raw, genuine, REFERENCE],
    ['with the hash', { 'x-content-hash': hash.toUpperCase() }, raw, genuine, REFERENCE],
    ['with another hash', { 'x-content-hash': hash.replace(/^./, '!') }, raw, forged, REFERENCE],
    ['with a reference that is none', { 'x-correlationid': '1' }, raw, genuine, undefined],
    ['an error', {}, asBody(error('x')), genuine, undefined],
    ['a reason', {}, asBody(error('RequestDeclined')), declined, undefined],
    ['a duplicate', {}, asBody(error('duplicateRequest')), genuine, undefined],
    ['no JSON', {}, Buffer.from('<html>'), genuine, undefined],
  ] as const
  for (const [name, headers, body, expected, reference] of cases) {
    it(name, () => {
      const claim = readCallback({ headers, raw: body })
      assert.deepEqual(claim, reference === undefined ? expected : { ...expected, reference })
    })
  }
})

describe('the stand-in of gsma', () => {
  const good = () => {
    const { path, headers, body = '' } = submit(order('DEPOSIT')).request('gsma.token')
    const { 'x-callback-url': _, 'x-content-hash': __, ...rest } = headers
    return { path, headers: rest as Record<string, string>, body: JSON.parse(body) }
  }
  const send = async (
    url: string,
    { path, headers, body }: ReturnType<typeof good>,
  ): Promise<readonly [number, { readonly errorCode?: string }]> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return [response.status, (await response.json()) as { errorCode?: string }]
  }
  const headers = (change: Record<string, string>) => ({
    headers: { ...good().headers, ...change },
  })
  const body = (change: object) => ({ body: { ...good().body, ...change } })
  const faults = [
    ['no token', headers({ authorization: '' }), 401, 'clientAuthorisationError'],
    ['a strange token', headers({ authorization: 'Bearer x' }), 401, 'clientAuthorisationError'],
    ['a wrong key', headers({ 'x-api-key': 'wrong' }), 401, 'clientAuthorisationError'],
    ['no JSON', headers({ 'content-type': 'text/plain' }), 400, 'formatError'],
    ['a reference that is none', headers({ 'x-correlationid': '1' }), 400, 'formatError'],
    ['a wrong hash', headers({ 'x-content-hash': '00' }), 400, 'formatError'],
    ['a date that is none', headers({ 'x-date': 'today' }), 400, 'formatError'],
    ['an address that is none', headers({ 'x-callback-url': 'here' }), 400, 'formatError'],
    ['an amount as a number', body({ amount: 15 }), 400, 'formatError'],
    ['an amount with a zero before it', body({ amount: '015' }), 400, 'formatError'],
    ['a negative amount', body({ amount: '-1' }), 400, 'negativeValue'],
    ['no amount', body({ amount: undefined }), 400, 'mandatoryValueNotSupplied'],
    ['no currency', body({ currency: undefined }), 400, 'mandatoryValueNotSupplied'],
    ['a currency that is none', body({ currency: 'zmw' }), 400, 'currencyNotSupported'],
    ['a party that is no list', body({ debitParty: { key: 'msisdn' } }), 400, 'formatError'],
    ['the same parties', body({ creditParty: good().body.debitParty }), 400, 'samePartiesError'],
    ['a long text', body({ descriptionText: 'x'.repeat(161) }), 400, 'lengthError'],
    [
      'no parties',
      body({ debitParty: undefined, creditParty: undefined }),
      400,
      'mandatoryValueNotSupplied',
    ],
    ['a type of its own', { path: '/v1.2/transactions/type/gift' }, 400, 'transactionTypeError'],
    ['another path', { path: '/v1.2/gifts' }, 404, 'identifierError'],
    [
      'a reversal of nothing',
      { path: '/v1.2/transactions/1/reversals', ...body({ type: 'reversal' }) },
      404,
      'identifierError',
    ],
    ['a reversal without a type', { path: '/v1.2/transactions/1/reversals' }, 400, 'formatError'],
  ] as const

  it('refuses what the operator refuses', async () => {
    const standIn = await startStandIn(GSMA_STAND_IN)
    try {
      for (const [name, change, status, code] of faults) {
        const [answered, { errorCode }] = await send(standIn.url, { ...good(), ...change })
        assert.deepEqual([answered, errorCode], [status, code], name)
      }
      assert.deepEqual(standIn.book.all(), [])
      assert.equal((await send(standIn.url, good()))[0], 202)
      assert.equal((await send(standIn.url, good()))[1].errorCode, 'duplicateRequest')
    } finally {
      await standIn.close()
    }
  })

  it('gives back no more than came in', async () => {
    const standIn = await startStandIn(GSMA_STAND_IN, { endsAfterMs: 0 })
    const reversal = (name: string, amount: string, last: string) => ({
      path: `/v1.2/transactions/${name}/reversals`,
      headers: { ...good().headers, 'x-correlationid': REFERENCE.slice(0, -1) + last },
      body: { type: 'reversal', amount, currency: 'ZMW' },
    })
    try {
      await send(standIn.url, good())
      const { transactionId = '' } = standIn.book.find(REFERENCE) ?? {}
      const codes: (string | number)[] = []
      for (const [at, amount] of ['10', '5.01', '5', '1'].entries()) {
        const [status, reply] = await send(standIn.url, reversal(transactionId, amount, String(at)))
        codes.push(reply.errorCode ?? status)
      }
      assert.deepEqual(codes, [202, 'overPaymentNotAllowed', 202, 'overPaymentNotAllowed'])
    } finally {
      await standIn.close()
    }
  })
})

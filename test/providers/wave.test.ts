import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { request as send } from 'undici'
import { addOperatorAccount } from '../../harness/operator-accounts.ts'
import { eventually, payer, type Service, startService } from '../../harness/service.ts'
import type { OperationType } from '../../src/domain/provider.ts'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import type { Outcome, ProviderOrder } from '../../src/providers/connector.ts'
import type { Answer, OpenAccount, Step } from '../../src/providers/operator.ts'
import { type RunningStandIn, startStandIn } from '../../src/providers/stand-in/server.ts'
import { CODES } from '../../src/providers/wave/codes.ts'
import { isSignedWith, signatureHeader } from '../../src/providers/wave/crypto.ts'
import { WAVE } from '../../src/providers/wave/operator.ts'
import {
  SIGNING_SECRET,
  WAVE_STAND_IN,
  WEBHOOK_SECRET,
} from '../../src/providers/wave/stand-in/operator.ts'
import { contractOf } from './contract.ts'

/** A key that was made with request signing. */
const API_KEY = 'wave_sn_prod_signed0123456789abcdef'
const SECRETS = {
  apiKey: API_KEY,
  signingSecret: SIGNING_SECRET,
  webhookSecret: WEBHOOK_SECRET,
}
const accountFile = (baseUrl: string) => ({
  name: 'wave-senegal',
  connector: 'wave',
  baseUrl,
  providers: { WAVE_SEN: ['DEPOSIT', 'PAYOUT', 'REFUND'] },
  priority: 1,
  settings: {},
  secrets: SECRETS,
})
const URLS = { successfulUrl: 'https://shop.example/ok', failedUrl: 'https://shop.example/no' }

contractOf({
  standIn: WAVE_STAND_IN,
  account: accountFile,
  provider: 'WAVE_SEN',
  currency: 'XOF',
  amount: '1500',
  numbers: '2217810',
  kinds: ['deposit', 'payout', 'refund'],
  depositMembers: URLS,
  firstLookUp: 15,
  reconciliation: 1920,
  declined: 'payer-mobile-mismatch',
  failures: [
    { kind: 'deposit', reason: 'payer-mobile-mismatch', means: 'another customer tried to pay' },
    { kind: 'payout', reason: 'recipient-account-inactive', means: 'no wallet has this number' },
    {
      kind: 'payout',
      reason: 'recipient-limit-exceeded',
      means: 'the wallet may not receive so much',
    },
  ],
  secrets: Object.values(SECRETS),
  traits: {
    refusesKnownReferences: false,
    isFoundByOurReference: true,
    isRefundFinalAtOnce: true,
    namesTransaction: true,
    namesAmount: true,
    hasTokens: false,
    hasCallbacks: true,
  },
})

const REFERENCE = '5a8cbd0e-6a59-4f0e-9f0a-3a4c51b0a111'
const NOW = 1_667_920_421_000

const accountWith = (changes: Partial<OpenAccount> = {}): OpenAccount => ({
  ...accountFile('https://api.wave.example'),
  providers: { WAVE_SEN: ['DEPOSIT', 'PAYOUT', 'REFUND'] },
  enabled: true,
  callbackSecret: 'secret',
  callbackSources: [],
  limits: {},
  catalog: readCatalog(CATALOG_FILE),
  referenceOf: () => REFERENCE,
  callbackUrl: (reference) => `https://pay.example/operators/wave-senegal/secret/${reference}`,
  now: () => NOW,
  realNow: () => NOW,
  ...changes,
})
const ACCOUNT = accountWith()

const orderOf = (operation: OperationType, changes: Partial<ProviderOrder> = {}) =>
  ({
    operation,
    provider: 'WAVE_SEN',
    amount: '1500',
    currency: 'XOF',
    phoneNumber: '221781000001',
    ...changes,
  }) as ProviderOrder

const ORIGINAL = {
  amount: '1500',
  account: 'wave-senegal',
  reference: REFERENCE,
  ids: { session: 'cos-1b01sghpg100j' },
}
const REFUND = orderOf('REFUND', { original: ORIGINAL })

const answer = (status: number, json?: unknown): Answer => ({
  status,
  json,
  text: json === undefined ? '' : JSON.stringify(json),
})

const isStep = (next: Step | Outcome): next is Step => 'request' in next
const stepOf = (next: Step | Outcome): Step => {
  assert.ok(isStep(next), JSON.stringify(next))
  return next
}
const outcomeOf = (next: Step | Outcome): Outcome => {
  assert.ok(!isStep(next))
  return next
}
const submitted = (order: ProviderOrder, reply: Answer, account = ACCOUNT): Outcome =>
  outcomeOf(stepOf(WAVE.open(account).submit(order, REFERENCE)).read(reply))
const queried = (order: ProviderOrder, reply: Answer, account = ACCOUNT): Outcome =>
  outcomeOf(stepOf(WAVE.open(account).query(order, REFERENCE)).read(reply))

/** In one word: the code that a merchant reads, `ours`, or the kind. */
const wordOf = (outcome: Outcome): string => {
  if (outcome.kind !== 'FAILED' && outcome.kind !== 'REFUSED') return outcome.kind
  return outcome.isOurFault ? 'ours' : outcome.failure.code
}

const SESSION = {
  id: 'cos-1b01sghpg100j',
  amount: '1500',
  currency: 'XOF',
  checkout_status: 'open',
  payment_status: 'processing',
  client_reference: REFERENCE,
  last_payment_error: null,
  transaction_id: null,
  wave_launch_url: 'https://pay.wave.com/c/cos-1b01sghpg100j?a=1500&c=XOF&m=Shop',
  when_created: '2022-11-08T15:05:32Z',
  when_expires: '2022-11-08T16:05:32Z',
}
const HOUR = 3_600_000
const SESSION_IDS = { session: SESSION.id, until: String(NOW + HOUR) }
const PAYOUT = {
  id: 'pt-185b5e4b8100c',
  currency: 'XOF',
  receive_amount: '1500',
  fee: '15',
  mobile: '+221781000001',
  status: 'processing',
  client_reference: REFERENCE,
  payout_error: null,
}

/** Code, what a merchant reads of a deposit, and of a payout. */
const REASONS = [
  ['insufficient-funds', 'INSUFFICIENT_BALANCE', 'ours'],
  ['blocked-account', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['cross-border-payment-not-allowed', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['customer-age-restricted', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['payer-mobile-mismatch', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['kyb-limits-exceeded', 'ours', 'ours'],
  ['payment-failure', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['recipient-limit-exceeded', 'WALLET_LIMIT_REACHED', 'WALLET_LIMIT_REACHED'],
  ['recipient-account-blocked', 'RECIPIENT_NOT_FOUND', 'RECIPIENT_NOT_FOUND'],
  ['recipient-account-inactive', 'RECIPIENT_NOT_FOUND', 'RECIPIENT_NOT_FOUND'],
  ['recipient-minor', 'RECIPIENT_NOT_FOUND', 'RECIPIENT_NOT_FOUND'],
  ['country-mismatch', 'ours', 'ours'],
  ['currency-mismatch', 'ours', 'ours'],
  ['aggregated-merchant-required', 'ours', 'ours'],
  ['invalid-aggregated-merchant-id', 'ours', 'ours'],
  ['idempotency-mismatch', 'UNKNOWN', 'UNKNOWN'],
  ['checkout-refund-failed', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['checkout-session-not-found', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['missing-auth-header', 'ours', 'ours'],
  ['invalid-auth', 'ours', 'ours'],
  ['api-key-not-provided', 'ours', 'ours'],
  ['no-matching-api-key', 'ours', 'ours'],
  ['api-key-revoked', 'ours', 'ours'],
  ['missing-signature', 'ours', 'ours'],
  ['invalid-signature', 'ours', 'ours'],
  ['invalid-wallet', 'ours', 'ours'],
  ['disabled-wallet', 'ours', 'ours'],
  ['unauthorized-wallet', 'ours', 'ours'],
  ['request-not-json', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['request-parsing-error', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['request-validation-error', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
] as const

describe('14 the codes of wave', () => {
  for (const [code, ofDeposit, ofPayout] of REASONS) {
    it(code, () => {
      const expired = {
        ...SESSION,
        checkout_status: 'expired',
        payment_status: 'cancelled',
        last_payment_error: { code, message: 'words' },
      }
      assert.equal(wordOf(queried(orderOf('DEPOSIT'), answer(200, expired))), ofDeposit)
      const payout_error = { error_code: code, error_message: 'words' }
      const failed = { ...PAYOUT, status: 'failed', payout_error }
      assert.equal(wordOf(queried(orderOf('PAYOUT'), answer(200, failed))), ofPayout)
      for (const body of [{ code }, { error_code: code }, { error: { code } }]) {
        assert.equal(wordOf(submitted(orderOf('DEPOSIT'), answer(422, body))), ofDeposit)
        assert.equal(wordOf(submitted(orderOf('PAYOUT'), answer(422, body))), ofPayout)
        assert.equal(wordOf(submitted(REFUND, answer(422, body))), ofPayout)
      }
    })
  }

  it('none of the table is missing here', () => {
    const listed: readonly string[] = REASONS.map(([code]) => code)
    assert.deepEqual(Object.keys(CODES).toSorted(), [...listed].toSorted())
  })

  it('a code of tomorrow: nobody paid, and a payout just failed', () => {
    const error = { code: 'of-tomorrow', error_code: 'of-tomorrow' }
    const session = { ...SESSION, checkout_status: 'expired', last_payment_error: error }
    const deposit = queried(orderOf('DEPOSIT'), answer(200, session))
    assert.equal(wordOf(deposit), 'PAYMENT_NOT_APPROVED')
    const payout = { ...PAYOUT, status: 'failed', payout_error: error }
    assert.equal(wordOf(queried(orderOf('PAYOUT'), answer(200, payout))), 'UNSPECIFIED_FAILURE')
    const refusal = submitted(orderOf('PAYOUT'), answer(422, error))
    assert.equal(wordOf(refusal), 'UNSPECIFIED_FAILURE')
  })
})

/** Status, body, and what it means for a deposit, a payout and a refund. */
const NEW_ORDERS = [
  [200, undefined, 'UNKNOWN UNREADABLE', 'UNKNOWN UNREADABLE', 'PENDING'],
  [200, { surprise: true }, 'UNKNOWN UNREADABLE', 'UNKNOWN UNREADABLE', 'PENDING'],
  [400, { code: 'request-validation-error' }, 'REFUSED', 'REFUSED', 'REFUSED'],
  [400, undefined, 'REFUSED', 'REFUSED', 'REFUSED'],
  [401, { code: 'missing-signature' }, 'REFUSED ours', 'REFUSED ours', 'REFUSED ours'],
  [403, { code: 'unauthorized-wallet' }, 'REFUSED ours', 'REFUSED ours', 'REFUSED ours'],
  [404, { code: 'checkout-session-not-found' }, 'REFUSED', 'REFUSED', 'REFUSED'],
  [408, undefined, 'UNKNOWN SERVER', 'UNKNOWN SERVER', 'UNKNOWN SERVER'],
  [409, { code: 'idempotency-mismatch' }, ...Array(3).fill('UNKNOWN DUPLICATE')],
  [409, undefined, ...Array(3).fill('UNKNOWN DUPLICATE')],
  [409, { code: 'checkout-refund-failed' }, 'REFUSED', 'REFUSED', 'REFUSED'],
  [422, { code: 'insufficient-funds' }, 'REFUSED', 'FAILED ours', 'FAILED ours'],
  [422, { code: 'recipient-minor' }, 'REFUSED', 'REFUSED', 'REFUSED'],
  [429, { code: 'too-many-requests' }, 'REFUSED ours', 'UNKNOWN SERVER', 'UNKNOWN SERVER'],
  [500, { code: 'internal-server-error' }, ...Array(3).fill('UNKNOWN SERVER')],
  [500, { code: 'insufficient-funds' }, ...Array(3).fill('UNKNOWN SERVER')],
  [503, undefined, ...Array(3).fill('UNKNOWN SERVER')],
] as const

describe('the answers of wave to a new order', () => {
  const summaryOf = (outcome: Outcome): string => {
    if (outcome.kind === 'UNKNOWN') return `UNKNOWN ${outcome.why}`
    return wordOf(outcome) === 'ours' ? `${outcome.kind} ours` : outcome.kind
  }
  for (const [status, body, ...expected] of NEW_ORDERS) {
    it(`${status} ${JSON.stringify(body) ?? ''}`, () => {
      const orders = [orderOf('DEPOSIT'), orderOf('PAYOUT'), REFUND]
      const outcomes = orders.map((one) => summaryOf(submitted(one, answer(status, body))))
      assert.deepEqual(outcomes, expected)
    })
  }

  it('a session is a page, and nothing more', () => {
    const pending = {
      kind: 'PENDING',
      authorizationUrl: SESSION.wave_launch_url,
      ids: SESSION_IDS,
    }
    const complete = { ...SESSION, checkout_status: 'complete', payment_status: 'succeeded' }
    for (const session of [SESSION, complete]) {
      assert.deepEqual(submitted(orderOf('DEPOSIT'), answer(200, session)), pending)
    }
    const { wave_launch_url: _, ...pageless } = SESSION
    assert.equal(submitted(orderOf('DEPOSIT'), answer(200, pageless)).kind, 'UNKNOWN')
  })

  it('a session that does not say when it ends lives half an hour', () => {
    const { when_expires: _, ...session } = SESSION
    const outcome = submitted(orderOf('DEPOSIT'), answer(200, session))
    assert.ok(outcome.kind === 'PENDING')
    assert.equal(outcome.ids?.until, String(NOW + HOUR / 2))
  })

  it('a payout that is reported as done is looked up at once', () => {
    const ids = { payout: PAYOUT.id, until: String(NOW + HOUR / 2) }
    const done = answer(200, { ...PAYOUT, status: 'succeeded' })
    const pending = { kind: 'PENDING', checkAfterMs: 0, ids }
    assert.deepEqual(submitted(orderOf('PAYOUT'), done), pending)
    const accepted = submitted(orderOf('PAYOUT'), answer(200, PAYOUT))
    assert.deepEqual(accepted, { kind: 'PENDING', ids })
    const byPayout = orderOf('REFUND', { amount: '500', original: ORIGINAL })
    assert.deepEqual(submitted(byPayout, done), { ...pending, ids: { ...ids, by: 'payout' } })
  })

  it('a refund is over with its answer, which is stored first', () => {
    const ids = { by: 'refund', refunded: 'yes' }
    assert.deepEqual(submitted(REFUND, answer(200)), { kind: 'PENDING', checkAfterMs: 0, ids })
    const { query } = WAVE.open(ACCOUNT)
    assert.deepEqual(query({ ...REFUND, ids }, REFERENCE), { kind: 'DONE' })
    assert.deepEqual(query(REFUND, REFERENCE), { kind: 'UNKNOWN', why: 'NOT_FOUND' })
  })
})

const DEPOSIT = orderOf('DEPOSIT', { ids: SESSION_IDS })
const found = (session: object) => queried(DEPOSIT, answer(200, session))

describe('the answers of wave to a look-up', () => {
  it('open: pending, whatever became of the last attempt, which is remembered', () => {
    const page = { kind: 'PENDING', authorizationUrl: SESSION.wave_launch_url }
    assert.deepEqual(found(SESSION), { ...page, ids: SESSION_IDS })
    const last_payment_error = { code: 'insufficient-funds', message: 'words' }
    const tried = found({ ...SESSION, payment_status: 'cancelled', last_payment_error })
    const ids = { ...SESSION_IDS, lastError: 'insufficient-funds' }
    assert.deepEqual(tried, { ...page, ids })
    const expired = answer(200, { ...SESSION, checkout_status: 'expired' })
    assert.equal(wordOf(queried({ ...DEPOSIT, ids }, expired)), 'INSUFFICIENT_BALANCE')
  })

  it('open after its end: nobody knows', () => {
    const late = accountWith({ now: () => NOW + HOUR })
    const outcome = queried(DEPOSIT, answer(200, SESSION), late)
    assert.deepEqual(outcome, { kind: 'UNKNOWN', why: 'AMBIGUOUS', ids: SESSION_IDS })
  })

  it('complete and succeeded: done, with what it says it moved', () => {
    const done = {
      kind: 'DONE',
      transactionId: 'TCN4Y4ZC3FM',
      amount: '1500',
      currency: 'XOF',
    }
    for (const checkout_status of ['complete', 'expired']) {
      const paid = { payment_status: 'succeeded', transaction_id: 'TCN4Y4ZC3FM' }
      assert.deepEqual(found({ ...SESSION, ...paid, checkout_status }), done)
    }
  })

  it('expired: not approved', () => {
    const expired = { ...SESSION, checkout_status: 'expired', payment_status: 'cancelled' }
    assert.equal(wordOf(found(expired)), 'PAYMENT_NOT_APPROVED')
  })

  for (const words of [
    { checkout_status: 'perhaps' },
    { payment_status: 'perhaps' },
    { checkout_status: 'complete', payment_status: 'cancelled' },
    { payment_status: 'succeeded' },
  ]) {
    it(`${JSON.stringify(words)}: still pending, and an alert`, () => {
      const outcome = found({ ...SESSION, ...words })
      assert.ok(outcome.kind === 'PENDING' && outcome.alert !== undefined)
    })
  }

  it('of several with our reference, the one that moved money counts', () => {
    const paid = { ...SESSION, checkout_status: 'complete', payment_status: 'succeeded' }
    const over = { ...SESSION, checkout_status: 'expired' }
    const foreign = { ...paid, client_reference: 'another' }
    const order = orderOf('DEPOSIT')
    const kindOf = (...all: object[]) => {
      const [wrapped, bare] = [{ result: all }, all].map((body) =>
        queried(order, answer(200, body)),
      )
      assert.deepEqual(wrapped, bare)
      return wrapped?.kind
    }
    assert.equal(kindOf(over, SESSION, paid), 'DONE')
    assert.equal(kindOf(over, SESSION, foreign), 'PENDING')
    assert.equal(kindOf(over, { ...SESSION, checkout_status: 'perhaps' }), 'PENDING')
    assert.equal(kindOf(over), 'FAILED')
  })

  for (const [status, body, why] of [
    [404, { code: 'checkout-session-not-found' }, 'NOT_FOUND'],
    [200, { result: [] }, 'NOT_FOUND'],
    [200, [], 'NOT_FOUND'],
    [200, undefined, 'UNREADABLE'],
    [200, { surprise: true }, 'UNREADABLE'],
    [401, { code: 'api-key-revoked' }, 'UNREADABLE'],
    [429, undefined, 'UNREADABLE'],
    [500, undefined, 'SERVER'],
  ] as const) {
    it(`${status} ${JSON.stringify(body) ?? ''}: unknown, ${why}`, () => {
      for (const order of [DEPOSIT, orderOf('PAYOUT')]) {
        assert.deepEqual(queried(order, answer(status, body)), { kind: 'UNKNOWN', why })
      }
    })
  }

  it('a payout: every word', () => {
    const order = orderOf('PAYOUT', { ids: { payout: PAYOUT.id, until: String(NOW + 1) } })
    const after = (status: string) => queried(order, answer(200, { ...PAYOUT, status }))
    const done = { transactionId: PAYOUT.id, amount: '1500', currency: 'XOF' }
    assert.deepEqual(after('succeeded'), { kind: 'DONE', ...done })
    assert.deepEqual(after('processing'), { kind: 'PENDING', ids: order.ids })
    assert.equal(wordOf(after('failed')), 'UNSPECIFIED_FAILURE')
    assert.equal(wordOf(after('reversed')), 'UNSPECIFIED_FAILURE')
    const odd = after('perhaps')
    assert.ok(odd.kind === 'PENDING' && odd.alert !== undefined)
    const late = accountWith({ now: () => NOW + 1 })
    assert.equal(queried(order, answer(200, PAYOUT), late).kind, 'UNKNOWN')
  })
})

const requestOf = (next: Step | Outcome) => stepOf(next).request()
const UNSIGNED = accountWith({
  secrets: { apiKey: 'wave_sn_prod_0123456789', webhookSecret: WEBHOOK_SECRET },
})
const AUTHORISED = { authorization: 'Bearer wave_sn_prod_0123456789' }
const JSON_TYPE = { 'content-type': 'application/json' }

describe('the requests of wave', () => {
  const { submit, query, probe } = WAVE.open(UNSIGNED)

  it('a session', () => {
    const { body = '', ...rest } = requestOf(submit(orderOf('DEPOSIT', URLS), REFERENCE))
    assert.deepEqual(rest, {
      method: 'POST',
      path: '/v1/checkout/sessions',
      headers: { ...AUTHORISED, ...JSON_TYPE },
    })
    assert.deepEqual(JSON.parse(body), {
      amount: '1500',
      currency: 'XOF',
      success_url: URLS.successfulUrl,
      error_url: URLS.failedUrl,
      client_reference: REFERENCE,
      restrict_payer_mobile: '+221781000001',
    })
  })

  it('a session takes https only, and amounts without decimals', () => {
    const urls = { successfulUrl: 'myapp://ok' }
    const order = orderOf('DEPOSIT', { ...urls, amount: '1500.00' })
    const { body = '' } = requestOf(submit(order, REFERENCE))
    const { success_url, error_url, amount } = JSON.parse(body)
    const neutral = 'https://www.wave.com/'
    assert.deepEqual([success_url, error_url, amount], [neutral, neutral, '1500'])
  })

  it('a payout, the same however often', () => {
    const order = orderOf('PAYOUT', { message: `Salaire d’août ${'x'.repeat(60)}` })
    const first = requestOf(submit(order, REFERENCE))
    const { body = '', ...rest } = first
    assert.deepEqual(rest, {
      method: 'POST',
      path: '/v1/payout',
      headers: { ...AUTHORISED, ...JSON_TYPE, 'idempotency-key': REFERENCE },
    })
    assert.deepEqual(JSON.parse(body), {
      currency: 'XOF',
      receive_amount: '1500',
      mobile: '+221781000001',
      payment_reason: `Salaire daout ${'x'.repeat(26)}`,
      client_reference: REFERENCE,
    })
    assert.deepEqual(requestOf(submit(order, REFERENCE)), first)
  })

  it('a refund of the whole deposit gives back its session', () => {
    const headers = AUTHORISED
    const path = '/v1/checkout/sessions/cos-1b01sghpg100j/refund'
    assert.deepEqual(requestOf(submit(REFUND, REFERENCE)), { method: 'POST', path, headers })
    const written = { ...REFUND, amount: '1500.0' }
    assert.equal(requestOf(submit(written, REFERENCE)).path, path)
  })

  for (const [what, order] of [
    ['a part of it', { ...REFUND, amount: '500' }],
    ['a deposit of another account', { ...REFUND, original: { ...ORIGINAL, account: 'other' } }],
    ['a deposit without a session', { ...REFUND, original: { amount: '1500' } }],
    ['a deposit that is not known', orderOf('REFUND')],
  ] as const) {
    it(`a refund of ${what} is a payout, where the account has them`, () => {
      const request = requestOf(submit(order, REFERENCE))
      assert.equal(request.path, '/v1/payout')
      assert.equal(request.headers['idempotency-key'], REFERENCE)
      const without = accountWith({ providers: { WAVE_SEN: ['DEPOSIT', 'REFUND'] } })
      const outcome = WAVE.open(without).submit(order, REFERENCE)
      assert.ok(!isStep(outcome) && outcome.kind === 'REFUSED')
    })
  }

  it('look-ups go by what Wave calls the order, else by our reference', () => {
    const paths = [
      orderOf('DEPOSIT'),
      DEPOSIT,
      orderOf('PAYOUT'),
      orderOf('PAYOUT', { ids: { payout: PAYOUT.id } }),
      orderOf('REFUND', { ids: { by: 'payout', payout: PAYOUT.id } }),
    ].map((order) => requestOf(query(order, REFERENCE)))
    const search = `search?client_reference=${REFERENCE}`
    assert.deepEqual(
      paths.map(({ path }) => path),
      [
        `/v1/checkout/sessions/${search}`,
        `/v1/checkout/sessions/${SESSION.id}`,
        `/v1/payouts/${search}`,
        `/v1/payout/${PAYOUT.id}`,
        `/v1/payout/${PAYOUT.id}`,
      ],
    )
    for (const { method, headers, body } of paths) {
      assert.deepEqual(
        { method, headers, body },
        { method: 'GET', headers: AUTHORISED, body: undefined },
      )
    }
  })

  it('a test looks for something that the account may look for', () => {
    const pathOf = (account: OpenAccount) => WAVE.open(account).probe?.request().path ?? ''
    assert.match(pathOf(UNSIGNED), /^\/v1\/checkout\/sessions\/search\?/)
    const payouts = accountWith({ providers: { WAVE_SEN: ['PAYOUT'] } })
    assert.match(pathOf(payouts), /^\/v1\/payouts\/search\?/)
    assert.equal(typeof probe?.read(answer(200, { result: [] })), 'string')
    assert.equal(probe?.read(answer(401, { code: 'no-matching-api-key' })), undefined)
  })

  it('with a signing secret, every request is signed, an empty body too', () => {
    const signed = WAVE.open(ACCOUNT)
    for (const { headers, body = '' } of [
      requestOf(signed.submit(orderOf('DEPOSIT', URLS), REFERENCE)),
      requestOf(signed.submit(orderOf('PAYOUT'), REFERENCE)),
      requestOf(signed.submit(REFUND, REFERENCE)),
      requestOf(signed.query(DEPOSIT, REFERENCE)),
    ]) {
      const header = headers['wave-signature'] ?? ''
      assert.match(header, /^t=1667920421,v1=[0-9a-f]{64}$/)
      assert.ok(isSignedWith(SIGNING_SECRET, header, Buffer.from(body)))
    }
  })
})

/** The sample of Wave's own documentation. */
const SAMPLE = {
  secret: 'wave_sn_WHS_xz4m6g8rjs9bshxy05xj4khcvjv7j3hcp4fbpvv6met0zdrjvezg',
  signature: '53c971695230e9c51b1030d673eee76e70bbcdf8a7c5b8c1d44e0b8b1329647b',
  body:
    '{"id": "AE_ijzo7oGgrlM7", "type": "checkout.session.completed", "data": {"id": "cos-1b01sghpg100j", ' +
    '"amount": "100", "checkout_status": "complete", "client_reference": null, "currency": "XOF", ' +
    '"error_url": "https://example.com/error", "last_payment_error": null, "business_name": "Annas Apiaries", ' +
    '"payment_status": "succeeded", "success_url": "https://example.com/success", ' +
    '"wave_launch_url": "https://pay.wave.com/c/cos-1b01sghpg100j?a=100&c=XOF&m=Annas%20Apiaries", ' +
    '"when_completed": "2022-11-08T15:05:45Z", "when_created": "2022-11-08T15:05:32Z", ' +
    '"when_expires": "2022-11-09T15:05:32Z", "transaction_id": "TCN4Y4ZC3FM"}}',
}

describe('the signature of wave', () => {
  const raw = Buffer.from(SAMPLE.body)
  const header = `t=1667920421,v1=${SAMPLE.signature}`

  it('is that of the sample in the documentation', () => {
    assert.equal(raw.length, 624)
    assert.equal(signatureHeader(SAMPLE.secret, NOW, SAMPLE.body), header)
    assert.ok(isSignedWith(SAMPLE.secret, header, raw))
  })

  it('one that fits is enough', () => {
    assert.ok(
      isSignedWith(SAMPLE.secret, `t=1667920421, v1=${'0'.repeat(64)}, ${header.slice(13)}`, raw),
    )
  })

  for (const [what, given, body] of [
    ['another time', header.replace('421', '422'), SAMPLE.body],
    ['another signature', `t=1667920421,v1=${'0'.repeat(64)}`, SAMPLE.body],
    ['the body written anew', header, JSON.stringify(JSON.parse(SAMPLE.body))],
    ['no time', header.slice(13), SAMPLE.body],
    ['no signature', 't=1667920421', SAMPLE.body],
    ['nothing', '', SAMPLE.body],
  ] as const) {
    it(`fails with ${what}`, () => {
      assert.ok(!isSignedWith(SAMPLE.secret, given, Buffer.from(body)))
    })
  }
})

describe('the webhooks of wave', () => {
  const { readCallback } = WAVE.open(ACCOUNT)
  const event = (data: unknown) => JSON.stringify({ id: 'AE_1', type: 'checkout.session.x', data })
  const text = event({ id: SESSION.id, client_reference: REFERENCE })
  const raw = Buffer.from(text)
  const signature = signatureHeader(WEBHOOK_SECRET, NOW - 48 * HOUR, text)

  for (const [what, headers, isGenuine] of [
    ['signed, however old', { 'wave-signature': signature }, true],
    ['with the secret itself', { authorization: `Bearer ${WEBHOOK_SECRET}` }, true],
    ['without either', {}, false],
    ['with another secret', { authorization: 'Bearer wave_sn_WHS_other' }, false],
    [
      'signed for another body',
      { 'wave-signature': signatureHeader(WEBHOOK_SECRET, NOW, '{}') },
      false,
    ],
    [
      'signed as requests are',
      { 'wave-signature': signatureHeader(SIGNING_SECRET, NOW, text) },
      false,
    ],
    [
      'with a wrong signature beside the secret',
      { 'wave-signature': 't=1,v1=00', authorization: `Bearer ${WEBHOOK_SECRET}` },
      false,
    ],
  ] as const) {
    it(`${what}: ${isGenuine ? 'genuine' : 'not genuine'}`, () => {
      const claim = readCallback({ headers, raw })
      assert.deepEqual(claim, { isGenuine, reply: { status: 200 }, reference: REFERENCE })
    })
  }

  for (const body of [
    event({ client_reference: null }),
    event({ client_reference: 'a\u0000b' }),
    event(undefined),
    'test',
    '',
  ]) {
    it(`about no payment: ${JSON.stringify(body)}`, () => {
      const claim = readCallback({ headers: {}, raw: Buffer.from(body) })
      assert.deepEqual(claim, { isGenuine: false, reply: { status: 200 } })
    })
  }
})

describe('what the stand-in of wave refuses', () => {
  let operator: RunningStandIn
  before(async () => {
    operator = await startStandIn(WAVE_STAND_IN)
  })
  after(() => operator.close())

  const { submit } = WAVE.open(UNSIGNED)
  const session = requestOf(submit(orderOf('DEPOSIT', URLS), REFERENCE))
  const payout = requestOf(submit(orderOf('PAYOUT'), REFERENCE))
  type Changes = {
    readonly headers?: Readonly<Record<string, string | undefined>>
    readonly members?: object
    readonly body?: string
  }
  const ask = async (good: typeof session, { headers, members, body }: Changes) => {
    const kept = Object.entries({ ...good.headers, ...headers }).filter(([, value]) => value)
    const { statusCode, body: reply } = await send(operator.url + good.path, {
      method: good.method,
      headers: Object.fromEntries(kept),
      body: body ?? JSON.stringify({ ...JSON.parse(good.body ?? ''), ...members }),
    })
    const { code = '' } = (await reply.json()) as { readonly code?: string }
    return `${statusCode} ${code}`.trim()
  }
  const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

  for (const [expected, good, changes] of [
    ['200', session, {}],
    ['401 missing-auth-header', session, { headers: { authorization: undefined } }],
    ['401 invalid-auth', session, { headers: { authorization: 'Basic abc' } }],
    ['401 no-matching-api-key', session, bearer('sk_live_0123456789')],
    ['401 no-matching-api-key', session, bearer('wave_sn_prod_wrong0123456789')],
    ['401 api-key-revoked', session, bearer('wave_sn_prod_revoked0123456789')],
    ['401 missing-signature', session, bearer(API_KEY)],
    ['401 invalid-signature', session, { headers: { 'wave-signature': 't=1,v1=00' } }],
    ['400 request-not-json', session, { headers: { 'content-type': 'text/plain' } }],
    ['400 request-parsing-error', session, { body: '{' }],
    ['400 request-validation-error', session, { members: { amount: 1500 } }],
    ['400 request-validation-error', session, { members: { amount: '15.50' } }],
    ['400 request-validation-error', session, { members: { success_url: 'http://shop.example' } }],
    ['400 request-validation-error', session, { members: { error_url: undefined } }],
    ['400 request-validation-error', session, { members: { metadata: {} } }],
    ['400 request-validation-error', session, { members: { client_reference: 'x'.repeat(256) } }],
    ['400 request-validation-error', session, { members: { restrict_payer_mobile: '221781' } }],
    ['400 currency-mismatch', session, { members: { currency: 'EUR' } }],
    ['400 request-validation-error', payout, { headers: { 'idempotency-key': undefined } }],
    ['400 request-validation-error', payout, { members: { payment_reason: 'x'.repeat(41) } }],
    ['400 request-validation-error', payout, { members: { receive_amount: undefined } }],
    ['400 country-mismatch', payout, { members: { mobile: '+260763456789' } }],
    ['200', payout, {}],
    ['200', payout, {}],
    ['409 idempotency-mismatch', payout, { members: { receive_amount: '1501' } }],
  ] as const) {
    it(`${expected} for ${good.path} with ${JSON.stringify(changes).slice(0, 80)}`, async () => {
      assert.equal(await ask(good, changes), expected)
    })
  }

  it('the same key is one payout, and there is no refund of what was not paid', async () => {
    assert.equal(operator.book.all().filter(({ what }) => what === 'payout').length, 1)
    operator.setEnding('221781000001', { says: 'pending' })
    await ask(session, {})
    const open = operator.book.findBy(({ ending }) => ending.says === 'pending')
    const path = `${session.path}/${open?.reference}/refund`
    assert.equal(await ask({ ...session, path }, {}), '400 checkout-refund-failed')
  })
})

describe('payments through wave', { timeout: 300_000 }, () => {
  let service: Service
  let operator: RunningStandIn
  let count = 0
  before(async () => {
    ;[service, operator] = await Promise.all([startService(), startStandIn(WAVE_STAND_IN)])
    await addOperatorAccount(service, accountFile(operator.url))
  })
  after(async () => {
    await operator.close()
    await service.stop()
  })

  const MONEY = { amount: '1500', currency: 'XOF' }
  const number = (): string => {
    count += 1
    return `22178200${String(count).padStart(4, '0')}`
  }
  const post = async (kind: string, body: object): Promise<string> => {
    const id = randomUUID()
    const answered = await service.post(`/v2/${kind}s`, { [`${kind}Id`]: id, ...MONEY, ...body })
    assert.equal(answered.body.status, 'ACCEPTED', JSON.stringify(answered.body))
    return id
  }
  const deposit = () => post('deposit', { payer: payer(number(), 'WAVE_SEN'), ...URLS })
  const recordOf = async (kind: string, id: string) =>
    (await service.get(`/v2/${kind}s/${id}`)).body.data
  const reaches = (kind: string, id: string, status: string) =>
    eventually(async () => {
      await service.advance(15)
      const record = await recordOf(kind, id)
      assert.equal(record?.status, status, JSON.stringify(record))
      return record
    }, 60_000)
  const idsOf = async (id: string): Promise<Record<string, string>> => {
    const rows = await service.database.query<{ operator_ids: Record<string, string> }>(
      'select operator_ids from payments where id = $1',
      [id],
    )
    return rows[0]?.operator_ids ?? {}
  }
  const posts = (path: RegExp) =>
    operator.requests.filter((one) => one.method === 'POST' && path.test(one.path))

  it('a deposit shows the page of its session, and keeps what Wave calls it', async () => {
    operator.faults.set([])
    const id = await deposit()
    const record = await eventually(async () => {
      const { authorizationUrl } = await recordOf('deposit', id)
      assert.match(authorizationUrl ?? '', /^https:\/\/pay\.wave\.com\/c\/cos-/)
      return authorizationUrl as string
    })
    await eventually(async () => {
      const { session } = await idsOf(id)
      assert.ok(session !== undefined && record.includes(session))
    })
    await reaches('deposit', id, 'COMPLETED')
  })

  it('a payout that never arrived is repeated under the same key', async () => {
    operator.faults.set([{ on: 'create', fault: 'drop-before', times: 1 }])
    const party = number()
    const before = posts(/payout$/).length
    const id = await post('payout', { recipient: payer(party, 'WAVE_SEN') })
    await reaches('payout', id, 'COMPLETED')
    const [first, second, ...others] = posts(/payout$/).slice(before)
    assert.equal(first?.headers['idempotency-key'], second?.headers['idempotency-key'])
    assert.equal(first?.text, second?.text)
    assert.deepEqual(others, [])
    assert.equal(operator.book.all().filter((one) => one.party === party).length, 1)
  })

  it('a refund of the whole whose answer was lost is asked for again, and done once', async () => {
    operator.faults.set([])
    const depositId = await deposit()
    await reaches('deposit', depositId, 'COMPLETED')
    operator.faults.set([{ on: 'create', fault: 'drop-after', times: 1 }])
    const before = posts(/refund$/).length
    const id = await post('refund', { depositId })
    await reaches('refund', id, 'COMPLETED')
    assert.equal(posts(/refund$/).length, before + 2)
    const { session = '' } = await idsOf(depositId)
    assert.ok(operator.book.find(`${session}/refund`) !== undefined)
    assert.deepEqual(await idsOf(id), { by: 'refund', refunded: 'yes' })
  })

  it('a refund of a part is a payout to the payer', async () => {
    operator.faults.set([])
    const depositId = await deposit()
    await reaches('deposit', depositId, 'COMPLETED')
    const id = await post('refund', { depositId, amount: '500' })
    const { providerTransactionId } = await reaches('refund', id, 'COMPLETED')
    const { by, payout } = await idsOf(id)
    assert.deepEqual([by, payout], ['payout', providerTransactionId])
  })

  it('a payout without money in our wallet waits in line, and goes on under another key', async () => {
    operator.faults.set([])
    const party = number()
    operator.setEnding(party, { says: 'failure', reason: 'insufficient-funds' })
    const id = await post('payout', { recipient: payer(party, 'WAVE_SEN') })
    await reaches('payout', id, 'ENQUEUED')
    operator.setEnding(party, { says: 'success' })
    await reaches('payout', id, 'COMPLETED')
    // It may have been tried again before there was money.
    const orders = operator.book.all().filter((one) => one.party === party)
    const [last, ...earlier] = orders.map(({ ending }) => ending.says).toReversed()
    assert.equal(last, 'success')
    assert.deepEqual([...new Set(earlier)], ['failure'])
    assert.equal(new Set(orders.map(({ reference }) => reference)).size, orders.length)
  })

  it('the account can be tested without moving money', async () => {
    const before = operator.book.all().length
    const steps = await service.node.ctx.operators.named('wave-senegal')?.driven.test()
    assert.deepEqual(
      steps?.map(({ what, ok }) => ({ what, ok })),
      [{ what: 'look-up (checkout)', ok: true }],
    )
    assert.equal(operator.book.all().length, before)
  })
})

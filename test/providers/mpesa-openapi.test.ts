import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { request } from 'undici'
import { rsaPair } from '../../harness/rsa-pair.ts'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import type { Outcome, ProviderOrder } from '../../src/providers/connector.ts'
import { createDriver } from '../../src/providers/driver.ts'
import type { Reply } from '../../src/providers/exchange.ts'
import { createGate } from '../../src/providers/gate.ts'
import {
  isSessionRefused,
  readCallback,
  readCreated,
  readSession,
  readStatus,
} from '../../src/providers/mpesa-openapi/answers.ts'
import { CODES } from '../../src/providers/mpesa-openapi/codes.ts'
import { readPublicKey, sealedFor } from '../../src/providers/mpesa-openapi/crypto.ts'
import { MPESA_OPENAPI } from '../../src/providers/mpesa-openapi/operator.ts'
import { standInPublicKey } from '../../src/providers/mpesa-openapi/stand-in/key.ts'
import { createMpesaStandIn } from '../../src/providers/mpesa-openapi/stand-in/operator.ts'
import type { OpenAccount, OperatorRequest, Step } from '../../src/providers/operator.ts'
import { opened } from '../../src/providers/stand-in/rsa.ts'
import { type RunningStandIn, startStandIn } from '../../src/providers/stand-in/server.ts'
import { createTokens } from '../../src/providers/tokens.ts'
import { contractOf } from './contract.ts'

const SECRETS = { apiKey: 'api-key-of-the-application-0123456789', publicKey: standInPublicKey() }

const accountAt = (baseUrl: string) => ({
  name: 'vodacom-tanzania',
  connector: 'mpesa-openapi',
  baseUrl,
  providers: { VODACOM_TZA: ['DEPOSIT', 'PAYOUT', 'REFUND'] as const },
  priority: 1,
  settings: {
    environment: 'openapi',
    market: 'vodacomTZN',
    serviceProviderCode: '101010',
    origin: 'pay.example.org',
  },
  secrets: SECRETS,
})

const SUBJECT = {
  account: accountAt,
  provider: 'VODACOM_TZA',
  currency: 'TZS',
  amount: '1500',
  numbers: '2557540',
  firstLookUp: 30,
  reconciliation: 300,
  declined: 'INS-2002',
  secrets: Object.values(SECRETS),
}

const TRAITS = {
  refusesKnownReferences: false,
  isFoundByOurReference: true,
  namesTransaction: true,
  namesAmount: false,
  hasTokens: true,
}

/** An application that is notified of how an order ended. */
contractOf({
  ...SUBJECT,
  standIn: createMpesaStandIn({ mode: 'async' }),
  enterCallbackUrl: async (baseUrl, responseUrl) => {
    const body = JSON.stringify({ mode: 'async', responseUrl })
    const { statusCode } = await request(`${baseUrl}/portal/application`, { method: 'PUT', body })
    assert.equal(statusCode, 200)
  },
  kinds: ['deposit', 'payout', 'refund'],
  failures: [
    { kind: 'deposit', reason: 'INS-2002', means: 'the customer declines' },
    { kind: 'deposit', reason: 'INS-2006', means: 'the customer has too little money' },
    { kind: 'deposit', reason: 'INS-2051', means: 'no wallet has this number' },
    { kind: 'payout', reason: 'INS-2051', means: 'no wallet has this number' },
    { kind: 'payout', reason: 'INS-990', means: 'the wallet may not receive so much' },
  ],
  traits: { ...TRAITS, hasCallbacks: true },
})

/** One that waits for the customer, and has the end in the answer. */
contractOf({
  ...SUBJECT,
  standIn: createMpesaStandIn({ mode: 'sync' }),
  kinds: ['deposit', 'refund'],
  traits: { ...TRAITS, hasCallbacks: false, isFinalAtOnce: true },
})

const ORDER = {
  operation: 'DEPOSIT',
  provider: 'VODACOM_TZA',
  amount: '1500',
  currency: 'TZS',
  phoneNumber: '255754000001',
  message: 'Two chairs, and a table!',
} as ProviderOrder

const orderOf = (operation: ProviderOrder['operation'], more: Partial<ProviderOrder> = {}) => ({
  ...ORDER,
  operation,
  ...more,
})
const answer = (status: number, json?: unknown) => ({
  status,
  json,
  text: json === undefined ? '' : JSON.stringify(json),
})
const coded = (status: number, code: string, more: object = {}) =>
  answer(status, { output_ResponseCode: code, output_ResponseDesc: 'Words', ...more })

/** In a word: what a merchant reads, "ours", or how it is not over. */
const wordOf = (outcome: Outcome): string => {
  if (outcome.kind === 'UNKNOWN') return outcome.why
  if (outcome.kind !== 'FAILED' && outcome.kind !== 'REFUSED') return outcome.kind
  return `${outcome.kind} ${outcome.isOurFault ? 'ours' : outcome.failure.code}`
}

/** Code, HTTP status, and what it means for a deposit and for a payout. */
const ANSWERS = [
  ['INS-0', 201, 'PENDING', 'PENDING'],
  ['INS-1', 500, 'SERVER', 'SERVER'],
  ['INS-6', 401, 'AMBIGUOUS', 'AMBIGUOUS'],
  ['INS-9', 408, 'TIMEOUT', 'TIMEOUT'],
  ['INS-10', 409, 'DUPLICATE', 'DUPLICATE'],
  ['INS-13', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-15', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-17', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-18', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-20', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-21', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-23', 400, 'AMBIGUOUS', 'AMBIGUOUS'],
  ['INS-26', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-28', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-30', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-31', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-35', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-990', 400, 'FAILED PAYER_LIMIT_REACHED', 'FAILED WALLET_LIMIT_REACHED'],
  ['INS-991', 400, 'FAILED PAYER_LIMIT_REACHED', 'FAILED WALLET_LIMIT_REACHED'],
  ['INS-992', 400, 'FAILED PAYER_LIMIT_REACHED', 'FAILED WALLET_LIMIT_REACHED'],
  ['INS-993', 400, 'FAILED ours', 'FAILED ours'],
  ['INS-994', 400, 'FAILED ours', 'FAILED ours'],
  ['INS-995', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-996', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-997', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-998', 400, 'REFUSED ours', 'REFUSED ours'],
  ['INS-2002', 400, 'FAILED PAYMENT_NOT_APPROVED', 'FAILED UNSPECIFIED_FAILURE'],
  ['INS-2006', 422, 'FAILED INSUFFICIENT_BALANCE', 'FAILED ours'],
  ['INS-2051', 400, 'FAILED PAYER_NOT_FOUND', 'FAILED RECIPIENT_NOT_FOUND'],
  ['INS-6140', 400, 'AMBIGUOUS', 'AMBIGUOUS'],
  ['INS-4711', 400, 'AMBIGUOUS', 'AMBIGUOUS'],
] as const

describe('14 the codes of mpesa-openapi', () => {
  for (const [code, status, ofDeposit, ofPayout] of ANSWERS) {
    it(`${code} is ${ofDeposit}, or ${ofPayout} for a payout`, () => {
      const reply = coded(status, code)
      assert.equal(wordOf(readCreated(reply, orderOf('DEPOSIT'))), ofDeposit)
      assert.equal(wordOf(readCreated(reply, orderOf('PAYOUT'))), ofPayout)
    })
  }

  it('none of the table is missing here', () => {
    const listed: readonly string[] = ANSWERS.map(([code]) => code)
    assert.deepEqual(
      Object.keys(CODES).filter((code) => !listed.includes(code)),
      [],
    )
  })
})

describe('the answers of mpesa-openapi to a new order', () => {
  const conversation = { output_ConversationID: 'c1' }
  const cases = [
    [200, { output_TransactionID: '49XC1', ...conversation }, 'DONE'],
    [201, { output_TransactionID: '49XC1', ...conversation }, 'DONE'],
    [201, { output_TransactionID: 'N/A', ...conversation }, 'PENDING'],
    [201, { output_TransactionID: '', ...conversation }, 'PENDING'],
    [201, conversation, 'PENDING'],
    [500, { output_TransactionID: '49XC1' }, 'SERVER'],
  ] as const
  for (const [status, members, expected] of cases) {
    it(`${status} INS-0 ${JSON.stringify(members)} is ${expected}`, () => {
      assert.equal(wordOf(readCreated(coded(status, 'INS-0', members), ORDER)), expected)
    })
  }

  it('what the operator calls the order is kept, and how a refund is made', () => {
    const outcome = readCreated(coded(201, 'INS-0', conversation), orderOf('REFUND'), 'reversal')
    assert.deepEqual(outcome, { kind: 'PENDING', ids: { conversationId: 'c1', by: 'reversal' } })
  })

  const others = [
    [200, undefined, 'UNREADABLE'],
    [200, { surprise: true }, 'UNREADABLE'],
    [400, { surprise: true }, 'UNREADABLE'],
    [401, { output_error: 'Unauthorized' }, 'REFUSED ours'],
    [403, undefined, 'REFUSED ours'],
    [404, { output_error: 'Not found' }, 'REFUSED ours'],
    [429, undefined, 'UNREADABLE'],
    [500, undefined, 'SERVER'],
    [503, { output_error: 'Busy' }, 'SERVER'],
  ] as const
  for (const [status, body, expected] of others) {
    it(`${status} ${JSON.stringify(body) ?? ''} is ${expected}`, () => {
      assert.equal(wordOf(readCreated(answer(status, body), ORDER)), expected)
    })
  }
})

describe('the answers of mpesa-openapi to a look-up', () => {
  const found = (word: string | undefined, more: object = {}) =>
    coded(200, 'INS-0', { output_ResponseTransactionStatus: word, ...more })
  const failedBefore = { ids: { responseCode: 'INS-6' } }
  const cases = [
    ['Completed', {}, 'DONE'],
    ['Cancelled', {}, 'FAILED PAYMENT_NOT_APPROVED'],
    ['Expired', {}, 'FAILED PAYMENT_NOT_APPROVED'],
    ['N/A', {}, 'PENDING'],
    ['', {}, 'PENDING'],
    [undefined, {}, 'PENDING'],
    ['Perhaps', {}, 'PENDING'],
    // After an answer that it failed.
    ['Completed', failedBefore, 'DONE'],
    ['N/A', failedBefore, 'FAILED UNSPECIFIED_FAILURE'],
    ['Perhaps', failedBefore, 'PENDING'],
    // With the reason that a callback gave.
    ['Cancelled', { ids: { result: 'INS-2006' } }, 'FAILED INSUFFICIENT_BALANCE'],
    ['Cancelled', { ids: { result: 'INS-6' } }, 'FAILED PAYMENT_NOT_APPROVED'],
    ['Cancelled', { ids: { result: 'INS-9' } }, 'FAILED PAYMENT_NOT_APPROVED'],
    ['Completed', { ids: { result: 'INS-2006' } }, 'DONE'],
  ] as const
  for (const [word, more, expected] of cases) {
    it(`${word} ${JSON.stringify(more)} is ${expected}`, () => {
      assert.equal(wordOf(readStatus(found(word), { ...ORDER, ...more })), expected)
    })
  }

  it('a payout that ended for want of our money is our fault', () => {
    const order = orderOf('PAYOUT', { ids: { result: 'INS-2006' } })
    assert.equal(wordOf(readStatus(found('Cancelled'), order)), 'FAILED ours')
    assert.equal(
      wordOf(readStatus(found('Cancelled'), orderOf('PAYOUT'))),
      'FAILED UNSPECIFIED_FAILURE',
    )
  })

  it('names the transaction', () => {
    const outcome = readStatus(found('Completed', { output_OriginalTransactionID: '49XC1' }), ORDER)
    assert.deepEqual(outcome, { kind: 'DONE', transactionId: '49XC1' })
  })

  it('a word that no table knows, and money that went back, are for a person to read', () => {
    const outcomes = [found('Perhaps'), found('Completed', { output_Reversed: 'true' })].map(
      (one) => readStatus(one, ORDER),
    )
    for (const outcome of outcomes) assert.ok(outcome.kind === 'PENDING' && outcome.alert)
  })

  const others = [
    [400, 'INS-23', {}, 'NOT_FOUND'],
    [400, 'INS-6140', {}, 'NOT_FOUND'],
    [400, 'INS-23', failedBefore, 'FAILED UNSPECIFIED_FAILURE'],
    [400, 'INS-23', { ids: { responseCode: 'INS-4711' } }, 'NOT_FOUND'],
    // The question failed, not the order.
    [401, 'INS-6', {}, 'UNREADABLE'],
    [401, 'INS-6', failedBefore, 'UNREADABLE'],
    [400, 'INS-13', {}, 'UNREADABLE'],
    [422, 'INS-2006', {}, 'UNREADABLE'],
    [408, 'INS-9', {}, 'UNREADABLE'],
    [500, 'INS-1', {}, 'SERVER'],
  ] as const
  for (const [status, code, more, expected] of others) {
    it(`${status} ${code} ${JSON.stringify(more)} is ${expected}`, () => {
      assert.equal(wordOf(readStatus(coded(status, code), { ...ORDER, ...more })), expected)
    })
  }
})

describe('sessions of mpesa-openapi', () => {
  it('are made with INS-0 only', () => {
    const session = { output_SessionID: 's1' }
    assert.equal(readSession(coded(200, 'INS-0', session)), 's1')
    assert.equal(readSession(coded(200, 'INS-0')), undefined)
    assert.equal(readSession(coded(400, 'INS-989', session)), undefined)
    assert.equal(readSession(answer(500)), undefined)
  })

  const cases = [
    [coded(400, 'INS-989'), true],
    [answer(401, { output_error: 'Invalid or expired session' }), true],
    [coded(401, 'INS-6', { output_ResponseDesc: 'Transaction failed in this session' }), false],
    [coded(401, 'INS-6'), false],
    [answer(401, { output_error: 'Unauthorized' }), false],
    [coded(201, 'INS-0', { output_ResponseDesc: 'Session is fine' }), false],
    [answer(500, { output_error: 'No session' }), false],
  ] as const
  for (const [reply, expected] of cases) {
    it(`${reply.status} ${reply.text} ${expected ? 'renews' : 'does not renew'} it`, () => {
      assert.equal(isSessionRefused(reply), expected)
    })
  }
})

describe('callbacks of mpesa-openapi', () => {
  const claimOf = (body: object | string) =>
    readCallback({
      headers: {},
      raw: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    })
  const BODY = {
    input_OriginalConversationID: 'c1',
    input_TransactionID: '49XC1',
    input_ResultCode: 'INS-0',
    input_ResultDesc: 'Request Processed Successfully',
    input_ThirdPartyConversationID: 'ab12',
  }

  it('name the order, decide nothing, and are acknowledged', () => {
    assert.deepEqual(claimOf(BODY), {
      isGenuine: true,
      reference: 'ab12',
      reply: {
        status: 200,
        body: {
          output_OriginalConversationID: 'c1',
          output_ResponseCode: '0',
          output_ResponseDesc: 'Successfully Accepted Result',
          output_ThirdPartyConversationID: 'ab12',
        },
      },
    })
  })

  it('leave the reason of a failure for the look-up', () => {
    assert.deepEqual(claimOf({ ...BODY, input_ResultCode: 'INS-2006' }).ids, { result: 'INS-2006' })
    assert.deepEqual(claimOf({ ...BODY, input_ResultCode: 2006 }).ids, { result: 'INS-2006' })
    for (const code of ['0', 'INS-0', 'drop table', '', null]) {
      assert.equal(claimOf({ ...BODY, input_ResultCode: code }).ids, undefined)
    }
  })

  it('that are no callback do no harm', () => {
    for (const body of ['', 'nonsense', '[]', 'null', '{}']) {
      assert.equal(claimOf(body).reference, undefined)
      assert.equal(claimOf(body).reply.status, 200)
    }
  })
})

describe('the bearer of mpesa-openapi', () => {
  for (const modulusLength of [1024, 2048, 3072]) {
    it(`is read with a key of ${modulusLength} bits, and no two are the same`, () => {
      const { publicKey, privateKey } = rsaPair(modulusLength)
      const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
      const lines = pem.split('\n').filter((line) => !line.startsWith('-----'))
      const forms = [pem, lines.join(''), lines.join('\n')]
      const bearers = forms.map((form) => sealedFor(readPublicKey(form), SECRETS.apiKey))
      assert.equal(new Set(bearers).size, forms.length)
      for (const bearer of bearers) {
        assert.equal(Buffer.from(bearer, 'base64').length, modulusLength / 8)
        assert.equal(opened(privateKey, bearer), SECRETS.apiKey)
      }
    })
  }

  it('a key that is none is refused when the account is opened', () => {
    assert.throws(() =>
      MPESA_OPENAPI.open(openAccount({ secrets: { publicKey: 'x'.repeat(200) } })),
    )
  })
})

const REFERENCE = '0123456789abcdef0123456789abcdef'

const openAccount = (more: Partial<OpenAccount> = {}): OpenAccount => ({
  ...accountAt('http://127.0.0.1:1'),
  enabled: true,
  callbackSecret: 'secret',
  callbackSources: [],
  limits: {},
  catalog: readCatalog(CATALOG_FILE),
  referenceOf: () => '01234567-89ab-4def-8123-456789abcdef',
  callbackUrl: (reference) => `https://example.org/${reference}`,
  now: () => 0,
  realNow: () => 0,
  ...more,
})

const stepOf = (next: Step | Outcome): Step => {
  assert.ok('request' in next)
  return next
}

describe('the requests of mpesa-openapi', () => {
  const operator = MPESA_OPENAPI.open(openAccount())
  const COMMON = {
    input_Country: 'TZN',
    input_ServiceProviderCode: '101010',
    input_ThirdPartyConversationID: REFERENCE,
  }
  const MONEY = {
    ...COMMON,
    input_Amount: '1500',
    input_Currency: 'TZS',
    input_CustomerMSISDN: '255754000001',
    input_TransactionReference: REFERENCE.slice(0, 20),
  }
  const original = { amount: '2000', account: 'vodacom-tanzania', transactionId: '49XC1' }
  const refund = orderOf('REFUND', { original })
  const elsewhere = orderOf('REFUND', { original: { ...original, account: 'another' } })
  const text = 'Two chairs and a table'
  const cases = [
    [
      'a deposit',
      ORDER,
      'POST c2bPayment/singleStage/',
      { ...MONEY, input_PurchasedItemsDesc: text },
    ],
    ['a payout', orderOf('PAYOUT'), 'POST b2cPayment/', { ...MONEY, input_PaymentItemsDesc: text }],
    [
      'a refund of its own deposit',
      refund,
      'PUT reversal/',
      { ...COMMON, input_TransactionID: '49XC1', input_ReversalAmount: '1500' },
    ],
    [
      'a refund of a deposit elsewhere',
      elsewhere,
      'POST b2cPayment/',
      { ...MONEY, input_PaymentItemsDesc: text },
    ],
  ] as const
  for (const [name, order, call, body] of cases) {
    it(name, () => {
      const step = stepOf(operator.submit(order, REFERENCE))
      assert.deepEqual(step.tokens, ['session'])
      const made = step.request('s1')
      const [method, path] = call.split(' ')
      assert.equal(made.method, method)
      assert.equal(made.path, `/openapi/ipg/v2/vodacomTZN/${path}`)
      assert.deepEqual(JSON.parse(made.body ?? ''), body)
      assertHeaders(made)
    })
  }

  it('a look-up, with an id of its own', () => {
    const paths = ['s1', 's1'].map((session) => {
      const made = stepOf(operator.query(ORDER, REFERENCE)).request(session)
      assert.equal(made.method, 'GET')
      assert.equal(made.body, undefined)
      assertHeaders(made)
      return new URL(`http://host${made.path}`)
    })
    const [first, second] = paths.map(({ searchParams }) => Object.fromEntries(searchParams))
    assert.equal(paths[0]?.pathname, '/openapi/ipg/v2/vodacomTZN/queryTransactionStatus/')
    const { input_ThirdPartyConversationID: question, ...rest } = first ?? {}
    assert.deepEqual(rest, {
      input_QueryReference: REFERENCE,
      input_Country: 'TZN',
      input_ServiceProviderCode: '101010',
    })
    assert.match(question ?? '', /^[0-9a-f]{32}$/)
    assert.notEqual(question, second?.input_ThirdPartyConversationID)
  })

  it('a session', () => {
    const made = operator.tokens.session?.request()
    assert.equal(made?.method, 'GET')
    assert.equal(made?.path, '/openapi/ipg/v2/vodacomTZN/getSession/')
    if (made !== undefined) assertHeaders(made)
  })

  it('references have 32 letters and digits', () => {
    assert.equal(operator.prepare(ORDER).reference, '0123456789ab4def8123456789abcdef')
  })

  it('without an origin in the settings, any', () => {
    const { origin: _, ...settings } = accountAt('').settings
    const { tokens } = MPESA_OPENAPI.open(openAccount({ settings }))
    assert.equal(tokens.session?.request().headers.origin, '*')
  })

  it('orders that the account cannot make are not sent', () => {
    const onlyRefunds = openAccount({ providers: { VODACOM_TZA: ['DEPOSIT', 'REFUND'] } })
    const refusals = [
      operator.submit({ ...ORDER, provider: 'VODACOM_MOZ' }, REFERENCE),
      MPESA_OPENAPI.open(onlyRefunds).submit(elsewhere, REFERENCE),
      operator.submit({ ...ORDER, currency: 'USD' }, REFERENCE),
    ].map((one) => wordOf(one as Outcome))
    assert.deepEqual(refusals, [
      'REFUSED ours',
      'REFUSED UNSPECIFIED_FAILURE',
      'REFUSED UNSPECIFIED_FAILURE',
    ])
  })
})

function assertHeaders({ headers }: OperatorRequest): void {
  const { authorization = '', ...rest } = headers
  assert.match(authorization, /^Bearer [A-Za-z0-9+/]{170,}=*$/)
  assert.deepEqual(rest, { origin: 'pay.example.org', 'content-type': 'application/json' })
}

describe('a session that the operator does not take', () => {
  const SESSION = { output_ResponseCode: 'INS-0', output_SessionID: 's' }
  /** A driver whose operator takes sessions as the list says, and that counts what it is asked. */
  const driverWith = (takes: boolean[], settledFrom: number) => {
    const seen = { sessions: 0, orders: 0 }
    let now = 0
    const operator = MPESA_OPENAPI.open(openAccount())
    const send = async ({ path }: OperatorRequest): Promise<Reply> => {
      const isSignIn = path.endsWith('getSession/')
      if (isSignIn) seen.sessions += 1
      else seen.orders += 1
      const isTaken = isSignIn || takes.shift() === true
      const taken = { output_ResponseCode: 'INS-0', ...(isSignIn ? SESSION : {}) }
      const body = isTaken ? taken : { output_error: 'Invalid session' }
      if (!isSignIn) now = settledFrom
      return {
        kind: 'answered',
        status: isTaken ? 200 : 401,
        body: JSON.stringify(body),
        isWhole: true,
      }
    }
    const driver = createDriver({
      operator,
      gate: createGate(operator.profile.limits, () => performance.now()),
      tokens: createTokens(() => now),
      mask: (text) => text,
      send,
      realNow: () => now,
      maySend: () => true,
      record: () => {},
      reached: () => {},
    })
    return { seen, submit: () => driver.submit(ORDER, REFERENCE) }
  }

  it('is renewed once where it is old, for the same order', async () => {
    const { seen, submit } = driverWith([false, true], 60_000)
    assert.equal((await submit()).kind, 'PENDING')
    assert.deepEqual(seen, { sessions: 2, orders: 2 })
  })

  it('is tried again where it is new, as it may take half a minute', async () => {
    const { seen, submit } = driverWith([false, true], 29_900)
    assert.equal((await submit()).kind, 'PENDING')
    assert.deepEqual(seen, { sessions: 1, orders: 2 })
  })
})

describe('tokens that settle', () => {
  it('serve when they have, and the one before them until then', async () => {
    let now = 0
    let count = 0
    const tokens = createTokens(() => now)
    const next = async () => {
      count += 1
      return { ok: true, value: `s${count}`, livesMs: 300_000, settlesMs: 30_000 } as const
    }
    const at = async (ms: number): Promise<string> => {
      now = ms
      const loaded = await tokens.get('session', next)
      assert.ok(loaded.ok)
      return loaded.value
    }
    assert.equal(await at(0), 's1')
    assert.equal(await at(239_999), 's1')
    assert.equal(await at(240_000), 's1')
    assert.equal(count, 2)
    assert.equal(await at(269_999), 's1')
    assert.equal(await at(270_000), 's2')
    assert.equal(await at(480_000), 's2')
    assert.equal(count, 3)
    // The older one is refused: the new one takes its place, however new it is.
    assert.equal(tokens.drop('session', 's2'), 0)
    assert.equal(await at(480_001), 's3')
    assert.ok(tokens.drop('session', 's3') > 29_000)
    assert.equal(await at(510_000), 's3')
    assert.equal(tokens.drop('session', 's3'), 0)
    assert.equal(await at(510_001), 's4')
  })

  it('those that need not are used and dropped at once', async () => {
    let count = 0
    let now = 0
    const tokens = createTokens(() => now)
    const next = async () => {
      count += 1
      return { ok: true, value: `t${count}`, livesMs: 100_000 } as const
    }
    const value = async () => {
      const loaded = await tokens.get('token', next)
      return loaded.ok ? loaded.value : undefined
    }
    assert.equal(await value(), 't1')
    now = 80_000
    assert.equal(await value(), 't2')
    assert.equal(tokens.drop('token', 't1'), 0)
    assert.equal(await value(), 't2')
    assert.equal(tokens.drop('token', 't2'), 0)
    assert.equal(await value(), 't3')
  })
})

describe('the stand-in of mpesa-openapi', () => {
  let standIn: RunningStandIn
  const operator = () => MPESA_OPENAPI.open(openAccount())
  before(async () => {
    standIn = await startStandIn(createMpesaStandIn(), { endsAfterMs: 0 })
  })
  after(() => standIn.close())

  const send = async ({ method, path, headers, body }: OperatorRequest) => {
    const { statusCode, body: reply } = await request(standIn.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    const text = await reply.text()
    const json: unknown = text === '' ? undefined : JSON.parse(text)
    return { status: statusCode, text, json }
  }
  const signIn = async (): Promise<string> => {
    const source = operator().tokens.session
    assert.ok(source !== undefined)
    const token = source.read(await send(source.request()))
    assert.ok(token !== undefined)
    return token.value
  }
  const made = async (order: ProviderOrder, reference: string, change: object = {}) => {
    const step = stepOf(operator().submit(order, reference))
    const whole = step.request(await signIn())
    const body = JSON.stringify({ ...JSON.parse(whole.body ?? '{}'), ...change })
    return send({ ...whole, body })
  }
  const codeIn = ({ json }: { readonly json: unknown }): unknown =>
    (json as Record<string, unknown>).output_ResponseCode
  const reference = (count: number): string => String(count).padStart(32, 'a')

  it('refuses a wrong key, and a key in place of a session', async () => {
    const wrong = openAccount({ secrets: { ...SECRETS, apiKey: 'wrong-key' } })
    const session = MPESA_OPENAPI.open(wrong).tokens.session
    assert.ok(session !== undefined)
    const reply = await send(session.request())
    assert.deepEqual([reply.status, codeIn(reply)], [400, 'INS-989'])
    const order = stepOf(operator().submit(ORDER, reference(1))).request(SECRETS.apiKey)
    assert.ok(isSessionRefused(await send(order)))
  })

  it('refuses bearers that are not sealed, and requests without an origin', async () => {
    const { headers, ...whole } = stepOf(operator().submit(ORDER, reference(2))).request('s1')
    const authorization = `Bearer ${Buffer.from('s1').toString('base64')}`
    assert.equal((await send({ ...whole, headers: { ...headers, authorization } })).status, 401)
    const { origin: _, ...bare } = headers
    assert.equal((await send({ ...whole, headers: bare })).status, 403)
  })

  const faults = [
    [{ input_Amount: 1500 }, 'INS-21'],
    [{ input_Amount: undefined }, 'INS-20'],
    [{ input_Amount: '15,00' }, 'INS-15'],
    [{ input_Amount: '0' }, 'INS-15'],
    [{ input_CustomerMSISDN: '+255754000001' }, 'INS-2051'],
    [{ input_CustomerMSISDN: '25575400001' }, 'INS-2051'],
    [{ input_Country: 'TZA' }, 'INS-998'],
    [{ input_Currency: 'USD' }, 'INS-26'],
    [{ input_ServiceProviderCode: '1' }, 'INS-13'],
    [{ input_TransactionReference: 'a'.repeat(21) }, 'INS-17'],
    [{ input_ThirdPartyConversationID: 'a-b' }, 'INS-28'],
    [{ input_PurchasedItemsDesc: 'Two chairs, and a table!' }, 'INS-30'],
    [{ input_Surprise: 'yes' }, 'INS-21'],
  ] as const
  for (const [change, code] of faults) {
    it(`refuses ${JSON.stringify(change)} with ${code}`, async () => {
      assert.equal(codeIn(await made(ORDER, reference(3), change)), code)
    })
  }

  it('ends an order in its answer, and refuses its reference from then on', async () => {
    const first = await made(ORDER, reference(4))
    assert.equal(first.status, 201)
    const outcome = readCreated(first, ORDER)
    assert.ok(outcome.kind === 'DONE')
    const again = await made(ORDER, reference(4))
    assert.deepEqual([again.status, codeIn(again)], [409, 'INS-10'])
    const status = stepOf(operator().query(ORDER, reference(4))).request(await signIn())
    assert.deepEqual(readStatus(await send(status), ORDER), outcome)
  })

  it('pays out in its answer, and says how a failure ended', async () => {
    const payout = orderOf('PAYOUT', { phoneNumber: '255754000002' })
    assert.equal(wordOf(readCreated(await made(payout, reference(5)), payout)), 'DONE')
    standIn.setEnding('255754000002', { says: 'failure', reason: 'INS-2006' })
    const reply = await made(payout, reference(6))
    assert.equal(reply.status, 422)
    assert.equal(wordOf(readCreated(reply, payout)), 'FAILED ours')
    standIn.setEnding('255754000002', { says: 'pending' })
    assert.equal(wordOf(readCreated(await made(payout, reference(7)), payout)), 'TIMEOUT')
  })

  it('gives back a part, and not more than came in', async () => {
    const deposit = readCreated(await made(ORDER, reference(8)), ORDER)
    assert.ok(deposit.kind === 'DONE' && deposit.transactionId !== undefined)
    const { transactionId } = deposit
    const original = { amount: '1500', account: 'vodacom-tanzania', transactionId }
    const part = orderOf('REFUND', { amount: '1000', original })
    assert.equal(wordOf(readCreated(await made(part, reference(9)), part)), 'DONE')
    assert.equal(codeIn(await made(part, reference(10))), 'INS-15')
    const rest = { ...part, amount: '500' }
    assert.equal(wordOf(readCreated(await made(rest, reference(11)), rest)), 'DONE')
    const unknown = orderOf('REFUND', { original: { ...original, transactionId: 'none' } })
    assert.equal(codeIn(await made(unknown, reference(12))), 'INS-18')
  })

  it('does not know an order that was never made', async () => {
    const status = stepOf(operator().query(ORDER, reference(13))).request(await signIn())
    assert.equal(wordOf(readStatus(await send(status), ORDER)), 'NOT_FOUND')
  })

  it('knows the number that the test environment of the platform has', async () => {
    const settings = { environment: 'sandbox', market: 'vodacomTZN', serviceProviderCode: '000000' }
    const order = { ...ORDER, phoneNumber: '000000000001' }
    const sandbox = MPESA_OPENAPI.open(openAccount({ settings }))
    const step = stepOf(sandbox.submit(order, reference(14)))
    assert.equal(wordOf(readCreated(await send(step.request(await signIn())), order)), 'DONE')
  })

  it('shows its key in its portal', async () => {
    const { json } = await send({ method: 'GET', path: '/portal/application', headers: {} })
    assert.deepEqual(json, { mode: 'sync', publicKey: standInPublicKey() })
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { request } from 'undici'
import { addOperatorAccount } from '../../harness/operator-accounts.ts'
import { eventually, payer, type Service, startService } from '../../harness/service.ts'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import type { Outcome, ProviderOrder } from '../../src/providers/connector.ts'
import type { OpenAccount, OperatorRequest, Step } from '../../src/providers/operator.ts'
import { readCreated, readStatus } from '../../src/providers/orange-webpay/answers.ts'
import { CODES } from '../../src/providers/orange-webpay/codes.ts'
import { ORANGE_WEBPAY } from '../../src/providers/orange-webpay/operator.ts'
import { LOST_AFTER_MS } from '../../src/providers/orange-webpay/profile.ts'
import { ORANGE_WEBPAY_STAND_IN } from '../../src/providers/orange-webpay/stand-in/operator.ts'
import { createReferences } from '../../src/providers/reference.ts'
import { type RunningStandIn, startStandIn } from '../../src/providers/stand-in/server.ts'
import { contractOf } from './contract.ts'

const SECRETS = {
  clientId: 'client-0123456789',
  clientSecret: 'client-secret-0123456789',
  merchantKey: 'merchant-key-0123456789',
}
const URLS = { successfulUrl: 'https://shop.example/ok?a=1', failedUrl: 'https://shop.example/no' }
const file = (baseUrl: string) => ({
  name: 'orange-ivory-coast',
  connector: 'orange-webpay',
  baseUrl,
  providers: { ORANGE_CIV: ['DEPOSIT'] },
  priority: 1,
  settings: { country: 'ci' },
  secrets: SECRETS,
})

contractOf({
  standIn: ORANGE_WEBPAY_STAND_IN,
  account: file,
  provider: 'ORANGE_CIV',
  currency: 'XOF',
  amount: '1500',
  numbers: '22507400',
  kinds: ['deposit'],
  // The number is not sent: the stand-in knows customers by the text that they are shown.
  depositMembers: (number) => ({ ...URLS, customerMessage: `Payer ${number}` }),
  firstLookUp: 30,
  reconciliation: 1500,
  declined: 'EXPIRED',
  failures: [
    { kind: 'deposit', reason: 'EXPIRED', means: 'the customer does not pay in time' },
    { kind: 'deposit', reason: 'FAILED', means: 'the operator gives no reason' },
  ],
  secrets: Object.values(SECRETS),
  traits: {
    refusesKnownReferences: false,
    isFoundByOurReference: false,
    namesTransaction: true,
    namesAmount: false,
    hasTokens: true,
    hasCallbacks: true,
  },
})

const NOW = 1_800_000_000_000
const REFERENCE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const account = (changes: Partial<OpenAccount> = {}): OpenAccount => ({
  ...file('https://api.orange.com'),
  providers: { ORANGE_CIV: ['DEPOSIT'] },
  enabled: true,
  callbackSecret: 'secret-of-22-charactrs',
  callbackSources: [],
  limits: {},
  catalog: readCatalog(CATALOG_FILE),
  referenceOf: createReferences(Buffer.alloc(32)),
  callbackUrl: (reference) =>
    `https://pay.example/operators/orange/secret-of-22-charactrs/${reference}`,
  now: () => NOW,
  realNow: () => NOW,
  ...changes,
})
const order = (changes: Partial<ProviderOrder> = {}) =>
  ({
    merchantId: 1,
    paymentId: '6f1a7d34-7a0e-4a53-9d8e-0d3b2c5c7f11',
    operation: 'DEPOSIT',
    provider: 'ORANGE_CIV',
    amount: '1500',
    currency: 'XOF',
    phoneNumber: '2250740012345',
    ...changes,
  }) as unknown as ProviderOrder
const answer = (status: number, json?: unknown) => ({
  status,
  json,
  text: json === undefined ? '' : JSON.stringify(json),
})
const stepOf = (next: Step | Outcome): Step => {
  assert.ok('request' in next, JSON.stringify(next))
  return next
}
const outcomeOf = (next: Step | Outcome): Outcome => {
  assert.ok(!('request' in next))
  return next
}
const bodyOf = ({ body = '' }: OperatorRequest) => JSON.parse(body)
const submit = (of: ProviderOrder, by = account()) =>
  stepOf(ORANGE_WEBPAY.open(by).submit(of, REFERENCE)).request('token')

describe('14 the words of orange-webpay', () => {
  const WORDS = [
    ['INITIATED', 'PENDING'],
    ['PENDING', 'PENDING'],
    ['SUCCESS', 'DONE'],
    ['EXPIRED', 'PAYMENT_NOT_APPROVED'],
    ['FAILED', 'UNSPECIFIED_FAILURE'],
    ['A_WORD_OF_TOMORROW', 'alert'],
  ] as const
  for (const [word, expected] of WORDS) {
    it(word, () => {
      const body = { status: word, order_id: REFERENCE, txnid: 'MP1' }
      const outcome = readStatus(answer(201, body), order(), REFERENCE)
      if (outcome.kind === 'FAILED') assert.equal(outcome.failure.code, expected)
      else if (expected === 'alert') assert.ok(outcome.kind === 'PENDING' && outcome.alert)
      else assert.equal(outcome.kind, expected)
      if (outcome.kind === 'DONE') assert.equal(outcome.transactionId, 'MP1')
    })
  }

  it('none of the table is missing here', () => {
    const listed: readonly string[] = WORDS.map(([word]) => word)
    assert.deepEqual(
      Object.keys(CODES).filter((word) => !listed.includes(word)),
      [],
    )
  })
})

describe('the answers of orange-webpay', () => {
  const page = {
    status: 201,
    message: 'OK',
    pay_token: 'pay',
    payment_url: 'https://pages.example/pay',
    notif_token: 'notif',
  }
  const created = [
    [201, page, 'PENDING'],
    [200, page, 'PENDING'],
    // Without the token or the address there is nothing to ask about, and nowhere to go.
    [201, { ...page, pay_token: '' }, 'UNKNOWN'],
    [201, { ...page, payment_url: 'javascript:alert(1)' }, 'UNKNOWN'],
    [201, undefined, 'UNKNOWN'],
    [400, { code: 25, message: 'Invalid amount' }, 'ours'],
    [401, { code: 41, message: 'Invalid credentials' }, 'ours'],
    [403, { code: 50, message: 'Access denied' }, 'ours'],
    [404, undefined, 'ours'],
    [409, undefined, 'UNKNOWN'],
    [500, { code: 1, message: 'Internal error' }, 'UNKNOWN'],
    [503, undefined, 'UNKNOWN'],
  ] as const
  for (const [status, body, expected] of created) {
    it(`a new order: ${status} ${JSON.stringify(body) ?? ''} is ${expected}`, () => {
      const outcome = readCreated(answer(status, body), order())
      const isOurs = outcome.kind === 'REFUSED' && outcome.isOurFault === true
      assert.equal(isOurs ? 'ours' : outcome.kind, expected)
    })
  }

  it('the page comes with what is needed to ask about it', () => {
    assert.deepEqual(readCreated(answer(201, page), order()), {
      kind: 'PENDING',
      authorizationUrl: page.payment_url,
      ids: { payToken: 'pay', notifToken: 'notif' },
    })
  })

  const looked = [
    [404, { code: 60 }, 'UNKNOWN NOT_FOUND'],
    [500, {}, 'UNKNOWN SERVER'],
    [400, {}, 'UNKNOWN UNREADABLE'],
    [201, { status: 'SUCCESS', order_id: 'ANOTHER' }, 'UNKNOWN AMBIGUOUS'],
    [201, { status: 'SUCCESS', txnid: '' }, 'DONE'],
    [201, {}, 'PENDING'],
  ] as const
  for (const [status, body, expected] of looked) {
    it(`a look-up: ${status} ${JSON.stringify(body)} is ${expected}`, () => {
      const outcome = readStatus(answer(status, body), order(), REFERENCE)
      const { kind } = outcome
      assert.equal(kind === 'UNKNOWN' ? `${kind} ${outcome.why}` : kind, expected)
    })
  }

  it('a notification with a wrong token is reported to a person, once', () => {
    const reply = answer(201, { status: 'PENDING' })
    const ids = { payToken: 'pay', notifToken: 'notif' }
    const at = (changes: object) =>
      readStatus(reply, order({ ids: { ...ids, ...changes } as Record<string, string> }), REFERENCE)
    const alert = { alert: 'a notification had a wrong token', ids: { forgeryReported: 'yes' } }
    assert.deepEqual(at({ callbackNotifToken: 'forged' }), { kind: 'PENDING', ...alert })
    assert.deepEqual(at({ callbackNotifToken: 'forged', forgeryReported: 'yes' }), {
      kind: 'PENDING',
    })
    assert.deepEqual(at({ callbackNotifToken: 'notif' }), { kind: 'PENDING' })
  })
})

describe('the requests of orange-webpay', () => {
  it('signs in', () => {
    const { access } = ORANGE_WEBPAY.open(account()).tokens
    const { headers, ...rest } = access?.request() ?? assert.fail()
    assert.deepEqual(rest, {
      method: 'POST',
      path: '/oauth/v3/token',
      body: 'grant_type=client_credentials',
    })
    assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
    const given = Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString()
    assert.equal(given, `${SECRETS.clientId}:${SECRETS.clientSecret}`)
    const token = access?.read(answer(200, { access_token: 'abc', expires_in: '7776000' }))
    assert.deepEqual(token, { value: 'abc', livesMs: 7_776_000_000 })
    assert.equal(access?.read(answer(401, { error: 'invalid_client' })), undefined)
  })

  it('asks for a page', () => {
    const sent = submit(order({ ...URLS, message: 'Order 42: café' }))
    assert.deepEqual([sent.method, sent.path], ['POST', '/orange-money-webpay/ci/v1/webpayment'])
    assert.deepEqual(sent.headers, {
      authorization: 'Bearer token',
      'content-type': 'application/json',
      accept: 'application/json',
    })
    assert.deepEqual(bodyOf(sent), {
      merchant_key: SECRETS.merchantKey,
      currency: 'XOF',
      order_id: REFERENCE,
      amount: 1500,
      return_url: URLS.successfulUrl,
      cancel_url: URLS.failedUrl,
      notif_url: `https://pay.example/operators/orange/secret-of-22-charactrs/${REFERENCE}`,
      lang: 'fr',
      reference: 'Order 42 cafe',
    })
  })

  it('asks about a page by its token', () => {
    const operator = ORANGE_WEBPAY.open(account())
    const sent = stepOf(operator.query(order({ ids: { payToken: 'pay' } }), REFERENCE)).request('t')
    assert.equal(sent.path, '/orange-money-webpay/ci/v1/transactionstatus')
    assert.deepEqual(bodyOf(sent), { order_id: REFERENCE, amount: 1500, pay_token: 'pay' })
  })

  it('an order fits into what Orange takes', () => {
    const { reference } = ORANGE_WEBPAY.open(account()).prepare(order())
    assert.match(reference, /^[A-Z2-7]{26}$/)
  })

  it('settings win over the catalogue, which is enough without them', () => {
    const dev = account({ settings: { country: 'dev', currency: 'OUV', language: 'en' } })
    const test = submit(order(), dev)
    assert.equal(test.path, '/orange-money-webpay/dev/v1/webpayment')
    assert.deepEqual([bodyOf(test).currency, bodyOf(test).lang], ['OUV', 'en'])
    const plain = submit(order({ provider: 'ORANGE_SEN' }), account({ settings: {} }))
    assert.equal(plain.path, '/orange-money-webpay/sn/v1/webpayment')
  })

  it('addresses that are missing or too long are left out, and a person is notified', () => {
    const long = `https://shop.example/${'x'.repeat(100)}`
    const of = order({ successfulUrl: long })
    const { return_url, cancel_url } = bodyOf(submit(of))
    assert.deepEqual([return_url, cancel_url], ['https://pay.example', 'https://pay.example'])
    const page = { pay_token: 'pay', payment_url: 'https://pages.example/pay' }
    const outcome = readCreated(answer(201, page), of)
    assert.ok(outcome.kind === 'PENDING' && outcome.alert?.includes('too long'))
    const host = `https://${'x'.repeat(60)}.example/operators/orange/secret-of-22-charactrs`
    const far = account({ callbackUrl: (reference) => `${host}/${reference}` })
    assert.equal(bodyOf(submit(order(), far)).notif_url, host)
  })

  it('what Orange cannot take is not sent', () => {
    const open = ORANGE_WEBPAY.open(account({ settings: {} }))
    const broken = outcomeOf(open.submit(order({ amount: '10.5' }), REFERENCE))
    assert.ok(broken.kind === 'REFUSED' && !broken.isOurFault)
    assert.ok('request' in open.submit(order({ amount: '10.00' }), REFERENCE))
    const unserved = outcomeOf(open.submit(order({ provider: 'MTN_MOMO_ZMB' }), REFERENCE))
    assert.ok(unserved.kind === 'REFUSED' && unserved.isOurFault)
  })
})

describe('a page whose address got lost', () => {
  const asked = (ids: Record<string, string>, more: Partial<ProviderOrder> = {}) =>
    outcomeOf(ORANGE_WEBPAY.open(account()).query(order({ ids, ...more }), REFERENCE))
  const notFound = { kind: 'UNKNOWN', why: 'NOT_FOUND' }

  it('is not found, and notes since when', () => {
    const expected = { ...notFound, ids: { lostSince: String(NOW) } }
    assert.deepEqual(asked({}), expected)
    const since = String(NOW - LOST_AFTER_MS + 1)
    assert.deepEqual(asked({ lostSince: since }), { ...notFound, ids: { lostSince: since } })
  })

  it('has not been approved once it cannot be paid any more', () => {
    const outcome = asked({ lostSince: String(NOW - LOST_AFTER_MS) })
    assert.ok(outcome.kind === 'FAILED')
    assert.equal(outcome.failure.code, 'PAYMENT_NOT_APPROVED')
  })

  it('never fails where somebody may have seen it', () => {
    const lostSince = String(NOW - LOST_AFTER_MS)
    assert.deepEqual(asked({ lostSince, callbackNotifToken: 'x' }), notFound)
    const authorizationUrl = 'https://pages.example/pay'
    assert.deepEqual(asked({ lostSince }, { authorizationUrl }), notFound)
  })
})

describe('the notifications of orange-webpay', () => {
  const read = (raw: string) =>
    ORANGE_WEBPAY.open(account()).readCallback({ headers: {}, raw: Buffer.from(raw) })
  const plain = { isGenuine: true, reply: { status: 200 } }

  it('the token is kept beside that of the page', () => {
    const body = { status: 'SUCCESS', notif_token: 'notif', txnid: 'MP1' }
    assert.deepEqual(read(JSON.stringify(body)), { ...plain, ids: { callbackNotifToken: 'notif' } })
    const long = { notif_token: 'x'.repeat(5000) }
    assert.equal(read(JSON.stringify(long)).ids?.callbackNotifToken?.length, 200)
  })

  it('nonsense is acknowledged', () => {
    for (const raw of ['', 'no JSON', '[]', '{"notif_token":{}}'])
      assert.deepEqual(read(raw), plain)
  })
})

describe('the stand-in of orange-webpay', () => {
  let standIn: RunningStandIn
  before(async () => {
    standIn = await startStandIn(ORANGE_WEBPAY_STAND_IN)
  })
  after(() => standIn.close())

  const send = async (sent: OperatorRequest): Promise<number> => {
    const { path, ...rest } = sent
    const { statusCode, body } = await request(standIn.url + path, rest)
    await body.dump()
    return statusCode
  }
  let count = 0
  const good = (): OperatorRequest => {
    count += 1
    const operator = ORANGE_WEBPAY.open(account())
    return stepOf(operator.submit(order(URLS), `ORDER${count}`)).request('webpay.me')
  }
  const withBody = (change: object): OperatorRequest => {
    const sent = good()
    return { ...sent, body: JSON.stringify({ ...bodyOf(sent), ...change }) }
  }
  const withHeaders = (change: Record<string, string>): OperatorRequest => {
    const sent = good()
    return { ...sent, headers: { ...sent.headers, ...change } }
  }
  const CASES: readonly (readonly [string, () => OperatorRequest, number])[] = [
    ['a good one', good, 201],
    ['a wrong token', () => withHeaders({ authorization: 'Bearer x' }), 401],
    ['a form', () => withHeaders({ 'content-type': 'application/x-www-form-urlencoded' }), 415],
    ['an amount as a text', () => withBody({ amount: '1500' }), 400],
    ['a broken amount', () => withBody({ amount: 10.5 }), 400],
    ['a long order', () => withBody({ order_id: 'x'.repeat(31) }), 400],
    ['a long address', () => withBody({ notif_url: `https://x.example/${'x'.repeat(120)}` }), 400],
    ['no language', () => withBody({ lang: undefined }), 400],
    ['the currency of the test environment', () => withBody({ currency: 'OUV' }), 400],
    ['a wrong merchant key', () => withBody({ merchant_key: 'wrong' }), 403],
    ['an order that is known', () => withBody({ order_id: 'ORDER1' }), 409],
    ['another path', () => ({ ...good(), path: '/orange-money-webpay/v1/webpayment' }), 404],
  ]
  for (const [what, sent, status] of CASES) {
    it(`${what} is answered with ${status}`, async () => assert.equal(await send(sent()), status))
  }
})

describe('orange-webpay, when the answer with the page is lost', () => {
  let service: Service
  let operator: RunningStandIn
  before(async () => {
    service = await startService()
    operator = await startStandIn(ORANGE_WEBPAY_STAND_IN)
    await addOperatorAccount(service, file(operator.url))
  })
  after(async () => {
    await operator.close()
    await service.stop()
  })

  it('the deposit is in doubt, and fails when nobody can pay any more', async () => {
    operator.faults.set([{ on: 'create', fault: 'drop-after', times: 1 }])
    operator.setEnding('2250740099999', { says: 'pending' })
    const { id, body } = await service.deposit({
      amount: '1500',
      currency: 'XOF',
      payer: payer('2250740099999', 'ORANGE_CIV'),
      customerMessage: 'Payer 2250740099999',
    })
    assert.deepEqual([body.status, body.nextStep], ['ACCEPTED', 'GET_AUTH_URL'])
    const advanceUntil = (seconds: number, status: string) =>
      eventually(async () => {
        await service.advance(seconds)
        const { data } = (await service.get(`/v2/deposits/${id}`)).body
        assert.equal(data.status, status)
      })
    await advanceUntil(120, 'IN_RECONCILIATION')
    await advanceUntil(600, 'FAILED')
    const { failureReason } = await service.reaches(id, 'FAILED')
    assert.equal((failureReason as { failureCode?: string }).failureCode, 'PAYMENT_NOT_APPROVED')
    assert.equal(operator.book.all().length, 1)
  })
})

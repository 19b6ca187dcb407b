import assert from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { request } from 'undici'
import { addOperatorAccount } from '../../harness/operator-accounts.ts'
import { rsaPair } from '../../harness/rsa-pair.ts'
import { eventually, payer, type Service, startService } from '../../harness/service.ts'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import type { Outcome, ProviderOrder } from '../../src/providers/connector.ts'
import type { OpenAccount, OperatorRequest, Step } from '../../src/providers/operator.ts'
import { readCreated, readFound } from '../../src/providers/orange-sonatel/answers.ts'
import { CODES } from '../../src/providers/orange-sonatel/codes.ts'
import { encryptPin, publicKeyOf } from '../../src/providers/orange-sonatel/crypto.ts'
import { ORANGE_SONATEL } from '../../src/providers/orange-sonatel/operator.ts'
import { renewKey } from '../../src/providers/orange-sonatel/stand-in/key.ts'
import { ORANGE_SONATEL_STAND_IN } from '../../src/providers/orange-sonatel/stand-in/operator.ts'
import { createReferences } from '../../src/providers/reference.ts'
import { opened } from '../../src/providers/stand-in/rsa.ts'
import { type RunningStandIn, startStandIn } from '../../src/providers/stand-in/server.ts'
import { callbackUrlOf } from '../../src/usecases/operators/open-account.ts'
import { contractOf } from './contract.ts'

const SECRETS = {
  clientId: 'client-0123456789',
  clientSecret: 'client-secret-0123456789',
  callbackApiKey: 'callback-key-0123456789',
  pin: '73051846',
}
const ONE_TIME_CODE = '48392017'
const file = (baseUrl: string) => ({
  name: 'orange-senegal',
  connector: 'orange-sonatel',
  baseUrl,
  providers: { ORANGE_SEN: ['DEPOSIT', 'PAYOUT', 'REFUND'] },
  priority: 1,
  settings: { merchantCode: '621513' },
  secrets: SECRETS,
})

contractOf({
  standIn: ORANGE_SONATEL_STAND_IN,
  account: file,
  provider: 'ORANGE_SEN',
  currency: 'XOF',
  amount: '1500',
  numbers: '2217740',
  kinds: ['deposit', 'payout', 'refund'],
  depositMembers: { preAuthorisationCode: ONE_TIME_CODE },
  firstLookUp: 5,
  reconciliation: 180,
  declined: '2011',
  failures: [
    { kind: 'deposit', reason: '2011', means: 'the code is wrong' },
    { kind: 'deposit', reason: '2021', means: 'the customer has too little money' },
    { kind: 'payout', reason: '2001', means: 'no wallet has this number' },
    { kind: 'payout', reason: '2025', means: 'the wallet may not receive so much' },
  ],
  secrets: [...Object.values(SECRETS), ONE_TIME_CODE],
  traits: {
    refusesKnownReferences: false,
    isFoundByOurReference: true,
    isFinalAtOnce: true,
    namesTransaction: true,
    namesAmount: true,
    hasTokens: true,
    // They have to be set up with the operator first, as below.
    hasCallbacks: false,
  },
})

const REFERENCE = '0d3b2c5c-7a0e-4a53-9d8e-6f1a7d347f11'
const account = (changes: Partial<OpenAccount> = {}): OpenAccount => ({
  ...file('https://api.orange-sonatel.com'),
  providers: { ORANGE_SEN: ['DEPOSIT', 'PAYOUT', 'REFUND'] },
  enabled: true,
  callbackSecret: 'secret-of-22-charactrs',
  callbackSources: [],
  limits: {},
  catalog: readCatalog(CATALOG_FILE),
  referenceOf: createReferences(Buffer.alloc(32)),
  callbackUrl: (reference) => `https://pay.example/operators/orange/secret/${reference}`,
  now: () => 0,
  realNow: () => 0,
  ...changes,
})
const order = (operation: ProviderOrder['operation'], changes: Partial<ProviderOrder> = {}) =>
  ({
    merchantId: 1,
    paymentId: '6f1a7d34-7a0e-4a53-9d8e-0d3b2c5c7f11',
    operation,
    provider: 'ORANGE_SEN',
    amount: '1500',
    currency: 'XOF',
    phoneNumber: '221774012345',
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
const bodyOf = ({ body = '' }: OperatorRequest) => JSON.parse(body)
const words = (outcome: Outcome): string => {
  if (outcome.kind === 'UNKNOWN') return `UNKNOWN ${outcome.why}`
  if (outcome.kind !== 'FAILED' && outcome.kind !== 'REFUSED') return outcome.kind
  return outcome.isOurFault === true ? 'ours' : outcome.failure.code
}

/** Code or word, what a merchant reads of a deposit, and of a payout. */
const REASONS = [
  ['2000', 'PAYER_NOT_FOUND', 'RECIPIENT_NOT_FOUND'],
  ['2001', 'PAYER_NOT_FOUND', 'RECIPIENT_NOT_FOUND'],
  ['2010', 'PAYMENT_NOT_APPROVED', 'ours'],
  ['2011', 'PAYMENT_NOT_APPROVED', 'ours'],
  ['2012', 'PAYMENT_NOT_APPROVED', 'ours'],
  ['2013', 'PAYMENT_NOT_APPROVED', 'ours'],
  ['2020', 'INSUFFICIENT_BALANCE', 'ours'],
  ['2021', 'INSUFFICIENT_BALANCE', 'ours'],
  ['2022', 'ours', 'WALLET_LIMIT_REACHED'],
  ['2023', 'PAYER_LIMIT_REACHED', 'UNSPECIFIED_FAILURE'],
  ['2024', 'PAYER_LIMIT_REACHED', 'ours'],
  ['2025', 'ours', 'WALLET_LIMIT_REACHED'],
  ['2041', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['2042', 'UNSPECIFIED_FAILURE', 'ours'],
  ['2043', 'ours', 'WALLET_LIMIT_REACHED'],
  ['4003', 'ours', 'ours'],
  ['4004', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['CANCELLED', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['REJECTED', 'PAYMENT_NOT_APPROVED', 'UNSPECIFIED_FAILURE'],
  ['FAILED', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
  ['9999', 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
] as const

describe('14 the codes of orange-sonatel', () => {
  for (const [reason, ofDeposit, ofPayout] of REASONS) {
    it(reason, () => {
      for (const [operation, expected] of [
        ['DEPOSIT', ofDeposit],
        ['PAYOUT', ofPayout],
        ['REFUND', ofPayout],
      ] as const) {
        const isCode = /^\d+$/.test(reason)
        const created = isCode
          ? answer(400, { status: 400, code: reason, detail: 'words' })
          : answer(200, { reference: REFERENCE, status: reason })
        assert.equal(words(readCreated(created, order(operation))), expected)
        const status = isCode ? 'FAILED' : reason
        const found = [
          { reference: REFERENCE, status, ...(isCode ? { code: Number(reason) } : {}) },
        ]
        assert.equal(words(readFound(answer(200, found), order(operation), REFERENCE)), expected)
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

describe('the answers of orange-sonatel to a new order', () => {
  const body = (status: string) => ({ reference: REFERENCE, transactionId: 'MP1', status })
  /** Of a deposit, and of a payout. */
  const cases = [
    [200, body('SUCCESS'), 'DONE', 'PENDING'],
    [201, body('SUCCESS'), 'DONE', 'PENDING'],
    [200, body('INITIATED'), 'PENDING', 'PENDING'],
    [200, body('PRE_INITIATED'), 'PENDING', 'PENDING'],
    [200, body('PENDING'), 'PENDING', 'PENDING'],
    [202, body('ACCEPTED'), 'PENDING', 'PENDING'],
    [200, body('PERHAPS'), 'PENDING', 'PENDING'],
    [200, { surprise: true }, 'UNKNOWN UNREADABLE', 'UNKNOWN UNREADABLE'],
    [200, undefined, 'UNKNOWN UNREADABLE', 'UNKNOWN UNREADABLE'],
    [400, { detail: 'bad', violations: [] }, 'UNSPECIFIED_FAILURE', 'UNSPECIFIED_FAILURE'],
    [401, undefined, 'ours', 'ours'],
    [403, { title: 'Forbidden' }, 'ours', 'ours'],
    [404, undefined, 'ours', 'ours'],
    [409, undefined, 'UNKNOWN DUPLICATE', 'UNKNOWN DUPLICATE'],
    [415, undefined, 'ours', 'ours'],
    [429, undefined, 'UNKNOWN UNREADABLE', 'UNKNOWN UNREADABLE'],
    [500, { code: '2020' }, 'UNKNOWN SERVER', 'UNKNOWN SERVER'],
    [503, undefined, 'UNKNOWN SERVER', 'UNKNOWN SERVER'],
  ] as const
  for (const [status, body, ofDeposit, ofPayout] of cases) {
    it(`${status} ${JSON.stringify(body) ?? ''}`, () => {
      assert.equal(words(readCreated(answer(status, body), order('DEPOSIT'))), ofDeposit)
      assert.equal(words(readCreated(answer(status, body), order('PAYOUT'))), ofPayout)
    })
  }

  it('names the transaction, and how a refund is made', () => {
    const done = readCreated(answer(200, body('SUCCESS')), order('DEPOSIT'))
    assert.deepEqual(done, { kind: 'DONE', transactionId: 'MP1' })
    const refund = readCreated(answer(200, body('SUCCESS')), order('REFUND'))
    assert.deepEqual(refund, { kind: 'PENDING', ids: { transactionId: 'MP1', by: 'payout' } })
    const lost = readCreated(answer(500), order('REFUND'))
    assert.deepEqual(lost, { kind: 'UNKNOWN', why: 'SERVER', ids: { by: 'payout' } })
    const puzzle = readCreated(answer(200, body('PERHAPS')), order('PAYOUT'))
    assert.ok(puzzle.kind === 'PENDING' && puzzle.alert?.includes('PERHAPS'))
  })
})

describe('the look-ups of orange-sonatel', () => {
  const one = (status: string, more: object = {}) => ({
    reference: REFERENCE,
    transactionId: 'MP1',
    amount: { value: 1500.0, unit: 'XOF' },
    status,
    ...more,
  })
  const look = (status: number, json: unknown, of = order('DEPOSIT')) =>
    readFound(answer(status, json), of, REFERENCE)

  it('a success comes with the transaction and the amount', () => {
    const expected = { kind: 'DONE', transactionId: 'MP1', amount: '1500', currency: 'XOF' }
    assert.deepEqual(look(200, [one('SUCCESS')]), expected)
    // Failed attempts under the same reference do not count then.
    assert.deepEqual(look(200, [one('FAILED'), one('SUCCESS'), one('PENDING')]), expected)
  })

  const cases = [
    [200, [], 'UNKNOWN NOT_FOUND'],
    [404, {}, 'UNKNOWN NOT_FOUND'],
    [200, [one('SUCCESS', { reference: 'another' })], 'UNKNOWN NOT_FOUND'],
    [200, [one('SUCCESS'), one('SUCCESS')], 'UNKNOWN AMBIGUOUS'],
    [200, [one('FAILED'), one('PENDING')], 'PENDING'],
    [200, [one('PERHAPS')], 'PENDING'],
    [200, { surprise: true }, 'UNKNOWN UNREADABLE'],
    [415, {}, 'UNKNOWN UNREADABLE'],
    [500, {}, 'UNKNOWN SERVER'],
  ] as const
  for (const [status, body, expected] of cases) {
    it(`${status} ${JSON.stringify(body)} is ${expected}`, () => {
      assert.equal(words(look(status, body)), expected)
    })
  }

  it('how a refund was made is stored before its end', () => {
    const first = look(200, [one('SUCCESS')], order('REFUND'))
    assert.deepEqual(first, { kind: 'PENDING', checkAfterMs: 0, ids: { by: 'payout' } })
    const again = look(200, [one('SUCCESS')], order('REFUND', { ids: { by: 'payout' } }))
    assert.equal(again.kind, 'DONE')
  })
})

const decrypted = (text: string, key: KeyObject): string | undefined => opened(key, text)
const keyText = (key: KeyObject): string =>
  key.export({ format: 'der', type: 'spki' }).toString('base64')

describe('the PIN for orange-sonatel', () => {
  for (const modulusLength of [1024, 2048]) {
    it(`is encrypted anew every time, with a key of ${modulusLength} bit`, () => {
      const { publicKey, privateKey } = rsaPair(modulusLength)
      const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
      const texts = [keyText(publicKey), keyText(publicKey), pem].map((key) =>
        encryptPin('2026', key),
      )
      assert.equal(new Set(texts).size, 3)
      for (const text of texts) assert.equal(decrypted(text, privateKey), '2026')
    })
  }

  it('a key that is none is not taken', () => {
    const { key } = ORANGE_SONATEL.open(account()).tokens
    assert.equal(publicKeyOf('bm9uc2Vuc2U='), undefined)
    assert.equal(key?.read(answer(200, { keyId: '1', key: 'bm9uc2Vuc2U=' })), undefined)
    assert.equal(key?.read(answer(200, {})), undefined)
  })
})

describe('the requests of orange-sonatel', () => {
  const HEADERS = {
    authorization: 'Bearer token',
    'content-type': 'application/json',
    accept: 'application/json',
  }
  const submit = (of: ProviderOrder, by = account()) =>
    stepOf(ORANGE_SONATEL.open(by).submit(of, REFERENCE))

  it('signs in with a form, and asks for the key with the token', () => {
    const { access, key } = ORANGE_SONATEL.open(account()).tokens
    const { headers, body, ...rest } = access?.request() ?? assert.fail()
    assert.deepEqual(rest, { method: 'POST', path: '/oauth/v1/token' })
    assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
    assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
      grant_type: 'client_credentials',
      client_id: SECRETS.clientId,
      client_secret: SECRETS.clientSecret,
    })
    const token = access?.read(answer(200, { access_token: 'abc', expires_in: 299 }))
    assert.deepEqual(token, { value: 'abc', livesMs: 299_000 })
    assert.equal(access?.read(answer(401, { error: 'unauthorized_client' })), undefined)
    assert.deepEqual(key?.tokens, ['access'])
    assert.deepEqual(key?.request('token'), {
      method: 'GET',
      path: '/api/account/v1/publicKeys',
      headers: HEADERS,
    })
  })

  it('a deposit', () => {
    const step = submit(order('DEPOSIT', { oneTimeCode: ONE_TIME_CODE }))
    assert.deepEqual(step.tokens, ['access'])
    const { method, path, headers, ...rest } = step.request('token')
    assert.deepEqual([method, path], ['POST', '/api/eWallet/v1/payments/onestep'])
    assert.deepEqual(headers, HEADERS)
    assert.deepEqual(bodyOf({ method, path, headers, ...rest }), {
      customer: { idType: 'MSISDN', id: '774012345', otp: ONE_TIME_CODE },
      partner: { idType: 'CODE', id: '621513' },
      amount: { value: 1500, unit: 'XOF' },
      reference: REFERENCE,
      receiveNotification: true,
    })
  })

  it('a payout, and a refund, which is one', () => {
    const { publicKey, privateKey } = rsaPair(2048)
    for (const operation of ['PAYOUT', 'REFUND'] as const) {
      const step = submit(order(operation))
      assert.deepEqual(step.tokens, ['access', 'key'])
      const sent = step.request('token', keyText(publicKey))
      assert.deepEqual([sent.method, sent.path], ['POST', '/api/eWallet/v1/cashins'])
      assert.deepEqual(sent.headers, HEADERS)
      const { partner, ...rest } = bodyOf(sent)
      const { encryptedPinCode, ...own } = partner
      assert.equal(decrypted(encryptedPinCode, privateKey), SECRETS.pin)
      assert.deepEqual(own, { idType: 'CODE', id: '621513' })
      assert.deepEqual(rest, {
        customer: { idType: 'MSISDN', id: '774012345' },
        amount: { value: 1500, unit: 'XOF' },
        reference: REFERENCE,
        receiveNotification: true,
      })
      const byNumber = account({ settings: { merchantCode: '770930656' } })
      const other = submit(order(operation), byNumber).request('token', keyText(publicKey))
      assert.equal(bodyOf(other).partner.idType, 'MSISDN')
    }
  })

  it('a refund where the account may not pay out is not sent', () => {
    const providers = { ORANGE_SEN: ['DEPOSIT', 'REFUND'] as const }
    const open = ORANGE_SONATEL.open(account({ providers }))
    const outcome = open.submit(order('REFUND'), REFERENCE)
    assert.ok(!('request' in outcome) && words(outcome) === 'ours')
  })

  it('a look-up, with a type though it has no body', () => {
    const step = stepOf(ORANGE_SONATEL.open(account()).query(order('DEPOSIT'), REFERENCE))
    assert.deepEqual(step.request('token'), {
      method: 'GET',
      path: `/api/eWallet/v1/transactions?reference=${REFERENCE}`,
      headers: HEADERS,
    })
  })

  it('a token or a key that is refused', () => {
    const { isTokenRefused, tokens } = ORANGE_SONATEL.open(account())
    assert.ok(isTokenRefused(answer(401, { code: '40' })))
    assert.ok(isTokenRefused(answer(400, { code: 4003 })))
    assert.ok(!isTokenRefused(answer(500, { code: '4003' })))
    assert.ok(!isTokenRefused(answer(400, { code: '2011' })))
    assert.deepEqual(Object.keys(tokens), ['access', 'key'])
    const { pin: _, ...secrets } = SECRETS
    assert.deepEqual(Object.keys(ORANGE_SONATEL.open(account({ secrets })).tokens), ['access'])
  })
})

describe('the callbacks of orange-sonatel, read', () => {
  const raw = Buffer.from(
    JSON.stringify({ reference: REFERENCE, transactionId: 'MP1', status: 'SUCCESS' }),
  )
  const read = (authorization?: string, body = raw) =>
    ORANGE_SONATEL.open(account()).readCallback({ headers: { authorization }, raw: body })
  const claim = { reference: REFERENCE, ids: { transactionId: 'MP1' }, reply: { status: 200 } }

  it('with our key', () => {
    const expected = { ...claim, isGenuine: true }
    assert.deepEqual(read(`Basic ${SECRETS.callbackApiKey}`), expected)
  })

  for (const one of [undefined, '', SECRETS.callbackApiKey, 'Basic other', 'Basic undefined']) {
    it(`with ${one ?? 'nothing'}: acknowledged, and not genuine`, () => {
      assert.deepEqual(read(one), { ...claim, isGenuine: false })
    })
  }

  it('nonsense is acknowledged', () => {
    const expected = { isGenuine: true, reply: { status: 200 } }
    for (const body of ['', 'no JSON', '[]']) {
      const result = read(`Basic ${SECRETS.callbackApiKey}`, Buffer.from(body))
      assert.deepEqual(result, expected)
    }
  })
})

describe('orange-sonatel with a stand-in', () => {
  let service: Service
  let operator: RunningStandIn
  const headers = { authorization: 'Bearer sonatel.me', 'content-type': 'application/json' }
  const post = async (path: string, body: unknown, changes: Record<string, string> = {}) => {
    const answered = await request(operator.url + path, {
      method: 'POST',
      headers: { ...headers, ...changes },
      body: JSON.stringify(body),
    })
    const text = await answered.body.text()
    const json = text === '' ? undefined : JSON.parse(text)
    return [answered.statusCode, json?.code]
  }
  const register = (apiKey: string) => {
    const named = service.node.ctx.operators.named('orange-senegal') ?? assert.fail()
    const callbackUrl = callbackUrlOf(named.account, service.url)
    const code = named.account.settings.merchantCode
    const path = '/api/notification/v1/merchantcallback'
    return post(path, { code, name: 'Shop', callbackUrl, apiKey })
  }
  const deposit = async (phoneNumber: string) =>
    service.deposit({
      amount: '1500',
      currency: 'XOF',
      payer: payer(phoneNumber, 'ORANGE_SEN'),
      preAuthorisationCode: ONE_TIME_CODE,
    })
  const entryOf = (party: string) => operator.book.all().find((one) => one.party === party)
  const statusOf = async (kind: string, id: string) =>
    (await service.get(`/v2/${kind}s/${id}`)).body.data?.status

  before(async () => {
    service = await startService()
    operator = await startStandIn(ORANGE_SONATEL_STAND_IN)
    await addOperatorAccount(service, file(operator.url))
    assert.deepEqual(await register(SECRETS.callbackApiKey), [201, undefined])
  })
  after(async () => {
    await operator.close()
    await service.stop()
  })

  it('customers are asked for a code', async () => {
    const { body } = await service.deposit({
      amount: '1500',
      currency: 'XOF',
      payer: payer('221774100001', 'ORANGE_SEN'),
    })
    assert.equal(body.status, 'REJECTED', JSON.stringify(body))
    const { body: active } = await service.get('/v2/active-conf?operationType=DEPOSIT&country=SEN')
    const shown = JSON.stringify(active)
    assert.match(shown, /"provider":"ORANGE_SEN".*?"authType":"PREAUTH"/)
    // What to dial for a code, as it is said nowhere else.
    assert.match(shown, /"ORANGE_SEN".*?Dial #144#391# on the phone that pays\./)
    assert.match(shown, /"ORANGE_SEN".*?Saisissez votre code secret Orange Money\./)
  })

  it('pending, then success by callback: the operator is asked', async () => {
    operator.setEnding('774100002', { says: 'pending' })
    const { id } = await deposit('221774100002')
    await eventually(() => assert.ok(entryOf('774100002')))
    operator.end(entryOf('774100002')?.reference ?? '', { says: 'success' })
    await service.reaches(id, 'COMPLETED')
  })

  it('11 failed, then success after all: a case for a person', async () => {
    operator.setEnding('774100003', { says: 'failure', reason: '2012' })
    const { id } = await deposit('221774100003')
    const { failureReason } = await service.reaches(id, 'FAILED')
    assert.equal((failureReason as { failureCode: string }).failureCode, 'PAYMENT_NOT_APPROVED')
    await eventually(async () => {
      operator.end(entryOf('774100003')?.reference ?? '', { says: 'success' })
      const cases = await service.database.query(
        `select reported from cases where payment_id = $1 and cause = 'CONTRADICTION'`,
        [id],
      )
      assert.deepEqual(cases, [{ reported: 'COMPLETED' }])
    })
    assert.equal(await statusOf('deposit', id), 'FAILED')
  })

  it('3 a callback with another key: reported, asked about, and nothing more', async () => {
    await register('another-key')
    operator.faults.set([{ on: 'callback', fault: 'callback-forged', times: 1 }])
    operator.setEnding('774100004', { says: 'pending' })
    const { id } = await deposit('221774100004')
    await eventually(() =>
      assert.ok(service.logLines.some((line) => line.includes('failed the check of its operator'))),
    )
    assert.equal(await statusOf('deposit', id), 'PROCESSING')
    await register(SECRETS.callbackApiKey)
  })

  it('a key that the operator does not know any more is asked for again', async () => {
    const payout = async (phoneNumber: string): Promise<void> => {
      const payoutId = crypto.randomUUID()
      const recipient = payer(phoneNumber, 'ORANGE_SEN')
      const body = { payoutId, amount: '1500', currency: 'XOF', recipient }
      assert.equal((await service.post('/v2/payouts', body)).body.status, 'ACCEPTED')
      await eventually(() => assert.ok(entryOf(phoneNumber.slice(3))))
      await eventually(async () => {
        await service.advance(5)
        assert.equal(await statusOf('payout', payoutId), 'COMPLETED')
      })
    }
    const keys = () => operator.requests.filter(({ path }) => path.endsWith('/publicKeys')).length
    await payout('221774100005')
    await payout('221774100006')
    assert.equal(keys(), 1)
    renewKey()
    await payout('221774100007')
    assert.equal(keys(), 2)
  })

  const good = (reference: string) => ({
    customer: { idType: 'MSISDN', id: '774200001', otp: '123456' },
    partner: { idType: 'CODE', id: '621513' },
    amount: { value: 1500, unit: 'XOF' },
    reference,
    receiveNotification: true,
  })
  const PAY = '/api/eWallet/v1/payments/onestep'
  const CASH_IN = '/api/eWallet/v1/cashins'
  const { customer, partner } = good('')
  const REFUSED: readonly (readonly [string, string, object, number, string | undefined])[] = [
    ['an amount as a text', PAY, { amount: { value: '1500', unit: 'XOF' } }, 400, '25'],
    ['an amount below 10', PAY, { amount: { value: 9, unit: 'XOF' } }, 400, '25'],
    ['another currency', PAY, { amount: { value: 1500, unit: 'XAF' } }, 400, '25'],
    ['no code', PAY, { customer: { ...customer, otp: '' } }, 400, '25'],
    ['a whole number', PAY, { customer: { ...customer, id: '221774200001' } }, 400, '2001'],
    ['a merchant without a code', PAY, { partner: { ...partner, idType: 'MSISDN' } }, 400, '25'],
    ['a PIN in the open', CASH_IN, { partner: { ...partner, encryptedPinCode: '1' } }, 400, '4003'],
    ['no reference', PAY, { reference: '' }, 400, '25'],
  ]
  for (const [what, path, change, status, code] of REFUSED) {
    it(`the stand-in refuses ${what}`, async () => {
      assert.deepEqual(await post(path, { ...good(what), ...change }), [status, code])
    })
  }

  it('the stand-in takes what is right, once, with a token and a type', async () => {
    assert.deepEqual(await post(PAY, good('right')), [200, undefined])
    assert.deepEqual(await post(PAY, good('right')), [409, '409'])
    assert.deepEqual(await post(PAY, good('x'), { authorization: 'Bearer x' }), [401, '40'])
    assert.deepEqual(await post(PAY, good('x'), { 'content-type': 'text/plain' }), [415, '60'])
  })
})

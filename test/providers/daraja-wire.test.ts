import assert from 'node:assert/strict'
import { constants, privateDecrypt } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { request as send } from 'undici'
import { rsaPair } from '../../harness/rsa-pair.ts'
import type { OperatorIds } from '../../src/domain/payments/payment.ts'
import type { OperationType } from '../../src/domain/provider.ts'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import type { Outcome, ProviderOrder } from '../../src/providers/connector.ts'
import { passwordOf, securityCredential, timestampAt } from '../../src/providers/daraja/crypto.ts'
import { DARAJA } from '../../src/providers/daraja/operator.ts'
import { openCredential, standInCertificate } from '../../src/providers/daraja/stand-in/key.ts'
import { DARAJA_STAND_IN } from '../../src/providers/daraja/stand-in/operator.ts'
import type { OpenAccount, Step } from '../../src/providers/operator.ts'
import { type RunningStandIn, startStandIn } from '../../src/providers/stand-in/server.ts'

const REFERENCE = '0d1cbd7c-67c5-4f1c-9a3b-0a7a4d2a7f11'
const NOW = Date.UTC(2021, 5, 28, 6, 24, 8)
/** Published by the operator for its test environment. */
const PASSKEY = 'bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919'
const PASSWORD =
  'MTc0Mzc5YmZiMjc5ZjlhYTliZGJjZjE1OGU5N2RkNzFhNDY3Y2QyZTBjODkzMDU5YjEwZjc4ZTZiNzJhZGExZWQyYzkxOTIwMjEwNjI4MDkyNDA4'

const catalog = readCatalog(CATALOG_FILE)

const accountWith = (
  settings: Readonly<Record<string, string>> = {},
  operations: readonly OperationType[] = ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'],
): OpenAccount => ({
  name: 'kenya',
  connector: 'daraja',
  baseUrl: 'https://api.safaricom.co.ke',
  providers: { MPESA_KEN: operations, MPESA_ETH: operations },
  priority: 1,
  enabled: true,
  settings: {
    shortCode: '174379',
    b2cShortCode: '600992',
    initiatorName: 'testapi',
    ...settings,
  },
  secrets: {
    consumerKey: 'key',
    consumerSecret: 'secret',
    passkey: PASSKEY,
    initiatorPassword: 'Safaricom999!*!',
    certificate: standInCertificate(),
  },
  callbackSecret: 's',
  callbackSources: [],
  limits: {},
  catalog,
  referenceOf: () => REFERENCE,
  callbackUrl: (reference) => `https://pay.example/operators/kenya/s/${reference}`,
  now: () => NOW,
  realNow: () => NOW,
})

const ORDER = {
  operation: 'DEPOSIT',
  provider: 'MPESA_KEN',
  amount: '15',
  currency: 'KES',
  phoneNumber: '254712000001',
  message: 'Two loaves of bread, please',
} as ProviderOrder

const isStep = (next: Step | Outcome): next is Step => 'request' in next

type Sent = {
  readonly method: string
  readonly path: string
  readonly body: Record<string, unknown>
}

function sent(next: Step | Outcome): Sent {
  assert.ok(isStep(next), JSON.stringify(next))
  assert.deepEqual(next.tokens, ['access'])
  const { method, path, headers, body = '{}' } = next.request('the-token')
  assert.deepEqual(headers, {
    authorization: 'Bearer the-token',
    'content-type': 'application/json',
  })
  return { method, path, body: JSON.parse(body) }
}

const submitted = (order: Partial<ProviderOrder>, account = accountWith()): Step | Outcome =>
  DARAJA.open(account).submit({ ...ORDER, ...order }, REFERENCE)
const queried = (order: Partial<ProviderOrder>, account = accountWith()): Step | Outcome =>
  DARAJA.open(account).query({ ...ORDER, ...order }, REFERENCE)

const CALLBACK = `https://pay.example/operators/kenya/s/${REFERENCE}`
const SHORT = 'ANDS6XYZ6FJ4'

describe('the secrets of daraja on the wire', () => {
  it('the password of a prompt, as in the documents', () => {
    assert.equal(passwordOf('174379', PASSKEY, '20210628092408'), PASSWORD)
  })

  it('the time is that of East Africa', () => {
    assert.equal(timestampAt(NOW), '20210628092408')
    assert.equal(timestampAt(Date.UTC(2024, 11, 31, 22, 0, 1)), '20250101010001')
  })

  for (const bits of [1024, 2048, 3072]) {
    it(`the credential of the initiator, with a key of ${bits} bits`, () => {
      const { publicKey, privateKey } = rsaPair(bits)
      for (const type of ['spki', 'pkcs1'] as const) {
        const pem = publicKey.export({ type, format: 'pem' }).toString()
        const [one, other] = [securityCredential('Päss#1', pem), securityCredential('Päss#1', pem)]
        assert.notEqual(one, other)
        const block = Buffer.from(one ?? '', 'base64')
        const plain = privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, block)
        assert.deepEqual([...plain.subarray(0, 2)], [0, 2])
        assert.equal(plain.subarray(plain.indexOf(0, 2) + 1).toString(), 'Päss#1')
      }
    })
  }

  it('a certificate that has expired is as good as any', () => {
    assert.equal(Buffer.from(securityCredential('x', EXPIRED) ?? '', 'base64').length, 128)
  })

  it('a key that cannot be used is our fault, and nothing is sent', () => {
    assert.equal(securityCredential('x', 'nonsense'), undefined)
    const account = accountWith()
    const secrets = { ...account.secrets, certificate: '-----BEGIN CERTIFICATE-----\nno' }
    const outcome = submitted({ operation: 'PAYOUT' }, { ...account, secrets })
    assert.ok(!isStep(outcome) && outcome.kind === 'REFUSED' && outcome.isOurFault)
  })

  it('signing in', () => {
    const { tokens } = DARAJA.open(accountWith())
    assert.deepEqual(tokens.access?.request(), {
      method: 'GET',
      path: '/oauth/v1/generate?grant_type=client_credentials',
      headers: { authorization: 'Basic a2V5OnNlY3JldA==' },
    })
    // The lifetime comes as a text, and as a number.
    for (const expires_in of ['3599', 3599]) {
      const json = { access_token: 'abc', expires_in }
      const token = tokens.access?.read({ status: 200, text: '', json })
      assert.deepEqual(token, { value: 'abc', livesMs: 3_599_000 })
    }
    assert.equal(tokens.access?.read({ status: 400, text: '', json: {} }), undefined)
  })
})

describe('the requests of daraja', () => {
  const PROMPT = {
    BusinessShortCode: '174379',
    Password: PASSWORD,
    Timestamp: '20210628092408',
    TransactionType: 'CustomerPayBillOnline',
    Amount: 15,
    PartyA: 254712000001,
    PartyB: '174379',
    PhoneNumber: 254712000001,
    CallBackURL: CALLBACK,
    AccountReference: SHORT,
    TransactionDesc: 'Two loaves of',
  }

  it('a prompt of a pay bill number', () => {
    const { method, path, body } = sent(submitted({ amount: '15.00' }))
    assert.deepEqual([method, path], ['POST', '/mpesa/stkpush/v1/processrequest'])
    assert.deepEqual(body, PROMPT)
  })

  it('a prompt of a till', () => {
    const transactionType = 'CustomerBuyGoodsOnline'
    const { body } = sent(submitted({}, accountWith({ transactionType, till: '7654321' })))
    assert.deepEqual(body, { ...PROMPT, TransactionType: transactionType, PartyB: '7654321' })
  })

  it('the look-up of a prompt', () => {
    const { method, path, body } = sent(queried({ ids: { checkoutRequestId: 'ws_CO_1' } }))
    assert.deepEqual([method, path], ['POST', '/mpesa/stkpushquery/v1/query'])
    assert.deepEqual(body, {
      BusinessShortCode: '174379',
      Password: PASSWORD,
      Timestamp: '20210628092408',
      CheckoutRequestID: 'ws_CO_1',
    })
  })

  it('a prompt whose name is not known is not found; a callback may bring the name', () => {
    assert.deepEqual(queried({}), { kind: 'UNKNOWN', why: 'NOT_FOUND' })
    const ids = { resultCode: '0', resultTheirs: 'ws_CO_2' }
    assert.equal(sent(queried({ ids })).body.CheckoutRequestID, 'ws_CO_2')
    const both = { ...ids, checkoutRequestId: 'ws_CO_1' }
    assert.equal(sent(queried({ ids: both })).body.CheckoutRequestID, 'ws_CO_1')
  })

  for (const operation of ['PAYOUT', 'REMITTANCE'] as const) {
    it(`a ${operation.toLowerCase()}`, () => {
      const { method, path, body } = sent(submitted({ operation }))
      assert.deepEqual([method, path], ['POST', '/mpesa/b2c/v3/paymentrequest'])
      const { SecurityCredential, ...rest } = body
      assert.deepEqual(openCredential(String(SecurityCredential)), {
        kind: 'password',
        password: 'Safaricom999!*!',
      })
      assert.deepEqual(rest, {
        OriginatorConversationID: REFERENCE,
        InitiatorName: 'testapi',
        CommandID: 'BusinessPayment',
        Amount: 15,
        PartyA: '600992',
        PartyB: 254712000001,
        Remarks: 'Two loaves of bread please',
        QueueTimeOutURL: CALLBACK,
        ResultURL: CALLBACK,
        Occassion: SHORT,
      })
    })
  }

  it('one short code may do for both, and remarks have two characters', () => {
    const { b2cShortCode, ...settings } = accountWith().settings
    const account = { ...accountWith(), settings }
    const { body } = sent(submitted({ operation: 'PAYOUT', message: 'A' }, account))
    assert.equal(body.PartyA, '174379')
    assert.equal(body.Remarks, 'Payment')
  })

  it('what cannot be sent is refused before', () => {
    const refusals: readonly [Partial<ProviderOrder>, OpenAccount?][] = [
      [{ operation: 'PAYOUT', amount: '10.50' }],
      [{ amount: '0' }],
      [{}, accountWith({ transactionType: 'CustomerBuyGoodsOnline' })],
      [{ operation: 'PAYOUT' }, { ...accountWith(), settings: { initiatorName: 'x' } }],
      [{ operation: 'REFUND' }, accountWith({}, ['DEPOSIT', 'REFUND'])],
    ]
    for (const [order, account] of refusals) {
      const outcome = submitted(order, account)
      assert.ok(!isStep(outcome) && outcome.kind === 'REFUSED', JSON.stringify(order))
    }
  })
})

describe('refunds of daraja', () => {
  const original = { amount: '30', account: 'kenya', reference: 'r', transactionId: 'NLJ7RT61SV' }
  const refund = (changes: Partial<ProviderOrder> = {}) =>
    submitted({ operation: 'REFUND', amount: '10', original, ...changes })

  it('are reversals, of a part as well', () => {
    const { method, path, body } = sent(refund())
    assert.deepEqual([method, path], ['POST', '/mpesa/reversal/v1/request'])
    const { SecurityCredential, ...rest } = body
    assert.equal(openCredential(String(SecurityCredential)).kind, 'password')
    assert.deepEqual(rest, {
      Initiator: 'testapi',
      CommandID: 'TransactionReversal',
      TransactionID: 'NLJ7RT61SV',
      Amount: 10,
      ReceiverParty: '174379',
      RecieverIdentifierType: '11',
      ResultURL: CALLBACK,
      QueueTimeOutURL: CALLBACK,
      Remarks: 'Two loaves of bread please',
      Occasion: SHORT,
    })
  })

  it('know the receipt from a callback that came after the end', () => {
    const { transactionId, ...late } = original
    const ids = {
      checkoutRequestId: 'ws_CO_1',
      resultCode: '0',
      resultTheirs: 'ws_CO_1',
      resultReceipt: 'SG632NMUAB',
      resultAmount: '30',
    }
    const { body } = sent(refund({ original: { ...late, ids } }))
    assert.equal(body.TransactionID, 'SG632NMUAB')
    for (const doubtful of [{ resultAmount: '3' }, { resultTheirs: 'ws_CO_2' }]) {
      const { path } = sent(refund({ original: { ...late, ids: { ...ids, ...doubtful } } }))
      assert.equal(path, '/mpesa/b2c/v3/paymentrequest')
    }
  })

  it('are paid out without a receipt, and where another account took the money', () => {
    const { transactionId, ...unknown } = original
    for (const other of [unknown, { ...original, account: 'another' }]) {
      const { path, body } = sent(refund({ original: other }))
      assert.equal(path, '/mpesa/b2c/v3/paymentrequest')
      assert.equal(body.PartyB, 254712000001)
    }
  })
})

describe('questions about payouts', () => {
  const MINUTE = 60_000
  const taken = { conversationId: 'AG_1', originatorConversationId: REFERENCE }
  const asked = (ids: OperatorIds, order: Partial<ProviderOrder> = {}) =>
    queried({ operation: 'PAYOUT', ids, ...order })

  it('wait five minutes for the result', () => {
    const sentAt = String(NOW - 4 * MINUTE)
    assert.deepEqual(asked({ ...taken, sentAt }), { kind: 'PENDING' })
  })

  it('are sent then', () => {
    const ids = { ...taken, sentAt: String(NOW - 5 * MINUTE) }
    const { method, path, body } = sent(asked(ids))
    assert.deepEqual([method, path], ['POST', '/mpesa/transactionstatus/v1/query'])
    const { SecurityCredential, ...rest } = body
    assert.equal(openCredential(String(SecurityCredential)).kind, 'password')
    assert.deepEqual(rest, {
      Initiator: 'testapi',
      CommandID: 'TransactionStatusQuery',
      OriginalConversationID: REFERENCE,
      PartyA: '600992',
      IdentifierType: '4',
      QueueTimeOutURL: CALLBACK,
      ResultURL: CALLBACK,
      Remarks: 'Status',
      Occasion: SHORT,
    })
  })

  it('are sent at once where the answer was lost, or the operator gave up', () => {
    const lost = asked({})
    assert.equal(sent(lost).path, '/mpesa/transactionstatus/v1/query')
    assert.ok(isStep(lost))
    const read = lost.read({ status: 200, text: '', json: { ResponseCode: '0' } })
    assert.deepEqual(read, { kind: 'UNKNOWN', why: 'ASKED' })
    sent(asked({ ...taken, sentAt: String(NOW - MINUTE), timedOut: 'yes' }))
  })

  it('never follow a callback at once, or they would go in circles', () => {
    const ids = { ...taken, sentAt: String(NOW - 9 * MINUTE), callbackAt: String(NOW - 1000) }
    assert.deepEqual(asked(ids), { kind: 'PENDING' })
    sent(asked({ ...ids, callbackAt: String(NOW - MINUTE) }))
  })

  it('a reversal goes by the name that the operator gave it', () => {
    const sentAt = String(NOW - 9 * MINUTE)
    const ids = { conversationId: 'AG_1', originatorConversationId: 'f1e2', by: 'reversal', sentAt }
    const { body } = sent(asked(ids, { operation: 'REFUND' }))
    assert.equal(body.OriginalConversationID, 'f1e2')
    assert.equal(body.PartyA, '174379')
    assert.deepEqual(asked({ by: 'reversal' }, { operation: 'REFUND' }), {
      kind: 'UNKNOWN',
      why: 'ASKED',
    })
  })
})

describe('Ethiopia', () => {
  const account = accountWith({ country: 'ETH', shortCode: '6564' })
  const ethiopian = { provider: 'MPESA_ETH', currency: 'ETB', phoneNumber: '251712000001' }

  it('has paths of its own', () => {
    const { tokens } = DARAJA.open(account)
    assert.equal(tokens.access?.request().path, '/v1/token/generate?grant_type=client_credentials')
    const payout = sent(submitted({ ...ethiopian, operation: 'PAYOUT' }, account))
    assert.equal(payout.path, '/mpesa/b2c/v2/paymentrequest')
    assert.equal(payout.body.OriginatorConversationID, REFERENCE)
    const original = { amount: '30', account: 'kenya', transactionId: 'NLJ7RT61SV' }
    const refund = submitted({ ...ethiopian, operation: 'REFUND', original }, account)
    assert.equal(sent(refund).path, '/mpesa/b2c/v2/paymentrequest')
  })

  it('names a prompt by our reference', () => {
    const { path, body } = sent(submitted(ethiopian, account))
    assert.equal(path, '/mpesa/stkpush/v3/processrequest')
    assert.equal(body.MerchantRequestID, REFERENCE)
    assert.deepEqual(body.ReferenceData, [{ Key: 'ThirdPartyReference', Value: SHORT }])
    assert.equal(body.PhoneNumber, 251712000001)
  })

  it('has no look-up of a prompt: the callback counts if it fits', () => {
    const { readCallback } = DARAJA.open(account)
    const callback = (code: number, changes: object = {}, amount = 15) => {
      const Item = [
        { Name: 'Amount', Value: amount },
        { Name: 'MpesaReceiptNumber', Value: 'SG632NMUAB' },
        { Name: 'PhoneNumber', Value: 251712000001 },
      ]
      const stkCallback = {
        MerchantRequestID: REFERENCE,
        CheckoutRequestID: 'ws_CO_1',
        ResultCode: code,
        ...(code === 0 ? { CallbackMetadata: { Item } } : {}),
        ...changes,
      }
      const raw = Buffer.from(JSON.stringify({ Body: { stkCallback } }))
      return readCallback({ headers: {}, raw }).ids ?? {}
    }
    const weighed = (ids: OperatorIds) => {
      const outcome = queried({ ...ethiopian, ids }, account)
      assert.ok(!isStep(outcome))
      return outcome
    }
    const known = { checkoutRequestId: 'ws_CO_1' }
    assert.deepEqual(weighed(known), { kind: 'PENDING' })
    assert.deepEqual(weighed({}), { kind: 'UNKNOWN', why: 'ASKED' })
    const done = { kind: 'DONE', transactionId: 'SG632NMUAB', amount: '15' }
    assert.deepEqual(weighed({ ...known, ...callback(0) }), done)
    assert.deepEqual(weighed(callback(0)), done)
    assert.equal(weighed({ ...known, ...callback(1032) }).kind, 'FAILED')
    assert.equal(weighed({ ...known, ...callback(0, { CheckoutRequestID: 'x' }) }).kind, 'PENDING')
  })
})

describe('what the stand-in of daraja refuses', () => {
  let operator: RunningStandIn
  before(async () => {
    operator = await startStandIn(DARAJA_STAND_IN)
  })
  after(() => operator.close())

  const call = async (
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
  ) => {
    const response = await send(operator.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const json = (await response.body.json()) as Record<string, string>
    return { status: response.statusCode, json }
  }
  const SIGN_IN = '/oauth/v1/generate?grant_type=client_credentials'
  const signedIn = async (): Promise<Record<string, string>> => {
    const { json } = await call('GET', SIGN_IN, { authorization: 'Basic a2V5OnNlY3JldA==' })
    assert.equal(json.expires_in, '3599')
    return { authorization: `Bearer ${json.access_token}`, 'content-type': 'application/json' }
  }

  it('signing in with something else', async () => {
    const wrong = { authorization: `Basic ${Buffer.from('key:wrong').toString('base64')}` }
    const cases = [
      [SIGN_IN, {}, '400.008.01'],
      [SIGN_IN, { authorization: 'Bearer x' }, '400.008.01'],
      [SIGN_IN, wrong, '400.008.01'],
      ['/oauth/v1/generate', { authorization: 'Basic a2V5OnNlY3JldA==' }, '400.008.02'],
    ] as const
    for (const [path, headers, code] of cases) {
      const { status, json } = await call('GET', path, headers)
      assert.deepEqual([status, json.errorCode], [400, code])
    }
    assert.equal((await call('POST', SIGN_IN)).json.errorCode, '405.001')
  })

  it('requests without a token, to a wrong path, or not as JSON', async () => {
    const headers = await signedIn()
    const { path, body } = sent(submitted({}))
    const stranger = { ...headers, authorization: 'Bearer stranger' }
    assert.equal((await call('POST', path, stranger, body)).json.errorCode, '404.001.03')
    assert.equal((await call('POST', '/mpesa/x', headers, body)).json.errorCode, '404.001.01')
    const plain = { ...headers, 'content-type': 'text/plain' }
    const { json } = await call('POST', path, plain, body)
    assert.equal(json.errorMessage, 'Bad Request - Invalid BusinessShortCode')
  })

  it('requests with a member missing or wrong', async () => {
    const headers = await signedIn()
    const payout = sent(submitted({ operation: 'PAYOUT' }))
    const original = { amount: '30', account: 'kenya', transactionId: 'NLJ7RT61SV' }
    const reversal = sent(submitted({ operation: 'REFUND', original }))
    const status = sent(queried({ operation: 'PAYOUT', ids: {} }))
    for (const { path, body } of [sent(submitted({})), payout, reversal, status]) {
      for (const name of Object.keys(body)) {
        if (['Occassion', 'Occasion'].includes(name)) continue
        const { [name]: _, ...rest } = body
        const { json } = await call('POST', path, headers, rest)
        assert.equal(json.errorMessage, `Bad Request - Invalid ${name}`)
      }
    }
    const wrong = [
      [{ Amount: 10.5 }, 'Amount'],
      [{ PartyB: '0712000001' }, 'PartyB'],
      [{ Remarks: 'x' }, 'Remarks'],
      [{ SecurityCredential: 'the password itself' }, 'SecurityCredential'],
      [{ ResultURL: 'http://pay.example/x' }, 'ResultURL'],
      [{ CommandID: 'GiveMeMoney' }, 'CommandID'],
    ] as const
    for (const [change, name] of wrong) {
      const { json } = await call('POST', payout.path, headers, { ...payout.body, ...change })
      assert.equal(json.errorMessage, `Bad Request - Invalid ${name}`)
    }
    assert.equal(operator.book.all().length, 0)
  })

  it('a wrong pass key, and a payout that it knows', async () => {
    const headers = await signedIn()
    const push = sent(submitted({}))
    const Password = passwordOf('174379', 'wrong', '20210628092408')
    const { json } = await call('POST', push.path, headers, { ...push.body, Password })
    assert.deepEqual([json.errorCode, json.errorMessage], ['500.001.1001', 'Wrong credentials'])
    const payout = sent(submitted({ operation: 'PAYOUT' }))
    assert.equal((await call('POST', payout.path, headers, payout.body)).json.ResponseCode, '0')
    const again = await call('POST', payout.path, headers, payout.body)
    assert.deepEqual([again.status, again.json.errorCode], [500, '500.002.1001'])
  })

  it('the same prompt twice within two minutes, by its result', async () => {
    const headers = await signedIn()
    const { path, body } = sent(submitted({ phoneNumber: '254712000077' }))
    await call('POST', path, headers, body)
    const { json } = await call('POST', path, headers, body)
    const second = operator.book.find(json.CheckoutRequestID ?? '')
    assert.deepEqual(second?.ending, { says: 'failure', reason: '17' })
  })
})

const EXPIRED = `-----BEGIN CERTIFICATE-----
MIIBkjCB/AIBATANBgkqhkiG9w0BAQsFADASMRAwDgYDVQQDDAdleHBpcmVkMB4X
DTE1MDEwMTAwMDAwMFoXDTE2MTExMTAwMDAwMFowEjEQMA4GA1UEAwwHZXhwaXJl
ZDCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkCgYEAt9MYm981wnFDkl6qE3D6qFSx
vcOIfPw/UDgPc63u9x61YT7G4ZJFYBjjbHaZzuF9RGcjWe7aEr5PUqGOqq4L+V+1
J6P0QcG2OR8Yj5G+KToHhQT6bT6mjEvwGXWni51XTVv2vLbN+p33FCApwJKnrLGe
23xppRO1EgCn0/YXty8CAwEAATANBgkqhkiG9w0BAQsFAAOBgQBzGfksCZBNknG6
FX9yYxM62Kip6KlvSgxFV7KATWwJMaWYYf77xhssYvBa5U7+Vrzra8DSwFna9A3q
dUO8JY/lQmMFpd7h+PKFoVTSkEAYHpV7z7IJnCoB9OX8pzb1eSuUTDpJik/1OGFu
e2DbjmgznblwojCAn3G4/GM4wp2HZA==
-----END CERTIFICATE-----
`

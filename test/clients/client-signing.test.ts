import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import { remittanceBody } from '../../harness/remittances.ts'
import { depositBody, payer } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { ALGORITHMS, makeKey } from '../../harness/signers.ts'
import {
  AuthorisationError,
  createClient,
  SignatureError,
  type SigningOptions,
} from '../../src/sdk/client/client.ts'
import { generateSigningKey } from '../../src/signing/keys.ts'
import { changed, cutAfterReceipt, type Passed, startFaultyProxy } from '../support/faulty-proxy.ts'

/** Signed requests of `malipo/client`, and answers that are not those of the service. */
const service = await shareService()
const proxy = await startFaultyProxy(service.url)
const keys = ALGORITHMS.map((algorithm) => makeKey(`shop:${algorithm}`, algorithm))
after(async () => {
  await proxy.close()
  await service.stop()
})
const set = await service.put('/sandbox/signatures', {
  signedRequestsOnly: true,
  keys: keys.map(({ id, pem }) => ({ id, key: pem })),
})
assert.equal(set.status, 204)

const [first] = keys
assert.ok(first !== undefined)
const sign: SigningOptions = { keyId: first.id, privateKey: first.privateKey }
const clientWith = (options?: SigningOptions) =>
  createClient({
    baseUrl: proxy.url,
    token: service.token,
    ...(options === undefined ? {} : { sign: options }),
  })
const client = clientWith(sign)

const payoutBody = () => ({
  payoutId: randomUUID(),
  amount: '15',
  currency: 'ZMW',
  recipient: payer('260763456789', 'MTN_MOMO_ZMB'),
})

it('an account that takes signed requests only takes them from any kind of key', async () => {
  await assert.rejects(clientWith().deposits.initiate(depositBody()), AuthorisationError)
  for (const { id, privateKey } of keys) {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const answer = await clientWith({ keyId: id, privateKey: pem }).deposits.initiate(depositBody())
    assert.equal(answer.status, 'ACCEPTED', id)
  }
  const wrong = { keyId: first.id, privateKey: makeKey('x', 'ecdsa-p256-sha256').privateKey }
  await assert.rejects(clientWith(wrong).deposits.initiate(depositBody()), AuthorisationError)
  const unsuitable = generateSigningKey('x').privateKey
  assert.throws(() => clientWith({ keyId: 'quoted"', privateKey: unsuitable }), TypeError)
})

it('every kind of payment is signed, and so are refusals and repeats', async () => {
  const deposit = depositBody()
  proxy.next(cutAfterReceipt)
  assert.equal((await client.deposits.initiate(deposit)).status, 'DUPLICATE_IGNORED')
  await client.deposits.waitForFinal(deposit.depositId)
  const { depositId } = deposit
  const split = {
    ...{ splitPaymentId: randomUUID(), amount: '15', currency: 'ZMW', payer: deposit.payer },
    splits: [{ payoutId: randomUUID(), amount: '5', recipient: deposit.payer }],
  }
  const answers = [
    await client.refunds.initiate({ refundId: randomUUID(), depositId }),
    await client.payouts.initiate(payoutBody()),
    ...(await client.payouts.initiateBulk([payoutBody(), payoutBody()])),
    await client.remittances.initiate(remittanceBody()),
    ...(await client.remittances.initiateBulk([remittanceBody()])),
    await client.splitPayments.initiate(split),
  ]
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], ['ACCEPTED'])
  const refused = await client.deposits.initiate(depositBody({ amount: '-1' }))
  assert.equal(refused.status, 'REJECTED')
  const list = [payoutBody(), { ...payoutBody(), payoutId: 'x' }]
  const whole = await client.payouts.initiateBulk(list)
  assert.deepEqual(
    whole.map(({ payoutId, status }) => ({ payoutId, status })),
    list.map(({ payoutId }) => ({ payoutId, status: 'REJECTED' })),
  )
  const lines = proxy.seen.filter(({ headers }) => headers.signature !== undefined)
  const dates = lines.map(({ headers }) => headers.signature)
  assert.equal(new Set(dates).size, dates.length, 'each attempt has a signature of its own')
})

it('an answer that the service did not sign as it came is refused', async () => {
  const forged = generateSigningKey('HTTP_EC_P256_KEY:1')
  let earlier: Passed | undefined
  await client.deposits.initiate(depositBody())
  proxy.next(
    changed((passed) => {
      earlier = passed
      return passed
    }),
  )
  await client.deposits.initiate(depositBody())
  const without = (headers: Record<string, string>, ...names: string[]) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
  const CHANGES: readonly (readonly [code: string, change: (passed: Passed) => Passed])[] = [
    // While it has not expired.
    ['OTHER_PAYMENT', (one) => earlier ?? one],
    ['WRONG_DIGEST', (one) => ({ ...one, body: one.body.replace('ACCEPTED', 'REJECTED') })],
    ['NOT_VERIFIED', (one) => ({ ...one, status: 201 })],
    [
      'NOT_SIGNED',
      (one) => ({ ...one, headers: without(one.headers, 'signature', 'signature-input') }),
    ],
    ['HALF_SIGNED', (one) => ({ ...one, headers: without(one.headers, 'signature') })],
    ['NO_DIGEST', (one) => ({ ...one, headers: without(one.headers, 'content-digest') })],
    [
      'UNKNOWN_KEY',
      ({ headers, ...one }) => {
        const input = headers['signature-input']?.replace(/keyid="[^"]*"/, 'keyid="other"') ?? ''
        return { ...one, headers: { ...headers, 'signature-input': input } }
      },
    ],
    [
      'NOT_COVERED',
      ({ headers, ...one }) => {
        const input = headers['signature-input']?.replace('"@status" ', '') ?? ''
        return { ...one, headers: { ...headers, 'signature-input': input } }
      },
    ],
  ]
  for (const [code, change] of CHANGES) {
    const request = depositBody()
    proxy.next(changed(change))
    await assert.rejects(
      client.deposits.initiate(request),
      (error: unknown) => {
        assert.ok(error instanceof SignatureError, String(error))
        assert.equal(error.code, code)
        return true
      },
      code,
    )
    // The service has it nevertheless: the same identifier starts nothing twice.
    assert.equal((await client.deposits.initiate(request)).status, 'DUPLICATE_IGNORED')
  }
  const pinned = clientWith({ ...sign, serviceKeys: [{ id: forged.id, key: forged.publicKeyPem }] })
  await assert.rejects(
    pinned.deposits.initiate(depositBody()),
    (error: unknown) => error instanceof SignatureError && error.code === 'NOT_VERIFIED',
  )
})

it('nothing is sent before there are keys to check the answer with', async () => {
  const stranger = createClient({ baseUrl: proxy.url, token: 'mlp_sbx_nobody', sign })
  const request = depositBody()
  await assert.rejects(stranger.deposits.initiate(request), AuthorisationError)
  await assert.rejects(
    clientWith({ ...sign, serviceKeys: [] }).deposits.initiate(request),
    (error: unknown) => error instanceof SignatureError && error.code === 'NO_KEYS',
  )
  assert.ok(!proxy.seen.some(({ body }) => body.includes(request.depositId)))
})

import assert from 'node:assert/strict'
import { createPublicKey, randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import { startReceiver } from '../../../harness/receiver.ts'
import { eventually } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { makeKey } from '../../../harness/signers.ts'
import { verifyCallback } from '../../../src/sdk/receiver.ts'
import { assertAnswer, reason } from '../../support/shapes.ts'
import { assertSigned, give, postSigned } from '../../support/signed-service.ts'

const service = await shareService()
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})

const path = '/v2/public-key/http'
const PEM = /^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n-----END PUBLIC KEY-----\n?$/

it('the keys are a list of id and PEM, the first one being in use', async () => {
  const answer = await service.get(path)
  assertAnswer(answer, 200, [{ id: 'HTTP_EC_P256_KEY:1', key: PEM }])
  const key = createPublicKey(answer.body[0].key)
  assert.equal(key.asymmetricKeyType, 'ec')
  assert.equal(key.asymmetricKeyDetails?.namedCurve, 'prime256v1')
})

it('a callback names a key of the list', async () => {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  await service.deposit()
  await eventually(() => assert.equal(receiver.received.length, 1))
  const named = /keyid="([^"]+)"/.exec(String(receiver.received[0]?.headers['signature-input']))
  const { body } = await service.get(path)
  assert.deepEqual(
    body.map((one: { id: string }) => one.id),
    [named?.[1]],
  )
})

it('another node on the same database and every merchant have the same keys', async () => {
  const { body } = await service.get(path)
  const node = await service.addNode()
  try {
    assert.deepEqual((await node.get(path)).body, body)
  } finally {
    await node.stop()
  }
  const merchant = await addMerchant(service)
  assert.deepEqual((await merchant.call('GET', path)).body, body)
})

it('a merchant with key ids of its own finds them in the list, in callbacks and in answers', async () => {
  const { body: shared } = await service.get(path)
  const { merchant } = (await service.node.ctx.merchants.byToken(service.token)) ?? {}
  const ids = [`HTTP_EC_P256_KEY:1@${merchant?.slug}`]
  const key = makeKey('shop:1', 'ecdsa-p256-sha256')
  await give(service, [key], { ownKeyId: true })
  const { body } = await service.get(path)
  assert.deepEqual(
    body,
    ids.map((id) => ({ id, key: shared[0].key })),
  )
  assert.deepEqual((await service.get('/public-key/http')).body, body)
  const stranger = await addMerchant(service)
  assert.deepEqual((await stranger.call('GET', path)).body, shared)
  assert.deepEqual(await (await fetch(`${service.url}/public-key/http`)).json(), shared)

  const depositId = randomUUID()
  const answer = await postSigned(service, key, { changes: { depositId } })
  await assertSigned(service, answer)
  const callback = await eventually(() => {
    const found = receiver.received.find((one) => one.body.includes(depositId))
    assert.ok(found !== undefined)
    return found
  })
  for (const { headers } of [answer, callback]) {
    const named = /keyid="([^"]+)"/.exec(String(headers['signature-input']))
    assert.deepEqual([named?.[1]], ids)
  }
  const options = { callbackUrl: receiver.url }
  assert.ok(verifyCallback(callback, body, options).ok)
  assert.ok(verifyCallback(callback, shared, { ...options, account: merchant?.slug ?? '' }).ok)
  assert.ok(!verifyCallback(callback, shared, options).ok)
  await give(service, [], { ownKeyId: false })
})

it('401 and 403 hold the reason only', async () => {
  const nobody = callerWith(service, 'nobody')
  assertAnswer(await nobody.call('GET', path), 401, reason('AUTHENTICATION_ERROR'))
  const merchant = await addMerchant(service)
  const { call } = callerWith(service, await addToken(service, merchant.id, ['deposits']))
  assertAnswer(await call('GET', path), 403, reason('AUTHORISATION_ERROR', /'toolkit:read'/))
})

import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { addToken } from '../../../harness/merchant.ts'
import { eventually, startService } from '../../../harness/service.ts'
import { authorityOf, makeKey, sendTo, signedRequest } from '../../../harness/signers.ts'
import { rotateSigningKey } from '../../../src/usecases/accounts/signing-keys.ts'
import {
  assertSigned,
  assertUnsigned,
  GENERATIONS,
  type Generation,
  give,
  postSigned,
} from '../../support/signed-service.ts'

const service = await startService()
after(service.stop)

const key = makeKey('shop:1', 'ecdsa-p256-sha256')
beforeEach(() => give(service, [key], { signedRequestsOnly: false, ecdsaEncoding: 'DER' }))

for (const generation of Object.keys(GENERATIONS) as Generation[]) {
  const { path } = GENERATIONS[generation]
  const send = (body: string, headers: Record<string, string> = {}, token = service.token) => {
    const authority = authorityOf(service.url)
    const signed = signedRequest({ key, path, body, authority, headers })
    return sendTo(service.url, signed, token)
  }
  const bodyOf = (changes: Record<string, unknown> = {}): string =>
    JSON.stringify(GENERATIONS[generation].body(changes))

  describe(`a signed request of the ${generation} generation is answered signed`, () => {
    it('when it is accepted, and when it is a duplicate', async () => {
      const body = bodyOf()
      for (const status of ['ACCEPTED', 'DUPLICATE_IGNORED']) {
        const answer = await send(body)
        assert.deepEqual([answer.status, answer.body.status], [200, status])
        await assertSigned(service, answer)
      }
    })

    it('when it is rejected', async () => {
      const answer = await send(bodyOf({ amount: '15.001' }))
      assert.deepEqual([answer.status, answer.body.status], [200, 'REJECTED'])
      await assertSigned(service, answer)
    })

    it('when the body cannot be parsed, or does not fit, or is empty', async () => {
      for (const body of [
        '{',
        '[]',
        bodyOf({ amount: undefined }),
        bodyOf({ colour: 'red' }),
        '',
      ]) {
        const answer = await send(body)
        assert.equal(answer.status, 400, answer.text)
        await assertSigned(service, answer)
      }
    })

    it('when the token may not start it', async () => {
      const found = await service.node.ctx.merchants.byToken(service.token)
      assert.ok(found !== undefined)
      const token = await addToken(service, found.merchant.id, ['finances'])
      const answer = await send(bodyOf(), {}, token)
      assert.equal(answer.status, 403)
      await assertSigned(service, answer)
    })

    it('with the headers that mark an earlier call kept', async () => {
      const answer = await send(bodyOf())
      assert.equal(answer.headers.deprecation !== undefined, generation === 'earlier')
      assert.ok(answer.headers['x-request-id'])
      assert.equal(answer.headers['content-encoding'], undefined)
    })

    const cases: readonly (readonly [accept: string, digest: 'sha-256' | 'sha-512'])[] = [
      ['sha-256', 'sha-256'],
      ['SHA-256', 'sha-256'],
      ['md5, sha-256', 'sha-256'],
      ['sha-256=10', 'sha-256'],
      ['sha-512=0,sha-256=3', 'sha-256'],
      ['sha-512;q=0, sha-256;q=0.5', 'sha-256'],
      ['sha-256,sha-512', 'sha-512'],
      ['sha-512', 'sha-512'],
      ['md5', 'sha-512'],
      ['', 'sha-512'],
    ]
    for (const [accept, digest] of cases) {
      it(`with ${digest} for "Accept-Digest: ${accept}"`, async () => {
        const answer = await send(bodyOf(), { 'accept-digest': accept, 'accept-encoding': 'gzip' })
        assert.equal(answer.status, 200)
        await assertSigned(service, answer, { digest })
      })
    }

    it('in RAW for an account that chose it', async () => {
      await give(service, [key], { ecdsaEncoding: 'RAW' })
      const answer = await postSigned(service, key, { generation })
      const bytes = /:(.+):/.exec(String(answer.headers.signature))?.[1] ?? ''
      assert.equal(Buffer.from(bytes, 'base64').length, 64)
      await assertSigned(service, answer, { encoding: 'RAW' })
    })

    it('by the real clock, whatever the test clock says', async () => {
      await service.advance(86_400 * 3)
      await give(service, [key], { signedRequestsOnly: true })
      const answer = await postSigned(service, key, { generation })
      assert.equal(answer.body.status, 'ACCEPTED', answer.text)
      await assertSigned(service, answer)
      await service.post('/sandbox/clock/reset')
    })

    it('with the new key of the service after it was rotated', async () => {
      const before = service.node.ctx.signingKeys.current.id
      const secret = 'malipo sandbox, not a secret, for test money only'
      const { current, retired } = await rotateSigningKey(service.database, secret, Date.now())
      assert.equal(retired, before)
      await eventually(async () => {
        const answer = await postSigned(service, key, { generation })
        await assertSigned(service, answer)
        assert.match(String(answer.headers['signature-input']), new RegExp(`keyid="${current}"`))
      })
    })
  })

  describe(`a request of the ${generation} generation is answered unsigned`, () => {
    it('without a signature, without a token, and when it is too large', async () => {
      assertUnsigned(await sendTo(service.url, plain(path, bodyOf()), service.token))
      const strange = await send(bodyOf(), {}, 'nobody')
      assert.equal(strange.status, 401)
      assertUnsigned(strange)
      const large = await send(JSON.stringify('x'.repeat(1024 * 1024)))
      assert.equal(large.status, 413)
      assertUnsigned(large)
    })
  })
}

const plain = (path: string, body: string) => ({ method: 'POST', path, headers: {}, body })

import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { callerWith } from '../../../harness/merchant.ts'
import { shareService } from '../../../harness/share.ts'
import { assertAnswer, reason } from '../../support/shapes.ts'

const service = await shareService()
after(service.stop)

it('/v2/public-keys is another name of /v2/public-key/http', async () => {
  const { body } = await service.get('/v2/public-key/http')
  assert.equal(body[0].id, 'HTTP_EC_P256_KEY:1')
  assertAnswer(await service.get('/v2/public-keys'), 200, body)
})

it('it asks for a token just the same', async () => {
  const { call } = callerWith(service, 'nobody')
  assertAnswer(await call('GET', '/v2/public-keys'), 401, reason('AUTHENTICATION_ERROR'))
})

it('the reference names only the one', async () => {
  const { paths } = (await service.get('/openapi.json')).body
  assert.ok('/v2/public-key/http' in paths)
  assert.ok(!('/v2/public-keys' in paths))
})

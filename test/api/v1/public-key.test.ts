import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import { shareService } from '../../../harness/share.ts'
import { assertEarlier } from '../../support/earlier-generation.ts'

const service = await shareService()
after(service.stop)

const SUCCESSOR = '/v2/public-key/http'
const key = /^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n-----END PUBLIC KEY-----\n?$/

for (const path of ['/public-key/http', '/public-key/https']) {
  describe(`GET ${path}`, () => {
    it('needs no token, and gives the keys of the current generation', async () => {
      const response = await fetch(service.url + path)
      const { status, headers } = response
      const body = (await response.json()) as unknown
      assertEarlier({ status, headers, body }, 200, [{ id: 'HTTP_EC_P256_KEY:1', key }], SUCCESSOR)
      assert.deepEqual(body, (await service.get(SUCCESSOR)).body)
    })

    it('does not mind a token, whatever it is good for', async () => {
      const { id } = await addMerchant(service, { providers: [] })
      const deposits = await addToken(service, id, ['deposits'])
      for (const token of [service.token, deposits, 'nobody']) {
        const answer = await callerWith(service, token).call('GET', path)
        assert.deepEqual([answer.status, answer.body.length], [200, 1])
      }
    })
  })
}

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { depositBody } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { assertAnswer, refused } from '../../support/shapes.ts'

const service = await shareService()
after(service.stop)

/** Ways in which clients join a base and a path. */
const SLOPPY: readonly (readonly [what: string, write: (path: string) => string])[] = [
  ['as it is', (path) => path],
  ['a slash at the end', (path) => `${path}/`],
  ['two slashes in front', (path) => `/${path}`],
  ['three slashes in front', (path) => `//${path}`],
  ['every slash twice', (path) => path.replaceAll('/', '//')],
  ['every slash thrice, and one at the end', (path) => `${path.replaceAll('/', '///')}/`],
  ['two slashes at the end', (path) => `${path}//`],
]

describe('duplicate slashes are collapsed and a trailing slash is ignored:', () => {
  for (const [what, write] of SLOPPY) {
    it(`${what}: deposits, their status and their callback`, async () => {
      const body = depositBody()
      const started = await service.post(write('/v2/deposits'), body)
      assert.deepEqual([started.status, started.body.status], [200, 'ACCEPTED'])
      await service.reaches(body.depositId, 'COMPLETED')
      const found = await service.get(write(`/v2/deposits/${body.depositId}`))
      assert.deepEqual([found.status, found.body.status], [200, 'FOUND'])
      const resent = await service.post(write(`/v2/deposits/resend-callback/${body.depositId}`))
      assertAnswer(resent, 200, { depositId: body.depositId, status: 'ACCEPTED' })
    })

    it(`${what}: everything else`, async () => {
      const wallets = await service.get(`${write('/v2/wallet-balances')}?country=ZMB`)
      assert.deepEqual([wallets.status, wallets.body.balances.length], [200, 1])
      assert.equal((await service.get(write('/v2/public-key/http'))).status, 200)
      assert.equal((await service.get(write('/sandbox/clock'))).status, 200)
      assert.equal((await service.put(write('/sandbox/callbacks'), {})).status, 204)
      assert.equal((await service.get(write('/livez'))).status, 200)
    })

    it(`${what}: a refusal has the format of its generation`, async () => {
      const says = /There is nothing at/
      assertAnswer(await service.get(write('/v2/nothing')), 404, refused('NOT_FOUND', says))
      const wrong = await service.get(write('/v2/deposits'))
      assertAnswer(wrong, 405, refused('INVALID_INPUT', /Use POST/))
      assert.equal(wrong.headers.get('allow'), 'POST')
      assert.equal((await service.get(write('/nothing'))).body.errorCode, 1)
    })
  }
})

it('a slash inside an identifier is no sloppiness', async () => {
  const answer = await service.get('/v2/deposits/f4401bd2-1568/4140-bf2d-eb77d2b2b639')
  assertAnswer(answer, 404, refused('NOT_FOUND', /There is nothing at/))
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { clientOf, eventually } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { makeKey } from '../../harness/signers.ts'
import { createLastUses } from '../../src/usecases/accounts/last-uses.ts'
import { postSigned } from '../support/signed-service.ts'

const service = await shareService()
after(() => service.stop())
const { merchantId, database, token } = service

describe('when something was last of use', () => {
  it('is written for a token some seconds later, by the node that was asked', async () => {
    await clientOf(service.url, token).get('/v2/availability')
    await eventually(async () => {
      const rows = await database.query(
        'select 1 from api_tokens where merchant_id = $1 and last_used_at is not null',
        [merchantId],
      )
      assert.equal(rows.length, 1)
    })
  })

  it('is shown for a key, with how often', async () => {
    const developer = await signedIn(service, 'developer', { merchantId })
    const key = makeKey('counted:1', 'ecdsa-p256-sha256')
    await developer.post('/dashboard/signatures/keys', { keyId: key.id, pem: key.pem })
    for (let at = 0; at < 3; at += 1) {
      assert.ok((await postSigned(service, key, { token })).headers.signature)
    }
    const { text } = await developer.get('/dashboard/signatures')
    assert.match(text, /3 times/)
    assert.match(text, /Of the last 3 requests that could be signed, 3 would pass\./)
  })

  it('never goes back, and counts of several nodes add up', async () => {
    const uses = [
      createLastUses(database, () => 2_000_000),
      createLastUses(database, () => 1_000_000),
    ]
    const key = makeKey('both:1', 'ecdsa-p256-sha256')
    const developer = await signedIn(service, 'developer', { merchantId })
    await developer.post('/dashboard/signatures/keys', { keyId: key.id, pem: key.pem })
    for (const one of uses) {
      one.key(merchantId, key.id)
      one.key(merchantId, key.id)
    }
    await Promise.all(uses.map((one) => one.flush(true)))
    const [found] = await database.query(
      `select used_count::int as count, extract(epoch from last_used_at)::int as last
       from merchant_keys where merchant_id = $1 and key_id = $2`,
      [merchantId, key.id],
    )
    assert.deepEqual(found, { count: 4, last: 2000 })
  })
})

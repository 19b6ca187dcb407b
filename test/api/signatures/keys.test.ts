import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { addMerchant } from '../../../harness/merchant.ts'
import { eventually, type Service } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { makeKey, type TestKey } from '../../../harness/signers.ts'
import {
  addMerchantKey,
  removeMerchantKey,
} from '../../../src/usecases/accounts/manage-merchant-keys.ts'
import { give, messageOf, postSigned } from '../../support/signed-service.ts'

const first = await shareService()
const second = await first.addNode()
after(async () => {
  await second.stop()
  await first.stop()
})
const nodes: readonly Service[] = [first, second]
const demo = (await first.node.ctx.merchants.byToken(first.token))?.merchant.id
assert.ok(demo !== undefined)

const former = makeKey('shop:1', 'ecdsa-p256-sha256')
const next = makeKey('shop:2', 'rsa-v1_5-sha256')

/** Holds on every node; a node learns of a change within a moment. */
const everywhere = (key: TestKey, status: number) =>
  eventually(async () => {
    for (const node of nodes) assert.equal((await postSigned(node, key)).status, status)
  })

it('a key and the switch reach every node', async () => {
  await give(first, [former], { signedRequestsOnly: true })
  await everywhere(former, 200)
  await everywhere(next, 401)
  await eventually(async () => assert.equal((await second.deposit()).status, 401))
})

it('while two keys overlap both are accepted, the former one until it is removed', async () => {
  assert.equal(
    await addMerchantKey(first.database, demo, { keyId: next.id, pem: next.pem }, Date.now()),
    'RSA 2048',
  )
  await everywhere(next, 200)
  await everywhere(former, 200)
  const gone = await removeMerchantKey(first.database, demo, former.id)
  assert.deepEqual(gone, { removed: true, left: 1 })
  await everywhere(former, 401)
  await everywhere(next, 200)
  const again = await removeMerchantKey(first.database, demo, former.id)
  assert.deepEqual(again, { removed: false, left: 1 })
})

it('the same id may be given to a new key after the removal; the old key is not accepted for it', async () => {
  const heir = makeKey(former.id, 'ecdsa-p256-sha256')
  await addMerchantKey(first.database, demo, { keyId: heir.id, pem: heir.pem }, Date.now())
  await everywhere(heir, 200)
  const answer = await postSigned(second, former)
  assert.match(messageOf(answer), /^The signature does not verify with the key 'shop:1'/)
})

it('two merchants may use the same key id for keys of their own', async () => {
  const other = await addMerchant(first)
  const theirs = makeKey(next.id, 'ecdsa-p384-sha384')
  const keys = [{ id: theirs.id, key: theirs.pem }]
  assert.equal((await other.call('PUT', '/sandbox/signatures', { keys })).status, 204)
  assert.equal(
    (await postSigned(first, theirs, { token: other.token })).headers.signature !== undefined,
    true,
  )
  assert.equal((await postSigned(first, next, { token: other.token })).headers.signature, undefined)
  assert.equal((await postSigned(first, theirs)).status, 401)
})

it('switched off, unsigned requests are accepted again by every node', async () => {
  await give(second, [], { signedRequestsOnly: false })
  await eventually(async () => {
    for (const node of nodes) assert.equal((await node.deposit()).status, 200)
  })
})

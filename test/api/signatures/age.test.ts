import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, describe, it } from 'node:test'
import { ALL_KINDS, bodyOf, KINDS } from '../../../harness/every-kind.ts'
import { completedDeposit } from '../../../harness/refunds.ts'
import { shareService } from '../../../harness/share.ts'
import {
  authorityOf,
  makeKey,
  type Outgoing,
  sendTo,
  signedRequest,
} from '../../../harness/signers.ts'
import { createUsedSignatures } from '../../../src/usecases/accounts/used-signatures.ts'
import {
  assertRefused,
  assertSigned,
  GENERATIONS,
  type Generation,
  give,
  messageOf,
  postSigned,
  signedDeposit,
} from '../../support/signed-service.ts'

const service = await shareService()
after(service.stop)

const key = makeKey('shop:1', 'ecdsa-p256-sha256')
const other = makeKey('shop:2', 'rsa-pss-sha512')
const MAX_AGE = 300
const limited = { signedRequestsOnly: true, maxSignatureAge: MAX_AGE, coverAuthority: false }
const send = (request: Outgoing) => sendTo(service.url, request, service.token)

/** Refused as long as its amount is more than the provider takes; nothing of it is stored. */
const REJECTED = { amount: '999999999' }
const USED = /^The signature was used before, and this account accepts each one once\. Sign the/

beforeEach(() => give(service, [key, other], limited))

for (const generation of Object.keys(GENERATIONS) as Generation[]) {
  describe(`a greatest age of signatures in the ${generation} generation`, () => {
    it('refuses older ones, also those that have not expired', async () => {
      const at = (seconds: number) => ({ createdMs: Date.now() - seconds * 1000, lifetime: 60_000 })
      const old = await postSigned(service, key, { ...at(MAX_AGE + 60), generation })
      const says =
        /^The signature was made 36\d s ago, and this account accepts signatures for 300 s/
      assertRefused(old, generation, says)
      const recent = await postSigned(service, key, { ...at(MAX_AGE - 120), generation })
      assert.equal(recent.body.status, 'ACCEPTED', recent.text)
      const timeless = await postSigned(service, key, { values: { created: null }, generation })
      assertRefused(timeless, generation, /does not say when it was made/)
    })

    it('accepts the same signature once where nothing was stored', async () => {
      const request = signedDeposit(service, key, { generation, changes: REJECTED })
      const first = await send(request)
      assert.equal(first.body.status, 'REJECTED', first.text)
      const again = await send(request)
      assert.equal(again.status, 401, again.text)
      assert.match(messageOf(again), USED)
      await assertSigned(service, again)
    })

    it('answers the repeat of a stored payment as always', async () => {
      const request = signedDeposit(service, key, { generation })
      assert.equal((await send(request)).body.status, 'ACCEPTED')
      for (const _ of [1, 2]) {
        const again = await send(request)
        assert.equal(again.body.status, 'DUPLICATE_IGNORED', again.text)
      }
    })
  })
}

describe('a signature that counts once', () => {
  it('counts once over all nodes', async () => {
    const request = signedDeposit(service, key, { changes: REJECTED })
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(request)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401])

    const { merchant } = (await service.node.ctx.merchants.byToken(service.token)) ?? {}
    assert.ok(merchant !== undefined)
    const nodes = [1, 2, 3].map(() => createUsedSignatures(service.database, Date.now))
    const print = randomUUID().replaceAll('-', '')
    const uses = nodes.map((node) => node.use(merchant, [print], Date.now() + MAX_AGE * 1000))
    assert.equal((await Promise.all(uses)).filter((isFirst) => isFirst).length, 1)
  })

  it('does not become another one by writing its numbers differently', async () => {
    const request = signedDeposit(service, key, { changes: REJECTED, encoding: 'RAW' })
    assert.equal((await send(request)).status, 200)
    const forged = { ...request, headers: { ...request.headers, ...twin(request) } }
    const answer = await send(forged)
    assert.equal(answer.status, 401)
    assert.match(messageOf(answer), USED)
  })

  it('leaves no second signature of the request to be used', async () => {
    const body = JSON.stringify(GENERATIONS.current.body(REJECTED))
    const one = signedDeposit(service, key, { body })
    const two = signedDeposit(service, other, { body, label: 'next' })
    const both = (name: string) => `${one.headers[name]}, ${two.headers[name]}`
    const headers = { signature: both('signature'), 'signature-input': both('signature-input') }
    const answer = await send({ ...one, headers: { ...two.headers, ...headers } })
    assert.equal(answer.status, 200, answer.text)
    assert.match(messageOf(await send(two)), USED)
  })

  it('is asked for in every kind of initiation, and a bulk counts as stored when all of it is', async () => {
    const depositId = await paidDeposit()
    const calls: { path: string; body: unknown }[] = ALL_KINDS.map((kind) => ({
      path: KINDS[kind].path,
      body: bodyOf(kind, 'COMPLETED', kind === 'refund' ? { depositId } : {}),
    }))
    calls.push({ path: '/v2/payouts/bulk', body: [bodyOf('payout', 'COMPLETED')] })
    for (const { path, body } of calls) {
      const request = signed(path, body)
      assert.equal([(await send(request)).body].flat()[0].status, 'ACCEPTED', path)
      const [again] = [(await send(request)).body].flat()
      assert.equal(again.status, 'DUPLICATE_IGNORED', path)
    }
    const mixed = signed('/v2/payouts/bulk', [
      bodyOf('payout', 'COMPLETED'),
      bodyOf('payout', 'COMPLETED', REJECTED),
    ])
    assert.equal((await send(mixed)).status, 200)
    assert.equal((await send(mixed)).status, 401)
  })

  it('is forgotten when it is too old to be accepted, and not before', async () => {
    await postSigned(service, key)
    const count = async (): Promise<number> => {
      const [row] = await service.database.query<{ count: number }>(
        'select count(*)::int from used_signatures where merchant_id = $1',
        [service.merchantId],
      )
      return row?.count ?? 0
    }
    const before = await count()
    assert.ok(before > 0)
    const sweepAt = (seconds: number) =>
      createUsedSignatures(service.database, () => Date.now() + seconds * 1000).sweep()
    await sweepAt(MAX_AGE)
    assert.equal(await count(), before)
    await sweepAt(MAX_AGE + 600)
    assert.equal(await count(), 0)
  })

  it('leaves no row where the merchant has set no age, or requires no signatures', async () => {
    const rows = () =>
      service.database.query('select from used_signatures where merchant_id = $1', [
        service.merchantId,
      ])
    const before = (await rows()).length
    for (const settings of [{ maxSignatureAge: 0 }, { ...limited, signedRequestsOnly: false }]) {
      await give(service, [key], settings)
      const request = signedDeposit(service, key, { changes: REJECTED })
      for (const _ of [1, 2]) assert.equal((await send(request)).body.status, 'REJECTED')
    }
    assert.equal((await rows()).length, before)
  })
})

it('a signature has to cover the host where the merchant says so', async () => {
  const covered = ['@method', '@path', 'content-digest']
  assert.equal((await postSigned(service, key, { covered })).body.status, 'ACCEPTED')
  await give(service, [key], { coverAuthority: true })
  const answer = await postSigned(service, key, { covered })
  assertRefused(answer, 'current', /^The signature does not cover "@authority", which is required/)
  const whole = await postSigned(service, key, { covered: [...covered, '@authority'] })
  assert.equal(whole.body.status, 'ACCEPTED', whole.text)
})

const signed = (path: string, body: unknown): Outgoing =>
  signedRequest({ key, path, body: JSON.stringify(body), authority: authorityOf(service.url) })

/** Paid for without a signature. */
async function paidDeposit(): Promise<string> {
  await give(service, [key], { signedRequestsOnly: false })
  const id = await completedDeposit(service)
  await give(service, [key, other], limited)
  return id
}

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** The other signature that verifies whenever this one does: (r, n - s) instead of (r, s). */
function twin({ headers }: Outgoing): { readonly signature: string } {
  const raw = Buffer.from(headers.signature?.slice('sig-pp=:'.length, -1) ?? '', 'base64')
  const s = BigInt(`0x${raw.subarray(32).toString('hex')}`)
  const flipped = Buffer.from((ORDER - s).toString(16).padStart(64, '0'), 'hex')
  const bytes = Buffer.concat([raw.subarray(0, 32), flipped])
  return { signature: `sig-pp=:${bytes.toString('base64')}:` }
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { ALL_KINDS, bodyOf, KINDS } from '../../../harness/every-kind.ts'
import { completedDeposit } from '../../../harness/refunds.ts'
import { counted, shareService } from '../../../harness/share.ts'
import {
  ALGORITHMS,
  authorityOf,
  digestOf,
  makeKey,
  SIGNERS,
  sendTo,
  signedRequest,
} from '../../../harness/signers.ts'
import { legacyBody, legacyDeposit, legacyPayout } from '../../support/legacy-payments.ts'
import {
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

const KEYS = ALGORITHMS.map((algorithm) => makeKey(`${algorithm}:1`, algorithm))
const [p256] = KEYS as [(typeof KEYS)[0]]
await give(service, KEYS, { signedRequestsOnly: true })

for (const generation of Object.keys(GENERATIONS) as Generation[]) {
  describe(`the ${generation} generation, where only signed requests are accepted`, () => {
    for (const [name, manner] of Object.entries(SIGNERS)) {
      for (const key of name === 'A' ? [p256] : KEYS) {
        it(`accepts signer ${name} with ${key.algorithm} and answers signed`, async () => {
          const answer = await postSigned(service, key, { ...manner, generation })
          assert.equal(answer.body.status, 'ACCEPTED', answer.text)
          await assertSigned(service, answer)
        })
      }
    }

    for (const key of KEYS.slice(0, 2)) {
      for (const encoding of ['DER', 'RAW'] as const) {
        it(`accepts ${key.algorithm} as ${encoding}`, async () => {
          const answer = await postSigned(service, key, { encoding, generation })
          assert.equal(answer.body.status, 'ACCEPTED', answer.text)
        })
      }
    }

    // Made when they are used: by then a time of before the first test may be too old.
    const manners: Readonly<Record<string, () => object>> = {
      'another label': () => ({ label: 'x*_1.-y' }),
      'no expiry': () => ({ values: { expires: null } }),
      'no algorithm named': () => ({ values: { alg: null } }),
      'both digests': () => ({ digests: ['sha-256', 'sha-512'] }),
      'a signature made a minute ago that lives on': () => ({ createdMs: Date.now() - 60_000 }),
      'a clock half a minute ahead': () => ({ createdMs: Date.now() + 30_000 }),
      'only what must be covered': () => ({ covered: ['content-digest', '@path', '@method'] }),
      'an empty query that is covered': () => ({
        covered: ['@method', '@path', '@query', 'content-digest'],
      }),
    }
    for (const [what, manner] of Object.entries(manners)) {
      it(`accepts ${what}`, async () => {
        const answer = await postSigned(service, p256, { ...manner(), generation })
        assert.equal(answer.body.status, 'ACCEPTED', answer.text)
      })
    }

    it('accepts a digest of an unknown kind beside a known one', async () => {
      const body = JSON.stringify(GENERATIONS[generation].body())
      const headers = { 'content-digest': `md5=:AAAA:, ${digestOf('sha-512', body)}` }
      const answer = await postSigned(service, p256, { body, headers, generation })
      assert.equal(answer.body.status, 'ACCEPTED', answer.text)
    })

    for (const count of [1, 15]) {
      it(`accepts one good signature behind ${count} that are not known here`, async () => {
        const body = JSON.stringify(GENERATIONS[generation].body())
        const good = signedDeposit(service, p256, { body, generation })
        const unknown = makeKey('proxy', 'ecdsa-p256-sha256')
        const others = Array.from({ length: count }, (_, at) =>
          signedDeposit(service, unknown, { body, generation, label: `proxy${at}` }),
        )
        const all = (name: string): string =>
          [...others, good].map(({ headers }) => headers[name]).join(', ')
        const headers = {
          ...good.headers,
          signature: all('signature'),
          'signature-input': all('signature-input'),
        }
        const answer = await sendTo(service.url, { ...good, headers }, service.token)
        assert.equal(answer.body.status, 'ACCEPTED', answer.text)
      })
    }

    it('accepts a key of RSA without the algorithm named, signed in either way', async () => {
      for (const key of KEYS.slice(2)) {
        const answer = await postSigned(service, key, { values: { alg: null }, generation })
        assert.equal(answer.body.status, 'ACCEPTED', answer.text)
      }
    })

    it('accepts the path as it was written, slashes and query included', async () => {
      const { path, body } = GENERATIONS[generation]
      for (const [written, covered] of [
        [`//${path.slice(1)}/`, ['@method', '@path', 'content-digest']],
        [`${path}?source=till%207`, ['@method', '@path', '@query', 'content-digest']],
        [`${path}?source=till%207`, ['@method', '@path', 'content-digest']],
      ] as const) {
        const answer = await postSigned(service, p256, {
          path: written,
          body: JSON.stringify(body()),
          covered,
        })
        assert.equal(answer.body.status, 'ACCEPTED', `${written}: ${answer.text}`)
      }
    })

    it('accepts a host in capital letters, and one with the default port left out', async () => {
      const { path, body } = GENERATIONS[generation]
      for (const [authority, host] of [
        ['pay.example:8080', 'PAY.example:8080'],
        ['pay.example', 'pay.example:80'],
        ['pay.example:443', 'pay.example:443'],
      ] as const) {
        const text = JSON.stringify(body())
        const signed = signedRequest({ key: p256, path, body: text, authority })
        const sent = { ...signed, headers: { ...signed.headers, host } }
        const answer = await sendTo(service.url, sent, service.token)
        assert.equal(answer.body.status, 'ACCEPTED', `${host}: ${answer.text}`)
      }
    })

    it('accepts a first line that holds the whole address', async () => {
      const { path, body } = GENERATIONS[generation]
      const signed = signedRequest({
        key: p256,
        path: `${path}?till=7`,
        body: JSON.stringify(body()),
        authority: authorityOf(service.url),
        covered: ['@method', '@authority', '@path', '@query', 'content-digest'],
      })
      const sent = { ...signed, path: service.url + signed.path }
      const answer = await sendTo(service.url, sent, service.token)
      assert.equal(answer.body.status, 'ACCEPTED', answer.text)
    })

    it('accepts a request without a content type, and one in pieces', async () => {
      const { path, body } = GENERATIONS[generation]
      const covered = ['@method', '@path', 'content-digest']
      for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
        const text = JSON.stringify(body())
        const authority = authorityOf(service.url)
        const signed = signedRequest({ key: p256, path, body: text, authority, covered })
        const { 'content-type': _, 'content-length': __, ...rest } = signed.headers
        const sent = { ...signed, headers: { ...rest, ...headers } }
        const answer = await sendTo(service.url, sent, service.token)
        assert.equal(answer.body.status, 'ACCEPTED', answer.text)
      }
    })

    it('accepts a header that comes in two lines, covered as one', async () => {
      const { path, body } = GENERATIONS[generation]
      const text = JSON.stringify(body())
      const signed = signedRequest({
        key: p256,
        path,
        body: text,
        authority: authorityOf(service.url),
        covered: ['@method', '@path', 'content-digest', 'x-till'],
        headers: { 'x-till': '7, 8' },
      })
      const headers = { ...signed.headers, 'x-till': ['7', '8'] as unknown as string }
      const answer = await sendTo(service.url, { ...signed, headers }, service.token)
      assert.equal(answer.body.status, 'ACCEPTED', answer.text)
    })
  })
}

describe('every initiation', { timeout: 240_000 }, () => {
  const calls: { path: string; body: unknown }[] = []
  before(async () => {
    await give(service, KEYS, { signedRequestsOnly: false })
    const depositId = await completedDeposit(service)
    const other = await completedDeposit(service)
    for (const kind of ALL_KINDS) {
      const changes = kind === 'refund' ? { depositId } : {}
      calls.push({ path: KINDS[kind].path, body: bodyOf(kind, 'COMPLETED', changes) })
    }
    calls.push(
      { path: '/v2/payouts/bulk', body: [bodyOf('payout', 'COMPLETED')] },
      { path: '/v2/remittances/bulk', body: [bodyOf('remittance', 'COMPLETED')] },
      { path: '/deposits', body: legacyDeposit() },
      { path: '/deposits/bulk', body: [legacyDeposit()] },
      { path: '/payouts', body: legacyPayout() },
      { path: '/payouts/bulk', body: [legacyPayout()] },
      { path: '/refunds', body: await legacyBody(service, 'refund', { depositId: other }) },
    )
    await give(service, KEYS, { signedRequestsOnly: true })
  })

  it('is one of those that the endpoints say can be signed', () => {
    const signable = service.node.endpoints.filter(({ signable: kind }) => kind)
    assert.deepEqual(
      signable.map(({ path }) => path).toSorted(),
      calls.map(({ path }) => path).toSorted(),
    )
    assert.ok(signable.every(({ method, startsPayments }) => method === 'POST' && startsPayments))
  })

  it('is refused unsigned, and leaves nothing', async () => {
    const before = await stored()
    for (const { path, body } of calls) {
      const answer = await service.post(path, body)
      assert.equal(answer.status, 401, path)
      assert.match(messageOf(answer), /^The request is not signed, and this account takes signed/)
    }
    assert.deepEqual(await stored(), before)
  })

  it('is accepted signed, and answered signed', async () => {
    for (const { path, body } of calls) {
      const signed = signedRequest({
        key: p256,
        path,
        body: JSON.stringify(body),
        authority: authorityOf(service.url),
      })
      const answer = await sendTo(service.url, signed, service.token)
      const [first] = [answer.body].flat()
      assert.equal(first.status, 'ACCEPTED', `${path}: ${answer.text}`)
      await assertSigned(service, answer)
    }
  })
})

describe('every other call', () => {
  it('is served unsigned, whatever signature it brings', async () => {
    const id = randomUUID()
    const broken = { signature: 'nonsense', 'signature-input': '=', 'content-digest': '' }
    for (const headers of [{}, broken]) {
      const calls = [
        await service.get(`/v2/deposits/${id}`, headers),
        await service.get(`/deposits/${id}`, headers),
        await service.get('/v2/active-conf', headers),
        await service.get('/v2/wallet-balances', headers),
        await service.post(`/v2/deposits/resend-callback/${id}`, undefined, headers),
        await service.post('/payouts/resend-callback', { payoutId: id }, headers),
        await service.post(`/v2/payouts/fail-enqueued/${id}`, undefined, headers),
        await service.post('/v2/predict-provider', { phoneNumber: '260763456789' }, headers),
      ]
      for (const { status, headers: answered } of calls) {
        assert.equal(status, 200)
        assert.equal(answered.get('signature'), null)
      }
    }
  })

  it('says in the configuration that only signed requests are accepted', async () => {
    const { body } = await service.get('/v2/active-conf?country=ZMB')
    assert.deepEqual(body.signatureConfiguration, {
      signedRequestsOnly: true,
      signedCallbacks: true,
    })
  })
})

/** What this merchant's requests have left in the database. */
const stored = () => counted(service)

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../harness/merchant.ts'
import { shareService } from '../../../harness/share.ts'
import { digestOf, makeKey, type Outgoing, sendTo } from '../../../harness/signers.ts'
import { type ProblemCode, SIGNATURE_PROBLEMS } from '../../../src/signing/signature-problems.ts'
import { ROOT } from '../../node/program.ts'
import {
  assertRefused,
  assertSigned,
  assertUnsigned,
  type DepositOptions,
  GENERATIONS,
  type Generation,
  give,
  messageOf,
  postSigned,
  signedDeposit,
} from '../../support/signed-service.ts'

const service = await shareService()
const stranger = await addMerchant(service)
after(service.stop)

const key = makeKey('shop:1', 'ecdsa-p256-sha256')
const p384 = makeKey('shop:2', 'ecdsa-p384-sha384')
const rsa = makeKey('shop:3', 'rsa-pss-sha512')
const KEYS = [key, p384, rsa]

/** Ways in which a signature is wrong, each with the problem named in the answer. */
type Fault = {
  readonly what: string
  readonly code: ProblemCode
  readonly options?: DepositOptions
  /** Done to the request after it was signed. */
  readonly damage?: (request: Outgoing) => Outgoing
}

const without =
  (...names: string[]) =>
  (request: Outgoing): Outgoing => ({
    ...request,
    headers: Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !names.includes(name)),
    ),
  })

const withHeader =
  (name: string, change: (value: string) => string) =>
  (request: Outgoing): Outgoing => ({
    ...request,
    headers: { ...request.headers, [name]: change(request.headers[name] ?? '') },
  })

const LEAST = ['@method', '@path', 'content-digest']
const covering = (...names: string[]) => ({ options: { covered: [...LEAST, ...names] } })

const FAULTS: readonly Fault[] = [
  {
    what: 'no signature',
    code: 'NOT_SIGNED',
    damage: without('signature', 'signature-input', 'content-digest'),
  },
  {
    what: 'a digest alone',
    code: 'NOT_SIGNED',
    damage: without('signature', 'signature-input'),
  },
  { what: 'no Signature-Input', code: 'HALF_SIGNED', damage: without('signature-input') },
  { what: 'no Signature', code: 'HALF_SIGNED', damage: without('signature') },
  { what: 'an empty Signature', code: 'UNREADABLE', damage: withHeader('signature', () => '') },
  {
    what: 'a Signature that is bare base64',
    code: 'UNREADABLE',
    damage: withHeader('signature', (value) => value.slice('sig-pp=:'.length, -1)),
  },
  {
    what: 'a Signature whose base64 is broken',
    code: 'UNREADABLE',
    damage: withHeader('signature', (value) => value.replace('=:', '=:!')),
  },
  {
    what: 'a Signature-Input with an open bracket',
    code: 'UNREADABLE',
    damage: withHeader('signature-input', (value) => value.replace(')', '')),
  },
  {
    what: 'an expiry that is no number',
    code: 'UNREADABLE',
    options: { values: { expires: 'tomorrow' } },
  },
  {
    what: 'two labels that differ',
    code: 'NO_COMMON_LABEL',
    damage: withHeader('signature', (value) => value.replace('sig-pp', 'sig')),
  },
  {
    what: 'a Signature that holds no bytes',
    code: 'NO_COMMON_LABEL',
    damage: withHeader('signature', () => 'sig-pp="text"'),
  },
  {
    what: 'the method not covered',
    code: 'NOT_COVERED',
    options: { covered: ['@path', 'content-digest'] },
  },
  {
    what: 'the path not covered',
    code: 'NOT_COVERED',
    options: { covered: ['@method', 'content-digest'] },
  },
  {
    what: 'the digest not covered',
    code: 'NOT_COVERED',
    options: { covered: ['@method', '@path', 'content-type'] },
  },
  { what: 'nothing covered', code: 'NOT_COVERED', options: { covered: [] } },
  { what: 'an unknown component', code: 'UNKNOWN_COMPONENT', ...covering('@target-uri') },
  { what: 'a component twice', code: 'REPEATED_COMPONENT', ...covering('@path') },
  { what: 'a component in capitals', code: 'UNKNOWN_COMPONENT', ...covering('Content-Type') },
  {
    what: 'a component with parameters',
    code: 'UNKNOWN_COMPONENT',
    damage: withHeader('signature-input', (value) => value.replace('"@path"', '"@path";req')),
  },
  { what: 'a header covered and not sent', code: 'ABSENT_HEADER', ...covering('x-till') },
  { what: 'no time of making', code: 'NO_CREATED', options: { values: { created: null } } },
  { what: 'a time that is text', code: 'UNREADABLE', options: { values: { created: 'now' } } },
  {
    what: 'a time that is not a whole number',
    code: 'UNREADABLE',
    damage: withHeader('signature-input', (value) => value.replace(/created=\d+/, '$&.5')),
  },
  {
    what: 'a time too far ahead',
    code: 'CREATED_AHEAD',
    // Reckoned when it is used: what is far ahead at the start comes nearer.
    get options() {
      return { createdMs: Date.now() + 600_000 }
    },
  },
  {
    what: 'an expiry that has passed',
    code: 'EXPIRED',
    get options() {
      return { createdMs: Date.now() - 600_000, lifetime: 300 }
    },
  },
  { what: 'no key id', code: 'NO_KEY_ID', options: { values: { keyid: null } } },
  { what: 'an unknown key id', code: 'UNKNOWN_KEY', options: { values: { keyid: 'shop:9' } } },
  {
    what: 'the algorithm of another curve',
    code: 'WRONG_ALGORITHM',
    options: { values: { alg: 'ecdsa-p384-sha384' } },
  },
  {
    what: 'the algorithm of another kind of key',
    code: 'WRONG_ALGORITHM',
    options: { values: { alg: 'rsa-v1_5-sha256' } },
  },
  {
    what: 'an algorithm that is not known',
    code: 'WRONG_ALGORITHM',
    options: { values: { alg: 'hmac-sha256' } },
  },
  { what: 'no digest', code: 'NO_DIGEST', damage: without('content-digest') },
  {
    what: 'a digest that cannot be read',
    code: 'UNREADABLE',
    options: { headers: { 'content-digest': 'sha-512=abc=' } },
  },
  {
    what: 'a digest of an unknown kind alone',
    code: 'UNKNOWN_DIGEST',
    options: { headers: { 'content-digest': 'md5=:AAAA:' } },
  },
  {
    what: 'a digest of another body, signed',
    code: 'WRONG_DIGEST',
    options: { headers: { 'content-digest': digestOf('sha-256', '{}') } },
  },
  {
    what: 'a digest that is not bytes',
    code: 'UNREADABLE',
    options: { headers: { 'content-digest': 'sha-256="text"' } },
  },
  {
    what: 'a body changed on the way',
    code: 'WRONG_DIGEST',
    damage: (request) => ({ ...request, body: request.body.replace('"15"', '"99"') }),
  },
  {
    what: 'a body changed on the way, with a new digest',
    code: 'NOT_VERIFIED',
    damage: (request) => {
      const body = request.body.replace('"15"', '"99"')
      return withHeader('content-digest', () => digestOf('sha-512', body))({ ...request, body })
    },
  },
  {
    what: 'a covered header changed on the way',
    code: 'NOT_VERIFIED',
    damage: withHeader('signature-date', () => new Date(0).toISOString()),
  },
  {
    what: 'a host changed on the way',
    code: 'NOT_VERIFIED',
    damage: withHeader('host', () => 'elsewhere.example'),
  },
  {
    what: 'a path changed on the way',
    code: 'NOT_VERIFIED',
    damage: (request) => ({ ...request, path: `${request.path}/` }),
  },
  {
    what: 'a query added on the way, though it is covered',
    code: 'NOT_VERIFIED',
    ...covering('@query'),
    damage: (request) => ({ ...request, path: `${request.path}?x=1` }),
  },
  {
    what: 'a life made longer on the way',
    code: 'NOT_VERIFIED',
    damage: withHeader('signature-input', (value) =>
      value.replace(/expires=\d+/, 'expires=9999999999'),
    ),
  },
  {
    what: 'a signature cut short',
    code: 'NOT_VERIFIED',
    damage: withHeader('signature', () => 'sig-pp=:AAAA:'),
  },
  {
    what: 'an empty signature',
    code: 'NOT_VERIFIED',
    damage: withHeader('signature', () => 'sig-pp=::'),
  },
]

/** They need a setting of their own: `age.test.ts` has them. */
const ELSEWHERE: readonly ProblemCode[] = ['TOO_OLD', 'USED_BEFORE']

/** The messages as the page for merchants has them; `<…>` stands for what differs. */
const page = readFileSync(join(ROOT, 'docs/signatures.md'), 'utf8')
const DOCUMENTED = new Map(
  [...page.matchAll(/^### `([A-Z_]+)`\n\n```text\n(.+)\n```\n\n\S/gm)].map(
    ([, code = '', message = '']) => [code, asPattern(message)] as const,
  ),
)

function asPattern(message: string): RegExp {
  const parts = message
    .split(/<[^>]+>/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.+')}$`)
}

it('the page for merchants has every message, and none that does not occur', () => {
  const codes = Object.keys(SIGNATURE_PROBLEMS)
  assert.deepEqual([...DOCUMENTED.keys()], codes)
  const occurring = new Set([...FAULTS.map(({ code }) => code), ...ELSEWHERE])
  assert.deepEqual([...occurring].toSorted(), codes.toSorted())
})

const GENERATION_NAMES = Object.keys(GENERATIONS) as Generation[]

const send = (fault: Fault, generation: Generation) => {
  const signed = signedDeposit(service, key, { ...fault.options, generation })
  return sendTo(service.url, fault.damage?.(signed) ?? signed, service.token)
}

for (const generation of GENERATION_NAMES) {
  describe(`401 in the ${generation} generation where signatures are required`, () => {
    it('never with a good signature', async () => {
      await give(service, KEYS, { signedRequestsOnly: true })
      const answer = await postSigned(service, key, { generation })
      assert.equal(answer.body.status, 'ACCEPTED', answer.text)
    })

    for (const fault of FAULTS) {
      it(`${fault.code}: ${fault.what}`, async () => {
        const answer = await send(fault, generation)
        assertRefused(answer, generation, DOCUMENTED.get(fault.code) ?? /never/)
      })
    }

    it('names the identifier in the current generation, and stores nothing', async () => {
      const depositId = crypto.randomUUID()
      const options = { values: { keyid: 'shop:9' }, changes: { depositId }, generation }
      const answer = await postSigned(service, key, options)
      assert.equal(answer.status, 401)
      if (generation === 'current') assert.equal(answer.body.depositId, depositId)
      const found = await service.database.query('select from payments where id = $1', [depositId])
      assert.equal(found.length, 0)
    })

    it('UNKNOWN_KEY: the key of another merchant, also one of the same name', async () => {
      const theirs = makeKey('theirs', 'ecdsa-p256-sha256')
      const sameName = makeKey(key.id, 'ecdsa-p256-sha256')
      const keys = [theirs, sameName].map(({ id, pem }) => ({ id, key: pem }))
      assert.equal((await stranger.call('PUT', '/sandbox/signatures', { keys })).status, 204)
      const refused = await postSigned(service, theirs, { generation })
      assertRefused(refused, generation, /^The key id 'theirs' is none of this account's\./)
      const misnamed = await postSigned(service, sameName, { generation })
      assertRefused(misnamed, generation, /^The signature does not verify with the key 'shop:1'/)
      const own = await postSigned(service, theirs, { generation, token: stranger.token })
      assert.equal(own.body.status, 'ACCEPTED', own.text)
    })

    it('names what is not a whole number, and what is not bytes', async () => {
      const timed = await postSigned(service, key, { values: { created: 'now' }, generation })
      assertRefused(timed, generation, /'Signature-Input' cannot be read: 'created' is not a whole/)
      const headers = { 'content-digest': 'sha-512=abc' }
      const hashed = await postSigned(service, key, { headers, generation })
      assertRefused(hashed, generation, /'Content-Digest' cannot be read: its sha-512 is not bytes/)
    })

    it('a wrong token comes before a wrong signature', async () => {
      const answer = await postSigned(service, key, {
        values: { keyid: 'x' },
        token: 'nobody',
        generation,
      })
      assert.equal(answer.status, 401)
      assert.match(messageOf(answer), /^The API token is not valid here/)
    })

    it('echoes nothing long or unprintable', async () => {
      const values = { keyid: 'x'.repeat(5000) }
      const answer = await postSigned(service, key, { values, generation })
      assertRefused(answer, generation, /^The key id 'x{200}…' is none of/)
    })
  })
}

describe('where signatures are not required', () => {
  it('what is wrong with one is ignored, and the answer is not signed', async () => {
    await give(service, KEYS, { signedRequestsOnly: false })
    for (const generation of GENERATION_NAMES) {
      for (const fault of FAULTS) {
        // The body itself is what was changed here, so another deposit is asked for.
        const answer = await send(fault, generation)
        assert.equal(answer.status, 200, `${fault.what}: ${answer.text}`)
        assert.equal(answer.body.status, 'ACCEPTED', `${fault.what}: ${answer.text}`)
        assertUnsigned(answer)
      }
    }
  })

  it('a good one is answered signed all the same', async () => {
    for (const generation of GENERATION_NAMES) {
      const answer = await postSigned(service, rsa, { generation })
      assert.equal(answer.body.status, 'ACCEPTED', answer.text)
      await assertSigned(service, answer)
    }
  })
})

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, it } from 'node:test'
import { type Chance, chanceOf } from '../../../harness/random/chance.ts'
import { shareService } from '../../../harness/share.ts'
import { makeKey, type Outgoing, SIGNERS, sendTo } from '../../../harness/signers.ts'
import { readDictionary } from '../../../src/signing/structured-fields.ts'
import {
  GENERATIONS,
  type Generation,
  give,
  messageOf,
  signedDeposit,
} from '../../support/signed-service.ts'

/** `MALIPO_SEED=… node scripts/test.mjs test/api/signatures/fuzz` makes the same changes again. */
const seed = Number(process.env.MALIPO_SEED ?? randomInt(2 ** 31))
process.stderr.write(`test/api/signatures/fuzz: MALIPO_SEED=${seed}\n`)
const chance = chanceOf(seed)
/** `npm run proof -- signatures` tries forty times as many. */
const TIMES = Number(process.env.MALIPO_FUZZ_TIMES ?? 0.5)

const service = await shareService()
after(service.stop)
const KEYS = [
  makeKey('shop:1', 'ecdsa-p256-sha256'),
  makeKey('shop:2', 'ecdsa-p384-sha384'),
  makeKey('shop:3', 'rsa-v1_5-sha256'),
]
await give(service, KEYS, { signedRequestsOnly: true })

const generations = Object.keys(GENERATIONS) as Generation[]
const requestBy = (dice: Chance): Outgoing =>
  signedDeposit(service, dice.pick(KEYS), {
    ...dice.pick(Object.values(SIGNERS)),
    generation: dice.pick(generations),
  })

const BYTES = [...'"\\;,=:()[]*?@ \tabz019-_.', '\u00e9', '\u007f']

/** One small change to a text: a letter more, less, other, or a piece taken from elsewhere. */
function changed(text: string, dice: Chance): string {
  const at = dice.below(text.length + 1)
  const to = Math.min(text.length, at + dice.between(1, 12))
  switch (dice.below(6)) {
    case 0:
      return text.slice(0, at) + dice.pick(BYTES) + text.slice(at)
    case 1:
      return text.slice(0, at) + text.slice(to)
    case 2:
      return text.slice(0, at) + dice.pick(BYTES) + text.slice(at + 1)
    case 3:
      return text.slice(0, at) + text.slice(at, to).repeat(2) + text.slice(to)
    case 4:
      return text.slice(0, at)
    default:
      return text.slice(0, at) + text.slice(at).split('').reverse().join('')
  }
}

const FIELDS = ['signature', 'signature-input', 'content-digest'] as const

/** The same members, which is all that a signature or a digest says. */
function saysTheSame(name: string, before: string, after: string): boolean {
  if (name === 'content-digest') return before.trim() === after.trim()
  try {
    const [one, other] = [readDictionary(before), readDictionary(after)]
    return [...one].every(([label, member]) => {
      const twin = other.get(label)
      const [value, its] = [member.value, twin?.value]
      if (value instanceof Buffer) return its instanceof Buffer && value.equals(its)
      return twin?.text === member.text
    })
  } catch {
    return false
  }
}

/** Bytes that a client cannot put into a header do not reach the service. */
const isSendable = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

it('no change to the three headers is accepted, and none breaks the service', async () => {
  let refused = 0
  for (let round = 0; round < 400 * TIMES; round += 1) {
    const request = requestBy(chance)
    const name = chance.pick(FIELDS)
    const before = request.headers[name] ?? ''
    let text = before
    for (let times = chance.between(1, 3); times > 0; times -= 1) text = changed(text, chance)
    if (!isSendable(text) || saysTheSame(name, before, text)) continue
    const headers = { ...request.headers, [name]: text }
    const answer = await sendTo(service.url, { ...request, headers }, service.token)
    assert.equal(answer.status, 401, `${name}: ${JSON.stringify(text)}: ${answer.text}`)
    assert.ok(messageOf(answer).length > 20)
    assert.equal(answer.headers.signature, undefined)
    refused += 1
  }
  assert.ok(refused > 266 * TIMES, `${refused} requests were changed`)
})

it('no change to what is covered is accepted', async () => {
  let refused = 0
  const kinds = ['body', 'method', 'path', 'host', 'signature-date', 'content-type'] as const
  for (let round = 0; round < 200 * TIMES; round += 1) {
    const request = requestBy(chance)
    const kind = chance.pick(kinds)
    const forged = forge(request, kind, chance)
    if (forged === undefined) continue
    const { status, text } = await sendTo(service.url, forged, service.token)
    // Some are refused before their signature is looked at: no such path, method or media type.
    assert.ok(status >= 400 && status < 500, `${kind}: ${JSON.stringify(forged)}: ${text}`)
    if (status === 401) refused += 1
  }
  assert.ok(refused > 80 * TIMES, `${refused} were refused for their signature`)
  const stored = await service.database.query('select from payments where merchant_id = $1', [
    service.merchantId,
  ])
  assert.equal(stored.length, 0)
})

function forge(request: Outgoing, kind: string, dice: Chance): Outgoing | undefined {
  if (kind === 'body') {
    const body = changed(request.body, dice)
    if (body === request.body) return undefined
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    return { ...request, body, headers: { ...request.headers, ...length } }
  }
  if (kind === 'method') return { ...request, method: dice.pick(['PUT', 'PATCH', 'DELETE']) }
  if (kind === 'path') {
    const path = dice.pick([
      '/v2/deposits',
      '/deposits',
      '/v2/deposits/',
      '//deposits',
      '/v2/payouts',
    ])
    return path === request.path ? undefined : { ...request, path }
  }
  const before = request.headers[kind] ?? ''
  const text = changed(before, dice)
  const isSame = text.trim().toLowerCase() === before.trim().toLowerCase()
  if (isSame || !isSendable(text) || text.trim() === '') return undefined
  return { ...request, headers: { ...request.headers, [kind]: text } }
}

it('every text is read or refused, and never anything else', () => {
  const pieces = [
    'sig-pp',
    '=',
    ':',
    'QUJD',
    '(',
    ')',
    '"@path"',
    ';',
    'created',
    '1',
    '?1',
    ', ',
    ' ',
    'é',
    '"',
  ]
  for (let round = 0; round < 5000 * TIMES; round += 1) {
    const text = Array.from({ length: chance.between(0, 14) }, () => chance.pick(pieces)).join('')
    try {
      for (const [name, member] of readDictionary(text)) {
        assert.ok(text.includes(name) && text.includes(member.text))
      }
    } catch (error) {
      assert.equal((error as Error).constructor.name, 'FieldProblem', text)
    }
  }
})

it('a header as long as the server takes is read in one pass', () => {
  for (const text of ['('.repeat(16_000), `a=${'"\\"'.repeat(8000)}`, `a=:${'A'.repeat(16_000)}`]) {
    assert.throws(() => readDictionary(text), /expected at character|not base64/)
  }
  const many = Array.from({ length: 2000 }, (_, at) => `s${at}=1`).join(', ')
  assert.equal(readDictionary(many).size, 2000)
})

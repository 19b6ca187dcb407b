import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Answer, depositBody } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { assertAnswer, reason, refused } from '../../support/shapes.ts'

const service = await shareService('moving clock')
after(service.stop)

const ID = 'f4401bd2-1568-4140-bf2d-eb77d2b2b639'
const NOTHING_LEFT = { depositId: ID }
const good: string = JSON.stringify(depositBody({ depositId: ID }))
/** The good request with one more member, written by hand. */
const plus = (member: string): string => `${good.slice(0, -1)},${member}}`
const reference = (text: string): string => plus(`"clientReferenceId":"${text}"`)
const deep = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels)

/** Bodies that cannot be parsed; no identifier is known then. */
const UNREADABLE: readonly (readonly [what: string, body: string | Buffer, says: RegExp])[] = [
  ['nothing', '', /the body is empty/],
  ['white space', ' \n\t ', /not valid JSON/],
  ['half an object', good.slice(0, -1), /not valid JSON/],
  ['two objects', good + good, /not valid JSON/],
  ['a comma at the end', `${good.slice(0, -1)},}`, /not valid JSON/],
  ['a comment', `/* x */${good}`, /not valid JSON/],
  ['single quotes', good.replaceAll('"', "'"), /not valid JSON/],
  ['a form', `depositId=${ID}&amount=15`, /not valid JSON/],
  ['XML', '<?xml version="1.0"?><deposit/>', /not valid JSON/],
  ['NaN', plus('"x":NaN'), /not valid JSON/],
  ['Infinity', plus('"x":Infinity'), /not valid JSON/],
  ['a hexadecimal number', plus('"x":0x10'), /not valid JSON/],
  ['a raw line feed in a text', reference('a\nb'), /not valid JSON/],
  ['a raw NUL in a text', reference('a\u0000b'), /not valid JSON/],
  ['a NUL after the end', `${good}\u0000`, /not valid JSON/],
  ['a byte order mark', `\ufeff${good}`, /not valid JSON/],
  ['an escaped NUL', reference('a\\u0000b'), /NUL or half of a surrogate/],
  ['half of a surrogate pair', reference('\\ud800'), /NUL or half of a surrogate/],
  ['the other half', reference('\\udc00'), /NUL or half of a surrogate/],
  ['the halves in the wrong order', reference('\\udc00\\ud800'), /NUL or half of a surrogate/],
  ['half of a pair in a name', plus('"\\ud800":1'), /NUL or half of a surrogate/],
  ['a NUL in a metadata name', plus('"metadata":[{"\\u0000":"a"}]'), /NUL or half of a surrogate/],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /not UTF-8/],
  ['an overlong encoding', bytes(reference('@'), '@', [0xc0, 0xaf]), /not UTF-8/],
  ['half of a pair as bytes', bytes(reference('@'), '@', [0xed, 0xa0, 0x80]), /not UTF-8/],
  ['a character cut short', bytes(reference('@'), '@', [0xe2, 0x82]), /not UTF-8/],
  ['Latin-1', Buffer.from(reference('é'), 'latin1'), /not UTF-8/],
  ['UTF-16', Buffer.from(good, 'utf16le'), /not valid JSON|not UTF-8/],
  ['gzip', gzipSync(good), /not UTF-8/],
  ['a field twice', plus('"amount":"15"'), /same field twice/],
  ['the identifier twice', plus(`"depositId":"${ID}"`), /same field twice/],
  ['a field twice, once escaped', plus('"\\u0061mount":"99"'), /same field twice/],
  ['a field twice inside', good.replace('"type"', '"type":"MMO","type"'), /same field twice/],
  ['a field twice deeper', good.replace('"provider"', '"provider":"X","provider"'), /twice/],
  ['a field twice in metadata', plus('"metadata":[{"a":"1","a":"2"}]'), /same field twice/],
  ['a field twice in what is unknown', plus('"x":[[{"y":{"z":1,"z":2}}]]'), /same field twice/],
  ['__proto__ twice', plus('"__proto__":1,"__proto__":2'), /same field twice/],
  ['lists in lists', deep('[', ']', 100_000), /nested/],
  ['lists in lists, as deep as fits', deep('[', ']', 524_288), /nested/],
  ['objects in objects', `${deep('{"a":', '', 150_000)}1${'}'.repeat(150_000)}`, /nested/],
  ['depth inside a field', plus(`"x":${deep('[', ']', 200_000)}`), /nested/],
  ['depth that does not end', '['.repeat(1_000_000), /nested/],
  ['many unknown names', plus(names(80_000)), /more than 10000 fields/],
  ['a lot of metadata', plus(`"metadata":[${Array(90_000).fill('{"a":"b"}')}]`), /more than 10000/],
]

describe('400 INVALID_INPUT without identifier for', () => {
  for (const [what, body, says] of UNREADABLE) {
    it(what, async () => {
      assertAnswer(await send(body), 400, refused('INVALID_INPUT', says))
    })
  }
})

/** Bodies that can be parsed and are no deposit. */
const NO_DEPOSIT: readonly (readonly [what: string, body: string, code: string, id: object])[] = [
  ['a list', '[]', 'INVALID_PARAMETER', {}],
  ['a list with a deposit', `[${good}]`, 'INVALID_PARAMETER', {}],
  ['a text', '"deposit"', 'INVALID_PARAMETER', {}],
  ['a number', '15', 'INVALID_PARAMETER', {}],
  ['true', 'true', 'INVALID_PARAMETER', {}],
  ['null', 'null', 'INVALID_PARAMETER', {}],
  ['an empty object', '{}', 'MISSING_PARAMETER', {}],
  ['a prototype with all fields', `{"__proto__":${good}}`, 'UNSUPPORTED_PARAMETER', {}],
  ['a prototype beside them', plus('"__proto__":{"x":1}'), 'UNSUPPORTED_PARAMETER', NOTHING_LEFT],
  ['a constructor', plus('"constructor":{"prototype":{}}'), 'UNSUPPORTED_PARAMETER', NOTHING_LEFT],
  [
    'a prototype further inside',
    good.replace('"type"', '"__proto__":{"type":"MMO"},"type"'),
    'UNSUPPORTED_PARAMETER',
    NOTHING_LEFT,
  ],
  [
    'a prototype for what is required',
    good.replace('"type":"MMO"', '"__proto__":{"type":"MMO"}'),
    'UNSUPPORTED_PARAMETER',
    NOTHING_LEFT,
  ],
  ['a huge number', numeric('1e400'), 'INVALID_PARAMETER', NOTHING_LEFT],
  ['a number below zero without end', numeric('-1e999'), 'INVALID_PARAMETER', NOTHING_LEFT],
  ['a number of many digits', numeric('9'.repeat(100_000)), 'INVALID_PARAMETER', NOTHING_LEFT],
  ['a tiny number', numeric('1e-400'), 'INVALID_PARAMETER', NOTHING_LEFT],
  ['a long text of digits', numeric(`"${'9'.repeat(900_000)}"`), 'INVALID_PARAMETER', NOTHING_LEFT],
  ['a long reference', reference('x'.repeat(1_000_000)), 'INVALID_PARAMETER', NOTHING_LEFT],
  [
    'a long unknown name',
    plus(`"${'x'.repeat(1_000_000)}":1`),
    'UNSUPPORTED_PARAMETER',
    NOTHING_LEFT,
  ],
  ['many unknown names', plus(names(5000)), 'UNSUPPORTED_PARAMETER', NOTHING_LEFT],
  [
    'a lot of metadata',
    plus(`"metadata":[${Array(4000).fill('{"a":"b"}')}]`),
    'INVALID_PARAMETER',
    NOTHING_LEFT,
  ],
  [
    'metadata of empty lists',
    plus(`"metadata":[${Array(10).fill('[]')}]`),
    'INVALID_PARAMETER',
    NOTHING_LEFT,
  ],
  ['a list as identifier', `{"depositId":["${ID}"]}`, 'MISSING_PARAMETER', {}],
  [
    'an identifier that tries SQL',
    good.replace(ID, "x'; drop table payments; --"),
    'INVALID_PARAMETER',
    { depositId: "x'; drop table payments; --" },
  ],
]

describe('400 for', () => {
  for (const [what, body, code, id] of NO_DEPOSIT) {
    it(`${what}: ${code}`, async () => {
      assertAnswer(await send(body), 400, refused(code, /^The parameter '/, id))
    })
  }
})

/** Content types that do not fit what is sent: what counts is whether the body is JSON. */
const TYPES: readonly string[] = [
  'application/json',
  'application/json; charset=iso-8859-1',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/html',
  'application/xml',
  'application/octet-stream',
  'image/png',
]

describe('a body that is not JSON is 400 INVALID_INPUT, sent as', () => {
  for (const type of TYPES) {
    it(type, async () => {
      const body = `depositId=${ID}&amount=15`
      assertAnswer(await send(body, '/v2/deposits', type), 400, refused('INVALID_INPUT'))
    })
  }

  it('something that is not a content type at all', async () => {
    for (const type of ['', ';', 'json', '/', 'application/', '@@@', 'a/b; c="']) {
      const { status, body } = await send('depositId', '/v2/deposits', type)
      assert.ok(status >= 400 && status < 500, `${type}: ${status}`)
      assert.equal(body.failureReason.failureCode, 'INVALID_INPUT')
    }
  })
})

/** The controls of the sandbox read bodies by the same rules. */
const CONTROLS: readonly (readonly [method: string, path: string])[] = [
  ['PUT', '/sandbox/callbacks'],
  ['PUT', '/sandbox/availability'],
  ['PUT', '/sandbox/wallets'],
  ['PUT', '/sandbox/phones/260763456789'],
  ['POST', '/sandbox/clock/advance'],
]

describe('the controls of the sandbox refuse the same:', () => {
  for (const [method, path] of CONTROLS) {
    it(`${method} ${path}`, async () => {
      for (const body of ['', '{', '{"a":1,"a":2}', '{"a":"\\ud800"}', deep('[', ']', 300_000)]) {
        const answer = await send(body, path, 'application/json', method)
        assertAnswer(answer, 400, reason('INVALID_INPUT', /could not be parsed/))
      }
      for (const body of ['[]', '"x"', '7', 'null', 'true']) {
        const answer = await send(body, path, 'application/json', method)
        assertAnswer(answer, 400, reason('INVALID_PARAMETER', /'body'/))
      }
      for (const body of ['{"__proto__":{}}', '{"constructor":1}', '{"":1}']) {
        const answer = await send(body, path, 'application/json', method)
        assertAnswer(answer, 400, reason('UNSUPPORTED_PARAMETER'))
      }
    })
  }
})

it('a body that does not belong to a call is not read', async () => {
  for (const body of ['{', '[]', '{"a":1,"a":2}', Buffer.from([0xff]), deep('[', ']', 300_000)]) {
    const answer = await send(body, `/v2/deposits/resend-callback/${ID}`)
    assert.deepEqual([answer.status, answer.body.failureReason.failureCode], [200, 'NOT_FOUND'])
  }
})

it('none of these bodies stored anything, and none caused an internal error', async () => {
  assert.deepEqual(
    await service.database.query('select id from payments where merchant_id = $1', [
      service.merchantId,
    ]),
    [],
  )
  assert.deepEqual(
    service.logLines.filter((line) => line.includes('"level":"error"')),
    [],
  )
})

it('the request that they were made of is accepted', async () => {
  assert.equal((await send(good)).body.status, 'ACCEPTED')
  await service.reaches(ID, 'COMPLETED')
})

it('large bodies that arrive together, of many sizes and in turns, are not mixed up', async () => {
  const large = (id: string, size: number): string =>
    JSON.stringify(depositBody({ depositId: id })).padEnd(size)
  const sizes = [17_000, 32_768, 32_769, 70_000, 200_000]
  for (let round = 0; round < 3; round += 1) {
    const sent = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const id = randomUUID()
        const size = sizes[(at + round) % sizes.length] as number
        return [id, await send(large(id, size))] as const
      }),
    )
    for (const [id, { body }] of sent) {
      assert.deepEqual([body.depositId, body.status], [id, 'ACCEPTED'])
    }
  }
})

function numeric(amount: string): string {
  return good.replace('"15"', amount)
}

function names(count: number): string {
  return Array.from({ length: count }, (_, at) => `"n${at}":1`).join()
}

/** The text with these bytes where the mark stands. */
function bytes(text: string, mark: string, inserted: readonly number[]): Buffer {
  const [before = '', after = ''] = text.split(mark)
  return Buffer.concat([Buffer.from(before), Buffer.from(inserted), Buffer.from(after)])
}

async function send(
  body: string | Buffer,
  path = '/v2/deposits',
  type = 'application/json',
  method = 'POST',
): Promise<Answer> {
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': type },
    body: Buffer.from(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? '' : JSON.parse(text),
  }
}

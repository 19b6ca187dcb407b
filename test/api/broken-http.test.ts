import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { depositBody, eventually, startService } from '../../harness/service.ts'
import { assertShape, refused, UUID } from '../support/shapes.ts'

const service = await startService()
after(service.stop)

const { host } = new URL(service.url)
const HOST = `Host: ${host}\r\n`
const TOKEN = `Authorization: Bearer ${service.token}\r\n`
const POST = `POST /v2/deposits HTTP/1.1\r\n${HOST}${TOKEN}`
const legacy = (errorMessage: RegExp) => ({ errorId: UUID, errorCode: 1, errorMessage })

type RawAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Everything that comes back until the service closes the connection. */
async function raw(text: string | Buffer, isWhole = false): Promise<readonly RawAnswer[]> {
  const socket = connect(service.node.port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  // The service may close while the rest is still on its way.
  socket.on('error', () => {})
  socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text)
  if (isWhole) socket.end()
  await once(socket, 'close')
  return answersIn(Buffer.concat(chunks).toString('latin1'))
}

function answersIn(text: string): RawAnswer[] {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return []
  const [line = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((one) => [
      one.slice(0, one.indexOf(':')).toLowerCase(),
      one.slice(one.indexOf(':') + 2),
    ]),
  )
  const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0)
  const status = Number(line.split(' ')[1])
  return [
    { status, headers, body: text.slice(end + 4, bodyEnd) },
    ...answersIn(text.slice(bodyEnd)),
  ]
}

function assertRefused(answer: RawAnswer | undefined, status: number, shape: object): void {
  assert.equal(answer?.status, status, JSON.stringify(answer))
  assert.equal(answer?.headers['content-type'], 'application/json')
  assert.match(answer?.headers['x-request-id'] ?? '', /^[\w-]{10,}$/)
  assertShape(JSON.parse(answer?.body ?? ''), shape)
}

const broken = refused('INVALID_INPUT', /HTTP/)

/** What is no request, before any path or token of it can be known. */
const BROKEN: readonly (readonly [what: string, text: string, status: number, shape: object])[] = [
  ['bytes', '\x00\x01\x02\xff\r\n\r\n', 400, broken],
  ['a line of words', 'hello world\r\n\r\n', 400, broken],
  ['an unknown method', `FOO /v2/deposits HTTP/1.1\r\n${HOST}\r\n`, 400, broken],
  ['bytes in the path', `GET /v2/deposits/\xc3\xa9 HTTP/1.1\r\n${HOST}\r\n`, 400, broken],
  ['a length in words', `${POST}Content-Length: two\r\n\r\n{}`, 400, broken],
  ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400, broken],
  [
    'a length beside chunks',
    `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    400,
    broken,
  ],
  ['chunks without length', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`, 400, broken],
  ['a coding that is not known', `${POST}Transfer-Encoding: gzip\r\n\r\n{}`, 400, broken],
  [
    'long headers',
    `GET /v2/deposits HTTP/1.1\r\n${HOST}X: ${'a'.repeat(20_000)}\r\n\r\n`,
    431,
    refused('INVALID_INPUT', /headers .* 16 KiB/),
  ],
]

describe('what is not HTTP is answered in the format of the API, with a request id:', () => {
  for (const [what, text, status, shape] of BROKEN) {
    it(what, async () => {
      const answers = await raw(text)
      assert.equal(answers.length, 1)
      assertRefused(answers[0], status, shape)
      const id = answers[0]?.headers['x-request-id'] ?? ''
      assert.ok(service.logLines.some((line) => line.includes(id)))
    })
  }

  it('half a body', async () => {
    const [answer] = await raw(`${POST}Content-Length: 100\r\n\r\n{}`, true)
    assertRefused(answer, 400, broken)
  })
})

/** Requests whose host or sender is ambiguous. */
const MISDIRECTED: readonly (readonly [what: string, head: string, says: RegExp])[] = [
  ['no host', 'HTTP/1.1\r\n', /no Host header/],
  ['two hosts', `HTTP/1.1\r\n${HOST}Host: elsewhere.example\r\n`, /two Host headers/],
  ['two tokens', `HTTP/1.1\r\n${HOST}authorization: x\r\n`, /two Authorization headers/],
]

describe('a request names its host and its token once:', () => {
  for (const [what, head, says] of MISDIRECTED) {
    it(what, async () => {
      const close = 'Connection: close\r\n\r\n'
      const [current] = await raw(`GET /v2/wallet-balances ${head}${TOKEN}${close}`)
      assertRefused(current, 400, refused('INVALID_INPUT', says))
      const [earlier] = await raw(`GET /v1/wallet-balances ${head}${TOKEN}${close}`)
      assertRefused(earlier, 400, legacy(says))
    })
  }

  it('a first line with a whole address of another host', async () => {
    const close = `${HOST}${TOKEN}Connection: close\r\n\r\n`
    for (const target of ['http://elsewhere.example', `http://${host}@elsewhere.example`]) {
      const [current] = await raw(`GET ${target}/v2/wallet-balances HTTP/1.1\r\n${close}`)
      assertRefused(current, 400, refused('INVALID_INPUT', /another host/))
      const [earlier] = await raw(`GET ${target}/deposits HTTP/1.1\r\n${close}`)
      assertRefused(earlier, 400, legacy(/another host/))
    }
  })

  it('a whole address of this host is read like its path, refusals included', async () => {
    const close = `${HOST}${TOKEN}Connection: close\r\n\r\n`
    const [wallets] = await raw(`GET http://${host}/v2/wallet-balances HTTP/1.1\r\n${close}`)
    assert.equal(wallets?.status, 200)
    const [nothing] = await raw(`GET HTTP://${host}/v2/nothing HTTP/1.1\r\n${close}`)
    assertRefused(nothing, 404, refused('NOT_FOUND', /nothing at GET \/v2\/nothing/))
  })

  it('what is expected beyond 100-continue is 417', async () => {
    const head = `${POST}Expect: miracles\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`
    const [answer] = await raw(head)
    assertRefused(answer, 417, refused('INVALID_INPUT', /Expect/))
  })
})

it('an answer under way is given before what follows it is refused', async () => {
  const body = JSON.stringify(depositBody())
  const good = `${POST}Content-Length: ${body.length}\r\n\r\n${body}`
  const [accepted, refusal, ...more] = await raw(`${good}\x00nonsense\r\n\r\n`)
  assert.equal(JSON.parse(accepted?.body ?? '').status, 'ACCEPTED')
  assertRefused(refusal, 400, broken)
  assert.deepEqual(more, [])
  const [first, second] = await raw(`${good}${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)
  assert.equal(JSON.parse(first?.body ?? '').status, 'DUPLICATE_IGNORED')
  assertRefused(second, 400, broken)
  await service.reaches(JSON.parse(body).depositId, 'COMPLETED')
})

it('an answer that does not depend on the body is given although the body is broken', async () => {
  const [answer, ...more] = await raw(
    `GET /v2/wallet-balances HTTP/1.1\r\n${HOST}${TOKEN}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  )
  assert.equal(answer?.status, 200)
  assert.deepEqual(more, [])
})

it('a client that disconnects in the middle of a body causes no error', async () => {
  for (const line of ['POST /v1/predict-correspondent', 'GET /v1/predict-correspondent']) {
    const before = service.logLines.length
    const socket = connect(service.node.port, '127.0.0.1')
    socket.write(`${line} HTTP/1.1\r\n${HOST}${TOKEN}Content-Length: 100\r\n\r\n{"a":`)
    await once(service.node.app.server, 'request')
    socket.resetAndDestroy()
    await eventually(() => assert.ok(service.logLines.length > before))
  }
})

it('no broken request stored anything, and none caused an internal error', async () => {
  assert.equal((await service.database.query('select id from payments')).length, 1)
  assert.deepEqual(
    service.logLines.filter((line) => line.includes('"level":"error"')),
    [],
  )
})

describe('a client that waits for 100 Continue before it sends its body', () => {
  const expects = 'Expect: 100-continue\r\nContent-Length: 2\r\n\r\n'

  it('gets it when the body is read', async () => {
    const [first, second] = await raw(`${POST}Connection: close\r\n${expects}{}`)
    assert.equal(first?.status, 100)
    assert.equal(second?.status, 400)
  })

  it('is refused without it otherwise, and the connection is closed', async () => {
    const large = expects.replace('2', '2000000')
    for (const [head, status] of [
      [POST, 413],
      [`POST /v2/deposits HTTP/1.1\r\n${HOST}`, 401],
      [`POST /nothing HTTP/1.1\r\n${HOST}`, 404],
    ] as const) {
      const answers = await raw(head + large)
      assert.deepEqual(
        answers.map((one) => [one.status, one.headers.connection]),
        [[status, 'close']],
      )
    }
  })
})

it('a refused body is not read endlessly', async () => {
  const socket = connect(service.node.port, '127.0.0.1')
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(`POST /v2/deposits HTTP/1.1\r\n${HOST}Content-Length: 99999999999\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 401 /)
  const piece = Buffer.alloc(65_536)
  const sendOn = (): void => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', sendOn)
  sendOn()
  await closed
})

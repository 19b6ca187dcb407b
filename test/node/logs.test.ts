import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { cloneDatabase, depositBody, eventually, payer } from '../../harness/service.ts'
import { hideSecrets } from '../../src/node/log.ts'
import { call, sql, startProgram } from './program.ts'

const DATABASE_URL = await cloneDatabase()
const program = await startProgram({ DATABASE_URL, PORT: '0', MALIPO_LOG_LEVEL: 'debug' })
const receiver = await startReceiver()
after(async () => {
  await program.stop()
  await receiver.close()
})

const PHONE = '260763451789'
const OTHER_PHONE = '22507123456'
const PERSON = 'zainab.m@shop.example'
const CODE = '482913'
const PIN = '739154'
let made = ''
const WRONG_TOKEN = 'mlp_sbx_this-token-was-never-made'

/** Would be a line of its own where a client's words were written as they came. */
const FORGED = '\n{"time":"2026-11-15T00:00:00.000Z","level":"info","msg":"forged"}\n'

/** What must never be read in a log line, and where it was put. */
const SECRETS = {
  token: program.token,
  wrongToken: WRONG_TOKEN,
  phone: PHONE,
  otherPhone: OTHER_PHONE,
  personalData: PERSON,
  oneTimeCode: CODE,
}

const deposit = (changes: Record<string, unknown> = {}) =>
  depositBody({
    payer: payer(PHONE, 'MTN_MOMO_ZMB'),
    metadata: [{ orderId: 'ORD-1' }, { customer: PERSON, isPII: true }],
    ...changes,
  })

const post = (path: string, body: unknown, token = program.token) =>
  call(program.url + path, token, body)
const put = (path: string, body: unknown) => call(program.url + path, program.token, body, 'PUT')

/** Ordinary payments, refused calls of every kind, and faults inside the service. */
async function liveThroughIt(): Promise<readonly string[]> {
  const refused: Awaited<ReturnType<typeof call>>[] = []
  await put('/sandbox/callbacks', { deposit: receiver.url })
  receiver.answer(500)
  const withCode = deposit({
    amount: '100',
    currency: 'XOF',
    payer: payer('22676123789', 'ORANGE_BFA'),
    preAuthorisationCode: CODE,
  })
  for (const body of [deposit(), withCode]) {
    assert.equal((await post('/v2/deposits', body)).body.status, 'ACCEPTED')
  }
  await payByPhone()
  await eventually(() => assert.ok(receiver.received.length >= 2))

  refused.push(
    await post('/v2/deposits', deposit(), WRONG_TOKEN),
    await post('/v2/deposits', { ...deposit(), colour: PERSON }),
    await post('/v2/deposits', deposit({ preAuthorisationCode: [CODE] })),
    await post('/v2/deposits', deposit({ payer: payer(`+${PHONE}`, 'MTN_MOMO_ZMB') })),
    await post('/v2/deposits', deposit({ metadata: [{ a: PERSON }, { a: PERSON }] })),
    await put(`/sandbox/phones/${PHONE}`, { script: [{ answer: CODE }] }),
    await call(`${program.url}/v2/customers/${PHONE}?token=${WRONG_TOKEN}`, program.token),
    await call(`${program.url}/customers/${OTHER_PHONE}?token=${WRONG_TOKEN}`, program.token),
    await call(`${program.url}/%zz/${OTHER_PHONE}`, program.token),
    await call(`${program.url}/v2/deposits/${PHONE}`, program.token),
    await call(`${program.url}/v2/deposits`, program.token, deposit(), 'PUT'),
    await post('/v2/deposits', { ...deposit(), [FORGED]: 1 }),
    await call(`${program.url}/v2/deposits/${encodeURIComponent(FORGED)}`, program.token),
    await call(`${program.url}/${encodeURIComponent(FORGED)}`, program.token),
  )
  assert.ok(refused.every(({ status }) => status >= 400 && status < 500))

  // The database refuses the row, and quotes it in the error.
  await sql(DATABASE_URL, `alter table payments add constraint odd check (amount <> 13.13)`)
  const failed = await post('/v2/deposits', deposit({ amount: '13.13' }))
  assert.equal(failed.status, 500)
  // The same, in the middle of the work on an accepted payment.
  await sql(
    DATABASE_URL,
    `alter table payments add constraint stuck check (amount <> 14.14
    or state = 'ACCEPTED')`,
  )
  assert.equal((await post('/v2/deposits', deposit({ amount: '14.14' }))).status, 200)
  await eventually(() => assert.match(program.logLines().join('\n'), /a payment step failed/))

  return [...refused, failed].map(({ headers }) => headers.get('x-request-id') ?? randomUUID())
}

/** Codes that phones made, used and refused; and the PIN of a person. */
async function payByPhone(): Promise<void> {
  const phone = '/sandbox/phones/22607345678'
  await put(phone, { mode: 'interactive' })
  const dialled = await post(`${phone}/actions`, { action: 'dial', code: '*144*4*6#' })
  made = dialled.body.code
  assert.match(made, /^\d{6}$/)
  const money = { amount: '100', currency: 'XOF', payer: payer('22607345678', 'ORANGE_BFA') }
  for (const preAuthorisationCode of [made, made]) {
    const { body } = await post('/v2/deposits', deposit({ ...money, preAuthorisationCode }))
    assert.equal(body.status, 'ACCEPTED')
  }
  assert.equal((await post(`${phone}/actions`, { action: 'dial', code: made })).status, 400)
  assert.equal((await post(`${phone}/actions`, { action: 'approve', pin: PIN })).status, 404)
}

let requestIds: readonly string[] = []
before(async () => {
  requestIds = await liveThroughIt()
})

it('every line is JSON with a time, a level and a message', () => {
  const lines = program.logLines()
  assert.ok(lines.length >= requestIds.length)
  for (const line of lines) {
    const { time, level, msg } = JSON.parse(line)
    assert.ok(!Number.isNaN(Date.parse(time)), line)
    assert.match(level, /^(debug|info|warn|error)$/)
    assert.ok(msg.length > 0)
  }
})

it('every refused or failed call is found in the log by its x-request-id', async () => {
  await eventually(() => {
    const known = new Set(program.logLines().map((line) => JSON.parse(line).requestId))
    assert.deepEqual(
      requestIds.filter((id) => !known.has(id)),
      [],
    )
  })
})

it('every request has one line, with the route, or the words of a path that leads nowhere', async () => {
  const id = randomUUID()
  const asked = [
    [`/v2/deposits/${id}`, 'GET /v2/deposits/:depositId', undefined, 200, 'demo'],
    [`/v2/deposits/${PHONE}`, 'GET /v2/deposits/:depositId', undefined, 400, 'demo'],
    ['/docs', 'GET /docs', undefined, 200, undefined],
    ['/readyz', 'GET /readyz', undefined, 200, undefined],
    [`/customers/${PHONE}?token=${WRONG_TOKEN}`, undefined, '/customers/…', 404, 'demo'],
    [`/v2/nope/${id}/resendCallback`, undefined, '/v2/nope/…/resendCallback', 404, 'demo'],
    ['//v2//active-config/', undefined, '/v2/active-config', 404, 'demo'],
    ['/', 'GET /', undefined, 200, undefined],
    [`/${PHONE}`, undefined, '/…', 404, 'demo'],
    [`/${WRONG_TOKEN}/`, undefined, '/…', 404, 'demo'],
    ['/pay/word/code/more', undefined, '/pay/…', 404, 'demo'],
    ['/sandbox/wallet/word/code/more', undefined, '/sandbox/wallet/…', 404, 'demo'],
    ['/statement/JRqhYsNpa8IKMQHSvmnSxt', undefined, '/statement/…', 404, 'demo'],
    [`/v2${'/a'.repeat(40)}`, undefined, `/v2${'/a'.repeat(7)}/…`, 404, 'demo'],
    ['/v2/a%0Ab', undefined, '/v2/…', 404, 'demo'],
    ['/%00%ff', undefined, '/…', 400, 'demo'],
    ['/robots.txt?x=/y', undefined, '/robots.txt', 404, 'demo'],
    ['/v2/payouts/bulk', undefined, '/v2/payouts/bulk', 405, 'demo'],
  ] as const
  for (const [address, route, path, status, merchant] of asked) {
    // A token is in memory after a call, until a setting changes: the line asks no database.
    const line = await eventually(async () => {
      await call(`${program.url}/v2/deposits/${id}`, program.token)
      const found = await lineOf(address)
      assert.equal(found.merchant, merchant, address)
      return found
    })
    assert.deepEqual([line.route, line.path, line.status], [route, path, status], address)
    assert.equal(typeof line.ms, 'number', address)
    assert.equal(line.method, route === undefined ? 'GET' : undefined, address)
    assert.equal(line.level, address === '/readyz' ? 'debug' : 'info')
  }
})

/** The one line of a request to this address. */
async function lineOf(address: string) {
  const { headers } = await call(program.url + address, program.token)
  const requestId = headers.get('x-request-id')
  return eventually(() => {
    const lines = program.logLines().map((line) => JSON.parse(line))
    const mine = lines.filter((line) => line.requestId === requestId && line.msg === 'request')
    assert.equal(mine.length, 1)
    return mine[0]
  })
}

it('no line holds a token, a phone number, personal data or a one-time code', () => {
  for (const line of program.logLines()) {
    for (const [what, secret] of Object.entries({ ...SECRETS, made, pin: PIN })) {
      assert.ok(!line.includes(secret), `${what} in ${line}`)
    }
  }
})

it('a secret field is hidden at any depth, and other facts are not copied', () => {
  const plain = { requestId: 'a', nodes: [{ id: 1 }], err: new Error('x') }
  assert.equal(hideSecrets(plain), plain)
  const secret = { a: { phoneNumber: PHONE, b: [{ token: 'x', c: 1 }] }, body: '{}', d: 2 }
  assert.deepEqual(hideSecrets(secret), {
    a: { phoneNumber: '[hidden]', b: [{ token: '[hidden]', c: 1 }] },
    body: '[hidden]',
    d: 2,
  })
})

it('no client can inject a line', () => {
  const messages = program.logLines().map((line) => JSON.parse(line).msg)
  assert.deepEqual(
    messages.filter((msg) => msg.includes('forged')),
    [],
  )
})

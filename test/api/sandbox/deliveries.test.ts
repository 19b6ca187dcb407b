import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { ALL_KINDS, KINDS, setAllCallbacks, start } from '../../../harness/every-kind.ts'
import { takenPhone } from '../../../harness/phones.ts'
import { startReceiver } from '../../../harness/receiver.ts'
import { cloneDatabase, eventually, payer, startService } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { startDatabaseLink } from '../../support/database-link.ts'
import { assertAnswer, assertShape, MILLISECONDS, reason } from '../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await setAllCallbacks(service, receiver.url)
after(async () => {
  await service.stop()
  await receiver.close()
})

const path = (id: string): string => `/sandbox/deliveries?paymentId=${id}`
const SIGNED = {
  'Content-Type': 'application/json',
  'Content-Digest': /^sha-512=:.+:$/,
  'Signature-Date': MILLISECONDS,
  Signature: /^sig-pp=:.+:$/,
  'Signature-Input': /^sig-pp=\("@method" .*keyid="HTTP_EC_P256_KEY:1"/,
  'Accept-Signature': /ecdsa-p256-sha256/,
  'Accept-Digest': /sha-512/,
}

type Attempt = {
  readonly url: string
  readonly durationMs: number
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string
  readonly reason?: string
}
type Delivery = {
  readonly kind: string
  readonly status: string
  readonly delivery: string
  readonly attempts: readonly Attempt[]
}

async function listOf(id: string, attempts: number): Promise<Delivery[]> {
  return eventually(async () => {
    const answer = await service.get(path(id))
    assert.equal(answer.status, 200)
    assert.equal(answer.body[0]?.attempts.length, attempts)
    return answer.body
  })
}

/** The first attempt, where nothing answers: further ones come by themselves. */
async function firstAttempt(id: string): Promise<{ delivery: string; attempt: Attempt }> {
  return eventually(async () => {
    const [found] = (await service.get(path(id))).body
    assert.ok(found?.attempts.length >= 1)
    assert.equal(found.attempts[0].number, 1)
    return { delivery: found.delivery, attempt: found.attempts[0] }
  })
}

/** Refuses, and asks to wait an hour: no retry comes before the clock is moved. */
const refuse = (status: number, headers: Readonly<Record<string, string>> = {}): void =>
  receiver.answer((response) => {
    response.writeHead(status, { 'retry-after': '3600', ...headers }).end('noted')
  })

/** An attempt as it is listed; how long it took is not for a test to know. */
function attempt(number: number, body: string, durationMs: number | undefined, more: object) {
  return {
    number,
    at: MILLISECONDS,
    url: receiver.url,
    requestHeaders: SIGNED,
    requestBody: body,
    durationMs,
    ...more,
  }
}

it('a delivered callback is listed with what was sent and what came back', async () => {
  const { id } = await service.deposit()
  const body = JSON.stringify(await service.reaches(id, 'COMPLETED'))
  const list = await listOf(id, 1)
  const durationMs = list[0]?.attempts[0]?.durationMs
  assertShape(list, [
    {
      kind: 'deposit',
      status: 'COMPLETED',
      delivery: 'DELIVERED',
      endpoint: { url: receiver.url, state: 'ACTIVE' },
      attempts: [attempt(1, body, durationMs, { httpStatus: 200, answer: 'noted' })],
    },
  ])
})

describe('what is listed as sent is what the receiver got, to the letter, of a', () => {
  for (const kind of ALL_KINDS) {
    it(kind, async () => {
      const more = kind === 'deposit' ? { metadata: [{ naïve: 'été 😀' }] } : {}
      const { id, record } = await start(service, kind, 'COMPLETED', more)
      const delivery = await eventually(async () => {
        const found = (await service.get(path(id))).body.find((one: Delivery) => one.kind === kind)
        assert.equal(found?.attempts.length, 1)
        return found as Delivery
      })
      const sent = delivery.attempts[0]
      assert.equal(sent?.requestBody, JSON.stringify(record))
      const got = receiver.received.find((one) => one.body === sent?.requestBody)
      for (const [name, value] of Object.entries(sent?.requestHeaders ?? {})) {
        assert.equal(got?.headers[name.toLowerCase()], value, name)
      }
    })
  }
})

it('the callbacks of one identifier are listed together, each with its kind', async () => {
  const id = randomUUID()
  for (const kind of ALL_KINDS.filter((one) => one !== 'splitPayment')) {
    await start(service, kind, 'COMPLETED', { [KINDS[kind].idField]: id })
  }
  assert.deepEqual(await kindsOf(id, 4), [
    ['deposit', 'COMPLETED'],
    ['payout', 'COMPLETED'],
    ['refund', 'COMPLETED'],
    ['remittance', 'COMPLETED'],
  ])
})

it('a split payment is listed with the deposit of its name, its payouts by themselves', async () => {
  const { id, record } = await start(service, 'splitPayment')
  const whole = [
    ['deposit', 'COMPLETED'],
    ['splitPayment', 'COMPLETED'],
  ]
  assert.deepEqual(await kindsOf(id, 2), whole)
  assert.deepEqual(await kindsOf(record.splits[0].payoutId, 1), [['payout', 'COMPLETED']])
})

it('a payout that waits for the deposit of its split payment has no callback yet', async () => {
  const { id, record } = await start(service, 'splitPayment', 'OPEN')
  const { payoutId } = record.splits[0]
  assertAnswer(await service.get(path(id)), 200, [])
  assertAnswer(await service.get(path(payoutId)), 200, [])
})

/** Kind and state of each callback of the identifier, once there are `count`. */
async function kindsOf(id: string, count: number): Promise<string[][]> {
  return eventually(async () => {
    const list: Delivery[] = (await service.get(path(id))).body
    assert.deepEqual(
      list.map(({ delivery, attempts }) => [delivery, attempts.length]),
      Array(count).fill(['DELIVERED', 1]),
    )
    return list.map(({ kind, status }) => [kind, status]).toSorted()
  })
}

it('an attempt that failed says why in plain words, and when the next one is', async () => {
  refuse(503)
  const { id } = await service.deposit({ payer: payer('260763456039', 'MTN_MOMO_ZMB') })
  const body = JSON.stringify(await service.reaches(id, 'FAILED'))
  const failing = await listOf(id, 1)
  const first = attempt(1, body, failing[0]?.attempts[0]?.durationMs, {
    httpStatus: 503,
    answer: 'noted',
    reason: 'the receiver answered with 503 instead of a 2xx and asked to wait 3600 s',
    nextAttempt: MILLISECONDS,
  })
  const endpoint = { url: receiver.url, state: 'ACTIVE' }
  const known = { kind: 'deposit', status: 'FAILED', endpoint }
  assertShape(failing, [
    { ...known, delivery: 'PENDING', nextAttempt: MILLISECONDS, attempts: [first] },
  ])

  receiver.answer(204)
  await service.advance(3600)
  const list = await listOf(id, 2)
  const second = attempt(2, body, list[0]?.attempts[1]?.durationMs, { httpStatus: 204, answer: '' })
  assertShape(list, [{ ...known, delivery: 'DELIVERED', attempts: [first, second] }])
})

/** Receivers that do not take a callback, and the words in which it is reported. */
const FAULTS: readonly (readonly [what: string, answer: () => void, says: RegExp])[] = [
  [
    'a redirect',
    () => refuse(302, { location: '/x' }),
    /redirect \(302\); redirects are not followed/,
  ],
  ['a 404', () => refuse(404), /answered with 404/],
]

describe('the reason is given for', () => {
  for (const [what, answer, says] of FAULTS) {
    it(what, async () => {
      answer()
      const { id } = await service.deposit()
      const list = await listOf(id, 1)
      receiver.answer(200)
      assert.match(list[0]?.attempts[0]?.reason ?? '', says)
      assert.equal(list[0]?.delivery, 'PENDING')
    })
  }

  it('a connection cut off', async () => {
    receiver.answer((response) => response.destroy())
    const { id } = await service.deposit()
    const { attempt: first, delivery } = await firstAttempt(id)
    receiver.answer(200)
    assert.match(first.reason ?? '', /./)
    assert.equal(delivery, 'PENDING')
  })

  it('an address where nobody listens', async () => {
    await service.put('/sandbox/callbacks', { deposit: 'http://127.0.0.1:9/callbacks' })
    const { id } = await service.deposit()
    const { attempt: first } = await firstAttempt(id)
    await service.put('/sandbox/callbacks', { deposit: receiver.url })
    assert.match(first.reason ?? '', /./)
    assert.equal(first.url, 'http://127.0.0.1:9/callbacks')
  })
})

it('a payment without callbacks has an empty list', async () => {
  const { id } = await service.deposit({ payer: payer('260763456129', 'MTN_MOMO_ZMB') })
  await service.reaches(id, 'PROCESSING')
  assertAnswer(await service.get(path(id)), 200, [])
})

it('the payment is found whatever the case of its identifier', async () => {
  const { id } = await service.deposit()
  const list = await listOf(id, 1)
  assert.deepEqual((await service.get(path(id.toUpperCase()))).body, list)
})

it('an attempt is listed as it was sent, also where the payment ends meanwhile', async (test) => {
  const databaseUrl = await cloneDatabase('malipo_demo')
  const link = await startDatabaseLink(databaseUrl)
  const own = await startService({
    DATABASE_URL: link.url,
    MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
  })
  test.after(async () => {
    await own.stop()
    await link.close()
  })
  receiver.answer(200)
  const phone = await takenPhone(own, '260763456788')
  const id = await phone.pays()
  await phone.prompt()
  const held = link.holdRequestOf('find-deliveries')
  const listing = own.get(path(id))
  await held.reached
  await phone.act({ action: 'approve' })
  const sent = await eventually(() => {
    const found = receiver.received.find(({ body }) => JSON.parse(body).depositId === id)
    assert.ok(found !== undefined)
    return found.body
  })
  await eventually(async () => {
    const rows = await own.database.query('select from kept_attempts where http_status = 200')
    assert.equal(rows.length, 1)
  })
  held.letThrough()
  const { body } = await listing
  assert.equal(body[0].attempts[0].requestBody, sent)
})

/** Questions about no payment. */
const unknown = randomUUID()
const REFUSED: readonly (readonly [path: string, status: number, code: string, says: RegExp])[] = [
  [path(unknown), 404, 'NOT_FOUND', new RegExp(unknown)],
  ['/sandbox/deliveries', 400, 'MISSING_PARAMETER', /'paymentId'/],
  [path(''), 400, 'MISSING_PARAMETER', /'paymentId'/],
  [path('order-17'), 400, 'INVALID_PARAMETER', /'paymentId'.*must be a UUID, such as/],
  [`${path(unknown)}&paymentId=${unknown}`, 400, 'INVALID_PARAMETER', /'paymentId'/],
]

describe('a question about no payment:', () => {
  for (const [asked, status, code, says] of REFUSED) {
    it(`${asked.replaceAll(unknown, '{id}')}: ${status} ${code}`, async () => {
      assertAnswer(await service.get(asked), status, reason(code, says))
    })
  }
})

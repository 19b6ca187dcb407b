import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, it, type TestContext } from 'node:test'
import { addMerchant, type TestMerchant } from '../../harness/merchant.ts'
import { depositBody, eventually, startService } from '../../harness/service.ts'
import {
  startEncrypted,
  startReceiver as startServer,
  startTcp,
  unusedPort,
} from '../outbound/receivers.ts'

/** What names lead to, answer by answer; the last one stays. A name not listed does not exist. */
const names = new Map<string, string[]>()
const resolve = async (name: string) => {
  const answers = names.get(name) ?? []
  const address = answers.length > 1 ? answers.shift() : answers[0]
  if (address === undefined) throw Object.assign(new Error('gone'), { code: 'ENOTFOUND' })
  return [{ address, family: 4 }]
}
const service = await startService({}, { resolve })
after(() => service.stop())

type Hostile = {
  /** Starts the receiver; answers its address. */
  readonly start: (t: TestContext) => Promise<string>
  readonly reason: RegExp
  readonly httpStatus?: number
  /**
   * When it is tried again, in seconds: from the attempt at least, and from its end at most;
   * undefined when it is not.
   */
  readonly next?: readonly [from: number, to: number]
}

/** The first retry of the schedule; the second one would come 13.5 s after the end at the soonest. */
const SOON = [4.5, 13] as const
/** One visit shows how it takes its time; the next one is answered at once. */
const atFirst = (hostile: RequestListener): RequestListener => {
  let visits = 0
  return (request, response) => {
    visits += 1
    if (visits === 1) hostile(request, response)
    else response.end()
  }
}
const answering = (status: number, headers: Record<string, string> = {}, body = '') => ({
  start: async (t: TestContext) =>
    (await startServer(t, (_, response) => response.writeHead(status, headers).end(body))).href,
  httpStatus: status,
})

const RECEIVERS: Readonly<Record<string, Hostile>> = {
  hangs: {
    start: async (t) =>
      (
        await startServer(
          t,
          atFirst(() => undefined),
        )
      ).href,
    reason: /^no answer within 10 s$/,
    next: SOON,
  },
  'drips a byte now and then': {
    start: async (t) =>
      (
        await startServer(
          t,
          atFirst((_, response) => {
            response.writeHead(200)
            const drip = setInterval(() => response.write('.'), 100)
            response.on('close', () => clearInterval(drip))
          }),
        )
      ).href,
    reason: /^no complete answer within 10 s$/,
    next: SOON,
  },
  'resets the connection': {
    start: async (t) =>
      (await startTcp(t, (socket) => socket.once('data', () => socket.resetAndDestroy()))).href,
    reason: /^connection reset$/,
    next: SOON,
  },
  'refuses connections': {
    start: async () => `http://127.0.0.1:${await unusedPort()}/`,
    reason: /^connection refused$/,
    next: SOON,
  },
  'sends elsewhere': {
    ...answering(307, { location: 'http://169.254.169.254/' }),
    reason: /redirect \(307\); redirects are not followed/,
    next: SOON,
  },
  'is gone': { ...answering(410), reason: /410 \(gone\): the endpoint is paused/ },
  'asks for seconds': {
    ...answering(429, { 'retry-after': '120' }),
    reason: /answered with 429 instead of a 2xx and asked to wait 120 s$/,
    next: [120, 131],
  },
  'asks for a date': {
    start: async (t) =>
      (
        await startServer(t, (_, response) => {
          const at = new Date(Date.now() + 600_000).toUTCString()
          response.writeHead(503, { 'retry-after': at }).end()
        })
      ).href,
    httpStatus: 503,
    reason: /answered with 503 instead of a 2xx and asked to wait (5[89]\d|600) s$/,
    next: [580, 611],
  },
  'asks for a week': {
    ...answering(503, { 'retry-after': '604800' }),
    reason: /asked to wait 86400 s$/,
    next: [86_400, 86_411],
  },
  fails: { ...answering(500, {}, 'oh no'), reason: /answered with 500 instead/, next: SOON },
  'answers without end': {
    ...answering(500, {}, 'x'.repeat(5_000_000)),
    reason: /answered with 500 instead/,
    next: SOON,
  },
  'has a certificate of its own making': {
    start: async (t) => (await startEncrypted(t, (_, response) => response.end())).url.href,
    reason: /^the certificate is not trusted: self-signed/,
    next: SOON,
  },
  'has vanished from the names': {
    start: async () => 'http://vanished.example/',
    reason: /^the name does not resolve$/,
    next: SOON,
  },
  'has a name that leads inside': {
    start: async () => {
      names.set('inside.example', ['169.254.169.254'])
      return 'http://inside.example/'
    },
    reason: /^address refused: inside.example resolves to 169.254.169.254, which is a cloud meta/,
    next: SOON,
  },
}

// biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
async function deliveryOf(merchant: TestMerchant, id: string, attempts: number): Promise<any> {
  return eventually(async () => {
    const { body } = await merchant.call('GET', `/sandbox/deliveries?paymentId=${id}`)
    assert.ok(body[0]?.attempts.length >= attempts)
    return body[0]
  })
}

async function owe(slug: string, url: string): Promise<{ merchant: TestMerchant; id: string }> {
  const merchant = await addMerchant(service, { slug, providers: ['MTN_MOMO_ZMB'] })
  const saved = await merchant.call('PUT', '/sandbox/callbacks', { deposit: url })
  assert.equal(saved.status, 204)
  const body = depositBody()
  assert.equal((await merchant.call('POST', '/v2/deposits', body)).body.status, 'ACCEPTED')
  return { merchant, id: body.depositId }
}

const seconds = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000

it('every hostile receiver is named in plain words, and tried again when its time comes', {
  timeout: 240_000,
}, async (test) => {
  const all = await Promise.all(
    Object.entries(RECEIVERS).map(async ([name, hostile], at) => {
      const owed = await owe(`hostile-${at}`, await hostile.start(test))
      return { name, hostile, ...owed, first: await deliveryOf(owed.merchant, owed.id, 1) }
    }),
  )
  for (const { name, hostile, first } of all) {
    const [attempt] = first.attempts
    assert.match(attempt.reason, hostile.reason, name)
    assert.equal(attempt.httpStatus, hostile.httpStatus, name)
    assert.ok((attempt.answer ?? '').length <= 16_384, name)
    assert.equal(first.attempts.at(-1).nextAttempt, first.nextAttempt, name)
    if (hostile.next === undefined) {
      assert.deepEqual([first.delivery, first.nextAttempt], ['PAUSED', undefined], name)
      continue
    }
    const waits = seconds(attempt.at, attempt.nextAttempt)
    const afterEnd = waits - attempt.durationMs / 1000
    assert.ok(waits >= hostile.next[0], `${name}: ${waits} s`)
    assert.ok(afterEnd <= hostile.next[1], `${name}: ${afterEnd} s after its end`)
    assert.equal(first.delivery, 'PENDING', name)
  }
  // Those that asked to wait are tried only when the clock passes their own time.
  const due = all.filter(({ hostile }) => hostile.next !== undefined)
  for (const upTo of [30, 150, 700, 86_500]) {
    await service.advance(upTo)
    for (const one of due.filter(({ hostile }) => (hostile.next?.[1] ?? 0) < upTo)) {
      await eventually(async () => {
        const { body } = await one.merchant.call('GET', `/sandbox/deliveries?paymentId=${one.id}`)
        assert.ok(body[0].attempts.length >= 2, one.name)
        const [{ nextAttempt }, { at }] = body[0].attempts
        assert.ok(at >= nextAttempt, `${one.name}: ${at} is before ${nextAttempt}`)
      })
    }
  }
})

it('a name that led to a good address and now leads inside is refused at the next connection', {
  timeout: 240_000,
}, async (test) => {
  let visits = 0
  const server = await startServer(test, (_, response) => {
    visits += 1
    response.writeHead(500, { connection: 'close' }).end()
  })
  names.set('rebinding.example', ['127.0.0.1', '169.254.169.254'])
  const url = `http://rebinding.example:${server.port}/`
  const { merchant, id } = await owe('rebinding', url)
  await deliveryOf(merchant, id, 1)
  await service.advance(6)
  const { attempts } = await deliveryOf(merchant, id, 2)
  assert.equal(attempts[0].httpStatus, 500)
  assert.match(
    attempts[1].reason,
    /rebinding.example resolves to 169.254.169.254, which is a cloud/,
  )
  assert.equal(visits, 1)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { checkout, checkoutReaches, form } from '../../harness/hosted.ts'
import { addOperatorAccount } from '../../harness/operator-accounts.ts'
import { failForAnHour, type Received, startReceiver } from '../../harness/receiver.ts'
import {
  depositBody,
  eventually,
  payer,
  type Service,
  startService,
} from '../../harness/service.ts'
import { split } from '../../harness/splits.ts'
import { type ReceivedSpan, startTraceReceiver } from '../../harness/trace-receiver.ts'
import { MTN_MOMO_STAND_IN } from '../../src/providers/mtn-momo/stand-in/operator.ts'
import { startStandIn } from '../../src/providers/stand-in/server.ts'
import { ROOT } from './program.ts'

const collector = await startTraceReceiver()
const merchant = await startReceiver()
const TRACED = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=for%20traces',
  // A slow machine must not lose what is waited for.
  OTEL_EXPORTER_OTLP_TIMEOUT: '120000',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
}
const service = await startService({ ...TRACED, OTEL_SERVICE_NAME: 'first' })
const url = merchant.url
await service.put('/sandbox/callbacks', {
  ...{ deposit: url, payout: url, refund: url, splitPayment: url, checkout: url },
})
after(async () => {
  await service.stop()
  await collector.close()
  await merchant.close()
})

const [SERVER, CLIENT] = [2, 3]
const SENDERS_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SENDERS_SPAN = '00f067aa0ba902b7'

async function start(
  at: Service,
  headers: Record<string, string> = {},
  changes: Record<string, unknown> = {},
): Promise<string> {
  const body = depositBody(changes)
  const { status, body: answer } = await at.post('/v2/deposits', body, headers)
  assert.deepEqual([status, answer.status], [200, 'ACCEPTED'])
  return body.depositId
}

const storedTrace = async (id: string): Promise<string | undefined> => {
  const [row] = await service.database.query<{ traceparent: string | null }>(
    `select details ->> 'traceparent' as traceparent from payments where id = $1`,
    [id],
  )
  return row?.traceparent ?? undefined
}

/** All that became of a payment, once there are spans of these names. */
async function traceOf(id: string, ...names: string[]): Promise<readonly ReceivedSpan[]> {
  const stored = (await storedTrace(id)) ?? ''
  return collector.trace(stored.slice(3, 35), ...names)
}

const callbackOf = (id: string) =>
  eventually(() => {
    const found = merchant.received.findLast(({ body }) => body.includes(id))
    assert.ok(found !== undefined, 'no callback yet')
    return found
  })

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.find((span) => span.name === name)
  assert.ok(found !== undefined, `no ${name} in ${spans.map((span) => span.name).join(', ')}`)
  return found
}

/** The span of the attempt that reached the merchant: one before it may have come to nothing. */
const attemptOf = ({ headers }: Received): Promise<ReceivedSpan> =>
  eventually(() => {
    const { traceparent } = headers
    const found = collector.spans.find(
      ({ traceId, spanId }) => traceparent === `00-${traceId}-${spanId}-01`,
    )
    assert.ok(found !== undefined, `no span of ${traceparent}`)
    return found
  })

describe('a deposit that one node accepts and another one ends', () => {
  it('is one trace, from the request to the callback', async () => {
    const second = await service.addNode({
      ...TRACED,
      OTEL_SERVICE_NAME: 'second',
      MALIPO_SANDBOX_DELAY_MS: '600000',
    })
    const id = await start(second)
    await second.reaches(id, 'PROCESSING')
    await second.stop()
    await eventually(async () => {
      await service.advance(60)
      const { body } = await service.get(`/v2/deposits/${id}`)
      assert.equal(body.data.status, 'COMPLETED')
    })
    const received = await callbackOf(id)
    const spans = await traceOf(id, 'POST /v2/deposits', 'operator query', 'callback deposit')
    const request = named(spans, 'POST /v2/deposits')
    assert.equal(request.parentId, '')
    assert.equal(request.kind, SERVER)
    assert.equal(request.attributes['http.route'], '/v2/deposits')
    assert.equal(request.attributes['http.response.status_code'], 200)
    for (const span of spans.filter((one) => one !== request)) {
      assert.deepEqual([span.name, span.parentId, span.kind], [span.name, request.spanId, CLIENT])
      assert.ok(span.startNs >= request.startNs && span.endNs >= span.startNs, span.name)
    }
    const by = (node: string) =>
      new Set(spans.filter((one) => one.resource['service.name'] === node).map((one) => one.name))
    assert.deepEqual(
      by('second'),
      new Set(['POST /v2/deposits', 'write accept', 'operator submit', 'write advance']),
    )
    for (const name of ['operator query', 'write advance', 'callback deposit']) {
      assert.ok(by('first').has(name), name)
    }
    const accept = named(spans, 'write accept')
    assert.equal(accept.attributes['db.operation.batch.size'], 1)
    assert.deepEqual(accept.events, ['the write begins'])
    assert.equal(accept.attributes['malipo.payment.id'], id)
    const callback = await attemptOf(received)
    assert.deepEqual([callback.name, callback.traceId], ['callback deposit', request.traceId])
    assert.equal(callback.attributes['http.response.status_code'], 200)
    assert.equal(received.headers.tracestate, undefined)
    assert.equal(callback.resource['deployment.environment.name'], 'test')
    assert.deepEqual(
      [
        ...new Set(
          collector.requests.map(({ path, headers }) => `${path} ${headers['x-api-key']}`),
        ),
      ],
      ['/v1/traces for traces'],
    )
  })

  it('shows attempts that fail, and says nothing that is personal or secret', async () => {
    merchant.answer(failForAnHour)
    const id = await start(service)
    const failed = await attemptOf(await callbackOf(id))
    merchant.answer(200)
    const spans = await traceOf(id, 'POST /v2/deposits', 'write attempt')
    assert.equal(failed.status.code, 2)
    assert.equal(failed.attributes['http.response.status_code'], 503)
    assert.doesNotMatch(
      JSON.stringify(spans, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
      new RegExp(`260763456789|${service.token}|/callbacks`),
    )
  })
})

describe("a merchant's trace", () => {
  const senders = {
    traceparent: `00-${SENDERS_TRACE}-${SENDERS_SPAN}-01`,
    tracestate: 'shop=a1b2,other@vendor=x',
  }

  it('goes on here, and comes back with the callback', async () => {
    const id = await start(service, senders)
    const received = await callbackOf(id)
    const { headers } = received
    const spans = await collector.trace(SENDERS_TRACE, 'POST /v2/deposits')
    assert.equal(named(spans, 'POST /v2/deposits').parentId, SENDERS_SPAN)
    const callback = await attemptOf(received)
    assert.deepEqual([callback.name, callback.traceId], ['callback deposit', SENDERS_TRACE])
    assert.equal(callback.traceState, senders.tracestate)
    assert.equal(headers.tracestate, senders.tracestate)
    assert.ok(headers.signature !== undefined, 'signed as ever')
  })

  it('is not followed where it is not sampled, and nothing is stored of it', async () => {
    const traceId = SENDERS_TRACE.replace('4bf9', 'aaaa')
    const id = await start(service, { traceparent: `00-${traceId}-${SENDERS_SPAN}-00` })
    const { headers } = await callbackOf(id)
    assert.equal(headers.traceparent, undefined)
    assert.equal(await storedTrace(id), undefined)
    // What is sent later has arrived: earlier spans would have, too.
    await traceOf(await start(service), 'callback deposit')
    assert.deepEqual(
      collector.spans.filter((span) => span.traceId === traceId),
      [],
    )
  })

  const hostile: readonly [string, Record<string, string>][] = [
    ['no trace at all', { traceparent: `00-${'0'.repeat(32)}-${SENDERS_SPAN}-01` }],
    ['words', { traceparent: 'not a trace' }],
    ['far too long', { traceparent: `00-${SENDERS_TRACE}-${SENDERS_SPAN}-01-${'a'.repeat(4000)}` }],
    ['a state without a parent', { tracestate: 'a=b' }],
  ]
  for (const [name, headers] of hostile) {
    it(`is ignored where it is broken, and another one begins: ${name}`, async () => {
      const id = await start(service, headers)
      const spans = await traceOf(id, 'POST /v2/deposits')
      const request = named(spans, 'POST /v2/deposits')
      assert.deepEqual([request.parentId, request.traceState], ['', ''])
      assert.notEqual(request.traceId, SENDERS_TRACE)
    })
  }

  it('goes on where only its state is broken, without that', async () => {
    const traceId = SENDERS_TRACE.replace('4bf9', 'bbbb')
    const traceparent = `00-${traceId}-${SENDERS_SPAN}-01`
    const id = await start(service, { traceparent, tracestate: `a=${'b'.repeat(600)}` })
    const { headers } = await callbackOf(id)
    assert.equal(String(headers.traceparent).slice(3, 35), traceId)
    assert.equal(headers.tracestate, undefined)
  })

  it('is not taken from strangers', async () => {
    const traceId = SENDERS_TRACE.replace('4bf9', 'cccc')
    const traceparent = `00-${traceId}-${SENDERS_SPAN}-01`
    const authorization = 'Bearer nobody'
    const refused = await service.post('/v2/deposits', depositBody(), {
      authorization,
      traceparent,
    })
    assert.equal(refused.status, 401)
    await traceOf(await start(service), 'callback deposit')
    assert.ok(!collector.spans.some((span) => span.traceId === traceId))
  })
})

describe('other ways into the service', () => {
  it('a payout, its refusal and a status check have spans as well', async () => {
    const traceId = SENDERS_TRACE.replace('4bf9', 'dddd')
    const traceparent = `00-${traceId}-${SENDERS_SPAN}-01`
    const { depositId: payoutId, payer: recipient, ...money } = depositBody()
    const body = { payoutId, recipient, ...money }
    await service.post('/v2/payouts', body, { traceparent })
    await service.post('/v2/payouts', { ...body, amount: 'much' }, { traceparent })
    await service.get(`/v2/payouts/${payoutId}`, { traceparent })
    await callbackOf(payoutId)
    const spans = await collector.trace(traceId, 'callback payout', 'GET /v2/payouts/:payoutId')
    assert.equal(named(spans, 'write hold').attributes['malipo.payment.id'], payoutId)
    assert.equal(named(spans, 'callback payout').attributes['malipo.payment.state'], 'COMPLETED')
    assert.equal(named(spans, 'GET /v2/payouts/:payoutId').parentId, SENDERS_SPAN)
    const refused = spans.find((span) => span.attributes['error.type'] !== undefined)
    assert.equal(refused?.attributes['http.response.status_code'], 400)
    assert.equal(refused?.status.code, 0, 'a fault of the sender is none of the service')
  })

  it('a refund is part of the trace of its own request', async () => {
    const depositId = await start(service)
    await service.reaches(depositId, 'COMPLETED')
    const traceId = SENDERS_TRACE.replace('4bf9', '1111')
    const traceparent = `00-${traceId}-${SENDERS_SPAN}-01`
    const refundId = randomUUID()
    await service.post('/v2/refunds', { refundId, depositId }, { traceparent })
    const { headers } = await callbackOf(refundId)
    assert.equal(String(headers.traceparent).slice(3, 35), traceId)
    const spans = await collector.trace(traceId, 'write refund', 'callback refund')
    assert.equal(named(spans, 'write refund').attributes['malipo.payment.refund_of'], depositId)
  })

  it('a split payment is one trace, with its payouts and the callback of the whole', async () => {
    const { id, parts } = await split(service)
    const { headers } = await callbackOf(id)
    const stored = await storedTrace(id)
    assert.ok(stored !== undefined)
    for (const { payoutId } of parts) assert.equal(await storedTrace(payoutId), stored)
    assert.equal(String(headers.traceparent).slice(3, 35), stored.slice(3, 35))
    await traceOf(id, 'callback splitPayment', 'callback payout')
  })

  it('a payment that a customer starts on a page begins a trace', async () => {
    const made = await checkout(service)
    const paid = await service.node.hosted.payOnCheckout(made.code, form())
    assert.equal(paid.status, 'STARTED')
    const { depositsHistory } = await checkoutReaches(service, made.id, 'COMPLETED')
    const depositId = depositsHistory[0].depositId
    const { headers } = await callbackOf(made.id)
    const spans = await traceOf(depositId, 'start deposit', 'callback checkout')
    const first = named(spans, 'start deposit')
    assert.equal(first.parentId, '')
    assert.ok(spans.every((span) => span === first || span.parentId === first.spanId))
    assert.equal(String(headers.traceparent).slice(3, 35), first.traceId)
  })

  it('a request to an operator carries the trace, and not its state', async () => {
    const headersSent: Readonly<Record<string, string | undefined>>[] = []
    const operator = await startStandIn({
      ...MTN_MOMO_STAND_IN,
      handle: (request, tools) => {
        if (request.path.endsWith('/requesttopay')) headersSent.push(request.headers)
        return MTN_MOMO_STAND_IN.handle(request, tools)
      },
    })
    const credentials = { subscriptionKey: 'sub-01234', apiUser: 'user-01234', apiKey: 'key-01234' }
    await addOperatorAccount(service, {
      name: 'traced',
      connector: 'mtn-momo',
      baseUrl: operator.url,
      providers: { MTN_MOMO_UGA: ['DEPOSIT'] },
      priority: 1,
      settings: { targetEnvironment: 'mtnuganda' },
      secrets: { collection: credentials },
    })
    const traceId = SENDERS_TRACE.replace('4bf9', 'eeee')
    const traceparent = `00-${traceId}-${SENDERS_SPAN}-01`
    const changes = { amount: '500', currency: 'UGX', payer: payer('256783456789', 'MTN_MOMO_UGA') }
    const id = await start(service, { traceparent, tracestate: 'shop=secret' }, changes)
    const spans = await collector.trace(traceId, 'operator submit')
    const submit = named(spans, 'operator submit')
    assert.equal(headersSent[0]?.traceparent, `00-${traceId}-${submit.spanId}-01`)
    assert.equal(headersSent[0]?.tracestate, undefined)
    assert.equal(submit.attributes['server.address'], '127.0.0.1')
    assert.equal(submit.attributes['malipo.payment.id'], id)
    assert.equal(submit.attributes['http.response.status_code'], 202)
    await operator.close()
  })
})

describe('logs and metrics lead to a trace', () => {
  it('the line of a request has its trace and span', async () => {
    const id = await start(service)
    const request = named(await traceOf(id, 'POST /v2/deposits'), 'POST /v2/deposits')
    const line = service.logLines.find((one) => one.includes(request.traceId)) ?? '{}'
    const { trace_id, span_id, requestId } = JSON.parse(line)
    assert.deepEqual([trace_id, span_id], [request.traceId, request.spanId])
    assert.equal(requestId, request.attributes['malipo.request_id'])
  })

  it('histograms have exemplars for those who read OpenMetrics', async () => {
    const accept = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3'
    const { headers, body } = await service.get('/metrics', { accept })
    assert.match(headers.get('content-type') ?? '', /^application\/openmetrics-text; version=1/)
    assert.ok(body.endsWith('\n# EOF\n'))
    for (const name of ['http_request', 'payment', 'callback', 'operator']) {
      const exemplar = new RegExp(
        `^malipo_${name}_seconds_bucket\\{.*le="[^"]+"\\} \\d+ # \\{trace_id="([0-9a-f]{32})"\\} [\\d.e-]+ \\d+\\.\\d{3}$`,
        'm',
      )
      const [, traceId] = exemplar.exec(body) ?? []
      assert.ok(traceId !== undefined, name)
      await eventually(async () => assert.notDeepEqual(await collector.trace(traceId), []))
    }
    assert.match(body, /^# TYPE malipo_payments counter$/m)
    assert.match(body, /^malipo_payments_total\{event="accepted"\} \d+$/m)
    assert.doesNotMatch(body, /[{,]le="\d+"/)
    const older = await service.get('/metrics', { accept: 'text/plain' })
    assert.match(older.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    assert.doesNotMatch(older.body, /trace_id|EOF/)
    assert.match(older.body, /^malipo_trace_spans_total\{result="sent"\} [1-9]/m)
    assert.match(older.body, /^malipo_trace_spans_total\{result="lost"\} \d+$/m)
  })
})

describe('without traces', () => {
  it('a ratio of 0 makes, stores and sends nothing', async () => {
    const off = await service.addNode({
      ...TRACED,
      OTEL_SERVICE_NAME: 'off',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    })
    const traceId = SENDERS_TRACE.replace('4bf9', 'ffff')
    const id = await start(off, { traceparent: `00-${traceId}-${SENDERS_SPAN}-01` })
    const { headers } = await callbackOf(id)
    assert.equal(headers.traceparent, undefined)
    assert.equal(await storedTrace(id), undefined)
    const { body } = await off.get('/metrics', { accept: 'application/openmetrics-text' })
    assert.doesNotMatch(body, /trace_id/)
    await off.stop()
    assert.deepEqual(
      collector.spans.filter(
        (span) => span.traceId === traceId || span.resource['service.name'] === 'off',
      ),
      [],
    )
  })

  it('the libraries are reached by one import, which happens where they are configured', () => {
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => ({ name, text: readFileSync(join(ROOT, 'src', name), 'utf8') }))
    const using = sources.filter(({ text }) => text.includes("'@opentelemetry/"))
    assert.deepEqual(
      using.filter(({ name }) => !name.startsWith('node/traces/')),
      [],
    )
    assert.ok(using.length > 0)
    const entering = sources.filter(
      ({ name, text }) =>
        !name.startsWith('node/traces/') &&
        /^import (?!type )[^']*'\.\/traces\//m.test(text.replaceAll('\n  ', ' ')),
    )
    assert.deepEqual(entering, [])
  })
})

describe('a receiver of traces that hangs', () => {
  it('holds up no payment, no callback and no end of a node', async () => {
    const silent = await startTraceReceiver()
    silent.hang(true)
    const node = await service.addNode({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.url })
    const id = await start(node)
    const { headers } = await callbackOf(id)
    assert.match(String(headers.traceparent), /^00-/)
    await eventually(() => assert.ok(silent.requests.length > 0))
    await node.stop()
    assert.equal(silent.spans.length, 0)
    await silent.close()
  })
})

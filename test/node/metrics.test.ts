import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { addOperatorAccount } from '../../harness/operator-accounts.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, payer, startService } from '../../harness/service.ts'
import { watchLoop } from '../../src/node/loop-delay.ts'
import { ROOT } from './program.ts'

const TOKEN = 'for-the-monitoring-alone'
const service = await startService()
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})

const read = async (): Promise<string> => (await service.get('/metrics')).body

/** The value of one line; 0 for what was not counted yet. */
async function readingOf(series: string): Promise<number> {
  const line = (await read()).split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}

/** By how much each series has grown meanwhile. */
async function growth(series: readonly string[], work: () => Promise<unknown>): Promise<number[]> {
  const before = await Promise.all(series.map(readingOf))
  await work()
  const now = await Promise.all(series.map(readingOf))
  return now.map((value, at) => value - (before[at] ?? 0))
}

/** What rules and boards ask for, by the name of the samples. */
const WANTED = [
  'deploy/prometheus/alerts.yaml',
  ...readdirSync(join(ROOT, 'deploy/grafana'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => `deploy/grafana/${file}`),
].flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bmalipo_\w+(?=[{[) ]| ==|\\")/g)].map(
    ([name]) => name,
  ),
)

async function missing(names: readonly string[]): Promise<readonly string[]> {
  const samples = new Set([...(await read()).matchAll(/^(\w+)[{ ]/gm)].map(([, name]) => name))
  return [...new Set(names)].filter((name) => !samples.has(name))
}

it('what alerts and boards ask for exists before the first call', async () => {
  assert.ok(new Set(WANTED).size > 25)
  assert.deepEqual(await missing(WANTED.filter((name) => !name.startsWith('malipo_operator_'))), [])
})

it('every metric served is documented, and every documented one is served', async () => {
  await addOperatorAccount(service, {
    name: 'nobody-there',
    connector: 'mtn-momo',
    baseUrl: 'http://127.0.0.1:9',
    providers: { MTN_MOMO_UGA: ['DEPOSIT'] },
    priority: 1,
    settings: { targetEnvironment: 'mtnuganda' },
    secrets: { collection: { subscriptionKey: 'key', apiUser: 'user', apiKey: 'secret' } },
  })
  await service.database.query(
    `insert into operator_floats (account, currency, at, products, stated, ledger, accepted)
     values ('nobody-there', 'UGX', now(), '{}', 5, 5, 0)`,
  )
  assert.deepEqual(await missing(WANTED), [])
  const served = [...(await read()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  )
  const text = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8')
  const documented = [...text.matchAll(/^\| `(\w+)` +\| (\w+) +\|/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  )
  assert.deepEqual(documented.toSorted(), served.toSorted())
})

it('the text is what a Prometheus server reads', async () => {
  const { id } = await service.deposit()
  await service.reaches(id, 'COMPLETED')
  // Else it would be counted while the next test counts its own.
  await eventually(async () =>
    assert.equal(
      await readingOf('malipo_payments_total{event="completed"}'),
      await readingOf('malipo_payments_total{event="accepted"}'),
    ),
  )
  const { headers, body } = await service.get('/metrics')
  assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  const label = '[a-z_]+="(?:[^"\\\\\\n]|\\\\.)*"'
  const sample = new RegExp(`^[a-z_]+(\\{${label}(,${label})*\\})? -?[0-9.]+(e[+-]?\\d+)?$`)
  for (const line of body.trimEnd().split('\n')) {
    assert.match(line, line.startsWith('#') ? /^# (HELP|TYPE) malipo_\w+ \S/ : sample)
  }
  const buckets = [...body.matchAll(/^malipo_accept_group_size_bucket\{le="[^"]+"\} (\d+)$/gm)]
  const counts = buckets.map(([, count]) => Number(count))
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  )
  assert.equal(counts.at(-1), await readingOf('malipo_accept_group_size_count'))
})

it('a deposit and its callback are counted from the request to the receiver', async () => {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  const series = [
    'malipo_payments_total{event="accepted"}',
    'malipo_payments_total{event="completed"}',
    'malipo_payments_total{event="failed"}',
    'malipo_payment_seconds_count',
    'malipo_callback_attempts_total{result="delivered"}',
    'malipo_callback_seconds_count',
    'malipo_http_requests_total{route="POST /v2/deposits",status="200"}',
    'malipo_http_request_seconds_count{route="POST /v2/deposits"}',
  ]
  const grown = await growth(series, async () => {
    const delivered = (await readingOf('malipo_callback_attempts_total{result="delivered"}')) + 2
    const good = await service.deposit()
    const bad = await service.deposit({ payer: payer('260763456039', 'MTN_MOMO_ZMB') })
    await service.reaches(good.id, 'COMPLETED')
    await service.reaches(bad.id, 'FAILED')
    await eventually(async () =>
      assert.equal(
        await readingOf('malipo_callback_attempts_total{result="delivered"}'),
        delivered,
      ),
    )
  })
  assert.deepEqual(grown, [2, 1, 1, 2, 2, 2, 2, 2])
})

it('repeats, refusals and failed callbacks are counted as such', async () => {
  receiver.answer(500)
  const series = [
    'malipo_payments_total{event="duplicate"}',
    'malipo_payments_total{event="rejected"}',
    'malipo_callback_attempts_total{result="delivered"}',
    'malipo_http_requests_total{route="POST /v2/deposits",status="401"}',
    'malipo_http_requests_total{route="none",status="404"}',
  ]
  const failed = 'malipo_callback_attempts_total{result="failed"}'
  const grown = await growth(series, async () => {
    const { id } = await service.deposit()
    await service.deposit({ depositId: id })
    await service.deposit({ amount: '0.01' })
    await service.post('/v2/deposits', {}, { authorization: 'Bearer nobody' })
    await service.get('/nothing/here')
    await eventually(async () => assert.ok((await readingOf(failed)) >= 1))
  })
  assert.deepEqual(grown, [1, 1, 0, 1, 1])
  receiver.answer(200)
})

it('two readers see the same delays of the event loop, however often each asks', async () => {
  let now = 0
  const loop = watchLoop(() => now)
  const first = await eventually(() => {
    // Each time: what blocks the loop before the meter has counted once is not seen by it.
    const blockedUntil = performance.now() + 150
    while (performance.now() < blockedUntil) Math.sqrt(blockedUntil)
    const { max } = loop.delays()
    assert.ok(max > 0.05)
    return max
  })
  assert.ok(loop.delays().max >= first)
  now += 60_000
  const closed = loop.delays()
  assert.ok(closed.max >= first)
  now += 59_999
  assert.deepEqual([loop.delays(), loop.delays()], [closed, closed])
  now += 1
  assert.notEqual(loop.delays(), closed)
  loop.stop()
})

it('the gauges show the state of the node', async () => {
  await eventually(async () => assert.equal(await readingOf('malipo_node_joined'), 1))
  assert.ok((await readingOf('malipo_resident_memory_bytes')) > 1e6)
  await service.put('/sandbox/phones/260763450001', {
    script: [{ afterSeconds: 0, answer: 'pending' }],
  })
  const { id } = await service.deposit({ payer: payer('260763450001', 'MTN_MOMO_ZMB') })
  await service.reaches(id, 'PROCESSING')
  await eventually(async () => assert.ok((await readingOf('malipo_payments_held')) >= 1))
})

const ask = (
  node: typeof service,
  remoteAddress: string,
  authorization?: string,
  headers: Record<string, string> = {},
) =>
  node.node.app.inject({
    url: '/metrics',
    remoteAddress,
    headers: { host: 'localhost:8080', ...(authorization && { authorization }), ...headers },
  })

it('without a token set, metrics are for loopback alone', async () => {
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) {
    assert.equal((await ask(service, address)).statusCode, 200, address)
  }
  for (const address of ['203.0.113.9', '10.0.0.5', '::ffff:203.0.113.9', '2001:db8::1']) {
    const { statusCode, body } = await ask(service, address, `Bearer ${service.token}`)
    assert.equal(statusCode, 403, address)
    assert.doesNotMatch(body, /malipo_/)
    assert.match(body, /MALIPO_METRICS_TOKEN/)
  }
})

it('without a token set, neither a proxy on this machine nor a foreign page reads metrics', async () => {
  for (const host of ['127.0.0.1:8080', 'LOCALHOST', '[::1]:8080']) {
    assert.equal((await ask(service, '127.0.0.1', undefined, { host })).statusCode, 200, host)
  }
  const others = [
    'pay.example',
    'localhost.example',
    '127.0.0.1.example:80',
    '127.0.0.1@x',
    '8.8.8.8',
  ]
  const foreign: Record<string, string>[] = others.map((host) => ({ host }))
  for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']) {
    foreign.push({ [name]: '127.0.0.1' })
  }
  for (const headers of foreign) {
    const { statusCode, body } = await ask(service, '127.0.0.1', undefined, headers)
    assert.equal(statusCode, 403, JSON.stringify(headers))
    assert.doesNotMatch(body, /malipo_/)
  }
})

it('with a token set, any client that has it can read metrics, from anywhere', async (t) => {
  // Not before: it would do some of the work that is counted above.
  const guarded = await service.addNode({ MALIPO_METRICS_TOKEN: TOKEN })
  t.after(guarded.stop)
  for (const address of ['127.0.0.1', '203.0.113.9']) {
    assert.equal((await ask(guarded, address, `Bearer ${TOKEN}`)).statusCode, 200)
    for (const wrong of [
      undefined,
      TOKEN,
      'Bearer',
      `Bearer ${TOKEN}x`,
      `Bearer ${service.token}`,
    ]) {
      const { statusCode, body } = await ask(guarded, address, wrong)
      assert.equal(statusCode, 401)
      assert.doesNotMatch(body, /malipo_/)
    }
  }
})

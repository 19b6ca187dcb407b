import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { eventually, startService } from '../../harness/service.ts'
import { planOf } from '../../src/cli/demo/plan.ts'
import { openCommandLine } from './command-line.ts'

const service = await startService()
const commandLine = openCommandLine()
after(async () => {
  await service.stop()
  await commandLine.close()
})

it('makes a history of every kind through the service itself', async () => {
  const args = ['--days', '3', '--payments', '60', '--seed', '25']
  const where = ['--service', service.url, '--token', service.token]
  const { code, stdout } = await commandLine.run(['demo', 'fill', ...args, ...where, '--json'])
  assert.equal(code, 0, stdout)
  const { accepted, refused, now } = JSON.parse(stdout)
  assert.ok(accepted > 40 && accepted + refused <= 60, stdout)
  const days = (Date.parse(now) - Date.now()) / 86_400_000
  assert.ok(days > 2.9 && days < 3.1, now)
  const counts = async (question: string): Promise<Record<string, number>> => {
    const rows = await service.database.query<{ name: string; count: number }>(question)
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
  }
  const kinds = await counts('select kind as name, count(*)::int from payments group by 1')
  assert.deepEqual(Object.keys(kinds).sort(), ['deposit', 'payout', 'refund', 'remittance'])
  const wholes = await counts(
    `select 'checkout' as name, count(*)::int from checkouts
     union all select 'split', count(*)::int from split_payments`,
  )
  assert.ok((wholes.checkout ?? 0) > 0 && (wholes.split ?? 0) > 0)
  // The last ones were only just accepted.
  await eventually(async () => {
    const states = await counts('select state as name, count(*)::int from payments group by 1')
    assert.ok((states.FAILED ?? 0) > 0 && (states.COMPLETED ?? 0) > 25, JSON.stringify(states))
    assert.equal(states.IN_RECONCILIATION, 2)
    assert.ok((states.ENQUEUED ?? 0) >= 4)
  })
  const markets = await counts('select provider as name, count(*)::int from payments group by 1')
  assert.ok(Object.keys(markets).length > 3)
})

it('the same seed plans the same, another one something else', () => {
  const market = {
    country: 'ZMB',
    provider: 'MTN_MOMO_ZMB',
    currency: 'ZMW',
    operations: new Set(['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] as const),
    numberBegins: '260763',
    least: 40,
    most: 1500,
  }
  const plan = (seed: number) =>
    planOf({ markets: [market], startMs: 0, days: 30, payments: 500, seed })
  assert.deepEqual(plan(7), plan(7))
  assert.notDeepEqual(plan(7), plan(8))
  const moments = plan(7)
  assert.deepEqual(
    moments.map(({ atSeconds }) => atSeconds),
    moments.map(({ atSeconds }) => atSeconds).sort((a, b) => a - b),
  )
  assert.ok(moments.every(({ atSeconds }) => atSeconds >= 0 && atSeconds < 30 * 86_400))
  assert.ok(moments.every(({ amount }) => amount >= 40 && amount <= 1500))
})

it('refuses numbers that make no sense, and a service that is not a sandbox', async () => {
  const where = ['--service', service.url, '--token', service.token]
  const wrong = await commandLine.run(['demo', 'fill', '--days', '0', ...where])
  assert.notEqual(wrong.code, 0)
  assert.match(wrong.stderr, /--days: "0" is not a whole number from 1 to 366/)
})

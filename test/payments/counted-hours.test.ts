import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { eventually, payer, startService } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { HOUR_MS, hourOf, type Period, partsOf } from '../../src/domain/payments/hours.ts'
import { NODE_TIMING } from '../../src/domain/timing.ts'
import { countHours } from '../../src/store/payments/hours.ts'
import { createHourCounter } from '../../src/usecases/payments/count-hours.ts'
import { countOutcomes } from '../../src/usecases/payments/count-outcomes.ts'

const MERCHANT = 1 as MerchantId
const service = await startService()
after(() => service.stop())

const { database } = service
const now = async (): Promise<number> =>
  Date.parse((await service.get('/sandbox/clock')).body.now as string)

/** What the payments themselves say, one by one. */
async function recount(periods: readonly Period[]): Promise<string[]> {
  const rows = await database.query<Record<string, string>>(
    `select key::text, kind, currency, state, coalesce(failure_code, '') as code, amount::text
     from payments where merchant_id = 1`,
  )
  const sums = new Map<string, { payments: number; amount: bigint }>()
  for (const { key = '', kind, currency, state, code, amount = '' } of rows) {
    const at = Number.parseInt(key.replace('-', '').slice(0, 12), 16)
    const period = periods.findIndex(({ fromMs, toMs }) => at >= fromMs && at < toMs)
    if (period < 0) continue
    const name = [period, kind, currency, state, code].join(' ')
    const sum = sums.get(name) ?? { payments: 0, amount: 0n }
    sums.set(name, { payments: sum.payments + 1, amount: sum.amount + BigInt(amount) })
  }
  return [...sums].map(([name, sum]) => `${name}: ${sum.payments}, ${sum.amount}`).sort()
}

async function counted(periods: readonly Period[]): Promise<string[]> {
  const rows = await countOutcomes(
    { db: database },
    { merchantId: MERCHANT, countries: undefined },
    periods,
  )
  return rows
    .map(
      ({ period, kind, currency, state, failureCode, payments, amount }) =>
        `${[period, kind, currency, state, failureCode].join(' ')}: ${payments}, ${amount}`,
    )
    .sort()
}

/** The last two days in pieces that begin and end anywhere. */
function somePeriods(end: number, random: () => number): Period[] {
  const periods: Period[] = []
  for (let at = end - 48 * HOUR_MS; at < end; ) {
    const toMs = Math.min(end, at + 1 + Math.floor(random() * 9 * HOUR_MS))
    periods.push({ fromMs: at, toMs })
    at = toMs
  }
  return periods
}

const ENDINGS = ['789', '039', '049', '129'] as const

async function pay(random: () => number): Promise<void> {
  const amount = String(1 + Math.floor(random() * 900))
  const ending = ENDINGS[Math.floor(random() * ENDINGS.length)] ?? '789'
  const wallet = payer(`260763456${ending}`, 'MTN_MOMO_ZMB')
  const isDeposit = random() < 0.6
  const answer = isDeposit
    ? await service.deposit({ amount, payer: wallet })
    : await service.post('/v2/payouts', {
        payoutId: randomUUID(),
        amount,
        currency: 'ZMW',
        recipient: wallet,
      })
  assert.equal(answer.body.status, 'ACCEPTED')
}

/** Those of one number stay open for good, once they are with the operator. */
const settled = (): Promise<void> =>
  eventually(async () => {
    const open = await database.query(
      `select from payments
       where due_at is not null and (phone_number not like '%129' or state = 'ACCEPTED')`,
    )
    assert.equal(open.length, 0)
  })

it('figures equal a recount at every moment of any history, whatever is counted already', async () => {
  let seed = 20_260_728
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  for (let step = 0; step < 40; step += 1) {
    const payments = Math.floor(random() * 4)
    for (let at = 0; at < payments; at += 1) await pay(random)
    await settled()
    const end = await now()
    // Two nodes at once do it twice, to no effect.
    if (random() < 0.5) {
      const count = () =>
        database.inTransaction((tx) => countHours(tx, MERCHANT, () => hourOf(end)))
      await Promise.all([count(), count()])
    }
    const periods = somePeriods(end + HOUR_MS, random)
    assert.deepEqual(await counted(periods), await recount(periods), `step ${step}`)
    await service.advance(Math.floor(random() * 3 * 3600))
  }
  const [row] = await database.query<{ hours: string; open: string }>(
    `select (select count(distinct hour) from payment_hours)::text as hours,
            cardinality(open_hours)::text as open from counted_hours`,
  )
  // Both ways were taken: hours were counted, and some wait for a payment that is open.
  assert.ok(Number(row?.hours) > 5, JSON.stringify(row))
  assert.ok(Number(row?.open) > 3, JSON.stringify(row))
})

it('a payment that ends late is counted in the hour in which it began', async () => {
  const script = [
    { afterSeconds: 0, answer: 'pending' },
    { afterSeconds: 4 * 3600, answer: 'done' },
  ]
  await service.put('/sandbox/phones/260763456222', { script })
  // Into an hour of its own.
  await service.advance(3600)
  const began = await now()
  const { id } = await service.deposit({
    amount: '111',
    payer: payer('260763456222', 'MTN_MOMO_ZMB'),
  })
  await service.reaches(id, 'PROCESSING')
  await service.advance(2 * 3600)
  const count = (end: number) =>
    database.inTransaction((tx) => countHours(tx, MERCHANT, () => hourOf(end)))
  await count(await now())
  const periods = [{ fromMs: began, toMs: began + HOUR_MS }]
  assert.match((await counted(periods)).join('\n'), /deposit ZMW PROCESSING/)
  assert.deepEqual(await counted(periods), await recount(periods))
  await service.advance(3 * 3600)
  await service.reaches(id, 'COMPLETED')
  assert.deepEqual(await counted(periods), await recount(periods))
  await count(await now())
  assert.deepEqual(await counted(periods), await recount(periods))
  const stored = await database.query(
    `select from payment_hours where hour = to_timestamp($1::float8 / 1000) and state = 'COMPLETED'
       and amount = 111`,
    [hourOf(began)],
  )
  assert.equal(stored.length, 1)
})

it('a reset of the sandbox forgets what was counted, and the clock that goes back too', async () => {
  await service.deposit()
  await settled()
  await service.advance(5 * 3600)
  const end = await now()
  await database.inTransaction((tx) => countHours(tx, MERCHANT, () => hourOf(end)))
  assert.notEqual((await database.query('select from payment_hours')).length, 0)
  // What another merchant counted of the time to come would have payments of its own there later.
  await database.query(
    `insert into payment_hours values
       (2, date_trunc('hour', to_timestamp($1::float8 / 1000)), 'deposit', 'ZMB', 'MTN_MOMO_ZMB',
        'ZMW', 'COMPLETED', '', 1, 5)`,
    [end],
  )
  await database.query(
    `insert into counted_hours values (2, to_timestamp($1::float8 / 1000), '{}')`,
    [end + HOUR_MS],
  )
  assert.equal((await service.post('/sandbox/clock/reset')).status, 200)
  assert.equal((await database.query('select from payment_hours')).length, 0)
  const [other] = await database.query<{ ms: number }>(
    'select (extract(epoch from until) * 1000)::float8 as ms from counted_hours',
  )
  assert.ok(other !== undefined && other.ms <= Date.now())
  const toMs = await now()
  assert.deepEqual(await counted([{ fromMs: toMs - HOUR_MS, toMs }]), [])
})

it('counts in the background, and not right after the test clock was moved', async () => {
  await service.deposit()
  await settled()
  const stored = async () => (await database.query('select from payment_hours')).length
  let offsetMs = 0
  const clock = {
    now: () => Date.now() + offsetMs,
    realNow: () => Date.now(),
    offsetMs: () => offsetMs,
    setOffset: () => {},
  }
  const timing = { ...NODE_TIMING, countHoursEveryMs: 0 }
  const warnings: unknown[] = []
  const log = { ...console, warn: (facts: object) => warnings.push(facts) }
  const counter = createHourCounter({ db: database, clock, timing }, log)
  offsetMs = 2 * HOUR_MS
  // Payments that were dated before the clock moved may still be on their way.
  counter.wake()
  await pause(50)
  assert.equal(await stored(), 0)
  await eventually(async () => {
    counter.wake()
    assert.equal(await stored(), 1)
  })
  await counter.stop()
  counter.wake()
  assert.deepEqual(warnings, [])
})

it('parts cover each period once, in whole hours where they are counted', () => {
  const hour = fc.integer({ min: 0, max: 60 })
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 60 * HOUR_MS }), { minLength: 2, maxLength: 8 }),
      hour,
      fc.array(hour, { maxLength: 6 }),
      (edges, until, open) => {
        const sorted = [...new Set(edges)].sort((a, b) => a - b)
        const periods = sorted.slice(1).map((toMs, at) => ({ fromMs: sorted[at] as number, toMs }))
        const openHours = open.map((at) => at * HOUR_MS)
        const parts = partsOf(periods, { untilMs: until * HOUR_MS, openHours })
        const all = [...parts.counted, ...parts.live].sort((a, b) => a.fromMs - b.fromMs)
        assert.equal(all[0]?.fromMs, periods[0]?.fromMs)
        assert.equal(all.at(-1)?.toMs, periods.at(-1)?.toMs)
        for (const [at, { fromMs }] of all.entries()) {
          if (at > 0) assert.equal(fromMs, all[at - 1]?.toMs)
        }
        for (const { fromMs, toMs } of parts.counted) {
          assert.equal(fromMs % HOUR_MS, 0)
          assert.equal(toMs % HOUR_MS, 0)
          assert.ok(toMs <= until * HOUR_MS)
          assert.ok(openHours.every((one) => one < fromMs || one >= toMs))
        }
      },
    ),
  )
})

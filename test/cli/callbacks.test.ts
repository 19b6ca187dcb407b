import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addMerchant } from '../../harness/merchant.ts'
import { payout } from '../../harness/payouts.ts'
import { failForAnHour, startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'
import { openCommandLine } from './command-line.ts'

const service = await startService()
const receiver = await startReceiver()
const commandLine = openCommandLine()
after(async () => {
  await service.stop()
  await receiver.close()
  await commandLine.close()
})

const run = (...args: string[]) =>
  commandLine.run(['callbacks', ...args], { DATABASE_URL: service.databaseUrl })
async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}
const statuses = async (): Promise<Record<string, number>> => {
  const rows = await service.database.query<{ status: string; count: number }>(
    'select status, count(*)::int as count from callbacks group by 1',
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()

const DEPOSITS = 25
let betweenThem = ''

/** Deposits and payouts whose callbacks were not acknowledged for seven days. */
before(async () => {
  await service.put('/sandbox/callbacks', { deposit: receiver.url, payout: `${receiver.url}/out` })
  await addMerchant(service, { slug: 'bystander', providers: ['MTN_MOMO_ZMB'] })
  receiver.answer(500)
  for (let count = 0; count < DEPOSITS; count += 5) {
    await Promise.all(Array.from({ length: 5 }, () => service.deposit()))
    if (count === 10) betweenThem = (await service.get('/sandbox/clock')).body.now
  }
  for (let count = 0; count < 5; count += 1) await payout(service)
  await eventually(async () => assert.deepEqual(await statuses(), { PENDING: DEPOSITS + 5 }))
  await eventually(async () => {
    const listed = await json('list', '--status', 'PENDING')
    assert.equal(listed.filter((one: { attempts: number }) => one.attempts > 0).length, 30)
  })
  await service.advance(8 * 86_400)
  await eventually(async () => assert.deepEqual(await statuses(), { GIVEN_UP: DEPOSITS + 5 }))
})

describe('callbacks list', { timeout: 540_000 }, () => {
  it('shows what was given up, why, and by pages in the order of time', async () => {
    const all = await json('list', '--status', 'GIVEN_UP')
    assert.equal(all.length, DEPOSITS + 5)
    assert.deepEqual(
      all,
      all.toSorted((a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)),
    )
    assert.match(all[0].why, /answered with 500/)
    assert.deepEqual([all[0].status, all[0].merchant, all[0].next], ['GIVEN_UP', 'demo', ''])
    const page = await json('list', '--status', 'given_up', '--limit', '7', '--after', all[9].key)
    assert.deepEqual(page, all.slice(10, 17))
    assert.equal((await json('list', '--kind', 'payout')).length, 5)
    assert.equal((await json('list', '--merchant', 'bystander')).length, 0)
    assert.equal((await json('list', '--endpoint', `${receiver.url}/out`)).length, 5)
    const [day, hour] = [86_400_000, 3_600_000]
    assert.equal((await json('list', '--from', ago(day), '--to', ago(day - hour))).length, 0)
  })

  it('says what is wrong with an option, and the way out', async () => {
    const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
      [['list', '--status', 'LOST'], /"LOST" is not a status\. There are PENDING, DELIVERED/],
      [['list', '--kind', 'gift'], /"gift" is not a kind\. There are deposit/],
      [['list', '--from', 'yesterday'], /--from is "yesterday"; give a time such as/],
      [['list', '--from', '2026-01-02', '--to', '2026-01-01'], /--from must be earlier than --to/],
      [['list', '--limit', '0'], /--limit is "0"; give a whole number from 1/],
      [['list', '--from', '2026-02-31'], /--from is "2026-02-31"; there is no such day/],
      [['list', '--result', 'foo'], /"foo" is not a result\. There are .*COMPLETED/],
      [['list', '--after', 'x'], /"x" is not a key.*first column of malipo callbacks list/],
      [['list', '--after', '0'.repeat(36)], /is not a key/],
      [['list', '--merchant', 'nobody'], /There is no merchant "nobody"/],
      [['replay', '--rate', '5000'], /--rate is "5000"; give a whole number from 1 to 1000/],
      [
        ['replay', '--merchant', 'demo', '--endpoint', 'https://elsewhere.example/'],
        /No kind of payment of "demo" is sent to https:\/\/elsewhere.example\/ now/,
      ],
      [['stop', '00000000-0000-4000-8000-000000000000'], /There is no replay .* that runs/],
      [['stop', 'x'], /There is no replay "x" that runs\. See malipo callbacks replays/],
      [['stop', '0'.repeat(36)], /There is no replay .* that runs/],
    ]
    for (const [args, says] of wrong) {
      const { code, stderr } = await run(...args)
      assert.equal(code, 2, args.join(' '))
      assert.match(stderr, says)
    }
  })
})

describe('callbacks replay', { timeout: 540_000 }, () => {
  it('counts in a dry run exactly what a run sends, for every filter, and changes nothing', async () => {
    const filters: readonly (readonly [args: readonly string[], count: number])[] = [
      [[], 30],
      [['--kind', 'payout'], 5],
      [['--kind', 'payout', '--kind', 'deposit'], 30],
      [['--endpoint', receiver.url], DEPOSITS],
      [['--status', 'DELIVERED'], 0],
      [['--result', 'failed'], 0],
      [['--result', 'COMPLETED', '--to', betweenThem], 15],
      [['--from', betweenThem], 15],
      [['--merchant', 'bystander'], 0],
    ]
    for (const [args, count] of filters) {
      assert.equal((await json('replay', '--dry-run', ...args)).matched, count, args.join(' '))
    }
    assert.deepEqual(await statuses(), { GIVEN_UP: 30 })
    receiver.answer(200)
    const before = receiver.received.length
    const result = await json('replay', '--kind', 'payout')
    assert.deepEqual([result.matched, result.sent], [5, 5])
    await eventually(async () => assert.deepEqual(await statuses(), { GIVEN_UP: 25, DELIVERED: 5 }))
    assert.equal(receiver.received.length, before + 5)
  })

  it('keeps its rate by the clock, shows how far it is, and ends', async () => {
    const { replays, matched } = await json('replay', '--rate', '10', '--detach')
    assert.deepEqual([replays.length, matched], [1, DEPOSITS])
    await eventually(async () => {
      await service.advance(1)
      assert.deepEqual(await statuses(), { DELIVERED: 30 })
    })
    const [replay] = await json('replays')
    assert.deepEqual([replay.state, replay.matched, replay.sent], ['DONE', DEPOSITS, DEPOSITS])
    assert.equal(replay.merchant, 'demo')
    const steps = await service.database.query<{ at: number; count: number }>(
      `select extract(epoch from round_started_at)::float8 as at, count(*)::int as count
       from callbacks where kind = 'deposit' group by 1 order by 1`,
    )
    assert.deepEqual(
      steps.map(({ count }) => count),
      [10, 10, 5],
    )
    steps.slice(1).forEach(({ at }, index) => {
      assert.ok(at - (steps[index]?.at ?? 0) >= 1)
    })
  })

  it('sends again also what was delivered, when asked; stopped, it sends no more', async () => {
    const before = receiver.received.length
    const again = ['replay', '--status', 'DELIVERED', '--kind', 'deposit']
    const { replays } = await json(...again, '--rate', '1', '--detach')
    await run('stop', replays[0])
    const [stopped] = await json('replays')
    assert.equal(stopped.state, 'STOPPED')
    assert.ok(stopped.sent < DEPOSITS)
    await eventually(() => assert.equal(receiver.received.length, before + stopped.sent))
    await service.advance(60)
    const { sent } = await json(...again, '--rate', '100')
    assert.equal(sent, DEPOSITS)
    await eventually(() => assert.equal(receiver.received.length, before + stopped.sent + DEPOSITS))
  })

  it('brings forward what waits for its next attempt, and gives a paused endpoint another chance', async () => {
    receiver.answer(failForAnHour)
    const { id: pending } = await service.deposit()
    await eventually(async () => assert.equal((await statuses()).PENDING, 1))
    await eventually(async () => {
      const { body } = await service.get(`/sandbox/deliveries?paymentId=${pending}`)
      assert.equal(body[0].attempts.length, 1)
    })
    receiver.answer(410)
    const { id } = await payout(service)
    await eventually(async () => assert.equal((await statuses()).PAUSED, 1))
    const [paused] = await json('list', '--status', 'PAUSED')
    assert.deepEqual([paused.payment, paused.why], [id, 'paused: the receiver answered 410 (gone)'])
    receiver.answer(200)
    const { sent } = await json('replay', '--status', 'PENDING', '--status', 'PAUSED')
    assert.equal(sent, 2)
    await eventually(async () => assert.deepEqual(await statuses(), { DELIVERED: 32 }))
  })
})

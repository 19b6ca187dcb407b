import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { checkoutBody, pageBody } from '../../../harness/hosted.ts'
import { addMerchant } from '../../../harness/merchant.ts'
import { reachesOperator } from '../../../harness/operator.ts'
import { balanceOf } from '../../../harness/payouts.ts'
import { connectTo } from '../../../harness/process.ts'
import { depositBody, eventually, startService } from '../../../harness/service.ts'
import { startDatabaseLink } from '../../support/database-link.ts'
import { waitForLock } from '../../support/lock-waits.ts'
import { assertAnswer, MILLISECONDS, reason } from '../../support/shapes.ts'

const OPERATOR_DELAY_MS = 600_000
const service = await startService({ MALIPO_SANDBOX_DELAY_MS: String(OPERATOR_DELAY_MS) })
after(service.stop)

const read = () => service.get('/sandbox/clock')
const advance = (body: unknown) => service.post('/sandbox/clock/advance', body)

/** How far ahead the answer says the clock is, against the clock of this machine. */
function assertAhead(now: string, seconds: number): void {
  const ahead = (Date.parse(now) - Date.now()) / 1000
  assert.ok(Math.abs(ahead - seconds) < 30, `${ahead} s ahead`)
}

it('the clock begins at real time', async () => {
  const answer = await read()
  assertAnswer(answer, 200, { now: MILLISECONDS, offsetSeconds: 0 })
  assertAhead(answer.body.now, 0)
})

it('the clock is moved on, each time from where it is, by parts of seconds too', async () => {
  for (const [seconds, offsetSeconds] of [
    [3600, 3600],
    [0, 3600],
    [0.25, 3600.25],
    [86_400, 90_000.25],
  ]) {
    const answer = await advance({ seconds })
    assertAnswer(answer, 200, { now: MILLISECONDS, offsetSeconds })
    assertAhead(answer.body.now, offsetSeconds ?? 0)
    assert.equal((await read()).body.offsetSeconds, offsetSeconds)
  }
})

it('a payment is created by the test clock', async () => {
  const { body } = await service.deposit()
  assertAhead(body.created, 90_000)
})

it('the clock is put back on real time, with or without a body', async () => {
  for (const body of [undefined, {}]) {
    await advance({ seconds: 5 })
    const answer = await service.post('/sandbox/clock/reset', body)
    assertAnswer(answer, 200, { now: MILLISECONDS, offsetSeconds: 0 })
    assertAhead(answer.body.now, 0)
  }
})

it('the last change stands, however quickly changes follow each other', async () => {
  for (let times = 0; times < 20; times += 1) {
    assert.equal((await advance({ seconds: 5 })).body.offsetSeconds, 5)
    assert.equal((await read()).body.offsetSeconds, 5)
    assert.equal((await service.post('/sandbox/clock/reset')).body.offsetSeconds, 0)
    assert.equal((await read()).body.offsetSeconds, 0)
  }
})

it('a change stands against a heartbeat that read the clock before it', async (test) => {
  const link = await startDatabaseLink(service.databaseUrl)
  const node = await service.addNode({ DATABASE_URL: link.url })
  test.after(async () => {
    await node.stop()
    await link.close()
  })
  const stale = link.holdAnswerTo('heartbeat')
  await stale.reached
  await service.advance(5)
  // It learns of the change at once, by a notification.
  const ahead = async () => assert.equal((await node.get('/sandbox/clock')).body.offsetSeconds, 5)
  await eventually(ahead)
  const next = link.holdAnswerTo('heartbeat')
  stale.letThrough()
  // The next one is sent when the answer to this one has been followed.
  await next.reached
  await ahead()
  next.letThrough()
  await node.post('/sandbox/clock/reset')
  await eventually(async () => assert.equal((await read()).body.offsetSeconds, 0))
})

it('the operator takes its time by the test clock', async () => {
  const { id } = await service.deposit()
  await reachesOperator(service, id)
  // It is stored when the operator has answered that it will take time.
  await service.reaches(id, 'PROCESSING')
  await service.advance(OPERATOR_DELAY_MS / 1000 - 60)
  const { body } = await service.get(`/v2/deposits/${id}`)
  assert.equal(body.data.status, 'PROCESSING')
  await service.advance(60)
  await service.reaches(id, 'COMPLETED')
  await service.post('/sandbox/clock/reset')
})

it('every node follows, and a node that starts later begins there', async () => {
  const early = await service.addNode()
  await service.advance(7200)
  const late = await service.addNode()
  try {
    await eventually(async () => {
      assert.equal((await early.get('/sandbox/clock')).body.offsetSeconds, 7200)
    })
    assert.equal((await late.get('/sandbox/clock')).body.offsetSeconds, 7200)
    await late.post('/sandbox/clock/reset')
    await eventually(async () => assert.equal((await read()).body.offsetSeconds, 0))
  } finally {
    await early.stop()
    await late.stop()
  }
})

/** What cannot be done to the clock, with the code and the field that the message names. */
const REFUSED: readonly (readonly [body: string, code: string, says: RegExp])[] = [
  ['{}', 'MISSING_PARAMETER', /'seconds'/],
  ['{"seconds":null}', 'MISSING_PARAMETER', /'seconds'/],
  ['{"seconds":-1}', 'INVALID_PARAMETER', /'seconds'.*0 or more/],
  ['{"seconds":"60"}', 'INVALID_PARAMETER', /'seconds'.*a number/],
  ['{"seconds":31622401}', 'INVALID_PARAMETER', /'seconds'.*31622400 or less/],
  ['{"seconds":1e400}', 'INVALID_PARAMETER', /'seconds'/],
  ['{"minutes":1}', 'UNSUPPORTED_PARAMETER', /'minutes'/],
]

describe('400 for a clock that cannot be moved so:', () => {
  for (const [body, code, says] of REFUSED) {
    it(body, async () => {
      assertAnswer(await advance(body), 400, reason(code, says))
      assert.equal((await read()).body.offsetSeconds, 0)
    })
  }
})

it('a clock put back wipes the payments and fills the wallets', async () => {
  await service.advance(86_400)
  const { id } = await service.deposit()
  await reachesOperator(service, id)
  await service.put('/sandbox/wallets', { country: 'ZMB', currency: 'ZMW', balance: '7' })
  assert.equal((await service.post('/sandbox/clock/reset')).body.offsetSeconds, 0)
  assert.equal((await service.get(`/v2/deposits/${id}`)).body.status, 'NOT_FOUND')
  assert.equal(await balanceOf(service), '1000000.00')
})

describe('while another merchant has something under way', { timeout: 240_000 }, () => {
  it('the clock is not put back, and the answer names the way out', async () => {
    const other = await addMerchant(service, { slug: 'clock-other' })
    const reset = () => service.post('/sandbox/clock/reset')
    const under: readonly (readonly [path: string, body: object])[] = [
      ['/v2/deposits', depositBody()],
      ['/v2/checkouts', checkoutBody()],
      ['/v2/paymentpage', pageBody()],
    ]
    for (const [path, body] of under) {
      await service.advance(3600)
      const mine = await service.deposit()
      const theirs = await other.call('POST', path, body)
      assert.ok(theirs.status < 300)
      assertAnswer(
        await reset(),
        400,
        reason('INVALID_STATE', /another merchant.*\/sandbox\/reset/),
      )
      assert.equal((await read()).body.offsetSeconds, 3600)
      assert.equal((await service.get(`/v2/deposits/${mine.id}`)).body.status, 'FOUND')
      // Its own merchant may start over at any time, and then nothing is in the way.
      assert.equal((await other.call('POST', '/sandbox/reset')).status, 204)
      assert.equal((await reset()).body.offsetSeconds, 0)
    }
  })

  it('its payments that are over are not in the way, and stay', async () => {
    const other = await addMerchant(service, { slug: 'clock-past' })
    const body = depositBody()
    await other.call('POST', '/v2/deposits', body)
    await reachesOperator(service, body.depositId)
    await service.advance(OPERATOR_DELAY_MS / 1000)
    const status = async () =>
      (await other.call('GET', `/v2/deposits/${body.depositId}`)).body.data?.status
    await eventually(async () => assert.equal(await status(), 'COMPLETED'))
    assert.equal((await service.post('/sandbox/clock/reset')).body.offsetSeconds, 0)
    assert.equal(await status(), 'COMPLETED')
  })

  it('a clock that is on real time stays there, and the caller starts over', async () => {
    const other = await addMerchant(service, { slug: 'clock-present' })
    const body = depositBody()
    await other.call('POST', '/v2/deposits', body)
    const { id } = await service.deposit()
    assert.equal((await service.post('/sandbox/clock/reset')).status, 200)
    assert.equal((await service.get(`/v2/deposits/${id}`)).body.status, 'NOT_FOUND')
    const theirs = await other.call('GET', `/v2/deposits/${body.depositId}`)
    assert.equal(theirs.body.status, 'FOUND')
    await other.call('POST', '/sandbox/reset')
  })
})

it('a payment whose storing began before the clock was put back is wiped as well', async () => {
  const ahead = await startService()
  const other = await connectTo(ahead.databaseUrl)
  try {
    await ahead.advance(366 * 86_400)
    const body = depositBody()
    await other.query('begin')
    await other.query(
      `insert into payments (merchant_id, kind, id, key, generation, created_at, amount,
         currency, country, provider, phone_number, details, state, holder)
       values (1, 'deposit', $1, gen_random_uuid(), 'v2', now(), 1, 'ZMW', 'ZMB',
         'MTN_MOMO_ZMB', '260763456789', '{}', 'COMPLETED', 0)`,
      [body.depositId],
    )
    // The same identifier is being stored elsewhere, so this one waits for that.
    const storing = ahead.post('/v2/deposits', body)
    await waitForLock(ahead, 'insert into payments')
    const reset = ahead.post('/sandbox/clock/reset')
    await waitForLock(ahead, '^lock table')
    await other.query('rollback')
    assert.equal((await storing).body.status, 'ACCEPTED')
    assert.equal((await reset).body.offsetSeconds, 0)
    assert.equal((await ahead.get(`/v2/deposits/${body.depositId}`)).body.status, 'NOT_FOUND')
  } finally {
    await other.end()
    await ahead.stop()
  }
})

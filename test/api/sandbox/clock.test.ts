import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { reachesOperator } from '../../../harness/operator.ts'
import { depositBody, eventually, startService } from '../../../harness/service.ts'
import { openDatabase } from '../../../src/store/engine/database.ts'
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
  for (let times = 0; times < 100; times += 1) {
    assert.equal((await advance({ seconds: 5 })).body.offsetSeconds, 5)
    assert.equal((await read()).body.offsetSeconds, 5)
    assert.equal((await service.post('/sandbox/clock/reset')).body.offsetSeconds, 0)
    assert.equal((await read()).body.offsetSeconds, 0)
  }
})

it('the operator takes its time by the test clock', async () => {
  const { id } = await service.deposit()
  await reachesOperator(service, id)
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

it('a clock put back leaves nothing waiting for the time that was skipped', async () => {
  const ahead = await startService({ MALIPO_SANDBOX_DELAY_MS: '1000' })
  try {
    await ahead.advance(366 * 86_400)
    const { id } = await ahead.deposit()
    assert.equal((await ahead.post('/sandbox/clock/reset')).body.offsetSeconds, 0)
    await ahead.reaches(id, 'COMPLETED')
  } finally {
    await ahead.stop()
  }
})

it('a payment whose storing began before the clock was put back does not wait either', async () => {
  const ahead = await startService()
  const other = openDatabase({ connectionString: ahead.databaseUrl }, 1)
  try {
    await ahead.advance(366 * 86_400)
    const body = depositBody()
    const storing = await other
      .inTransaction(async (tx) => {
        await tx.query(
          `insert into payments (merchant_id, kind, id, key, generation, created_at, amount,
             currency, country, provider, phone_number, details, state, holder)
           values (1, 'deposit', $1, gen_random_uuid(), 'v2', now(), 1, 'ZMW', 'ZMB',
             'MTN_MOMO_ZMB', '260763456789', '{}', 'COMPLETED', 0)`,
          [body.depositId],
        )
        // The same identifier is being stored elsewhere, so this one waits for that.
        const answer = ahead.post('/v2/deposits', body)
        await eventually(async () => {
          const waiting = await ahead.database.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
          assert.equal(waiting.length, 1)
        })
        await ahead.post('/sandbox/clock/reset')
        throw new Undone(answer)
      })
      .catch((error) => {
        if (error instanceof Undone) return error.answer
        throw error
      })
    assert.equal((await storing).body.status, 'ACCEPTED')
    await ahead.reaches(body.depositId, 'COMPLETED')
  } finally {
    await other.close()
    await ahead.stop()
  }
})

/** Takes back what the transaction wrote, and carries out what goes on meanwhile. */
class Undone extends Error {
  readonly answer: ReturnType<typeof service.post>
  constructor(answer: ReturnType<typeof service.post>) {
    super('undone')
    this.answer = answer
  }
}

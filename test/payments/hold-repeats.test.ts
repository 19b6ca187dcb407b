import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, describe, it } from 'node:test'
import { balanceOf, payoutBody, reachesPayout, setBalance } from '../../harness/payouts.ts'
import { connectTo } from '../../harness/process.ts'
import { type Answer, eventually, startService } from '../../harness/service.ts'
import { assertLegacy, legacyPayout, rejected, taken } from '../support/legacy-payments.ts'
import { assertAnswer, SECONDS } from '../support/shapes.ts'

/** Requests for one identifier that are written together, in either generation. */
const service = await startService()
after(service.stop)
beforeEach(() => setBalance(service, '10'))

type Ask = () => Promise<Answer>
const earlier =
  (payoutId: string, amount: string): Ask =>
  () =>
    service.post('/payouts', legacyPayout({ payoutId, amount }))
const current =
  (payoutId: string, amount: string): Ask =>
  () =>
    service.post('/v2/payouts', payoutBody({ payoutId, amount }))

/** While two writes are held up, these come in one after the other; the next write takes them all. */
async function together(...asks: readonly Ask[]): Promise<readonly Answer[]> {
  const blocker = await connectTo(service.databaseUrl)
  await blocker.query('begin')
  await blocker.query('lock table payments in exclusive mode')
  const before: Promise<Answer>[] = []
  const answers: Promise<Answer>[] = []
  try {
    for (const count of [1, 2]) {
      before.push(current(randomUUID(), '1')())
      await eventually(async () => assert.equal(await heldUp(), count))
    }
    for (const ask of asks) {
      answers.push(ask())
      const { hold } = service.node.ctx.writes
      await eventually(() => assert.equal(hold.waiting(), answers.length))
    }
  } finally {
    await blocker.query('rollback')
    await blocker.end()
  }
  await Promise.all(before)
  return Promise.all(answers)
}

/** How many writes of payouts wait for the lock. */
async function heldUp(): Promise<unknown> {
  const [row] = await service.database.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
    ['%insert into payments%'],
  )
  return row?.count
}

const tooLittle = (payoutId: string) =>
  rejected({ payoutId }, 'BALANCE_INSUFFICIENT', /did not hold enough/)
const accepted = (payoutId: string) => ({ payoutId, status: 'ACCEPTED', created: SECONDS })

describe('one identifier twice in one write, and too little money:', { timeout: 540_000 }, () => {
  it('what the earlier generation refuses, the current one still accepts', async () => {
    const id = randomUUID()
    const [first, second] = await together(earlier(id, '15'), current(id, '15'))
    assertLegacy(first as Answer, 200, tooLittle(id))
    assertAnswer(second as Answer, 200, accepted(id))
    const { failureReason } = await reachesPayout(service, id, 'FAILED')
    assert.equal(failureReason.failureCode, 'PAWAPAY_WALLET_OUT_OF_FUNDS')
  })

  it('what the current generation has accepted, the earlier one repeats', async () => {
    const id = randomUUID()
    const [first, second] = await together(current(id, '15'), earlier(id, '15'))
    assertAnswer(first as Answer, 200, accepted(id))
    assertLegacy(second as Answer, 200, taken({ payoutId: id }, 'DUPLICATE_IGNORED'))
  })

  it('a refused request says nothing of the next one, which asks for less', async () => {
    const id = randomUUID()
    const answers = await together(earlier(id, '15'), earlier(id, '5'), earlier(id, '5'))
    const [first, second, third] = answers as [Answer, Answer, Answer]
    assertLegacy(first, 200, tooLittle(id))
    assertLegacy(second, 200, taken({ payoutId: id }))
    assertLegacy(third, 200, taken({ payoutId: id }, 'DUPLICATE_IGNORED'))
    await reachesPayout(service, id, 'COMPLETED')
    // The two before them took 1 each.
    assert.equal(await balanceOf(service), '3.00')
  })

  it('all that ask for too much are refused, and leave nothing', async () => {
    const id = randomUUID()
    const answers = await together(earlier(id, '15'), earlier(id, '16'), earlier(id, '15'))
    for (const answer of answers) assertLegacy(answer, 200, tooLittle(id))
    assert.deepEqual((await service.get(`/payouts/${id}`)).body, [])
    assert.equal(await balanceOf(service), '8.00')
  })
})

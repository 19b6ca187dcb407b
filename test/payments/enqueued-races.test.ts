import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import {
  allAreUpdated,
  areOver,
  balanceOf,
  enqueuePayouts,
  payout,
  payoutBody,
  reachesPayout,
  sentOf,
  setBalance,
  statesOf,
  switchPayouts,
} from '../../harness/payouts.ts'
import { callAt, startProcess } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { IS_PROOF, itInProofs } from '../../harness/scale.ts'
import { type Answer, eventually, type Service, startService } from '../../harness/service.ts'
import { startDatabaseLink } from '../support/database-link.ts'

const service = await startService()
const second = await service.addNode()
const link = await startDatabaseLink(service.databaseUrl)
const behindLink = await service.addNode({ DATABASE_URL: link.url })
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await behindLink.stop()
  await link.close()
  await second.stop()
  await service.stop()
  await receiver.close()
})
beforeEach(async () => {
  await switchPayouts(service, 'OPERATIONAL')
  await setBalance(service, '1000000')
})

const nodes = [service, second]
const all = [...nodes, behindLink]
const nodeAt = (index: number): Service => nodes[index % 2] as Service
const cancelAt = (node: Service, id: string) => node.post(`/v2/payouts/fail-enqueued/${id}`)

const enqueue = (count: number): Promise<string[]> => enqueuePayouts(all, count)

describe('cancelling at the moment of the switch', { timeout: 540_000 }, () => {
  it('gives each payout one end, and the answer of the call is true', async () => {
    const ends = { COMPLETED: 0, FAILED: 0 }
    for (const round of IS_PROOF ? [0, 1, 2] : [2]) {
      const ids = await enqueue(60)
      const before = Number(await balanceOf(service)) + 15 * ids.length
      // Wave after wave, so that some come before and some after; and not in the order in which they
      // wait, because everybody takes rows as they like.
      const waves = Array.from({ length: 10 }, (_, at) => ids.toSorted().slice(at * 6, at * 6 + 6))
      const answers: Answer[] = []
      let switched = Promise.resolve()
      for (const [at, wave] of waves.entries()) {
        if (at === round) switched = switchPayouts(nodeAt(round), 'OPERATIONAL')
        // However slow the switch is, the last ones are asked for too late.
        if (at === waves.length - 1) await switched.then(() => areOver(service, wave))
        answers.push(...(await Promise.all(wave.map((id, nth) => cancelAt(nodeAt(nth), id)))))
      }
      await switched
      await areOver(service, ids)
      const cancelled = new Set<string>()
      for (const { status, body } of answers) {
        assert.equal(status, 200)
        if (body.status === 'ACCEPTED') cancelled.add(body.payoutId)
        else assert.equal(body.failureReason.failureCode, 'INVALID_STATE')
      }
      const rows = await service.database.query<{ id: string; state: string; code: string }>(
        'select id, state, failure_code as code from payments where id = any($1)',
        [ids],
      )
      for (const { id, state, code } of rows) {
        const expected = cancelled.has(id) ? ['FAILED', 'MANUALLY_CANCELLED'] : ['COMPLETED', null]
        assert.deepEqual([state, code], expected)
        ends[state as 'COMPLETED'] += 1
      }
      const sent = await sentOf(service, ids)
      assert.deepEqual(sent, new Set(ids.filter((id) => !cancelled.has(id))))
      assert.equal(Number(await balanceOf(service)), before - 15 * sent.size)
    }
    assert.ok(ends.COMPLETED > 0 && ends.FAILED > 0, JSON.stringify(ends))
  })

  it('between ENQUEUED and the queue: the cancelled payout is never sent', async () => {
    await switchPayouts(service, 'DELAYED')
    await allAreUpdated(all, 'DELAYED')
    const held = link.holdRequestOf('park-enqueued')
    const { id } = await payout(behindLink)
    await held.reached
    assert.equal((await cancelAt(service, id)).body.status, 'ACCEPTED')
    held.letThrough()
    const next = await payout(behindLink)
    await reachesPayout(service, next.id, 'ENQUEUED')
    await reachesPayout(service, id, 'FAILED')
    await switchPayouts(service, 'OPERATIONAL')
    await reachesPayout(service, next.id, 'COMPLETED')
    assert.deepEqual(await sentOf(service, [id, next.id]), new Set([next.id]))
  })

  it('after it was released: the first request wins', async () => {
    const [id = ''] = await enqueue(20)
    // Only the node behind the link claims, and stands still before it says that it sends.
    const held = link.holdRequestOf('due-work')
    await held.reached
    await cancelAt(service, id)
    await switchPayouts(service, 'OPERATIONAL')
    held.letThrough()
    await reachesPayout(service, id, 'FAILED')
    assert.equal((await sentOf(service, [id])).size, 0)
  })
})

describe('a switch at the moment of acceptance', { timeout: 540_000 }, () => {
  it('between ENQUEUED and the queue lets the payout go on', async () => {
    await switchPayouts(service, 'DELAYED')
    await allAreUpdated(all, 'DELAYED')
    const held = link.holdRequestOf('park-enqueued')
    const { id } = await payout(behindLink)
    await held.reached
    await switchPayouts(service, 'OPERATIONAL')
    held.letThrough()
    await reachesPayout(service, id, 'COMPLETED')
  })

  it('between the look at the provider and ENQUEUED lets the payout go on', async () => {
    await switchPayouts(service, 'DELAYED')
    await allAreUpdated(all, 'DELAYED')
    const held = link.holdRequestOf('advance-whole')
    const { id } = await payout(behindLink)
    await held.reached
    await switchPayouts(service, 'OPERATIONAL')
    held.letThrough()
    await reachesPayout(service, id, 'COMPLETED')
  })

  itInProofs('leaves none behind, however often it is switched', async () => {
    const ids: string[] = []
    let posting = true
    const post = async (node: Service): Promise<void> => {
      while (posting) {
        const bodies = Array.from({ length: 4 }, () => payoutBody({ amount: '1' }))
        const { status } = await node.post('/v2/payouts/bulk', bodies)
        assert.equal(status, 200)
        ids.push(...bodies.map(({ payoutId }) => payoutId))
      }
    }
    const posted = Promise.all([post(service), post(second)])
    for (let times = 0; times < 24; times += 1) {
      await switchPayouts(nodeAt(times), times % 2 === 0 ? 'DELAYED' : 'OPERATIONAL')
    }
    posting = false
    await posted
    await areOver(service, ids)
    assert.deepEqual(await statesOf(service, ids), { COMPLETED: ids.length })
    const waited = await service.database.query(
      `select from payment_events e join payments p on p.key = e.payment_key
       where e.state = 'ENQUEUED' and p.id = any($1)`,
      [ids],
    )
    assert.ok(waited.length > 0, 'some of them were enqueued')
  })
})

describe('a node that is killed', { timeout: 540_000 }, () => {
  const moments = [
    ['just being enqueued', 'park-enqueued'],
    ['about to be', 'advance-whole'],
  ] as const
  for (const [which, statement] of moments) {
    const test = statement === 'park-enqueued' ? it : itInProofs
    test(`with enqueued payouts, and some ${which}, leaves none behind`, () => isKilled(statement))
  }

  async function isKilled(statement: string): Promise<void> {
    await switchPayouts(service, 'DELAYED')
    const own = await startDatabaseLink(service.databaseUrl)
    const node = await startProcess({
      DATABASE_URL: own.url,
      MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
      MALIPO_SANDBOX_DELAY_MS: '0',
    })
    const place = { url: node.url, token: service.token }
    const post = async (): Promise<string[]> => {
      const bodies = Array.from({ length: 20 }, () => payoutBody())
      const answer = await callAt(place, 'POST', '/v2/payouts/bulk', bodies)
      assert.equal(answer?.status, 200)
      return bodies.map(({ payoutId }) => payoutId)
    }
    const inLine = await post()
    await eventually(async () =>
      assert.deepEqual(await statesOf(service, inLine), { ENQUEUED: 20 }),
    )
    const held = own.holdRequestOf(statement)
    const onTheWay = await post()
    await held.reached
    await node.kill()
    await own.close()
    const ids = [...inLine, ...onTheWay]
    // Another node takes over what was on its way, and enqueues it.
    await eventually(async () => {
      const rows = await service.database.query(
        `select from payments where id = any($1) and due_at = 'infinity' and holder = 0`,
        [ids],
      )
      assert.equal(rows.length, ids.length)
    })
    const [first = '', ...others] = ids
    assert.equal((await cancelAt(second, first)).body.status, 'ACCEPTED')
    await switchPayouts(second, 'OPERATIONAL')
    await eventually(async () =>
      assert.deepEqual(await statesOf(service, others), { COMPLETED: others.length }),
    )
    await reachesPayout(service, first, 'FAILED')
  }
})

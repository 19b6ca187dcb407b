import assert from 'node:assert/strict'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { after, beforeEach, describe, it } from 'node:test'
import type { Client } from 'pg'
import { payout } from '../../harness/payouts.ts'
import { connectTo } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, type Service, startService } from '../../harness/service.ts'
import { askStatement, ended } from '../../harness/statements.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { listReplays } from '../../src/store/callbacks/replays.ts'
import { startReplay } from '../../src/usecases/callbacks/replay-callbacks.ts'
import { assertInTime, isTooLate, untilInTime } from '../support/in-time.ts'

const service = await startService()
const second = await service.addNode()
const receiver = await startReceiver()
after(async () => {
  await second.stop()
  await service.stop()
  await receiver.close()
})
const save = () =>
  service.put('/sandbox/callbacks', { deposit: receiver.url, payout: receiver.url })
/** Requests that the receiver has in hand and has not answered. */
const open: ServerResponse[] = []
const answerAll = (status: number, headers: OutgoingHttpHeaders = {}): void => {
  for (const response of open.splice(0)) response.writeHead(status, headers).end()
}
const settle = async (): Promise<void> => {
  receiver.answer(200)
  answerAll(200)
  await save()
  // What another test left behind would meet the answers of this one.
  await eventually(async () => {
    await service.advance(3600)
    const left = await service.database.query("select from callbacks where status <> 'DELIVERED'")
    assert.equal(left.length, 0)
  })
  await allKnow(false)
}
beforeEach(settle)

async function seen(id: string, node: Service = service) {
  const { body } = await node.get(`/sandbox/deliveries?paymentId=${id}`)
  return body[0]
}
const hasStatus = (id: string, delivery: string) =>
  eventually(async () => {
    const found = await seen(id)
    assert.equal(found?.delivery, delivery)
    return found
  })

/** A node uses its cached merchant until it learns of a change. */
async function allKnow(isPaused: boolean): Promise<void> {
  for (const { node } of [service, second]) {
    await eventually(async () => {
      const merchant = await node.ctx.merchants.byId(1 as MerchantId)
      const pausedMs = merchant?.callbackStates.deposit?.pausedMs ?? undefined
      assert.equal(pausedMs !== undefined, isPaused)
    })
  }
}

/** A deposit whose receiver answers 410, which every node knows. */
async function pausedDeposit(): Promise<string> {
  receiver.answer(410)
  const { id } = await service.deposit()
  await hasStatus(id, 'PAUSED')
  await allKnow(true)
  return id
}

const replay = (kind: 'deposit' | 'statement', perSecond: number) =>
  startReplay(service.database, {
    merchantId: 1 as MerchantId,
    filter: { statuses: ['PAUSED'], kinds: [kind] },
    perSecond,
    now: service.node.ctx.clock.now(),
  })
const replayEnded = (id: string) =>
  eventually(async () => {
    await service.advance(1)
    const [found] = await listReplays(service.database, [id])
    assert.equal(found?.state, 'DONE')
    return found
  })
const idOf = ({ body }: { readonly body: string }): string => {
  const { depositId, payoutId } = JSON.parse(body)
  return depositId ?? payoutId
}

describe('a receiver that answers 410', { timeout: 240_000 }, () => {
  it('pauses its endpoint, for every node and every kind that is sent there, and reports it', async () => {
    const id = await pausedDeposit()
    const found = await seen(id)
    assert.match(found.attempts[0].reason, /410 \(gone\): the endpoint is paused until/)
    assert.equal(found.nextAttempt, undefined)
    assert.equal(found.attempts[0].nextAttempt, undefined)
    const before = receiver.received.length
    const [{ id: later }, { id: elsewhere }, other] = await Promise.all([
      service.deposit(),
      second.deposit(),
      payout(service),
    ])
    for (const one of [later, elsewhere, other.id]) {
      const { attempts, endpoint } = await hasStatus(one, 'PAUSED')
      assert.deepEqual(attempts, [])
      assert.equal(endpoint.state, 'PAUSED')
      assert.equal(endpoint.url, receiver.url)
    }
    await service.advance(8 * 86_400)
    assert.equal((await seen(later, second)).endpoint.state, 'PAUSED')
    assert.equal(receiver.received.length, before)
    const { body: metrics } = await service.get('/metrics')
    assert.match(metrics, /^malipo_callback_endpoints_paused 1$/m)

    receiver.answer(200)
    await save()
    for (const one of [id, later, elsewhere, other.id]) await hasStatus(one, 'DELIVERED')
    assert.equal((await seen(id)).endpoint.state, 'ACTIVE')
    assert.equal(receiver.received.length, before + 4)
  })

  it('gets another chance when a resend is asked for, with all that waited', async () => {
    const ids = [await pausedDeposit(), (await service.deposit()).id]
    await hasStatus(ids[1] ?? '', 'PAUSED')
    receiver.answer(200)
    await second.post(`/v2/deposits/resend-callback/${ids[0]}`)
    for (const id of ids) await hasStatus(id, 'DELIVERED')
  })

  it('is paused again when it says so again', async () => {
    const id = await pausedDeposit()
    await service.post(`/v2/deposits/resend-callback/${id}`)
    await eventually(async () => {
      const { delivery, attempts } = await seen(id)
      assert.deepEqual([delivery, attempts.length], ['PAUSED', 2])
    })
  })

  it('at the address of a statement pauses that callback alone, until it is sent again', async () => {
    receiver.answer(410)
    const id = await askStatement(service, { callbackUrl: `${receiver.url}/statement` })
    await ended(service, id)
    const { attempts, endpoint } = await hasStatus(id, 'PAUSED')
    assert.match(attempts[0].reason, /410 \(gone\): this callback is paused until it is sent again/)
    assert.equal(endpoint.state, 'ACTIVE')
    receiver.answer(200)
    const { id: deposit } = await service.deposit()
    await hasStatus(deposit, 'DELIVERED')
    assert.equal((await seen(id)).delivery, 'PAUSED')
    await replay('statement', 10)
    await hasStatus(id, 'DELIVERED')
  })

  it('does not pause an address that was saved meanwhile', () =>
    untilInTime(async () => {
      const since = performance.now()
      receiver.answer((response) => void open.push(response))
      const { id } = await service.deposit()
      await eventually(() => assert.ok(open.length > 0))
      await save()
      assertInTime(since)
      assert.equal(open.length, 1)
      answerAll(410, { 'retry-after': '3600' })
      const found = await eventually(async () => {
        const delivery = await seen(id)
        assert.equal(delivery.attempts.length, 1)
        return delivery
      })
      assert.equal(found.delivery, 'PENDING')
      assert.equal(found.endpoint.state, 'ACTIVE')
      receiver.answer(200)
      await service.advance(3600)
      await hasStatus(id, 'DELIVERED')
    }, settle))
})

describe('a replay to an endpoint that is paused', { timeout: 240_000 }, () => {
  /** Deposits that the replays of these tests are about, and a payout that they are not about. */
  async function pausedPayments(more = 0) {
    const deposits = [
      await pausedDeposit(),
      (await service.deposit()).id,
      (await second.deposit()).id,
    ]
    for (let count = 0; count < more; count += 1) deposits.push((await service.deposit()).id)
    const { id: bystander } = await payout(service)
    for (const id of [...deposits, bystander]) await hasStatus(id, 'PAUSED')
    return { deposits, bystander, before: receiver.received.length }
  }

  it('sends what it is about, and a success ends the pause for the rest, after the replay', async () => {
    const { deposits, bystander, before } = await pausedPayments()
    receiver.answer(200)
    const { id } = await replay('deposit', 1)
    const { sent } = await replayEnded(id)
    assert.equal(sent, 3)
    for (const one of [...deposits, bystander]) await hasStatus(one, 'DELIVERED')
    const order = receiver.received.slice(before).map(idOf)
    assert.deepEqual(order.slice(0, 3).toSorted(), deposits.toSorted())
    assert.deepEqual(order.slice(3), [bystander])
    assert.equal((await seen(bystander)).endpoint.state, 'ACTIVE')
  })

  it('leaves the pause where it fails, and sends nothing that it is not about', async () => {
    const { deposits, bystander, before } = await pausedPayments()
    receiver.answer(500)
    const { id } = await replay('deposit', 10)
    await replayEnded(id)
    for (const one of deposits) {
      await eventually(async () => assert.ok((await seen(one)).attempts.at(-1)?.httpStatus === 500))
    }
    await service.advance(3600)
    const received = new Set(receiver.received.slice(before).map(idOf))
    assert.deepEqual([...received].toSorted(), deposits.toSorted())
    const { delivery, endpoint, attempts } = await seen(bystander)
    assert.deepEqual([delivery, endpoint.state, attempts], ['PAUSED', 'PAUSED', []])
  })

  it('sends no more when the receiver says 410 once more', async (test) => {
    const blocker = await connectTo(service.databaseUrl)
    test.after(() => blocker.end())
    const replays: string[] = []
    await untilInTime(
      async () => {
        const { deposits, bystander, before } = await pausedPayments(5)
        const since = performance.now()
        receiver.answer((response) => void open.push(response))
        const { id } = await replay('deposit', 1)
        replays.push(id)
        await eventually(() => assert.ok(open.length > 0))
        const soFar = await holdReplay(blocker, id)
        await eventually(() => assert.ok(open.length === soFar || isTooLate(since)))
        assertInTime(since)
        receiver.answer(410)
        answerAll(410)
        for (const one of receiver.received.slice(before)) await hasStatus(idOf(one), 'PAUSED')
        await blocker.query('rollback')
        const { sent } = await replayEnded(id)
        assert.equal(sent, soFar)
        assert.ok(sent < deposits.length, `${sent} sent`)
        for (const one of [...deposits, bystander]) await hasStatus(one, 'PAUSED')
        assert.equal(receiver.received.length, before + soFar)
        assert.equal((await seen(bystander)).endpoint.state, 'PAUSED')
      },
      async () => {
        await blocker.query('rollback')
        await settle()
        for (const id of replays) await replayEnded(id)
      },
    )
  })

  /** Nodes skip a replay that is locked: it stops at what it has sent. */
  async function holdReplay(blocker: Client, id: string): Promise<number> {
    await blocker.query('begin')
    const found = await blocker.query(
      'select sent::int as sent from callback_replays where id = $1 for update',
      [id],
    )
    return found.rows[0].sent
  }
})

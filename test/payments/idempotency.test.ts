import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { connectTo } from '../../harness/process.ts'
import { depositBody, startService } from '../../harness/service.ts'
import { UNHELD } from '../../src/domain/ids.ts'
import type { Payment } from '../../src/domain/payments/payment.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { type Acceptance, createAcceptGroup } from '../../src/store/payments/accept.ts'
import { startDatabaseLink } from '../support/database-link.ts'
import { waitForLock } from '../support/lock-waits.ts'

const service = await startService()
const second = await service.addNode()
const nodes = [service, second]
after(async () => {
  await second.stop()
  await service.stop()
})

const ROUNDS = 12
const AT_ONCE = 50

describe('one identifier', { timeout: 540_000 }, () => {
  it('sent 50 times at once to two nodes is accepted once and asked for once', async () => {
    const ids: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const body = depositBody()
      ids.push(body.depositId)
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, at) => nodes[at % 2]?.post('/v2/deposits', body)),
      )
      const statuses = answers.map((answer) => answer?.body.status)
      assert.equal(statuses.filter((status) => status === 'ACCEPTED').length, 1)
      assert.equal(statuses.filter((status) => status === 'DUPLICATE_IGNORED').length, AT_ONCE - 1)
      assert.equal(new Set(answers.map((answer) => answer?.body.created)).size, 1)
    }
    for (const id of ids) await service.reaches(id, 'COMPLETED')
    const [book] = await service.database.query(
      `select count(*)::int as orders, sum(asked)::int as asked from sandbox_orders o
       join payments p on p.provider_reference = o.reference where p.id = any($1)`,
      [ids],
    )
    assert.deepEqual(book, { orders: ROUNDS, asked: ROUNDS })
  })

  it('sent again with other contents, or in capitals, is a repeat and changes nothing', async () => {
    const body = depositBody({ amount: '15' })
    const first = await service.post('/v2/deposits', body)
    for (const node of nodes) {
      const repeat = await node.post('/v2/deposits', {
        ...body,
        depositId: body.depositId.toUpperCase(),
        amount: '999',
      })
      assert.equal(repeat.body.status, 'DUPLICATE_IGNORED')
      assert.equal(repeat.body.created, first.body.created)
    }
    const record = await service.reaches(body.depositId, 'COMPLETED')
    assert.equal(record.amount, '15')
  })
})

describe('the accept group', { timeout: 540_000 }, () => {
  it('never deadlocks when two groups name the same payments in different orders', async () => {
    const [low, middle, high] = [randomUUID(), randomUUID(), randomUUID()].toSorted()
    const otherMiddle = `${middle?.slice(0, -4)}ffff`
    const [link, blocker] = await Promise.all([
      startDatabaseLink(service.databaseUrl),
      connectTo(service.databaseUrl),
    ])
    const database = openDatabase({ connectionString: link.url }, 4)
    // Both groups are stopped halfway, each with one of the rows that the other one wants next.
    await blocker.query('begin')
    await insertPayments(blocker, [middle, otherMiddle])
    const group = () =>
      createAcceptGroup(
        database,
        () => {},
        () => true,
      )
    const [up, down] = [group(), group()]
    const results = Promise.all([
      Promise.all([low, middle, high].map((id) => up.add(acceptance(id)))),
      Promise.all([high, otherMiddle, low].map((id) => down.add(acceptance(id)))),
    ])
    await waitForLock(service, 'insert into payments', 2)
    await blocker.query('rollback')
    const [first, other] = await results
    const isNew = (at: number, list: readonly { isNew: boolean }[]): number =>
      list[at]?.isNew === true ? 1 : 0
    assert.equal(isNew(0, first) + isNew(2, other), 1)
    assert.equal(isNew(2, first) + isNew(0, other), 1)
    assert.equal(link.sent('accept'), 2, 'a deadlock was resolved by writing again')
    await database.close()
    await link.close()
    await blocker.end()
    // These were never handed to a node, so the books would rightly call them unfinished.
    await service.database.query(`delete from payments where state = 'ACCEPTED'`)
  })
})

function acceptance(id: string | undefined): Acceptance {
  const payment = {
    merchantId: 1,
    kind: 'deposit',
    id,
    idAsSent: id,
    key: randomUUID(),
    generation: 'v2',
    state: 'ACCEPTED',
    amount: '15',
    currency: 'ZMW',
    country: 'ZMB',
    provider: 'MTN_MOMO_ZMB',
    phoneNumber: '260763456789',
    details: {},
    // Far ahead, so that no node claims it.
    createdAt: Date.now() + 86_400_000,
  }
  return { payment: payment as unknown as Payment, holder: UNHELD }
}

async function insertPayments(
  client: Awaited<ReturnType<typeof connectTo>>,
  ids: readonly (string | undefined)[],
): Promise<void> {
  await client.query(
    `insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
       country, provider, phone_number, state, holder, due_at)
     select 1, 'deposit', id, gen_random_uuid(), 'v2', now(), 1, 'ZMW', 'ZMB', 'MTN_MOMO_ZMB',
       '260763456789', 'ACCEPTED', 0, now() + interval '1 day'
     from unnest($1::uuid[]) as i (id)`,
    [ids],
  )
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../harness/merchant.ts'
import { connectTo } from '../../harness/process.ts'
import { eventually, startService } from '../../harness/service.ts'
import { pipeline } from '../support/pipeline.ts'

const service = await startService()
const other = await addMerchant(service, { slug: 'quiet' })
after(() => service.stop())

describe('clients that leave in the middle of the body of a GET', { timeout: 540_000 }, () => {
  it('take no capacity from other anonymous clients', async () => {
    const head = `GET /v1/predict-correspondent HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n`
    const auth = `Authorization: Bearer ${service.token}\r\n`
    for (const headers of ['', auth]) {
      const sockets = Array.from({ length: 60 }, () => connect(service.node.port, '127.0.0.1'))
      for (const socket of sockets) socket.write(`${head}${headers}\r\n`)
      // By then the service has read all of them.
      assert.equal((await service.get('/v2/active-conf')).status, 200)
      for (const socket of sockets) socket.destroy()
    }
    assert.equal((await fetch(`${service.url}/pay/abc`)).status, 404)
    assert.equal((await fetch(`${service.url}/public-key/http`)).status, 200)
    assert.equal((await service.get('/v2/active-conf')).status, 200)
  })
})

describe('searches of the documentation', { timeout: 540_000 }, () => {
  it('let other requests through in between', async () => {
    const flood = pipeline(service, 4, 'GET /docs/search?q=e', 25)
    await eventually(() => assert.ok(flood.answered() > 0))
    assert.equal((await other.call('GET', '/v2/active-conf')).status, 200)
    assert.ok(flood.answered() < 100, 'all of the searches came first')
    assert.equal(await flood.ended, 100)
  })
})

describe('requests that a client sends without waiting for answers', { timeout: 540_000 }, () => {
  it('are worked on four at a time, and all are answered', async (test) => {
    const blocker = await connectTo(service.databaseUrl)
    test.after(() => blocker.end())
    await blocker.query('begin')
    await blocker.query('lock table payments in access exclusive mode')
    // The workers of the node wait for the same table with other statements.
    const underWay = async (): Promise<number | undefined> => {
      const [row] = await service.database.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'
           and query like '%from payments p where merchant_id = $1 and kind = $2 and id = $3'`,
      )
      return row?.count
    }
    const { ended } = pipeline(service, 100, `GET /v2/deposits/${randomUUID()}`)
    await eventually(async () => assert.equal(await underWay(), 4))
    assert.equal((await other.call('GET', '/v2/active-conf')).status, 200)
    assert.equal(await underWay(), 4)
    await blocker.query('rollback')
    assert.equal(await ended, 100)
  })

  it('and that are far too many end with the connection, after the answers already due', async () => {
    const { ended } = pipeline(service, 1000, 'GET /livez')
    const answered = await ended
    assert.ok(answered >= 104 && answered < 1000, `${answered} answers`)
  })
})

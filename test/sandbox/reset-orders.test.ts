import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { depositBody, eventually, payer, startService } from '../../harness/service.ts'
import { startDatabaseLink } from '../support/database-link.ts'

const service = await startService()
const link = await startDatabaseLink(service.databaseUrl)
const node = await service.addNode({ DATABASE_URL: link.url })
after(async () => {
  await node.stop()
  await link.close()
  await service.stop()
})

const ASKED = '260763456780'

describe('an order that is sent while its payment is wiped', { timeout: 540_000 }, () => {
  for (const [what, number, statement] of [
    ['', '260763456789', 'book-orders'],
    [' to a phone that somebody has', ASKED, 'lock-phone'],
  ] as const) {
    it(`does not reach the operator${what}, so that the identifier can be used again`, async () => {
      await service.put(`/sandbox/phones/${ASKED}`, { mode: 'interactive' })
      const body = depositBody({ amount: '5', payer: payer(number, 'MTN_MOMO_ZMB') })
      const sending = link.holdRequestOf(statement)
      assert.equal((await node.post('/v2/deposits', body)).body.status, 'ACCEPTED')
      await sending.reached
      assert.equal((await service.post('/sandbox/reset')).status, 204)
      const again = { ...body, amount: '77', payer: payer('260763456789', 'MTN_MOMO_ZMB') }
      assert.equal((await service.post('/v2/deposits', again)).body.status, 'ACCEPTED')
      sending.letThrough()
      // By then what was held has gone as far as it can.
      const { id } = await node.deposit({ amount: '9' })
      await node.reaches(id, 'COMPLETED')
      await service.reaches(body.depositId, 'COMPLETED')
      await eventually(async () => {
        const orders = await service.database.query(
          'select amount::float8 as amount, asked from sandbox_orders order by amount',
        )
        assert.deepEqual(orders, [
          { amount: 9, asked: 1 },
          { amount: 77, asked: 1 },
        ])
      })
    })
  }
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { shareService } from '../../../../harness/share.ts'
import { askStatement, ended, statementOf, walletBalance } from '../../../../harness/statements.ts'
import { assertAnswer } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)
const other = await addMerchant(service, { name: 'Other Company' })

it("another merchant's statement is not found, exactly like an unknown one", async () => {
  const id = await askStatement(service)
  await ended(service, id)
  const theirs = await other.call('GET', `/v2/statements/${id}`)
  const unknown = await other.call('GET', `/v2/statements/${randomUUID()}`)
  assertAnswer(theirs, 200, { status: 'NOT_FOUND' })
  assert.deepEqual(theirs.body, unknown.body)
  assert.equal((await other.call('GET', `/sandbox/deliveries?paymentId=${id}`)).status, 404)
})

it("a statement holds the merchant's own movements and nobody else's", async () => {
  const mine = await service.deposit({ amount: '11' })
  await service.reaches(mine.id, 'COMPLETED')
  const { rows, record } = await statementOf(other)
  assert.deepEqual(
    rows.map(({ type, net }) => [type, net]),
    [['ADJUSTMENT', '1000000.00']],
  )
  assert.equal(record.closingBalance, await walletBalance(other))
  const own = await statementOf(service)
  assert.equal(own.rows.at(-1)?.transactionId, mine.id)
  assert.equal(own.record.closingBalance, '1000011.00')
})

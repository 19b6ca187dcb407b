import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { connectTo } from '../../harness/process.ts'
import { startService } from '../../harness/service.ts'
import type { MerchantId, PaymentId } from '../../src/domain/ids.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { findPayment } from '../../src/store/payments/payments.ts'
import { type BookedOrder, createBookingGroup } from '../../src/store/sandbox/orders.ts'
import { bookWithPhone } from '../../src/store/sandbox/phones.ts'
import { waitForLock } from '../support/lock-waits.ts'

const service = await startService()
const database = openDatabase({ connectionString: service.databaseUrl }, 2)
after(async () => {
  await database.close()
  await service.stop()
})

const maySend = (): boolean => true
const group = createBookingGroup(database, maySend)
const WAYS = {
  'in a group': (order: BookedOrder) => group.add(order),
  'with its phone': (order: BookedOrder) =>
    bookWithPhone(database, order, maySend, async () => undefined),
}

for (const [way, book] of Object.entries(WAYS)) {
  it(`an order whose reference is booked at the same moment was asked twice, ${way}`, {
    timeout: 240_000,
  }, async () => {
    const { id } = await service.deposit()
    await service.reaches(id, 'COMPLETED')
    const payment = await findPayment(database, 1 as MerchantId, 'deposit', id as PaymentId)
    assert.ok(payment !== undefined)
    const { merchantId, key: paymentKey, phoneNumber, provider, amount, currency } = payment
    const reference = `of two at once ${way}`
    const receivedAt = Date.now()

    const elsewhere = await connectTo(service.databaseUrl)
    await elsewhere.query('begin')
    await elsewhere.query(
      `insert into sandbox_orders
         (merchant_id, reference, operation, phone_number, provider, amount, currency, received_at,
          asked)
       values ($1, $2, 'DEPOSIT', $3, $4, $5, $6, to_timestamp($7::float8 / 1000), 1)`,
      [merchantId, reference, phoneNumber, provider, amount, currency, receivedAt],
    )
    const paymentId = id as PaymentId
    const order = {
      merchantId,
      paymentId,
      paymentKey,
      reference,
      phoneNumber,
      provider,
      amount,
      currency,
    }
    const none = { story: undefined, isFollowed: false, notifyAt: undefined }
    const booked = book({ ...order, ...none, operation: 'DEPOSIT', receivedAt: receivedAt + 1 })
    await waitForLock(service, 'insert into sandbox_orders')
    await elsewhere.query('commit')
    await elsewhere.end()
    assert.deepEqual(await booked, { asked: 2, receivedAt })
    // The books would find that the operator was asked twice.
    await database.query('delete from sandbox_orders where reference = $1', [reference])
  })
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { eventually, payer, startService } from '../../harness/service.ts'
import { adjustTo } from '../../src/store/payments/ledger.ts'
import { waitForLock } from '../support/lock-waits.ts'

const service = await startService()
after(service.stop)

/** Fills the empty wallet, and commits only when another transaction waits for it. */
async function fillWhileAwaited(balance: string, begin: () => void): Promise<void> {
  await service.database.inTransaction(async (tx) => {
    await adjustTo(tx, 1 as Parameters<typeof adjustTo>[1], {
      key: randomUUID(),
      account: 'wallet:ZMB:ZMW',
      against: 'adjustment:ZMW',
      balance,
      now: Date.now(),
    })
    begin()
    await waitForLock(service, 'insert into payments')
  })
}

describe('money that comes in while a payment waits for its wallet', { timeout: 540_000 }, () => {
  it('counts: the payment is accepted and paid from it', async () => {
    await service.put('/sandbox/wallets', { country: 'ZMB', currency: 'ZMW', balance: '0' })
    const payoutId = randomUUID()
    const recipient = payer('260763456789', 'MTN_MOMO_ZMB')
    const body = { payoutId, amount: '60', currency: 'ZMW', recipient }
    let answer: ReturnType<typeof service.post> | undefined
    await fillWhileAwaited('100', () => {
      answer = service.post('/v2/payouts', body)
    })
    const { status, body: reply } = (await answer) ?? {}
    assert.deepEqual([status, reply?.status], [200, 'ACCEPTED'])
    await eventually(async () => {
      const { body: found } = await service.get(`/v2/payouts/${payoutId}`)
      assert.equal(found.data.status, 'COMPLETED')
    })
    const { body: wallets } = await service.get('/v2/wallet-balances?country=ZMB')
    assert.equal(wallets.balances[0].balance, '40.00')
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import { checkout, checkoutReaches, form } from '../../../../harness/hosted.ts'
import { addToken, callerWith } from '../../../../harness/merchant.ts'
import { payout, reachesPayout } from '../../../../harness/payouts.ts'
import { shareService } from '../../../../harness/share.ts'
import { askStatement, ended, statementOf } from '../../../../harness/statements.ts'
import type { Scope } from '../../../../src/domain/accounts/token.ts'

const service = await shareService()
after(service.stop)

it('metadata marked as personal is shown to a token with the scope pii, to no other', async () => {
  const metadata = [{ order: '7' }, { customer: 'x@example.com', isPII: true }]
  const { id } = await payout(service, { metadata })
  await reachesPayout(service, id, 'COMPLETED')
  const shownTo = async (...scopes: readonly Scope[]): Promise<unknown> => {
    const token = await addToken(service, service.merchantId, scopes)
    const { rows } = await statementOf(callerWith(service, token))
    const row = rows.find(({ transactionId }) => transactionId === id)
    return JSON.parse(row?.metadata ?? '{}')
  }
  const shown = { order: '7', customer: 'x@example.com' }
  const masked = { order: '7', customer: '***' }
  assert.deepEqual(await shownTo('finances', 'pii'), shown)
  assert.deepEqual(await shownTo('*', 'pii'), shown)
  assert.deepEqual(await shownTo('finances'), masked)
  assert.deepEqual(await shownTo('*'), masked)
})

it('the link to values in clear is for tokens with the scope pii alone', async () => {
  const tokenWith = async (...scopes: readonly Scope[]) =>
    callerWith(service, await addToken(service, service.merchantId, scopes))
  const [clear, other] = [await tokenWith('finances', 'pii'), await tokenWith('*')]
  const id = await askStatement(clear)
  const { downloadUrl, ...record } = await ended(clear, id)
  assert.equal((await fetch(downloadUrl)).status, 200)
  assert.deepEqual(await ended(other, id), record)
  assert.ok('downloadUrl' in (await ended(clear, await askStatement(other))))
})

it('a deposit made on a checkout has the identifier of the checkout', async () => {
  const { id, code } = await checkout(service, { checkoutId: randomUUID().toUpperCase() })
  await service.node.hosted.payOnCheckout(code, form())
  const { deposit } = await checkoutReaches(service, id, 'COMPLETED')
  const { rows } = await statementOf(service)
  const row = rows.find(({ transactionId }) => transactionId === deposit.depositId)
  assert.deepEqual([row?.type, row?.checkoutId], ['DEPOSIT', id])
})

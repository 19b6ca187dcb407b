import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { checkoutBody, FAILS, PAYS } from '../../harness/hosted.ts'
import { callAt } from '../../harness/process.ts'
import { chanceOf } from '../../harness/random/chance.ts'
import { IS_PROOF } from '../../harness/scale.ts'
import { eventually, startService } from '../../harness/service.ts'
import { allWorkEnds, checkEverything } from '../../proof/support/check.ts'
import { startListener } from '../../proof/support/listener.ts'
import { openShop } from '../../proof/support/shop.ts'
import { startDatabaseLink } from '../support/database-link.ts'

/**
 * Every statement whose answer decides what a node knows of money, orders, callbacks or itself. In
 * `npm test` one of each.
 */
const EVERY_PAYMENT = [
  'accept',
  'hold-simple',
  'hold',
  'advance',
  'advance-whole',
  'insert-split',
  'lock-deposits',
  'book-orders',
  'record-first',
  'record-attempts',
  'due-work',
  'claim-payments',
  'claim-callbacks',
  'heartbeat',
]
const PAYMENTS = IS_PROOF
  ? EVERY_PAYMENT
  : ['accept', 'hold', 'book-orders', 'record-first', 'heartbeat']
const EVERY_CHECKOUT = ['insert-checkout', 'start-attempt', 'ask-expiry', 'cancel-checkout']
const CHECKOUTS = IS_PROOF ? EVERY_CHECKOUT : ['start-attempt']

/** Payments under way beside the lost answer. */
const AT_ONCE = 8

const listener = await startListener()
const service = await startService({ MALIPO_SANDBOX_CALLBACK_URL: listener.url })
const link = await startDatabaseLink(service.databaseUrl)
const node = await service.addNode({ DATABASE_URL: link.url })
after(async () => {
  await node.stop()
  await link.close()
  await service.stop()
  await listener.close()
})
const wallet = { country: 'ZMB', currency: 'ZMW', balance: '1000000' }
assert.equal((await service.put('/sandbox/wallets', wallet)).status, 204)
const shop = openShop(listener, chanceOf(1))

const isReady = () =>
  eventually(async () => assert.equal((await callAt(node, 'GET', '/readyz'))?.status, 200))

/** Acts at the node until the statement was sent and its answer lost. */
async function loseAnswer(statement: string, act: () => Promise<unknown>): Promise<void> {
  await isReady()
  let isLost = false
  void link.loseAnswerTo(statement).then(() => {
    isLost = true
  })
  await eventually(async () => {
    await act()
    assert.ok(isLost, `${statement} was not sent`)
  })
}

describe('a node that loses the answer to a statement', { timeout: 540_000 }, () => {
  for (const statement of PAYMENTS) {
    it(`goes on without harm to any payment: ${statement}`, async () => {
      await loseAnswer(statement, () =>
        Promise.all(Array.from({ length: AT_ONCE }, () => shop.next(node))),
      )
    })
  }

  it('has lost, doubled and omitted nothing in the end', async () => {
    assert.ok(await shop.settle([service]))
    const hurry = () => service.advance(60)
    const verdicts = [
      await allWorkEnds(service.database, 120_000, hurry),
      ...(await checkEverything(service.database, shop, listener)),
    ]
    const findings = verdicts.flatMap(({ guarantee, findings: all }) =>
      all.map((one) => `${guarantee}: ${one}`),
    )
    assert.deepEqual(findings, [])
  })

  for (const statement of CHECKOUTS) {
    it(`leaves a checkout that reaches a final state: ${statement}`, async () => {
      await loseAnswer(statement, async () => {
        const body = checkoutBody()
        const made = await callAt(node, 'POST', '/v2/checkouts', body)
        const code = made?.body?.checkoutCode
        if (code === undefined) return
        await press(code, { phoneNumber: FAILS, provider: 'MTN_MOMO_ZMB', do: 'pay' })
        await press(code, { do: 'cancel' })
        await callAt(node, 'POST', `/v2/checkouts/${body.checkoutId}/expire`)
        await press(code, { phoneNumber: PAYS, provider: 'MTN_MOMO_ZMB', do: 'pay' })
      })
      await eventually(async () => {
        await service.advance(3600)
        const open = await service.database.query('select from checkouts where ended_at is null')
        assert.equal(open.length, 0)
      })
    })
  }
})

/** Whether an answer comes is left open. */
async function press(code: string, form: Record<string, string>): Promise<void> {
  const body = new URLSearchParams(form)
  await fetch(`${node.url}/checkout/${code}`, { method: 'POST', redirect: 'manual', body }).catch(
    () => undefined,
  )
}

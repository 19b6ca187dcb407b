import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { customer, filled, linkNamed } from '../../harness/customer.ts'
import { checkout, checkoutReaches, FAILS, form, PAYS, page } from '../../harness/hosted.ts'
import { reachesOperator } from '../../harness/operator.ts'
import { phoneOf } from '../../harness/phones.ts'
import { itOnAllPages } from '../../harness/scale.ts'
import { browser, service } from './rig.ts'

const shop = createServer((_request, answer) => answer.end('the shop')).listen(0, '127.0.0.1')
await once(shop, 'listening')
const shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
const returnUrl = `${shopUrl}/thanks?order=7#top`
const MTN = 'MTN_MOMO_ZMB'

describe('back to the merchant', () => {
  after(() => {
    shop.closeAllConnections()
    shop.close()
  })

  const returned = (code: string): string => `${shopUrl}/thanks?order=7&checkoutCode=${code}#top`
  const LEAVES = [
    { method: 'INSTANT', number: PAYS },
    { method: 'INSTANT', number: FAILS },
    { method: 'COUNTDOWN', number: PAYS },
    { method: 'CUSTOMER_ACTION', number: PAYS },
  ] as const
  const outcomeOf = (number: string) => (number === PAYS ? 'done' : 'failed')

  for (const [at, { method, number }] of LEAVES.entries()) {
    for (const hasScript of [true, false]) {
      // In `npm test` the way back without a press stands for all.
      const itHere = at === 0 && hasScript ? it : itOnAllPages
      itHere(
        `${method}, ${outcomeOf(number)}, ${hasScript ? 'with' : 'without'} script`,
        async () => {
          const one = await customer(browser, service, { lang: 'en', hasScript })
          const counts = hasScript && method === 'COUNTDOWN'
          if (counts) await one.tab.context().clock.install()
          const { id, code } = await checkout(service, { returnMethod: method, returnUrl })
          const phone = `26076345${hasScript ? '1' : '2'}${at}00`
          const script = [
            { afterSeconds: 0, answer: 'pending' },
            { afterSeconds: 60, answer: outcomeOf(number), ...failure(number) },
          ]
          await phoneOf(service, phone).set({ mode: 'auto', script })
          await one.open(`/checkout/${code}`)
          await one.fill('phoneNumber', phone.slice(3))
          await one.choose(MTN)
          await one.pay()
          await one.sees('waitHeading')
          const { deposit } = await checkoutReaches(service, id, 'PROCESSING')
          await reachesOperator(service, deposit.depositId)
          if (hasScript) await service.advance(60)
          else await Promise.all([one.tab.locator('.button').click(), service.advance(60)])
          const heading = number === PAYS ? 'paidHeading' : 'failedHeading'
          if (method === 'INSTANT' && number === PAYS) await one.tab.waitForURL(returned(code))
          else {
            await one.sees(heading)
            const line = one.tab.locator('#leaving')
            // The checkout is still open: only the customer decides to leave it.
            const triesAgain = linkNamed(one.tab, one.words.tryAgain)
            assert.equal(await triesAgain.count(), number === PAYS ? 0 : 1)
            if (counts) {
              await line.waitFor()
              const left = one.tab.waitForURL(returned(code))
              // The page goes away under the last second.
              await one.tab.clock.runFor(60_000).catch(() => {})
              await left
            } else {
              assert.equal(await line.isVisible(), false)
              await one.tab.locator('#return').click()
              await one.tab.waitForURL(returned(code))
            }
          }
          // A bookmark stays readable, and is not sent away.
          await one.open(`/checkout/${code}`)
          await one.sees(heading)
          await one.close()
        },
      )
    }
  }

  const failure = (number: string) =>
    number === PAYS ? {} : { failureCode: 'INSUFFICIENT_BALANCE' }

  itOnAllPages('a customer who wants to stay is not sent away', async () => {
    const one = await customer(browser, service, { lang: 'en', hasScript: true })
    await one.holdTimers()
    const { id, token } = await page(service)
    assert.equal((await service.node.hosted.payOnPage(token, form())).status, 'STARTED')
    await service.reaches(id, 'COMPLETED')
    await one.open(`/pay/${token}?wait=0`)
    await one.tab.clock.runFor(9000)
    const [file] = await Promise.all([
      one.tab.waitForEvent('download'),
      linkNamed(one.tab, one.words.saveReceipt).click(),
    ])
    assert.equal(file.suggestedFilename(), 'receipt.html')
    await one.tab.locator('#leaving').waitFor({ state: 'hidden' })
    await one.open(`/pay/${token}?wait=0`)
    await one.tab.clock.runFor(9000)
    await one.tab.getByRole('button', { name: one.words.stay }).click()
    let hasLeft = false
    one.tab.on('request', (request) => {
      hasLeft ||= request.isNavigationRequest()
    })
    await one.tab.clock.runFor(10_000)
    await one.sees('paidHeading')
    assert.equal(hasLeft, false)
    await one.close()
  })

  for (const hasScript of [true, false]) {
    itOnAllPages(`cancelled, ${hasScript ? 'with' : 'without'} script`, async () => {
      const one = await customer(browser, service, { lang: 'en', hasScript })
      const { id, code } = await checkout(service, { returnUrl })
      await one.open(`/checkout/${code}`)
      await one.tab.getByRole('button', { name: one.words.cancelAndReturn }).click()
      await checkoutReaches(service, id, 'CANCELLED')
      if (!hasScript) {
        await one.sees('cancelledHeading')
        const name = filled(one.words.returnTo, { name: 'Demo Merchant' })
        await linkNamed(one.tab, name).click()
      }
      await one.tab.waitForURL(returned(code))
      await one.close()
    })
  }
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { failureCodeOf, phoneOf } from '../../harness/phones.ts'
import { itOnAllPages, LOOKS_AT_ALL } from '../../harness/scale.ts'
import { eventually } from '../../harness/service.ts'
import {
  developer,
  freshNumber,
  press,
  seesMessage,
  seesPrompt,
  take,
  visitor,
  words,
} from './developer.ts'
import { service } from './rig.ts'

for (const hasScript of LOOKS_AT_ALL ? [true, false] : [true]) {
  describe(`the phone, ${hasScript ? 'with script' : 'without script'}`, () => {
    it('shows a payment; approved, it completes, and the receipt has its transaction id', async () => {
      const one = await developer(hasScript)
      const number = freshNumber()
      await take(one.tab, number)
      await one.tab.getByText(words.nothing).waitFor()
      const id = await phoneOf(service, number).pays({ amount: '27' })
      await seesPrompt(one.tab, hasScript)
      assert.match(await one.tab.locator('.ask').innerText(), /27\.00\sZMW to Demo Merchant/)
      await one.tab.locator('#pin').fill('1234')
      await press(one.tab, words.approve)
      await one.tab.getByText(words.flash_APPROVED).waitFor()
      const { providerTransactionId } = await service.reaches(id, 'COMPLETED')
      await seesMessage(one.tab, `Transaction ${providerTransactionId}.`, hasScript)
    })

    itOnAllPages('refuses a payment', async () => {
      const one = await developer(hasScript)
      const number = freshNumber()
      await take(one.tab, number)
      const id = await phoneOf(service, number).pays()
      await seesPrompt(one.tab, hasScript)
      await press(one.tab, words.refuse)
      const { failureReason } = await service.reaches(id, 'FAILED')
      assert.equal(failureCodeOf({ failureReason }), 'PAYMENT_NOT_APPROVED')
      await seesMessage(one.tab, 'was not made', hasScript)
    })

    itOnAllPages('wants a PIN, counts wrong ones, and declines after three', async () => {
      const one = await developer(hasScript)
      const number = freshNumber()
      await take(one.tab, number)
      const id = await phoneOf(service, number).pays()
      await seesPrompt(one.tab, hasScript)
      await press(one.tab, words.approve)
      await one.tab.getByText(words.flash_PIN_MISSING).waitFor()
      for (const left of ['2', '1']) {
        await one.tab.locator('#pin').fill('0000')
        await press(one.tab, words.approve)
        await one.tab.getByText(words.flash_WRONG_PIN.replace('{left}', left)).waitFor()
        assert.ok((await one.tab.title()).startsWith('Error: '))
      }
      await one.tab.locator('#pin').fill('0000')
      await press(one.tab, words.approve)
      await service.reaches(id, 'FAILED')
    })

    itOnAllPages(
      'buys in the shop by Checkout and by Payment Page, with the phone beside',
      async () => {
        for (const way of [words.byCheckout, words.byPage]) {
          const one = await developer(hasScript)
          await one.tab.goto(`${service.url}/sandbox/shop?lang=en`)
          const number = freshNumber()
          const phone = await one.context.newPage()
          await take(phone, number)
          await press(one.tab, way)
          await one.tab.locator('[name=phoneNumber]').fill(number.slice(3))
          await one.tab.locator('[name=provider][value=MTN_MOMO_ZMB]').check()
          await one.tab.locator('button[value=pay]').click()
          await seesPrompt(phone, hasScript)
          await phone.locator('#pin').fill('1234')
          await press(phone, words.approve)
          // A tab behind another draws no frames on some machines, and a click waits for two.
          await one.tab.bringToFront()
          await eventually(async () => {
            const link = one.tab.getByRole('link', { name: /Return to|Look again|Check again/ })
            if (!one.tab.url().includes('/sandbox/shop/back')) {
              await link.first().click({ timeout: 5000 })
            }
            assert.ok(one.tab.url().includes('/sandbox/shop/back'), one.tab.url())
          }, 120_000)
          await one.tab.getByText(words.paid).waitFor()
          await one.tab.locator('main').getByText('COMPLETED').first().waitFor()
          await phone.close()
        }
      },
    )
  })
}

itOnAllPages('the phone is taken and answered by keyboard alone', async () => {
  const { tab, context } = await visitor()
  const { keyboard } = tab
  const to = async (selector: string): Promise<void> => {
    const isThere = () => tab.evaluate((one) => document.activeElement?.matches(one), selector)
    for (let count = 0; count < 100; count += 1) {
      if (await isThere()) return
      await keyboard.press('Tab')
    }
    assert.fail(`${selector} cannot be reached`)
  }
  const loads = (key: string) => Promise.all([tab.waitForEvent('load'), keyboard.press(key)])
  await tab.goto(`${service.url}/sandbox?lang=en`)
  await to('#token')
  await keyboard.type(service.token)
  await loads('Enter')
  const number = freshNumber()
  await to('#typed')
  await keyboard.type(number)
  await loads('Enter')
  await tab.getByText(words.flash_TAKEN).waitFor()
  const refused = await phoneOf(service, number).pays()
  await tab.locator('#pin').waitFor()
  await to('#refuse')
  await loads('Space')
  await service.reaches(refused, 'FAILED')
  const paid = await phoneOf(service, number).pays()
  await tab.locator('#pin').waitFor()
  await to('#pin')
  await keyboard.type('1234')
  await loads('Enter')
  await service.reaches(paid, 'COMPLETED')
  await to('#tab-wallet')
  await keyboard.press('Enter')
  await tab.locator('.entry').getByText(words.entryPaid).waitFor()
  await to('#listed')
  await keyboard.press('ArrowDown')
  await to('.help summary')
  await keyboard.press('Space')
  assert.equal(await tab.locator('details[open]').count(), 1)
  await keyboard.press('Enter')
  assert.equal(await tab.locator('details[open]').count(), 0)
  await context.close()
})

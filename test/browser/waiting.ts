import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Route } from 'playwright-core'
import { type Customer, customer, filled, forCustomers, linkNamed } from '../../harness/customer.ts'
import {
  checkout,
  checkoutReaches,
  form,
  PAYS,
  page,
  recordOf,
  STAYS,
} from '../../harness/hosted.ts'
import { advanceUntil, reachesOperator } from '../../harness/operator.ts'
import { phoneOf, takenPhone } from '../../harness/phones.ts'
import { itOnAllPages, LOOKS_AT_ALL } from '../../harness/scale.ts'
import { eventually } from '../../harness/service.ts'
import type { PaymentKey } from '../../src/domain/ids.ts'
import { shortReference } from '../../src/domain/payments/short-reference.ts'
import { browser, service } from './rig.ts'

/** The acceptance rows of the customers' pages that are about waiting and what ends it. */
const MTN = 'MTN_MOMO_ZMB'
/** In `npm test`, A-1 and A-12 stand for these. */
const onAllPages = (
  name: string,
  journey: (one: Customer) => Promise<void>,
  scripts?: readonly boolean[],
): void => {
  if (LOOKS_AT_ALL) forCustomers(browser, service, name, journey, scripts)
}

async function script(number: string, steps: readonly object[]): Promise<void> {
  await phoneOf(service, number).set({ mode: 'auto', script: steps })
}

/** Opens a page on which the deposit is under way and stays so. */
async function waits(one: Customer, number = STAYS): Promise<{ id: string; token: string }> {
  const { id, token } = await page(service)
  assert.deepEqual(await service.node.hosted.payOnPage(token, form(number)), { status: 'STARTED' })
  await reachesOperator(service, id)
  await one.open(`/pay/${token}`)
  await one.sees('waitHeading')
  return { id, token }
}

/** As the dashboard shows it. */
async function referenceOf(id: string): Promise<string> {
  const [row] = await service.database.query<{ key: PaymentKey }>(
    'select key from payments where id = $1',
    [id],
  )
  return row === undefined ? '' : shortReference(row.key)
}

onAllPages('A-6: how to get the prompt back: late with script, closed without', async (one) => {
  if (one.hasScript) {
    await one.holdTimers()
    await one.tab.context().route(/\/pay\/[^/]+$/, helpAfterTenSeconds(performance.now()))
  }
  await waits(one)
  const help = one.tab.locator('details')
  if (one.hasScript) {
    assert.equal(await help.isVisible(), false)
    await one.tab.clock.runFor(8000)
    assert.equal(await help.isVisible(), false)
    await one.tab.clock.runFor(5000)
    assert.equal(await help.locator('ol').isVisible(), true)
  } else {
    assert.equal(await help.isVisible(), true)
    assert.equal(await help.locator('ol').isVisible(), false)
    await help.locator('summary').click()
  }
  assert.equal(await help.locator('.dial').getAttribute('href'), 'tel:*115%23')
})

/** The page says what is left of twelve seconds since Pay, which a slow machine may have used up. */
const helpAfterTenSeconds = (startedMs: number) => async (route: Route) => {
  const response = await route.fetch()
  const html = await response.text()
  const [, left = ''] = /data-after="(\d+)"/.exec(html) ?? []
  const passed = (performance.now() - startedMs) / 1000
  assert.ok(left !== '' && Number(left) <= 12 && Number(left) >= 12 - passed, left)
  await route.fulfill({ response, body: html.replace(`data-after="${left}"`, 'data-after="10"') })
}

onAllPages('A-8: on to the provider’s page only, and back to what really is', async (one) => {
  const number = `22177345${one.lang === 'en' ? 1 : 2}${one.hasScript ? 1 : 2}11`
  await takenPhone(service, number)
  const changes = { country: 'SEN', amountDetails: { amount: '2500', currency: 'XOF' } }
  const { id, token } = await page(service, changes)
  await one.open(`/pay/${token}`)
  await one.fill('phoneNumber', number.slice(3))
  await one.choose('WAVE_SEN')
  await one.pay()
  const holds = one.tab.locator('[name=payWith][value=WAVE_SEN]')
  if (await holds.count()) await Promise.all([one.tab.waitForEvent('load'), holds.click()])
  await one.sees('goHeading', { provider: 'Wave' })
  const { authorizationUrl } = await eventually(async () => {
    const { data } = (await service.get(`/v2/deposits/${id}`)).body
    assert.ok(data.authorizationUrl)
    return data
  })
  if (!one.hasScript) await one.open(`/pay/${token}`)
  const onward = linkNamed(one.tab, filled(one.words.goButton, { provider: 'Wave' }))
  await onward.waitFor()
  assert.equal(await onward.getAttribute('href'), authorizationUrl)
  await onward.click()
  await one.tab.locator('.approve').click()
  await service.reaches(id, 'COMPLETED')
  // Whatever the address of the way back may claim.
  await one.open(`/pay/${token}?status=failed`)
  await one.sees('paidHeading')
})

describe('A-10: exactly one deposit', () => {
  const filledForm = async (one: Customer, path: string): Promise<void> => {
    await one.open(path)
    await one.fill('phoneNumber', STAYS.slice(3))
    await one.choose(MTN)
  }
  const attempts = async (id: string): Promise<number> =>
    (await recordOf(service, id)).depositsHistory.length

  for (const hasScript of [true, false]) {
    const how = hasScript ? 'with script' : 'without script'
    const itHere = hasScript ? it : itOnAllPages
    itHere(`Pay pressed three times at once, ${how}`, async () => {
      const one = await customer(browser, service, { lang: 'en', hasScript })
      const { id, code } = await checkout(service)
      await filledForm(one, `/checkout/${code}`)
      await one.tab.locator('button[value=pay]').click({ clickCount: 3, noWaitAfter: true })
      await one.sees('waitHeading')
      await checkoutReaches(service, id, 'PROCESSING')
      assert.equal(await attempts(id), 1)
      await one.close()
    })

    itOnAllPages(`Back and Pay, ${how}`, async () => {
      const one = await customer(browser, service, { lang: 'en', hasScript })
      const { id, code } = await checkout(service)
      await filledForm(one, `/checkout/${code}`)
      await one.pay()
      await one.sees('waitHeading')
      await one.tab.goBack()
      if ((await one.tab.locator('[name=phoneNumber]').count()) > 0) {
        await one.fill('phoneNumber', STAYS.slice(3))
        await one.choose(MTN)
        await one.pay()
      }
      await one.sees('waitHeading')
      assert.equal(await attempts(id), 1)
      await one.close()
    })
  }

  itOnAllPages('Enter held down in the number', async () => {
    const one = await customer(browser, service, { lang: 'en', hasScript: true })
    const { id, code } = await checkout(service)
    await filledForm(one, `/checkout/${code}`)
    await one.tab.locator('[name=phoneNumber]').focus()
    for (let count = 0; count < 3; count += 1) await one.tab.keyboard.down('Enter')
    await one.sees('waitHeading')
    assert.equal(await attempts(id), 1)
    await one.close()
  })

  itOnAllPages('two tabs, and a form that is sent again later', async () => {
    const [first, second] = await Promise.all([
      customer(browser, service, { lang: 'en', hasScript: true }),
      customer(browser, service, { lang: 'fr', hasScript: false }),
    ])
    const { id, code } = await checkout(service)
    await filledForm(first, `/checkout/${code}`)
    await filledForm(second, `/checkout/${code}`)
    await Promise.all([first.pay(), second.pay()])
    await first.sees('waitHeading')
    await second.sees('waitHeading')
    const body = new URLSearchParams({ phoneNumber: PAYS, provider: MTN })
    await fetch(`${service.url}/checkout/${code}`, { method: 'POST', body })
    assert.equal(await attempts(id), 1)
    await first.close()
    await second.close()
  })
})

onAllPages(
  'A-13: offline it says so, and goes on by itself',
  async (one) => {
    const number = '260763450002'
    await script(number, [
      { afterSeconds: 0, answer: 'pending' },
      { afterSeconds: 60, answer: 'done' },
    ])
    await one.holdTimers()
    await waits(one, number)
    const notice = one.tab.locator('.pending').getByText(one.words.offline)
    await one.tab.context().setOffline(true)
    await notice.waitFor()
    await service.advance(60)
    await one.tab.context().setOffline(false)
    // As soon as the browser is online again: no timer runs, and no request is waited for.
    await notice.waitFor({ state: 'detached' })
    await one.tab.clock.runFor(1)
    await one.sees('paidHeading')
  },
  [true],
)

onAllPages(
  'A-14: after three minutes it is being confirmed, and there is no second try',
  async (one) => {
    const { id, token } = await waits(one)
    await service.advance(180)
    await one.open(`/pay/${token}`)
    await one.sees('confirmHeading')
    const text = await one.main()
    assert.ok(text.includes(one.words.doNotPayAgain))
    for (const fact of ['15', '+260 76 *** *129', await referenceOf(id)]) {
      assert.ok(text.includes(fact), fact)
    }
    assert.equal(await linkNamed(one.tab, one.words.tryAgain).count(), 0)
    assert.equal(await one.tab.locator('form').count(), 0)
  },
)

onAllPages(
  'what changes while the page is open is replaced in it, announced once, without taking the focus',
  async (one) => {
    const number = '260763450003'
    await script(number, [{ afterSeconds: 0, answer: 'silent' }])
    const { id } = await waits(one, number)
    const back = one.tab.locator('#return')
    await back.focus()
    await advanceUntil(service, id, 'IN_RECONCILIATION')
    await one.sees('confirmHeading')
    assert.equal(await one.tab.locator('#announcement').textContent(), one.words.confirmHeading)
    assert.equal(await one.tab.locator('#return:focus').count(), 1)
    assert.equal(await one.tab.title(), one.words.confirmHeading)
  },
  [true],
)

itOnAllPages('G-5: the whole way by keyboard, with the focus in sight', async () => {
  const one = await customer(browser, service, { lang: 'en', hasScript: true })
  const { id, token } = await page(service)
  await one.open(`/pay/${token}`)
  const { keyboard } = one.tab
  const focused = () => one.tab.locator(':focus')
  await keyboard.press('Tab')
  assert.equal(await focused().getAttribute('name'), 'phoneNumber')
  await keyboard.type(PAYS.slice(3))
  await keyboard.press('Tab')
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowUp')
  await eventually(async () => assert.equal(await focused().getAttribute('name'), 'provider'))
  await one.tab.locator(`[value=${MTN}]`).press('Space')
  await keyboard.press('Tab')
  assert.equal(await focused().getAttribute('value'), 'pay')
  const outline = await focused().evaluate((node) => {
    // biome-ignore lint/suspicious/noExplicitAny: runs inside the page
    const style = (globalThis as any).getComputedStyle(node)
    return [style.outlineStyle, Number.parseInt(style.outlineWidth, 10) >= 2]
  })
  assert.deepEqual(outline, ['solid', true])
  await keyboard.press('Enter')
  await service.reaches(id, 'COMPLETED')
  await one.sees('paidHeading')
  await one.close()
})

itOnAllPages(
  'P-7: the provider of a typed number is selected and announced; a choice is not changed',
  async () => {
    const one = await customer(browser, service, { lang: 'en', hasScript: true })
    const { token } = await page(service)
    await one.open(`/pay/${token}`)
    assert.equal(await one.tab.locator('[name=provider]:checked').count(), 0)
    await one.fill('phoneNumber', '0763456789')
    await one.tab.keyboard.press('Tab')
    await one.tab.locator(`[value=${MTN}]:checked`).waitFor({ state: 'attached' })
    assert.equal(await one.tab.locator('#announcement').textContent(), 'MTN MoMo selected')
    await one.choose('AIRTEL_OAPI_ZMB')
    await one.pay()
    await one.sees('askHeading')
    const holds = filled(one.words.payWith, { provider: 'Airtel Money' })
    await one.tab.getByRole('button', { name: holds }).click()
    await one.sees('paidHeading')
    await one.tab.locator('main').getByText('Airtel Money').first().waitFor()
    await one.close()
  },
)

/** The dashboard by keys alone, and without scripts. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { signedIn } from '../../harness/dashboard.ts'
import { signInBrowser } from '../../harness/dashboard-pages.ts'
import { browser, service } from './rig.ts'

const owner = await signedIn(service, 'owner')
await service.deposit()
const paid = await service.deposit({ metadata: [{ orderId: 'ORD-1' }], clientReferenceId: 'INV-1' })
await service.reaches(paid.id, 'COMPLETED')

async function openTab(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(120_000)
  await signInBrowser(context, service.url, owner)
  return context.newPage()
}

it('keys lead to the search, to pages, and through a list', async () => {
  const tab = await openTab()
  await tab.goto(`${service.url}/dashboard/deposits`)
  await tab.keyboard.press('j')
  const first = await tab.evaluate(() => document.activeElement?.getAttribute('href'))
  assert.match(first ?? '', /^\/dashboard\/deposits\//)
  await tab.keyboard.press('j')
  await tab.keyboard.press('k')
  assert.equal(await tab.evaluate(() => document.activeElement?.getAttribute('href')), first)
  await tab.keyboard.press('/')
  await tab.keyboard.type('INV-1')
  await tab.keyboard.press('Enter')
  await tab.waitForURL(`**/dashboard/deposits/${paid.id}`)
  await tab.keyboard.press('g')
  await tab.keyboard.press('p')
  await tab.waitForURL('**/dashboard/payouts')
  await tab.keyboard.press('?')
  assert.ok(await tab.locator('#shortcuts').isVisible())
  await tab.context().close()
})

it('without scripts a deposit is found, and given back', async () => {
  const tab = await openTab({ javaScriptEnabled: false })
  await tab.goto(`${service.url}/dashboard`)
  await tab.getByRole('searchbox').fill('ORD-1')
  await tab.getByRole('button', { name: 'Search' }).click()
  await tab.waitForURL(`**/dashboard/deposits/${paid.id}`)
  await tab.getByLabel('Amount (ZMW)').fill('5')
  await tab.getByRole('button', { name: 'Refund' }).click()
  await tab.getByRole('heading', { name: 'Check the refund' }).waitFor()
  await tab.getByRole('button', { name: 'Refund 5.00' }).click()
  await tab.getByText('The refund is accepted.').waitFor()
  await tab.context().close()
})

/** Lists in a browser: what changes without a reload, and what works without script. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { VIEWPORTS } from '../../harness/browser.ts'
import { signedIn } from '../../harness/dashboard.ts'
import { signInBrowser } from '../../harness/dashboard-pages.ts'
import { itOnAllPages } from '../../harness/scale.ts'
import { darkViolations, violations } from '../support/accessibility.ts'
import { browser, service } from './rig.ts'

await service.deposit({ clientReferenceId: 'FIRST' })
await service.deposit({ clientReferenceId: 'SECOND' })

async function openList(query: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(120_000)
  await signInBrowser(context, service.url, await signedIn(service, 'owner'))
  const tab = await context.newPage()
  tab.on('pageerror', (error) => assert.fail(error))
  await tab.goto(`${service.url}/dashboard/deposits?${query}`)
  return tab
}

describe('a list', () => {
  itOnAllPages('says that payments have come, and shows them without a reload', async () => {
    const tab = await openList('clientReferenceId=THIRD')
    await tab.evaluate(() => document.body.setAttribute('data-same', ''))
    await service.deposit({ clientReferenceId: 'THIRD' })
    await tab.getByText('1 new payment.').waitFor()
    await tab.getByRole('link', { name: 'Show', exact: true }).click()
    await tab.getByRole('cell', { name: 'THIRD' }).waitFor()
    assert.ok(await tab.evaluate(() => document.body.hasAttribute('data-same')))
    await tab.context().close()
  })

  it('is sorted and filtered without a reload, and Back undoes it', async () => {
    const tab = await openList('all')
    await tab.evaluate(() => document.body.setAttribute('data-same', ''))
    const created = tab.getByRole('columnheader', { name: 'Created' })
    assert.equal(await created.getAttribute('aria-sort'), 'descending')
    await created.getByRole('link').click()
    await tab.waitForURL('**/dashboard/deposits?order=oldest')
    await tab.locator('[aria-sort="ascending"]').waitFor()
    assert.ok(await tab.evaluate(() => document.activeElement?.matches('.sort')))
    await tab.getByText('Filters', { exact: true }).click()
    await tab.getByRole('textbox', { name: 'Client reference' }).fill('SECOND')
    await tab.getByRole('button', { name: 'Apply' }).click()
    await tab.waitForURL('**/dashboard/deposits?clientReferenceId=SECOND&order=oldest')
    await tab.getByText('1 payment.').first().waitFor()
    await tab.goBack()
    await tab.goBack()
    await tab.locator('[aria-sort="descending"]').waitFor()
    assert.ok(await tab.evaluate(() => document.body.hasAttribute('data-same')))
    await tab.context().close()
  })

  itOnAllPages(
    'shows what was asked for last when the answer to an earlier one is still to come',
    async () => {
      const tab = await openList('all')
      await tab.getByRole('columnheader', { name: 'Created' }).getByRole('link').click()
      await tab.locator('[aria-sort="ascending"]').waitFor()
      await tab.getByText('Filters', { exact: true }).click()
      await tab.getByRole('textbox', { name: 'Client reference' }).fill('SECOND')
      await tab.getByRole('button', { name: 'Apply' }).click()
      await tab.getByText('1 payment.').first().waitFor()
      // The way back leads over the sorted list: its answer waits for the next question, and that
      // question's answer waits until the first is over.
      const isSorted = (one: Request): boolean => one.url().endsWith('?order=oldest')
      const isNextAsked = tab.waitForRequest((one) => one.url().endsWith('?all'))
      const isFirstOver = Promise.race([
        tab.waitForEvent('requestfinished', isSorted),
        tab.waitForEvent('requestfailed', isSorted),
      ])
      await tab.route('**/dashboard/deposits?*', async (route) => {
        await (isSorted(route.request()) ? isNextAsked : isFirstOver)
        await route.continue().catch(() => undefined)
      })
      await tab.goBack()
      await tab.goBack()
      await tab.locator('[aria-sort="descending"]').waitFor()
      await tab.context().close()
    },
  )

  itOnAllPages('is accessible and fits on a phone with all that it can unfold', async () => {
    const tab = await openList('min=1', { viewport: VIEWPORTS.phone })
    await tab.evaluate(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true
    })
    const wide = await tab.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(wide <= VIEWPORTS.phone.width, `${wide} px`)
    assert.deepEqual([...(await violations(tab)), ...(await darkViolations(tab))], [])
    await tab.context().close()
  })

  itOnAllPages('has the columns that a person chose, without script', async () => {
    const tab = await openList('all', { javaScriptEnabled: false })
    await tab.getByText('Columns', { exact: true }).click()
    await tab.getByRole('checkbox', { name: 'Country' }).uncheck()
    await tab.getByRole('checkbox', { name: 'Duration' }).check()
    await tab.getByLabel('Position: Duration').fill('1')
    await tab.getByRole('button', { name: 'Save columns' }).click()
    await tab.getByText('The columns are saved.').waitFor()
    const names = await tab.getByRole('columnheader').allInnerTexts()
    assert.ok(names.includes('Duration') && !names.includes('Country'), names.join())
    await tab.context().close()
  })
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { VIEWPORTS } from '../../harness/browser.ts'
import { LOOKS_AT_ALL } from '../../harness/scale.ts'
import { darkViolations, violations } from '../support/accessibility.ts'
import { visitor } from './developer.ts'
import { service } from './rig.ts'

// biome-ignore lint/suspicious/noExplicitAny: runs inside the page
type Inside = any

const reader = await visitor(true, 'fr')
const plain = await visitor(false)
const { tab } = reader
const complaints: string[] = []
tab.on('console', (line) => {
  if (/Content Security Policy/i.test(line.text())) complaints.push(line.text())
})
after(() => Promise.all([reader, plain].map(({ context }) => context.close())))

/** Each kind of page, and each state of the search. */
const EVERY_PAGE = [
  '/docs',
  '/docs/api/basics',
  '/docs/api/refunds',
  '/docs/guides/hosted-pages',
  '/docs/guides/failure-codes',
  '/docs/search',
  '/docs/search?q=invalid_amount',
  '/docs/search?q=xyzzy',
  '/docs/api/nothing',
]

const PAGES = LOOKS_AT_ALL
  ? EVERY_PAGE
  : ['/docs/guides/hosted-pages', '/docs/search?q=invalid_amount']

describe('the documentation is accessible and fits:', () => {
  for (const path of PAGES) {
    it(path, async () => {
      await tab.goto(service.url + path)
      await tab.evaluate(() => {
        for (const one of (globalThis as Inside).document.querySelectorAll('details')) {
          one.open = true
        }
      })
      for (const viewport of [VIEWPORTS.desktop, VIEWPORTS.phone]) {
        await tab.setViewportSize(viewport)
        assert.equal(await isTooWide(tab), false, `${viewport.width}`)
      }
      assert.deepEqual(complaints, [])
      assert.deepEqual(await violations(tab), [])
      assert.deepEqual(await darkViolations(tab), [])
    })
  }
})

const isTooWide = (one: Page): Promise<boolean> =>
  one.evaluate(() => {
    const { document, innerWidth } = globalThis as Inside
    return document.documentElement.scrollWidth > innerWidth
  })

describe('the documentation with a script', () => {
  it('leads a link into the former single page to where the operation is now', async () => {
    await tab.goto('about:blank')
    await tab.goto(`${service.url}/docs#initiate-deposit`)
    await tab.waitForURL('**/docs/api/deposits#initiate-deposit')
  })

  it('shows examples in the language that was chosen last, on every page', async () => {
    await tab.goto(`${service.url}/docs/api/deposits`)
    await tab.locator('label', { hasText: 'Python' }).first().click()
    assert.equal(await tab.locator('.in-python:visible').count(), 3)
    await tab.goto(`${service.url}/docs/api/finances`)
    assert.equal(await tab.locator('.in-curl:visible').count(), 0)
    assert.ok((await tab.locator('.in-python:visible').count()) > 0)
  })

  it('finds while somebody types, and keeps the query in the address', async () => {
    await tab.goto(`${service.url}/docs/search`)
    await tab.locator('#search').fill('clientReferenceId')
    await tab.getByText('results for “clientReferenceId”').first().waitFor()
    await tab.waitForURL('**/docs/search?q=clientReferenceId')
    const field = tab.getByRole('link', { name: 'clientReferenceId', exact: true }).first()
    await Promise.all([tab.waitForURL('**/docs/api/**.clientReferenceId'), field.click()])
    assert.equal(await tab.locator(':target').isVisible(), true)
  })
})

describe('the documentation without a script', () => {
  it('offers the way on at each former anchor', async () => {
    await plain.tab.goto(`${service.url}/docs#initiate-deposit`)
    await plain.tab.locator(':target a').click()
    await plain.tab.waitForURL('**/docs/api/deposits#initiate-deposit')
  })

  it('shows examples in every language', async () => {
    for (const name of ['Node', 'Python', 'PHP', 'curl']) {
      await plain.tab.locator('label', { hasText: name }).first().click()
      const shown = plain.tab.locator('.request').first().locator('pre:visible')
      assert.equal(await shown.count(), 1)
      const label = await shown.getAttribute('aria-label')
      assert.equal(label, `Example request in ${name}: Start a deposit`)
    }
  })

  it('searches from any page, also on a phone', async () => {
    await plain.tab.setViewportSize(VIEWPORTS.phone)
    await plain.tab.getByRole('button', { name: 'Contents' }).click()
    await plain.tab.locator('#search').fill('AMOUNT_OUT_OF_BOUNDS')
    await plain.tab.locator('#search').press('Enter')
    await plain.tab.waitForURL('**/docs/search?q=AMOUNT_OUT_OF_BOUNDS')
    await plain.tab.getByRole('link', { name: 'AMOUNT_OUT_OF_BOUNDS' }).first().click()
    await plain.tab.waitForURL('**/docs/guides/failure-codes/AMOUNT_OUT_OF_BOUNDS')
  })
})

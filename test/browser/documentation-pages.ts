import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { VIEWPORTS } from '../../harness/browser.ts'
import { darkViolations, violations } from '../support/accessibility.ts'
import { visitor } from './developer.ts'
import { service } from './rig.ts'

// biome-ignore lint/suspicious/noExplicitAny: runs inside the page
type Inside = any

const { tab, context } = await visitor(true, 'fr')
const complaints: string[] = []
tab.on('console', (line) => {
  if (/Content Security Policy/i.test(line.text())) complaints.push(line.text())
})
after(() => context.close())

/** Each kind of page, and each state of the search. */
const PAGES = [
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

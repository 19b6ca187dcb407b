import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { VIEWPORTS } from '../../harness/browser.ts'
import { SCREENS } from '../../harness/screens.ts'
import { PAY_WORDS } from '../../src/web/pay/words.ts'
import { darkViolations, violations } from '../support/accessibility.ts'
import { WALKED, walk } from '../support/keyboard.ts'
import { browser, service } from './rig.ts'

/**
 * Every screen, in both languages and at all sizes: G-2, G-4, G-5, G-6, G-7, G-9, G-10, G-11, A-16.
 */

// biome-ignore lint/suspicious/noExplicitAny: runs inside the page
type Inside = any

/** How far anything reaches beyond the side of the window. */
const overflow = (tab: Page): Promise<number> =>
  tab.evaluate(() => {
    const { document, innerWidth } = globalThis as Inside
    return document.documentElement.scrollWidth - innerWidth
  })

const smallTargets = (tab: Page): Promise<readonly string[]> =>
  tab.evaluate(() => {
    const { document } = globalThis as Inside
    const least = (one: Inside): number => (one.matches('.button, .row, .boxed') ? 48 : 24)
    return [...document.querySelectorAll('a, button, summary, .row, .boxed, select')]
      .filter((one: Inside) => one.checkVisibility() && !one.closest('.boxed > select'))
      .filter((one: Inside) => {
        const { width, height } = one.getBoundingClientRect()
        return height < least(one) || width < 24
      })
      .map((one: Inside) => one.outerHTML)
  })

/** Sentences that would be in the page only if the other language had got into it. */
function foreignTexts(text: string, lang: 'en' | 'fr'): readonly string[] {
  const own = new Set<string>(Object.values(PAY_WORDS[lang]))
  const others = Object.values(PAY_WORDS[lang === 'en' ? 'fr' : 'en'])
  return others.filter((one) => !own.has(one) && one.length > 8 && text.includes(one))
}

/** Where the main action is there without scrolling, at 360×640: A-16. */
const WITHOUT_SCROLLING = new Set([
  'C-1 details',
  'C-1 one provider closed',
  'C-3 waiting',
  'C-3 dial first',
])

type Window = {
  readonly tab: Page
  readonly complaints: readonly string[]
  readonly elsewhere: readonly string[]
}

/** One window for all screens in a language: to open one takes longer than to look at a screen. */
async function openWindow(): Promise<Window> {
  const context = await browser.newContext({ viewport: VIEWPORTS.phone, reducedMotion: 'reduce' })
  // A page that leaves by itself stays: an answer without content navigates nowhere.
  await context.route('https://shop.example/**', (route) => route.fulfill({ status: 204 }))
  const tab = await context.newPage()
  const complaints: string[] = []
  const elsewhere: string[] = []
  tab.on('console', (line) => {
    if (/Content Security Policy/i.test(line.text())) complaints.push(line.text())
  })
  tab.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== service.url && protocol !== 'data:' && !request.isNavigationRequest()) {
      elsewhere.push(request.url())
    }
  })
  return { tab, complaints, elsewhere }
}

const windows = { en: await openWindow(), fr: await openWindow() }
after(() => Promise.all([windows.en.tab.context().close(), windows.fr.tab.context().close()]))

for (const { name, open } of SCREENS) {
  describe(name, () => {
    it('is accessible, fits the window, and speaks one language', async () => {
      const { visit, done } = await open(service)
      const look = async (lang: 'en' | 'fr'): Promise<void> => {
        const { tab, complaints, elsewhere } = windows[lang]
        await tab.unrouteAll()
        await tab.context().clearCookies()
        await tab.setViewportSize(VIEWPORTS.phone)
        await visit(tab, lang)
        if (WITHOUT_SCROLLING.has(name)) {
          const box = await tab.locator('.button').first().boundingBox()
          assert.ok(box !== null && box.y + box.height <= VIEWPORTS.phone.height, `${box?.y}`)
        }
        if (lang === 'en') assert.deepEqual(await walk(tab), WALKED)
        assert.deepEqual(await violations(tab), [], lang)
        if (lang === 'en') assert.deepEqual(await darkViolations(tab), [], 'dark')
        assert.equal(await tab.locator('html').getAttribute('lang'), lang)
        assert.deepEqual(foreignTexts(await tab.locator('main').innerText(), lang), [])
        for (const viewport of Object.values(VIEWPORTS)) {
          await tab.setViewportSize(viewport)
          assert.ok((await overflow(tab)) <= 0, `${lang}, ${viewport.width}`)
          assert.deepEqual(await smallTargets(tab), [], `${lang}, ${viewport.width}`)
        }
        assert.deepEqual([complaints, elsewhere], [[], []])
        await tab.setViewportSize(VIEWPORTS.phone)
        await enlarge(tab)
        assert.ok((await overflow(tab)) <= 0, `${lang}, letters twice as large`)
        await turnAround(tab)
        assert.ok((await overflow(tab)) <= 0, `${lang}, from right to left`)
      }
      await Promise.all([look('en'), look('fr')])
      await done?.()
    })
  })
}

const enlarge = (tab: Page): Promise<void> =>
  tab.evaluate(() => {
    const { document } = globalThis as Inside
    document.documentElement.style.fontSize = '32px'
  })

/** A language of the other direction, with texts that are longer by two fifths. */
const turnAround = (tab: Page): Promise<void> =>
  tab.evaluate(() => {
    const { document } = globalThis as Inside
    document.documentElement.style.fontSize = ''
    document.documentElement.dir = 'rtl'
    const walker = document.createTreeWalker(document.querySelector('main'), 4)
    while (walker.nextNode()) {
      const node = walker.currentNode
      const text = node.textContent.trim()
      if (text.length > 3)
        node.textContent = `${text} ${text.slice(0, Math.ceil(text.length * 0.4))}`
    }
  })

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { VIEWPORTS } from '../../harness/browser.ts'
import { phoneOf } from '../../harness/phones.ts'
import { eventually } from '../../harness/service.ts'
import { SANDBOX_WORDS } from '../../src/web/sandbox/words.ts'
import { darkViolations, violations } from '../support/accessibility.ts'
import { WALKED, walk } from '../support/keyboard.ts'
import { type Developer, freshNumber, press, signIn, visitor } from './developer.ts'
import { service } from './rig.ts'

const NUMBER = '260763456789'

// biome-ignore lint/suspicious/noExplicitAny: runs inside the page
type Inside = any

/** Each page as a developer may meet it. */
const PAGES: Readonly<Record<string, (one: Developer, lang: 'en' | 'fr') => Promise<unknown>>> = {
  'sign-in': ({ tab }, lang) => tab.goto(`${service.url}/sandbox?lang=${lang}`),
  'sign-in-wrong': async ({ tab }, lang) => {
    await tab.goto(`${service.url}/sandbox?lang=${lang}`)
    await press(tab, SANDBOX_WORDS[lang].signIn)
  },
  'no-phone': async (one, lang) => {
    await signIn(one)
    await one.tab.goto(`${service.url}/sandbox?lang=${lang}`)
  },
  prompt: async (one, lang) => {
    await signIn(one)
    const number = freshNumber()
    const phone = phoneOf(service, number)
    await service.reaches(await phone.pays(), 'COMPLETED')
    await phone.set({ mode: 'interactive' })
    await phone.pays()
    await phone.prompt()
    await one.tab.goto(`${service.url}/sandbox?lang=${lang}&phone=${number}`)
    await press(one.tab, SANDBOX_WORDS[lang].approve)
  },
  device: async (one, lang) => {
    await signIn(one)
    await one.tab.goto(`${service.url}/sandbox?lang=${lang}&phone=${NUMBER}`)
    await press(one.tab, SANDBOX_WORDS[lang].deviceButton)
  },
  'wallet-app': async (one, lang) => {
    await signIn(one)
    const number = lang === 'en' ? '221773456002' : '221773456003'
    const phone = phoneOf(service, number, 'WAVE_SEN')
    await phone.set({})
    await service.reaches(await phone.pays({ amount: '900', currency: 'XOF' }), 'COMPLETED')
    await phone.set({ mode: 'interactive' })
    const id = await phone.pays({ amount: '2500', currency: 'XOF' })
    await service.reaches(id, 'PROCESSING')
    await one.tab.goto(`${service.url}/sandbox?lang=${lang}&phone=${number}&tab=wallet`)
    await one.tab.locator('.entry').getByText(SANDBOX_WORDS[lang].entry_ASKS).waitFor()
  },
  'wallet-page': async ({ tab }, lang) => {
    const phone = phoneOf(service, lang === 'en' ? '221773456004' : '221773456005', 'WAVE_SEN')
    await phone.set({ mode: 'interactive' })
    const id = await phone.pays({ amount: '2500', currency: 'XOF' })
    const { authorizationUrl } = await eventually(async () => {
      const record = await service.reaches(id, 'PROCESSING')
      assert.ok(record.authorizationUrl)
      return record
    })
    await tab.goto(`${authorizationUrl}?lang=${lang}`)
  },
  alone: async (one, lang) => {
    await signIn(one)
    await one.tab.goto(`${service.url}/sandbox?lang=${lang}&phone=${NUMBER}&view=phone`)
  },
  callbacks: async (one, lang) => {
    await signIn(one)
    await service.put('/sandbox/receiver', { fails: true })
    await service.put('/sandbox/callbacks', { deposit: `${service.url}/receiver` })
    await service.reaches((await service.deposit()).id, 'COMPLETED')
    await eventually(async () => {
      await one.tab.goto(`${service.url}/sandbox?lang=${lang}&panel=callbacks`)
      assert.ok((await one.tab.locator('.delivery').getByText('HTTP 500').count()) > 0)
    })
    await one.tab.locator('.delivery summary').first().click()
    await service.put('/sandbox/callbacks', { deposit: null })
    await service.put('/sandbox/receiver', { fails: false })
  },
  operator: async (one, lang) => {
    await signIn(one)
    await one.tab.goto(`${service.url}/sandbox?lang=${lang}&phone=${NUMBER}&panel=operator`)
  },
  clock: async (one, lang) => {
    await signIn(one)
    await one.tab.goto(`${service.url}/sandbox?lang=${lang}&phone=${NUMBER}&panel=clock`)
  },
  numbers: async (one, lang) => {
    await signIn(one)
    await one.tab.goto(`${service.url}/sandbox/numbers?lang=${lang}`)
    await one.tab.locator('summary').last().click()
  },
  shop: async (one, lang) => {
    await signIn(one)
    await one.tab.goto(`${service.url}/sandbox/shop?lang=${lang}`)
  },
  'shop-back': async (one, lang) => {
    await signIn(one)
    const { id } = await service.deposit()
    await service.reaches(id, 'COMPLETED')
    await one.tab.goto(`${service.url}/sandbox/shop/back?lang=${lang}&depositId=${id}`)
  },
}

/** One window for all pages in a language. */
const windows = { en: await visitor(true, 'en'), fr: await visitor(true, 'fr') }
const complaints: string[] = []
for (const { tab } of Object.values(windows)) {
  tab.on('console', (line) => {
    if (/Content Security Policy/i.test(line.text())) complaints.push(line.text())
  })
}

describe('every page is accessible, fits, and speaks one language', () => {
  after(() => Promise.all(Object.values(windows).map(({ context }) => context.close())))

  for (const [name, open] of Object.entries(PAGES)) {
    for (const lang of ['en', 'fr'] as const) {
      it(`${name}, ${lang}`, async () => {
        const one = windows[lang]
        await one.context.clearCookies()
        await open(one, lang)
        for (const viewport of [VIEWPORTS.desktop, VIEWPORTS.phone]) {
          await one.tab.setViewportSize(viewport)
          assert.deepEqual(await tooWideOrSmall(one.tab), [], `${viewport.width}`)
          await picture(one.tab, `${name}-${lang}-${viewport.width}`)
        }
        assert.deepEqual(await violations(one.tab), [])
        if (lang === 'en') assert.deepEqual(await darkViolations(one.tab), [])
        if (lang === 'en') assert.deepEqual(await walk(one.tab), WALKED)
        const own = new Set<string>(Object.values(SANDBOX_WORDS[lang]))
        const text = await one.tab.locator('main').innerText()
        const foreign = Object.values(SANDBOX_WORDS[lang === 'en' ? 'fr' : 'en']).filter(
          (sentence) => sentence.length > 8 && !own.has(sentence) && text.includes(sentence),
        )
        assert.deepEqual(foreign, [])
        assert.deepEqual(complaints, [])
      })
    }
  }
})

/** What reaches beyond the side of the window, and controls that are hard to hit. */
const tooWideOrSmall = (tab: Page): Promise<readonly string[]> =>
  tab.evaluate(() => {
    const { document, innerWidth } = globalThis as Inside
    const isWide = document.documentElement.scrollWidth > innerWidth
    const small = [...document.querySelectorAll('main a, main button, main input, main select')]
      .filter((one: Inside) => one.checkVisibility() && one.type !== 'hidden')
      .filter((one: Inside) => one.getBoundingClientRect().height < 24)
      .map((one: Inside) => one.outerHTML)
    return isWide ? [`wider than ${innerWidth}`, ...small] : small
  })

/** To look at them: MALIPO_TEST_PICTURES names a folder. */
async function picture(tab: Page, name: string): Promise<void> {
  const folder = process.env.MALIPO_TEST_PICTURES
  if (folder !== undefined) await tab.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

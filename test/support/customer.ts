import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { PAY_WORDS } from '../../src/web/pay/words.ts'
import type { PayWords } from '../../src/web/pay/words-en.ts'
import { VIEWPORTS } from './browser.ts'
import { eventually, type Service } from './service.ts'

/** A customer with a phone: a window of its own, a language, with or without scripts. */
export type Customer = {
  readonly tab: Page
  readonly words: PayWords
  readonly lang: 'en' | 'fr'
  readonly hasScript: boolean
  open(path: string): Promise<void>
  fill(name: string, value: string): Promise<void>
  choose(provider: string): Promise<void>
  /** Presses Pay and waits for the page that follows. */
  pay(): Promise<void>
  /** Waits for the heading, which names the screen. */
  sees(heading: keyof PayWords, values?: Readonly<Record<string, string>>): Promise<void>
  main(): Promise<string>
  close(): Promise<void>
}

export type Manner = { readonly lang: 'en' | 'fr'; readonly hasScript: boolean }

export async function customer(
  browser: Browser,
  service: Service,
  { lang, hasScript }: Manner,
): Promise<Customer> {
  const context = await browser.newContext({
    viewport: VIEWPORTS.phone,
    locale: lang === 'en' ? 'en-GB' : 'fr-FR',
    javaScriptEnabled: hasScript,
  })
  await context.route('https://shop.example/**', (route) => route.fulfill({ body: 'the shop' }))
  const tab = await context.newPage()
  tab.setDefaultTimeout(20_000)
  const complaints: string[] = []
  tab.on('console', (line) => {
    if (/Content Security Policy/i.test(line.text())) complaints.push(line.text())
  })
  const words = PAY_WORDS[lang]
  return {
    tab,
    words,
    lang,
    hasScript,
    open: async (path) => {
      // A page that just then goes on by itself is in the way once, or takes the place of this one.
      await eventually(async () => {
        await tab.goto(service.url + path)
        assert.ok(tab.url().startsWith(service.url + path), tab.url())
      })
    },
    fill: (name, value) => tab.locator(`[name=${name}]`).fill(value),
    choose: (provider) => tab.locator(`[name=provider][value=${provider}]`).check(),
    pay: async () => {
      await Promise.all([tab.waitForEvent('load'), tab.locator('button[value=pay]').click()])
    },
    sees: async (heading, values = {}) => {
      const text = filled(words[heading], values)
      await tab.getByRole('heading', { level: 1, name: text, exact: true }).waitFor()
    },
    main: () => tab.locator('main').innerText(),
    close: async () => {
      await context.close()
      assert.deepEqual(complaints, [], 'the browser refused something of our own page')
    },
  }
}

export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

export const linkNamed = (tab: Page, name: string): Locator =>
  tab.getByRole('link', { name, exact: true })

const LANGS = ['en', 'fr'] as const

/** The same guarantee for every customer: both languages, with scripts and without. */
export function forCustomers(
  browser: Browser,
  service: Service,
  name: string,
  journey: (one: Customer) => Promise<void>,
  scripts: readonly boolean[] = [true, false],
): void {
  describe(name, () => {
    for (const lang of LANGS) {
      for (const hasScript of scripts) {
        it(`${lang}, ${hasScript ? 'with script' : 'without script'}`, async () => {
          const one = await customer(browser, service, { lang, hasScript })
          await journey(one)
          await one.close()
        })
      }
    }
  })
}

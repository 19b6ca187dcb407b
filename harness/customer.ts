import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Browser, Locator, Page, Response } from 'playwright-core'
import { PAY_WORDS } from '../src/web/pay/words.ts'
import type { PayWords } from '../src/web/pay/words-en.ts'
import { VIEWPORTS } from './browser.ts'
import { LOOKS_AT_ALL } from './scale.ts'
import type { Service } from './service.ts'

/** A customer with a phone: a window of its own, a language, with or without scripts. */
export type Customer = {
  /** What is open now. */
  readonly tab: Page
  readonly words: PayWords
  readonly lang: 'en' | 'fr'
  readonly hasScript: boolean
  /** In a new tab: a page that reloads by itself at that moment would interfere. */
  open(path: string): Promise<Response | null>
  /** Timers of pages opened from now on wait for `tab.clock.runFor`. */
  holdTimers(): Promise<void>
  fill(name: string, value: string): Promise<void>
  choose(provider: string): Promise<void>
  /** Presses Pay and waits for the page that follows. */
  pay(): Promise<void>
  /** Waits for the heading, which names the screen. */
  sees(heading: keyof PayWords, values?: Readonly<Record<string, string>>): Promise<void>
  main(): Promise<string>
  close(): Promise<void>
}

type Manner = { readonly lang: 'en' | 'fr'; readonly hasScript: boolean }

export async function customer(
  browser: Browser,
  service: Service,
  { lang, hasScript }: Manner,
): Promise<Customer> {
  const context = await browser.newContext({
    viewport: VIEWPORTS.phone,
    locale: lang === 'en' ? 'en-GB' : 'fr-FR',
    javaScriptEnabled: hasScript,
    // What turns while a customer waits would be drawn all the time, in every tab.
    reducedMotion: 'reduce',
  })
  await context.route('https://shop.example/**', (route) => route.fulfill({ body: 'the shop' }))
  context.setDefaultTimeout(60_000)
  const complaints: string[] = []
  context.on('console', (line) => {
    if (/Content Security Policy/i.test(line.text())) complaints.push(line.text())
  })
  const words = PAY_WORDS[lang]
  let tab = await context.newPage()
  return {
    get tab() {
      return tab
    },
    words,
    lang,
    hasScript,
    open: async (path) => {
      if (tab.url() !== 'about:blank') {
        // Chromium may never finish closing a page that reloads by itself at that moment.
        await tab.route('**', (route) => route.abort())
        tab = await context.newPage()
      }
      return tab.goto(service.url + path)
    },
    holdTimers: async () => {
      await context.clock.install({ time: 0 })
      await context.clock.pauseAt(3_600_000)
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

const EVERY_MANNER: readonly Manner[] = [
  { lang: 'en', hasScript: true },
  { lang: 'fr', hasScript: false },
  { lang: 'fr', hasScript: true },
  { lang: 'en', hasScript: false },
]

/**
 * The same guarantee with scripts and without, and in both languages: `npm run proof -- pages` has
 * all four customers. In `npm test` one goes each way, the next way another one.
 */
function mannersOf(scripts: readonly boolean[]): readonly Manner[] {
  const possible = EVERY_MANNER.filter(({ hasScript }) => scripts.includes(hasScript))
  if (LOOKS_AT_ALL) return possible
  const at = ways % 2
  ways += 1
  return possible.slice(at, at + 1)
}

let ways = 0

export function forCustomers(
  browser: Browser,
  service: Service,
  name: string,
  journey: (one: Customer) => Promise<void>,
  scripts: readonly boolean[] = [true, false],
): void {
  describe(name, () => {
    for (const { lang, hasScript } of mannersOf(scripts)) {
      it(`${lang}, ${hasScript ? 'with script' : 'without script'}`, async () => {
        const one = await customer(browser, service, { lang, hasScript })
        await journey(one).catch(async (error: Error) => {
          const seen = await one.main().catch(() => 'nothing')
          error.message += `\nThe customer saw, at ${one.tab.url()}:\n${seen}`
          throw error
        })
        await one.close()
      })
    }
  })
}

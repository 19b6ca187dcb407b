import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { VIEWPORTS } from '../../harness/browser.ts'
import { cookieOf } from '../../harness/sandbox-page.ts'
import { eventually } from '../../harness/service.ts'
import { SANDBOX_WORDS } from '../../src/web/sandbox/words.ts'
import { browser, service } from './rig.ts'

/** A developer at the pages of the sandbox: S-1 to S-7. */
export type Developer = { readonly context: BrowserContext; readonly tab: Page }

export const words = SANDBOX_WORDS.en

/** Somebody who has not signed in. */
export async function visitor(hasScript = true, lang: 'en' | 'fr' = 'en'): Promise<Developer> {
  const context = await browser.newContext({
    viewport: VIEWPORTS.desktop,
    locale: lang === 'en' ? 'en-GB' : 'fr-FR',
    javaScriptEnabled: hasScript,
    reducedMotion: 'reduce',
  })
  const tab = await context.newPage()
  tab.setDefaultTimeout(60_000)
  return { context, tab }
}

const windows = new Map<string, Promise<Developer>>()

/** Somebody who has; always the same window, since opening one takes longer than most tests. */
export async function developer(hasScript = true, lang: 'en' | 'fr' = 'en'): Promise<Developer> {
  const kind = `${lang} ${hasScript}`
  const opening = windows.get(kind) ?? visitor(hasScript, lang)
  windows.set(kind, opening)
  const one = await opening
  await signIn(one)
  return one
}

/** Without the form, which has tests of its own. */
export async function signIn({ context }: Developer): Promise<void> {
  const [name = '', value = ''] = (await cookieOf(service)).split('=')
  await context.addCookies([{ name, value, url: `${service.url}/sandbox` }])
}

export const heading = (tab: Page, name: string): Promise<void> =>
  tab.getByRole('heading', { level: 1, name, exact: true }).waitFor()

export const press = async (tab: Page, name: string): Promise<void> => {
  const button = tab.locator('main').getByRole('button', { name, exact: true }).first()
  await Promise.all([tab.waitForEvent('load'), button.click()])
}

/** A number of its own for each test; from here on no ending decides anything. */
let last = 260763450200
export const freshNumber = (): string => {
  last += 1
  return String(last)
}

/** Opens the sandbox and takes a phone. */
export async function take(tab: Page, number: string): Promise<void> {
  await tab.goto(`${service.url}/sandbox?lang=en`)
  await tab.locator('#typed').fill(number)
  await press(tab, words.take)
  await tab.getByText(words.flash_TAKEN).waitFor()
}

/** With script the handset changes by itself; without, somebody looks again. */
export async function seesPrompt(tab: Page, hasScript: boolean): Promise<void> {
  if (hasScript) return tab.locator('#pin').waitFor()
  await eventually(async () => {
    const link = tab.getByRole('link', { name: words.lookAgain })
    await Promise.all([tab.waitForEvent('load'), link.click()])
    assert.equal(await tab.locator('#pin').count(), 1)
  })
}

export async function seesMessage(tab: Page, text: string, hasScript: boolean): Promise<void> {
  const message = tab.locator('.messages').getByText(text)
  if (hasScript) return message.first().waitFor()
  await eventually(async () => {
    await tab.reload()
    assert.ok((await message.count()) > 0)
  })
}

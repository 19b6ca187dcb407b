import type { BrowserContext } from 'playwright-core'
import type { Visitor } from './dashboard.ts'

/** Every page of the dashboard that a person opens from the menu or from a list. */
export const DASHBOARD_PAGES: readonly string[] = [
  '',
  '/deposits',
  '/payouts',
  '/refunds',
  '/remittances',
  '/split-payments',
  '/checkouts',
  '/search',
  '/search?q=nothing-like-it',
  '/balances',
  '/statements',
  '/exports',
  '/bulk-payouts',
  '/links',
  '/callbacks',
  '/requests',
  '/tokens',
  '/callback-urls',
  '/callback-urls/deposit',
  '/signatures',
  '/providers',
  '/team',
  '/audit',
  '/branding',
  '/account',
]

/** The browser is signed in as this person. */
export async function signInBrowser(
  context: BrowserContext,
  url: string,
  { cookie }: Visitor,
): Promise<void> {
  const at = cookie.indexOf('=')
  await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url }])
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { VIEWPORTS } from '../../harness/browser.ts'
import { signedIn } from '../../harness/dashboard.ts'
import { DASHBOARD_PAGES, signInBrowser } from '../../harness/dashboard-pages.ts'
import { start } from '../../harness/every-kind.ts'
import { checkout } from '../../harness/hosted.ts'
import { payer } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { unsubscribeToken } from '../../src/usecases/people/status-subscriptions.ts'
import { PASSWORD, personWithPassword } from '../people/people.ts'
import { darkViolations, violations } from '../support/accessibility.ts'
import { browser, service } from './rig.ts'

const owner = await signedIn(service, 'owner')
const paid = await service.deposit({ metadata: [{ orderId: 'ORD-9' }], clientReferenceId: 'INV-9' })
const failed = await service.deposit({ payer: payer('260763456039', 'MTN_MOMO_ZMB') })
await service.reaches(paid.id, 'COMPLETED')
await service.reaches(failed.id, 'FAILED')
const split = await start(service, 'splitPayment')
const payout = await start(service, 'payout')
const opened = await checkout(service)

const PAGES = [
  ...DASHBOARD_PAGES,
  `/deposits/${paid.id}`,
  `/deposits/${failed.id}`,
  `/payouts/${payout.id}`,
  `/split-payments/${split.id}`,
  `/checkouts/${opened.id}`,
  '/search?q=currency%3AZMW',
]

type Size = (typeof VIEWPORTS)[keyof typeof VIEWPORTS]

/** A tab of somebody who is signed in; pages that are broken make the test fail. */
async function openTab(viewport: Size): Promise<Page> {
  const context = await browser.newContext({ viewport })
  context.setDefaultTimeout(120_000)
  await signInBrowser(context, service.url, owner)
  const tab = await context.newPage()
  tab.on('pageerror', (error) => assert.fail(error))
  return tab
}

/** What is less than 24 px high or wide. Runs inside the page. */
function smallTargets(): string[] {
  const all = [...document.querySelectorAll('a, button, input, select, textarea, summary')]
  return all.flatMap((one) => {
    const { width, height } = one.getBoundingClientRect()
    // Links within sentences are as high as their line.
    const around = one.closest('p, li')?.textContent?.trim()
    const isInText = one.matches('a') && around !== undefined && around !== one.textContent
    const isHidden = width < 2 || height < 2 || one.matches('.skip')
    if (isHidden || isInText || (width >= 23.9 && height >= 23.9)) return []
    return [`${one.tagName} ${one.textContent?.slice(0, 30)} ${width} × ${height}`]
  })
}

describe('every page of the dashboard,', () => {
  for (const lang of ['en', 'fr']) {
    it(`in ${lang}, is accessible, fits on a phone and a screen, and is easy to hit`, async () => {
      const { desktop, phone } = VIEWPORTS
      const tab = await openTab(desktop)
      let last: Size = desktop
      const found: string[] = []
      for (const path of PAGES) {
        const address = `/dashboard${path}${path.includes('?') ? '&' : '?'}lang=${lang}`
        const answer = await tab.goto(service.url + address)
        assert.equal(answer?.status(), 200, path)
        // Opened in the size of the page before, and seen in both: sizes take long to change.
        const sizes: Size[] = [last, last === desktop ? phone : desktop]
        for (const viewport of sizes) {
          if (viewport !== last) await tab.setViewportSize(viewport)
          last = viewport
          const wide = await tab.evaluate(() => document.documentElement.scrollWidth)
          if (wide > viewport.width) found.push(`${path} is ${wide} px wide at ${viewport.width}`)
          const faults = [...(await tab.evaluate(smallTargets))]
          if (viewport === desktop) {
            faults.push(...(await violations(tab)), ...(await darkViolations(tab)))
          }
          found.push(...faults.map((fault) => `${path} ${fault} at ${viewport.width}`))
        }
      }
      assert.deepEqual(found, [])
      await tab.context().close()
    })
  }
})

it('pages for who is not signed in are accessible, and fit on a phone', async () => {
  const { email } = await personWithPassword(service)
  const context = await browser.newContext({ viewport: VIEWPORTS.phone })
  context.setDefaultTimeout(120_000)
  const tab = await context.newPage()
  const half = await context.request.post(`${service.url}/sign-in`, {
    form: { email, password: PASSWORD },
    maxRedirects: 0,
  })
  assert.equal(half.status(), 303)
  const token = unsubscribeToken(service.node.ctx, owner.userId, 1 as MerchantId)
  const found: string[] = []
  for (const [path, heading] of [
    ['/sign-in?lang=en', 'Look at your mail'],
    ['/sign-in?lang=fr', 'Consultez vos e-mails'],
    [`/unsubscribe/${token}?lang=en`, 'Mail about provider status'],
    [`/unsubscribe/${token}?lang=fr`, 'E-mails sur l’état des opérateurs'],
  ] as const) {
    await tab.goto(service.url + path)
    await tab.getByRole('heading', { level: 1, name: heading }).waitFor()
    const wide = await tab.evaluate(() => document.documentElement.scrollWidth)
    if (wide > VIEWPORTS.phone.width) found.push(`${path} is ${wide} px wide`)
    const faults = [...(await violations(tab)), ...(await darkViolations(tab))]
    found.push(...faults.map((fault) => `${path} ${fault}`))
  }
  assert.deepEqual(found, [])
  await context.close()
})

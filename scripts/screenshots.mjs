// Takes a picture of every screen of the customers' pages and of the dashboard, in both languages, at
// two sizes, light and dark, into the folder `screenshots`. They are for people to look at; no test
// compares them.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfNeeded } from './build.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { startTestDatabase } from './test-database.mjs'

const folder = join(fileURLToPath(new URL('..', import.meta.url)), 'screenshots')
const wanted = process.argv.slice(2)

buildIfNeeded()
await ensureBrowser()
const server = await startTestDatabase()
const { startService } = await import('../dist/harness/service.js')
const { startBrowser, VIEWPORTS } = await import('../dist/harness/browser.js')
const { SCREENS } = await import('../dist/harness/screens.js')
const { signedIn } = await import('../dist/harness/dashboard.js')
const { DASHBOARD_PAGES, signInBrowser } = await import('../dist/harness/dashboard-pages.js')
const service = await startService()
const browser = await startBrowser()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)

/** Pages of the dashboard, with a payment to look at. */
async function dashboardScreens() {
  const owner = await signedIn(service, 'owner')
  const { id } = await service.deposit({ metadata: [{ orderId: 'ORD-1' }] })
  await service.reaches(id, 'COMPLETED')
  return [...DASHBOARD_PAGES, `/deposits/${id}`].map((path) => ({
    name: `dashboard${path.replace(id, 'one')}`,
    open: async () => ({
      visit: async (page, lang) => {
        await signInBrowser(page.context(), service.url, owner)
        const address = `${service.url}/dashboard${path}`
        await page.goto(`${address}${path.includes('?') ? '&' : '?'}lang=${lang}`)
      },
    }),
  }))
}

for (const { name, open } of [...SCREENS, ...(await dashboardScreens())]) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue
  const { visit, done } = await open(service)
  for (const lang of ['en', 'fr']) {
    for (const viewport of [VIEWPORTS.phone, VIEWPORTS.desktop]) {
      const context = await browser.newContext({ viewport })
      const page = await context.newPage()
      await visit(page, lang)
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme })
        const parts = [name.replaceAll(/[^\w-]+/g, '-'), lang, viewport.width, colorScheme]
        await page.screenshot({ path: join(folder, `${parts.join('.')}.png`) })
      }
      await context.close()
    }
  }
  await done?.()
  console.log(name)
}
await browser.close()
await service.stop()
await server.stop()
console.log(`The pictures are in ${folder}.`)

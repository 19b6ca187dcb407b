// Takes a picture of every screen of the customers' pages, in both languages, at two sizes, light and
// dark, into the folder `screenshots`. They are for people to look at; no test compares them.
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
const service = await startService()
const browser = await startBrowser()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const { name, open } of SCREENS) {
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

// npm run pictures: takes the pictures of the dashboard in docs/images, after a month of `malipo demo
// fill` and a refused request.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfNeeded } from './build.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { startTestDatabase } from './test-database.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

buildIfNeeded()
await ensureBrowser()
const server = await startTestDatabase()
const { eventually, startService } = await import('../dist/harness/service.js')
const { startBrowser } = await import('../dist/harness/browser.js')
const { signedIn } = await import('../dist/harness/dashboard.js')
const { signInBrowser } = await import('../dist/harness/dashboard-pages.js')
const service = await startService()
const browser = await startBrowser()

const month = ['demo', 'fill', '--days', '30', '--payments', '900']
const where = ['--service', service.url, '--token', service.token]
const filler = spawn(process.execPath, ['bin/malipo.mjs', ...month, ...where], {
  cwd: root,
  stdio: 'inherit',
})
const [code] = await once(filler, 'exit')
if (code !== 0) process.exit(1)
const refused = { depositId: '0f9b2c5e-5f0e-4a55-9d53-3a0a2b1c7d11', amount: '15.005' }
await service.post('/v2/deposits', refused)

const owner = await signedIn(service, 'owner')
const context = await browser.newContext({ viewport: { width: 1280, height: 980 } })
await signInBrowser(context, service.url, owner)
const page = await context.newPage()

/** The address behind the first link of a list that leads to one of its entries. */
const firstOf = async (list) => {
  await page.goto(`${service.url}/dashboard${list}`)
  const [folder] = list.split('?')
  const link = page.locator(`main a[href^="/dashboard${folder}/"]`).first()
  return (await link.getAttribute('href')).replace('/dashboard', '')
}

const PICTURES = [
  ['dashboard', () => '?range=30d'],
  ['dashboard-payment', () => firstOf('/deposits?status=FAILED')],
  ['dashboard-statement', () => '/statements'],
  ['dashboard-request', () => eventually(() => firstOf('/requests?status=4xx'))],
]

for (const [name, find] of PICTURES) {
  await page.goto(`${service.url}/dashboard${await find()}`)
  await page.screenshot({ path: join(root, 'docs', 'images', `${name}.png`) })
  console.log(`docs/images/${name}.png`)
}
await browser.close()
await service.stop()
await server.stop()

// Draws the tiles in `catalog/logos` with Chromium, one for each operator of the catalogue, from the
// component that customers see on the payment page. Needed only after a provider was added; an
// existing picture stays as it is, because fonts differ between machines.
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { buildIfNeeded } from './build.mjs'

buildIfNeeded()
const { startBrowser } = await import('../dist/harness/browser.js')
const { logoPath } = await import('../dist/src/domain/hosted/picture-paths.js')
const { CATALOG_FILE } = await import('../dist/src/package-root.js')
const { readCatalog } = await import('../dist/src/providers/catalog.js')
const { assets } = await import('../dist/src/web/assets.js')
const { Tile } = await import('../dist/src/web/pay/tile.js')

const folder = join(fileURLToPath(new URL('..', import.meta.url)), 'catalog', 'logos')
const sheet = `${assets('pay.css')} html, body { background: none; } svg { display: block; }`

const browser = await startBrowser()
// The tile is 32 pixels wide, the picture three times as much.
const page = await browser.newPage({ deviceScaleFactor: 3 })
for (const name of new Set(readCatalog(CATALOG_FILE).all.map(({ displayName }) => displayName))) {
  const path = join(folder, basename(logoPath(name)))
  if (existsSync(path)) continue
  await page.setContent(`<style>${sheet}</style>${renderToString(h(Tile, { name }))}`)
  await page.locator('svg').screenshot({ path, omitBackground: true })
  console.log(path)
}
await browser.close()

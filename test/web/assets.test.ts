import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ASSETS_FOLDER, PACKAGE_ROOT } from '../../src/package-root.ts'
import { assets } from '../../src/web/assets.ts'

const names = readdirSync(ASSETS_FOLDER)

it('every style sheet and script is next to the program', () => {
  assert.deepEqual(names.toSorted(), readdirSync(join(PACKAGE_ROOT, 'src/web/assets')).toSorted())
  assert.ok(names.length > 10)
})

it('pages carry neither comments nor indentation', () => {
  for (const name of names) {
    const text = assets(name)
    assert.doesNotMatch(text, /\/\*|^\s*\/\/|^[ \t]/m, name)
    assert.ok(text.length > 100, name)
  }
  assert.equal(assets('page.css', 'home.css'), assets('page.css') + assets('home.css'))
})

it('nothing in them closes their element', () => {
  for (const name of names) assert.doesNotMatch(assets(name), /<\/|<!--/, name)
})

it('a missing one is an error, not an empty page', () => {
  assert.throws(() => assets('missing.css'), /ENOENT/)
})

it('the scripts of customers stay small', () => {
  for (const name of names.filter((one) => one.startsWith('pay-'))) {
    const size = gzipSync(assets(name)).length
    assert.ok(size <= 1536, `${name}: ${size} bytes`)
  }
})

it('sheets use logical properties only', () => {
  const physical =
    /[\s;{](?:(?:margin|padding|border|min|max)-)?(?:left|right|top|bottom|width|height)\s*:/
  for (const name of names.filter((one) => one.endsWith('.css'))) {
    const declarations = assets(name).replaceAll(/@media[^{]*\{/g, '')
    assert.doesNotMatch(declarations, physical, name)
    assert.doesNotMatch(declarations, /text-align:\s*(left|right)|float:/, name)
  }
})

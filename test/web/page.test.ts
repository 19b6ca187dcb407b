import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Page } from '../../src/web/page.tsx'
import { renderGroup } from '../../src/web/reference/group.tsx'
import { readLibrary } from '../../src/web/reference/guides/library.ts'
import { renderGuide } from '../../src/web/reference/guides/page.tsx'
import { renderMissing } from '../../src/web/reference/missing.tsx'
import { renderOverview } from '../../src/web/reference/overview.tsx'
import { readingOf } from '../../src/web/reference/reading.ts'
import { renderSearch } from '../../src/web/reference/search/page.tsx'
import { renderHome } from '../../src/web/site/home.tsx'
import { ROOT } from '../node/program.ts'
import { SANDBOX } from './sample-home.ts'
import { SAMPLE_OPENAPI } from './sample-openapi.ts'

const reading = readingOf(SAMPLE_OPENAPI, readLibrary(join(ROOT, 'docs')))

/** With pictures, nested lists, many tables, and none of them. */
const GUIDES = [
  'hosted-pages.md',
  'operating/backup-and-restore.md',
  'commands.md',
  'failure-codes/NOT_FOUND.md',
]

const PAGES: readonly (readonly [string, Page])[] = [
  ['home, English', renderHome(SANDBOX, 'en')],
  ['home, French', renderHome(SANDBOX, 'fr')],
  ['documentation', renderOverview(reading)],
  ['search', renderSearch(reading, '', [])],
  ['missing', renderMissing(reading)],
  ...reading.outline.groups.map((group): [string, Page] => [
    group.title,
    renderGroup(reading, group),
  ]),
  ...[...reading.library.guides.values()]
    .filter(({ file }) => GUIDES.includes(file))
    .map((guide): [string, Page] => [guide.file, renderGuide(reading, guide)]),
]

const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, text]) => text)

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function directives(page: Page): ReadonlyMap<string, string> {
  const policy = page.headers['content-security-policy'] ?? ''
  return new Map(
    policy.split('; ').map((part) => {
      const end = part.indexOf(' ')
      return [part.slice(0, end), part.slice(end + 1)]
    }),
  )
}

for (const [name, page] of PAGES) {
  describe(name, () => {
    it('allows exactly its own inline style and script', () => {
      const policy = directives(page)
      const styles = all(page.html, /<style>([\s\S]*?)<\/style>/g)
      const scripts = all(page.html, /<script>([\s\S]*?)<\/script>/g)
      assert.deepEqual(
        policy.get('style-src')?.split(' '),
        styles.map((text) => hash(text ?? '')),
      )
      assert.deepEqual(
        policy.get('script-src')?.split(' '),
        scripts.map((text) => hash(text ?? '')),
      )
      assert.doesNotMatch(page.html, /<script[^>]+src|\sstyle="|\son[a-z]+="/)
    })

    it('forbids everything else', () => {
      const policy = directives(page)
      assert.equal(policy.get('default-src'), "'none'")
      assert.equal(policy.get('img-src'), "'self' data:")
      assert.equal(policy.get('connect-src'), "'self'")
      assert.equal(policy.get('form-action'), "'self'")
      assert.equal(policy.get('frame-ancestors'), "'none'")
      assert.equal(policy.get('base-uri'), "'none'")
      assert.equal(page.headers['cache-control'], 'no-store')
      assert.equal(page.headers['referrer-policy'], 'same-origin')
      assert.equal(page.headers['x-content-type-options'], 'nosniff')
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    })

    it('loads nothing but pictures, and those from this service', () => {
      const sources = all(page.html, /\ssrc(?:set)?="([^"]*)"/g)
      assert.ok(sources.every((source) => source?.startsWith('/docs/pictures/')))
      const linked = all(page.html, /<link[^>]+href="([^"]*)"/g)
      assert.ok(linked.every((href) => href?.startsWith('data:')))
      assert.doesNotMatch(page.html, /@import|url\(/)
    })

    it('has every anchor it links to, and no id twice', () => {
      const ids = all(page.html, /\sid="([^"]*)"/g)
      assert.deepEqual(ids, [...new Set(ids)])
      const targets = all(page.html, /\shref="#([^"]*)"/g)
      assert.deepEqual(
        targets.filter((target) => !ids.includes(target)),
        [],
      )
    })

    it('has headings in order, one main part and a skip link', () => {
      const levels = all(page.html, /<h([1-6])[ >]/g).map(Number)
      assert.equal(levels.filter((level) => level === 1).length, 1)
      levels.reduce((before, level) => {
        assert.ok(level <= before + 1, `h${level} after h${before}`)
        return level
      }, 0)
      assert.equal(page.html.split('<main id="content"').length, 2)
      assert.match(page.html, /<a class="skip" href="#content">/)
    })
  })
}

it('the page says its language and offers the other one', () => {
  assert.match(renderHome(SANDBOX, 'fr').html, /^<!doctype html><html lang="fr" dir="ltr">/)
  assert.match(
    renderHome(SANDBOX, 'fr').html,
    /<a href="\?lang=en" lang="en" hreflang="en">English/,
  )
  assert.match(
    renderHome(SANDBOX, 'en').html,
    /<a href="\?lang=fr" lang="fr" hreflang="fr">Français/,
  )
})

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { FAILURE_CODES } from '../../src/domain/failure.ts'
import { readLibrary } from '../../src/web/reference/guides/library.ts'
import { renderGuide } from '../../src/web/reference/guides/page.tsx'
import { readingOf } from '../../src/web/reference/reading.ts'
import { entriesOf } from '../../src/web/reference/search/entries.ts'
import { finder } from '../../src/web/reference/search/find.ts'
import { documents, read } from '../docs/documents.ts'
import { ROOT } from '../node/program.ts'
import { SAMPLE_OPENAPI } from './sample-openapi.ts'

const library = readLibrary(join(ROOT, 'docs'))
const reading = readingOf(SAMPLE_OPENAPI, library)
const guides = [...library.guides.values()]
const pages = new Map(guides.map((guide) => [guide.path, renderGuide(reading, guide).html]))

describe('the guides', () => {
  it('are all documents of the folder, and are in the package', () => {
    const files = documents('docs').map((file) => file.replace(/^docs\//, ''))
    const served = guides.map(({ file }) => file)
    assert.deepEqual(
      files.filter((file) => !served.includes(file)),
      ['README.md'],
    )
    assert.ok(JSON.parse(read('package.json')).files.includes('docs'))
  })

  it('are listed as the index of the folder lists them', () => {
    assert.deepEqual(
      library.sections.map(({ title }) => title),
      ['Using the API', 'Running the service', 'Working on the code'],
    )
    const listed = library.sections.flatMap((section) => section.guides.map(({ file }) => file))
    assert.ok(listed.includes('callbacks.md') && listed.includes('operating/README.md'))
  })

  it('link to each other, to headings that exist and to pictures that are served', () => {
    const broken = [...pages].flatMap(([path, html]) =>
      [...html.matchAll(/ (?:href|src)="(\/docs\/(?:guides|pictures)[^"]*)"/g)]
        .map(([, target = '']) => target.split('#'))
        .filter(([to = '', anchor]) => {
          if (to.startsWith('/docs/pictures/')) return !library.pictures.has(to.slice(15))
          const page = pages.get(to)
          return page === undefined || (anchor !== undefined && !page.includes(` id="${anchor}"`))
        })
        .map((target) => `${path}: ${target.join('#')}`),
    )
    assert.deepEqual(broken, [])
    assert.ok(pages.get('/docs/guides/callbacks')?.includes('href="/docs/guides/'))
  })

  it('leave no Markdown behind', () => {
    for (const [path, html] of pages) {
      const text = html
        .replace(/^.*<main/s, '')
        .replaceAll(/<(pre|code)\b.*?<\/\1>/gs, '')
        .replaceAll(/<[^>]+>/g, '')
      assert.doesNotMatch(text, /\]\(|\*\*|^#+ |```|\|\s*-{3}/m, path)
    }
  })

  it('say what every failure code means', () => {
    assert.deepEqual([...library.meanings.keys()].toSorted(), Object.keys(FAILURE_CODES).toSorted())
  })
})

describe('the search', () => {
  const find = finder(entriesOf(reading))
  const found = (query: string) => find(query).flatMap(({ entries }) => entries)

  it('finds a field by its name in every operation that has it', () => {
    const hits = found('phoneNumber').filter(({ kind }) => kind === 'fields')
    assert.equal(hits[0]?.name, 'payer.accountDetails.phoneNumber')
    assert.ok(hits.some(({ detail }) => detail === 'Start a deposit · request'))
    assert.ok(hits.some(({ detail }) => detail === 'Look at a deposit · response'))
    assert.ok(hits.some(({ detail }) => detail === 'A deposit is final · callback'))
    assert.equal(
      hits.find(({ detail }) => detail.endsWith('request'))?.href,
      '/docs/api/deposits#create-deposit.body.payer.accountDetails.phoneNumber',
    )
  })

  it('finds a failure code with its meaning and the operations that give it', () => {
    const [code] = found('invalid_amount')
    assert.equal(code?.name, 'INVALID_AMOUNT')
    assert.equal(code.href, '/docs/guides/failure-codes/INVALID_AMOUNT')
    assert.match(code.detail, /decimals/)
    assert.deepEqual(code.places, [
      { title: 'Start a deposit', href: '/docs/api/deposits#create-deposit.codes' },
    ])
  })

  it('finds operations by title and path, and chapters of guides by their words', () => {
    assert.equal(found('/v2/wallet-balances')[0]?.name, 'List wallet balances')
    assert.ok(found('callbacks 410').some(({ kind }) => kind === 'guides'))
  })

  it('needs all words, in any order and case', () => {
    const both = found('deposit AMOUNT').filter(({ kind }) => kind === 'fields')
    assert.ok(both.length > 0)
    assert.ok(both.every((hit) => /deposit/i.test(hit.detail + hit.text)))
    assert.deepEqual(found('deposit xyzzy'), [])
    assert.deepEqual(found('   '), [])
  })

  it('leads to places that exist', () => {
    for (const { href } of entriesOf(reading)) {
      const [path = '', anchor] = href.split('#')
      if (pages.has(path) && anchor !== undefined) {
        assert.ok(pages.get(path)?.includes(` id="${anchor}"`), href)
      }
    }
  })
})

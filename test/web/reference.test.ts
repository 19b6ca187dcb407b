import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BASICS_PAGE, groupPath, TEST_NUMBERS_PATH } from '../../src/web/reference/anchors.ts'
import { renderBasics, renderGroup } from '../../src/web/reference/group.tsx'
import { NO_GUIDES } from '../../src/web/reference/guides/library.ts'
import type { OpenApiDocument, Operation, Response } from '../../src/web/reference/openapi.ts'
import { addressesOf } from '../../src/web/reference/outline.ts'
import { renderOverview } from '../../src/web/reference/overview.tsx'
import { readingOf } from '../../src/web/reference/reading.ts'
import { SAMPLE_OPENAPI } from './sample-openapi.ts'

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', lt: '<', amp: '&' }

const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&(quot|lt|amp);/g, (_, name: string) => ENTITIES[name] ?? '')

function pagesOf(document: OpenApiDocument): ReadonlyMap<string, string> {
  const reading = readingOf(document, NO_GUIDES)
  return new Map([
    ['/docs', renderOverview(reading).html],
    [groupPath(BASICS_PAGE), renderBasics(reading).html],
    ...reading.outline.groups.map((group): [string, string] => [
      group.path,
      renderGroup(reading, group).html,
    ]),
  ])
}

const pages = pagesOf(SAMPLE_OPENAPI)
const html = [...pages.values()].join('')
const text = textOf(html)
const { outline } = readingOf(SAMPLE_OPENAPI, NO_GUIDES)
const entries = outline.groups.flatMap((group) => group.entries)
const calls = entries.filter(({ isCallback }) => !isCallback)
const callbacks = entries.filter(({ isCallback }) => isCallback)

function sectionOf(id: string): string {
  const start = html.indexOf(`<section class="operation" aria-labelledby="${id}">`)
  assert.notEqual(start, -1, id)
  return html.slice(start, html.indexOf('</section>', start))
}

describe('the reference', () => {
  it('is the same bytes for the same document', () => {
    assert.deepEqual(pagesOf(SAMPLE_OPENAPI), pages)
  })

  it('has a page for each group, with its own operations and no others', () => {
    for (const { path, entries: own } of outline.groups) {
      const page = pages.get(path) ?? ''
      for (const { id } of entries) {
        assert.equal(
          page.includes(`aria-labelledby="${id}"`),
          own.some((one) => one.id === id),
        )
      }
    }
  })

  it('redirects every anchor of the former single page, from the index', () => {
    const index = pages.get('/docs') ?? ''
    const addresses = addressesOf(outline)
    for (const id of [...entries, ...outline.groups].map((one) => one.id)) {
      const [, target] = new RegExp(` id="${id}">.*?href="([^"]+)"`).exec(index) ?? []
      assert.equal(target, addresses.get(id), id)
    }
    for (const [id, address] of addresses) {
      const [path = '', anchor] = address.split('#')
      assert.ok(pages.get(path)?.includes(anchor === undefined ? '<h1>' : ` id="${anchor}"`), id)
    }
  })

  it('has every operation with method, path, title, description and scope', () => {
    assert.equal(calls.length, 6)
    for (const { id, method, path, title, operation } of calls) {
      const section = textOf(sectionOf(id))
      assert.ok(section.includes(`${method.toUpperCase()} ${path}`), path)
      assert.ok(section.includes(title))
      for (const requirement of operation.security ?? []) {
        for (const scope of Object.values(requirement).flat()) assert.ok(section.includes(scope))
      }
    }
    assert.equal(callbacks.length, 1)
    assert.ok(text.includes('A deposit is final'))
  })

  it('has every parameter, status and response text of every operation', () => {
    for (const { id, operation, parameters } of entries) {
      const section = textOf(sectionOf(id))
      for (const parameter of parameters) {
        assert.ok(section.includes(parameter.name ?? '?'))
        assert.ok(section.includes(parameter.description?.replaceAll('`', '') ?? '?'))
      }
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        assert.ok(
          section.includes(`${status}${resolved(response as Response).description}`),
          `${id} ${status}`,
        )
      }
    }
  })

  it('has every field that a body refers to, with its rules', () => {
    for (const { id, operation } of entries) {
      const section = textOf(sectionOf(id))
      for (const name of fieldNames(operation)) assert.ok(section.includes(name), `${id} ${name}`)
    }
    const section = textOf(sectionOf('create-deposit'))
    for (const rule of [
      'Length: 4 to 22',
      'Length: at most 100',
      'Entries: at most 10',
      'Pattern: ^[a-zA-Z0-9 ]+$',
      'Always: MMO',
      'One of: ACCEPTED REJECTED DUPLICATE_IGNORED',
      'No other fields are accepted.',
      'payer.accountDetails.phoneNumber',
    ]) {
      assert.ok(section.includes(rule), rule)
    }
  })

  it('shows the examples that the document gives', () => {
    assert.ok(text.includes('"nextStep": "FINAL_STATUS"'))
    assert.ok(text.includes('Refused by a rule'))
    assert.ok(text.includes('"failureCode": "MISSING_PARAMETER"'))
  })

  it('explains callbacks and their signatures on a page of their own', () => {
    const page = pages.get('/docs/api/callbacks') ?? ''
    assert.ok(page.includes('Checking the signature'))
    assert.ok(page.includes('Signature-Input'))
    assert.ok(page.includes('href="/docs/api/toolkit#get-public-keys"'))
  })

  it('shows the body before the headers', () => {
    const section = sectionOf('create-deposit')
    assert.ok(section.indexOf('Request fields') < section.indexOf('>Headers<'))
    assert.ok(section.indexOf('customerMessage') < section.indexOf('Content-Digest'))
  })

  it('shows the failure codes of an operation, and only those', () => {
    const codesOf = (id: string): readonly string[] =>
      [...sectionOf(id).matchAll(/<th scope="row"><code>(.*?)<\/code><span class="duty">/g)].map(
        ([, code = '']) => textOf(code),
      )
    assert.deepEqual(
      codesOf('create-deposit').filter((name) => /_/.test(name)),
      ['INVALID_AMOUNT', 'MISSING_PARAMETER'],
    )
    assert.match(textOf(sectionOf('create-deposit')), /INVALID_AMOUNT200 REJECTED/)
    assert.ok(!sectionOf('get-wallet-balances').includes('Failure codes'))
  })

  it('has the address of the test numbers, to which the overview links', () => {
    assert.ok([...addressesOf(outline).keys()].includes(TEST_NUMBERS_PATH.split('#')[1] ?? ''))
  })

  it('escapes texts and refuses script addresses in descriptions', () => {
    const description = 'A <img src=x> and [a link](javascript:alert(1)) and `<b>`'
    const info = { ...SAMPLE_OPENAPI.info, description, title: '</title><script>1</script>' }
    const all = [...pagesOf({ ...SAMPLE_OPENAPI, info }).values()].join('')
    assert.ok(!all.includes('<img'))
    assert.ok(!all.includes('href="javascript'))
    assert.ok(!all.includes('<script>1'))
  })

  it('copes with a document with gaps: empty, with a broken reference, with a recursive schema', () => {
    const bare: OpenApiDocument = { openapi: '3.1.0', info: { title: 'Bare', version: '1' } }
    assert.ok(pagesOf(bare).get('/docs')?.includes('Bare'))
    const odd: OpenApiDocument = {
      ...bare,
      paths: {
        '/tree': { put: { requestBody: json({ $ref: '#/components/schemas/Tree' }) } },
        '/lost': { put: { requestBody: json({ $ref: '#/components/schemas/Lost' }) } },
      },
      components: {
        schemas: {
          Tree: {
            type: 'object',
            required: ['branches'],
            properties: {
              branches: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
            },
          },
        },
      },
    }
    const all = pagesOf(odd).get('/docs/api/other') ?? ''
    assert.ok(all.includes('branches'))
    assert.ok(all.includes('/lost'))
  })
})

function json(schema: object) {
  return { content: { 'application/json': { schema } } }
}

function resolved(response: Response): Response {
  const name = response.$ref?.split('/').pop() ?? ''
  return SAMPLE_OPENAPI.components?.responses?.[name] ?? response
}

/** Every name under `properties`, however deep, through references. */
function fieldNames(operation: Operation): readonly string[] {
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, child] of Object.entries(value)) {
      if (key === '$ref') visit(lookUp(String(child)))
      else if (key === 'properties') for (const name of Object.keys(child)) names.add(name)
      if (key !== 'examples' && key !== 'example') visit(child)
    }
  }
  visit(operation.requestBody)
  visit(operation.responses)
  return [...names]
}

function lookUp(reference: string): unknown {
  const [, , section, name = ''] = reference.split('/')
  return section === 'responses'
    ? SAMPLE_OPENAPI.components?.responses?.[name]
    : SAMPLE_OPENAPI.components?.schemas?.[name]
}

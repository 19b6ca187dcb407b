import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { TEST_NUMBERS_ANCHOR } from '../../src/web/reference/anchors.ts'
import { curlOf } from '../../src/web/reference/curl.ts'
import type { OpenApiDocument, Operation, Response } from '../../src/web/reference/openapi.ts'
import { outlineOf } from '../../src/web/reference/outline.ts'
import { renderReference } from '../../src/web/reference/page.tsx'
import { SAMPLE_OPENAPI } from './sample-openapi.ts'

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', lt: '<', amp: '&' }

const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/&(quot|lt|amp);/g, (_, name: string) => ENTITIES[name] ?? '')

const page = renderReference(SAMPLE_OPENAPI, 'en')
const text = textOf(page.html)
const outline = outlineOf(SAMPLE_OPENAPI)
const calls = outline.groups.flatMap((group) => group.entries)
const callbacks = outline.callbacks?.entries ?? []

function sectionOf(id: string): string {
  const start = page.html.indexOf(`<section class="operation" aria-labelledby="${id}">`)
  assert.notEqual(start, -1, id)
  return page.html.slice(start, page.html.indexOf('</section>', start))
}

describe('the reference', () => {
  it('is the same bytes for the same document', () => {
    assert.equal(renderReference(SAMPLE_OPENAPI, 'en').html, page.html)
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
    for (const { id, operation, parameters } of [...calls, ...callbacks]) {
      const section = textOf(sectionOf(id))
      for (const parameter of parameters) {
        assert.ok(section.includes(parameter.name ?? '?'))
        assert.ok(section.includes(parameter.description?.replaceAll('`', '') ?? '?'))
      }
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        assert.ok(section.includes(`${status}${resolved(response).description}`), `${id} ${status}`)
      }
    }
  })

  it('has every field that a body refers to, with its rules', () => {
    for (const { id, operation } of [...calls, ...callbacks]) {
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

  it('explains callbacks and their signatures in a section of their own', () => {
    const section = page.html.slice(
      page.html.indexOf('<section class="group" aria-labelledby="callbacks"'),
    )
    assert.ok(section.includes('Checking the signature'))
    assert.ok(section.includes('Signature-Input'))
  })

  it('has the anchor of the test numbers, to which the overview links', () => {
    assert.ok(page.html.includes(`id="${TEST_NUMBERS_ANCHOR}"`))
  })

  it('marks English texts on the French page and translates its own words', () => {
    const { html } = renderReference(SAMPLE_OPENAPI, 'fr')
    assert.match(html, /<h3 id="create-deposit" lang="en">/)
    assert.ok(html.includes('Champs de la requête'))
    assert.ok(!html.includes('Request fields'))
  })

  it('escapes texts and refuses script addresses in descriptions', () => {
    const description = 'A <img src=x> and [a link](javascript:alert(1)) and `<b>`'
    const info = { ...SAMPLE_OPENAPI.info, description, title: '</title><script>1</script>' }
    const { html } = renderReference({ ...SAMPLE_OPENAPI, info }, 'en')
    assert.ok(!html.includes('<img'))
    assert.ok(!html.includes('href="javascript'))
    assert.ok(!html.includes('<script>1'))
  })

  it('stands a document with gaps: nothing in it, a reference to nowhere, a schema within itself', () => {
    const bare: OpenApiDocument = { openapi: '3.1.0', info: { title: 'Bare', version: '1' } }
    assert.ok(renderReference(bare, 'en').html.includes('Bare'))
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
    const { html } = renderReference(odd, 'en')
    assert.ok(html.includes('branches'))
    assert.ok(html.includes('/lost'))
  })
})

describe('the example request', () => {
  it('runs in a shell with the body, the address and the token in place', () => {
    for (const entry of calls) {
      const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n`
      const run = spawnSync('sh', ['-c', script + curlOf(SAMPLE_OPENAPI, entry)], {
        encoding: 'utf8',
        env: { ...process.env, MALIPO_TOKEN: 'a-token' },
      })
      assert.equal(run.status, 0, run.stderr)
      const words = run.stdout.split('\0')
      assert.ok(words.some((word) => word.startsWith('http://127.0.0.1:8080/')))
      assert.ok(words.includes('Authorization: Bearer a-token'))
      const data = words.indexOf('-d')
      assert.equal(data !== -1, entry.operation.requestBody !== undefined)
      if (data !== -1) assert.equal(typeof JSON.parse(words[data + 1] ?? ''), 'object')
    }
  })

  it('needs no token where the document asks for none', () => {
    const [entry] = calls
    assert.ok(entry !== undefined)
    const open = { ...entry, operation: { ...entry.operation, security: [] } }
    assert.ok(!curlOf(SAMPLE_OPENAPI, open).includes('Authorization'))
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
  const [, , shelf, name = ''] = reference.split('/')
  return shelf === 'responses'
    ? SAMPLE_OPENAPI.components?.responses?.[name]
    : SAMPLE_OPENAPI.components?.schemas?.[name]
}

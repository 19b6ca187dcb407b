import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OpenApiDocument, Schema } from '../../src/web/reference/openapi.ts'
import { exampleOf } from '../../src/web/reference/schema-example.ts'
import { fieldsOf, typeOf } from '../../src/web/reference/schema-fields.ts'

const DOCUMENT: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  components: {
    schemas: {
      Name: { type: 'string', description: 'A name.', maxLength: 5 },
      Alias: { $ref: '#/components/schemas/Name' },
    },
  },
}

const TYPES: readonly (readonly [Schema, string])[] = [
  [{ type: 'string' }, 'string'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [
    { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    '(string | number)[]',
  ],
  [{ anyOf: [{ const: 'A' }, { const: 'B' }] }, 'string'],
  [{ const: true }, 'boolean'],
  [{ properties: {} }, 'object'],
  [{}, 'any'],
  [{ $ref: '#/components/schemas/Alias' }, 'string'],
]

for (const [schema, expected] of TYPES) {
  it(`${JSON.stringify(schema)} reads as ${expected}`, () => {
    assert.equal(typeOf(DOCUMENT, schema), expected)
  })
}

describe('fields', () => {
  it('stand below their parent, one level deeper, with the names around them', () => {
    const fields = fieldsOf(DOCUMENT, {
      type: 'object',
      required: ['outer'],
      properties: {
        outer: {
          type: 'array',
          items: { type: 'object', properties: { inner: { type: 'string' } } },
        },
      },
    })
    assert.deepEqual(
      fields.map(({ name, depth, parents, isRequired }) => ({ name, depth, parents, isRequired })),
      [
        { name: 'outer', depth: 0, parents: [], isRequired: true },
        { name: 'inner', depth: 1, parents: ['outer'], isRequired: false },
      ],
    )
  })

  it('take what stands beside a reference before what it refers to', () => {
    const [field] = fieldsOf(DOCUMENT, {
      type: 'object',
      properties: { name: { $ref: '#/components/schemas/Alias', description: 'Your name.' } },
    })
    assert.equal(field?.description, 'Your name.')
    assert.deepEqual(field?.rules, [{ kind: 'length', min: undefined, max: 5 }])
  })

  it('of a nullable value follow the rules of the value', () => {
    const [field] = fieldsOf(DOCUMENT, {
      type: 'object',
      properties: { name: { anyOf: [{ $ref: '#/components/schemas/Name' }, { type: 'null' }] } },
    })
    assert.deepEqual(field?.rules, [{ kind: 'length', min: undefined, max: 5 }])
  })

  it('of an intersection are merged', () => {
    const part = (name: string): Schema => ({
      type: 'object',
      required: [name],
      properties: { [name]: { type: 'string' } },
    })
    const fields = fieldsOf(DOCUMENT, { allOf: [part('a'), part('b')] })
    assert.deepEqual(
      fields.map(({ name, isRequired }) => [name, isRequired]),
      [
        ['a', true],
        ['b', true],
      ],
    )
  })

  it('of several forms stand under a line for each form', () => {
    const fields = fieldsOf(DOCUMENT, {
      anyOf: [
        { title: 'Found', type: 'object', properties: { data: { type: 'string' } } },
        { type: 'object', properties: { reason: { type: 'string' } } },
      ],
    })
    assert.deepEqual(
      fields.map(({ kind, name }) => [kind, name]),
      [
        ['variant', 'Found'],
        ['named', 'data'],
        ['variant', '2'],
        ['named', 'reason'],
      ],
    )
  })
})

describe('a made example', () => {
  it('has what is always there and leaves out what only may be', () => {
    const schema: Schema = {
      type: 'object',
      required: ['id', 'list'],
      properties: {
        id: { type: 'string', format: 'uuid' },
        list: { type: 'array', items: { type: 'integer', minimum: 3 } },
        reason: { type: 'object', properties: {} },
        note: { type: 'string', examples: ['hello'] },
        data: { type: 'object', properties: { x: { type: 'string', examples: ['y'] } } },
      },
    }
    assert.deepEqual(exampleOf(DOCUMENT, schema), {
      id: '8917c345-4791-4285-a416-62f24b6982db',
      list: [3],
      note: 'hello',
      data: { x: 'y' },
    })
  })
})

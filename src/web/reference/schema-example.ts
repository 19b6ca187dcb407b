/** An example value where the document gives none: made from the schema, the same every time. */
import type { Example, Media, OpenApiDocument, Schema } from './openapi.ts'
import { settle } from './schema-fields.ts'

export type NamedExample = { readonly title: string; readonly text: string }

/** The examples of a body, written out; at least one whenever there is a schema. */
export function examplesOf(document: OpenApiDocument, media: Media): readonly NamedExample[] {
  const named = Object.entries(media.examples ?? {})
  if (named.length > 0) return named.map(([name, example]) => written(name, example))
  if (media.example !== undefined) return [{ title: '', text: pretty(media.example) }]
  if (media.schema === undefined) return []
  return [{ title: '', text: pretty(exampleOf(document, media.schema)) }]
}

/** The value of the first of them. */
export function firstExample(document: OpenApiDocument, media: Media): unknown {
  const [named] = Object.values(media.examples ?? {})
  return named?.value ?? media.example ?? exampleOf(document, media.schema ?? {})
}

function written(name: string, example: Example): NamedExample {
  return { title: example.summary ?? name, text: pretty(example.value) }
}

function pretty(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
}

const MAX_DEPTH = 12

export function exampleOf(document: OpenApiDocument, schema: Schema, depth = 0): unknown {
  const settled = settle(document, schema)
  if (settled.examples?.[0] !== undefined) return settled.examples[0]
  if ('const' in settled) return settled.const
  if (settled.default !== undefined) return settled.default
  if (settled.enum !== undefined) return settled.enum[0]
  const form = settled.anyOf?.[0] ?? settled.oneOf?.[0]
  if (depth > MAX_DEPTH) return {}
  if (form !== undefined) return exampleOf(document, form, depth + 1)
  if (settled.items !== undefined) return [exampleOf(document, settled.items, depth + 1)]
  if (settled.properties !== undefined) return objectExample(document, settled, depth)
  return plainExample(settled)
}

/**
 * What is always there, and what the document shows an example of: an object with every optional
 * field would show a completed payment with a reason for its failure.
 */
function objectExample(document: OpenApiDocument, schema: Schema, depth: number): unknown {
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name, child]) => schema.required?.includes(name) || hasExample(document, child),
  )
  return Object.fromEntries(
    shown.map(([name, child]) => [name, exampleOf(document, child, depth + 1)]),
  )
}

function hasExample(document: OpenApiDocument, schema: Schema, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const settled = settle(document, schema)
  if (settled.examples !== undefined) return true
  const inner = [
    ...Object.values(settled.properties ?? {}),
    ...(settled.anyOf ?? settled.oneOf ?? []),
    ...(settled.items === undefined ? [] : [settled.items]),
  ]
  return inner.some((child) => hasExample(document, child, depth + 1))
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '8917c345-4791-4285-a416-62f24b6982db',
  'date-time': '2026-01-15T10:20:30Z',
  date: '2026-01-15',
  uri: 'https://shop.example/path',
  url: 'https://shop.example/path',
  email: 'person@shop.example',
}

function plainExample(schema: Schema): unknown {
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'array') return []
  if (type === 'object') return {}
  return BY_FORMAT[schema.format ?? ''] ?? 'text'
}

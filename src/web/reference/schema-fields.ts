/**
 * A schema as the flat list of fields a reader wants: nested ones directly below their parent,
 * one level deeper. Words are put in later, so the list is the same in both languages.
 */
import { type OpenApiDocument, resolve, type Schema } from './openapi.ts'

export type FieldRule =
  | { readonly kind: 'length' | 'entries' | 'range'; readonly min?: Bound; readonly max?: Bound }
  | { readonly kind: 'pattern' | 'format'; readonly text: string }
  | { readonly kind: 'values'; readonly values: readonly string[] }
  | { readonly kind: 'constant' | 'default' | 'example'; readonly text: string }
  | { readonly kind: 'closed' }

type Bound = number | undefined

export type Field = {
  /** `entry`: what an array holds; `any-name`: a map; `variant`: one of several forms. */
  readonly kind: 'named' | 'entry' | 'any-name' | 'variant' | 'whole'
  readonly name: string
  /** Names of the fields around it, outermost first. */
  readonly parents: readonly string[]
  readonly depth: number
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  readonly rules: readonly FieldRule[]
}

type Walk = {
  readonly document: OpenApiDocument
  readonly parents: readonly string[]
  readonly depth: number
  /** References already open above: a schema that contains itself ends there. */
  readonly open: readonly string[]
}

export function fieldsOf(document: OpenApiDocument, schema: Schema): readonly Field[] {
  const walk: Walk = { document, parents: [], depth: 0, open: [] }
  const settled = settle(document, schema)
  if (settled.properties !== undefined || formsOf(document, settled).length > 1) {
    return inside(walk, schema)
  }
  return withInside(walk, schema, { kind: 'whole', name: '', isRequired: true })
}

export function fieldOf(document: OpenApiDocument, name: string, schema: Schema): Field {
  const walk: Walk = { document, parents: [], depth: 0, open: [] }
  return describe(walk, settle(document, schema), { kind: 'named', name, isRequired: false })
}

type Naming = Pick<Field, 'kind' | 'name' | 'isRequired'>

function withInside(walk: Walk, schema: Schema, naming: Naming): readonly Field[] {
  const field = describe(walk, settle(walk.document, schema), naming)
  const parents = naming.name === '' ? walk.parents : [...walk.parents, naming.name]
  return [field, ...inside({ ...walk, parents, depth: walk.depth + 1 }, schema)]
}

function inside(walk: Walk, schema: Schema): readonly Field[] {
  const reference = schema.$ref
  if (reference !== undefined && walk.open.includes(reference)) return []
  const within = reference === undefined ? walk : { ...walk, open: [...walk.open, reference] }
  const settled = settle(walk.document, schema)
  if (settled.items !== undefined) return insideArray(within, settled.items)
  const forms = formsOf(walk.document, settled)
  if (forms.length > 1) return insideForms(within, forms)
  const only = forms[0]
  if (only !== undefined) return inside(within, only)
  return insideObject(within, settled)
}

function insideObject(walk: Walk, schema: Schema): readonly Field[] {
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const isRequired = schema.required?.includes(name) ?? false
    return withInside(walk, child, { kind: 'named', name, isRequired })
  })
  const others = [
    ...Object.values(schema.patternProperties ?? {}),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ]
  const free = others.flatMap((child) =>
    withInside(walk, child, { kind: 'any-name', name: '*', isRequired: false }),
  )
  return [...named, ...free]
}

function insideArray(walk: Walk, items: Schema): readonly Field[] {
  const settled = settle(walk.document, items)
  const isPlain = settled.properties === undefined && formsOf(walk.document, settled).length < 2
  const hasNothingToSay = settled.description === undefined && rulesOf(settled).length === 0
  if (!isPlain || hasNothingToSay) return inside(walk, items)
  return withInside(walk, items, { kind: 'entry', name: '[]', isRequired: false })
}

function insideForms(walk: Walk, forms: readonly Schema[]): readonly Field[] {
  return forms.flatMap((form, index) => {
    const settled = settle(walk.document, form)
    const name = settled.title ?? String(index + 1)
    const row = describe(walk, settled, { kind: 'variant', name, isRequired: false })
    return [row, ...inside({ ...walk, depth: walk.depth + 1 }, form)]
  })
}

/** The forms of a union that are worth a line each: null needs none. */
function formsOf(document: OpenApiDocument, schema: Schema): readonly Schema[] {
  const forms = schema.anyOf ?? schema.oneOf ?? []
  return forms.filter((form) => settle(document, form).type !== 'null')
}

/** References followed, intersections merged, unions of literals turned into a list of values. */
export function settle(document: OpenApiDocument, schema: Schema): Schema {
  const found = resolve(document.components?.schemas, schema)
  if (found.allOf !== undefined) {
    const { allOf, ...own } = found
    return allOf.map((part) => settle(document, part)).reduce(merge, own)
  }
  const forms = found.anyOf ?? found.oneOf ?? []
  if (forms.length === 0 || !forms.every((form) => 'const' in form)) return found
  const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = found
  return { ...rest, enum: forms.map((form) => form.const) }
}

function merge(into: Schema, part: Schema): Schema {
  return {
    ...part,
    ...into,
    properties: { ...into.properties, ...part.properties },
    required: [...(into.required ?? []), ...(part.required ?? [])],
  }
}

function describe(walk: Walk, schema: Schema, naming: Naming): Field {
  return {
    ...naming,
    parents: walk.parents,
    depth: walk.depth,
    type: typeOf(walk.document, schema),
    description: schema.description ?? '',
    rules: rulesOf(onlyForm(walk.document, schema)),
  }
}

/** `string or null` follows the rules of its string. */
function onlyForm(document: OpenApiDocument, schema: Schema): Schema {
  const [only, ...others] = formsOf(document, schema)
  return only === undefined || others.length > 0 ? schema : settle(document, only)
}

export function typeOf(document: OpenApiDocument, schema: Schema): string {
  const settled = settle(document, schema)
  const forms = settled.anyOf ?? settled.oneOf
  if (forms !== undefined) return unique(forms.map((form) => typeOf(document, form))).join(' | ')
  if (settled.items !== undefined) {
    const entry = typeOf(document, settled.items)
    return entry.includes('|') ? `(${entry})[]` : `${entry}[]`
  }
  if (typeof settled.type === 'string') return settled.type
  if (settled.type !== undefined) return settled.type.join(' | ')
  const values = 'const' in settled ? [settled.const] : (settled.enum ?? [])
  if (values.length > 0) return unique(values.map(jsonType)).join(' | ')
  return settled.properties === undefined ? 'any' : 'object'
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

function rulesOf(schema: Schema): readonly FieldRule[] {
  const rules: FieldRule[] = []
  if ('const' in schema) rules.push({ kind: 'constant', text: textOf(schema.const) })
  if (schema.enum !== undefined) rules.push({ kind: 'values', values: schema.enum.map(textOf) })
  const limits = [
    { kind: 'length', min: schema.minLength, max: schema.maxLength },
    { kind: 'entries', min: schema.minItems, max: schema.maxItems },
    { kind: 'range', min: schema.minimum, max: schema.maximum },
  ] as const
  rules.push(...limits.filter(({ min, max }) => min !== undefined || max !== undefined))
  if (schema.format !== undefined) rules.push({ kind: 'format', text: schema.format })
  if (schema.pattern !== undefined) rules.push({ kind: 'pattern', text: schema.pattern })
  if (schema.default !== undefined) rules.push({ kind: 'default', text: textOf(schema.default) })
  const [example] = schema.examples ?? []
  if (example !== undefined && typeof example !== 'object') {
    rules.push({ kind: 'example', text: textOf(example) })
  }
  if (schema.additionalProperties === false) rules.push({ kind: 'closed' })
  return rules
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

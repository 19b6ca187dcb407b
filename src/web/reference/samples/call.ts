/** A call with example values, which each language writes down in its own way. */
import { mediaOf, type OpenApiDocument, type Parameter, resolve, type Schema } from '../openapi.ts'
import type { OperationEntry } from '../outline.ts'
import { exampleOf, firstExample } from '../schema-example.ts'
import { settle } from '../schema-fields.ts'
import { securityOf } from '../security.ts'

export type Call = {
  readonly method: string
  readonly url: string
  readonly needsToken: boolean
  readonly contentType: string | undefined
  readonly body: unknown
}

/** Stands in a body for an identifier that the caller makes anew for every call. */
export class FreshId {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export function callOf(document: OpenApiDocument, entry: OperationEntry): Call {
  const body = resolve(document.components?.requestBodies, entry.operation.requestBody ?? {})
  const found = mediaOf(body.content)
  const schema = found?.media.schema ?? {}
  return {
    method: entry.method.toUpperCase(),
    url: addressOf(document, entry),
    needsToken: !securityOf(document, entry.operation).isOpen,
    contentType: found?.contentType,
    body:
      found === undefined
        ? undefined
        : withFreshIds(document, schema, firstExample(document, found.media)),
  }
}

function addressOf(document: OpenApiDocument, entry: OperationEntry): string {
  const base = document.servers?.[0]?.url.replace(/\/+$/, '') ?? ''
  const encoded = (parameter: Parameter) =>
    encodeURIComponent(parameterExample(document, parameter))
  const path = entry.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, each) => text.replace(`{${each.name}}`, encoded(each)), entry.path)
  const query = entry.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map((parameter) => `${parameter.name}=${encoded(parameter)}`)
  return `${base}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

function parameterExample(document: OpenApiDocument, parameter: Parameter): string {
  return String(parameter.example ?? exampleOf(document, parameter.schema ?? { type: 'string' }))
}

/** A UUID of version 4 is one that the caller makes; others name what exists already. */
const MADE_BY_CALLER = '-4['

/**
 * An identifier that was accepted before is answered as a duplicate, so an example with a fixed one
 * would work once. In each object the first identifier is its own; a second one refers to another.
 */
function withFreshIds(document: OpenApiDocument, schema: Schema, value: unknown): unknown {
  const settled = settle(document, schema)
  if (Array.isArray(value)) {
    return value.map((each) => withFreshIds(document, settled.items ?? {}, each))
  }
  if (typeof value !== 'object' || value === null) return value
  const properties = settled.properties ?? {}
  const own = Object.keys(value).find((name) =>
    settle(document, properties[name] ?? {}).pattern?.includes(MADE_BY_CALLER),
  )
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === own ? new FreshId(name) : withFreshIds(document, properties[name] ?? {}, inner),
    ]),
  )
}

export const hasFreshId = (value: unknown): boolean =>
  value instanceof FreshId ||
  (typeof value === 'object' && value !== null && Object.values(value).some(hasFreshId))

/** What differs when a value is written in a language whose literals resemble JSON. */
export type Notation = {
  readonly indent: string
  readonly brackets: { readonly object: string; readonly array: string }
  readonly pair: (name: string, value: string) => string
  readonly text: (text: string) => string
  /** Numbers, truth values and null. */
  readonly plain: (value: unknown) => string
  readonly emptyObject: string
  readonly freshId: string
  readonly hasLastComma: boolean
}

/** The value over several lines, of which all but the first begin with `margin`. */
export function write(value: unknown, notation: Notation, margin = ''): string {
  if (value instanceof FreshId) return notation.freshId
  if (typeof value === 'string') return notation.text(value)
  if (typeof value !== 'object' || value === null) return notation.plain(value)
  const deeper = margin + notation.indent
  const isArray = Array.isArray(value)
  const parts = isArray
    ? value.map((each) => write(each, notation, deeper))
    : Object.entries(value).map(([name, inner]) =>
        notation.pair(notation.text(name), write(inner, notation, deeper)),
      )
  const [open = '', close = ''] = isArray ? notation.brackets.array : notation.brackets.object
  if (parts.length === 0) return isArray ? open + close : notation.emptyObject
  const end = notation.hasLastComma ? ',' : ''
  return `${open}\n${deeper}${parts.join(`,\n${deeper}`)}${end}\n${margin}${close}`
}

import type { Schema } from '../../src/web/reference/openapi.ts'
import { nameOf } from './api-schemas.ts'

/** Of a line, as the formatter is set. */
export const WIDTH = 100

/** Object types that were written before, by their schema, with how to refer to them. */
type Written = Map<string, string>

/** The TypeScript declaration of a named schema, laid out as the formatter does. */
export function declaration(name: string, schema: Schema, written: Written): string {
  const head = `export type ${name} =`
  const type = typeText(schema, { indent: '', before: head.length + 1, at: name, written })
  return `${comment(schema, '')}${head}${type.startsWith('\n') ? '' : ' '}${type}\n`
}

/** A type inside another one, where `before` columns of its first line are used. */
export const innerType = (schema: Schema, indent: string, before: number): string =>
  typeText(schema, { indent, before, at: undefined, written: new Map() })

type Place = {
  readonly indent: string
  /** Columns used in the line that the type begins in. */
  readonly before: number
  /** How to refer to it from elsewhere; absent where it may be missing. */
  readonly at: string | undefined
  readonly written: Written
}

function typeText(schema: Schema, place: Place): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.const !== undefined) return literal(schema.const)
  const choices = schema.enum?.map(literal) ?? schema.anyOf?.map((one) => typeText(one, place))
  if (choices !== undefined) return union(choices, place)
  if (schema.type === 'array') return arrayText(schema.items ?? {}, place)
  if (schema.type === 'object') return objectText(schema, place)
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'string' || schema.type === 'boolean') return schema.type
  throw new Error(`no type for ${JSON.stringify(schema)}`)
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value)

function union(choices: readonly string[], { indent, before }: Place): string {
  const line = choices.join(' | ')
  if (before + line.length <= WIDTH) return line
  return choices.map((one) => `\n${indent}  | ${one}`).join('')
}

function arrayText(items: Schema, place: Place): string {
  const before = place.before + 'readonly '.length
  const inner = typeText(items, { ...place, before, at: undefined })
  return /^[^{]* \| /.test(inner) ? `readonly (${inner})[]` : `readonly ${inner}[]`
}

/** A long type is written once in a file: afterwards it is named by where it was first. */
function objectText(schema: Schema, place: Place): string {
  const { indent, at, written } = place
  const key = JSON.stringify(schema)
  const known = written.get(key)
  if (known !== undefined) return known
  const inner = `${indent}  `
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const isRequired = schema.required?.includes(name) === true
    const head = `${inner}readonly ${name}${isRequired ? '' : '?'}:`
    const path = isRequired && at !== undefined ? `${at}['${name}']` : undefined
    const child = { indent: inner, before: head.length + 1, at: path, written }
    const type = typeText(property, child)
    return `${comment(property, inner)}${head}${type.startsWith('\n') ? '' : ' '}${type}`
  })
  const free = freeMember(schema, { ...place, indent: inner, at: undefined })
  if (at?.includes('[')) written.set(key, at)
  return `{\n${[...members, ...free].join('\n')}\n${indent}}`
}

/** Names that the caller chooses; TypeScript wants their type to allow for the known ones too. */
function freeMember(schema: Schema, place: Place): readonly string[] {
  const { additionalProperties, patternProperties, properties = {} } = schema
  const free =
    typeof additionalProperties === 'object'
      ? additionalProperties
      : Object.values(patternProperties ?? {})[0]
  if (free === undefined) return []
  const known = Object.values(properties)
  const types = [...new Set([free, ...known].map((one) => typeText(one, place)))]
  const all = known.length > 0 ? [...types, 'undefined'] : types
  return [`${place.indent}readonly [name: string]: ${all.join(' | ')}`]
}

function comment({ description }: Schema, indent: string): string {
  if (description === undefined) return ''
  const line = `${indent}/** ${description} */`
  if (line.length <= WIDTH) return `${line}\n`
  const lines = wrapped(description, WIDTH - indent.length - 3)
  return [`${indent}/**`, ...lines.map((one) => `${indent} * ${one}`), `${indent} */\n`].join('\n')
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

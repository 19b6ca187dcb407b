/**
 * JSON Schemas with the types of what they describe. The types are those of TypeBox; its program,
 * hundreds of files of which we would use this page, is not loaded.
 */

import type TypeBox from 'typebox'
import type { TObject, TSchema } from 'typebox'

export type { Static, TObject, TSchema } from 'typebox'

type Json = Readonly<Record<string, unknown>>

/** Not among the fields, so that a schema is written as it is. */
const KIND = Symbol('kind')
const IS_OPTIONAL = Symbol('optional')

type Marked = { readonly [KIND]?: string; readonly [IS_OPTIONAL]?: true }

function marked(schema: Json, marks: Marked): unknown {
  for (const mark of Object.getOwnPropertySymbols(marks)) {
    Object.defineProperty(schema, mark, { value: marks[mark as keyof Marked] })
  }
  return schema
}

const plain =
  (type: string) =>
  (options?: Json): unknown =>
    marked({ type, ...options }, { [KIND]: type })

const isOptional = (schema: unknown): boolean => (schema as Marked)[IS_OPTIONAL] === true

function objectOf(properties: Readonly<Record<string, unknown>>, options?: Json): unknown {
  const names = Object.keys(properties).filter((name) => !isOptional(properties[name]))
  const required = names.length === 0 ? {} : { required: names }
  return marked({ type: 'object', ...required, properties, ...options }, { [KIND]: 'object' })
}

const BUILDERS = {
  String: plain('string'),
  Number: plain('number'),
  Integer: plain('integer'),
  Boolean: plain('boolean'),
  Null: plain('null'),
  Literal: (value: unknown, options?: Json) => ({ type: typeof value, const: value, ...options }),
  Enum: (values: readonly unknown[], options?: Json) => ({ enum: values, ...options }),
  Union: (anyOf: readonly unknown[], options?: Json) => ({ anyOf, ...options }),
  Array: (items: unknown, options?: Json) => ({ type: 'array', items, ...options }),
  Object: objectOf,
  /** With texts as keys. */
  Record: (_keys: unknown, values: unknown, options?: Json) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  Optional: (schema: Json & Marked) => {
    const kind = schema[KIND]
    return marked({ ...schema }, { [IS_OPTIONAL]: true, ...(kind && { [KIND]: kind }) })
  },
}

type Builders = Pick<typeof TypeBox, keyof typeof BUILDERS>

export const Type = BUILDERS as unknown as Builders

export const isOptionalSchema = (schema: TSchema): boolean => isOptional(schema)

export const isObjectSchema = (schema: TSchema): schema is TObject =>
  (schema as Marked)[KIND] === 'object'

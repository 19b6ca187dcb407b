import { UUID_V4_PATTERN } from '../domain/ids.ts'
import { meantProvider } from '../domain/meant-provider.ts'
import { compileCheck } from './check.ts'
import { invalid, invalidBody, missing, type RequestFault, unsupported } from './fault.ts'
import { PROVIDER_PATTERN } from './formats.ts'
import { type IdentifierRule, identifierProblem, withAnyUuid } from './identifiers.ts'
import type { Static, TObject } from './schema.ts'

/**
 * Checks a parsed body against its schema. A body that fits is checked once by compiled code; only
 * one that does not fit is looked at closely: `null` and empty text in an optional field count as
 * absent, and what is still wrong then is named. Unknown fields come first, then missing ones.
 */
type Reader<T> = (body: unknown, ids?: IdentifierRule) => T

type Node = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Node
  readonly items?: Node
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly description?: string
}

export function createReader<Schema extends TObject>(schema: Schema): Reader<Static<Schema>> {
  const strict = compileCheck(schema)
  const loose = once(() => compileCheck(withAnyUuid(schema)))
  return (body, ids = VERSION_4) => {
    const fits = ids.anyUuid ? loose() : strict
    if (fits(body)) return body as Static<Schema>
    const node = schema as unknown as Node
    dropAbsent(node, body)
    if (fits(body)) return body as Static<Schema>
    const problem = problemOf(node, body, ids)
    if (problem !== undefined) throw invalidBody(problem)
    throw (
      findUnsupported(node, body, '') ??
      findMissing(node, body, '') ??
      findInside(node, body, '', invalidUnder(ids)) ??
      invalidBody('it does not fit the schema')
    )
  }
}

const VERSION_4: IdentifierRule = { anyUuid: false }

/** Few merchants need the other one, so it is made when it is asked for. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function dropAbsent(node: Node, value: unknown): void {
  if (node.items !== undefined && Array.isArray(value)) {
    for (const element of value) dropAbsent(node.items, element)
  }
  if (node.properties === undefined || !isRecord(value)) return
  for (const [name, inner] of Object.entries(node.properties)) {
    const given = value[name]
    const isOptional = node.required?.includes(name) !== true
    if (given === null || (given === '' && isOptional)) delete value[name]
    else dropAbsent(inner, given)
  }
}

type Find = (node: Node, value: unknown, name: string) => RequestFault | undefined

function findInside(
  node: Node,
  value: unknown,
  outer: string,
  find: Find,
): RequestFault | undefined {
  if (node.items !== undefined && Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const fault = find(node.items, element, `${outer}[${index}]`)
      if (fault !== undefined) return fault
    }
  }
  if (!isRecord(value)) return undefined
  for (const [name, inner] of fieldsOf(node, value)) {
    if (value[name] === undefined) continue
    const fault = find(inner, value[name], name)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** The fields that have a name in the schema, then those whose name is the sender's choice. */
function fieldsOf(node: Node, value: Record<string, unknown>): [string, Node][] {
  const { properties = {}, additionalProperties: free } = node
  const named = Object.entries(properties)
  if (typeof free !== 'object') return named
  const others = Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
  return [...named, ...others.map((name): [string, Node] => [name, free])]
}

function findUnsupported(node: Node, value: unknown, name: string): RequestFault | undefined {
  if (node.additionalProperties === false && isRecord(value)) {
    const known = node.properties ?? {}
    const stranger = Object.keys(value).find((field) => !Object.hasOwn(known, field))
    if (stranger !== undefined) return unsupported(stranger)
  }
  return findInside(node, value, name, findUnsupported)
}

function findMissing(node: Node, value: unknown, name: string): RequestFault | undefined {
  if (isRecord(value)) {
    const absent = node.required?.find((field) => value[field] === undefined)
    if (absent !== undefined) return missing(absent)
  }
  return findInside(node, value, name, findMissing)
}

function invalidUnder(ids: IdentifierRule): Find {
  const findInvalid: Find = (node, value, name) => {
    const problem = problemOf(node, value, ids)
    if (problem !== undefined) return invalid(name, problem)
    return findInside(node, value, name, findInvalid)
  }
  return findInvalid
}

function problemOf(node: Node, value: unknown, ids: IdentifierRule): string | undefined {
  if (node.const !== undefined && value !== node.const) return `it must be '${node.const}'`
  if (node.enum !== undefined && !node.enum.includes(value)) {
    return `it must be one of ${node.enum.map((one) => `'${one}'`).join(', ')}`
  }
  switch (node.type) {
    case 'object':
      return isRecord(value) ? undefined : 'it must be an object'
    case 'array':
      return Array.isArray(value) ? lengthProblem(node, value.length) : 'it must be an array'
    case 'string':
      return typeof value === 'string'
        ? textProblem(node, value, ids)
        : 'it must be a text in quotes'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'it must be true or false'
    case 'integer':
    case 'number':
      return numberProblem(node, value)
    default:
      return undefined
  }
}

function lengthProblem({ minItems, maxItems }: Node, length: number): string | undefined {
  if (minItems !== undefined && length < minItems) return `it needs at least ${minItems} entries`
  if (maxItems !== undefined && length > maxItems) return `it takes at most ${maxItems} entries`
  return undefined
}

function textProblem(node: Node, text: string, ids: IdentifierRule): string | undefined {
  const { minLength, maxLength, pattern, description } = node
  if (pattern === UUID_V4_PATTERN) return identifierProblem(text, ids)
  // The schema counts code points, as JSON Schema says; so must the explanation.
  const length = [...text].length
  if (length === 0 && (minLength ?? 0) > 0) return 'it must not be empty'
  if (minLength !== undefined && length < minLength) {
    return `it needs at least ${minLength} characters`
  }
  if (maxLength !== undefined && length > maxLength)
    return `it takes at most ${maxLength} characters`
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) {
    const hint = pattern === PROVIDER_PATTERN ? exampleFor(text, ids) : ''
    return description === undefined ? `it must match ${pattern}` : `expected ${description}${hint}`
  }
  return undefined
}

function exampleFor(typed: string, { providers }: IdentifierRule): string {
  const meant = meantProvider(typed, [...(providers?.keys() ?? [])])
  return meant === undefined ? '' : `, such as '${meant}'`
}

function numberProblem(node: Node, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'it must be a number'
  if (node.type === 'integer' && !Number.isInteger(value)) return 'it must be a whole number'
  if (node.minimum !== undefined && value < node.minimum)
    return `it must be ${node.minimum} or more`
  if (node.maximum !== undefined && value > node.maximum)
    return `it must be ${node.maximum} or less`
  return undefined
}

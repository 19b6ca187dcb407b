import { invariant } from '../domain/invariant.ts'

/** Turns a schema into a function that says whether a value fits, once, when the program starts. */
type Check = (value: unknown) => boolean

/** What of JSON Schema is used for requests. */
type Node = {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Node[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Node
  readonly patternProperties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
}

const RULES: ReadonlySet<string> = new Set([
  ...['type', 'const', 'enum', 'anyOf', 'properties', 'required', 'additionalProperties'],
  ...['patternProperties', 'items', 'minItems', 'maxItems', 'minLength', 'maxLength', 'pattern'],
  ...['minimum', 'maximum'],
])
/** They describe, and refuse nothing. */
const NOTES: ReadonlySet<string> = new Set(['$id', 'description', 'examples', 'format', 'title'])

export function compileCheck(schema: object): Check {
  const node = schema as Node
  for (const keyword of Object.keys(schema)) {
    invariant(RULES.has(keyword) || NOTES.has(keyword), `no check for '${keyword}' of a schema`)
  }
  const checks = [...valueChecks(node), ...typeChecks(node)]
  const [first = always, second] = checks
  if (second === undefined) return first
  return (value) => checks.every((check) => check(value))
}

const always: Check = () => true
const never: Check = () => false

function valueChecks(node: Node): Check[] {
  const checks: Check[] = []
  if (node.const !== undefined) checks.push((value) => value === node.const)
  if (node.enum !== undefined) {
    const values = new Set(node.enum)
    checks.push((value) => values.has(value))
  }
  if (node.anyOf !== undefined) {
    const forms = node.anyOf.map(compileCheck)
    checks.push((value) => forms.some((check) => check(value)))
  }
  return checks
}

function typeChecks(node: Node): Check[] {
  switch (node.type) {
    case undefined:
      return []
    case 'string':
      return [textCheck(node)]
    case 'number':
    case 'integer':
      return [numberCheck(node)]
    case 'boolean':
      return [(value) => typeof value === 'boolean']
    case 'null':
      return [(value) => value === null]
    case 'array':
      return [listCheck(node)]
    case 'object':
      return [objectCheck(node)]
    default:
      invariant(false, `no check for the type '${node.type}' of a schema`)
  }
}

function textCheck({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: Node): Check {
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  return (value) => {
    if (typeof value !== 'string') return false
    // Characters count, and one takes up to two places; most texts need not be counted.
    const isClear = value.length <= maxLength && value.length >= 2 * minLength
    if (!isClear) {
      const length = charactersIn(value)
      if (length < minLength || length > maxLength) return false
    }
    return form === undefined || form.test(value)
  }
}

function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

function numberCheck(node: Node): Check {
  const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = node
  const isNumber = type === 'integer' ? Number.isInteger : Number.isFinite
  return (value) => isNumber(value) && (value as number) >= minimum && (value as number) <= maximum
}

function listCheck(node: Node): Check {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node
  const check = items === undefined ? always : compileCheck(items)
  return (value) =>
    Array.isArray(value) &&
    value.length >= minItems &&
    value.length <= maxItems &&
    value.every((element) => check(element))
}

function objectCheck({ properties = {}, required = [], ...node }: Node): Check {
  const checks = new Map(
    Object.entries(properties).map(([name, inner]) => [name, compileCheck(inner)]),
  )
  const others = otherCheck(node)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const given = value as Readonly<Record<string, unknown>>
    for (const name of required) if (given[name] === undefined) return false
    for (const name of Object.keys(given)) {
      const [check, inner] = [checks.get(name) ?? others(name), given[name]]
      // A field that is undefined is absent.
      if (!check(inner) && !(inner === undefined && checks.has(name))) return false
    }
    return true
  }
}

/** For fields that the schema does not name. */
function otherCheck({
  patternProperties = {},
  additionalProperties: rest = true,
}: Node): (name: string) => Check {
  const patterns = Object.entries(patternProperties).map(
    ([pattern, inner]) => [new RegExp(pattern, 'u'), compileCheck(inner)] as const,
  )
  const otherwise = typeof rest === 'object' ? compileCheck(rest) : rest ? always : never
  if (patterns.length === 0) return () => otherwise
  return (name) => patterns.find(([pattern]) => pattern.test(name))?.[1] ?? otherwise
}

import { isUtf8 } from 'node:buffer'

/**
 * Reads a request body as JSON, strictly. What JSON.parse lets pass silently and what PostgreSQL
 * cannot store is refused here, so that nothing behind this point has to think of it.
 */
export type ReadJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string }

export function readJson(body: Buffer): ReadJson {
  const problem = bytesProblem(body)
  if (problem !== undefined) return { ok: false, problem }
  const text = body.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, problem: 'the body is not valid JSON' }
  }
  const keys = countOwnKeys(value, 1)
  if (keys === Number.POSITIVE_INFINITY) return { ok: false, problem: TOO_DEEP }
  // Every key has one colon. As many colons as keys: none is written twice. The careful count is
  // needed only where a colon stands inside a text as well.
  if (countColons(text) !== keys && countKeys(body) !== keys) {
    return { ok: false, problem: 'an object names the same field twice' }
  }
  // Characters that cannot be stored can only come in through an escape.
  if (text.includes('\\u') && !isStorable(value)) {
    return { ok: false, problem: 'a text holds a NUL or half of a surrogate pair' }
  }
  return { ok: true, value }
}

/** Many times what the largest valid request has; far more would hold up the node for long. */
const MAX_MEMBERS = 10_000

function bytesProblem(body: Buffer): string | undefined {
  if (body.length === 0) return 'the body is empty'
  if (!isUtf8(body)) return 'the body is not UTF-8 text'
  return body.length > MAX_MEMBERS ? shapeProblem(body) : undefined
}

/**
 * Before it is parsed: parsing a text of small parts takes a hundred times as long as this. And
 * before it is a text: those that are refused would leave twice the memory to be collected.
 */
function shapeProblem(body: Buffer): string | undefined {
  let [members, depth] = [0, 0]
  for (let at = 0; at < body.length; at += 1) {
    const code = body[at]
    if (code === QUOTE) at = endOfString(body, at)
    else if (code === COMMA) members += 1
    else if (code === BRACKET || code === BRACE) {
      members += 1
      depth += 1
      if (depth > MAX_DEPTH) return TOO_DEEP
    } else if (code === BRACKET_END || code === BRACE_END) depth -= 1
    if (members > MAX_MEMBERS) return `it has more than ${MAX_MEMBERS} fields and list entries`
  }
  return undefined
}

function countColons(text: string): number {
  let colons = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) colons += 1
  return colons
}

/** Colons outside strings: as many as the body has keys, those written twice included. */
function countKeys(body: Buffer): number {
  let keys = 0
  for (let at = 0; at < body.length; at += 1) {
    const code = body[at]
    if (code === COLON) keys += 1
    else if (code === QUOTE) at = endOfString(body, at)
  }
  return keys
}

const COMMA = 44
const COLON = 58
const BRACKET = 91
const BRACKET_END = 93
const BRACE = 123
const BRACE_END = 125
const QUOTE = 34
const BACKSLASH = 92

/** In UTF-8 no part of another character looks like one of these. */
function endOfString(body: Buffer, start: number): number {
  for (let at = start + 1; at < body.length; at += 1) {
    const code = body[at]
    if (code === BACKSLASH) at += 1
    else if (code === QUOTE) return at
  }
  return body.length
}

/** No request is nested as deep; a body of nothing but brackets would exhaust the stack. */
const MAX_DEPTH = 64
const TOO_DEEP = `it is nested more than ${MAX_DEPTH} levels deep`

/** Infinite where it is nested too deep. */
function countOwnKeys(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY
  if (Array.isArray(value)) {
    let sum = 0
    for (const element of value) sum += countOwnKeys(element, depth + 1)
    return sum
  }
  let sum = 0
  for (const key of Object.keys(value)) {
    sum += 1 + countOwnKeys((value as Record<string, unknown>)[key], depth + 1)
  }
  return sum
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000')
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isStorable)
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner))
}

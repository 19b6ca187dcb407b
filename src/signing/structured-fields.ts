/**
 * Reads the structured fields (RFC 8941) that signatures come in: dictionaries whose members are
 * items or inner lists. Written by hand because a signature covers the text of a member as it was
 * received, which parsers of the whole standard do not keep. Every step goes forward only.
 */
type Bare = string | number | boolean | Buffer | Other

/** A token or a decimal: legal, and nothing that signatures use. */
type Other = { readonly text: string }

type Params = ReadonlyMap<string, Bare>

export type Item = { readonly value: Bare; readonly params: Params }

export type Member = {
  readonly value: Bare | readonly Item[]
  readonly params: Params
  /** Value and parameters, letter by letter as received. */
  readonly text: string
}

export type Dictionary = ReadonlyMap<string, Member>

/** A field that cannot be read: what is wrong, and where. */
export class FieldProblem extends Error {}

/** Stricter than the standard in one point: a name that occurs twice is refused, not overwritten. */
export function readDictionary(text: string): Dictionary {
  const source = { text, at: 0 }
  const members = new Map<string, Member>()
  take(source, /[ \t]*/y)
  if (isAtEnd(source)) throw new FieldProblem('it is empty')
  for (;;) {
    const name = expect(source, KEY, 'a name in lower-case letters')
    if (members.has(name)) throw new FieldProblem(`the name '${name}' occurs twice`)
    const start = source.at + 1
    const value = take(source, /=/y) === undefined ? true : listOrBare(source)
    const params = readParams(source)
    members.set(name, { value, params, text: text.slice(start, source.at) })
    take(source, /[ \t]*/y)
    if (isAtEnd(source)) return members
    expect(source, /,[ \t]*/y, 'a comma')
  }
}

type Source = { readonly text: string; at: number }

const KEY = /[a-z*][a-z0-9_.*-]*/y

function listOrBare(source: Source): Bare | readonly Item[] {
  if (take(source, /\( */y) === undefined) return bare(source)
  const items: Item[] = []
  while (take(source, /\)/y) === undefined) {
    items.push({ value: bare(source), params: readParams(source) })
    if (source.text[source.at] !== ')') expect(source, / +/y, 'a space or a closing bracket')
  }
  return items
}

function readParams(source: Source): Params {
  const params = new Map<string, Bare>()
  while (take(source, /; */y) !== undefined) {
    const name = expect(source, KEY, 'the name of a parameter')
    if (params.has(name)) throw new FieldProblem(`the parameter '${name}' occurs twice`)
    params.set(name, take(source, /=/y) === undefined ? true : bare(source))
  }
  return params
}

function bare(source: Source): Bare {
  const string = take(source, /"(?:[ !#-[\]-~]|\\["\\])*"/y)
  if (string !== undefined) return string.slice(1, -1).replaceAll(/\\(.)/g, '$1')
  const bytes = take(source, /:[A-Za-z0-9+/]*={0,2}:/y)
  if (bytes !== undefined) return base64(bytes.slice(1, -1))
  const decimal = take(source, /-?[0-9]{1,12}\.[0-9]{1,3}(?![0-9.])/y)
  if (decimal !== undefined) return { text: decimal }
  const integer = take(source, /-?[0-9]{1,15}(?![0-9.])/y)
  if (integer !== undefined) return Number(integer)
  const truth = take(source, /\?[01]/y)
  if (truth !== undefined) return truth === '?1'
  const token = /[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/y
  return { text: expect(source, token, 'a value, such as "text", 123 or :bytes in base64:') }
}

/** Padding may be absent, as the standard allows; anything else has one way to be written. */
function base64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  const unpadded = text.replace(/=+$/, '')
  const isWhole = unpadded.length === text.length || text.length % 4 === 0
  if (!isWhole || bytes.toString('base64').replace(/=+$/, '') !== unpadded) {
    throw new FieldProblem('the bytes between the colons are not base64')
  }
  return bytes
}

function take(source: Source, pattern: RegExp): string | undefined {
  pattern.lastIndex = source.at
  const found = pattern.exec(source.text)?.[0]
  if (found !== undefined) source.at += found.length
  return found
}

function expect(source: Source, pattern: RegExp, what: string): string {
  const found = take(source, pattern)
  if (found !== undefined) return found
  throw new FieldProblem(`${what} is expected at character ${source.at + 1}`)
}

const isAtEnd = ({ text, at }: Source): boolean => at === text.length

import type { Chance } from '../../harness/random/chance.ts'

/**
 * A JSON value that can be damaged in ways that JSON.stringify cannot write: duplicate keys, and
 * text that is not JSON at all.
 */
export type Tree =
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Tree[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Tree])[] }

export const raw = (text: string): Tree => ({ kind: 'raw', text })

export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(treeOf) }
  if (typeof value !== 'object' || value === null) return raw(JSON.stringify(value))
  return {
    kind: 'object',
    members: Object.entries(value).map(([name, one]) => [name, treeOf(one)] as const),
  }
}

export function textOf(tree: Tree): string {
  if (tree.kind === 'raw') return tree.text
  if (tree.kind === 'list') return `[${tree.items.map(textOf).join(',')}]`
  return `{${tree.members.map(([name, one]) => `${JSON.stringify(name)}:${textOf(one)}`).join(',')}}`
}

/** The tree with one of its values, or itself, changed. */
export function mutate(tree: Tree, dice: Chance): Tree {
  const children = tree.kind === 'object' ? tree.members.length : 0
  const inside = tree.kind === 'list' ? tree.items.length : children
  if (inside === 0 || dice.oneIn(8)) return mutateHere(tree, dice)
  const at = dice.below(inside)
  if (tree.kind === 'list') {
    return {
      ...tree,
      items: tree.items.map((one, where) => (where === at ? mutate(one, dice) : one)),
    }
  }
  if (tree.kind === 'raw') return mutateHere(tree, dice)
  if (dice.oneIn(4)) return { ...tree, members: mutateMembers(tree.members, at, dice) }
  const members = tree.members.map(([name, one], where) =>
    where === at ? ([name, mutate(one, dice)] as const) : ([name, one] as const),
  )
  return { ...tree, members }
}

type Members = readonly (readonly [string, Tree])[]

/** Names with a meaning in JavaScript, and others. */
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  'then',
  'toJSON',
  '',
  ' ',
  'amount ',
  'Amount',
  'ａｍｏｕｎｔ',
  'x'.repeat(300),
  '$ref',
  '0',
  '\u202eamount',
]

function mutateMembers(members: Members, at: number, dice: Chance): Members {
  const chosen = members[at]
  if (chosen === undefined) return members
  const [name, value] = chosen
  switch (dice.below(5)) {
    case 0:
      return members.filter((_, where) => where !== at)
    case 1:
      return [...members, [name, value]]
    case 2:
      return [...members, [name, mutateHere(value, dice)]]
    case 3:
      return members.map((one, where) => (where === at ? [dice.pick(NAMES), value] : one))
    default:
      return [...members, [dice.pick(NAMES), dice.oneIn(2) ? value : raw(dice.pick(VALUES))]]
  }
}

/** Values that some program somewhere reads wrongly. */
const VALUES = [
  ...['null', 'true', 'false', '0', '-0', '1', '-1', '1.5', '15', '1e3', '1e400', '-1e999'],
  ...['9007199254740993', '9'.repeat(400), '1e-400', '0x10', 'NaN', 'Infinity', '01', '+1', '.5'],
  ...['""', '" "', '"0"', '"-1"', '"+15"', '"15.000"', '"1e3"', '"٣"', '"१५"', '"1,5"', '"NaN"'],
  ...['"null"', '"undefined"', '"[object Object]"', '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"'],
  ...['"\\u202e"', '"\\ufeff"', '"\\r\\nX: y"', '"<script>"', `"'; drop table payments; --"`],
  ...['"../../etc/passwd"', '"{{7*7}}"', '"%s%n"', '"$' + '{jndi:ldap://127.0.0.1/}"', '"😀"'],
  ...['"2026-02-30"', '"2026-01-15T10:20:30Z"', '"9999-12-31T23:59:59Z"', '"-000001-01-01"'],
  ...['"+275760-09-13T00:00:00Z"', '"1970-01-01"', '"2026-13-01T25:61:61Z"', '"now"'],
  ...['"00000000-0000-0000-0000-000000000000"', '"F4401BD2-1568-4140-BF2D-EB77D2B2B639"'],
  ...['"f4401bd2156841 40bf2deb77d2b2b639"', '"260763456789"', '"+260763456789"', '"0763456789"'],
  ...['"http://127.0.0.1:1/"', '"javascript:alert(1)"', '"file:///etc/passwd"', '"http://[::1]"'],
  ...['[]', '{}', '[null]', '[[]]', '{"":""}', '{"a":{"a":{"a":{}}}}', '{"length":9}', '[0,0]'],
]

function mutateHere(tree: Tree, dice: Chance): Tree {
  const text = textOf(tree)
  switch (dice.below(8)) {
    case 0:
      return { kind: 'list', items: [tree] }
    case 1:
      return { kind: 'object', members: [[dice.pick(NAMES), tree]] }
    case 2:
      return raw(nested(dice))
    case 3:
      return raw(JSON.stringify('x'.repeat(dice.pick([0, 1, 36, 37, 255, 256, 4000, 50_000]))))
    case 4:
      return raw(changed(text, dice))
    case 5:
      return {
        kind: 'list',
        items: Array.from({ length: dice.pick([2, 20, 21, 400]) }, () => tree),
      }
    default:
      return raw(dice.pick(VALUES))
  }
}

function nested(dice: Chance): string {
  const levels = dice.pick([2, 30, 64, 65, 500, 5000])
  const [open, close] = dice.pick([['[', ']'] as const, ['{"a":', '}'] as const])
  return `${open.repeat(levels)}1${close.repeat(dice.oneIn(6) ? levels - 1 : levels)}`
}

const CHARACTERS = [
  ...'"\\{}[]:,0 9aZ-+.eE/',
  '\n',
  '\u00e9',
  '\u2028',
  '\ud83d',
  '\u0000',
  '\u007f',
]

/** One letter added, removed or changed. */
export function changed(text: string, dice: Chance): string {
  const at = dice.below(text.length + 1)
  const to = at + dice.between(1, 4)
  switch (dice.below(4)) {
    case 0:
      return text.slice(0, at) + dice.pick(CHARACTERS) + text.slice(at)
    case 1:
      return text.slice(0, at) + text.slice(to)
    case 2:
      return text.slice(0, at) + dice.pick(CHARACTERS) + text.slice(at + 1)
    default:
      return text.slice(0, at) + text.slice(at, to).repeat(2) + text.slice(to)
  }
}

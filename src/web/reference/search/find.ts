import type { Entry, Kind } from './entries.ts'

export type Finding = {
  readonly kind: Kind
  readonly entries: readonly Entry[]
  readonly total: number
}

type Find = (query: string) => readonly Finding[]

const SHOWN_MAX = 15
const KINDS: readonly Kind[] = ['codes', 'operations', 'fields', 'guides']
/** Where a word stands only in the text, the guides say most about it. */
const BY_TEXT: readonly Kind[] = ['guides', 'operations', 'codes', 'fields']

/** Everything that has all words of the query, the closest first; kinds by their closest entry. */
export function finder(entries: readonly Entry[]): Find {
  const prepared = entries.map((entry) => {
    const name = entry.name.toLowerCase()
    return {
      entry,
      name,
      near: `${name} ${entry.detail}`.toLowerCase(),
      far: entry.text.toLowerCase(),
    }
  })
  return (query) => {
    const asked = query.trim().toLowerCase()
    const words = asked.split(/\s+/).filter((word) => word !== '')
    if (words.length === 0) return []
    const found = prepared
      .map((one) => ({ entry: one.entry, rank: rankOf(one, asked, words) }))
      .filter(({ rank }) => rank < NOT_FOUND)
      .toSorted((one, other) => one.rank - other.rank)
    const kinds = found[0]?.rank === TEXT_ONLY ? BY_TEXT : KINDS
    return kinds
      .map((kind) => found.filter(({ entry }) => entry.kind === kind))
      .filter(([first]) => first !== undefined)
      .toSorted((one, other) => (one[0]?.rank ?? 0) - (other[0]?.rank ?? 0))
      .map((alike) => ({
        kind: alike[0]?.entry.kind ?? 'guides',
        entries: alike.slice(0, SHOWN_MAX).map(({ entry }) => entry),
        total: alike.length,
      }))
  }
}

type Prepared = { readonly name: string; readonly near: string; readonly far: string }

const TEXT_ONLY = 4
const NOT_FOUND = 5

function rankOf({ name, near, far }: Prepared, asked: string, words: readonly string[]): number {
  if (name === asked) return 0
  if (name.split('.').at(-1) === asked) return 1
  if (words.every((word) => name.includes(word))) return 2
  if (words.every((word) => near.includes(word))) return 3
  return words.every((word) => near.includes(word) || far.includes(word)) ? TEXT_ONLY : NOT_FOUND
}

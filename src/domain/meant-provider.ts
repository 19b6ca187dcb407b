import { isCountry } from './country.ts'
import { changesBetween } from './nearest.ts'
import type { Provider } from './provider.ts'

/** Longer texts are no slip of the keyboard. */
const LONGEST = 64

/** What else a request says about the country that it is for. */
type Clues = {
  readonly currencies: readonly string[]
  readonly phoneNumber?: string | undefined
}

/** For the end of a refusal; empty where no provider is clearly meant. */
export function providerHint(typed: string, providers: readonly Provider[], clues: Clues): string {
  const codes = providers.map(({ code }) => code)
  const meant = meantProvider(typed, codes, likelyCountry(providers, clues))
  return meant === undefined ? '' : ` Did you mean '${meant}'?`
}

/**
 * The code that an unknown one most likely stands for: first by country, then by the words of the
 * name, then by letters. The wrong operator or country would be worse than none.
 */
export function meantProvider(
  typed: string,
  codes: readonly string[],
  likely?: string,
): string | undefined {
  if (typed.length > LONGEST) return undefined
  const words = wordsOf(typed)
  const place = placeIn(words, new Set(codes.map(countryOf)))
  const country = place === undefined ? likely : place.country
  if (country === undefined) {
    return place === undefined ? only(codes.filter((code) => isSlip(typed, code))) : undefined
  }
  const near = codes.filter((code) => countryOf(code) === country)
  const name = words.filter((word) => word !== place?.word)
  const shared = (code: string): number => nameOf(code).filter((word) => name.includes(word)).length
  const most = Math.max(0, ...near.map(shared))
  if (most > 0) return only(near.filter((code) => shared(code) === most))
  return only(near.filter((code) => isLike(name, nameOf(code))))
}

const wordsOf = (code: string): string[] =>
  code
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '')

/** The last word of a code is its country. */
const countryOf = (code: string): string => wordsOf(code).at(-1) ?? ''
const nameOf = (code: string): string[] => wordsOf(code).slice(0, -1)
const only = (codes: readonly string[]): string | undefined =>
  codes.length === 1 ? codes[0] : undefined

/** The word that names a country, and the country, unless no provider is there. */
function placeIn(
  words: readonly string[],
  countries: ReadonlySet<string>,
): { readonly word: string; readonly country: string | undefined } | undefined {
  const named = words.findLast((word) => countries.has(word))
  if (named !== undefined) return { word: named, country: named }
  const last = words.at(-1) ?? ''
  if (isCountry(last)) return { word: last, country: undefined }
  if (last.length !== 2) return undefined
  const country = only([...countries].filter((one) => one.startsWith(last)))
  return country === undefined ? undefined : { word: last, country }
}

/** Where the number and the currency point to, if it is one country. */
function likelyCountry(providers: readonly Provider[], clues: Clues): string | undefined {
  const { currencies, phoneNumber = '' } = clues
  const byNumber = providers.filter(({ callingCode }) => phoneNumber.startsWith(callingCode))
  const byCurrency = providers.filter((one) =>
    one.currencies.some(({ currency }) => currencies.includes(currency)),
  )
  const isEither = byNumber.length === 0 || byCurrency.length === 0
  const both = byNumber.filter((one) => byCurrency.includes(one))
  const pointed = isEither ? [...byNumber, ...byCurrency] : both
  return only([...new Set(pointed.map(({ country }) => country))])
}

/** A third of the letters at most are others, in the whole name or in one of its words. */
function isLike(name: readonly string[], other: readonly string[]): boolean {
  const isNear = (one: string, another: string): boolean =>
    changesBetween(one, another) * 3 <= Math.max(one.length, another.length)
  return (
    isNear(name.join(''), other.join('')) ||
    name.some((word) => other.some((another) => isNear(word, another)))
  )
}

/** The whole code with a letter or two amiss. */
const isSlip = (typed: string, code: string): boolean =>
  changesBetween(wordsOf(typed).join(''), wordsOf(code).join('')) <= 2

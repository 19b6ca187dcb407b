/** `field:value` in the search box becomes the filter of a list. */

import { formatBalance, parseAmount } from '../../../domain/amount.ts'
import { likelyAmount } from '../../../domain/payments/typed-amount.ts'
import { present } from '../../../domain/present.ts'
import { readTypedDay } from '../typed-day.ts'

/** What people type, and the parameter of the list. */
const FIELDS: Readonly<Record<string, string>> = {
  status: 'status',
  provider: 'provider',
  country: 'country',
  currency: 'currency',
  code: 'failureCode',
  source: 'source',
  phone: 'phone',
  ref: 'clientReferenceId',
  from: 'from',
  to: 'to',
}

export const FIELD_NAMES = [...Object.keys(FIELDS), 'amount', 'kind', 'meta.<name>']

const KINDS = {
  deposit: 'deposits',
  payout: 'payouts',
  refund: 'refunds',
  remittance: 'remittances',
  split: 'split-payments',
  checkout: 'checkouts',
} as const

type Place = (typeof KINDS)[keyof typeof KINDS]

const placeOf = (kind: string): Place | undefined =>
  Object.hasOwn(KINDS, kind) ? KINDS[kind as keyof typeof KINDS] : undefined

type Tokens =
  | {
      /** As lists read it. */
      readonly query: URLSearchParams
      /** Undefined: whatever has it. */
      readonly place: Place | undefined
    }
  | { readonly unknown: string }
  /** A kind that there is not. */
  | { readonly wrong: string }
  /** No fields at all: plain text. */
  | undefined

const TOKEN = /^(meta\.[^:\s]+|[a-z]+)([:<>]=?)(.+)$/i

/** Values with spaces stand in quotes. */
export function readTokens(text: string): Tokens {
  const words = text.match(/(?:[^\s"]+|"[^"]*")+/g) ?? []
  if (!words.every((word) => TOKEN.test(word)) || words.length === 0) return undefined
  const query = new URLSearchParams()
  let place: Place | undefined
  for (const word of words) {
    const [, name = '', sign = '', given = ''] = TOKEN.exec(word) ?? []
    const value = given.replaceAll('"', '')
    const field = FIELDS[name]
    if (name.startsWith('meta.') && sign === ':') query.set(name, value)
    else if (name === 'amount') setAmount(query, sign, value)
    else if (name === 'kind' && placeOf(value) !== undefined) place = placeOf(value)
    else if (field !== undefined && sign === ':') query.set(field, valueFor(field, value))
    else if (name === 'kind') return { wrong: value }
    // A web address, a number's address or a time of the day is text, too.
    else return /^(?:https?|tel)$/i.test(name) ? undefined : { unknown: name }
  }
  return { query, place }
}

/** `1500 28/11/2026`, in either order: how customers describe a payment. */
export function amountAndDay(text: string, today: string): URLSearchParams | undefined {
  const words = text.split(/\s+/)
  for (let at = 1; at < words.length; at += 1) {
    const parts = [words.slice(0, at).join(' '), words.slice(at).join(' ')] as const
    for (const [sum, when] of [parts, parts.toReversed()] as const) {
      const [, before, given = '', after] =
        /^(?:([A-Za-z]{3}) )?(\d.*?)(?: ([A-Za-z]{3}))?$/.exec(sum ?? '') ?? []
      const amount = likelyAmount(given)
      const day = readTypedDay(when ?? '', today)
      if (amount === undefined || day === undefined) continue
      const currency = (before ?? after)?.toUpperCase()
      return new URLSearchParams({
        min: amount,
        max: amount,
        from: day,
        to: day,
        ...present({ currency }),
      })
    }
  }
  return undefined
}

const UPPER = new Set(['status', 'provider', 'country', 'currency', 'failureCode', 'source'])
const DAYS = new Set(['from', 'to'])

const valueFor = (field: string, value: string): string =>
  UPPER.has(field)
    ? value.toUpperCase()
    : ((DAYS.has(field) ? readTypedDay(value) : undefined) ?? value)

/** Lists include both ends, so more than 1000 begins with the next amount that there can be. */
function setAmount(query: URLSearchParams, sign: string, value: string): void {
  const least = sign === '>' ? 1n : 0n
  const most = sign === '<' ? -1n : 0n
  if (!sign.startsWith('<')) query.set('min', shifted(value, least))
  if (!sign.startsWith('>')) query.set('max', shifted(value, most))
}

function shifted(value: string, by: bigint): string {
  const typed = likelyAmount(value)
  const amount = typed === undefined ? undefined : parseAmount(typed)
  if (amount === undefined || by === 0n) return typed ?? value
  return formatBalance((amount + by) as typeof amount)
}

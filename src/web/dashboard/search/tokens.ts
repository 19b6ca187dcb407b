/** `field:value` in the search box becomes the filter of a list. */

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

const KINDS: Readonly<Record<string, string>> = {
  deposit: 'deposits',
  payout: 'payouts',
  refund: 'refunds',
  remittance: 'remittances',
}

export type Tokens =
  | { readonly path: string }
  | { readonly unknown: string }
  /** No fields at all: plain text. */
  | undefined

const TOKEN = /^(meta\.[^:\s]+|[a-z]+)([:<>])(.+)$/i

/** Values with spaces stand in quotes. */
export function readTokens(text: string): Tokens {
  const words = text.match(/(?:[^\s"]+|"[^"]*")+/g) ?? []
  if (!words.every((word) => TOKEN.test(word)) || words.length === 0) return undefined
  const query = new URLSearchParams()
  let place = 'deposits'
  for (const word of words) {
    const [, name = '', sign = '', given = ''] = TOKEN.exec(word) ?? []
    const value = given.replaceAll('"', '')
    const field = FIELDS[name]
    if (name.startsWith('meta.') && sign === ':') query.set(name, value)
    else if (name === 'amount') setAmount(query, sign, value)
    else if (name === 'kind' && KINDS[value] !== undefined) place = KINDS[value]
    else if (field !== undefined && sign === ':') query.set(field, valueFor(field, value))
    // A web address or a time of the day is text, too.
    else return /^https?$/i.test(name) ? undefined : { unknown: name }
  }
  return { path: `/dashboard/${place}?${query}` }
}

const UPPER = new Set(['status', 'provider', 'country', 'currency', 'failureCode', 'source'])
const valueFor = (field: string, value: string): string =>
  UPPER.has(field) ? value.toUpperCase() : value

function setAmount(query: URLSearchParams, sign: string, value: string): void {
  if (sign !== '<') query.set('min', value)
  if (sign !== '>') query.set('max', value)
}

/** The filter of a list, as its address says it. */

import { FAILURE_CODES, type FailureCode, occursIn } from '../../../domain/failure.ts'
import { likelyAmount } from '../../../domain/payments/typed-amount.ts'
import { present } from '../../../domain/present.ts'
import {
  type BrowseFilter,
  ORDERS,
  type Order,
  SOURCES,
} from '../../../usecases/payments/browse-payments.ts'
import type { ListFilter } from '../../../usecases/statements/list-lines.ts'
import { readMoment } from '../period.ts'
import type { Visit } from '../visit.ts'
import type { FieldName, ListShape } from './shape.ts'

export const FAILURES = (Object.keys(FAILURE_CODES) as FailureCode[]).filter((code) =>
  occursIn(code, 'payment'),
)

type Given = Readonly<Record<string, string>>

export type ReadList = {
  readonly shape: ListShape
  readonly filter: ListFilter
  /** What was given, to show it again. */
  readonly given: Given
  /** Fields whose values cannot be used; the list is then shown without them. */
  readonly faults: readonly FieldName[]
  readonly after: string | undefined
  readonly per: number
  readonly order: Order
  /** The columns that the address asks for, if it does. */
  readonly columns: string | undefined
}

/** Of a list of payments: the states of its shape are theirs. */
export const paymentFilter = ({ filter }: ReadList): BrowseFilter => filter as BrowseFilter

export const PER_PAGE = [50, 100, 200] as const

/** `shape` of the list; everything else from the address. */
export function readList(visit: Visit, shape: ListShape): ReadList {
  const { request } = visit
  const given = givenIn(request.query, shape)
  const { filter, faults } = filterIn(visit, shape, given)
  const after = matching(/^[0-9a-f-]{36}$/)(textOf(request.query.after))
  const per = PER_PAGE.find((count) => String(count) === request.query.per) ?? PER_PAGE[0]
  const order = ORDERS.find((one) => one === request.query.order) ?? 'newest'
  const columns = matching(/^[\w,]{1,300}$/)(textOf(request.query.columns))
  return { shape, filter, given, faults, after, per, order, columns }
}

function givenIn(query: Visit['request']['query'], { fields }: ListShape): Given {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    const isField = fields.some((field) => field === name) || name.startsWith('meta.')
    if (isField && typeof value === 'string' && value.trim() !== '') given[name] = value.trim()
  }
  return given
}

function filterIn(visit: Visit, { kinds, states }: ListShape, given: Given) {
  const { person } = visit
  const faults: FieldName[] = []
  const read = <T>(name: FieldName, parse: (text: string) => T | undefined): T | undefined => {
    const text = given[name]
    if (text === undefined) return undefined
    const value = parse(text)
    if (value === undefined) faults.push(name)
    return value
  }
  const { timeZone } = person.user
  const filter: ListFilter = {
    merchantId: person.merchant.id,
    kinds,
    within: person.countries,
    fromMs: read('from', (text) => readMoment(text, timeZone)),
    toMs: read('to', (text) => readMoment(text, timeZone, true)),
    states: read('status', (text) => readStates(text, states)),
    provider: read('provider', matching(/^[A-Z0-9_]{1,40}$/)),
    country: read('country', matching(/^[A-Z]{3}$/)),
    currency: read('currency', matching(/^[A-Z]{3}$/)),
    min: read('min', likelyAmount),
    max: read('max', likelyAmount),
    failureCode: read('failureCode', (text) => FAILURES.find((code) => code === text)),
    source: read('source', (text) => SOURCES.find((source) => source === text)),
    clientReferenceId: given.clientReferenceId,
    phoneNumbers: read('phone', (text) => numbersIn(visit, text)),
    metadata: metadataIn(given),
  }
  return { filter, faults }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const matching =
  (form: RegExp) =>
  (text: string): string | undefined =>
    form.test(text) ? text : undefined

/** Several with commas. To merchants, what waits for its split's deposit is accepted. */
function readStates(text: string, known: readonly string[]): readonly string[] | undefined {
  const states = text.split(',')
  if (!states.every((state) => known.includes(state))) return undefined
  return states.includes('ACCEPTED') ? [...states, 'WAITING'] : states
}

const META = 'meta.'

function metadataIn(given: Given): ListFilter['metadata'] {
  const fields = Object.entries(given).filter(([name]) => name.startsWith(META))
  if (fields.length === 0) return undefined
  return fields.map(([name, value]) => ({ name: name.slice(META.length), value }))
}

/** A number in any spelling: with or without calling code, with zeros, spaces and signs. */
export function numbersIn(
  { ctx, person }: Pick<Visit, 'ctx' | 'person'>,
  text: string,
): readonly string[] | undefined {
  const plain = text.normalize('NFKC').replace(/^tel:/i, '')
  // The zero in (0) is for calls within the country, where no calling code is dialled.
  const digits = plain.replace(/(?<=\d\s*)\(0\)/, '').replace(/[\s().+\p{Pd}]/gu, '')
  if (!/^\d{6,15}$/.test(digits)) return undefined
  const codes = new Set(
    [...person.merchant.providers.keys()]
      .map((code) => ctx.providers.catalog.find(code)?.callingCode)
      .filter((code) => code !== undefined),
  )
  const national = digits.replace(/^0+/, '')
  return [...new Set([digits, digits.replace(/^00/, ''), ...[...codes].map((c) => c + national)])]
}

/** Everything but the place of the page, as an address repeats it. */
const keptOf = ({ given, per, order, columns }: ReadList): Given => ({
  ...given,
  ...(order === 'newest' ? {} : { order }),
  ...(per === PER_PAGE[0] ? {} : { per: String(per) }),
  ...present({ columns }),
})

/** `all` keeps a list without a filter apart from the bare address, which may open a saved view. */
export const queryOf = (
  read: ReadList,
  more: Readonly<Partial<Record<string, string>>> = {},
): string =>
  new URLSearchParams(
    Object.entries({ ...keptOf(read), ...more }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    ),
  ).toString()

export const addressOf = (
  read: ReadList,
  more: Readonly<Partial<Record<string, string>>> = {},
  ending = '',
): string => `/dashboard/${read.shape.place}${ending}?${queryOf(read, more) || 'all'}`

/**
 * Where a form that was sent by hand leads to: without its empty fields, and with the field of
 * metadata that was named. Undefined where the address is fine as it is.
 */
export function tidied(visit: Visit, shape: ListShape): string | undefined {
  const { metaName, metaValue } = visit.request.query
  if (metaName === undefined) return undefined
  const [name, value] = [textOf(metaName).trim(), textOf(metaValue).trim()]
  const read = readList(visit, shape)
  return addressOf(read, name === '' || value === '' ? {} : { [META + name]: value })
}

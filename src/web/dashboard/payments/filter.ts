/** The filter of a list, as its address says it. */
import { FAILURE_CODES, type FailureCode, occursIn } from '../../../domain/failure.ts'
import {
  PAYMENT_STATES,
  type PaymentKind,
  type PaymentState,
} from '../../../domain/payments/payment-state.ts'
import {
  type BrowseFilter,
  ORDERS,
  type Order,
  SOURCES,
} from '../../../usecases/payments/browse-payments.ts'
import { readTime } from '../time.tsx'
import type { Visit } from '../visit.ts'

/** States as merchants see them: one that waits for its split's deposit is ACCEPTED to them. */
export const SHOWN_STATES = PAYMENT_STATES.filter((state) => state !== 'WAITING')

export const FAILURES = (Object.keys(FAILURE_CODES) as FailureCode[]).filter((code) =>
  occursIn(code, 'payment'),
)

const FIELDS = [
  'from',
  'to',
  'status',
  'provider',
  'country',
  'currency',
  'min',
  'max',
  'failureCode',
  'source',
  'clientReferenceId',
  'phone',
] as const
export type ReadFilter = {
  readonly filter: BrowseFilter
  /** What was given, to show it again. */
  readonly given: Readonly<Partial<Record<string, string>>>
  /** Fields whose values cannot be used; the list is then shown without them. */
  readonly faults: readonly string[]
  readonly after: string | undefined
  readonly per: number
  readonly order: Order
}

export const PER_PAGE = [50, 100, 200] as const

/** `kinds` of the list; everything else from the address. */
export function readFilter(visit: Visit, kinds: readonly PaymentKind[]): ReadFilter {
  const { person, request } = visit
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.query)) {
    const isField = FIELDS.some((field) => field === name) || name.startsWith('meta.')
    if (isField && typeof value === 'string' && value.trim() !== '') given[name] = value.trim()
  }
  const faults: string[] = []
  const read = <T>(name: string, parse: (text: string) => T | undefined): T | undefined => {
    const text = given[name]
    if (text === undefined) return undefined
    const value = parse(text)
    if (value === undefined) faults.push(name)
    return value
  }
  const oneOf =
    <T extends string>(values: readonly T[]) =>
    (text: string): T | undefined =>
      values.find((value) => value === text)
  const { timeZone } = person.user
  const filter: BrowseFilter = {
    merchantId: person.merchant.id,
    kinds,
    within: person.countries,
    fromMs: read('from', (text) => readTime(text, timeZone, false)),
    toMs: read('to', (text) => readTime(text, timeZone, true)),
    states: read('status', readStates),
    provider: read('provider', matching(/^[A-Z0-9_]{1,40}$/)),
    country: read('country', matching(/^[A-Z]{3}$/)),
    currency: read('currency', matching(/^[A-Z]{3}$/)),
    min: read('min', readAmount),
    max: read('max', readAmount),
    failureCode: read('failureCode', oneOf(FAILURES)),
    source: read('source', oneOf(SOURCES)),
    clientReferenceId: given.clientReferenceId,
    phoneNumbers: read('phone', (text) => numbersIn(visit, text)),
    metadata: metadataIn(given),
  }
  const after = matching(/^[0-9a-f-]{36}$/)(textOf(request.query.after))
  const per = PER_PAGE.find((count) => String(count) === request.query.per) ?? PER_PAGE[0]
  const order = ORDERS.find((one) => one === request.query.order) ?? 'newest'
  return { filter, given, faults, after, per, order }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const matching =
  (form: RegExp) =>
  (text: string): string | undefined =>
    form.test(text) ? text : undefined

/** Several with commas. To merchants, what waits for its split's deposit is accepted. */
function readStates(text: string): readonly PaymentState[] | undefined {
  const states = text.split(',').map((part) => SHOWN_STATES.find((state) => state === part))
  if (states.some((state) => state === undefined)) return undefined
  const known = states as readonly PaymentState[]
  return known.includes('ACCEPTED') ? [...known, 'WAITING'] : known
}

const readAmount = (text: string): string | undefined =>
  matching(/^\d{1,20}(\.\d{1,6})?$/)(text.replace(',', '.').replace(/\s/g, ''))

function metadataIn(given: Readonly<Record<string, string>>): BrowseFilter['metadata'] {
  const fields = Object.entries(given).filter(([name]) => name.startsWith('meta.'))
  if (fields.length === 0) return undefined
  return fields.map(([name, value]) => ({ name: name.slice('meta.'.length), value }))
}

/** A number in any spelling: with or without calling code, with zeros, spaces and signs. */
export function numbersIn(
  { ctx, person }: Pick<Visit, 'ctx' | 'person'>,
  text: string,
): readonly string[] | undefined {
  const digits = text.normalize('NFKC').replace(/[\s().+-]/g, '')
  if (!/^\d{6,15}$/.test(digits)) return undefined
  const codes = new Set(
    [...person.merchant.providers.keys()]
      .map((code) => ctx.providers.catalog.find(code)?.callingCode)
      .filter((code) => code !== undefined),
  )
  const national = digits.replace(/^0+/, '')
  return [...new Set([digits, digits.replace(/^00/, ''), ...[...codes].map((c) => c + national)])]
}

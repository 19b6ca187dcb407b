/** What the address of the list asks for. */
import { CALLBACK_STATUSES } from '../../../domain/callbacks/callback.ts'
import { SUBJECT_WORDS, type SubjectKind } from '../../../domain/callbacks/callback-subject.ts'
import { present } from '../../../domain/present.ts'
import type { HistoryPlace, HistoryResult } from '../../../usecases/callbacks/history.ts'
import { readMoment } from '../period.ts'
import type { Visit } from '../visit.ts'

export const RESULTS: readonly HistoryResult[] = [...CALLBACK_STATUSES, 'FAILED']
export const KINDS = Object.keys(SUBJECT_WORDS) as readonly SubjectKind[]
export const PAGE_SIZES = [50, 100, 200] as const

export type ListQuery = {
  readonly result: HistoryResult | undefined
  readonly kind: SubjectKind | undefined
  readonly url: string | undefined
  readonly fromMs: number | undefined
  readonly toMs: number | undefined
  readonly after: HistoryPlace | undefined
  readonly limit: number
  /** As they stand in the address, for the form and for links. */
  readonly given: Readonly<Record<string, string>>
  /** Filters that cannot be read. */
  readonly wrong: readonly (typeof FILTERS)[number][]
}

const FILTERS = ['result', 'kind', 'url', 'from', 'to', 'per'] as const

export function listQuery({ request, person }: Visit): ListQuery {
  const zone = person.user.timeZone
  const textOf = (name: string): string => {
    const value = request.query[name]
    return typeof value === 'string' ? value.trim().slice(0, 500) : ''
  }
  const texts = FILTERS.map((name) => [name, textOf(name)] as const)
  const given = Object.fromEntries(texts.filter(([, text]) => text !== ''))
  const read = {
    result: RESULTS.find((one) => one === textOf('result').toUpperCase()),
    kind: kindOf(textOf('kind')),
    url: textOf('url') || undefined,
    from: readMoment(textOf('from'), zone),
    to: readMoment(textOf('to'), zone, true),
    per: PAGE_SIZES.find((one) => String(one) === textOf('per')),
  }
  const wrong = FILTERS.filter((name) => name in given && read[name] === undefined)
  const { result, kind, url, from: fromMs, to: toMs, per: limit = PAGE_SIZES[0] } = read
  const after = placeOf(textOf('after'))
  return { result, kind, url, fromMs, toMs, after, limit, given, wrong }
}

/** `splitPayment`, and the way that addresses of the dashboard write it. */
export function kindOf(text: string): SubjectKind | undefined {
  const plain = text.toLowerCase().replaceAll('-', '').replace(/s$/, '')
  return KINDS.find((one) => one.toLowerCase() === plain)
}

const PLACE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Z_]{1,40})$/

function placeOf(text: string): HistoryPlace | undefined {
  const [, key, state] = PLACE.exec(text) ?? []
  return key === undefined || state === undefined ? undefined : { key, state }
}

export const placeText = ({ key, state }: HistoryPlace): string => `${key}.${state}`

export const listAddress = (given: Readonly<Record<string, string>>, after?: string): string => {
  const query = new URLSearchParams({ ...given, ...present({ after }) }).toString()
  return query === '' ? '/dashboard/callbacks' : `/dashboard/callbacks?${query}`
}

import type { RequestPlace, RequestQuestion } from '../../../usecases/accounts/read-requests.ts'
import type { Visit } from '../visit.ts'

/** The filter as the address has it; what makes no sense is left out. */
export type Filter = {
  readonly status: string
  readonly path: string
  readonly token: string
  readonly after: string
}

export const STATUSES = ['2xx', '4xx', '5xx'] as const
export const OUTCOMES = ['ACCEPTED', 'REJECTED', 'DUPLICATE_IGNORED'] as const

export function filterOf({ request: { query } }: Visit): Filter {
  const textOf = (name: string): string => {
    const value = query[name]
    return typeof value === 'string' ? value.trim().slice(0, 200) : ''
  }
  return {
    status: textOf('status'),
    path: textOf('path'),
    token: textOf('token'),
    after: textOf('after'),
  }
}

export const isFiltered = ({ status, path, token }: Filter): boolean =>
  status !== '' || path !== '' || token !== ''

export function questionOf({ status, path, token, after }: Filter): RequestQuestion {
  return {
    status: statusOf(status),
    outcome: /^[A-Z_]{3,40}$/.test(status) ? status : undefined,
    path: path === '' ? undefined : path,
    tokenId: token === '' ? undefined : token,
    after: placeOf(after),
  }
}

function statusOf(text: string): readonly [number, number] | undefined {
  const [, first = ''] = /^([1-5])xx$/i.exec(text) ?? []
  if (first !== '') return [Number(first) * 100, Number(first) * 100 + 99]
  return /^[1-5]\d\d$/.test(text) ? [Number(text), Number(text)] : undefined
}

/** Where a request is, in addresses. */
export const placeText = ({ at, requestId }: RequestPlace): string => `${at}.${requestId}`

export function placeOf(text: string): RequestPlace | undefined {
  const [, at = '', requestId = ''] = /^(\d{12,14})\.([\w-]{1,60})$/.exec(text) ?? []
  return requestId === '' ? undefined : { at: Number(at), requestId }
}

export function addressOf(filter: Filter, after: RequestPlace | undefined): string {
  const { status, path, token } = filter
  const given = Object.entries({ status, path, token }).filter(([, value]) => value !== '')
  const query = new URLSearchParams(given)
  if (after !== undefined) query.set('after', placeText(after))
  const text = query.toString()
  return text === '' ? '/dashboard/requests' : `/dashboard/requests?${text}`
}

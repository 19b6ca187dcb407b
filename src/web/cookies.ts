import type { PageRequest } from '../http/pages.ts'
import type { Headers } from './response.ts'

type Cookie = {
  readonly name: string
  readonly value: string
  readonly path: string
  readonly sameSite: 'Lax' | 'Strict'
  /** Zero removes the cookie; without it, it lasts until the browser is closed. */
  readonly seconds?: number
}

/** Never readable by scripts, and sent over https alone where the service is reached by https. */
export function setCookie(publicUrl: string, cookie: Cookie): Headers {
  const { name, value, path, sameSite, seconds } = cookie
  const parts = [
    `${name}=${value}`,
    `Path=${path}`,
    ...(seconds === undefined ? [] : [`Max-Age=${seconds}`]),
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ]
  return { 'set-cookie': parts.join('; ') }
}

/** Undefined where the cookie is absent or empty. */
export function readCookie({ headers }: PageRequest, name: string): string | undefined {
  const pairs = String(headers.cookie ?? '').split(/;\s*/)
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined
}

/** Headers that set several cookies at once; those that are absent set none. */
export function setCookies(...all: readonly (Headers | undefined)[]): Headers {
  const set = all.flatMap((headers) => headers?.['set-cookie'] ?? [])
  return set.length === 0 ? {} : { 'set-cookie': set }
}

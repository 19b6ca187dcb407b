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

/** A message as a cookie keeps it for the next page. */
export const messageText = (message: object): string =>
  Buffer.from(JSON.stringify(message)).toString('base64url')

/** What `judge` makes of a kept message. Undefined where there is none, and where it is not one of ours. */
export function readMessage<Message>(
  text: string | undefined,
  judge: (found: Message) => Message | undefined,
): Message | undefined {
  if (text === undefined) return undefined
  try {
    return judge(JSON.parse(Buffer.from(text, 'base64url').toString()) as Message)
  } catch {
    return undefined
  }
}

/** Headers that set several cookies at once; those that are absent set none. */
export function setCookies(...all: readonly (Headers | undefined)[]): Headers {
  const set = all.flatMap((headers) => headers?.['set-cookie'] ?? [])
  return set.length === 0 ? {} : { 'set-cookie': set }
}

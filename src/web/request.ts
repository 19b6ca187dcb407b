import { CONNECTIONS } from '../domain/client-timing.ts'
import type { PageRequest } from '../http/pages.ts'
import type { Lang } from './words.ts'

/** What the visitor chose, else what the browser prefers, else English. */
export function languageOf({ query, headers }: PageRequest): Lang {
  return asLang(query.lang) ?? (/^\s*fr\b/i.test(String(headers['accept-language'])) ? 'fr' : 'en')
}

export const asLang = (text: unknown): Lang | undefined =>
  text === 'en' || text === 'fr' ? text : undefined

/**
 * Browsers say which site a form comes from. A request that says nothing is let through: it still
 * needs the secret address, or the cookie that browsers do not send from other sites.
 */
export function isOwnOrigin(publicUrl: string, { headers }: PageRequest): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  const given = URL.canParse(String(origin)) ? new URL(String(origin)) : undefined
  return given !== undefined && (given.host === host || given.host === new URL(publicUrl).host)
}

/** How long the page would wait for a change. */
export function secondsIn({ query }: PageRequest): number {
  const seconds = Number(query.wait)
  return Number.isFinite(seconds) ? Math.min(CONNECTIONS.heldSeconds, Math.max(0, seconds)) : 0
}

import type { PageRequest } from '../http/app.ts'
import type { Lang } from './words.ts'

/** What the visitor chose, else what the browser prefers, else English. */
export function languageOf({ query, headers }: PageRequest): Lang {
  if (query.lang === 'fr' || query.lang === 'en') return query.lang
  return /^\s*fr\b/i.test(String(headers['accept-language'] ?? '')) ? 'fr' : 'en'
}

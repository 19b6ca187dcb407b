import type { Environment } from '../accounts/token.ts'

/** Where a customer goes back to; chosen by the merchant alone, never by the customer's request. */

const MAX_LENGTH = 2048

/** Why the address cannot be used, or nothing. */
export function returnUrlProblem(text: string, environment: Environment): string | undefined {
  if ([...text].length > MAX_LENGTH) return `it takes at most ${MAX_LENGTH} characters`
  // The parser would drop these without a word, and the customer would end up elsewhere.
  if (/[\s\p{Cc}]/u.test(text)) return 'it must not hold spaces or line breaks'
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!isWeb) return 'it must be an absolute https address'
  if (url.protocol === 'https:') return undefined
  if (environment === 'production') return 'it must be an https address'
  return isNear(url.hostname)
    ? undefined
    : 'it must be an https address; http is for this machine and private addresses only'
}

/** This machine, or a private address (RFC 1918), so that a phone can come back to a desk. */
function isNear(host: string): boolean {
  if (/^(?:.+\.)?localhost\.?$/.test(host) || host === '[::1]') return true
  // The parser has brought every spelling of an IPv4 address into this one, and no name ends so.
  return /^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host)
}

/** Adds one parameter and nothing else; one of the same name is replaced, the rest is kept. */
export function returnAddress(returnUrl: string, name: string, value: string): string {
  const url = new URL(returnUrl)
  const given = url.search.slice(1)
  const kept = given === '' ? [] : given.split('&').filter((pair) => nameOf(pair) !== name)
  url.search = [...kept, `${name}=${encodeURIComponent(value)}`].join('&')
  return url.href
}

/** As a receiver reads it: the letters of a name may be encoded. */
const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? ''

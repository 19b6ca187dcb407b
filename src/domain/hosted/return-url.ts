import type { Environment } from '../accounts/token.ts'

/** Where a customer goes back to; chosen by the merchant alone, never by the customer's request. */

const MAX_LENGTH = 2048

/** Why the address cannot be used, or nothing. `schemes` are those of the merchant beside https. */
export function returnUrlProblem(
  text: string,
  environment: Environment,
  schemes: readonly string[] = [],
): string | undefined {
  if ([...text].length > MAX_LENGTH) return `it takes at most ${MAX_LENGTH} characters`
  // The parser would drop these without a word, and the customer would end up elsewhere.
  if (/[\s\p{Cc}]/u.test(text)) return 'it must not hold spaces or line breaks'
  const url = URL.canParse(text) ? new URL(text) : undefined
  const scheme = url?.protocol.slice(0, -1) ?? ''
  // The parser takes these for the address of a site as well, and the customer might end up elsewhere.
  if (/^https?$/.test(scheme) && !/^https?:\/\/[^/\\]/i.test(text)) {
    return `it must begin with ${scheme}:// and the name of a host`
  }
  if (url !== undefined && url.username + url.password !== '' && /^https?$/.test(scheme)) {
    return 'it must not hold a user name or password'
  }
  if (scheme === 'https') return undefined
  if (scheme === 'http' && environment === 'production') return 'it must be an https address'
  if (schemes.includes(scheme) && returnSchemeProblem(scheme, environment) === undefined) {
    return text.includes('://') ? undefined : `it must begin with ${scheme}://`
  }
  if (url === undefined || scheme !== 'http') {
    const allowed = ['it must be an absolute https address', ...schemes.map((one) => `${one}://`)]
    const isApp = url !== undefined && returnSchemeProblem(scheme, environment) === undefined
    return allowed.join(', or ') + (isApp ? `. ${wayOut(scheme)}` : '')
  }
  return isNear(url.hostname)
    ? undefined
    : 'it must be an https address; http is for this machine and private addresses only'
}

const wayOut = (scheme: string): string =>
  `The setting 'malipo merchant return-schemes <short-name> --set ${scheme}', or PUT ` +
  `/sandbox/return-schemes in the sandbox, allows ${scheme}://`

/** Schemes with which an address is a program, a file or another service, and no app of a merchant. */
const NEVER =
  /^(?:javascript|vbscript|livescript|jscript|data|blob|file|filesystem|about|view-source|jar|mhtml|content|intent|android-app|resource|chrome.*|edge|moz-.*|ms-.*|search-ms|res|shell|ftp|sftp|ssh|telnet|ldaps?|smb|nfs|wss?|mailto|tel|sms|cid|mid|urn)$/

const SCHEME_RULES = {
  SHAPE: 'a scheme has 2 to 63 lower-case letters, digits and + . -, such as myapp, without ://',
  HTTPS: 'https is always allowed',
  HTTP: 'http is for the sandbox only',
  NO_APP: 'it is not the scheme of an app',
} as const
export type SchemeRule = keyof typeof SCHEME_RULES

/** The rule that a scheme breaks, if it breaks one. */
export function brokenSchemeRule(scheme: string, environment: Environment): SchemeRule | undefined {
  if (!/^[a-z][a-z0-9+.-]{1,62}$/.test(scheme)) return 'SHAPE'
  if (scheme === 'https') return 'HTTPS'
  if (scheme === 'http' && environment === 'production') return 'HTTP'
  return NEVER.test(scheme) ? 'NO_APP' : undefined
}

/** Why a merchant cannot have customers return to addresses of this scheme, or nothing. */
export function returnSchemeProblem(scheme: string, environment: Environment): string | undefined {
  const rule = brokenSchemeRule(scheme, environment)
  return rule && SCHEME_RULES[rule]
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

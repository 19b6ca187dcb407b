/**
 * Which addresses the service may call. Merchants choose callback URLs, so without this guard they
 * could reach the service's own network through it. A name is judged by every address it has, at
 * the moment of connecting, and only those addresses are connected to.
 */
import { isIP, type LookupFunction } from 'node:net'
import { LIMITS } from '../domain/timing.ts'
import { classifyAddress, isNat64 } from './address-ranges.ts'
import { type Resolve, type ResolvedAddress, resolvePublic, resolveSystem } from './resolve.ts'

export type AddressPolicy = {
  readonly allowPrivate: boolean
  readonly httpsOnly: boolean
}

/** Fixed for each environment: no setting lets a service in production call its own network. */
export const ADDRESS_POLICIES = {
  sandbox: { allowPrivate: true, httpsOnly: false },
  production: { allowPrivate: false, httpsOnly: true },
} as const satisfies Readonly<Record<string, AddressPolicy>>

export type Refused = { readonly ok: false; readonly reason: string }
type CheckedUrl = { readonly ok: true; readonly url: URL } | Refused
type VettedAddress = { readonly ok: true } | Refused

export const ADDRESS_REFUSED = 'ADDRESS_REFUSED'
export const LOOKUP_TIMEOUT = 'LOOKUP_TIMEOUT'

/** Literal addresses never reach a lookup, so they are vetted here; names are vetted by lookup. */
export function checkUrl(text: string, policy: AddressPolicy): CheckedUrl {
  if (text.length > MAX_URL_LENGTH) {
    return refuse(`The URL is longer than ${MAX_URL_LENGTH} characters; shorten it`)
  }
  if (/[\s\p{Cc}]/u.test(text)) return refuse('The URL contains white space; remove it')
  if (!URL.canParse(text)) {
    return refuse('The text is not a valid URL; check scheme, host and port')
  }
  const url = new URL(text)
  const reason = shapeFault(url, text, policy) ?? hostFault(hostOf(url), policy)
  return reason === undefined ? { ok: true, url } : refuse(reason)
}

export function vetAddress(ip: string, policy: AddressPolicy): VettedAddress {
  const reason = addressFault(ip, policy, ip)
  return reason === undefined ? { ok: true } : refuse(reason)
}

/** At the moment of connecting: whatever led there, the peer itself must be allowed. */
export function peerFault(peer: string | undefined, policy: AddressPolicy): string | undefined {
  if (peer === undefined) return 'the connection has no address'
  // A socket that serves both families names an IPv4 peer in the mapped form.
  return addressFault(peer.replace(/^::ffff:(?=\d+\.)/i, ''), policy, peer)
}

/** For the `lookup` option of net.connect and tls.connect. One bad address refuses the name. */
export function guardedLookup(
  policy: AddressPolicy,
  options: { readonly resolve?: Resolve; readonly timeoutMs?: number } = {},
): LookupFunction {
  const resolve = options.resolve ?? (policy.allowPrivate ? resolveSystem : resolvePublic)
  const timeoutMs = options.timeoutMs ?? LIMITS.lookupWithinMs
  // A pool opens many connections to one name at once; they share a question, also one that hangs
  // longer than anybody waits for it, because the system resolver works on few threads.
  const asked = new Map<string, Promise<readonly ResolvedAddress[]>>()

  const ask = (hostname: string): Promise<readonly ResolvedAddress[]> => {
    const running = asked.get(hostname)
    if (running !== undefined) return running
    const started = resolve(hostname).finally(() => asked.delete(hostname))
    asked.set(hostname, started)
    return started
  }
  const vetted = (hostname: string): Promise<readonly ResolvedAddress[]> =>
    resolveVetted(hostname, { policy, resolve: ask, timeoutMs })

  return (hostname, { family, all }, callback) => {
    const answer = (addresses: readonly ResolvedAddress[]): void => {
      const fitting = addresses.filter((found) => fitsFamily(found, family))
      const [first] = fitting
      if (first === undefined) callback(coded(`${hostname} has no address`, 'ENOTFOUND'), '')
      else if (all === true) callback(null, fitting)
      else callback(null, first.address, first.family)
    }
    // The callback must not run inside the promise chain: what it throws is not a lookup fault.
    vetted(hostname).then(
      (addresses) => setImmediate(answer, addresses),
      (error) => setImmediate(callback, error, ''),
    )
  }
}

const MAX_URL_LENGTH = 2048
const PUBLIC_ONLY = 'give a public address: private ones are called in the sandbox only'
/** These name no single machine. */
const REACHES_NOBODY = /unspecified|multicast|broadcast/
const METADATA_NAMES: readonly string[] = [
  'metadata.google.internal',
  'metadata.goog',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
]

function shapeFault(url: URL, text: string, policy: AddressPolicy): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return `The URL starts with ${url.protocol}; use https: or http:`
  }
  if (policy.httpsOnly && url.protocol !== 'https:') {
    return 'The URL starts with http:, which is not encrypted; use https:'
  }
  if (url.username !== '' || url.password !== '') {
    return 'The URL contains a user name or password; remove it'
  }
  if (text.includes('#')) return 'The URL contains a fragment (#), which is never sent; remove it'
  if (url.port === '0') return 'The URL names port 0; use a port from 1 to 65535'
  return undefined
}

function hostFault(host: string, policy: AddressPolicy): string | undefined {
  if (isIP(host) === 0) return nameFault(host, policy)
  const fault = addressFault(host, policy, host)
  if (fault !== undefined || policy.allowPrivate || !isNat64(host)) return fault
  return `${host} is a NAT64 address; give the name or the IPv4 address itself`
}

/** `subject` opens the sentence: the address itself, or the name that led to it. */
function addressFault(ip: string, policy: AddressPolicy, subject: string): string | undefined {
  const address = classifyAddress(ip)
  if (address.kind === 'public') return undefined
  if (address.kind === 'invalid') return `${subject} is not an IP address`
  if (address.kind === 'metadata') {
    return `${subject} is a cloud metadata address and never called; give one of your own server`
  }
  if (address.kind === 'linkLocal') {
    return `${subject} is a link-local address and never called; give one of your own server`
  }
  if (REACHES_NOBODY.test(address.name)) {
    return `${subject} is ${address.name} and never called; give one of your own server`
  }
  if (policy.allowPrivate) return undefined
  return `${subject} is ${address.name}; ${PUBLIC_ONLY}`
}

function nameFault(hostname: string, policy: AddressPolicy): string | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  if (METADATA_NAMES.includes(name)) {
    return `${name} is a cloud metadata service and never called; give a name of your own server`
  }
  if (!policy.allowPrivate && (name === 'localhost' || name.endsWith('.localhost'))) {
    return `${name} is this machine; ${PUBLIC_ONLY}`
  }
  return undefined
}

function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

type Resolving = {
  readonly policy: AddressPolicy
  readonly resolve: Resolve
  readonly timeoutMs: number
}

async function resolveVetted(
  hostname: string,
  { policy, resolve, timeoutMs }: Resolving,
): Promise<readonly ResolvedAddress[]> {
  const refusedName = nameFault(hostname, policy)
  if (refusedName !== undefined) throw coded(refusedName, ADDRESS_REFUSED)
  const addresses = await withinBudget(resolve(hostname), hostname, timeoutMs)
  for (const { address } of addresses) {
    const reason = addressFault(address, policy, `${hostname} resolves to ${address}, which`)
    if (reason !== undefined) throw coded(reason, ADDRESS_REFUSED)
  }
  return addresses
}

function withinBudget<T>(work: Promise<T>, hostname: string, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const seconds = timeoutMs / 1000
      reject(coded(`${hostname} was not resolved within ${seconds} s`, LOOKUP_TIMEOUT))
    }, timeoutMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function fitsFamily(found: ResolvedAddress, wanted: number | string | undefined): boolean {
  if (wanted === 4 || wanted === 'IPv4') return found.family === 4
  if (wanted === 6 || wanted === 'IPv6') return found.family === 6
  return true
}

function coded(message: string, code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code })
}

function refuse(reason: string): Refused {
  return { ok: false, reason }
}

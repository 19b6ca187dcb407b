/**
 * What kind of address an IP address is, from the registries of special-purpose addresses of IANA.
 * An IPv6 address that only wraps an IPv4 address is judged by the address inside.
 */
import { isIP } from 'node:net'

type AddressClass =
  | { readonly kind: 'public' }
  | { readonly kind: 'metadata' }
  /** Where metadata services of further providers are found, and no receiver of a merchant. */
  | { readonly kind: 'linkLocal' }
  | { readonly kind: 'special'; readonly name: string }
  | { readonly kind: 'invalid' }

export function classifyAddress(ip: string): AddressClass {
  const [text = ''] = ip.split('%')
  const version = isIP(text)
  if (version === 0) return { kind: 'invalid' }
  return version === 4 ? classify4(parse4(text)) : classify6(parse6(text))
}

/** An address that a translator makes of an IPv4 address: right from a name server, odd in a URL. */
export function isNat64(ip: string): boolean {
  return isIP(ip) === 6 && !ip.includes('%') && parse6(ip) >> 32n === NAT64
}

type Range = { readonly first: bigint; readonly dropBits: bigint; readonly name: string }

/** Where cloud providers serve a machine its own credentials. */
const METADATA: ReadonlySet<bigint> = new Set([
  ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '169.254.0.23'].map(parse4),
  ...['169.254.42.42', '100.100.100.200', '168.63.129.16', '192.0.0.192'].map(parse4),
  ...['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:42::42'].map(parse6),
  ...['fe80::a9fe:a9fe'].map(parse6),
])

const LINK_LOCAL = 'a link-local address'

const RANGES_4: readonly Range[] = [
  range4('255.255.255.255/32', 'the broadcast address'),
  range4('0.0.0.0/8', 'an unspecified address'),
  range4('10.0.0.0/8', 'a private address'),
  range4('100.64.0.0/10', 'a shared address of a carrier'),
  range4('127.0.0.0/8', 'a loopback address'),
  range4('169.254.0.0/16', LINK_LOCAL),
  range4('172.16.0.0/12', 'a private address'),
  range4('192.0.0.0/24', 'a reserved address'),
  range4('192.0.2.0/24', 'a documentation address'),
  range4('192.88.99.0/24', 'a 6to4 relay address'),
  range4('192.168.0.0/16', 'a private address'),
  range4('198.18.0.0/15', 'a benchmark address'),
  range4('198.51.100.0/24', 'a documentation address'),
  range4('203.0.113.0/24', 'a documentation address'),
  range4('224.0.0.0/4', 'a multicast address'),
  range4('240.0.0.0/4', 'a reserved address'),
]

/** The first range that fits gives the name. Public IPv6 addresses all lie in 2000::/3. */
const RANGES_6: readonly Range[] = [
  range6('::/128', 'the unspecified address'),
  range6('::1/128', 'the loopback address'),
  range6('64:ff9b:1::/48', 'a NAT64 address'),
  range6('2001::/32', 'a Teredo address'),
  range6('2001:2::/48', 'a benchmark address'),
  range6('2001::/23', 'a reserved address'),
  range6('2001:db8::/32', 'a documentation address'),
  range6('2002::/16', 'a 6to4 address'),
  range6('3fff::/20', 'a documentation address'),
  range6('fc00::/7', 'a private address'),
  range6('fe80::/10', LINK_LOCAL),
  range6('fec0::/10', 'a private address'),
  range6('ff00::/8', 'a multicast address'),
]
const GLOBAL_6 = range6('2000::/3', 'public')

/**
 * Prefixes of 96 bits that do nothing but wrap an IPv4 address. No name server of the public network
 * hands out the first three; the last is how machines without IPv4 reach everyone else.
 */
const WRAPPERS: ReadonlyMap<bigint, string | undefined> = new Map(
  (
    [
      ['::', 'an IPv4-compatible address'],
      ['::ffff:0:0', 'an IPv4-mapped address'],
      ['::ffff:0:0:0', 'an IPv4-translated address'],
      ['64:ff9b::', undefined],
    ] as const
  ).map(([prefix, name]) => [parse6(prefix) >> 32n, name]),
)
const NAT64 = parse6('64:ff9b::') >> 32n
const TEREDO = parse6('2001::') >> 96n
const SIX_TO_FOUR = parse6('2002::') >> 112n
/** The middle of an ISATAP address; the bit left out tells whether the IPv4 address is unique. */
const ISATAP = 0x5efen
const ISATAP_MASK = 0xfdffffffn
const LOCAL_NAT64 = parse6('64:ff9b:1::') >> 80n
const LOW_16 = 0xffffn
const LOW_32 = 0xffffffffn

function classify4(value: bigint): AddressClass {
  if (METADATA.has(value)) return { kind: 'metadata' }
  return special(RANGES_4.find((range) => contains(range, value))?.name)
}

function classify6(value: bigint): AddressClass {
  if (METADATA.has(value)) return { kind: 'metadata' }
  // Tunnel forms are special whatever they wrap, but what is never called outranks that.
  const inside = tunnelled(value).map(classify4)
  const never = inside.find(({ kind }) => kind === 'metadata' || kind === 'linkLocal')
  if (never !== undefined) return never
  const name = RANGES_6.find((range) => contains(range, value))?.name
  if (name !== undefined) return special(name)
  if (WRAPPERS.has(value >> 32n)) {
    const wrapped = classify4(value & LOW_32)
    return wrapped.kind === 'public' ? special(WRAPPERS.get(value >> 32n)) : wrapped
  }
  if (isIsatap(value)) return special('an ISATAP address')
  return special(contains(GLOBAL_6, value) ? undefined : 'a reserved address')
}

/** The IPv4 addresses to which a tunnel could carry traffic for this address. */
function tunnelled(value: bigint): readonly bigint[] {
  const low = value & LOW_32
  if (value >> 112n === SIX_TO_FOUR) return [(value >> 80n) & LOW_32]
  // Teredo names the server in the clear and the client with its bits flipped.
  if (value >> 96n === TEREDO) return [(value >> 64n) & LOW_32, low ^ LOW_32]
  // A network may place the IPv4 address right behind this prefix or at the very end.
  if (value >> 80n === LOCAL_NAT64) {
    return [low, (((value >> 64n) & LOW_16) << 16n) | ((value >> 40n) & LOW_16)]
  }
  return isIsatap(value) ? [low] : []
}

function isIsatap(value: bigint): boolean {
  return ((value >> 32n) & ISATAP_MASK) === ISATAP
}

function special(name: string | undefined): AddressClass {
  if (name === LINK_LOCAL) return { kind: 'linkLocal' }
  return name === undefined ? { kind: 'public' } : { kind: 'special', name }
}

function contains(range: Range, value: bigint): boolean {
  return value >> range.dropBits === range.first
}

function range4(block: string, name: string): Range {
  const [base = '', bits = ''] = block.split('/')
  const dropBits = 32n - BigInt(bits)
  return { first: parse4(base) >> dropBits, dropBits, name }
}

function range6(block: string, name: string): Range {
  const [base = '', bits = ''] = block.split('/')
  const dropBits = 128n - BigInt(bits)
  return { first: parse6(base) >> dropBits, dropBits, name }
}

function parse4(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}

/** Takes only what isIP has accepted. A dotted tail is turned into two groups first. */
function parse6(text: string): bigint {
  const plain = text.replace(/[\d.]+\.[\d.]+$/, (tail) => {
    const value = parse4(tail)
    return `${(value >> 16n).toString(16)}:${(value & LOW_16).toString(16)}`
  })
  const [head = '', tail] = plain.split('::')
  const left = groupsOf(head)
  const right = groupsOf(tail ?? '')
  const gap = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...new Array<string>(gap).fill('0'), ...right]
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}

function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':')
}

import { BlockList, isIP, isIPv6 } from 'node:net'

/** Addresses and ranges of addresses, such as those that an operator calls back from. */
type AddressRanges = { has(address: string): boolean }

export function addressRanges(ranges: readonly string[]): AddressRanges {
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  return {
    has: (given) => {
      const address = plain(given)
      return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
    },
  }
}

/** Why a range cannot be used; undefined where it can. */
export function rangeFault(range: string): string | undefined {
  try {
    addRange(new BlockList(), range)
    return undefined
  } catch {
    return 'use an address, or a range such as 196.201.214.0/24'
  }
}

/**
 * Who asks. What a proxy says about that counts if the proxy is known: the last address in its list
 * that is no known proxy. Whatever stands before it, the client may have made up.
 */
export function clientAddress(
  proxies: AddressRanges,
  connected: string,
  forwardedFor: string | undefined,
): string {
  const named = (forwardedFor ?? '').split(',').map((one) => one.trim())
  let client = connected
  while (proxies.has(client)) {
    const before = named.pop()
    if (before === undefined || before === '') return client
    client = before
  }
  return plain(client)
}

/** Without the port that some proxies add, and IPv4 as such. */
const plain = (address: string): string =>
  address
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')

function addRange(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/')
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (bits === undefined) list.addAddress(address, family)
  else if (/^\d{1,3}$/.test(bits)) list.addSubnet(address, Number(bits), family)
  else throw new Error('not a range')
}

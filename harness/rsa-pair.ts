import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'

const made = new Map<string, KeyPairKeyObjectResult>()

/**
 * A pair of keys for tests. Making one takes up to seconds, so all files of a process share one of
 * each length and use; they protect nothing.
 */
export function rsaPair(bits: number, use = ''): KeyPairKeyObjectResult {
  const name = `${bits} ${use}`
  const pair = made.get(name) ?? generateKeyPairSync('rsa', { modulusLength: bits })
  made.set(name, pair)
  return pair
}

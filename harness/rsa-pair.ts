import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyPairKeyObjectResult,
} from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const made = new Map<string, KeyPairKeyObjectResult>()

/**
 * A pair of keys for tests. Making one takes up to seconds, so all processes of a run share one of
 * each length and use, in a folder that goes with the run; they protect nothing.
 */
export function rsaPair(bits: number, use = ''): KeyPairKeyObjectResult {
  const name = `${bits} ${use}`
  const pair = made.get(name) ?? sharedPair(`rsa-${bits}-${use}.pem`, bits)
  made.set(name, pair)
  return pair
}

function sharedPair(file: string, bits: number): KeyPairKeyObjectResult {
  const folder = process.env.MALIPO_TEST_KEYS
  if (folder === undefined) return generateKeyPairSync('rsa', { modulusLength: bits })
  const path = join(folder, file)
  try {
    return pairOf(readFileSync(path, 'utf8'))
  } catch {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits })
    const text = privateKey.export({ type: 'pkcs8', format: 'pem' })
    // Of two processes that make it at once one is kept, and either is whole.
    writeFileSync(`${path}.${process.pid}`, text, { mode: 0o600 })
    renameSync(`${path}.${process.pid}`, path)
    return pairOf(String(text))
  }
}

function pairOf(text: string): KeyPairKeyObjectResult {
  const privateKey = createPrivateKey(text)
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/**
 * The service's own signing keys. A private key is stored only sealed; the sealing key comes from
 * MALIPO_SECRET_KEY, so a copy of the database alone signs nothing.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scrypt,
  scryptSync,
} from 'node:crypto'
import { promisify } from 'node:util'

export type SigningKey = {
  readonly id: string
  readonly privateKey: KeyObject
  readonly publicKeyPem: string
}

/** Key ids are counted up on rotation: HTTP_EC_P256_KEY:1, HTTP_EC_P256_KEY:2 and so on. */
export function keyIdOf(rotation: number): string {
  return `HTTP_EC_P256_KEY:${rotation}`
}

export function generateSigningKey(id: string): SigningKey {
  return toSigningKey(id, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
}

export function sealSigningKey(secret: string, key: SigningKey): string {
  return seal(secret, pemOf(key.privateKey.export({ type: 'pkcs8', format: 'pem' })))
}

export function openSigningKey(id: string, secret: string, sealed: string): SigningKey {
  return toSigningKey(id, parsePrivateKey(unseal(secret, sealed)))
}

/** Throws unless the text is an EC P-256 private key in PKCS8 PEM. */
export function parsePrivateKey(pem: string): KeyObject {
  const key = createPrivateKey({ key: pem, format: 'pem' })
  const curve = key.asymmetricKeyDetails?.namedCurve
  if (key.asymmetricKeyType !== 'ec' || curve !== 'prime256v1') {
    throw new Error('The private key is not an EC P-256 key')
  }
  return key
}

export function seal(secret: string, plain: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', sealingKey(secret), nonce).setAAD(VERSION_BYTES)
  const parts = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return `${VERSION}:${Buffer.concat(parts).toString('base64')}`
}

export function unseal(secret: string, sealed: string): string {
  const bytes = Buffer.from(sealed.slice(VERSION.length + 1), 'base64')
  if (!sealed.startsWith(`${VERSION}:`) || bytes.length < NONCE_BYTES + TAG_BYTES) {
    throw new Error(`The stored data is not sealed text of version ${VERSION}`)
  }
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(secret), nonce, {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(VERSION_BYTES).setAuthTag(bytes.subarray(-TAG_BYTES))
  const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
  try {
    return Buffer.concat([plain, decipher.final()]).toString('utf8')
  } catch {
    throw new Error(
      'MALIPO_SECRET_KEY does not fit the stored data: start with the key it was sealed with',
    )
  }
}

const VERSION = 'v1'
const VERSION_BYTES = Buffer.from(VERSION)
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Deriving takes tens of milliseconds on purpose, so it is done once for each secret. */
const sealingKeys = new Map<string, Buffer>()

function sealingKey(secret: string): Buffer {
  const known = sealingKeys.get(secret)
  if (known !== undefined) return known
  const key = scryptSync(secret, SALT, KEY_BYTES)
  sealingKeys.set(secret, key)
  return key
}

/** The same on a thread of Node's, for a start that waits for its database anyway. */
export async function prepareSealing(secret: string): Promise<void> {
  if (sealingKeys.has(secret)) return
  sealingKeys.set(secret, (await promisify(scrypt)(secret, SALT, KEY_BYTES)) as Buffer)
}

const SALT = 'malipo sealed data v1'
const KEY_BYTES = 32

/** A key of its own for each purpose, from the same secret; one reveals nothing about another. */
export function keyFor(secret: string, purpose: string): Buffer {
  return createHmac('sha256', sealingKey(secret)).update(purpose).digest()
}

function toSigningKey(id: string, privateKey: KeyObject): SigningKey {
  // The id stands in quotes in Signature-Input, where these characters would need escaping.
  if (!/^[\x20-\x7e]+$/.test(id) || /["\\]/.test(id)) {
    throw new Error(`The key id ${JSON.stringify(id)} cannot be written into a signature`)
  }
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' })
  return { id, privateKey, publicKeyPem: pemOf(spki) }
}

function pemOf(text: string | Buffer): string {
  return text.toString()
}

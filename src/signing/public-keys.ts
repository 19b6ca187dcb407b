/** Public keys of merchants: which can be used, for which algorithms, and why others cannot. */
import { createPublicKey, type KeyObject } from 'node:crypto'

const ALGORITHMS = [
  'ecdsa-p256-sha256',
  'ecdsa-p384-sha384',
  'rsa-v1_5-sha256',
  'rsa-pss-sha512',
] as const
export type Algorithm = (typeof ALGORITHMS)[number]

export type PublicKey = {
  /** What people call it: `EC P-256`, `RSA 2048`. */
  readonly name: string
  readonly algorithms: readonly Algorithm[]
  readonly key: KeyObject
}

/** A key that cannot be used; the message says why and what to do. */
export class KeyProblem extends Error {}

const CURVES: Readonly<Record<string, { name: string; algorithm: Algorithm }>> = {
  prime256v1: { name: 'EC P-256', algorithm: 'ecdsa-p256-sha256' },
  secp384r1: { name: 'EC P-384', algorithm: 'ecdsa-p384-sha384' },
}

/** Larger numbers take so long to verify with that one merchant would slow down the others. */
const RSA_BITS = { min: 2048, max: 8192 } as const
const RSA_EXPONENT = { min: 3n, max: 0xffff_ffffn } as const

/** The key in a PEM text, and the text as it is stored. */
export function readPublicKey(text: string): PublicKey & { readonly pem: string } {
  const pem = onlyPublicKey(text)
  const key = parse(pem)
  const { name, algorithms } = usesOf(key)
  return { name, algorithms, key, pem: key.export({ type: 'spki', format: 'pem' }).toString() }
}

function onlyPublicKey(text: string): string {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----/g)].map(([, label]) => label ?? '')
  if (blocks.some((label) => label.includes('PRIVATE'))) {
    throw new KeyProblem(
      'This is a private key. Keep it to yourself, and give its public half: ' +
        'openssl pkey -in private.pem -pubout',
    )
  }
  if (blocks.length > 1) {
    throw new KeyProblem('There is more than one key in it. Give one public key at a time.')
  }
  if (blocks[0] === 'CERTIFICATE') {
    throw new KeyProblem(
      'This is a certificate. Give the public key in it: openssl x509 -in cert.pem -pubkey -noout',
    )
  }
  if (blocks[0] !== 'PUBLIC KEY') {
    throw new KeyProblem(
      'This is not a public key as PEM (SPKI), which starts with "-----BEGIN PUBLIC KEY-----". ' +
        'Make it with: openssl pkey -in private.pem -pubout',
    )
  }
  return text
}

function parse(pem: string): KeyObject {
  try {
    return createPublicKey({ key: pem.trim().concat('\n'), format: 'pem', type: 'spki' })
  } catch {
    throw new KeyProblem(
      'The public key cannot be read: its text is damaged or of a kind not known here. Export it ' +
        'again with: openssl pkey -in private.pem -pubout',
    )
  }
}

function usesOf(key: KeyObject): { name: string; algorithms: readonly Algorithm[] } {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (type === 'ec') {
    const curve = CURVES[details?.namedCurve ?? '']
    if (curve !== undefined) return { name: curve.name, algorithms: [curve.algorithm] }
    throw new KeyProblem(
      `The key is on the curve ${details?.namedCurve}. Use EC P-256, EC P-384 or RSA.`,
    )
  }
  if (type !== 'rsa') {
    throw new KeyProblem(`The key is of the kind ${type}. Use EC P-256, EC P-384 or RSA.`)
  }
  const { modulusLength: bits = 0, publicExponent = 0n } = details ?? {}
  if (bits < RSA_BITS.min) {
    throw new KeyProblem(`The RSA key has ${bits} bits. Use one of ${RSA_BITS.min} bits or more.`)
  }
  const isUsual =
    bits <= RSA_BITS.max &&
    publicExponent >= RSA_EXPONENT.min &&
    publicExponent <= RSA_EXPONENT.max &&
    publicExponent % 2n === 1n
  if (!isUsual) {
    throw new KeyProblem(
      `The RSA key has ${bits} bits and the exponent ${publicExponent}, which is not usual and may ` +
        'not be safe. Make one with: openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072',
    )
  }
  return { name: `RSA ${bits}`, algorithms: ['rsa-v1_5-sha256', 'rsa-pss-sha512'] }
}

const KEYS_KEPT = 10_000
const opened = new Map<string, PublicKey>()

/** A stored key. Reading one takes longer than using it, so each is read once. */
export function openPublicKey(pem: string): PublicKey {
  const known = opened.get(pem)
  if (known !== undefined) return known
  const key = readPublicKey(pem)
  if (opened.size >= KEYS_KEPT) opened.clear()
  opened.set(pem, key)
  return key
}

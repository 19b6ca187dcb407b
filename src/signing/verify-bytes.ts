import { constants, verify } from 'node:crypto'
import type { Algorithm, PublicKey } from './public-keys.ts'

/** ECDSA signatures come as ASN.1 DER and as the two numbers in a row, which is the RFC's form. */
export function fits(
  algorithm: Algorithm,
  { key }: PublicKey,
  base: Buffer,
  signature: Buffer,
): boolean {
  const { hash, rawLength, options } = CHECKS[algorithm]
  if (rawLength === undefined) return verify(hash, base, { key, ...options }, signature)
  const isRaw =
    signature.length === rawLength &&
    verify(hash, base, { key, dsaEncoding: 'ieee-p1363' }, signature)
  return isRaw || verify(hash, base, { key, dsaEncoding: 'der' }, signature)
}

type Check = {
  readonly hash: string
  readonly rawLength?: number
  readonly options?: { readonly padding: number; readonly saltLength?: number }
}

const CHECKS: Readonly<Record<Algorithm, Check>> = {
  'ecdsa-p256-sha256': { hash: 'sha256', rawLength: 64 },
  'ecdsa-p384-sha384': { hash: 'sha384', rawLength: 96 },
  'rsa-v1_5-sha256': { hash: 'sha256', options: { padding: constants.RSA_PKCS1_PADDING } },
  // The RFC has 64 bytes of salt; a library in use takes as many as fit, which is as safe.
  'rsa-pss-sha512': {
    hash: 'sha512',
    options: {
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_AUTO,
    },
  },
}

import { constants, type KeyObject, sign } from 'node:crypto'
import type { Algorithm } from './public-keys.ts'

/** By any algorithm; ECDSA as ASN.1 DER, as most programs of this API do. */
export function signBytes(algorithm: Algorithm, key: KeyObject, text: Buffer): Buffer {
  switch (algorithm) {
    case 'ecdsa-p256-sha256':
      return sign('sha256', text, { key, dsaEncoding: 'der' })
    case 'ecdsa-p384-sha384':
      return sign('sha384', text, { key, dsaEncoding: 'der' })
    case 'rsa-v1_5-sha256':
      return sign('sha256', text, { key, padding: constants.RSA_PKCS1_PADDING })
    case 'rsa-pss-sha512':
      return sign('sha512', text, {
        key,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: 64,
      })
  }
}

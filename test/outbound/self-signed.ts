/**
 * A certificate that vouches for itself, with a key made for it. Node reads certificates but does not
 * write them, so the few DER structures of X.509 are put together here.
 */
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto'

export type SelfSigned = { readonly key: string; readonly certificate: string }

/** Whom a certificate is for: a name, and an address of IPv4. */
type Bearer = { readonly name: string; readonly address: string }

const LOOPBACK: Bearer = { name: 'localhost', address: '127.0.0.1' }

/** Both in PEM, as servers and lists of trusted certificates take them. */
export function makeSelfSigned(bearer = LOOPBACK): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const statement = toBeSigned(publicKey.export({ type: 'spki', format: 'der' }), bearer)
  const signature = sign('sha256', statement, privateKey)
  const certificate = sequence(statement, ECDSA_WITH_SHA256, bitString(signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: new X509Certificate(certificate).toString(),
  }
}

/** The TBSCertificate of RFC 5280, section 4.1. */
function toBeSigned(publicKeyInfo: Buffer, bearer: Bearer): Buffer {
  const name = sequence(der(TAG.set, sequence(COMMON_NAME, text(TAG.utf8String, bearer.name))))
  // The last moment is the one that RFC 5280 sets aside for certificates that never expire.
  const first = text(TAG.utcTime, '000101000000Z')
  const last = text(TAG.generalizedTime, '99991231235959Z')
  return sequence(
    der(TAG.explicit0, integer(2)), // version 3
    integer(1), // serial number
    ECDSA_WITH_SHA256,
    name, // issuer
    sequence(first, last),
    name, // subject
    publicKeyInfo,
    der(TAG.explicit3, sequence(subjectAltName(bearer))),
  )
}

/** Clients compare the host of a URL with these names only, never with the subject. */
function subjectAltName({ name, address }: Bearer): Buffer {
  const bytes = der(TAG.ipAddress, Buffer.from(address.split('.').map(Number)))
  const names = sequence(text(TAG.dnsName, name), bytes)
  return sequence(SUBJECT_ALT_NAME, der(TAG.octetString, names))
}

const TAG = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  ipAddress: 0x87,
  explicit0: 0xa0,
  explicit3: 0xa3,
} as const

const COMMON_NAME = objectId('550403') // 2.5.4.3
const SUBJECT_ALT_NAME = objectId('551d11') // 2.5.29.17
const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302')) // 1.2.840.10045.4.3.2

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(TAG.sequence, ...parts)
}

function integer(value: number): Buffer {
  return der(TAG.integer, Buffer.from([value]))
}

function objectId(hex: string): Buffer {
  return der(TAG.objectId, Buffer.from(hex, 'hex'))
}

function text(tag: number, value: string): Buffer {
  return der(tag, Buffer.from(value))
}

/** The first byte counts the unused bits at the end: none. */
function bitString(bytes: Buffer): Buffer {
  return der(TAG.bitString, Buffer.from([0]), bytes)
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content])
}

/** One byte up to 127; above that, a byte that says how many bytes of length follow. */
function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length]
  if (length < 0x100) return [0x81, length]
  return [0x82, length >> 8, length & 0xff]
}

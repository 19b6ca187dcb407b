/** Network errors in plain words. Merchants read them in the list of callback attempts. */
import { ADDRESS_REFUSED, LOOKUP_TIMEOUT } from './address-guard.ts'

export const PROTOCOL_SWITCHED =
  'the receiver answered with 101 (switching protocols), which was not asked for'

export function failureReason(error: Error, connectTimeoutMs: number): string {
  const code = textOf(error, 'code') ?? ''
  if (error.message === 'bad upgrade') return PROTOCOL_SWITCHED
  const known = REASONS[code]
  if (known !== undefined) return known
  if (code === ADDRESS_REFUSED) return `address refused: ${error.message}`
  if (NO_CONNECTION.includes(code)) return `no connection within ${connectTimeoutMs / 1000} s`
  if (error.name === 'HTTPParserError') return `the answer is not valid HTTP: ${error.message}`
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return `no encrypted connection: ${textOf(error, 'reason') ?? error.message}`
  }
  if (CERTIFICATE.test(code)) return `the certificate is not trusted: ${error.message}`
  return `the request failed: ${error.message}`
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  UND_ERR_DESTROYED: 'the service is shutting down',
  UND_ERR_SOCKET: 'the receiver closed the connection without a complete answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network of the host cannot be reached',
  ENOTFOUND: 'the name does not resolve',
  ENODATA: 'the name does not resolve',
  EAI_AGAIN: 'the name does not resolve: the name server gave no answer',
  [LOOKUP_TIMEOUT]: 'the name does not resolve: the name server gave no answer',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer has another length than it announced',
}

const NO_CONNECTION: readonly string[] = ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']

/** OpenSSL has some thirty codes for a certificate that does not verify. */
const CERTIFICATE = /CERT|ISSUER|SELF_SIGNED|UNABLE_TO_|CRL|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH/

function textOf(error: Error, name: string): string | undefined {
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' ? value : undefined
}

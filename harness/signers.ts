import { constants, createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { rsaPair } from './rsa-pair.ts'

/**
 * Programs that sign their requests, modelled on what real ones send, without the service's own
 * code. They differ in order, dates, digests and the form of their signatures.
 */
export const ALGORITHMS = [
  'ecdsa-p256-sha256',
  'ecdsa-p384-sha384',
  'rsa-v1_5-sha256',
  'rsa-pss-sha512',
] as const
export type Algorithm = (typeof ALGORITHMS)[number]
export type Encoding = 'DER' | 'RAW'

export type TestKey = {
  readonly id: string
  readonly algorithm: Algorithm
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  /** The public half as it is given to the service. */
  readonly pem: string
}

export function makeKey(id: string, algorithm: Algorithm): TestKey {
  const { privateKey, publicKey } = algorithm.startsWith('rsa')
    ? rsaPair(2048, algorithm)
    : generateKeyPairSync('ec', { namedCurve: algorithm.includes('p256') ? 'P-256' : 'P-384' })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  return { id, algorithm, privateKey, publicKey, pem }
}

export function signBytes(key: TestKey, data: Uint8Array, encoding: Encoding): Buffer {
  const { privateKey } = key
  const dsaEncoding = encoding === 'DER' ? 'der' : 'ieee-p1363'
  switch (key.algorithm) {
    case 'ecdsa-p256-sha256':
      return sign('sha256', data, { key: privateKey, dsaEncoding })
    case 'ecdsa-p384-sha384':
      return sign('sha384', data, { key: privateKey, dsaEncoding })
    case 'rsa-v1_5-sha256':
      return sign('sha256', data, { key: privateKey, padding: constants.RSA_PKCS1_PADDING })
    case 'rsa-pss-sha512':
      return sign('sha512', data, {
        key: privateKey,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: 64,
      })
  }
}

/** How programs differ. */
type Manner = {
  readonly covered: readonly string[]
  readonly params: readonly ('alg' | 'keyid' | 'created' | 'expires')[]
  readonly encoding: Encoding
  readonly lifetime: number
  readonly date: (now: Date) => string
  readonly digests: readonly ('sha-256' | 'sha-512')[]
  readonly contentType: string
  readonly asksForSigned: boolean
}

const SIX = ['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type']

export const SIGNERS: Readonly<Record<'A' | 'B' | 'C' | 'D', Manner>> = {
  A: {
    covered: [...SIX, 'content-length'],
    params: ['keyid', 'alg', 'created', 'expires'],
    encoding: 'DER',
    lifetime: 300,
    date: (now) => now.toISOString(),
    digests: ['sha-512'],
    contentType: 'application/json',
    asksForSigned: false,
  },
  B: {
    covered: SIX,
    params: ['alg', 'keyid', 'created', 'expires'],
    encoding: 'DER',
    lifetime: 60_000,
    date: (now) => now.toISOString().replace('Z', '123456Z'),
    digests: ['sha-512'],
    contentType: 'application/json; charset=UTF-8',
    asksForSigned: true,
  },
  C: {
    covered: SIX,
    params: ['alg', 'keyid', 'created', 'expires'],
    encoding: 'RAW',
    lifetime: 60,
    date: (now) => now.toISOString().replace('Z', '321Z'),
    digests: ['sha-256'],
    contentType: 'application/json; charset=UTF-8',
    asksForSigned: true,
  },
  D: {
    covered: SIX,
    params: ['alg', 'keyid', 'created', 'expires'],
    encoding: 'DER',
    lifetime: 60,
    date: (now) => now.toISOString(),
    digests: ['sha-256'],
    contentType: 'application/json',
    asksForSigned: false,
  },
}

export type Outgoing = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type SigningOptions = Partial<Manner> & {
  readonly key: TestKey
  readonly path: string
  readonly body: string
  /** Host and port as the program writes them. */
  readonly authority: string
  readonly method?: string
  readonly label?: string
  readonly createdMs?: number
  /** Replaces values derived from the key and the time; null leaves a parameter out. */
  readonly values?: Readonly<Record<string, string | number | null>>
  /** Further headers, which are sent and can be covered. */
  readonly headers?: Readonly<Record<string, string>>
}

export function signedRequest(options: SigningOptions): Outgoing {
  const manner: Manner = { ...SIGNERS.A, ...options }
  const { key, path, body, authority, method = 'POST', label = 'sig-pp' } = options
  const createdMs = options.createdMs ?? Date.now()
  const created = Math.floor(createdMs / 1000)
  const headers: Record<string, string> = {
    host: authority,
    'content-type': manner.contentType,
    'content-length': String(Buffer.byteLength(body)),
    'content-digest': manner.digests.map((one) => digestOf(one, body)).join(', '),
    'signature-date': manner.date(new Date(createdMs)),
    ...(manner.asksForSigned
      ? {
          'accept-signature': 'rsa-pss-sha512,ecdsa-p256-sha256,rsa-v1_5-sha256,ecdsa-p384-sha384',
          'accept-digest': 'sha-256,sha-512',
        }
      : {}),
    ...options.headers,
  }
  const values: Record<string, string | number | null> = {
    alg: key.algorithm,
    keyid: key.id,
    created,
    expires: created + manner.lifetime,
    ...options.values,
  }
  const params = manner.params
    .filter((name) => values[name] !== null)
    .map((name) => {
      const value = values[name]
      return typeof value === 'string' ? `;${name}="${value}"` : `;${name}=${value}`
    })
  const list = manner.covered.map((name) => `"${name}"`).join(' ')
  const input = `(${list})${params.join('')}`
  const [bare, query] = path.split('?', 2)
  const derived: Record<string, string> = {
    '@method': method,
    '@authority': authority.toLowerCase(),
    '@path': bare ?? '',
    '@query': `?${query ?? ''}`,
  }
  const lines = manner.covered.map((name) => `"${name}": ${derived[name] ?? headers[name]}`)
  const base = [...lines, `"@signature-params": ${input}`].join('\n')
  const signature = signBytes(key, Buffer.from(base), manner.encoding).toString('base64')
  return {
    method,
    path,
    body,
    headers: {
      ...headers,
      signature: `${label}=:${signature}:`,
      'signature-input': `${label}=${input}`,
    },
  }
}

export function digestOf(algorithm: 'sha-256' | 'sha-512', body: string): string {
  const hash = createHash(algorithm.replace('-', '')).update(body).digest('base64')
  return `${algorithm}=:${hash}:`
}

export type Received = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
  readonly body: any
}

/** Sends it exactly as given; `fetch` would set some headers itself. */
export function sendTo(
  url: string,
  { method, path, headers, body }: Outgoing,
  token: string,
): Promise<Received> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        ...{ hostname, port, method, path },
        headers: { authorization: `Bearer ${token}`, ...headers },
        // A connection of its own: one that is shared may have ended at its other end by now.
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const { statusCode: status = 0, headers: answered } = response
          resolve({ status, headers: answered, text, body: text === '' ? '' : JSON.parse(text) })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

export const authorityOf = (url: string): string => new URL(url).host

import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { verifySignature } from 'http-message-sig'
import { depositBody, type Service } from '../../harness/service.ts'
import {
  authorityOf,
  digestOf,
  type Encoding,
  type Received,
  type SigningOptions,
  sendTo,
  signedRequest,
  type TestKey,
} from '../../harness/signers.ts'
import { legacyDeposit } from './legacy-payments.ts'

/** The two generations, each with the deposit that a signed request starts. */
export const GENERATIONS = {
  current: { path: '/v2/deposits', body: depositBody },
  earlier: { path: '/deposits', body: legacyDeposit },
} as const
export type Generation = keyof typeof GENERATIONS

export const give = async (
  service: Service,
  keys: readonly TestKey[],
  settings: Record<string, unknown> = {},
): Promise<void> => {
  const list = keys.map(({ id, pem }) => ({ id, key: pem }))
  const answer = await service.put('/sandbox/signatures', { keys: list, ...settings })
  assert.equal(answer.status, 204, JSON.stringify(answer.body))
}

export type DepositOptions = Partial<SigningOptions> & {
  readonly generation?: Generation
  readonly token?: string
  readonly changes?: Readonly<Record<string, unknown>>
}

/** A signed deposit. */
export function signedDeposit(service: Service, key: TestKey, options: DepositOptions = {}) {
  const { generation = 'current', changes, token: _, ...signing } = options
  const { path, body } = GENERATIONS[generation]
  return signedRequest({
    key,
    path,
    body: JSON.stringify(body(changes)),
    authority: authorityOf(service.url),
    ...signing,
  })
}

export const postSigned = (
  service: Service,
  key: TestKey,
  options: DepositOptions = {},
): Promise<Received> =>
  sendTo(service.url, signedDeposit(service, key, options), options.token ?? service.token)

export function messageOf({ body }: Pick<Received, 'body'>): string {
  return body.failureReason?.failureMessage ?? body.errorMessage
}

/** Refused for its signature, in the shape of the generation. */
export function assertRefused(answer: Received, generation: Generation, says: RegExp): void {
  assert.equal(answer.status, 401, answer.text)
  assert.match(messageOf(answer), says)
  if (generation === 'earlier') {
    assert.deepEqual(Object.keys(answer.body), ['errorId', 'errorCode', 'errorMessage'])
    assert.equal(answer.body.errorCode, 2)
  } else {
    assert.equal(answer.body.status, 'REJECTED')
    assert.equal(answer.body.failureReason.failureCode, 'AUTHENTICATION_ERROR')
  }
  assertUnsigned(answer)
}

export function assertUnsigned({ headers }: Pick<Received, 'headers'>): void {
  for (const name of ['signature', 'signature-input', 'signature-date', 'content-digest']) {
    assert.equal(headers[name], undefined, name)
  }
}

const ANSWERED = ['@status', 'signature-date', 'content-digest', 'content-type']

/** Signed by the service: a library that knows nothing of it verifies with the published key. */
export async function assertSigned(
  service: Service,
  answer: Received,
  options: { encoding?: Encoding; digest?: 'sha-256' | 'sha-512' } = {},
): Promise<void> {
  const { encoding = 'DER', digest = 'sha-512' } = options
  assert.equal(answer.headers['content-digest'], digestOf(digest, answer.text))
  const published = (await service.get('/public-key/http')).body
  const fields = Object.entries(answer.headers).map(([name, value]) => ({
    name,
    value: String(value),
  }))
  const verified = await verifySignature(
    { kind: 'response', status: answer.status, fields },
    {
      label: 'sig-pp',
      policy: {
        algorithms: ['ecdsa-p256-sha256'],
        requiredComponents: ANSWERED,
        requiredParameters: ['alg', 'keyid', 'created', 'expires'],
        maxAge: 60,
      },
      resolveVerifier: ({ parameters }) => ({
        algorithm: 'ecdsa-p256-sha256',
        verify: (data, signature) => {
          const key = published.find(({ id }: { id: string }) => id === parameters.keyid)?.key
          const dsaEncoding = encoding === 'DER' ? 'der' : 'ieee-p1363'
          return verify('sha256', data, { key, dsaEncoding }, signature)
        },
      }),
    },
  )
  assert.deepEqual(
    verified.components.map(({ name }) => name),
    ANSWERED,
  )
  const { created = 0, expires = 0 } = verified.parameters
  assert.equal(expires, created + 60)
}

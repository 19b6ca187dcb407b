import type { FastifyRequest } from 'fastify'
import type { Merchant } from '../domain/accounts/merchant.ts'
import { LIFETIMES } from '../domain/timing.ts'
import { wantedDigest } from '../signing/digest.ts'
import { type SignedAnswerHeaders, signAnswer } from '../signing/http-signature.ts'
import { openPublicKey } from '../signing/public-keys.ts'
import { type KeyLookup, verifyRequest } from '../signing/verify-request.ts'
import type { AccountContext } from '../usecases/accounts/context.ts'
import { RequestFault } from '../wire/fault.ts'

/** Headers that sign an answer. */
export type AnswerSigner = (
  status: number,
  body: string,
  contentType: string,
) => SignedAnswerHeaders

const LIFETIME_SECONDS = LIFETIMES.signatureSeconds
const NO_BODY = Buffer.alloc(0)

/**
 * Checks the signature of an initiation. A valid one gets a signed answer; any other is
 * refused where signatures are required, and ignored where they are not.
 */
export function checkSignature(
  ctx: AccountContext,
  request: FastifyRequest,
  merchant: Merchant,
  defaultPort: number,
): AnswerSigner | undefined {
  const { headers, raw } = request
  const isSigned = headers.signature !== undefined || headers['signature-input'] !== undefined
  if (!isSigned && !merchant.signedRequestsOnly) {
    ctx.signatureChecks.note(merchant.id, 'NOT_SIGNED')
    return undefined
  }
  const received = {
    method: raw.method ?? '',
    target: raw.url ?? '',
    defaultPort,
    rawHeaders: raw.rawHeaders,
    body: request.body instanceof Buffer ? request.body : NO_BODY,
  }
  const verdict = verifyRequest(received, keysOf(merchant), ctx.clock.realNow())
  ctx.signatureChecks.note(merchant.id, verdict.ok ? 'VERIFIED' : verdict.problem.code)
  if (verdict.ok) {
    ctx.signatureChecks.noteReplay(merchant.id, verdict)
    return signerFor(ctx, merchant, wantedDigest(textOf(headers['accept-digest'])))
  }
  if (!merchant.signedRequestsOnly) return undefined
  throw new RequestFault('AUTHENTICATION_ERROR', verdict.problem.message)
}

function keysOf({ publicKeys }: Merchant): KeyLookup {
  return (keyId) => {
    const pem = publicKeys.get(keyId)
    return pem === undefined ? undefined : openPublicKey(pem)
  }
}

function signerFor(
  ctx: AccountContext,
  { ecdsaEncoding: encoding }: Merchant,
  digest: 'sha-256' | 'sha-512',
): AnswerSigner {
  return (status, body, contentType) =>
    signAnswer({
      status,
      body,
      contentType,
      digest,
      encoding,
      key: ctx.signingKeys.current,
      nowMs: ctx.clock.realNow(),
      lifetimeSeconds: LIFETIME_SECONDS,
    })
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header

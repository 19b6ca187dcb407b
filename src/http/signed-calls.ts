import type { FastifyRequest } from 'fastify'
import { keyIdFor, type Merchant } from '../domain/accounts/merchant.ts'
import { LIFETIMES } from '../domain/timing.ts'
import { wantedDigest } from '../signing/digest.ts'
import { type SignedAnswerHeaders, signAnswer } from '../signing/http-signature.ts'
import { openPublicKey } from '../signing/public-keys.ts'
import { AHEAD_SECONDS, type KeyLookup } from '../signing/signature-parts.ts'
import { problem } from '../signing/signature-problems.ts'
import { type Verdict, verifyRequest } from '../signing/verify-request.ts'
import type { AccountContext } from '../usecases/accounts/context.ts'
import { isStored, type SignableKind } from '../usecases/accounts/used-signatures.ts'
import { RequestFault } from '../wire/fault.ts'
import type { ReadJson } from '../wire/json.ts'

/** Headers that sign an answer. */
export type AnswerSigner = (
  status: number,
  body: string,
  contentType: string,
) => SignedAnswerHeaders

const LIFETIME_SECONDS = LIFETIMES.signatureSeconds
const NO_BODY = Buffer.alloc(0)

/** A good signature: how the answer is signed, and where each counts once, what is used up. */
type Signed = { readonly sign: AnswerSigner; readonly use?: Verified }

type Verified = Extract<Verdict, { readonly ok: true }>

/**
 * Checks the signature of an initiation. A valid one gets a signed answer; any other is
 * refused where signatures are required, and ignored where they are not.
 */
export function checkSignature(
  ctx: AccountContext,
  request: FastifyRequest,
  merchant: Merchant,
  defaultPort: number,
): Signed | undefined {
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
  const { maxSignatureAge: maxAgeSeconds, coverAuthority } = merchant
  const rules = { maxAgeSeconds, coverAuthority }
  const verdict = verifyRequest(received, keysOf(merchant), ctx.clock.realNow(), rules)
  if (verdict.ok) {
    const sign = signerFor(ctx, merchant, wantedDigest(textOf(headers['accept-digest'])))
    // Where unsigned requests are accepted too, counting signatures would keep nobody out.
    if (merchant.signedRequestsOnly && maxAgeSeconds !== undefined) return { sign, use: verdict }
    noteGood(ctx, merchant, verdict)
    return { sign }
  }
  ctx.signatureChecks.note(merchant.id, verdict.problem.code)
  if (!merchant.signedRequestsOnly) return undefined
  throw new RequestFault('AUTHENTICATION_ERROR', verdict.problem.message)
}

function noteGood(ctx: AccountContext, merchant: Merchant, verdict: Verified): void {
  ctx.signatureChecks.note(merchant.id, 'VERIFIED')
  ctx.lastUses.key(merchant.id, verdict.keyId)
  ctx.signatureChecks.noteReplay(merchant.id, verdict)
}

/**
 * Refuses a signature that was used before, on whichever node, unless all that the request asks for
 * is stored: then the first answer may have been lost, and the repeat starts nothing.
 */
export async function useOnce(
  ctx: AccountContext,
  merchant: Merchant,
  verdict: Verified,
  asked: { readonly kind: SignableKind; readonly parsed: ReadJson },
): Promise<void> {
  const { maxSignatureAge = 0 } = merchant
  const forgetAt = ctx.clock.realNow() + 1000 * (AHEAD_SECONDS + maxSignatureAge)
  const isFirst = await ctx.usedSignatures.use(merchant, verdict.fingerprints, forgetAt)
  if (isFirst || (await isStored(ctx.db, merchant, asked.kind, idsIn(asked)))) {
    noteGood(ctx, merchant, verdict)
    return
  }
  const { code, message } = problem('USED_BEFORE')
  ctx.signatureChecks.note(merchant.id, code)
  throw new RequestFault('AUTHENTICATION_ERROR', message)
}

/** An entry without an identifier counts as one that is not stored. */
function idsIn({ kind, parsed }: { readonly kind: string; readonly parsed: ReadJson }): string[] {
  if (!parsed.ok) return []
  return [parsed.value].flat().map((entry) => String(Object(entry)[`${kind}Id`]))
}

function keysOf({ publicKeys }: Merchant): KeyLookup {
  return (keyId) => {
    const pem = publicKeys.get(keyId)
    return pem === undefined ? undefined : openPublicKey(pem)
  }
}

function signerFor(
  ctx: AccountContext,
  merchant: Merchant,
  digest: 'sha-256' | 'sha-512',
): AnswerSigner {
  const { ecdsaEncoding: encoding } = merchant
  return (status, body, contentType) => {
    const { current } = ctx.signingKeys
    return signAnswer({
      status,
      body,
      contentType,
      digest,
      encoding,
      key: { ...current, id: keyIdFor(merchant, current.id) },
      nowMs: ctx.clock.realNow(),
      lifetimeSeconds: LIFETIME_SECONDS,
    })
  }
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header

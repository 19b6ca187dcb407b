/**
 * Tokens that stand in links: they carry a few facts and prove that this service wrote them, about
 * the subject that the link names beside them. A forged one is recognised without a look-up.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { keyFor } from './keys.ts'

type LinkTokens = {
  write(subject: string, facts: Buffer): string
  /** The facts, or nothing when the token was not written here, for this subject. */
  read(subject: string, token: string): Buffer | undefined
}

const PROOF_BYTES = 32

/** `purpose` keeps tokens for one use from being taken for those of another. */
export function createLinkTokens(secret: string, purpose: string): LinkTokens {
  const key = keyFor(secret, purpose)
  const proofOf = (subject: string, facts: Buffer): Buffer =>
    createHmac('sha256', key)
      .update(Buffer.from([facts.length]))
      .update(facts)
      .update(subject)
      .digest()
  return {
    write: (subject, facts) =>
      Buffer.concat([facts, proofOf(subject, facts)]).toString('base64url'),
    read: (subject, token) => {
      const bytes = Buffer.from(token, 'base64url')
      // Written in one way only: no padding, no other letters that decode to the same bytes.
      if (bytes.length < PROOF_BYTES || bytes.toString('base64url') !== token) return undefined
      const facts = bytes.subarray(0, -PROOF_BYTES)
      return timingSafeEqual(proofOf(subject, facts), bytes.subarray(-PROOF_BYTES))
        ? facts
        : undefined
    },
  }
}

import type { MerchantId, PaymentId } from '../../domain/ids.ts'
import { createLinkTokens } from '../../signing/link-token.ts'

/** Addresses of files that need no other token: the link itself is the right to read the file. */
export type StatementLinks = {
  urlOf(merchantId: MerchantId, id: PaymentId, expiresAt: number): string
  /** What the link says, or nothing when it is not one of ours. */
  read(id: PaymentId, token: string): LinkFacts | undefined
}

type LinkFacts = { readonly merchantId: MerchantId; readonly expiresAt: number }

const MERCHANT_BYTES = 4
const EXPIRY_BYTES = 6

export function createStatementLinks(secret: string, publicUrl: () => string): StatementLinks {
  const tokens = createLinkTokens(secret, 'statement download v1')
  return {
    urlOf: (merchantId, id, expiresAt) => {
      const facts = Buffer.alloc(MERCHANT_BYTES + EXPIRY_BYTES)
      facts.writeUInt32BE(merchantId, 0)
      facts.writeUIntBE(expiresAt, MERCHANT_BYTES, EXPIRY_BYTES)
      return `${publicUrl()}/statements/${id}/${tokens.write(id, facts)}`
    },
    read: (id, token) => {
      const facts = tokens.read(id, token)
      if (facts?.length !== MERCHANT_BYTES + EXPIRY_BYTES) return undefined
      return {
        merchantId: facts.readUInt32BE(0) as MerchantId,
        expiresAt: facts.readUIntBE(MERCHANT_BYTES, EXPIRY_BYTES),
      }
    },
  }
}

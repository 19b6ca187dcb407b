import type { MerchantId } from '../../domain/ids.ts'
import { createLinkTokens } from '../../signing/link-token.ts'

/**
 * Addresses of the stand-in wallet page. The link alone opens the page, so it cannot be guessed; it
 * follows from the order, so that it is the same whenever it is asked for.
 */
export type WalletLinks = {
  urlOf(merchantId: MerchantId, reference: string): string
  /** What the link says, or nothing when it is not one of ours. */
  read(token: string): WalletOrder | undefined
}

export type WalletOrder = { readonly merchantId: MerchantId; readonly reference: string }

const MERCHANT_BYTES = 4
const SUBJECT = 'order'

export function createWalletLinks(secret: string, publicUrl: () => string): WalletLinks {
  const tokens = createLinkTokens(secret, 'sandbox wallet v1')
  return {
    urlOf: (merchantId, reference) => {
      const facts = Buffer.alloc(MERCHANT_BYTES)
      facts.writeUInt32BE(merchantId, 0)
      const order = Buffer.from(reference.replaceAll('-', ''), 'hex')
      return `${publicUrl()}/sandbox/wallet/${tokens.write(SUBJECT, Buffer.concat([facts, order]))}`
    },
    read: (token) => {
      const facts = tokens.read(SUBJECT, token)
      if (facts === undefined) return undefined
      const hex = facts.subarray(MERCHANT_BYTES).toString('hex')
      return {
        merchantId: facts.readUInt32BE(0) as MerchantId,
        reference: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      }
    },
  }
}

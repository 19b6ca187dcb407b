import { hash } from 'node:crypto'
import type { PaymentKey } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { createLinkTokens } from '../../signing/link-token.ts'
import { createShortCodes } from '../../signing/short-code.ts'

/**
 * The links that customers get. Anyone who has one may pay, so tables hold only its hash; the text
 * is made again from the key of its row and the service's secret whenever it has to be shown.
 */
export type HostedLinks = {
  ofCheckout(checkout: { readonly key: PaymentKey }): HostedLink
  ofPage(session: { readonly key: PaymentKey }): HostedLink
  /** The page on which the customer started the deposit; a provider's page leads back to it. */
  ofPayment(payment: Payment): HostedLink | undefined
  /** For the browser that sent a number, to be shown it again; says nothing to any other. */
  payerProof(checkout: { readonly key: PaymentKey }, phoneNumber: string): string
  isPayer(checkout: { readonly key: PaymentKey }, phoneNumber: string, proof: string): boolean
  /** By which a link that somebody brings is found. */
  hashOf(code: string): Buffer
}

export type HostedLink = { readonly code: string; readonly redirectUrl: string }

export function createHostedLinks(secret: string, publicUrl: () => string): HostedLinks {
  const checkoutCode = createShortCodes(secret, 'checkout link v1')
  const pageToken = createShortCodes(secret, 'payment page link v1')
  const payers = createLinkTokens(secret, 'payer of a checkout v1')
  const linkAt = (path: string, code: string): HostedLink => ({
    code,
    redirectUrl: `${publicUrl()}${path}/${code}`,
  })
  const ofCheckout: HostedLinks['ofCheckout'] = ({ key }) => linkAt('/checkout', checkoutCode(key))
  const ofPage: HostedLinks['ofPage'] = ({ key }) => linkAt('/pay', pageToken(key))
  return {
    ofCheckout,
    ofPage,
    ofPayment: ({ details: { pageKey: key }, checkoutId }) => {
      if (key === undefined) return undefined
      return checkoutId === undefined ? ofPage({ key }) : ofCheckout({ key })
    },
    payerProof: ({ key }, number) => payers.write(`${key}/${number}`, Buffer.alloc(0)),
    isPayer: ({ key }, number, proof) => payers.read(`${key}/${number}`, proof) !== undefined,
    hashOf: (code) => hash('sha256', code, 'buffer'),
  }
}

import { hash } from 'node:crypto'
import type { PaymentKey } from '../domain/ids.ts'
import type { Payment } from '../domain/payment.ts'
import { createShortCodes } from '../signing/short-code.ts'

/**
 * The links that customers get. Whoever has one may pay, so tables hold only its hash; the text is
 * made again from the key of its row and the service's secret whenever it has to be shown.
 */
export type HostedLinks = {
  ofCheckout(checkout: { readonly key: PaymentKey }): HostedLink
  ofPage(session: { readonly key: PaymentKey }): HostedLink
  /** The page on which the customer started the deposit; a provider's page leads back to it. */
  ofPayment(payment: Payment): HostedLink | undefined
  /** By which a link that somebody brings is found. */
  hashOf(code: string): Buffer
}

export type HostedLink = { readonly code: string; readonly redirectUrl: string }

export function createHostedLinks(secret: string, publicUrl: () => string): HostedLinks {
  const checkoutCode = createShortCodes(secret, 'checkout link v1')
  const pageToken = createShortCodes(secret, 'payment page link v1')
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
    hashOf: (code) => hash('sha256', code, 'buffer'),
  }
}

import type { Merchant } from '../../domain/accounts/merchant.ts'
import { shownName } from '../../domain/hosted/branding.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { FINAL_STATES } from '../../domain/payments/payment-state.ts'
import type { CheckoutView } from './checkout.ts'
import type { HostedContext } from './context.ts'
import { paymentView } from './view.ts'

/** What the customer of a hosted page saw of a deposit: while it was under way, and what it came to. */
export const CUSTOMER_SCREENS = ['waiting', 'result'] as const
type CustomerScreen = (typeof CUSTOMER_SCREENS)[number]

/** Made from the payment itself: a link expires, and the page may show a later attempt by now. */
export function customerView(
  ctx: HostedContext,
  merchant: Merchant,
  payment: Payment,
  screen: CustomerScreen,
): CheckoutView | undefined {
  const { endedAt: _, failure: _failure, ...begun } = payment
  const shown: Payment = screen === 'waiting' ? { ...begun, state: 'PROCESSING' } : payment
  const view = paymentView(ctx, shown)
  if (view === undefined) return undefined
  const isEnded = FINAL_STATES.some((state) => state === shown.state)
  return {
    merchant: shownName(merchant),
    brand: merchant.branding,
    state: isEnded ? (shown.state === 'COMPLETED' ? 'COMPLETED' : 'FAILED') : 'PROCESSING',
    expiresAt: payment.createdAt,
    returnAddress: '#',
    returnMethod: 'CUSTOMER_ACTION',
    version: '',
    screen: isEnded ? 'ENDED' : 'RUNNING',
    payment: view,
  }
}

import type { Checkout } from '../domain/hosted/checkout.ts'
import type { Payment } from '../domain/payments/payment.ts'
import type { PaymentKind } from '../domain/payments/payment-state.ts'
import type { SplitPayment } from '../domain/payments/split-payment.ts'
import type { HostedLink } from '../usecases/hosted/links.ts'
import { fromCheckout } from '../wire/v2/checkouts.ts'
import { fromDeposit } from '../wire/v2/deposits.ts'
import { fromPayout } from '../wire/v2/payouts.ts'
import { fromRefund } from '../wire/v2/refunds.ts'
import { fromRemittance } from '../wire/v2/remittances.ts'
import { fromSplitPayment } from '../wire/v2/split-payments.ts'

const RECORDS: Readonly<Record<PaymentKind, (payment: Payment) => object>> = {
  deposit: fromDeposit,
  payout: fromPayout,
  refund: fromRefund,
  remittance: fromRemittance,
}

/** A payment as the status check of the API answers it. */
export const paymentRecord = (payment: Payment): object => RECORDS[payment.kind](payment)

/** Split payments and checkouts likewise. */
export const splitRecord: (split: SplitPayment) => object = fromSplitPayment
export const checkoutRecord: (checkout: Checkout, link: HostedLink) => object = fromCheckout

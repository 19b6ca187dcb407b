import type { Payment } from '../domain/payments/payment.ts'
import type { PaymentKind } from '../domain/payments/payment-state.ts'
import { fromDeposit } from '../wire/v2/deposits.ts'
import { fromPayout } from '../wire/v2/payouts.ts'
import { fromRefund } from '../wire/v2/refunds.ts'
import { fromRemittance } from '../wire/v2/remittances.ts'

const RECORDS: Readonly<Record<PaymentKind, (payment: Payment) => object>> = {
  deposit: fromDeposit,
  payout: fromPayout,
  refund: fromRefund,
  remittance: fromRemittance,
}

/** A payment as the status check of the API answers it. */
export const paymentRecord = (payment: Payment): object => RECORDS[payment.kind](payment)

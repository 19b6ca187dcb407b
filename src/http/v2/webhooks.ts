import type { TSchema } from '../../wire/schema.ts'
import { CheckoutRecord } from '../../wire/v2/checkouts.ts'
import { DepositRecord } from '../../wire/v2/deposits.ts'
import { PayoutRecord } from '../../wire/v2/payouts.ts'
import { RefundRecord } from '../../wire/v2/refunds.ts'
import { RemittanceRecord } from '../../wire/v2/remittances.ts'
import { SplitPaymentRecord } from '../../wire/v2/split-payments.ts'
import { StatementRecord } from '../../wire/v2/statements.ts'
import { CHECKOUT_RECORD_EXAMPLES } from './checkout-examples.ts'
import { RECORD_EXAMPLES } from './examples.ts'
import { paidOutExamples, remittanceExamples } from './paid-out-examples.ts'
import { SPLIT_RECORD_EXAMPLES } from './split-examples.ts'
import { STATEMENT_RECORD_EXAMPLES } from './statement-examples.ts'

/** The callbacks that this service sends, for the reference. */
type Webhook = {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly record: TSchema
  readonly examples: Readonly<Record<string, object>>
}

const ofPayment = (
  kind: string,
  record: TSchema,
  examples: Readonly<Record<string, object>>,
): Webhook => ({
  name: `${kind}Callback`,
  summary: `A ${kind} is final`,
  description: `Sent to the callback address for ${kind}s when a ${kind} is COMPLETED or FAILED.`,
  record,
  examples,
})

export const WEBHOOKS: readonly Webhook[] = [
  {
    ...ofPayment('deposit', DepositRecord, RECORD_EXAMPLES),
    description:
      'Sent to the callback address for deposits when a deposit is COMPLETED or FAILED; and where ' +
      'the provider redirects the customer, once before, when `authorizationUrl` is known.',
  },
  ofPayment('payout', PayoutRecord, paidOutExamples('payout', 'payoutId').records),
  ofPayment('refund', RefundRecord, paidOutExamples('refund', 'refundId').records),
  ofPayment('remittance', RemittanceRecord, remittanceExamples.records),
  {
    name: 'splitPaymentCallback',
    summary: 'A split payment is final',
    description:
      'Sent to the callback address for split payments when one is COMPLETED, PAYOUT_FAILED or ' +
      'FAILED. Its deposit and payouts have callbacks of their own.',
    record: SplitPaymentRecord,
    examples: SPLIT_RECORD_EXAMPLES,
  },
  {
    name: 'checkoutCallback',
    summary: 'A checkout is final',
    description:
      'Sent to the callback address for checkouts when one is COMPLETED, FAILED, EXPIRED or ' +
      'CANCELLED. Each of its attempts is a deposit with a callback of its own.',
    record: CheckoutRecord,
    examples: CHECKOUT_RECORD_EXAMPLES,
  },
  {
    name: 'statementCallback',
    summary: 'A statement is ready',
    description:
      'Sent to the `callbackUrl` of the request when the statement is COMPLETED or FAILED.',
    record: StatementRecord,
    examples: STATEMENT_RECORD_EXAMPLES,
  },
]

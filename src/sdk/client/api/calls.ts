// Made from the OpenAPI document by "npm run client-types". Do not edit.
import type { CallbackFeed, CallbackList } from './callbacks.ts'
import type {
  CheckoutActionAnswer,
  CheckoutAnswer,
  CheckoutExpiry,
  CheckoutRequest,
  CheckoutStatus,
} from './checkouts.ts'
import type {
  DepositActionAnswer,
  DepositAnswer,
  DepositRequest,
  DepositStatus,
} from './deposits.ts'
import type {
  StatementAnswer,
  StatementRequest,
  StatementStatus,
  WalletBalances,
} from './finances.ts'
import type { PaymentPageAnswer, PaymentPageCreated, PaymentPageRequest } from './payment-page.ts'
import type { FoundPayments, PaymentStories } from './payments.ts'
import type { PayoutActionAnswer, PayoutAnswer, PayoutRequest, PayoutStatus } from './payouts.ts'
import type { RefundActionAnswer, RefundAnswer, RefundRequest, RefundStatus } from './refunds.ts'
import type {
  RemittanceActionAnswer,
  RemittanceAnswer,
  RemittanceRequest,
  RemittanceStatus,
} from './remittances.ts'
import type {
  SplitPaymentActionAnswer,
  SplitPaymentAnswer,
  SplitPaymentRequest,
  SplitPaymentStatus,
} from './split-payments.ts'
import type {
  ActiveConfiguration,
  PredictionRequest,
  ProviderAvailability,
  ProviderPrediction,
  PublicKeys,
} from './toolkit.ts'

export type Calls = {
  initiateDeposit: {
    readonly body: DepositRequest
    readonly answer: DepositAnswer
  }
  getDeposit: {
    readonly params: 'depositId'
    readonly answer: DepositStatus
  }
  resendDepositCallback: {
    readonly params: 'depositId'
    readonly answer: DepositActionAnswer
  }
  initiatePayout: {
    readonly body: PayoutRequest
    readonly answer: PayoutAnswer
  }
  initiateBulkPayouts: {
    readonly body: readonly PayoutRequest[]
    readonly answer: readonly PayoutAnswer[]
  }
  getPayout: {
    readonly params: 'payoutId'
    readonly answer: PayoutStatus
  }
  resendPayoutCallback: {
    readonly params: 'payoutId'
    readonly answer: PayoutActionAnswer
  }
  cancelEnqueuedPayout: {
    readonly params: 'payoutId'
    readonly answer: PayoutActionAnswer
  }
  initiateRefund: {
    readonly body: RefundRequest
    readonly answer: RefundAnswer
  }
  getRefund: {
    readonly params: 'refundId'
    readonly answer: RefundStatus
  }
  resendRefundCallback: {
    readonly params: 'refundId'
    readonly answer: RefundActionAnswer
  }
  cancelEnqueuedRefund: {
    readonly params: 'refundId'
    readonly answer: RefundActionAnswer
  }
  initiateRemittance: {
    readonly body: RemittanceRequest
    readonly answer: RemittanceAnswer
  }
  initiateBulkRemittances: {
    readonly body: readonly RemittanceRequest[]
    readonly answer: readonly RemittanceAnswer[]
  }
  getRemittance: {
    readonly params: 'remittanceId'
    readonly answer: RemittanceStatus
  }
  resendRemittanceCallback: {
    readonly params: 'remittanceId'
    readonly answer: RemittanceActionAnswer
  }
  cancelEnqueuedRemittance: {
    readonly params: 'remittanceId'
    readonly answer: RemittanceActionAnswer
  }
  initiateSplitPayment: {
    readonly body: SplitPaymentRequest
    readonly answer: SplitPaymentAnswer
  }
  getSplitPayment: {
    readonly params: 'splitPaymentId'
    readonly answer: SplitPaymentStatus
  }
  resendSplitPaymentCallback: {
    readonly params: 'splitPaymentId'
    readonly answer: SplitPaymentActionAnswer
  }
  createCheckout: {
    readonly body: CheckoutRequest
    readonly answer: CheckoutAnswer
  }
  getCheckout: {
    readonly params: 'checkoutId'
    readonly answer: CheckoutStatus
  }
  expireCheckout: {
    readonly params: 'checkoutId'
    readonly answer: CheckoutExpiry
  }
  resendCheckoutCallback: {
    readonly params: 'checkoutId'
    readonly answer: CheckoutActionAnswer
  }
  createPaymentPage: {
    readonly body: PaymentPageRequest
    readonly answer: PaymentPageAnswer | PaymentPageCreated
  }
  findPayments: {
    readonly query: {
      /** only of this kind */
      readonly kind?: 'deposit' | 'payout' | 'refund' | 'remittance'
      /** only those in this state */
      readonly status?:
        | 'ACCEPTED'
        | 'ENQUEUED'
        | 'PROCESSING'
        | 'IN_RECONCILIATION'
        | 'COMPLETED'
        | 'FAILED'
      /** your own reference */
      readonly clientReferenceId?: string
      /** a phone number as digits with the country code: no plus sign, no spaces */
      readonly phoneNumber?: string
      /** the provider's own identifier */
      readonly providerTransactionId?: string
      /** a value of the metadata, under whatever name */
      readonly metadata?: string
      /** accepted at this time or later */
      readonly from?: string
      /** accepted before this time */
      readonly to?: string
      /** `next` of the page before */
      readonly after?: string
      /** 1 to 100; 20 by default */
      readonly limit?: string
    }
    readonly answer: FoundPayments
  }
  explainPayment: {
    readonly params: 'paymentId'
    readonly answer: PaymentStories
  }
  listCallbacks: {
    readonly query: {
      /** only of this payment */
      readonly paymentId?: string
      /** only of this kind */
      readonly kind?:
        | 'deposit'
        | 'payout'
        | 'refund'
        | 'remittance'
        | 'splitPayment'
        | 'checkout'
        | 'statement'
      /** only these */
      readonly delivery?: 'PENDING' | 'DELIVERED' | 'GIVEN_UP' | 'PAUSED' | 'NO_ADDRESS'
      /** accepted at this time or later */
      readonly from?: string
      /** accepted before this time */
      readonly to?: string
      /** `next` of the page before */
      readonly after?: string
      /** 1 to 100; 20 by default */
      readonly limit?: string
    }
    readonly answer: CallbackList
  }
  getWalletBalances: {
    readonly query: {
      /** a country as three capital letters (ISO 3166-1 alpha-3) */
      readonly country?: string
    }
    readonly answer: WalletBalances
  }
  requestStatement: {
    readonly body: StatementRequest
    readonly answer: StatementAnswer
  }
  getStatement: {
    readonly params: 'statementId'
    readonly answer: StatementStatus
  }
  getActiveConfiguration: {
    readonly query: {
      /** a country as three capital letters (ISO 3166-1 alpha-3) */
      readonly country?: string
      /** only this operation; nothing is listed for NAME_LOOKUP, USSD_DEPOSIT, PUSH_DEPOSIT */
      readonly operationType?:
        | 'DEPOSIT'
        | 'PAYOUT'
        | 'REFUND'
        | 'REMITTANCE'
        | 'NAME_LOOKUP'
        | 'USSD_DEPOSIT'
        | 'PUSH_DEPOSIT'
    }
    readonly answer: ActiveConfiguration
  }
  getAvailability: {
    readonly query: {
      /** a country as three capital letters (ISO 3166-1 alpha-3) */
      readonly country?: string
      /** only this operation; nothing is listed for NAME_LOOKUP, USSD_DEPOSIT, PUSH_DEPOSIT */
      readonly operationType?:
        | 'DEPOSIT'
        | 'PAYOUT'
        | 'REFUND'
        | 'REMITTANCE'
        | 'NAME_LOOKUP'
        | 'USSD_DEPOSIT'
        | 'PUSH_DEPOSIT'
    }
    readonly answer: ProviderAvailability
  }
  predictProvider: {
    readonly body: PredictionRequest
    readonly answer: ProviderPrediction
  }
  getPublicKeys: {
    readonly answer: PublicKeys
  }
  readCallbackFeed: {
    readonly query: {
      /** the cursor of the last answer */
      readonly after?: string
      /** 0 to 25 seconds; 0 by default */
      readonly wait?: string
      /** where you hand them on to, on this machine; signatures are for it alone */
      readonly address: string
    }
    readonly answer: CallbackFeed
  }
}

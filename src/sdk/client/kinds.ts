/** The kinds of payments, as methods. */
import type { DepositRequest } from './api/deposits.ts'
import type { PayoutRequest } from './api/payouts.ts'
import type { RefundRequest } from './api/refunds.ts'
import type { RemittanceRequest } from './api/remittances.ts'
import type { SplitPaymentRequest } from './api/split-payments.ts'
import type { Call, CallOptions } from './caller.ts'
import { found, outcome, outcomes } from './outcome.ts'
import { type WaitOptions, waitForFinal } from './wait.ts'

/** The states that a payment keeps. */
export const FINAL = ['COMPLETED', 'FAILED'] as const
export const FINAL_SPLIT = ['COMPLETED', 'PAYOUT_FAILED', 'FAILED'] as const

export function depositMethods(call: Call) {
  const get = async (depositId: string, options?: CallOptions) =>
    found(await call('getDeposit', { params: { depositId } }, options))
  return {
    initiate: async (request: DepositRequest, options?: CallOptions) =>
      outcome(await call('initiateDeposit', { body: request }, options)),
    get,
    waitForFinal: (depositId: string, options?: WaitOptions) =>
      waitForFinal(depositId, (one) => get(depositId, one), FINAL, options),
    resendCallback: async (depositId: string, options?: CallOptions) =>
      outcome(await call('resendDepositCallback', { params: { depositId } }, options)),
  }
}

export function payoutMethods(call: Call) {
  const get = async (payoutId: string, options?: CallOptions) =>
    found(await call('getPayout', { params: { payoutId } }, options))
  return {
    initiate: async (request: PayoutRequest, options?: CallOptions) =>
      outcome(await call('initiatePayout', { body: request }, options)),
    initiateBulk: async (requests: readonly PayoutRequest[], options?: CallOptions) =>
      outcomes(
        requests,
        'payoutId',
        await call('initiateBulkPayouts', { body: requests }, options),
      ),
    get,
    waitForFinal: (payoutId: string, options?: WaitOptions) =>
      waitForFinal(payoutId, (one) => get(payoutId, one), FINAL, options),
    resendCallback: async (payoutId: string, options?: CallOptions) =>
      outcome(await call('resendPayoutCallback', { params: { payoutId } }, options)),
    cancelEnqueued: async (payoutId: string, options?: CallOptions) =>
      outcome(await call('cancelEnqueuedPayout', { params: { payoutId } }, options)),
  }
}

export function refundMethods(call: Call) {
  const get = async (refundId: string, options?: CallOptions) =>
    found(await call('getRefund', { params: { refundId } }, options))
  return {
    initiate: async (request: RefundRequest, options?: CallOptions) =>
      outcome(await call('initiateRefund', { body: request }, options)),
    get,
    waitForFinal: (refundId: string, options?: WaitOptions) =>
      waitForFinal(refundId, (one) => get(refundId, one), FINAL, options),
    resendCallback: async (refundId: string, options?: CallOptions) =>
      outcome(await call('resendRefundCallback', { params: { refundId } }, options)),
    cancelEnqueued: async (refundId: string, options?: CallOptions) =>
      outcome(await call('cancelEnqueuedRefund', { params: { refundId } }, options)),
  }
}

export function remittanceMethods(call: Call) {
  const get = async (remittanceId: string, options?: CallOptions) =>
    found(await call('getRemittance', { params: { remittanceId } }, options))
  return {
    initiate: async (request: RemittanceRequest, options?: CallOptions) =>
      outcome(await call('initiateRemittance', { body: request }, options)),
    initiateBulk: async (requests: readonly RemittanceRequest[], options?: CallOptions) =>
      outcomes(
        requests,
        'remittanceId',
        await call('initiateBulkRemittances', { body: requests }, options),
      ),
    get,
    waitForFinal: (remittanceId: string, options?: WaitOptions) =>
      waitForFinal(remittanceId, (one) => get(remittanceId, one), FINAL, options),
    resendCallback: async (remittanceId: string, options?: CallOptions) =>
      outcome(await call('resendRemittanceCallback', { params: { remittanceId } }, options)),
    cancelEnqueued: async (remittanceId: string, options?: CallOptions) =>
      outcome(await call('cancelEnqueuedRemittance', { params: { remittanceId } }, options)),
  }
}

export function splitPaymentMethods(call: Call) {
  const get = async (splitPaymentId: string, options?: CallOptions) =>
    found(await call('getSplitPayment', { params: { splitPaymentId } }, options))
  return {
    initiate: async (request: SplitPaymentRequest, options?: CallOptions) =>
      outcome(await call('initiateSplitPayment', { body: request }, options)),
    get,
    waitForFinal: (splitPaymentId: string, options?: WaitOptions) =>
      waitForFinal(splitPaymentId, (one) => get(splitPaymentId, one), FINAL_SPLIT, options),
    resendCallback: async (splitPaymentId: string, options?: CallOptions) =>
      outcome(await call('resendSplitPaymentCallback', { params: { splitPaymentId } }, options)),
  }
}

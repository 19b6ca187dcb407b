import { RECORD_EXAMPLES } from './examples.ts'

/** What the answers about split payments look like. */
const splitPaymentId = 'b2f6b0f0-8a3a-4d0a-9a77-0b6f3f1c2d4e'
const created = '2026-11-15T10:14:00Z'
const { depositId: _, status: __, ...deposit } = RECORD_EXAMPLES.COMPLETED

const record = {
  splitPaymentId,
  depositId: splitPaymentId,
  status: 'COMPLETED',
  ...deposit,
  amount: '100',
  splits: [
    {
      payoutId: '0c9a1c52-6b1e-4f5e-8c39-5d1a2b3c4d5e',
      status: 'COMPLETED',
      amount: '80',
      recipient: {
        type: 'MMO',
        accountDetails: { phoneNumber: '260973456789', provider: 'AIRTEL_OAPI_ZMB' },
      },
    },
  ],
}

export const SPLIT_RECORD_EXAMPLES = { COMPLETED: record }

export const SPLIT_EXAMPLES = {
  initiation: {
    ACCEPTED: { splitPaymentId, status: 'ACCEPTED', created },
    DUPLICATE_IGNORED: { splitPaymentId, status: 'DUPLICATE_IGNORED', created },
    REJECTED: {
      splitPaymentId,
      status: 'REJECTED',
      failureReason: {
        failureCode: 'PAYOUT_EXCEEDS_DEPOSIT',
        failureMessage: "The payouts add up to '120.00', which is more than the deposit of '100'.",
      },
    },
  },
  status: { FOUND: { status: 'FOUND', data: record }, NOT_FOUND: { status: 'NOT_FOUND' } },
  resend: {
    ACCEPTED: { splitPaymentId, status: 'ACCEPTED' },
    REJECTED: {
      splitPaymentId,
      status: 'REJECTED',
      failureReason: {
        failureCode: 'INVALID_STATE',
        failureMessage:
          `The split payment '${splitPaymentId}' has not finished processing: it is PROCESSING. ` +
          'Its callback is sent when it is COMPLETED, PAYOUT_FAILED or FAILED.',
      },
    },
  },
}

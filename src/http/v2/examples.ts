/** What the answers look like, one for each outcome; the reference shows them. */
const depositId = 'f4401bd2-1568-4140-bf2d-eb77d2b2b639'
const created = '2026-11-15T10:14:00Z'

const record = {
  depositId,
  status: 'COMPLETED',
  amount: '15',
  currency: 'ZMW',
  country: 'ZMB',
  payer: {
    type: 'MMO',
    accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' },
  },
  customerMessage: 'Order 12345',
  clientReferenceId: 'INV-123456',
  created,
  providerTransactionId: 'SBXDD0E0B6979C2AA06',
  metadata: { orderId: 'ORD-123456789' },
}

const { providerTransactionId: _, ...withoutTransaction } = record

/** The customer approves on a page of the provider. */
const redirecting = {
  ...withoutTransaction,
  status: 'PROCESSING',
  amount: '1000',
  currency: 'XOF',
  country: 'SEN',
  payer: { type: 'MMO', accountDetails: { phoneNumber: '221773456789', provider: 'WAVE_SEN' } },
  nextStep: 'REDIRECT_TO_AUTH_URL',
  authorizationUrl: 'https://wallet.example/pay/6f1c0a',
  successfulUrl: 'https://shop.example/paid',
  failedUrl: 'https://shop.example/not-paid',
}

export const RECORD_EXAMPLES = {
  COMPLETED: record,
  FAILED: {
    ...withoutTransaction,
    status: 'FAILED',
    failureReason: {
      failureCode: 'INSUFFICIENT_BALANCE',
      failureMessage: 'The customer does not have enough money in the wallet.',
    },
  },
  'PROCESSING, with the address to visit': redirecting,
}

export const INITIATION_EXAMPLES = {
  ACCEPTED: { depositId, status: 'ACCEPTED', nextStep: 'FINAL_STATUS', created },
  'ACCEPTED, by redirection': {
    depositId,
    status: 'ACCEPTED',
    nextStep: 'GET_AUTH_URL',
    created,
  },
  DUPLICATE_IGNORED: { depositId, status: 'DUPLICATE_IGNORED', created },
  REJECTED: {
    depositId,
    status: 'REJECTED',
    failureReason: {
      failureCode: 'AMOUNT_OUT_OF_BOUNDS',
      failureMessage:
        "The amount must be more than '1' and less than '20000', both included, for the " +
        "provider 'MTN_MOMO_ZMB'.",
    },
  },
}

export const STATUS_EXAMPLES = {
  FOUND: { status: 'FOUND', data: record },
  'FOUND, with the address to visit': { status: 'FOUND', data: redirecting },
  NOT_FOUND: { status: 'NOT_FOUND' },
}

export const RESEND_EXAMPLES = {
  ACCEPTED: { depositId, status: 'ACCEPTED' },
  REJECTED: {
    depositId,
    status: 'REJECTED',
    failureReason: {
      failureCode: 'INVALID_STATE',
      failureMessage:
        `The deposit '${depositId}' has not finished processing: it is PROCESSING. ` +
        'Its callback is sent when it is COMPLETED or FAILED.',
    },
  },
}

export const BALANCE_EXAMPLES = {
  'One country': {
    balances: [{ country: 'ZMB', balance: '1000015.00', currency: 'ZMW', provider: '' }],
  },
}

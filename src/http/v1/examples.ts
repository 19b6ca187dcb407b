/** What the answers of the earlier generation look like, one for each outcome. */
export const EXAMPLE_ID = 'f4401bd2-1568-4140-bf2d-eb77d2b2b639'
const id = EXAMPLE_ID
const created = '2026-11-15T10:14:00Z'
const ended = '2026-11-15T10:14:21Z'

type Named = Readonly<Record<string, object>>

/** To the start of a payment; `rejectionReason` where the current generation has failureReason. */
function initiationExamples(
  idField: string,
  rejectionCode: string,
  rejectionMessage: string,
): Named {
  return {
    ACCEPTED: { [idField]: id, status: 'ACCEPTED', created },
    DUPLICATE_IGNORED: { [idField]: id, status: 'DUPLICATE_IGNORED', created },
    REJECTED: {
      [idField]: id,
      status: 'REJECTED',
      rejectionReason: { rejectionCode, rejectionMessage },
    },
  }
}

export const DEPOSIT_EXAMPLES = initiationExamples(
  'depositId',
  'AMOUNT_TOO_LARGE',
  "The amount must be more than '1' and less than '20000', both included, for the " +
    "correspondent 'MTN_MOMO_ZMB'.",
)

export const PAYOUT_EXAMPLES: Named = {
  ...initiationExamples(
    'payoutId',
    'BALANCE_INSUFFICIENT',
    'Your wallet did not hold enough money for this payment. Top it up and send a new payment.',
  ),
  ENQUEUED: { payoutId: id, status: 'ENQUEUED', created },
}

export const REFUND_EXAMPLES = initiationExamples(
  'refundId',
  'DEPOSIT_NOT_FOUND',
  `No deposit with the id '${id}' was found.`,
)

const account = { type: 'MSISDN', address: { value: '260763456789' } }

const record = {
  currency: 'ZMW',
  country: 'ZMB',
  correspondent: 'MTN_MOMO_ZMB',
  customerTimestamp: created,
  statementDescription: 'Order 12345',
  created,
  correspondentIds: { MTN_INIT: '0c9a1c526b1e4f5e', MTN_FINAL: 'SBXDD0E0B6979C2AA06' },
  metadata: { orderId: 'ORD-123456789' },
}

const inList = (one: object): Named => ({ COMPLETED: [one], 'no such payment': [] })

export const DEPOSIT_STATUS_EXAMPLES = inList({
  depositId: id,
  status: 'COMPLETED',
  requestedAmount: '15',
  depositedAmount: '15',
  payer: account,
  ...record,
  respondedByPayer: ended,
})

/** Payouts and refunds have the same record but for the name of the identifier. */
export const paidOutStatusExamples = (idField: string): Named =>
  inList({
    [idField]: id,
    status: 'COMPLETED',
    amount: '15',
    recipient: account,
    ...record,
    receivedByRecipient: ended,
  })

/** To a resend or a cancellation, which say in a plain sentence why not. */
export const actionExamples = (idField: string, rejectionReason: string): Named => ({
  ACCEPTED: { [idField]: id, status: 'ACCEPTED' },
  REJECTED: { [idField]: id, status: 'REJECTED', rejectionReason },
})

/** To a page that was not made; one that was is answered with HTTP 201. */
export const WIDGET_EXAMPLES: Named = {
  DUPLICATE_IGNORED: { depositId: id, status: 'DUPLICATE_IGNORED' },
  REJECTED: {
    depositId: id,
    status: 'REJECTED',
    rejectionReason: {
      rejectionCode: 'INVALID_COUNTRY',
      rejectionMessage:
        "This account takes no deposits in 'FRA'. Use a country that the active configuration " +
        'lists.',
    },
  },
}

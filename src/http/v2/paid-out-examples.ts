import { RECORD_EXAMPLES } from './examples.ts'

/** What the answers about payouts, refunds and remittances look like. */
const id = '9f3c1d7e-4b5a-4c6d-8e7f-1a2b3c4d5e6f'
const created = '2026-11-15T10:14:00Z'
const { depositId, payer, ...withReference } = RECORD_EXAMPLES.COMPLETED
const { clientReferenceId: _, ...shared } = withReference

type Examples = Readonly<Record<string, object>>

/** The examples of one kind, under the name that its identifier has. */
export function paidOutExamples(kind: string, idField: string, extra: object = {}) {
  const named = { [idField]: id }
  const record = {
    ...named,
    ...(kind === 'refund' ? { depositId } : {}),
    ...(kind === 'remittance' ? shared : withReference),
    recipient: payer,
    ...extra,
  }
  const rejected = (failureCode: string, failureMessage: string): object => ({
    ...named,
    status: 'REJECTED',
    failureReason: { failureCode, failureMessage },
  })
  const failureReason = {
    failureCode: 'RECIPIENT_NOT_FOUND',
    failureMessage: 'The phone number is not a wallet of this provider.',
  }
  const { providerTransactionId: _id, ...unpaid } = record
  const initiation: Examples = {
    ACCEPTED: { ...named, status: 'ACCEPTED', created },
    DUPLICATE_IGNORED: { ...named, status: 'DUPLICATE_IGNORED', created },
    REJECTED:
      kind === 'refund'
        ? rejected(
            'REFUND_IN_PROGRESS',
            `The deposit '${depositId}' has another refund under way. Wait until that one is ` +
              'COMPLETED or FAILED, then try again.',
          )
        : rejected(
            'INVALID_AMOUNT',
            "The amount '15.505' has too many decimals: the provider 'MTN_MOMO_ZMB' takes at " +
              'most 2 decimal places.',
          ),
  }
  return {
    initiation,
    records: { COMPLETED: record, FAILED: { ...unpaid, status: 'FAILED', failureReason } },
    status: { FOUND: { status: 'FOUND', data: record }, NOT_FOUND: { status: 'NOT_FOUND' } },
    resend: {
      ACCEPTED: { ...named, status: 'ACCEPTED' },
      REJECTED: rejected(
        'INVALID_STATE',
        `The ${kind} '${id}' has not finished processing: it is PROCESSING. ` +
          'Its callback is sent when it is COMPLETED or FAILED.',
      ),
    },
    cancel: {
      ACCEPTED: { ...named, status: 'ACCEPTED' },
      REJECTED: rejected(
        'INVALID_STATE',
        `The ${kind} '${id}' is not enqueued: it is PROCESSING. ` +
          'Only a payment that is ENQUEUED can be cancelled.',
      ),
    },
  }
}

export const remittanceExamples = paidOutExamples('remittance', 'remittanceId', {
  recipient: { ...payer, recipientDetails: { firstName: 'Chanda', lastName: 'Mwale' } },
  sender: {
    transactionDetails: {
      transactionReference: 'TX-2026-0001',
      originalAmount: '100',
      originalCurrency: 'GBP',
      buyFxRate: '28.1534',
      senderFees: '1.50',
      purposeOfFunds: 'FAMILY_SUPPORT',
      sourceOfFunds: 'SALARY',
    },
    senderDetails: {
      firstName: 'Amina',
      lastName: 'Banda',
      nationality: 'ZMB',
      phoneNumber: '442079460018',
      address: {
        addressLine: '12 Market Street',
        postalCode: 'EC1A 1BB',
        city: 'London',
        country: 'GBR',
      },
      identification: { type: 'PASSPORT', number: 'P1234567' },
    },
  },
})

/** Mixed outcomes, each in its place. */
export function bulkExamples(initiation: Examples): Examples {
  return { 'Mixed outcomes': [initiation.ACCEPTED, initiation.REJECTED] }
}

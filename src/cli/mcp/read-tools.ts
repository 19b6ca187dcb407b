import { CALLBACK_STATUSES } from '../../domain/callbacks/callback.ts'
import { SUBJECT_WORDS } from '../../domain/callbacks/callback-subject.ts'
import { PAYMENT_KINDS, PAYMENT_STATES } from '../../domain/payments/payment-state.ts'
import { CountryCode, PhoneNumber } from '../../wire/formats.ts'
import { Type } from '../../wire/schema.ts'
import { type Given, oneOf, shownTo, type Tool } from './tool.ts'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

const PAGE = {
  from: text('accepted at this time or later, such as 2026-01-31T14:00:00Z'),
  to: text('accepted before this time'),
  after: text('"next" of the page before'),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'how many; 20 by default' }),
  ),
}

const PaymentId = Type.String({ minLength: 36, maxLength: 36, description: 'a UUID' })

/** What changes nothing. `isPersonal`: phone numbers and metadata are shown as the API has them. */
export function readTools(isPersonal: boolean): readonly Tool[] {
  const shown = shownTo(isPersonal)
  return [
    {
      name: 'find_payments',
      title: 'Find payments',
      description:
        'Payments that fit all that is given, newest first, with their status and why they ' +
        `failed. Values are compared as a whole.${isPersonal ? '' : MASKED}`,
      takes: Type.Object(
        {
          kind: Type.Optional(oneOf(PAYMENT_KINDS)),
          status: Type.Optional(oneOf(PAYMENT_STATES.filter((one) => one !== 'WAITING'))),
          clientReferenceId: text("the merchant's own reference, such as an invoice number"),
          phoneNumber: Type.Optional(PhoneNumber),
          providerTransactionId: text("the mobile-money provider's identifier"),
          metadata: text('a value of the metadata, such as an order number'),
          ...PAGE,
        },
        { additionalProperties: false },
      ),
      run: async (service, given) => shown(await service.get(`/payments${queryOf(given)}`)),
    },
    {
      name: 'explain_payment',
      title: 'Explain a payment',
      description:
        'What happened to one payment, in order: states, answers of the operator, movements of ' +
        `money, attempts to call the merchant back.${isPersonal ? '' : MASKED}`,
      takes: Type.Object({ paymentId: PaymentId }, { additionalProperties: false }),
      run: async (service, { paymentId = '' }) =>
        shown(await service.get(`/payments/${encodeURIComponent(paymentId)}`)),
    },
    {
      name: 'read_balances',
      title: 'Read balances',
      description: 'The money in the wallets of the merchant, or in those of one country.',
      takes: Type.Object({ country: Type.Optional(CountryCode) }, { additionalProperties: false }),
      run: async (service, given) =>
        (await service.get(`/v2/wallet-balances${queryOf(given)}`)) as object,
    },
    {
      name: 'list_callbacks',
      title: 'List callbacks',
      description:
        'Which callbacks reached the server of the merchant and which did not, newest payment ' +
        'first; with a paymentId those of one payment, with every attempt.',
      takes: Type.Object(
        {
          paymentId: Type.Optional(PaymentId),
          kind: Type.Optional(oneOf(Object.keys(SUBJECT_WORDS))),
          delivery: Type.Optional(oneOf(CALLBACK_STATUSES)),
          ...PAGE,
        },
        { additionalProperties: false },
      ),
      run: async (service, given) => shown(await service.get(`/callbacks${queryOf(given)}`)),
    },
  ]
}

const MASKED =
  ' Phone numbers lose their middle, also as a clientReferenceId, and values of metadata are hidden.'

function queryOf(given: Given): string {
  const query = new URLSearchParams(given).toString()
  return query === '' ? '' : `?${query}`
}

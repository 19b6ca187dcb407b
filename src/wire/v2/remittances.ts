import { isCountry } from '../../domain/country.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { bulkOf } from '../bulk.ts'
import { invalid } from '../fault.ts'
import {
  AmountText,
  CountryCode,
  CurrencyCode,
  CustomerMessage,
  PhoneNumber,
  ProviderCode,
  UuidV4,
} from '../formats.ts'
import type { IdentifierRule } from '../identifiers.ts'
import { createReader } from '../reader.ts'
import { type Static, Type } from '../schema.ts'
import { MetadataRequest } from './metadata.ts'
import {
  actionAnswer,
  commonDetails,
  fromAccount,
  initiationAnswer,
  PaidOutState,
  type PaymentRequest,
  RECORD_TAIL,
  statusAnswer,
  withTail,
} from './payment-parts.ts'
import { fromParties, RecipientDetails, Sender } from './remittance-parties.ts'

/** Remittances in the current generation: requests in, answers and records out. */
const Recipient = Type.Object(
  {
    type: Type.Literal('MMO', { description: 'a mobile-money wallet' }),
    accountDetails: Type.Object(
      { phoneNumber: PhoneNumber, provider: ProviderCode },
      { additionalProperties: false },
    ),
    recipientDetails: RecipientDetails,
  },
  { additionalProperties: false, description: 'the wallet the money goes to, and whose it is' },
)

export const RemittanceRequest = Type.Object(
  {
    remittanceId: UuidV4,
    amount: AmountText,
    currency: CurrencyCode,
    recipient: Recipient,
    sender: Sender,
    customerMessage: Type.Optional(CustomerMessage),
    metadata: Type.Optional(MetadataRequest),
  },
  { $id: 'RemittanceRequest', additionalProperties: false },
)

export const RemittanceAnswer = initiationAnswer('remittanceId', 'RemittanceAnswer')
export const RemittanceActionAnswer = actionAnswer('remittanceId', 'RemittanceActionAnswer')

const { clientReferenceId: _, ...TAIL } = RECORD_TAIL

export const RemittanceRecord = Type.Object(
  {
    remittanceId: Type.String({ description: 'as sent' }),
    status: PaidOutState,
    amount: Type.String({ description: 'exactly as requested', examples: ['15'] }),
    currency: CurrencyCode,
    country: CountryCode,
    recipient: Recipient,
    sender: Sender,
    ...TAIL,
  },
  { $id: 'RemittanceRecord' },
)
export const RemittanceStatus = statusAnswer(RemittanceRecord, 'remittance', 'RemittanceStatus')

const readBody = createReader(RemittanceRequest)

export function readRemittanceRequest(
  body: unknown,
  ids: IdentifierRule,
  now: number,
): PaymentRequest {
  const request = readBody(body, ids)
  const { recipient, sender } = request
  checkTransaction(sender.transactionDetails)
  checkSender(sender.senderDetails, now)
  return {
    idAsSent: request.remittanceId,
    amount: request.amount,
    currency: request.currency,
    ...recipient.accountDetails,
    details: {
      ...commonDetails(request),
      sender,
      recipientDetails: recipient.recipientDetails,
    },
  }
}

function checkTransaction(sent: Static<typeof Sender>['transactionDetails']): void {
  const { originalCurrency } = sent
  if (!CURRENCIES.has(originalCurrency)) {
    throw invalid('originalCurrency', `'${originalCurrency}' is not a currency (ISO 4217)`)
  }
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** What a schema cannot say: that a country exists, and that a day has been. */
function checkSender(sender: Static<typeof Sender>['senderDetails'], now: number): void {
  const { nationality, address, dateOfBirth, placeOfBirth } = sender
  if (!isCountry(nationality)) throw notACountry('nationality', nationality)
  if (!isCountry(address.country)) throw notACountry('country', address.country)
  if (placeOfBirth !== undefined && !isCountry(placeOfBirth)) {
    throw notACountry('placeOfBirth', placeOfBirth)
  }
  if (dateOfBirth === undefined) return
  if (!isDay(dateOfBirth)) throw invalid('dateOfBirth', `'${dateOfBirth}' is not in the calendar`)
  if (dateOfBirth > latestDay(now)) {
    throw invalid('dateOfBirth', `'${dateOfBirth}' is in the future`)
  }
}

const notACountry = (name: string, code: string) =>
  invalid(name, `'${code}' is not the alpha-3 code of a country (ISO 3166-1)`)

/** The calendar has no year 0, though a computer's has. */
function isDay(text: string): boolean {
  if (text.startsWith('0000')) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const EARLIEST_ZONE_MS = 14 * 3_600_000

/** The date where the day begins first. */
const latestDay = (now: number): string =>
  new Date(now + EARLIEST_ZONE_MS).toISOString().slice(0, 10)

export const BulkRemittances = bulkOf(
  RemittanceRequest,
  RemittanceAnswer,
  'remittances',
  readRemittanceRequest,
)

/** One function makes the record of the status check and the body of the callback. */
export function fromRemittance(remittance: Payment): Static<typeof RemittanceRecord> {
  const { sender, recipientDetails } = fromParties(remittance.details)
  const head = {
    remittanceId: remittance.idAsSent,
    status: remittance.state as Static<typeof PaidOutState>,
    amount: remittance.amount,
    currency: remittance.currency,
    country: remittance.country,
    recipient: { ...fromAccount(remittance), recipientDetails },
    sender,
  }
  return withTail(head, remittance)
}

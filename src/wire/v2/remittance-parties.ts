import { AmountText, CountryCode, CurrencyCode, PhoneNumber } from '../formats.ts'
import { isObjectSchema, type Static, type TSchema, Type } from '../schema.ts'

/** Who sends a remittance, what for, and who gets it: what the law of many countries asks for. */
const text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 64, pattern: '\\S', description, examples: [example] })

const PURPOSES_OF_FUNDS = [
  'FAMILY_SUPPORT',
  'MEDICAL_EXPENSES',
  'TUITION_FEES',
  'EDUCATION_SUPPORT',
  'GIFT_AND_OTHER_DONATIONS',
  'HOME_IMPROVEMENT',
  'DEBT_SETTLEMENT',
  'REAL_ESTATE',
  'TAXES',
  'SALARY',
  'SAVINGS',
  'PERSONAL_TRANSFER',
  'OTHER',
] as const

const SOURCES_OF_FUNDS = [
  'SALARY',
  'SAVINGS',
  'LOTTERY',
  'LOAN',
  'BUSINESS_INCOME',
  'GIFT',
  'OTHER',
] as const

const IDENTIFICATIONS = [
  'NATIONAL_ID',
  'PASSPORT',
  'DRIVING_LICENSE',
  'SOCIAL_SECURITY_ID',
  'RESIDENCE_PERMIT',
] as const

const GENDERS = ['MALE', 'FEMALE', 'OTHER'] as const

/** One is misspelt in programs that are in use, so both spellings are taken. */
const RELATIONSHIPS = [
  'FATHER',
  'MOTHER',
  'SON',
  'DAUGHTER',
  'BROTHER',
  'SISTER',
  'HUSBAND',
  'WIFE',
  'PARTNER',
  'FRIEND',
  'AUNT',
  'UNCLE',
  'COUSIN',
  'NEPHEW',
  'NIECE',
  'GRANDFATHER',
  'GRANDMOTHER',
  'GRANDSON',
  'GRANDDAUGHTER',
  'STEPCHILD',
  'DAUGHTER_IN_LAW',
  'SON_IN_LAW',
  'BROTHER_IN_LAW',
  'BORTHER_IN_LAW',
  'SISTER_IN_LAW',
  'MOTHER_IN_LAW',
  'GUARDIAN',
  'SELF',
] as const

const TransactionDetails = Type.Object(
  {
    transactionReference: text('the transaction in your own system', 'TX-2026-0001'),
    originalAmount: AmountText,
    originalCurrency: CurrencyCode,
    buyFxRate: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^(?![0.]+$)(0|[1-9][0-9]*)([.][0-9]+)?$',
      description: 'the rate of exchange: a decimal number above 0, in quotes, such as 28.1534',
      examples: ['28.1534'],
    }),
    senderFees: AmountText,
    purposeOfFunds: Type.Enum([...PURPOSES_OF_FUNDS]),
    sourceOfFunds: Type.Enum([...SOURCES_OF_FUNDS]),
  },
  { additionalProperties: false },
)

const SenderDetails = Type.Object(
  {
    firstName: text('first name of the sender', 'Amina'),
    lastName: text('last name of the sender', 'Banda'),
    nationality: CountryCode,
    phoneNumber: Type.String({
      ...PhoneNumber,
      pattern: '^[1-9][0-9]{0,31}$',
      description:
        'a phone number of any country, as digits with the country code: no plus sign, no spaces',
      examples: ['442079460018'],
    }),
    address: Type.Object(
      {
        addressLine: text('street and number', '12 Market Street'),
        postalCode: text('postal code', 'EC1A 1BB'),
        city: text('city', 'London'),
        country: CountryCode,
      },
      { additionalProperties: false },
    ),
    identification: Type.Object(
      { type: Type.Enum([...IDENTIFICATIONS]), number: text('number of the document', 'P1234567') },
      { additionalProperties: false },
    ),
    gender: Type.Optional(Type.Enum([...GENDERS])),
    dateOfBirth: Type.Optional(
      Type.String({
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
        description: 'a date that is not in the future, as year, month and day: YYYY-MM-DD',
        examples: ['1990-02-28'],
      }),
    ),
    placeOfBirth: Type.Optional(
      Type.String({
        ...CountryCode,
        description: 'the country of birth as three capital letters (ISO 3166-1 alpha-3)',
      }),
    ),
    occupation: Type.Optional(text('occupation of the sender', 'Nurse')),
    relationshipRecipient: Type.Optional(Type.Enum([...RELATIONSHIPS])),
  },
  { additionalProperties: false },
)

export const Sender = Type.Object(
  { transactionDetails: TransactionDetails, senderDetails: SenderDetails },
  { additionalProperties: false, description: 'who sends the money, and why' },
)

export const RecipientDetails = Type.Object(
  {
    firstName: text('first name of the recipient', 'Chanda'),
    lastName: text('last name of the recipient', 'Mwale'),
  },
  { additionalProperties: false },
)

/**
 * As they were sent, with the fields in the order of the description: the database keeps an object
 * but not the order of its fields, and a record must be the same text wherever it comes from.
 */
export function fromParties(parties: {
  readonly sender?: unknown
  readonly recipientDetails?: unknown
}) {
  return {
    sender: inOrder(Sender, parties.sender) as Static<typeof Sender>,
    recipientDetails: inOrder(RecipientDetails, parties.recipientDetails) as Static<
      typeof RecipientDetails
    >,
  }
}

function inOrder(schema: TSchema, value: unknown): unknown {
  if (!isObjectSchema(schema)) return value
  const given = Object(value) as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(schema.properties)
      .filter(([name]) => given[name] !== undefined)
      .map(([name, inner]) => [name, inOrder(inner, given[name])]),
  )
}

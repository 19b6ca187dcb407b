import {
  CHECKOUT_STATES,
  type Checkout,
  type CheckoutAmount,
  type CheckoutPayer,
  type CheckoutTerms,
  DEFAULT_RETURN_METHOD,
  EXPIRES_AFTER_MINUTES,
  LANGUAGES,
  RETURN_METHODS,
} from '../../domain/hosted/checkout.ts'
import { ifGiven, present } from '../../domain/present.ts'
import { invalid, unsupported } from '../fault.ts'
import {
  AmountText,
  CountryCode,
  CurrencyCode,
  PhoneNumber,
  ProviderCode,
  ReasonText,
  ReturnUrl,
  Timestamp,
  timestampText,
  UuidV4,
} from '../formats.ts'
import type { IdentifierRule } from '../identifiers.ts'
import { createReader } from '../reader.ts'
import { type Static, Type } from '../schema.ts'
import { DepositRecord, fromDeposit } from './deposits.ts'
import { fromMetadata, MetadataRecord, MetadataRequest } from './metadata.ts'
import {
  actionAnswer,
  ClientReference,
  commonDetails,
  initiationAnswer,
  statusAnswer,
} from './payment-parts.ts'

/** Checkouts: a link for a customer who may try several times and pays once. */
const { least, most, usual } = EXPIRES_AFTER_MINUTES

const Amount = Type.Object(
  { country: CountryCode, currency: CurrencyCode, amount: AmountText },
  { additionalProperties: false },
)

const Payer = Type.Object(
  {
    type: Type.Literal('MMO', { description: 'a mobile-money wallet' }),
    accountDetails: Type.Object(
      {
        phoneNumber: Type.Optional(PhoneNumber),
        provider: Type.Optional(ProviderCode),
        allowCustomerToOverride: Type.Boolean({
          description: 'true: a suggestion; false: the customer cannot change what you gave',
          examples: [true],
        }),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'the wallet that pays, as far as you know it' },
)

const Reason = Type.Object(
  { en: Type.Optional(ReasonText), fr: Type.Optional(ReasonText) },
  {
    additionalProperties: ReasonText,
    description:
      'what is paid for, by language; the customer sees it on the page and may see it on the receipt',
    examples: [{ en: 'Order 12345', fr: 'Commande 12345' }],
  },
)

const asked = {
  returnUrl: ReturnUrl,
  returnMethod: Type.Optional(
    Type.Enum([...RETURN_METHODS], {
      description:
        'how the customer returns once the checkout is final: at once (default), after a short ' +
        'countdown, or by a button. After a failed attempt that can be repeated the customer ' +
        'stays, and has a link back',
    }),
  ),
  defaultLanguage: Type.Optional(
    Type.Enum([...LANGUAGES], { description: 'of the page; the customer can choose another' }),
  ),
  countries: Type.Optional(
    Type.Array(CountryCode, {
      maxItems: 250,
      description: 'where the wallet may be; every country of the account by default',
      examples: [['ZMB']],
    }),
  ),
  expiresAfter: Type.Optional(
    Type.Integer({
      minimum: least,
      maximum: most,
      description: `minutes until no new attempt can be started; ${usual} by default`,
      examples: [usual],
    }),
  ),
  amounts: Type.Optional(
    Type.Array(Amount, {
      maxItems: 250,
      description: 'what is to be paid, for each country; without it the customer says how much',
    }),
  ),
  payer: Type.Optional(Payer),
  clientReferenceId: Type.Optional(ClientReference),
  reason: Type.Optional(Reason),
}

export const CheckoutRequest = Type.Object(
  {
    checkoutId: Type.String({
      ...UuidV4,
      examples: ['2d3f7a10-94a5-4f5d-8f0c-6a1a0f5b7c11'],
    }),
    ...asked,
    metadata: Type.Optional(MetadataRequest),
  },
  { $id: 'CheckoutRequest', additionalProperties: false },
)

const link = {
  redirectUrl: Type.String({
    description: 'where to send the customer',
    examples: ['https://pay.example/checkout/7mVk1x8UbTamQ64xGRpQ2c'],
  }),
  checkoutCode: Type.String({
    description: 'the last part of the link; the customer comes back with it',
    examples: ['7mVk1x8UbTamQ64xGRpQ2c'],
  }),
  expiresAt: Timestamp,
}

export const CheckoutAnswer = Type.Object(
  {
    ...initiationAnswer('checkoutId', 'CheckoutAnswer').properties,
    redirectUrl: Type.Optional(link.redirectUrl),
    expiresAt: Type.Optional(link.expiresAt),
    checkoutCode: Type.Optional(link.checkoutCode),
  },
  { $id: 'CheckoutAnswer' },
)

export const CheckoutActionAnswer = actionAnswer('checkoutId', 'CheckoutActionAnswer')

const State = Type.Enum([...CHECKOUT_STATES], {
  description:
    'WAITING_PAYMENT: an attempt can be started; PROCESSING: one is under way; the others are ' +
    'final. FAILED: every attempt that is allowed failed; CANCELLED: by the customer',
})

export const CheckoutRecord = Type.Object(
  {
    checkoutId: Type.String({ description: 'as sent' }),
    status: State,
    ...link,
    created: Timestamp,
    ...asked,
    returnMethod: Type.Enum([...RETURN_METHODS], { description: 'INSTANT by default' }),
    countries: Type.Array(CountryCode, {
      description: 'as requested; empty for every country of the account',
      examples: [['ZMB']],
    }),
    reason: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'as sent' })),
    depositStatus: Type.Optional(
      Type.String({ description: 'the status of the latest attempt', examples: ['COMPLETED'] }),
    ),
    deposit: Type.Optional(DepositRecord),
    depositsHistory: Type.Array(DepositRecord, { description: 'every attempt, oldest first' }),
    providerTransactionId: Type.Optional(
      Type.String({ description: 'of the attempt that completed' }),
    ),
    metadata: Type.Optional(MetadataRecord),
  },
  { $id: 'CheckoutRecord' },
)

export const CheckoutStatus = statusAnswer(CheckoutRecord, 'checkout', 'CheckoutStatus')

export const CheckoutExpiry = Type.Object(
  {
    checkoutId: Type.String({ description: 'as sent when it was created' }),
    status: State,
    expiredAt: Type.Optional(Timestamp),
    reason: Type.Optional(Type.Literal('MANUAL_EXPIRY')),
    expiredBy: Type.Optional(Type.Literal('API')),
  },
  { $id: 'CheckoutExpiry' },
)

const readBody = createReader(CheckoutRequest)

type ReadCheckout = {
  readonly idAsSent: string
  readonly expiresAfterMinutes?: number
  readonly terms: CheckoutTerms
}

export function readCheckoutRequest(body: unknown, ids: IdentifierRule): ReadCheckout {
  const { checkoutId, expiresAfter, countries, amounts, payer, reason, ...rest } = readBody(
    body,
    ids,
  )
  const { returnUrl, returnMethod, defaultLanguage } = rest
  const { clientReferenceId, metadata } = commonDetails(rest)
  const places = placesOf(countries, amounts)
  return {
    idAsSent: checkoutId,
    ...present({ expiresAfterMinutes: expiresAfter }),
    terms: {
      returnUrl,
      ...present({ returnMethod, defaultLanguage }),
      ...places,
      ...present({ payer: payer?.accountDetails, clientReferenceId }),
      ...ifGiven(reason, reasonIn),
      ...present({ metadata }),
    },
  }
}

/** An empty list says as much as none. Each country has its amount, or none has. */
function placesOf(
  countries: readonly string[] = [],
  amounts: readonly CheckoutAmount[] = [],
): Pick<CheckoutTerms, 'countries' | 'amounts'> {
  const seen = new Set<string>()
  for (const { country, currency } of amounts) {
    const name = `'${currency}' in '${country}'`
    if (seen.has(name)) throw invalid('amounts', `it holds ${name} more than once`)
    seen.add(name)
    if (countries.length > 0 && !countries.includes(country)) {
      throw invalid('amounts', `'${country}' is not one of the 'countries'`)
    }
  }
  const bare = countries.find((one) => !amounts.some(({ country }) => country === one))
  if (amounts.length > 0 && bare !== undefined) {
    throw invalid('amounts', `it holds nothing for '${bare}', which is one of the 'countries'`)
  }
  return {
    ...(countries.length === 0 ? {} : { countries: [...new Set(countries)] }),
    ...(amounts.length === 0 ? {} : { amounts }),
  }
}

function reasonIn(reason: Readonly<Record<string, string>>): Pick<CheckoutTerms, 'reason'> {
  const stranger = Object.keys(reason).find((name) => !/^[a-z]{2}$/.test(name))
  if (stranger !== undefined) throw unsupported(stranger)
  return Object.keys(reason).length === 0 ? {} : { reason }
}

/** The link of a checkout; it is not part of what is stored. */
export type CheckoutLink = { readonly code: string; readonly redirectUrl: string }

/** One function makes the record of the status check and the body of the callback. */
export function fromCheckout(
  checkout: Checkout,
  { code, redirectUrl }: CheckoutLink,
): Static<typeof CheckoutRecord> {
  const { terms, attempts } = checkout
  const { payer, metadata: entries, amounts, countries = [], source: _, ...asGiven } = terms
  const metadata = fromMetadata(entries)
  const latest = attempts.at(-1)
  const paid = attempts.find(({ state }) => state === 'COMPLETED')?.providerTransactionId
  return {
    checkoutId: checkout.idAsSent,
    status: checkout.state,
    redirectUrl,
    checkoutCode: code,
    created: timestampText(checkout.createdAt),
    expiresAt: timestampText(checkout.expiresAt),
    expiresAfter: checkout.expiresAfterMinutes,
    returnMethod: DEFAULT_RETURN_METHOD,
    ...asGiven,
    countries: [...countries],
    ...present({
      amounts: amounts && [...amounts],
      payer: ifGiven(payer, fromPayer),
      depositStatus: latest?.state,
      deposit: latest && fromDeposit(latest),
    }),
    depositsHistory: attempts.map(fromDeposit),
    ...present({ providerTransactionId: paid, metadata }),
  }
}

const fromPayer = (accountDetails: CheckoutPayer) => ({ type: 'MMO' as const, accountDetails })

export function fromExpiry(checkout: Checkout): Static<typeof CheckoutExpiry> {
  const { idAsSent: checkoutId, state: status, endedAt, isExpiryAsked } = checkout
  if (status !== 'EXPIRED') return { checkoutId, status }
  const expiredAt = timestampText(endedAt ?? checkout.expiresAt)
  if (!isExpiryAsked) return { checkoutId, status, expiredAt }
  return { checkoutId, status, expiredAt, reason: 'MANUAL_EXPIRY', expiredBy: 'API' }
}

import {
  CALLBACK_KINDS,
  type CallbackKind,
  MAX_SIGNATURE_AGE,
} from '../../domain/accounts/merchant.ts'
import { CALLBACK_STATUSES } from '../../domain/callbacks/callback.ts'
import { AVAILABILITIES, OPERATION_TYPES } from '../../domain/provider.ts'
import { invalid, unsupported } from '../fault.ts'
import { AmountText, CountryCode, CurrencyCode, ProviderCode, Timestamp } from '../formats.ts'
import { createReader } from '../reader.ts'
import { type Static, Type } from '../schema.ts'

/** The sandbox controls: requests of a developer to the world around a test. */
const Address = Type.String({ description: 'an http or https address; null removes it' })

export const CallbackUrls = Type.Object(
  {
    deposit: Type.Optional(Type.Union([Address, Type.Null()])),
    payout: Type.Optional(Type.Union([Address, Type.Null()])),
    refund: Type.Optional(Type.Union([Address, Type.Null()])),
    remittance: Type.Optional(Type.Union([Address, Type.Null()])),
    splitPayment: Type.Optional(Type.Union([Address, Type.Null()])),
    checkout: Type.Optional(Type.Union([Address, Type.Null()])),
  },
  {
    $id: 'CallbackUrls',
    additionalProperties: false,
    examples: [{ deposit: 'http://127.0.0.1:3000/callbacks' }],
  },
)

/** Here `null` has a meaning of its own, so the general reading of absent fields does not apply. */
export function readCallbackUrls(body: unknown): ReadonlyMap<CallbackKind, string | undefined> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('body', 'it must be an object from kind of payment to address')
  }
  const urls = new Map<CallbackKind, string | undefined>()
  for (const [name, value] of Object.entries(body)) {
    const kind = CALLBACK_KINDS.find((one) => one === name)
    if (kind === undefined) throw unsupported(name)
    if (value === '') continue
    if (value !== null && typeof value !== 'string') {
      throw invalid(name, 'it must be an address in quotes, or null to remove it')
    }
    urls.set(kind, value ?? undefined)
  }
  return urls
}

export const ReceiverChange = Type.Object(
  {
    fails: Type.Boolean({
      description: 'true: each attempt is taken as answered with 500; false: receivers are called',
    }),
  },
  { $id: 'ReceiverChange', additionalProperties: false, examples: [{ fails: true }] },
)
export const readReceiverChange = createReader(ReceiverChange)

export const IdentifierChange = Type.Object(
  {
    anyUuid: Type.Boolean({
      description: 'true: identifiers are UUIDs of any version; false, at first: of version 4',
    }),
  },
  { $id: 'IdentifierChange', additionalProperties: false, examples: [{ anyUuid: true }] },
)
export const readIdentifierChange = createReader(IdentifierChange)

export const AvailabilityChange = Type.Object(
  {
    provider: ProviderCode,
    operationType: Type.Enum([...OPERATION_TYPES]),
    status: Type.Enum([...AVAILABILITIES]),
  },
  {
    $id: 'AvailabilityChange',
    additionalProperties: false,
    examples: [{ provider: 'MTN_MOMO_ZMB', operationType: 'DEPOSIT', status: 'CLOSED' }],
  },
)
export const readAvailabilityChange = createReader(AvailabilityChange)

export const SignatureChange = Type.Object(
  {
    keys: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Type.String({ description: 'the key id that your signatures name' }),
            key: Type.String({ description: 'the public key as PEM (SPKI)' }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 20, description: 'your public keys; the list replaces the former one' },
      ),
    ),
    signedRequestsOnly: Type.Optional(
      Type.Boolean({ description: 'refuse initiations without a good signature' }),
    ),
    maxSignatureAge: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_SIGNATURE_AGE,
        description:
          'in seconds: refuse older signatures, and each that is used a second time; 0 for no limit',
      }),
    ),
    coverAuthority: Type.Optional(
      Type.Boolean({ description: 'refuse signatures that do not cover `@authority`' }),
    ),
    signedCallbacks: Type.Optional(Type.Boolean({ description: 'sign callbacks' })),
    ecdsaEncoding: Type.Optional(
      Type.Enum(['DER', 'RAW'], { description: 'the form in which the service signs' }),
    ),
    ownKeyId: Type.Optional(
      Type.Boolean({ description: 'sign under key ids that name your account' }),
    ),
  },
  {
    $id: 'SignatureChange',
    additionalProperties: false,
    examples: [{ signedRequestsOnly: false, signedCallbacks: true, ecdsaEncoding: 'DER' }],
  },
)
export const readSignatureChange = createReader(SignatureChange)

export const ReturnSchemes = Type.Object(
  {
    schemes: Type.Array(Type.String({ maxLength: 63 }), {
      maxItems: 20,
      description:
        'schemes beside https, such as myapp for myapp://; http for any address over http, in the ' +
        'sandbox alone; the list replaces the former one',
    }),
  },
  { $id: 'ReturnSchemes', additionalProperties: false, examples: [{ schemes: ['myapp'] }] },
)
export const readReturnSchemes = createReader(ReturnSchemes)

export const WalletChange = Type.Object(
  {
    country: CountryCode,
    currency: CurrencyCode,
    provider: Type.Optional(ProviderCode),
    balance: AmountText,
  },
  {
    $id: 'WalletChange',
    additionalProperties: false,
    examples: [{ country: 'ZMB', currency: 'ZMW', balance: '250.00' }],
  },
)
export const readWalletChange = createReader(WalletChange)

export const ClockAdvance = Type.Object(
  {
    seconds: Type.Number({
      minimum: 0,
      maximum: 366 * 86_400,
      description: 'how far to move the clock on, in seconds',
    }),
  },
  { $id: 'ClockAdvance', additionalProperties: false, examples: [{ seconds: 60 }] },
)
export const readClockAdvance = createReader(ClockAdvance)

export const ClockState = Type.Object(
  {
    now: Timestamp,
    offsetSeconds: Type.Number({ description: 'how far the test clock is ahead of real time' }),
  },
  { $id: 'ClockState' },
)

export function fromClock(now: number, offsetMs: number): Static<typeof ClockState> {
  return { now: new Date(now).toISOString(), offsetSeconds: offsetMs / 1000 }
}

export const Deliveries = Type.Array(
  Type.Object({
    kind: Type.String({ description: 'what the callback is about', examples: ['deposit'] }),
    status: Type.String({ description: 'the state that the callback reports' }),
    delivery: Type.Enum([...CALLBACK_STATUSES], {
      description:
        'GIVEN_UP: no attempt succeeded in seven days. PAUSED: the endpoint answered 410. ' +
        'NO_ADDRESS: nothing was sent, because no address is set; `malipo listen` gets it',
    }),
    nextAttempt: Type.Optional(Timestamp),
    reason: Type.Optional(Type.String({ description: 'why nothing was sent' })),
    endpoint: Type.Optional(
      Type.Object({
        url: Type.String({ description: 'where it goes by the settings of now' }),
        state: Type.Enum(['ACTIVE', 'FAILING', 'PAUSED'], {
          description:
            'FAILING: it kept failing and gets one attempt at a time until one succeeds. PAUSED: ' +
            'it answered 410 and gets nothing until its address is saved again or a resend is ' +
            'asked for',
        }),
        since: Type.Optional(Timestamp),
      }),
    ),
    attempts: Type.Array(
      Type.Object({
        number: Type.Integer(),
        at: Timestamp,
        url: Type.String(),
        requestHeaders: Type.Record(Type.String(), Type.String()),
        requestBody: Type.String(),
        durationMs: Type.Integer(),
        httpStatus: Type.Optional(Type.Integer()),
        answer: Type.Optional(
          Type.String({ description: 'what the receiver answered, cut short' }),
        ),
        reason: Type.Optional(Type.String({ description: 'why it was not delivered' })),
        nextAttempt: Type.Optional(Timestamp),
      }),
    ),
  }),
  { $id: 'Deliveries' },
)

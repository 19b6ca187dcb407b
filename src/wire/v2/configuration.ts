import type { EnabledCountry, EnabledProvider } from '../../domain/accounts/configuration.ts'
import { availabilityOf, type CallbackKind, type Merchant } from '../../domain/accounts/merchant.ts'
import { shownName } from '../../domain/hosted/branding.ts'
import type { Instructions } from '../../domain/hosted/instructions.ts'
import { flagPath, logoPath } from '../../domain/hosted/picture-paths.ts'
import { present } from '../../domain/present.ts'
import {
  AVAILABILITIES,
  type ListedCurrency,
  type OperationLimits,
  type OperationType,
} from '../../domain/provider.ts'
import { AmountText, CountryCode, CurrencyCode, ProviderCode } from '../formats.ts'
import { type Static, Type } from '../schema.ts'

/** The active configuration: what an account may use, and what its customers should be shown. */
const inBothLanguages = (description: string, en: string, fr: string) =>
  Type.Object(
    { en: Type.String({ examples: [en] }), fr: Type.String({ examples: [fr] }) },
    { description },
  )

const Step = Type.Object({
  text: Type.String({
    description: 'the sentence to show',
    examples: ['Dial *115# on the phone that pays.'],
  }),
  template: Type.String({
    description: 'the same with `{{name}}` in place of each variable',
    examples: ['Dial {{shortCode}} on the phone that pays.'],
  }),
})

const CustomerInstructions = Type.Object(
  {
    channels: Type.Array(
      Type.Object({
        type: Type.Enum(['USSD'], { description: 'a code to dial' }),
        displayName: inBothLanguages(
          'a heading for the steps',
          'No PIN prompt on your phone?',
          'Pas de demande de code secret sur votre téléphone ?',
        ),
        quickLink: Type.Optional(
          Type.String({ description: 'a code that goes through the menus at once' }),
        ),
        variables: Type.Record(Type.String(), Type.String(), {
          description: 'the values of the variables, by name',
          examples: [{ shortCode: '*115#', provider: 'MTN' }],
        }),
        instructions: Type.Object(
          { en: Type.Array(Step), fr: Type.Array(Step) },
          { description: 'the steps, in order, in both languages' },
        ),
      }),
    ),
  },
  { $id: 'CustomerInstructions', description: 'what the customer does on the phone' },
)

const operation = {
  minAmount: AmountText,
  maxAmount: AmountText,
  decimalsInAmount: Type.Enum(['NONE', 'TWO_PLACES'], {
    description: 'whether amounts may have decimals',
  }),
  status: Type.Enum([...AVAILABILITIES], {
    description:
      'whether it works now: DELAYED takes payouts, refunds and remittances into a queue, ' +
      'CLOSED refuses everything',
  }),
  callbackUrl: Type.Optional(
    Type.String({ description: 'where callbacks of this kind go; absent while none is set' }),
  ),
}

const OperationConfiguration = Type.Object(operation, { $id: 'OperationConfiguration' })

const DepositConfiguration = Type.Object(
  {
    ...operation,
    authType: Type.Enum(['PROVIDER_AUTH', 'PREAUTH', 'REDIRECT_AUTH'], {
      description:
        'how the customer approves: with the PIN on the phone, with a one-time code made ' +
        'beforehand, or on a page of the provider',
    }),
    pinPrompt: Type.Optional(
      Type.Enum(['AUTOMATIC', 'MANUAL'], {
        description: 'with PROVIDER_AUTH: the question comes by itself, or the customer opens it',
      }),
    ),
    pinPromptRevivable: Type.Optional(
      Type.Boolean({ description: 'with PROVIDER_AUTH: a lost question can be called back' }),
    ),
    pinPromptInstructions: Type.Optional(CustomerInstructions),
    authTokenInstructions: Type.Optional(CustomerInstructions),
  },
  { $id: 'DepositConfiguration' },
)

const Currency = Type.Object({
  currency: CurrencyCode,
  displayName: Type.String({ description: 'the symbol', examples: ['ZK'] }),
  operationTypes: Type.Object(
    {
      DEPOSIT: Type.Optional(DepositConfiguration),
      PAYOUT: Type.Optional(OperationConfiguration),
      REFUND: Type.Optional(OperationConfiguration),
      REMITTANCE: Type.Optional(OperationConfiguration),
    },
    { description: 'the operations enabled for the account, by type' },
  ),
})

const Provider = Type.Object({
  provider: ProviderCode,
  displayName: Type.String({ description: 'the name of the operator', examples: ['MTN'] }),
  logo: Type.String({
    description: 'address of a picture (PNG)',
    examples: ['https://pay.example/assets/logos/mtn.png'],
  }),
  nameDisplayedToCustomer: Type.String({
    description: 'the name under which the customer sees the payment',
    examples: ['Demo Merchant'],
  }),
  currencies: Type.Array(Currency),
})

export const ActiveConfiguration = Type.Object(
  {
    companyName: Type.String({ description: 'of the account', examples: ['Demo Merchant'] }),
    signatureConfiguration: Type.Object({
      signedRequestsOnly: Type.Boolean({ description: 'initiations must be signed' }),
      signedCallbacks: Type.Boolean({ description: 'callbacks are signed' }),
    }),
    countries: Type.Array(
      Type.Object({
        country: CountryCode,
        displayName: inBothLanguages('the name of the country', 'Zambia', 'Zambie'),
        prefix: Type.String({ description: 'the country code of numbers', examples: ['260'] }),
        flag: Type.String({
          description: 'address of a picture (SVG)',
          examples: ['https://pay.example/assets/flags/zmb.svg'],
        }),
        providers: Type.Array(Provider),
      }),
    ),
  },
  { $id: 'ActiveConfiguration' },
)

const CALLBACK_KIND: Readonly<Record<OperationType, CallbackKind>> = {
  DEPOSIT: 'deposit',
  PAYOUT: 'payout',
  REFUND: 'refund',
  REMITTANCE: 'remittance',
}

/** `publicUrl` is where this service is reached; the pictures are below it. */
export function fromConfiguration(
  merchant: Merchant,
  countries: readonly EnabledCountry[],
  publicUrl: string,
): Static<typeof ActiveConfiguration> {
  return {
    companyName: merchant.name,
    signatureConfiguration: {
      signedRequestsOnly: merchant.signedRequestsOnly,
      signedCallbacks: merchant.signedCallbacks,
    },
    countries: countries.map(({ country, name, callingCode, providers }) => ({
      country,
      displayName: name,
      prefix: callingCode,
      flag: publicUrl + flagPath(country),
      providers: providers.map((enabled) => fromProvider(merchant, enabled, publicUrl)),
    })),
  }
}

function fromProvider(
  merchant: Merchant,
  { provider, operations }: EnabledProvider,
  publicUrl: string,
): Static<typeof Provider> {
  const offers = (currency: ListedCurrency): boolean =>
    operations.some((type) => currency.operations[type] !== undefined)
  return {
    provider: provider.code,
    displayName: provider.displayName,
    logo: publicUrl + logoPath(provider.displayName),
    nameDisplayedToCustomer: shownName(merchant),
    currencies: provider.currencies.filter(offers).map((currency) => ({
      currency: currency.currency,
      displayName: currency.symbol,
      operationTypes: Object.fromEntries(
        operations.flatMap((type) => {
          const limits = currency.operations[type]
          return limits === undefined
            ? []
            : [[type, fromLimits(merchant, provider.code, type, limits)]]
        }),
      ),
    })),
  }
}

function fromLimits(
  merchant: Merchant,
  provider: string,
  type: OperationType,
  limits: OperationLimits,
): Static<typeof OperationConfiguration> {
  const callbackUrl = merchant.callbackUrls[CALLBACK_KIND[type]]
  return {
    minAmount: limits.min,
    maxAmount: limits.max,
    decimalsInAmount: limits.decimals === 0 ? 'NONE' : 'TWO_PLACES',
    status: availabilityOf(merchant, provider, type),
    ...present({ callbackUrl }),
    ...(type === 'DEPOSIT' ? authorisation(limits) : {}),
  }
}

type Authorisation = Omit<Static<typeof DepositConfiguration>, keyof typeof operation>

function authorisation(limits: OperationLimits): Authorisation {
  const { authType = 'PROVIDER_AUTH', pinPrompt, pinPromptRevivable, instructions } = limits
  const shown = instructions === undefined ? undefined : fromInstructions(instructions)
  switch (authType) {
    case 'PROVIDER_AUTH':
      return {
        authType,
        ...present({ pinPrompt, pinPromptRevivable, pinPromptInstructions: shown }),
      }
    case 'PREAUTH':
      return { authType, ...present({ authTokenInstructions: shown }) }
    case 'REDIRECT_AUTH':
      return { authType }
  }
}

function fromInstructions({ channels }: Instructions): Static<typeof CustomerInstructions> {
  return {
    channels: channels.map((channel) => ({
      ...channel,
      instructions: { en: [...channel.instructions.en], fr: [...channel.instructions.fr] },
    })),
  }
}

import { balanceText, CountryCode, CurrencyCode } from '../formats.ts'
import { type Static, Type } from '../schema.ts'

export const WalletBalances = Type.Object(
  {
    balances: Type.Array(
      Type.Object({
        country: CountryCode,
        balance: Type.String({ description: 'with two decimals', examples: ['1000000.00'] }),
        currency: CurrencyCode,
        provider: Type.String({
          description: 'empty when the wallet serves every provider of the country',
        }),
      }),
    ),
  },
  { $id: 'WalletBalances' },
)

type Wallet = {
  readonly country: string
  readonly currency: string
  readonly provider: string | null
  readonly balance: string
}

export function fromWallets(wallets: readonly Wallet[]): Static<typeof WalletBalances> {
  return {
    balances: wallets.map(({ country, currency, provider, balance }) => ({
      country,
      balance: balanceText(balance),
      currency,
      provider: provider ?? '',
    })),
  }
}

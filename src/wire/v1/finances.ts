import { balanceText, CountryCode, CurrencyCode } from '../formats.ts'
import { type Static, Type } from '../schema.ts'

export const LegacyBalances = Type.Object(
  {
    balances: Type.Array(
      Type.Object({
        country: CountryCode,
        balance: Type.String(),
        currency: CurrencyCode,
        mno: Type.String({ description: 'empty when the wallet serves the whole country' }),
      }),
    ),
  },
  { $id: 'LegacyBalances' },
)

export function fromWallets(
  wallets: readonly {
    readonly country: string
    readonly currency: string
    readonly provider: string | null
    readonly balance: string
  }[],
): Static<typeof LegacyBalances> {
  return {
    balances: wallets.map(({ country, currency, provider, balance }) => ({
      country,
      balance: balanceText(balance),
      currency,
      mno: provider ?? '',
    })),
  }
}

import type { StatementWallet } from '../../domain/statements/statement.ts'
import { findWalletStates, type WalletState } from '../../store/payments/wallet-history.ts'
import type { Context } from '../context.ts'
import type { Person } from '../people/context.ts'

export type Wallet = WalletState & {
  /** As addresses name it: `ZMB-ZMW`, or `ZMB-ZMW-MTN_MOMO_ZMB`. */
  readonly name: string
}

const nameOf = ({ country, currency, provider }: WalletState): string =>
  [country, currency, ...(provider === null ? [] : [provider])].join('-')

/** The wallets that a person may see. */
export async function walletsOf(
  ctx: Context,
  { merchant, countries }: Person,
): Promise<readonly Wallet[]> {
  const states = await findWalletStates(ctx.db, merchant.id, countries)
  return states.map((state) => ({ ...state, name: nameOf(state) }))
}

export const asStatementWallet = ({ country, currency, provider }: Wallet): StatementWallet =>
  provider === null ? { country, currency } : { country, currency, provider }

/** Whether a person may see what is about this wallet. */
export const maySee = ({ countries }: Person, { country }: StatementWallet): boolean =>
  countries.length === 0 || countries.includes(country)

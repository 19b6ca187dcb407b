import { parseSum } from '../../../domain/amount.ts'
import { HOUR_MS } from '../../../domain/payments/hours.ts'
import { readBalances } from '../../../usecases/accounts/read-balances.ts'
import { type Count, countOutcomes } from '../../../usecases/payments/count-outcomes.ts'
import type { Visit } from '../visit.ts'
import { sumOf } from './figures.ts'
import type { Asked } from './range.ts'

export type WalletRow = {
  readonly country: string
  readonly currency: string
  readonly provider: string | null
  readonly balance: string
  /** It covers less than a day of what went out lately. */
  readonly isLow: boolean
}

const PACE_DAYS = 7

/** The wallets that the person may see, each with whether it will be empty soon. */
export async function walletsFor(visit: Visit, asked: Asked): Promise<readonly WalletRow[]> {
  const { ctx, person } = visit
  const { countries } = asked
  const fromMs = asked.toMs - PACE_DAYS * 24 * HOUR_MS
  const [wallets, counts] = await Promise.all([
    readBalances(ctx, person.merchant, asked.country),
    countOutcomes(
      ctx,
      { merchantId: person.merchant.id, countries },
      [{ fromMs, toMs: asked.toMs }],
      'wallet',
    ),
  ])
  const seen = wallets.filter(({ country }) => countries?.includes(country) ?? true)
  const ownWallets = new Set(seen.flatMap(({ provider }) => provider ?? []))
  return seen.map((wallet) => ({
    ...wallet,
    isLow: isLow(wallet.balance, paidOutFrom(wallet, counts, ownWallets)),
  }))
}

/** A provider with a wallet of its own is paid from that one. */
function paidOutFrom(
  { country, currency, provider }: Omit<WalletRow, 'isLow'>,
  counts: readonly Count[],
  ownWallets: ReadonlySet<string>,
): string {
  const from = counts.filter(
    (count) =>
      count.country === country &&
      count.currency === currency &&
      (provider === null ? !ownWallets.has(count.provider) : count.provider === provider),
  )
  return sumOf(from.map(({ amount }) => amount))
}

const isLow = (balance: string, paidOut: string): boolean =>
  (parseSum(balance) ?? 0n) * BigInt(PACE_DAYS) < (parseSum(paidOut) ?? 0n)

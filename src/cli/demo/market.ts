import type { ListedProvider, OperationType } from '../../domain/provider.ts'
import { GENERAL_ENDINGS } from '../../domain/sandbox/stories.ts'
import type { Catalog } from '../../providers/catalog.ts'
import type { Chance } from './chance.ts'

/** A provider in which the shop of the demo sells. */
export type Market = {
  readonly country: string
  readonly provider: string
  readonly currency: string
  readonly operations: ReadonlySet<OperationType>
  /** How a number of the provider begins, without its last six digits. */
  readonly numberBegins: string
  /** What a purchase costs, from and to. */
  readonly least: number
  readonly most: number
}

/** Where it sells, the largest market first; others are not enabled or need a code. */
const COUNTRIES = ['ZMB', 'KEN', 'UGA', 'GHA', 'CIV'] as const

/** About 2 to 60 dollars. */
const PRICES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  ZMW: [40, 1500],
  KES: [250, 8000],
  UGX: [8000, 220_000],
  GHS: [30, 900],
  XOF: [1500, 36_000],
}

export type Availability = readonly {
  readonly country: string
  readonly providers: readonly {
    readonly provider: string
    readonly operationTypes: Readonly<Partial<Record<OperationType, string>>>
  }[]
}[]

/** What the merchant can use without a code or another page. */
export function marketsOf(catalog: Catalog, availability: Availability): readonly Market[] {
  return COUNTRIES.flatMap((country) => {
    const enabled = availability.find((one) => one.country === country)?.providers ?? []
    return enabled.flatMap(({ provider: code, operationTypes }) => {
      const provider = catalog.find(code)
      const names = Object.keys(operationTypes) as OperationType[]
      const market = provider && marketOf(provider, new Set(names))
      return market === undefined ? [] : [market]
    })
  })
}

function marketOf(
  provider: ListedProvider,
  operations: ReadonlySet<OperationType>,
): Market | undefined {
  const priced = provider.currencies.find(({ currency }) => PRICES[currency] !== undefined)
  const limits = priced?.operations.DEPOSIT
  const number = provider.testNumbers.DEPOSIT?.[0]?.phoneNumber
  if (priced === undefined || limits === undefined || number === undefined) return undefined
  if (limits.authType !== 'PROVIDER_AUTH') return undefined
  if (!operations.has('DEPOSIT') || !operations.has('PAYOUT')) return undefined
  const [least, most] = PRICES[priced.currency] ?? [1, 1]
  return {
    country: provider.country,
    provider: provider.code,
    currency: priced.currency,
    operations,
    numberBegins: number.slice(0, -6),
    least: Math.max(least, Math.ceil(Number(limits.min))),
    most: Math.min(most, Math.floor(Number(limits.max))),
  }
}

/** More small purchases than large ones, in round sums. */
export function priceIn({ least, most }: Market, chance: Chance): number {
  const price = least * (most / least) ** (chance.next() ** 1.6)
  const step = 10 ** Math.max(0, Math.floor(Math.log10(price)) - 1)
  return Math.min(most, Math.max(least, Math.round(price / step) * step))
}

const SPECIAL = new Set(
  [GENERAL_ENDINGS.DEPOSIT, GENERAL_ENDINGS.PAYOUT].flatMap((endings) => Object.keys(endings)),
)

/** A number whose payments complete, or end as these three digits say. */
export function numberIn({ numberBegins }: Market, chance: Chance, ending?: string): string {
  const middle = String(chance.below(1000)).padStart(3, '0')
  for (;;) {
    const last = ending ?? String(chance.below(1000)).padStart(3, '0')
    if (ending !== undefined || !SPECIAL.has(last)) return numberBegins + middle + last
  }
}

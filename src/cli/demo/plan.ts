/** When what happens in the demo: pure, from a seed. */
import { type Chance, chanceOf } from './chance.ts'
import { type Market, numberIn, priceIn } from './market.ts'

export type PlannedKind =
  | 'deposit'
  | 'payout'
  | 'refund'
  | 'remittance'
  | 'splitPayment'
  | 'checkout'

export type Planned = {
  /** Since the beginning. */
  readonly atSeconds: number
  readonly kind: PlannedKind
  readonly market: Market
  readonly amount: number
  readonly phoneNumber: string
  /** Whether it comes to an end by itself. */
  readonly ends: boolean
  /** Of the order in the shop. */
  readonly number: number
}

const DAY_S = 86_400

/** How many of a hundred payments are of each kind. */
const KINDS: Readonly<Record<PlannedKind, number>> = {
  deposit: 67,
  payout: 17,
  refund: 5,
  remittance: 3,
  splitPayment: 3,
  checkout: 5,
}

/** The last three digits of numbers that fail, by how often; see `GENERAL_ENDINGS`. */
const DEPOSIT_FAILURES = { '049': 45, '039': 30, '069': 10, '019': 8, '029': 5, '059': 2 } as const
const PAYOUT_FAILURES = { '089': 50, '109': 20, '099': 15, '119': 15 } as const
const NEVER_ENDS = '129'

/** By hour: little at night, most at noon and after work. */
const HOURS = [
  1, 1, 1, 1, 2, 4, 8, 14, 20, 24, 27, 30, 33, 31, 27, 26, 29, 34, 38, 35, 26, 16, 8, 3,
] as const
/** Sunday first. */
const WEEKDAYS = [0.6, 0.95, 0.95, 1, 1.05, 1.2, 1.25] as const

type PlanOptions = {
  readonly markets: readonly [Market, ...Market[]]
  readonly startMs: number
  readonly days: number
  readonly payments: number
  readonly seed: number
}

/** In the order of time. Business grows by a third over the time. */
export function planOf({ markets, startMs, days, payments, seed }: PlanOptions): Planned[] {
  const chance = chanceOf(seed)
  const ends: number[] = []
  let total = 0
  for (let hour = 0; hour < days * 24; hour += 1) {
    const at = new Date(startMs + hour * 3_600_000)
    const growth = 1 + hour / (days * 24) / 3
    total += growth * (HOURS[at.getUTCHours()] ?? 1) * (WEEKDAYS[at.getUTCDay()] ?? 1)
    ends.push(total)
  }
  const moments = Array.from({ length: payments }, () => {
    const point = chance.next() * total
    const hour = ends.findIndex((end) => point < end)
    return Math.floor((hour + chance.next()) * 3600)
  })
  return moments
    .sort((a, b) => a - b)
    .map((atSeconds, number) => plannedAt(chance, markets, { atSeconds, number }, days))
}

function plannedAt(
  chance: Chance,
  markets: readonly [Market, ...Market[]],
  at: Pick<Planned, 'atSeconds' | 'number'>,
  days: number,
): Planned {
  // The first markets are the largest.
  const market = markets[Math.floor(chance.next() ** 1.7 * markets.length)] ?? markets[0]
  const kind = kindIn(market, chance.weighted(KINDS))
  const isLate = at.atSeconds > days * DAY_S - 3600
  const ending = endingOf(chance, kind, isLate)
  return {
    ...at,
    kind,
    market,
    amount: priceIn(market, chance),
    phoneNumber: numberIn(market, chance, ending),
    ends: ending !== NEVER_ENDS,
  }
}

function kindIn({ operations }: Market, kind: PlannedKind): PlannedKind {
  if (kind === 'remittance' && !operations.has('REMITTANCE')) return 'payout'
  if (kind === 'refund' && !operations.has('REFUND')) return 'deposit'
  return kind
}

/** Undefined: it completes. */
function endingOf(chance: Chance, kind: PlannedKind, isLate: boolean): string | undefined {
  const isPaidOut = kind === 'payout' || kind === 'remittance'
  // Drawn in any case, so that a seed gives the same kinds whenever it begins.
  const isUnderWay = chance.percent(25)
  if (kind === 'refund') return undefined
  // Some are under way at the end.
  if (isLate && isUnderWay) return NEVER_ENDS
  if (isPaidOut) return chance.percent(4) ? chance.weighted(PAYOUT_FAILURES) : undefined
  return chance.percent(14) ? chance.weighted(DEPOSIT_FAILURES) : undefined
}

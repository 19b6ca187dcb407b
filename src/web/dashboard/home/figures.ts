/** What the counts of payments come to, for people. */
import { type Amount, formatBalance, parseSum } from '../../../domain/amount.ts'
import { isCausedByCustomer } from '../../../domain/failure.ts'
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/payments/payment-state.ts'
import type { Count } from '../../../usecases/payments/count-outcomes.ts'

export type Outcomes = {
  readonly completed: number
  readonly failed: number
  /** Of those that failed: because of the customer or recipient. */
  readonly failedByCustomer: number
  readonly open: number
  /** What the completed ones add up to; undefined for several currencies. */
  readonly volume: string
}

export const totalOf = ({ completed, failed, open }: Outcomes): number => completed + failed + open

/** From 0 to 1; undefined where nothing has ended. */
export function successRate(outcomes: Outcomes, isWithoutCustomers = false): number | undefined {
  const { completed, failed, failedByCustomer } = outcomes
  const ended = completed + failed - (isWithoutCustomers ? failedByCustomer : 0)
  return ended === 0 ? undefined : completed / ended
}

export function outcomesOf(counts: readonly Count[]): Outcomes {
  const sum = (matches: (count: Count) => boolean): number =>
    counts.reduce((total, count) => total + (matches(count) ? count.payments : 0), 0)
  const completed = sum(({ state }) => state === 'COMPLETED')
  const failed = sum(({ state }) => state === 'FAILED')
  return {
    completed,
    failed,
    failedByCustomer: sum(({ failureCode }) => isCausedByCustomer(failureCode)),
    open: sum(() => true) - completed - failed,
    volume: sumOf(counts.filter(({ state }) => state === 'COMPLETED').map(({ amount }) => amount)),
  }
}

export const sumOf = (amounts: readonly string[]): string =>
  formatBalance(amounts.reduce((total, text) => total + (parseSum(text) ?? 0n), 0n) as Amount)

export type CurrencyRow = Outcomes & { readonly kind: PaymentKind; readonly currency: string }

/** One row for each kind and currency that there is, those with the most payments first. */
export const byCurrency = (counts: readonly Count[]): readonly CurrencyRow[] =>
  rowsOf(counts).toSorted((one, other) => totalOf(other) - totalOf(one))

const rowsOf = (counts: readonly Count[]): readonly CurrencyRow[] =>
  PAYMENT_KINDS.flatMap((kind) => {
    const ofKind = counts.filter((count) => count.kind === kind)
    const currencies = [...new Set(ofKind.map(({ currency }) => currency))].sort()
    return currencies.map((currency) => ({
      kind,
      currency,
      ...outcomesOf(ofKind.filter((count) => count.currency === currency)),
    }))
  })

type FailureRow = {
  readonly kind: PaymentKind
  readonly code: string
  readonly payments: number
}

/** The most frequent first. */
export function topFailures(counts: readonly Count[], most: number): readonly FailureRow[] {
  const rows = new Map<string, FailureRow>()
  for (const { kind, failureCode: code, payments } of counts) {
    if (code === '') continue
    const name = `${kind} ${code}`
    rows.set(name, { kind, code, payments: (rows.get(name)?.payments ?? 0) + payments })
  }
  return [...rows.values()]
    .sort((a, b) => b.payments - a.payments || (a.code < b.code ? -1 : 1))
    .slice(0, most)
}

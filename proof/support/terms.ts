/**
 * Amounts and numbers for requests: no two payments and no two parts share both, and consecutive
 * ones share neither, until all combinations are used.
 */
export type OwnTerms = {
  whole(): Terms
  /** For a part of a split payment: smaller than any whole. */
  part(): Terms
}

/** `digits` are the four in the middle of a phone number. */
export type Terms = { readonly sum: string; readonly digits: string }

const WHOLES = { from: 100, count: 2901 }
const PARTS = { from: 5, count: 93 }
const NUMBERS = 10_000
/** Coprime to the count of numbers, so that all of them are used. */
const STRIDE = 7919

/** Coprime counts repeat a combination only after their product. */
export const DIFFERENT_WHOLES = WHOLES.count * NUMBERS
export const DIFFERENT_PARTS = PARTS.count * NUMBERS

export function ownTerms(): OwnTerms {
  const serial = (range: { readonly from: number; readonly count: number }) => {
    let given = 0
    return (): Terms => {
      const sum = String(range.from + (given % range.count))
      const digits = String((given * STRIDE) % NUMBERS).padStart(4, '0')
      given += 1
      return { sum, digits }
    }
  }
  return { whole: serial(WHOLES), part: serial(PARTS) }
}

/**
 * Sums and numbers for requests, one after the other: no two wholes and no two parts have both in
 * common, and two that follow each other have neither, until so many were given out.
 */
export type OwnTerms = {
  whole(): Terms
  /** Of a split payment, and so small that it fits into any whole. */
  part(): Terms
}

/** `digits` are the four in the middle of a phone number. */
export type Terms = { readonly sum: string; readonly digits: string }

const WHOLES = { from: 100, count: 2901 }
const PARTS = { from: 5, count: 93 }
const NUMBERS = 10_000
/** Shares no divisor with the numbers, so that it goes through all of them. */
const STRIDE = 7919

/** Counts that share no divisor meet again only after their product. */
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

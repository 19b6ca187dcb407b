/** What people type on a page, brought into the form that the rest of the service takes. */

/** Digits of any width become plain ones; everything that is not a digit is dropped. */
export function typedDigits(text: string): string {
  return text.normalize('NFKC').replaceAll(/[^0-9]/g, '')
}

/**
 * The ways in which a typed number can be meant, likeliest first: with the country's code, or as it
 * is dialled inside the country, with or without a zero in front.
 */
export function numberSpellings(text: string, callingCode: string): readonly string[] {
  const digits = typedDigits(text).replace(/^00/, '')
  if (digits === '') return []
  const inside = callingCode + digits
  const whole = digits.startsWith(callingCode) ? [digits, inside] : [inside, digits]
  return whole.flatMap((one) => {
    const national = one.startsWith(callingCode) ? one.slice(callingCode.length) : ''
    return national.startsWith('0') ? [one, callingCode + national.slice(1)] : [one]
  })
}

const TYPED_AMOUNT = /^0*(\d+)(?:[.,](\d{1,2}))?$/

/**
 * An amount as people write it: spaces between digits, a comma or a point before the decimals.
 * Undefined where it could mean two things: `1,000` is a thousand to some and one to others.
 */
export function typedAmount(text: string): string | undefined {
  const compact = text.normalize('NFKC').replaceAll(/[\s']/g, '')
  const match = TYPED_AMOUNT.exec(compact)
  if (match === null) return undefined
  const [, whole = '', fraction] = match
  return fraction === undefined ? whole : `${whole}.${fraction}`
}

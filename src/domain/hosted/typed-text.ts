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

/**
 * An amount as people type it and as pages print it: `1100`, `1,100.00`, `1 100,00`. One mark before
 * one or two digits is the decimal mark; a comma before three digits parts thousands, as in print.
 */
const PRINTED = [
  /^(\d{1,18})(?:[.,](\d{1,2}))?$/,
  /^(\d{1,18})\.(\d{3,4})$/,
  /^(\d{1,3}(?:,\d{3})+)(?:\.(\d{1,4}))?$/,
  /^(\d{1,3}(?: \d{3})+)(?:[.,](\d{1,4}))?$/,
]

/** As the API writes it; undefined where the text is no amount. */
export function readTypedAmount(text: string): string | undefined {
  const plain = text.trim().replace(/\s/g, ' ')
  for (const form of PRINTED) {
    const [, whole, decimals] = form.exec(plain) ?? []
    if (whole === undefined) continue
    const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '')
    if (digits.length > 18) return undefined
    return decimals === undefined ? digits : `${digits}.${decimals}`
  }
  return undefined
}

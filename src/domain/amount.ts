/**
 * An Amount counts ten-thousandths of a currency unit. The wire allows 18 integer digits and
 * 4 decimals (23 characters), so one scale serves every currency and no float is ever needed.
 */
declare const amountBrand: unique symbol
export type Amount = bigint & { readonly [amountBrand]: true }

const SCALE = 4
export const AMOUNT_PATTERN = '^(0|[1-9][0-9]{0,17})([.][0-9]{1,4})?$'
const WIRE_FORM = /^(0|[1-9]\d{0,17})(?:\.(\d{1,4}))?$/

/** Undefined when the text is not an amount; whether it suits a provider is decided elsewhere. */
export function parseAmount(text: string): Amount | undefined {
  const match = WIRE_FORM.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = ''] = match
  return BigInt(whole + fraction.padEnd(SCALE, '0')) as Amount
}

const SUM_FORM = /^(-?\d+)(?:\.(\d{1,4}))?$/

/** A sum as the ledger prints it: of many amounts, so longer than any one, and signed. */
export function parseSum(text: string): Amount | undefined {
  const match = SUM_FORM.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = ''] = match
  return BigInt(whole + fraction.padEnd(SCALE, '0')) as Amount
}

/** Sums and balances are printed with two decimals, more only where there are more. */
export function formatBalance(amount: Amount): string {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(SCALE + 1, '0')
  const fraction = digits.slice(-SCALE).replace(/0{1,2}$/, '')
  return `${sign}${digits.slice(0, -SCALE)}.${fraction}`
}

/** Whether two sums are the same, however they are written: "12.50", "12.5" and "1,012.5". */
export function isSameSum(one: string, other: string): boolean {
  const [a, b] = [parseSum(withoutSeparators(one)), parseSum(withoutSeparators(other))]
  return a !== undefined && a === b
}

const withoutSeparators = (text: string): string =>
  text
    .replace(/,(?=\d{3})/g, '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .trim()

/** Judged by value: `5.00` has no decimals, `5.50` has two places of which one counts. */
export function hasAtMostDecimals(amount: Amount, decimals: number): boolean {
  return amount % 10n ** BigInt(SCALE - decimals) === 0n
}

import { money as shortMoney } from '../money.ts'
import type { Lang } from '../words.ts'

/**
 * Some provider takes decimals of these, so there may be amounts with and without. Customers see one
 * amount, in the way that is usual where they are; the columns of merchants have one form.
 */
const WITH_DECIMALS: ReadonlySet<string> = new Set([
  'CDF',
  'KES',
  'MZN',
  'NGN',
  'TZS',
  'UGX',
  'XAF',
])

/** As customers read it, but with the same decimals for all amounts of a currency. */
export const money = (amount: string, currency: string, lang: Lang): string =>
  WITH_DECIMALS.has(currency)
    ? shortMoney(amount, currency, lang, 2)
    : shortMoney(amount, currency, lang)

import { availabilityOf, type Merchant } from '../../domain/accounts/merchant.ts'
import { parseAmount } from '../../domain/amount.ts'
import { isRefusal, type Offer, type OfferTerms, withinLimits } from '../../domain/hosted/offer.ts'
import { typedAmount } from '../../domain/payments/typed-amount.ts'
import type { Context } from '../context.ts'
import { openOffers, type PayForm, predictFor } from './form.ts'

/**
 * The provider that the number looks like, where the customer chose another and has to say which of
 * the two is meant. An amount that neither takes has to be corrected first.
 */
export function providerInQuestion(
  ctx: Context,
  merchant: Merchant,
  fixed: OfferTerms,
  form: PayForm,
): string | undefined {
  const chosen = form.provider?.trim() ?? ''
  const predicted = predictFor(ctx, merchant, fixed, form)
  if (chosen === '' || predicted === undefined || chosen === predicted) return undefined
  const offers = openOffers(ctx, merchant, fixed)
  const both = [predicted, chosen].flatMap((code) => {
    const isOpen = availabilityOf(merchant, code, 'DEPOSIT') === 'OPERATIONAL'
    return isOpen ? offerOf(offers, code, form.currency) : []
  })
  return both.length === 2 && canTake(both, form) ? predicted : undefined
}

function offerOf(offers: readonly Offer[], code: string, currency = ''): readonly Offer[] {
  const ofProvider = offers.filter(({ provider }) => provider.code === code)
  const inCurrency = ofProvider.find((one) => one.currency.currency === currency.trim())
  return inCurrency === undefined ? ofProvider.slice(0, 1) : [inCurrency]
}

function canTake(offers: readonly Offer[], form: PayForm): boolean {
  // What the merchant fixed is within the limits of everything that is offered.
  if (offers.some(({ amount }) => amount !== undefined)) return true
  const sum = typedAmount(form.amount ?? '')
  if (sum === undefined || parseAmount(sum) === undefined) return false
  return !isRefusal(withinLimits(offers, sum))
}

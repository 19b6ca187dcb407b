import type { Merchant } from '../domain/accounts/merchant.ts'
import { returnUrlProblem } from '../domain/hosted/return-url.ts'
import type { PaymentDetails } from '../domain/payments/payment.ts'
import type { Context } from '../usecases/context.ts'
import { invalid } from '../wire/fault.ts'

/** What may be an address depends on environment and merchant, which no schema knows. */
export function checkReturnUrl(
  { environment }: Context,
  { returnSchemes }: Merchant,
  url: string,
  field = 'returnUrl',
): void {
  const problem = returnUrlProblem(url, environment, returnSchemes)
  if (problem !== undefined) throw invalid(field, problem)
}

/** The same for where the page of a provider leads to. */
export function checkReturnUrls(ctx: Context, merchant: Merchant, details: PaymentDetails): void {
  for (const field of ['successfulUrl', 'failedUrl'] as const) {
    const url = details[field]
    if (url !== undefined) checkReturnUrl(ctx, merchant, url, field)
  }
}

import type { Page } from '../../../http/pages.ts'
import { CUSTOMER_SCREENS, customerView } from '../../../usecases/hosted/as-customer.ts'
import { paymentOf } from '../../../usecases/payments/payment-file.ts'
import { renderPay } from '../../pay/render.tsx'
import { privatePage } from '../../response.ts'
import { missingPage } from '../frame.tsx'
import type { Visit } from '../visit.ts'

/** A screen that the customer saw, at the time when it was there; nothing on it leads anywhere. */
export async function customerPage(visit: Visit): Promise<Page> {
  const { ctx, person, lang, request } = visit
  const payment = await paymentOf(ctx, person, 'deposit', request.params.id ?? '')
  const screen = CUSTOMER_SCREENS.find((one) => one === request.params.screen)
  if (payment === undefined || screen === undefined) return missingPage(visit)
  const isHosted = ctx.hostedLinks.ofPayment(payment) !== undefined
  const view = isHosted ? customerView(ctx, person.merchant, payment, screen) : undefined
  if (view === undefined) return missingPage(visit)
  const { createdAt, endedAt = ctx.clock.now() } = payment
  const page = renderPay(view, {
    lang,
    chosenLang: lang,
    now: screen === 'waiting' ? createdAt : endedAt,
    isSandbox: ctx.environment === 'sandbox',
    kind: payment.checkoutId === undefined ? 'page' : 'checkout',
    isLive: false,
    wantsForm: false,
    isPreview: true,
  })
  return privatePage(page, 200)
}

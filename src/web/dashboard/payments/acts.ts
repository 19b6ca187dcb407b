/** What people do with a payment. Only what was done is in the audit log, and once. */

import { parsePaymentId } from '../../../domain/ids.ts'
import type { Payment } from '../../../domain/payments/payment.ts'
import type { PaymentKind } from '../../../domain/payments/payment-state.ts'
import type { Page } from '../../../http/pages.ts'
import { resendAs } from '../../../usecases/callbacks/resend-as.ts'
import { fileOf, paymentOf } from '../../../usecases/payments/payment-file.ts'
import { cancelAs, refundAs } from '../../../usecases/people/act-on-payment.ts'
import { changeAs } from '../../../usecases/people/change.ts'
import { fill } from '../../words.ts'
import { missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import { money } from '../money-text.ts'
import type { Visit } from '../visit.ts'
import { detailPage } from './detail.tsx'
import { DETAIL_WORDS } from './detail-words.ts'
import { pathOf } from './parts.tsx'
import { readRefund, refundPage, wrongPage } from './refund.tsx'
import { REFUND_WORDS } from './refund-words.ts'
import { refusalText, refusalWords } from './refusal-words.ts'

const found = (visit: Visit, kind: PaymentKind): Promise<Payment | undefined> =>
  paymentOf(visit.ctx, visit.person, kind, visit.request.params.id ?? '')

const notDone = (visit: Visit, payment: Payment, why: string): Page =>
  goTo(visit, pathOf(payment), fill(DETAIL_WORDS[visit.lang].refused, { why }), true)

export async function refundPayment(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const words = REFUND_WORDS[lang]
  const deposit = await found(visit, 'deposit')
  if (deposit === undefined) return missingPage(visit)
  const refundId = parsePaymentId(request.form.get('refundId') ?? '')
  if (refundId === undefined) return refundPage(visit)
  const typed = request.form.get('amount') ?? ''
  // What is left is not asked here: a repeat is of a refund that has taken its part already.
  const read = readRefund(visit, deposit, deposit.amount, typed)
  if ('problem' in read) return wrong(visit, deposit, { refundId, typed, ...read })
  const refunded = await refundAs(ctx, person, { deposit, refundId, amount: read.amount })
  switch (refunded.result) {
    case 'DONE':
      return goTo(visit, pathOf(deposit), words.asked)
    case 'DONE_BEFORE':
      return goTo(visit, pathOf(deposit), words.known)
    case 'ANOTHER': {
      const amount = money(refunded.amount, deposit.currency, lang)
      return notDone(visit, deposit, fill(words.another, { amount }))
    }
    case 'REFUSED': {
      const problem = refusalText(refunded.failure, deposit, lang)
      return wrong(visit, deposit, { refundId, typed, problem })
    }
  }
}

type Wrong = { readonly refundId: string; readonly typed: string; readonly problem: string }

/** The form once more, unless nothing is left to be given back. */
async function wrong(visit: Visit, payment: Payment, why: Wrong): Promise<Page> {
  const { refundable } = await fileOf(visit.ctx, payment)
  if (refundable === undefined) return notDone(visit, payment, why.problem)
  return wrongPage({ visit, payment, refundable, ...why })
}

export async function cancelPayment(visit: Visit, kind: PaymentKind): Promise<Page> {
  const { ctx, person, lang } = visit
  const words = DETAIL_WORDS[lang]
  const payment = await found(visit, kind)
  if (payment === undefined) return missingPage(visit)
  const cancelled = await cancelAs(ctx, person, payment)
  if (cancelled.result === 'REFUSED') {
    return notDone(visit, payment, refusalText(cancelled.failure, payment, lang))
  }
  const notice = cancelled.result === 'DONE' ? words.cancelled : words.cancelledBefore
  return goTo(visit, pathOf(payment), notice)
}

export async function resendPayment(visit: Visit, kind: PaymentKind): Promise<Page> {
  const { ctx, person, lang } = visit
  const words = refusalWords(lang)
  const payment = await found(visit, kind)
  if (payment === undefined) return missingPage(visit)
  const resent = await resendAs(ctx, person, kind, payment.id)
  switch (resent.result) {
    case 'SENT':
      return goTo(visit, pathOf(payment), DETAIL_WORDS[lang].resent)
    case 'NO_ADDRESS':
      return notDone(visit, payment, words.noUrl)
    case 'ARCHIVED':
      return notDone(visit, payment, fill(words.archived, { year: resent.year }))
    case 'INVALID_STATE':
      return notDone(visit, payment, words.notEnded)
    case 'NOT_FOUND':
      return missingPage(visit)
  }
}

/** Shown in the answer alone: a reload hides it again. */
export async function revealPayment(visit: Visit, kind: PaymentKind): Promise<Page> {
  const { ctx, person } = visit
  const payment = await found(visit, kind)
  if (payment === undefined) return missingPage(visit)
  const change = { action: 'personal data shown', object: payment.id }
  await changeAs(ctx, person, change, async () => {})
  return detailPage(visit, kind, true)
}

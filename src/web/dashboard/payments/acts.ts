/** What people do with a payment. Each act is in the audit log before it is handed on. */

import type { Failure } from '../../../domain/failure.ts'
import { parsePaymentId } from '../../../domain/ids.ts'
import type { Payment } from '../../../domain/payments/payment.ts'
import type { PaymentKind } from '../../../domain/payments/payment-state.ts'
import type { Page } from '../../../http/pages.ts'
import { resendCallback } from '../../../usecases/callbacks/resend-callback.ts'
import { cancelEnqueued } from '../../../usecases/payments/cancel-enqueued.ts'
import { initiateRefund } from '../../../usecases/payments/initiate-refund.ts'
import { fileOf, paymentOf } from '../../../usecases/payments/payment-file.ts'
import { type Change, changeAs } from '../../../usecases/people/change.ts'
import { fill } from '../../words.ts'
import { missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import type { Visit } from '../visit.ts'
import { detailPage } from './detail.tsx'
import { DETAIL_WORDS } from './detail-words.ts'
import { pathOf } from './parts.tsx'
import { refundPage, wrongPage } from './refund.tsx'
import { readAmount } from './refund-amount.ts'
import { refusalText } from './refusal-words.ts'

const found = (visit: Visit, kind: PaymentKind): Promise<Payment | undefined> =>
  paymentOf(visit.ctx, visit.person, kind, visit.request.params.id ?? '')

const record = ({ ctx, person }: Visit, change: Change): Promise<void> =>
  changeAs(ctx, person, change, async () => {})

const notDone = (visit: Visit, payment: Payment, why: string): Page =>
  goTo(visit, pathOf(payment), fill(DETAIL_WORDS[visit.lang].refused, { why }), true)

const refused = (visit: Visit, payment: Payment, failure: Failure): Page =>
  notDone(visit, payment, refusalText(failure, payment, visit.lang))

export async function refundPayment(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const words = DETAIL_WORDS[lang]
  const deposit = await found(visit, 'deposit')
  if (deposit === undefined) return missingPage(visit)
  const refundId = parsePaymentId(request.form.get('refundId') ?? '')
  const typed = request.form.get('amount') ?? ''
  const path = pathOf(deposit)
  if (refundId === undefined) return refundPage(visit)
  // What is left is not asked here: a repeat is of a refund that has taken its part already.
  const read = readAmount(typed, { refundable: deposit.amount, currency: deposit.currency, lang })
  if ('problem' in read) return wrong(visit, deposit, { refundId, typed, ...read })
  const { amount } = read
  const after = { refundId, amount, currency: deposit.currency }
  await record(visit, { action: 'refund requested', object: deposit.id, after })
  const result = await initiateRefund(ctx, person.merchant, {
    generation: 'v2',
    idAsSent: refundId,
    depositId: deposit.idAsSent,
    amount,
    details: {},
  })
  if (result.status === 'REJECTED') {
    const problem = refusalText(result.failure, deposit, lang)
    return wrong(visit, deposit, { refundId, typed, problem })
  }
  const said = result.status === 'ACCEPTED' ? words.refundAsked : words.refundKnown
  return goTo(visit, path, said)
}

type Wrong = { readonly refundId: string; readonly typed: string; readonly problem: string }

/** The form once more, unless nothing is left to be given back. */
async function wrong(visit: Visit, payment: Payment, why: Wrong): Promise<Page> {
  const { refundable } = await fileOf(visit.ctx, payment)
  if (refundable === undefined) return notDone(visit, payment, why.problem)
  return wrongPage({ visit, payment, refundable, ...why })
}

export async function cancelPayment(visit: Visit, kind: PaymentKind): Promise<Page> {
  const payment = await found(visit, kind)
  if (payment === undefined) return missingPage(visit)
  await record(visit, { action: 'cancellation requested', object: payment.id })
  const failure = await cancelEnqueued(visit.ctx, visit.person.merchant, kind, payment.id)
  const path = pathOf(payment)
  if (failure !== undefined) return refused(visit, payment, failure)
  return goTo(visit, path, DETAIL_WORDS[visit.lang].cancelled)
}

export async function resendPayment(visit: Visit, kind: PaymentKind): Promise<Page> {
  const payment = await found(visit, kind)
  if (payment === undefined) return missingPage(visit)
  await record(visit, { action: 'callback resend requested', object: payment.id })
  const failure = await resendCallback(visit.ctx, visit.person.merchant, kind, payment.id)
  const path = pathOf(payment)
  if (failure !== undefined) return refused(visit, payment, failure)
  return goTo(visit, path, DETAIL_WORDS[visit.lang].resent)
}

/** Shown in the answer alone: a reload hides it again. */
export async function revealPayment(visit: Visit, kind: PaymentKind): Promise<Page> {
  const payment = await found(visit, kind)
  if (payment === undefined) return missingPage(visit)
  await record(visit, { action: 'personal data shown', object: payment.id })
  return detailPage(visit, kind, true)
}

/** Giving money back: the form, what is wrong with it, and a last look before it is done. */
import { parsePaymentId } from '../../../domain/ids.ts'
import type { Payment } from '../../../domain/payments/payment.ts'
import type { Page } from '../../../http/pages.ts'
import { fileOf, paymentOf } from '../../../usecases/payments/payment-file.ts'
import { nextRefundId } from '../../../usecases/people/act-on-payment.ts'
import { fill } from '../../words.ts'
import { Field } from '../fields.tsx'
import { dashboardPage, Form, missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import { money } from '../money-text.ts'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { pathOf, phoneText, providerName } from './parts.tsx'
import { asTyped, type ReadAmount, readAmount } from './refund-amount.ts'
import { REFUND_WORDS } from './refund-words.ts'

type RefundProps = {
  readonly visit: Visit
  readonly payment: Payment
  readonly refundable: string
  readonly refundId: string
  readonly typed?: string
  readonly problem?: string
}

/** Changes nothing: it asks for the page that shows what would be done. */
export function RefundForm(props: RefundProps) {
  const { visit, payment, refundable, refundId, problem } = props
  const { typed = asTyped(refundable, payment.currency, visit.lang) } = props
  const words = REFUND_WORDS[visit.lang]
  const left = money(refundable, payment.currency, visit.lang)
  return (
    <form action={`${pathOf(payment)}/refund`} class="panel" novalidate>
      <h2>{words.heading}</h2>
      <input type="hidden" name="refundId" value={refundId} />
      <Field
        name="amount"
        label={`${words.amount} (${payment.currency})`}
        value={typed}
        inputMode="decimal"
        hint={fill(words.left, { amount: left })}
        problem={problem}
      />
      <button type="submit" class="main">
        {words.next}
      </button>
    </form>
  )
}

/** What would be done, or what is wrong with what was typed. */
export async function refundPage(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const payment = await paymentOf(ctx, person, 'deposit', request.params.id ?? '')
  if (payment === undefined) return missingPage(visit)
  const { refundable, refunds } = await fileOf(ctx, payment)
  if (refundable === undefined) {
    return goTo(visit, pathOf(payment), REFUND_WORDS[lang].nothingLeft, true)
  }
  const { refundId: given, amount: typed = refundable } = request.query
  const refundId = parsePaymentId(String(given)) ?? nextRefundId(payment, refunds)
  const order = { visit, payment, refundable, refundId }
  const read = readRefund(visit, payment, refundable, String(typed))
  if ('problem' in read) return wrongPage({ ...order, typed: String(typed), ...read })
  return reviewPage(order, read)
}

/** By the rules of its provider. */
export function readRefund(
  { ctx, lang }: Visit,
  { provider, currency }: Payment,
  refundable: string,
  typed: string,
): ReadAmount {
  const of = ctx.providers.catalog.find(provider)?.currencies
  const { decimals = 2 } = of?.find((one) => one.currency === currency)?.operations.REFUND ?? {}
  return readAmount(typed, { refundable, currency, decimals, lang })
}

/** What was typed stays, with the reason why it cannot be done. */
export function wrongPage(props: RefundProps & { readonly problem: string }): Page {
  const { visit, payment, problem } = props
  const words = REFUND_WORDS[visit.lang]
  return dashboardPage(visit, {
    name: 'deposits',
    heading: words.heading,
    isProblem: true,
    status: 400,
    children: (
      <>
        <div class="notice bad" role="alert" tabIndex={-1} autofocus>
          <strong>{DASHBOARD_WORDS[visit.lang].error}</strong>
          <a href="#amount">{problem}</a>
        </div>
        <h1>{words.heading}</h1>
        <RefundForm {...props} />
        <p>
          <a href={pathOf(payment)}>{words.back}</a>
        </p>
      </>
    ),
  })
}

/** However often the last button is pressed, there is one refund: its identifier is in the form. */
function reviewPage(
  { visit, payment, refundId }: RefundProps,
  { amount, rest }: { readonly amount: string; readonly rest: string },
): Page {
  const { lang } = visit
  const words = REFUND_WORDS[lang]
  const sum = (text: string): string => money(text, payment.currency, lang)
  const path = pathOf(payment)
  return dashboardPage(visit, {
    name: 'deposits',
    heading: words.reviewHeading,
    children: (
      <>
        <h1>{words.reviewHeading}</h1>
        <section class="panel">
          <dl class="facts">
            <dt>{words.amount}</dt>
            <dd>
              <strong>{sum(amount)}</strong>
            </dd>
            <dt>{words.to}</dt>
            <dd>
              <bdi>{phoneText(visit, payment)}</bdi> ({providerName(visit, payment.provider)})
            </dd>
            <dt>{words.of}</dt>
            <dd>{sum(payment.amount)}</dd>
            <dt>{words.rest}</dt>
            <dd>{sum(rest)}</dd>
          </dl>
          <Form visit={visit} action={`${path}/refund`} values={{ refundId, amount }} class="row">
            <button type="submit" class="main">
              {fill(words.now, { amount: sum(amount) })}
            </button>
            <a href={path}>{words.back}</a>
          </Form>
        </section>
      </>
    ),
  })
}

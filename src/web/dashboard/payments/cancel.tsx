/** A last look at a payment that waits, before it is cancelled. */
import type { PaymentKind } from '../../../domain/payments/payment-state.ts'
import type { Page } from '../../../http/pages.ts'
import { paymentOf } from '../../../usecases/payments/payment-file.ts'
import { fill } from '../../words.ts'
import { dashboardPage, Form, missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import { money } from '../money-text.ts'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DETAIL_WORDS } from './detail-words.ts'
import { PLACE_OF, pathOf, phoneText, providerName } from './parts.tsx'
import { refusalWords } from './refusal-words.ts'

export async function cancelPage(visit: Visit, kind: PaymentKind): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const payment = await paymentOf(ctx, person, kind, request.params.id ?? '')
  if (payment === undefined) return missingPage(visit)
  const words = DETAIL_WORDS[lang]
  const path = pathOf(payment)
  if (payment.state !== 'ENQUEUED') {
    return goTo(visit, path, fill(words.refused, { why: refusalWords(lang).notEnqueued }), true)
  }
  return dashboardPage(visit, {
    name: PLACE_OF[kind],
    heading: words.cancelHeading,
    children: (
      <>
        <h1>{words.cancelHeading}</h1>
        <section class="panel">
          <dl class="facts">
            <dt>{words[`heading_${kind}`]}</dt>
            <dd>
              <strong>{money(payment.amount, payment.currency, lang)}</strong>
            </dd>
            <dt>{kind === 'deposit' ? words.payer : words.recipient}</dt>
            <dd>
              <bdi>{phoneText(visit, payment)}</bdi> ({providerName(visit, payment.provider)})
            </dd>
            <dt>{words.created}</dt>
            <dd>
              <When visit={visit} ms={payment.createdAt} />
            </dd>
          </dl>
          <p>{words.cancelLast}</p>
          <Form visit={visit} action={`${path}/cancel`} class="row">
            <button type="submit" class="danger">
              {words.cancel}
            </button>
            <a href={path}>{words.backToPayment}</a>
          </Form>
        </section>
      </>
    ),
  })
}

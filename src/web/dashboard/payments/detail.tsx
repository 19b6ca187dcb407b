import { type ComponentChild, Fragment } from 'preact'
import type { Failure } from '../../../domain/failure.ts'
import type { Payment } from '../../../domain/payments/payment.ts'
import { isFinal, type PaymentKind } from '../../../domain/payments/payment-state.ts'
import { shortReference } from '../../../domain/payments/short-reference.ts'
import { may } from '../../../domain/people/roles.ts'
import type { Page } from '../../../http/pages.ts'
import { paymentRecord } from '../../../http/payment-record.ts'
import { CUSTOMER_SCREENS } from '../../../usecases/hosted/as-customer.ts'
import { sourceOf } from '../../../usecases/payments/browse-payments.ts'
import { fileOf, type PaymentFile, paymentOf } from '../../../usecases/payments/payment-file.ts'
import { type Doers, doersOf, nextRefundId } from '../../../usecases/people/act-on-payment.ts'
import { CopyButton } from '../../frame.tsx'
import { CATALOGUES, fill, type Lang } from '../../words.ts'
import { failureText } from '../failure-words.ts'
import { dashboardPage, Form, missingPage } from '../frame.tsx'
import { money } from '../money-text.ts'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DETAIL_WORDS } from './detail-words.ts'
import { maskedRecord, nameText } from './masking.ts'
import { Metadata } from './metadata.tsx'
import { countryName, PLACE_OF, pathOf, phoneText, providerName, State } from './parts.tsx'
import { RefundForm } from './refund.tsx'
import { Timeline } from './timeline.tsx'
import { LIST_WORDS } from './words.ts'

/** One payment with everything that happened to it. */
export async function detailPage(
  visit: Visit,
  kind: PaymentKind,
  isRevealed = false,
): Promise<Page> {
  const payment = await paymentOf(visit.ctx, visit.person, kind, visit.request.params.id ?? '')
  if (payment === undefined) return missingPage(visit)
  const file = await fileOf(visit.ctx, payment)
  const words = DETAIL_WORDS[visit.lang]
  const doers = await doersOf(visit.ctx, payment, file.refunds)
  const view: View = { visit, file, payment, doers, isRevealed }
  const heading = `${words[`heading_${kind}`]} ${money(payment.amount, payment.currency, visit.lang)}`
  return dashboardPage(visit, {
    name: PLACE_OF[kind],
    heading,
    children: (
      <>
        <p>
          <a href={`/dashboard/${PLACE_OF[kind]}`}>{words.back}</a>
        </p>
        <div class="spread">
          <h1>{heading}</h1>
          <State visit={visit} state={payment.state} />
        </div>
        {isRevealed ? <p class="notice warn">{words.revealed}</p> : null}
        <Facts view={view} />
        <Acts view={view} />
        <Metadata visit={visit} entries={payment.details.metadata} isRevealed={isRevealed} />
        <Timeline visit={visit} file={file} doers={doers} />
        <Related view={view} />
        <Raw view={view} />
      </>
    ),
  })
}

type View = {
  readonly visit: Visit
  readonly file: PaymentFile
  readonly payment: Payment
  readonly doers: Doers
  readonly isRevealed: boolean
}
type Props = { readonly view: View }

function Facts({ view }: Props) {
  const { visit, payment, doers, isRevealed } = view
  const { lang, person } = visit
  const words = DETAIL_WORDS[lang]
  const list = LIST_WORDS[lang]
  const { details, failure, endedAt, kind, providerTransactionId: transactionId } = payment
  const party = kind === 'deposit' ? words.payer : words.recipient
  const rows: (readonly [string, ComponentChild, string?])[] = [
    [
      words.reference,
      <Copied key="r" visit={visit} text={shortReference(payment.key)} label={words.reference} />,
    ],
    [words.id, <Copied key="i" visit={visit} text={payment.idAsSent} label={words.id} />, 'id'],
    [words.created, <When key="c" visit={visit} ms={payment.createdAt} />],
    [words.ended, endedAt && <When key="e" visit={visit} ms={endedAt} />],
    [party, phoneText(visit, payment, isRevealed), 'id'],
    [list.recipientName, nameText(visit, details.recipientDetails, isRevealed)],
    [list.senderName, nameText(visit, details.sender?.senderDetails, isRevealed)],
    [words.provider, `${providerName(visit, payment.provider)} (${payment.provider})`],
    [words.country, countryName(visit, payment.country)],
    [words.source, sourceText(view)],
    [words.cancelledBy, doers.canceller],
    [words.clientReferenceId, details.clientReferenceId],
    [words.customerMessage, details.customerMessage],
    [
      words.transactionId,
      transactionId && (
        <Copied key="t" visit={visit} text={transactionId} label={words.transactionId} />
      ),
      'id',
    ],
    [
      words.link,
      <Copied
        key="l"
        visit={visit}
        text={`${visit.parts.publicUrl()}${pathOf(payment)}`}
        label={words.link}
      />,
      'id',
    ],
    [words.failure, failure && <Failed key="f" failure={failure} lang={lang} />],
  ]
  const shown = rows.filter(([, value]) => value !== undefined && value !== '')
  const hasMore = may(person.role, 'pii:reveal') && !isRevealed
  return (
    <section class="panel">
      <dl class="facts">
        {shown.map(([name, value, type]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd class={type}>{value}</dd>
          </Fragment>
        ))}
      </dl>
      {hasMore ? (
        <Form visit={visit} action={`${pathOf(payment)}/reveal`}>
          <button type="submit">{words.reveal}</button>
        </Form>
      ) : null}
    </section>
  )
}

/** Refunds that people make come from the dashboard, and their name is in the audit log. */
function sourceText({ visit: { lang }, payment, doers }: View): string {
  const who = doers.refunders.get(payment.id)
  if (who !== undefined) return fill(DETAIL_WORDS[lang].sourcePerson, { who })
  return LIST_WORDS[lang][`source_${sourceOf(payment)}`]
}

type FailedProps = { readonly failure: Failure; readonly lang: Lang }

const Failed = ({ failure, lang }: FailedProps) => (
  <>
    <code>{failure.code}</code>
    {CATALOGUES[lang].colon}
    {failureText(failure, lang)}
  </>
)

type CopiedProps = { readonly visit: Visit; readonly text: string; readonly label: string }

export function Copied({ visit, text, label }: CopiedProps) {
  return (
    <span class="row" data-copied={text}>
      <code>{text}</code> <CopyButton lang={visit.lang} label={label} />
    </span>
  )
}

function Acts({ view: { visit, file, payment } }: Props) {
  const words = DETAIL_WORDS[visit.lang]
  const { role } = visit.person
  const { refundable } = file
  const mayRefund = may(role, 'payments:refund')
  const path = pathOf(payment)
  return (
    <div class="row">
      {refundable !== undefined && mayRefund ? (
        <RefundForm
          visit={visit}
          payment={payment}
          refundable={refundable}
          refundId={nextRefundId(payment, file.refunds)}
        />
      ) : null}
      {payment.state === 'ENQUEUED' && mayRefund ? (
        <section class="panel">
          <p>{words.cancelText}</p>
          <p>
            <a class="button danger" href={`${path}/cancel`}>
              {words.cancel}
            </a>
          </p>
        </section>
      ) : null}
      {may(role, 'callbacks:view') && isFinal(payment.kind, payment.state) ? (
        <Form visit={visit} action={`${path}/resend`}>
          <button type="submit">{words.resend}</button>
        </Form>
      ) : null}
    </div>
  )
}

function Related({ view: { visit, file, payment } }: Props) {
  const words = DETAIL_WORDS[visit.lang]
  const isHosted = visit.ctx.hostedLinks.ofPayment(payment) !== undefined
  const seen = CUSTOMER_SCREENS.map(
    (screen) => [words[`saw_${screen}`], `${pathOf(payment)}/customer/${screen}`] as const,
  )
  const links: (readonly [text: string, href: string])[] = [
    ...(isHosted && payment.kind === 'deposit' ? seen : []),
    ...(payment.refundOf === undefined
      ? []
      : [[words.deposit, `/dashboard/deposits/${payment.refundOf}`] as const]),
    ...(payment.splitId === undefined
      ? []
      : [[words.split, `/dashboard/split-payments/${payment.splitId}`] as const]),
    ...(payment.checkoutId === undefined
      ? []
      : [[words.checkout, `/dashboard/checkouts/${payment.checkoutId}`] as const]),
    ...file.refunds.map(
      (refund) =>
        [
          `${words.heading_refund} ${money(refund.amount, refund.currency, visit.lang)}`,
          pathOf(refund),
        ] as const,
    ),
  ]
  if (links.length === 0) return null
  return (
    <section class="panel" aria-labelledby="related">
      <h2 id="related">{words.related}</h2>
      <ul class="related">
        {links.map(([text, href]) => (
          <li key={href}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Raw({ view: { visit, payment, isRevealed } }: Props) {
  const words = DETAIL_WORDS[visit.lang]
  const shown = payment.state === 'WAITING' ? { ...payment, state: 'ACCEPTED' as const } : payment
  const record = paymentRecord(shown)
  const text = JSON.stringify(isRevealed ? record : maskedRecord(visit, payment, record), null, 2)
  return (
    <details class="panel">
      <summary>{words.raw}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long text scrolls, also by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </details>
  )
}

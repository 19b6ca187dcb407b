/** C-5 and C-6: what came of the payment. */
import type { PaymentView } from '../../usecases/hosted/view.ts'
import { moment, money } from '../money.ts'
import { fill } from '../words.ts'
import { here, ReturnLink, Sign } from './parts.tsx'
import { isWrongCode, type KnownView, returnsAfter, type Visit } from './visit.ts'
import { FAILURE_WORDS, PAY_WORDS } from './words.ts'

type ResultProps = {
  readonly view: KnownView
  readonly visit: Visit
  readonly payment: PaymentView
}

export function Paid({ view, visit, payment }: ResultProps) {
  const words = PAY_WORDS[visit.lang]
  const { endedAt, country, providerTransactionId, depositId } = payment
  const facts: readonly (readonly [string, string | undefined])[] = [
    [words.paidTo, view.merchant],
    [words.date, endedAt === undefined ? undefined : moment(endedAt, country, visit.lang)],
    [words.provider, payment.provider.name],
    [words.phone, payment.maskedNumber],
    [words.transaction, providerTransactionId],
    [words.reference, depositId],
  ]
  return (
    <>
      <Sign kind="good" />
      <Heading text={words.paidHeading} />
      <p class="amount">
        <bdi>{money(payment.amount, payment.currency, visit.lang)}</bdi>
      </p>
      <dl>
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi class={value === depositId ? 'id' : ''}>{value}</bdi>
              </dd>
            </div>
          ),
        )}
      </dl>
      <Leaving view={view} visit={visit} isMain />
      <ReturnLink view={view} visit={visit} isMain />
    </>
  )
}

/** On a checkout that is still open the customer may try again. */
export function Failed({ view, visit, payment }: ResultProps) {
  const words = PAY_WORDS[visit.lang]
  const { failureCode = 'UNSPECIFIED_FAILURE', provider, currency } = payment
  const mayTryAgain = view.screen === 'DETAILS'
  const ofCode = mayTryAgain ? 'codeWrong' : 'failCode'
  const sentence = isWrongCode(payment) ? ofCode : FAILURE_WORDS[failureCode]
  const values = { provider: provider.name, currency, name: view.merchant }
  const text = fill(words[sentence], values)
  return (
    <>
      <Sign kind="bad" />
      <Heading text={words.failedHeading} />
      <p>{text}</p>
      <p class="note">
        <bdi>{money(payment.amount, currency, visit.lang)}</bdi> · <bdi>{payment.maskedNumber}</bdi>
      </p>
      {mayTryAgain ? (
        <a class="button" href={here(visit, { again: '1' })}>
          {words.tryAgain}
        </a>
      ) : null}
      <Leaving view={view} visit={visit} isMain={!mayTryAgain} />
      <ReturnLink view={view} visit={visit} isMain={!mayTryAgain} />
    </>
  )
}

/** The focus moves to the heading, so that screen readers announce the new page. */
export function Heading({ text }: { readonly text: string }) {
  return (
    <h1 tabIndex={-1} autofocus>
      {text}
    </h1>
  )
}

/** Shown by the script, which alone can leave by itself. */
export function Leaving(props: Pick<ResultProps, 'view' | 'visit'> & { readonly isMain: boolean }) {
  const { view, visit, isMain } = props
  const words = PAY_WORDS[visit.lang]
  const seconds = returnsAfter(view, visit)
  if (seconds === undefined) return null
  const [before, after] = words.returning.split('{seconds}')
  return (
    <div id="leaving" data-in={seconds} hidden>
      <p class="leaving">
        {before}
        <span id="seconds">{seconds}</span>
        {after}
      </p>
      <a class={isMain ? 'button' : 'button second'} href={view.returnAddress}>
        {words.returnNow}
      </a>
      <button type="button" class="plain" id="stay">
        {words.stay}
      </button>
    </div>
  )
}

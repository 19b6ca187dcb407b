/** C-5 and C-6: what came of the payment. */
import type { PaymentView } from '../../usecases/hosted/view.ts'
import { moment, money } from '../money.ts'
import { fill, type Lang } from '../words.ts'
import { Amount } from './amount.tsx'
import { type Fact, Facts, here, ReturnLink, Sign } from './parts.tsx'
import {
  isUnseen,
  isWrongCode,
  type KnownView,
  reasonOf,
  returnsAfter,
  type Visit,
} from './visit.ts'
import { FAILURE_WORDS, PAY_WORDS } from './words.ts'
import type { PayWords } from './words-en.ts'

type ResultProps = {
  readonly view: KnownView
  readonly visit: Visit
  readonly payment: PaymentView
}

export function Paid({ view, visit, payment }: ResultProps) {
  const words = PAY_WORDS[visit.lang]
  return (
    <>
      <Receipt view={view} visit={visit} payment={payment} />
      <Leaving view={view} visit={visit} />
      <ReturnLink view={view} visit={visit} isMain />
      {/* Only this page's own address is known here; the file lies beside it. */}
      <a class="plain" id="save" href={here(visit, { receipt: '1' })} download>
        {words.saveReceipt}
      </a>
    </>
  )
}

/** Also a file of its own, for the customer to keep. */
export function Receipt({ view, visit, payment }: ResultProps) {
  const words = PAY_WORDS[visit.lang]
  const { endedAt, country, providerTransactionId, reference } = payment
  const rows: readonly Fact[] = [
    [words.paidTo, view.merchant],
    [words.reason, reasonOf(view, visit.lang)],
    [words.date, endedAt === undefined ? undefined : moment(endedAt, country, visit.lang)],
    [words.provider, payment.provider.name],
    [words.phone, payment.maskedNumber],
    [words.transaction, providerTransactionId],
    [words.reference, reference, 'whole'],
  ]
  return (
    <>
      <Sign kind="good" />
      <Heading text={words.paidHeading} />
      <Amount text={money(payment.amount, payment.currency, visit.lang)} />
      <Facts rows={rows} />
    </>
  )
}

/** On a checkout that is still open the customer may try again. */
export function Failed({ view, visit, payment }: ResultProps) {
  if (isUnseen(payment)) return <Unseen view={view} visit={visit} payment={payment} />
  const words = PAY_WORDS[visit.lang]
  const { failureCode = 'UNSPECIFIED_FAILURE', provider, currency } = payment
  const mayTryAgain = view.screen === 'DETAILS'
  const ofCode = mayTryAgain ? 'codeWrong' : 'failCode'
  const sentence = isWrongCode(payment) ? ofCode : FAILURE_WORDS[failureCode]
  const values = { provider: provider.name, currency, name: view.merchant }
  const advice = adviceOn(sentence, view, provider.provider)
  return (
    <>
      <Sign kind="bad" />
      <Heading text={words.failedHeading} />
      <p>
        {fill(words[sentence], values)}{' '}
        {advice === undefined ? '' : `${fill(words[advice], values)} `}
        {words.notCharged}
      </p>
      <p class="note">
        <bdi>{money(payment.amount, currency, visit.lang)}</bdi> · <bdi>{payment.maskedNumber}</bdi>
        <br />
        {words.reference} <bdi class="whole">{payment.reference}</bdi>
      </p>
      {mayTryAgain ? (
        <a class="button" href={here(visit, { again: '1' })}>
          {words.tryAgain}
        </a>
      ) : null}
      <Leaving view={view} visit={visit} />
      <ReturnLink view={view} visit={visit} isMain={!mayTryAgain} />
    </>
  )
}

/** What the customer can do about it on this page, or else where. */
function adviceOn(
  sentence: keyof PayWords,
  view: KnownView,
  failed: string,
): keyof PayWords | undefined {
  if (sentence !== 'failPayer' && sentence !== 'failClosed') return undefined
  if (view.screen !== 'DETAILS') return 'adviseReturn'
  const providers = view.choices.flatMap((one) => one.providers)
  const hasOthers = providers.some((one) => one.isAvailable && one.provider !== failed)
  if (sentence === 'failClosed') return hasOthers ? 'adviseOtherOrLater' : 'adviseLater'
  if (view.fixed.phoneNumber !== undefined) return hasOthers ? 'adviseOther' : undefined
  return hasOthers ? 'adviseNumberOrOther' : 'adviseNumber'
}

/** It counts as failed, and the provider may have taken the money: paying again could be twice. */
function Unseen({ view, visit, payment }: ResultProps) {
  const words = PAY_WORDS[visit.lang]
  const values = { provider: payment.provider.name, name: view.merchant }
  return (
    <>
      <Sign kind="time" />
      <Heading text={words.unseenHeading} />
      <p>
        <strong>{words.failUnseen}</strong> {fill(words.unseenNext, values)}
      </p>
      <Facts rows={factsOf(payment, visit.lang)} />
      <ReturnLink view={view} visit={visit} isMain />
      {view.screen === 'DETAILS' ? (
        <a class="plain" href={here(visit, { again: '1' })}>
          {words.unseenAgain}
        </a>
      ) : null}
    </>
  )
}

/** Of a payment whose outcome is not known, to ask about it. */
export const factsOf = (payment: PaymentView, lang: Lang): readonly Fact[] => {
  const words = PAY_WORDS[lang]
  return [
    [words.amount, money(payment.amount, payment.currency, lang)],
    [words.phone, payment.maskedNumber],
    [words.started, moment(payment.createdAt, payment.country, lang)],
    [words.reference, payment.reference, 'whole'],
  ]
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
export function Leaving({ view, visit }: Pick<ResultProps, 'view' | 'visit'>) {
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
      <a class="button" href={view.returnAddress}>
        {words.returnNow}
      </a>
      <button type="button" class="plain" id="stay">
        {words.stay}
      </button>
    </div>
  )
}

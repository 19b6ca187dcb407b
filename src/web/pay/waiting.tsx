/** C-3, C-4 and C-7: the payment is in progress and waits for an approval. */
import type { ComponentChildren } from 'preact'
import { PAGES } from '../../domain/client-timing.ts'
import type { PaymentView } from '../../usecases/hosted/view.ts'
import { money } from '../money.ts'
import { Qr } from '../qr.tsx'
import { fill } from '../words.ts'
import { Amount } from './amount.tsx'
import { Facts, Filled, here, ReturnLink, Sign, Value } from './parts.tsx'
import { factsOf } from './result.tsx'
import { Steps } from './steps.tsx'
import { markOf, type Screen, type StartedView, type Visit } from './visit.ts'
import { PAY_WORDS } from './words.ts'

type RunningProps = { readonly view: StartedView; readonly visit: Visit }
type ScreenProps = RunningProps & { readonly screen: Screen }

/** The part that is replaced when something else is to be shown. */
export function Running({ view, visit, screen }: ScreenProps) {
  return (
    <>
      <div id="live" data-mark={markOf(view, visit)} data-next={here(visit, { wait: '1' })}>
        <Part view={view} visit={visit} screen={screen} />
      </div>
      <ReturnLink view={view} visit={visit} />
    </>
  )
}

function Part({ screen, ...props }: ScreenProps) {
  switch (screen) {
    case 'confirming':
      return <Confirming {...props} />
    case 'go':
      return <Go {...props} />
    case 'processing':
      return <Processing {...props} />
    default:
      return <Waiting {...props} isSlow={screen === 'slow'} />
  }
}

/**
 * A link, not a form: a form's answer must not lead to another site, and this one may. The main
 * action only where no script asks by itself.
 */
function Check({ view, visit, isMain }: RunningProps & { readonly isMain: boolean }) {
  const address = here(visit, { wait: '20', v: markOf(view, visit) })
  return (
    <a class={isMain ? 'button check' : 'button second'} href={address}>
      {PAY_WORDS[visit.lang].check}
    </a>
  )
}

type PendingProps = Pick<RunningProps, 'visit'> & { readonly children: ComponentChildren }

function Pending({ visit, children }: PendingProps) {
  return (
    <div class="pending">
      <span class="spinner" />
      <div>
        <p>{children}</p>
        <Offline visit={visit} />
      </div>
    </div>
  )
}

/** Filled by the script. */
const Offline = ({ visit }: Pick<RunningProps, 'visit'>) => (
  <p class="offline" id="offline" role="status" data-text={PAY_WORDS[visit.lang].offline} />
)

const BigSum = ({ view: { payment }, visit }: RunningProps) => (
  <Amount text={money(payment.amount, payment.currency, visit.lang)} />
)

const valuesOf = ({ view, visit }: RunningProps) => {
  const { payment, merchant } = view
  return {
    phone: <Value>{payment.maskedNumber}</Value>,
    amount: <Value>{money(payment.amount, payment.currency, visit.lang)}</Value>,
    name: <bdi>{merchant}</bdi>,
    provider: <bdi>{payment.provider.name}</bdi>,
  }
}

function Waiting({ view, visit, isSlow }: RunningProps & { readonly isSlow: boolean }) {
  const words = PAY_WORDS[visit.lang]
  const { provider, createdAt } = view.payment
  const isManual = provider.pinPrompt === 'MANUAL'
  const values = valuesOf({ view, visit })
  return (
    <>
      <h1>{words.waitHeading}</h1>
      <BigSum view={view} visit={visit} />
      <p>
        <Filled text={isManual ? words.waitManual : words.waitLead} values={values} />
      </p>
      {isManual ? <Steps provider={provider} lang={visit.lang} /> : null}
      <Pending visit={visit}>{words.waiting}</Pending>
      {isSlow ? (
        <p class="slow">
          <Filled text={words.slow} values={values} /> {words.slowNext}
        </p>
      ) : null}
      <Check view={view} visit={visit} isMain />
      {isManual ? null : <Revive payment={view.payment} visit={visit} since={createdAt} />}
      <p class="note">{words.neverPin}</p>
      <p class="note">{words.leave}</p>
    </>
  )
}

type ReviveProps = {
  readonly payment: PaymentView
  readonly visit: Visit
  readonly since: number
}

/** Closed without script; with it, it comes by itself when the prompt should have been there. */
function Revive({ payment: { provider }, visit, since }: ReviveProps) {
  if (!provider.pinPromptRevivable || provider.instructions === undefined) return null
  const after = Math.max(0, Math.ceil(PAGES.promptThereSeconds - (visit.now - since) / 1000))
  return (
    <details data-after={after}>
      <summary>{PAY_WORDS[visit.lang].revive}</summary>
      <Steps provider={provider} lang={visit.lang} />
    </details>
  )
}

function Processing({ view, visit }: RunningProps) {
  const words = PAY_WORDS[visit.lang]
  const values = valuesOf({ view, visit })
  return (
    <>
      <h1>{words.processHeading}</h1>
      <BigSum view={view} visit={visit} />
      <p>
        <Filled text={words.processLead} values={values} />
      </p>
      <Pending visit={visit}>
        <Filled text={words.processing} values={values} />
      </Pending>
      <Check view={view} visit={visit} isMain />
      <p class="note">{words.neverPin}</p>
      <p class="note">{words.leave}</p>
    </>
  )
}

function Go({ view, visit }: RunningProps) {
  const words = PAY_WORDS[visit.lang]
  const { authorizationUrl, provider } = view.payment
  const names = { provider: provider.name }
  return (
    <>
      <h1>{fill(words.goHeading, names)}</h1>
      <BigSum view={view} visit={visit} />
      <p>
        <Filled text={words.goLead} values={valuesOf({ view, visit })} />
      </p>
      {authorizationUrl === undefined ? (
        <Pending visit={visit}>{fill(words.goSoon, names)}</Pending>
      ) : (
        <>
          <a class="button" href={authorizationUrl} rel="noreferrer">
            {fill(words.goButton, names)}
          </a>
          <figure class="qr">
            <Qr text={authorizationUrl} />
            <figcaption>{words.goScan}</figcaption>
          </figure>
          <Offline visit={visit} />
        </>
      )}
      <Check view={view} visit={visit} isMain={authorizationUrl === undefined} />
      <p class="note">{words.leave}</p>
    </>
  )
}

function Confirming({ view, visit }: RunningProps) {
  const words = PAY_WORDS[visit.lang]
  const bold = <strong>{words.doNotPayAgain}</strong>
  return (
    <>
      <Sign kind="time" />
      <h1>{words.confirmHeading}</h1>
      <p>
        <Filled text={words.confirmLead} values={{ ...valuesOf({ view, visit }), bold }} />
      </p>
      <Facts rows={factsOf(view.payment, visit.lang)} />
      <Offline visit={visit} />
      <Check view={view} visit={visit} isMain={false} />
    </>
  )
}

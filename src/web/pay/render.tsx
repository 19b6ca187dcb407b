/** Renders the screen that a customer sees. */
import type { ComponentChild } from 'preact'
import type { Branding } from '../../domain/hosted/branding.ts'
import { assets } from '../assets.ts'
import { type Page, renderPage } from '../page.tsx'
import { fill } from '../words.ts'
import { Ask, questionOf } from './ask.tsx'
import { brandStyle } from './brand.ts'
import { Code } from './code.tsx'
import { Countries, countryProblem } from './country.tsx'
import { Details } from './details.tsx'
import { PayFrame } from './frame.tsx'
import { Cancelled, Closed, Expired, Notice, type NoticeKind } from './notices.tsx'
import { problemsOf } from './refusal-text.ts'
import { Failed, Paid, Receipt } from './result.tsx'
import {
  chosenCountry,
  type DetailsView,
  failedAttempt,
  type HostedView,
  isUnseen,
  type KnownView,
  returnsAfter,
  type Screen,
  type StartedView,
  screenOf,
  type Typed,
  type Visit,
} from './visit.ts'
import { Running } from './waiting.tsx'
import { PAY_WORDS } from './words.ts'

const STYLE = assets('pay.css')
/** Every screen works without a script; each carries only the one that it needs. */
const SCRIPTS = {
  form: assets('pay-form.js'),
  wait: assets('pay-wait.js'),
  result: assets('pay-result.js'),
}

export type PayPage = Page & { readonly status: number }

type Shown = {
  readonly title: string
  readonly body: ComponentChild
  readonly script?: string | undefined
  readonly keepsForm?: boolean
  readonly status?: number
}

export function renderPay(view: HostedView, visit: Visit, typed?: Typed): PayPage {
  if (view.screen === 'UNKNOWN') return renderNotice('unknown', 404, visit)
  return framed(shownOf(view, visit, typed), visit, view)
}

export function renderNotice(kind: NoticeKind, status: number, visit: Visit): PayPage {
  const words = PAY_WORDS[visit.lang]
  const title = words[`${kind}Heading`]
  return framed({ title, body: <Notice kind={kind} visit={visit} />, status }, visit, undefined)
}

type Whose = { readonly merchant: string; readonly brand: Branding }

function framed(shown: Shown, visit: Visit, whose: Whose | undefined): PayPage {
  const { title, status = 200, keepsForm = false } = shown
  const { isPreview } = visit
  const style = STYLE + brandStyle(whose?.brand)
  const script = isPreview ? undefined : shown.script
  const body = (
    <PayFrame visit={visit} whose={whose} keepsForm={keepsForm}>
      {shown.body}
    </PayFrame>
  )
  const page = renderPage({ lang: visit.lang, title, body, style, script, isPreview })
  return { ...page, status }
}

/** The receipt as a file: it needs nothing but itself, and leads nowhere. */
export function renderReceipt(view: HostedView, visit: Visit): Page | undefined {
  if (view.screen !== 'ENDED' || view.payment.state !== 'COMPLETED') return undefined
  const words = PAY_WORDS[visit.lang]
  const body = (
    <div class="page">
      <header>
        <bdi class="merchant">{view.merchant}</bdi>
      </header>
      <main>
        <Receipt view={view} visit={visit} payment={view.payment} />
      </main>
      <footer>{visit.isSandbox ? <p class="sandbox">{words.sandbox}</p> : null}</footer>
    </div>
  )
  const style = STYLE + brandStyle(view.brand)
  return renderPage({ lang: visit.lang, title: words.paidHeading, body, style })
}

function shownOf(view: KnownView, visit: Visit, typed: Typed | undefined): Shown {
  const words = PAY_WORDS[visit.lang]
  const screen = typed === undefined ? screenOf(view, visit) : typedScreen(view, visit)
  if (view.screen === 'RUNNING') return runningShown(view, visit, screen)
  switch (screen) {
    case 'expired':
      return {
        title: words.expiredHeading,
        body: <Expired view={view} visit={visit} />,
        status: 410,
      }
    case 'cancelled':
      return {
        title: words.cancelledHeading,
        body: <Cancelled view={view} visit={visit} />,
        ...leaving(view, visit),
      }
    case 'paid':
    case 'failed':
      return resultShown(view, visit, screen)
    default:
      return view.screen === 'DETAILS' ? openShown(view, visit, screen, typed) : NOTHING
  }
}

/** No view comes here: every screen of a payment that is not open is named above. */
const NOTHING: Shown = { title: '', body: null }

/** A customer who sends a form gets it back, unless the page is past it. */
function typedScreen(view: KnownView, visit: Visit): Screen {
  return screenOf(view, { ...visit, wantsForm: true })
}

const leaving = (view: KnownView, visit: Visit): Pick<Shown, 'script'> =>
  returnsAfter(view, visit) === undefined ? {} : { script: SCRIPTS.result }

function runningShown(view: StartedView, visit: Visit, screen: Screen): Shown {
  const words = PAY_WORDS[visit.lang]
  const provider = view.payment.provider.name
  const headings: Partial<Record<Screen, string>> = {
    confirming: words.confirmHeading,
    processing: words.processHeading,
    go: fill(words.goHeading, { provider }),
  }
  return {
    title: headings[screen] ?? words.waitHeading,
    body: <Running view={view} visit={visit} screen={screen} />,
    script: SCRIPTS.wait,
  }
}

function resultShown(view: KnownView, visit: Visit, screen: 'paid' | 'failed'): Shown {
  const words = PAY_WORDS[visit.lang]
  const payment = view.screen === 'ENDED' ? view.payment : failedAttempt(view)
  if (payment === undefined) return NOTHING
  const facts = { view, visit, payment }
  return screen === 'paid'
    ? { title: words.paidHeading, body: <Paid {...facts} />, ...leaving(view, visit) }
    : {
        title: isUnseen(payment) ? words.unseenHeading : words.failedHeading,
        body: <Failed {...facts} />,
        ...leaving(view, visit),
      }
}

function openShown(
  view: DetailsView,
  visit: Visit,
  screen: Screen,
  typed: Typed | undefined,
): Shown {
  const words = PAY_WORDS[visit.lang]
  const title = fill(words.payTitle, { name: view.merchant })
  const country = chosenCountry(view, visit)
  if (screen === 'closed') {
    return { title: words.closedHeading, body: <Closed view={view} visit={visit} /> }
  }
  if (country === undefined) {
    const isRefused = countryProblem(visit) !== undefined
    return {
      title: isRefused ? words.error + title : title,
      body: <Countries view={view} visit={visit} />,
      script: SCRIPTS.form,
    }
  }
  const problems = problemsOf(typed, country, visit.lang)
  const isBusy = typed?.isBusy === true
  const isRefused = problems.length > 0 || screen === 'code' || isBusy
  const form = {
    title: isRefused ? words.error + title : title,
    script: SCRIPTS.form,
    keepsForm: true,
    status: isBusy ? 503 : problems.length > 0 ? 422 : 200,
  }
  const facts = { view, visit, country, typed }
  const wanted = typed?.form.provider ?? failedAttempt(view)?.provider.provider
  const provider = country.providers.find((one) => one.provider === wanted)
  const question = questionOf(typed, country)
  if (typed !== undefined && question !== undefined) {
    const { askHeading } = words
    return {
      ...form,
      title: askHeading,
      body: <Ask {...facts} typed={typed} question={question} />,
    }
  }
  const asksForCode = screen === 'code' || wantsCode(typed)
  return asksForCode && provider !== undefined
    ? { ...form, body: <Code {...facts} provider={provider} /> }
    : { ...form, body: <Details {...facts} /> }
}

const wantsCode = (typed: Typed | undefined): boolean =>
  typed?.refusals.some(({ field }) => field === 'preAuthorisationCode') === true

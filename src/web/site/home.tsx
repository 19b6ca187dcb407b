/** The page at `/`: what runs here, how it is, and how to make a first payment. */

import { assets } from '../assets.ts'
import { CodeBlock, CopyButton, Frame, pageLink } from '../frame.tsx'
import { type Page, renderPage } from '../page.tsx'
import { TEST_NUMBERS_PATH } from '../reference/anchors.ts'
import { inline } from '../reference/prose.tsx'
import { sandboxLinks } from '../sandbox/links.ts'
import { CATALOGUES, type Lang, type Words } from '../words.ts'
import { firstPayment } from './first-payment.ts'
import type { HomeInfo } from './home-info.ts'
import { ServiceState } from './service-state.tsx'

const STYLE = assets('page.css', 'home.css')
const SCRIPT = assets('copy.js')

type Part = { readonly info: HomeInfo; readonly lang: Lang; readonly words: Words }

export function renderHome(info: HomeInfo, lang: Lang): Page {
  const words = CATALOGUES[lang]
  const part: Part = { info, lang, words }
  return renderPage({
    lang,
    title: words.homeTitle,
    style: STYLE,
    script: SCRIPT,
    body: (
      <Frame lang={lang} path="/" more={info.environment === 'sandbox' ? sandboxLinks(lang) : []}>
        <main id="content" class="home">
          <div class="opening">
            <Opening {...part} />
            <ServiceState info={info} lang={lang} />
          </div>
          {info.environment === 'sandbox' ? <FirstPaymentSteps {...part} /> : <Calling {...part} />}
          <Places {...part} />
        </main>
      </Frame>
    ),
  })
}

function Opening({ info, lang, words }: Part) {
  const isSandbox = info.environment === 'sandbox'
  const live = info.hasOperator ? words.productionMeaning : words.productionNoOperator
  return (
    <div class="intro">
      <h1>{words.homeHeading}</h1>
      <p class="lead">{words.homeLead}</p>
      <dl class="facts">
        <dt>{words.baseUrl}</dt>
        <dd class="code base">
          <code dir="ltr">{info.baseUrl}</code>
          <CopyButton lang={lang} label={words.baseUrl} />
        </dd>
      </dl>
      <p class="environment">
        <span class={isSandbox ? 'badge sandbox' : 'badge live'}>
          {isSandbox ? words.sandbox : words.production}
        </span>{' '}
        {isSandbox ? words.sandboxMeaning : live}
      </p>
    </div>
  )
}

function FirstPaymentSteps({ info, lang, words }: Part) {
  const commands = firstPayment(info.baseUrl, words.tokenPlaceholder)
  const steps = [
    {
      title: words.tokenHeading,
      text: words.tokenText,
      label: words.codeToken,
      code: commands.token,
    },
    { title: words.sendHeading, text: words.sendText, label: words.codeSend, code: commands.send },
    {
      title: words.outcomeHeading,
      text: words.outcomeText,
      label: words.codeOutcome,
      code: commands.outcome,
    },
  ]
  return (
    <section aria-labelledby="first">
      <h2 id="first">{words.firstHeading}</h2>
      <p class="measure in-browser">
        {words.browserText} <a href={pageLink('/sandbox/shop', lang)}>{words.browserShop}</a>{' '}
        <a href={pageLink('/sandbox', lang)}>{words.browserPhone}</a>
      </p>
      <p class="measure in-browser">{words.apiText}</p>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.title}>
            <div>
              <h3>{step.title}</h3>
              <p>{inline(step.text)}</p>
            </div>
            <CodeBlock lang={lang} title={step.label} label={step.label} code={step.code} />
          </li>
        ))}
        <li>
          <div>
            <h3>{words.othersHeading}</h3>
            <p>{inline(words.othersText)}</p>
            <p>
              <a class="onward" href={TEST_NUMBERS_PATH} hreflang="en">
                {words.othersLink}
              </a>
            </p>
          </div>
        </li>
      </ol>
    </section>
  )
}

function Calling({ words }: Part) {
  return (
    <section aria-labelledby="calling">
      <h2 id="calling">{words.liveHeading}</h2>
      <p class="measure">{inline(words.liveText)}</p>
    </section>
  )
}

function Places({ info, lang, words }: Part) {
  const sandbox = [
    { path: '/sandbox', href: pageLink('/sandbox', lang), text: words.sandboxText },
    { path: '/sandbox/shop', href: pageLink('/sandbox/shop', lang), text: words.shopText },
  ]
  const places = [
    ...(info.environment === 'sandbox' ? sandbox : []),
    { path: '/docs', href: '/docs', text: words.docsText },
    { path: '/openapi.json', href: '/openapi.json', text: words.openapiText },
    { path: '/livez', href: '/livez', text: words.livezText },
    { path: '/readyz', href: '/readyz', text: words.readyzText },
    { path: '/metrics', href: '/metrics', text: words.metricsText },
  ]
  return (
    <section aria-labelledby="places">
      <h2 id="places">{words.placesHeading}</h2>
      <ul class="places">
        {places.map((place) => (
          <li key={place.path}>
            <a href={place.href}>
              <code>{place.path}</code>
            </a>
            <span>{place.text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

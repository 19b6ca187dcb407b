/** For people who opened an address that leads nowhere; programs get JSON. */
import type { StrayPage } from '../../http/pages.ts'
import { assets } from '../assets.ts'
import { Frame, pageLink } from '../frame.tsx'
import { once } from '../once.ts'
import { type Page, renderPage } from '../page.tsx'
import { languageOf } from '../request.ts'
import { privatePage } from '../response.ts'
import { sandboxLinks } from '../sandbox/links.ts'
import { CATALOGUES, type Lang } from '../words.ts'

const STYLE = assets('page.css', 'home.css')

/** The same for all addresses, so it names none. */
function renderMissing(lang: Lang, isSandbox: boolean): Page {
  const words = CATALOGUES[lang]
  return renderPage({
    lang,
    title: words.missingHeading,
    style: STYLE,
    body: (
      <Frame lang={lang} path="" more={isSandbox ? sandboxLinks(lang) : []}>
        <main id="content" class="home">
          <div class="intro">
            <h1>{words.missingHeading}</h1>
            <p class="lead">{words.missingText}</p>
            <ul class="ways">
              <li>
                <a href={pageLink('/', lang)}>{words.homeLink}</a>
              </li>
              <li>
                <a href="/docs" hreflang="en">
                  {words.docsLink}
                </a>
              </li>
            </ul>
          </div>
        </main>
      </Frame>
    ),
  })
}

export function missingPage(isSandbox: boolean): StrayPage {
  const pages = {
    en: once(() => renderMissing('en', isSandbox)),
    fr: once(() => renderMissing('fr', isSandbox)),
  }
  return (_, status, request) => {
    const isVisit = request.method === 'GET' || request.method === 'HEAD'
    const isAmiss = status === 404 || status === 400
    if (!isAmiss || !isVisit || !/\btext\/html\b/.test(String(request.headers.accept))) {
      return undefined
    }
    return privatePage(pages[languageOf(request)](), status, { vary: 'accept, accept-language' })
  }
}

import { CATALOGUES, LANGUAGE_NAMES, type Lang } from '../words.ts'
import type { Visit } from './visit.ts'

/** The same page in the other language. */
export function Languages({ visit }: { readonly visit: Visit }) {
  const { lang } = visit
  return (
    <nav class="languages" aria-label={CATALOGUES[lang].languages}>
      {(['en', 'fr'] as const).map((each) => (
        <a
          key={each}
          href={inLanguage(visit, each)}
          lang={each}
          hreflang={each}
          aria-current={each === lang ? 'true' : undefined}
        >
          {LANGUAGE_NAMES[each]}
        </a>
      ))}
    </nav>
  )
}

function inLanguage({ request, reopenedAt }: Visit, lang: Lang): string {
  const [path = '', search] = reopenedAt.split('?')
  const query =
    search === undefined ? request.query : Object.fromEntries(new URLSearchParams(search))
  const kept = Object.entries(query).filter(
    ([name, value]) => name !== 'lang' && typeof value === 'string',
  )
  return `${path}?${new URLSearchParams([...(kept as [string, string][]), ['lang', lang]].slice(-30))}`
}

import { CATALOGUES, LANGUAGE_NAMES, type Lang } from './words.ts'

type Props = {
  readonly lang: Lang
  /** Empty: the address of the page itself. */
  readonly at: string
  /** What the address says beside the language. */
  readonly kept: Readonly<Record<string, string>>
}

/** The same page in the other language. */
export function Languages({ lang, at, kept }: Props) {
  return (
    <nav class="languages" aria-label={CATALOGUES[lang].languages}>
      {(['en', 'fr'] as const).map((each) => (
        <a
          key={each}
          href={`${at}?${new URLSearchParams({ ...kept, lang: each })}`}
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

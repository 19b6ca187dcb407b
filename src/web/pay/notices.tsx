/** The screens that only say something: C-8 to C-12. */
import { fill } from '../words.ts'
import { here, ReturnLink, Sign } from './parts.tsx'
import { Heading, Leaving } from './result.tsx'
import type { DetailsView, KnownView, Visit } from './visit.ts'
import { PAY_WORDS } from './words.ts'

type NoticeProps = { readonly view: KnownView; readonly visit: Visit }

export function Expired({ view, visit }: NoticeProps) {
  const words = PAY_WORDS[visit.lang]
  return (
    <>
      <Sign kind="time" />
      <Heading text={words.expiredHeading} />
      <p>
        {words.expired} {words.notCharged}
      </p>
      <ReturnLink view={view} visit={visit} isMain />
    </>
  )
}

export function Cancelled({ view, visit }: NoticeProps) {
  const words = PAY_WORDS[visit.lang]
  return (
    <>
      <Sign kind="none" />
      <Heading text={words.cancelledHeading} />
      <p>
        {words.cancelled} {words.notCharged}
      </p>
      <Leaving view={view} visit={visit} />
      <ReturnLink view={view} visit={visit} isMain />
    </>
  )
}

export function Closed({ view, visit }: { readonly view: DetailsView; readonly visit: Visit }) {
  const words = PAY_WORDS[visit.lang]
  const names = new Set(view.choices.flatMap(({ providers }) => providers.map(({ name }) => name)))
  const list = new Intl.ListFormat(visit.lang, { type: 'conjunction' }).format(names)
  return (
    <>
      <Sign kind="stop" />
      <Heading text={words.closedHeading} />
      <p>{names.size === 0 ? words.closedAll : fill(words.closed, { providers: list })}</p>
      <a class="button" href={here(visit)}>
        {words.reload}
      </a>
      <ReturnLink view={view} visit={visit} />
    </>
  )
}

const NOTICES = {
  unknown: ['unknownHeading', 'unknown'],
  problem: ['problemHeading', 'problem'],
  foreign: ['foreignHeading', 'foreign'],
  oversize: ['oversizeHeading', 'oversize'],
} as const

export type NoticeKind = keyof typeof NOTICES

/** Without a word about whose link it might be. */
export function Notice({ kind, visit }: { readonly kind: NoticeKind; readonly visit: Visit }) {
  const words = PAY_WORDS[visit.lang]
  const [heading, text] = NOTICES[kind]
  return (
    <>
      <Sign kind="stop" />
      <Heading text={words[heading]} />
      <p>{words[text]}</p>
      {kind === 'unknown' ? null : (
        <a class="button" href={here(visit)}>
          {words.reload}
        </a>
      )}
    </>
  )
}

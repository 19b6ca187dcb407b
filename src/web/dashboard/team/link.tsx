import type { Page } from '../../../http/pages.ts'
import { CodeBlock } from '../../frame.tsx'
import { fill } from '../../words.ts'
import { dashboardPage } from '../frame.tsx'
import type { Visit } from '../visit.ts'
import { TEAM_WORDS } from './words.ts'

/**
 * Where no mail is sent: the only page that ever shows the link. It answers the form itself, so that
 * the link is kept neither in an address nor in a cookie.
 */
export function linkPage(visit: Visit, { email }: { readonly email: string }, link: string): Page {
  const { lang } = visit
  const words = TEAM_WORDS[lang]
  const title = fill(words.linkFor, { email })
  return dashboardPage(visit, {
    name: 'team',
    heading: words.linkHeading,
    isShownOnce: true,
    children: (
      <>
        <h1>{words.linkHeading}</h1>
        <p class="notice warn" role="status">
          {fill(words.invitedShown, { email })}
        </p>
        <CodeBlock lang={lang} title={title} label={title} code={link} />
        <p>
          <a href="/dashboard/team?tab=pending">{words.back}</a>
        </p>
      </>
    ),
  })
}

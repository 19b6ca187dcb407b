import type { Page } from '../../../http/pages.ts'
import { passwordUrl } from '../../../usecases/people/manage-users.ts'
import {
  changeGrant,
  disableMember,
  enableMember,
  invite,
  inviteAgain,
  memberOf,
  sendReset,
  type TeamFault,
  type TeamResult,
  teamOf,
} from '../../../usecases/people/team.ts'
import { seeOther } from '../../response.ts'
import { fill } from '../../words.ts'
import { missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import { invitationMail, resetMail } from '../mails.ts'
import type { DashboardRoute, Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { grantIn } from './grant.tsx'
import { linkPage } from './link.tsx'
import { memberPage } from './member.tsx'
import { teamPage } from './page.tsx'
import { TEAM_WORDS, type TeamWords } from './words.ts'

const PATH = '/dashboard/team'
const MEMBER = `${PATH}/:member`

const form = (path: string, answer: DashboardRoute['answer']): DashboardRoute => ({
  path,
  method: 'POST',
  permission: 'team:manage',
  isSensitive: true,
  answer,
})

export const TEAM_ROUTES: readonly DashboardRoute[] = [
  {
    path: PATH,
    permission: 'team:manage',
    answer: async (visit) => teamPage(visit, await teamOf(visit.ctx, visit.person)),
  },
  form(`${PATH}/invite`, takeInvitation),
  { path: MEMBER, permission: 'team:manage', answer: (visit) => showMember(visit) },
  form(MEMBER, takeGrant),
  form(`${MEMBER}/disable`, (visit) => act(visit, disableMember, afterDisabling)),
  form(`${MEMBER}/enable`, (visit) => act(visit, enableMember, flash('wasEnabled'))),
  form(`${MEMBER}/resend`, (visit) => act(visit, inviteAgain, afterInvitation)),
  form(`${MEMBER}/reset`, (visit) => act(visit, sendReset, afterReset)),
]

type Done = Extract<TeamResult, { status: 'DONE' }>
type Then = (visit: Visit, done: Done) => Page

const flash =
  (text: keyof TeamWords): Then =>
  (visit, { member }) =>
    goTo(
      visit,
      `${PATH}/${member.userId}`,
      fill(TEAM_WORDS[visit.lang][text], { email: member.email }),
    )

/** Who disabled themselves cannot see the page of the team any more. */
function afterDisabling(visit: Visit, done: Done): Page {
  const { person, lang } = visit
  if (done.member.userId !== person.user.userId) return flash('wasDisabled')(visit, done)
  if (!done.member.isElsewhere) return seeOther('/sign-in?notice=disabled')
  const text = fill(TEAM_WORDS[lang].disabledSelf, { merchant: person.merchant.name })
  return goTo(visit, '/dashboard', text)
}

async function takeInvitation(visit: Visit): Promise<Page> {
  const { ctx, person, request } = visit
  const grant = grantIn(visit)
  const result: TeamResult =
    grant === undefined
      ? { status: 'ROLE' }
      : await invite(ctx, person, { ...grant, email: request.form.get('email') ?? '' })
  if (result.status === 'DONE') return afterInvitation(visit, result)
  return teamPage(visit, await teamOf(ctx, person), result.status)
}

async function takeGrant(visit: Visit): Promise<Page> {
  const grant = grantIn(visit)
  if (grant === undefined) return showMember(visit, 'ROLE')
  return act(
    visit,
    (ctx, person, userId) => changeGrant(ctx, person, userId, grant),
    flash('changed'),
    'ROLE',
  )
}

/** Undefined where the address names nobody. */
const memberIn = ({ request }: Visit): number | undefined => {
  const text = request.params.member ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

async function showMember(visit: Visit, fault?: TeamFault | 'notYours'): Promise<Page> {
  const userId = memberIn(visit)
  const member = userId === undefined ? undefined : await memberOf(visit.ctx, visit.person, userId)
  return member === undefined ? missingPage(visit) : memberPage(visit, member, fault)
}

/** Somebody of a higher role is out of reach; the refusal names the roles that they may grant. */
async function act(
  visit: Visit,
  work: typeof disableMember,
  then: Then,
  ofRole: 'ROLE' | 'notYours' = 'notYours',
): Promise<Page> {
  const userId = memberIn(visit)
  if (userId === undefined) return missingPage(visit)
  const result = await work(visit.ctx, visit.person, userId)
  if (result.status === 'DONE') return then(visit, result)
  return showMember(visit, result.status === 'ROLE' ? ofRole : result.status)
}

/** By mail, or shown once where there is none. */
function afterInvitation(visit: Visit, { member, code }: Done): Page {
  const { ctx, person, parts, lang } = visit
  const words = TEAM_WORDS[lang]
  const link = code === undefined ? undefined : passwordUrl(parts.publicUrl(), code)
  const language = member.language ?? lang
  ctx.people.mailer.send(() =>
    invitationMail(language, {
      to: member.email,
      by: person.user.name || person.user.email,
      merchant: person.merchant.name,
      role: DASHBOARD_WORDS[language][`role_${member.role}`],
      link: link ?? `${parts.publicUrl()}/sign-in`,
      isNew: link !== undefined,
    }),
  )
  const text = link === undefined ? words.joined : words.invited
  return (
    shownLink(visit, member, link) ??
    goTo(visit, `${PATH}?tab=pending`, fill(text, { email: member.email }))
  )
}

function afterReset(visit: Visit, { member, code = '' }: Done): Page {
  const link = passwordUrl(visit.parts.publicUrl(), code)
  const { mailer } = visit.ctx.people
  mailer.send(() => resetMail(member.language ?? visit.lang, member.email, link))
  return (
    shownLink(visit, member, link) ??
    goTo(
      visit,
      `${PATH}/${member.userId}`,
      fill(TEAM_WORDS[visit.lang].sent, { email: member.email }),
    )
  )
}

function shownLink(visit: Visit, member: Done['member'], link?: string): Page | undefined {
  if (link === undefined || visit.ctx.people.mailer.way !== 'NONE') return undefined
  return linkPage(visit, member, link)
}

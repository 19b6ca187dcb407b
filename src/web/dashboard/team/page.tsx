import type { Page } from '../../../http/pages.ts'
import type { TeamFault, teamOf } from '../../../usecases/people/team.ts'
import { fill } from '../../words.ts'
import { ApplyFilters, Field } from '../fields.tsx'
import { dashboardPage, Form } from '../frame.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { countriesFor, GrantFields, grantIn } from './grant.tsx'
import { TEAM_WORDS, type TeamWords } from './words.ts'

export type Members = Awaited<ReturnType<typeof teamOf>>
type Member = Members[number]

const TABS = ['active', 'pending', 'disabled'] as const
type Tab = (typeof TABS)[number]

export function teamPage(visit: Visit, members: Members, fault?: TeamFault): Page {
  const { lang, request } = visit
  const words = TEAM_WORDS[lang]
  const tab = TABS.find((one) => one === request.query.tab) ?? 'active'
  const text = typeof request.query.q === 'string' ? request.query.q.trim().slice(0, 200) : ''
  const inTab = members.filter(({ state }) => state === tab)
  const shown = inTab.filter(({ name, email }) => isNear(`${name} ${email}`, text))
  return dashboardPage(visit, {
    name: 'team',
    heading: words.heading,
    status: fault === undefined ? 200 : 400,
    isProblem: fault !== undefined,
    children: (
      <>
        {fault === undefined ? null : (
          <p class="notice bad" role="alert">
            <strong>{DASHBOARD_WORDS[lang].error}</strong>
            <a href={`#${FIELDS[fault] ?? 'email'}`}>{words[fault]}</a>
          </p>
        )}
        <h1>{words.heading}</h1>
        <Tabs members={members} tab={tab} words={words} />
        <form class="filters" action="/dashboard/team">
          <input type="hidden" name="tab" value={tab} />
          <Field name="q" label={words.filter} value={text} />
          <ApplyFilters visit={visit} />
        </form>
        {shown.length === 0 ? (
          <Empty tab={tab} words={words} />
        ) : (
          <MemberTable visit={visit} members={shown} />
        )}
        <InvitePanel visit={visit} fault={fault} />
      </>
    ),
  })
}

const FIELDS: Readonly<Partial<Record<TeamFault, string>>> = { ROLE: 'role', COUNTRIES: 'role' }

const plain = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const isNear = (where: string, text: string): boolean => plain(where).includes(plain(text))

type TabsProps = { readonly members: Members; readonly tab: Tab; readonly words: TeamWords }

function Tabs({ members, tab, words }: TabsProps) {
  return (
    <nav class="tabs" aria-label={words.states}>
      {TABS.map((one) => (
        <a
          key={one}
          href={`/dashboard/team?tab=${one}`}
          aria-current={one === tab ? 'page' : undefined}
        >
          {words[one]} ({members.filter(({ state }) => state === one).length})
        </a>
      ))}
    </nav>
  )
}

const EMPTY = { active: 'emptyActive', pending: 'emptyPending', disabled: 'emptyDisabled' } as const

function Empty({ tab, words }: { readonly tab: Tab; readonly words: TeamWords }) {
  return (
    <div class="empty panel">
      <p>{words[EMPTY[tab]]}</p>
      <p>
        <a href="/dashboard/team">{words.showAll}</a>
      </p>
    </div>
  )
}

function MemberTable({ visit, members }: { readonly visit: Visit; readonly members: Members }) {
  const words = TEAM_WORDS[visit.lang]
  const { length: count } = members
  const names = new Map(countriesFor(visit))
  return (
    <StackedTable
      caption={count === 1 ? words.captionOne : fill(words.caption, { count })}
      heads={[words.email, words.name, words.role, words.countries, words.seen, words.secondFactor]}
    >
      {members.map((member) => (
        <MemberRow key={member.userId} visit={visit} member={member} names={names} />
      ))}
    </StackedTable>
  )
}

type RowProps = {
  readonly visit: Visit
  readonly member: Member
  readonly names: ReadonlyMap<string, string>
}

function MemberRow({ visit, member, names }: RowProps) {
  const { lang, person } = visit
  const words = TEAM_WORDS[lang]
  const { userId, email, name, role, countries, seenMs } = member
  return (
    <tr>
      <th scope="row" data-label={words.email}>
        <span>
          <a href={`/dashboard/team/${userId}`}>{email}</a>{' '}
          {userId === person.user.userId ? <span class="badge">{words.you}</span> : null}
        </span>
      </th>
      <td data-label={words.name}>{name || '–'}</td>
      <td data-label={words.role}>{DASHBOARD_WORDS[lang][`role_${role}`]}</td>
      <td data-label={words.countries}>
        {countries.map((code) => names.get(code) ?? code).join(', ') || words.allCountries}
      </td>
      <td data-label={words.seen}>
        {seenMs === null ? words.never : <When visit={visit} ms={seenMs} />}
      </td>
      <td data-label={words.secondFactor}>{factorText(member, words)}</td>
    </tr>
  )
}

export function factorText({ hasCode, passkeys }: Member, words: TeamWords): string {
  if (hasCode && passkeys > 0) return words.factor_both
  if (hasCode) return words.factor_code
  return passkeys > 0 ? words.factor_passkey : words.factor_none
}

function InvitePanel({
  visit,
  fault,
}: {
  readonly visit: Visit
  readonly fault: TeamFault | undefined
}) {
  const { lang, ctx, request } = visit
  const words = TEAM_WORDS[lang]
  const sendsMail = ctx.people.mailer.way !== 'NONE'
  return (
    <section class="panel" aria-labelledby="invite">
      <h2 id="invite">{words.inviteHeading}</h2>
      <p>{sendsMail ? words.inviteText : words.inviteTextNoMail}</p>
      <Form visit={visit} action="/dashboard/team/invite" class="stack">
        <Field
          name="email"
          label={words.email}
          type="email"
          value={request.form.get('email') ?? ''}
          isWrong={fault === 'NOT_AN_EMAIL' || fault === 'ALREADY'}
        />
        <GrantFields visit={visit} grant={grantIn(visit)} />
        <button type="submit" class="main">
          {words.invite}
        </button>
      </Form>
    </section>
  )
}

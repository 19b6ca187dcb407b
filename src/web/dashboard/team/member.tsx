import type { Page } from '../../../http/pages.ts'
import { mayManage, type TeamFault } from '../../../usecases/people/team.ts'
import { dashboardPage, Form } from '../frame.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { GrantFields, grantIn } from './grant.tsx'
import { factorText, type Members } from './page.tsx'
import { TEAM_WORDS } from './words.ts'

type Member = Members[number]
type Props = { readonly visit: Visit; readonly member: Member }

export function memberPage(visit: Visit, member: Member, fault?: TeamFault | 'notYours'): Page {
  const { lang, person } = visit
  const words = TEAM_WORDS[lang]
  return dashboardPage(visit, {
    name: 'team',
    heading: words.memberHeading,
    status: fault === undefined ? 200 : 400,
    isProblem: fault !== undefined,
    children: (
      <>
        {fault === undefined ? null : (
          <p class="notice bad" role="alert">
            <strong>{DASHBOARD_WORDS[lang].error}</strong>
            {mayManage(person, member) ? <a href="#role">{words[fault]}</a> : words[fault]}
          </p>
        )}
        <h1>{words.memberHeading}</h1>
        <MemberFacts visit={visit} member={member} />
        {mayManage(person, member) ? (
          <>
            <GrantPanel visit={visit} member={member} />
            <AccessPanel visit={visit} member={member} />
          </>
        ) : (
          <p class="note">{words.notYours}</p>
        )}
        <p>
          <a href="/dashboard/team">{words.back}</a>
        </p>
      </>
    ),
  })
}

function MemberFacts({ visit, member }: Props) {
  const { lang } = visit
  const words = TEAM_WORDS[lang]
  const { email, name, state, role, countries, seenMs } = member
  return (
    <dl class="facts">
      <dt>{words.email}</dt>
      <dd>
        {email}{' '}
        <span class={state === 'active' ? 'state good' : 'state'}>{words[`state_${state}`]}</span>
      </dd>
      <dt>{words.name}</dt>
      <dd>{name || '–'}</dd>
      <dt>{words.role}</dt>
      <dd>{DASHBOARD_WORDS[lang][`role_${role}`]}</dd>
      <dt>{words.countries}</dt>
      <dd>{countries.join(', ') || words.allCountries}</dd>
      <dt>{words.seen}</dt>
      <dd>{seenMs === null ? words.never : <When visit={visit} ms={seenMs} />}</dd>
      <dt>{words.secondFactor}</dt>
      <dd>{factorText(member, words)}</dd>
    </dl>
  )
}

function GrantPanel({ visit, member }: Props) {
  const words = TEAM_WORDS[visit.lang]
  return (
    <section class="panel" aria-label={words.role}>
      <Form visit={visit} action={`/dashboard/team/${member.userId}`} class="stack">
        <GrantFields visit={visit} grant={grantIn(visit) ?? member} />
        <button type="submit" class="main">
          {words.change}
        </button>
      </Form>
    </section>
  )
}

function AccessPanel({ visit, member }: Props) {
  const words = TEAM_WORDS[visit.lang]
  const { state, isDisabledHere } = member
  return (
    <section class="panel" aria-labelledby="access">
      <h2 id="access">{words.access}</h2>
      {state === 'pending' ? <Act visit={visit} member={member} act="resend" /> : null}
      {state === 'active' ? (
        <>
          <p class="note">{words.resetText}</p>
          <Act visit={visit} member={member} act="reset" />
        </>
      ) : null}
      {state === 'disabled' ? (
        isDisabledHere ? (
          <Act visit={visit} member={member} act="enable" />
        ) : (
          <p>{words.disabledByService}</p>
        )
      ) : (
        <>
          <p class="note">{words.disableText}</p>
          <Act visit={visit} member={member} act="disable" />
        </>
      )}
    </section>
  )
}

type ActProps = Props & { readonly act: 'resend' | 'reset' | 'enable' | 'disable' }

const Act = ({ visit, member, act }: ActProps) => (
  <Form visit={visit} action={`/dashboard/team/${member.userId}/${act}`}>
    <button type="submit" class={act === 'disable' ? 'danger' : undefined}>
      {TEAM_WORDS[visit.lang][act]}
    </button>
  </Form>
)

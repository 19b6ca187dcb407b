import type { sessionsOf } from '../../../usecases/people/account.ts'
import { fill } from '../../words.ts'
import { Form } from '../frame.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { browserName } from './browser-name.ts'
import { ACCOUNT_WORDS } from './words.ts'

type Props = {
  readonly visit: Visit
  readonly sessions: Awaited<ReturnType<typeof sessionsOf>>
}

/** Where the person is signed in. */
export function Sessions({ visit, sessions }: Props) {
  const words = ACCOUNT_WORDS[visit.lang]
  return (
    <section class="panel" aria-labelledby="sessions">
      <h2 id="sessions">{words.sessions}</h2>
      <p>{words.sessionsText}</p>
      <StackedTable
        caption={words.sessions}
        heads={[words.browser, words.address, words.began, words.seen, words.sessionEnd]}
      >
        {sessions.map((session) => (
          <SessionRow key={session.hash.toString('hex')} visit={visit} session={session} />
        ))}
      </StackedTable>
      {sessions.length < 2 ? null : (
        <Form visit={visit} action="/dashboard/account/sessions/end-others">
          <button type="submit" class="danger">
            {words.sessionsEndOthers}
          </button>
        </Form>
      )}
    </section>
  )
}

function SessionRow({
  visit,
  session,
}: {
  readonly visit: Visit
  readonly session: Props['sessions'][number]
}) {
  const words = ACCOUNT_WORDS[visit.lang]
  const browser = browserName(session.agent, words)
  const isThis = session.hash.equals(visit.person.session.hash)
  const id = session.hash.toString('hex')
  return (
    <tr>
      <th scope="row" data-label={words.browser} title={session.agent}>
        {browser}
      </th>
      <td data-label={words.address}>
        <bdi dir="ltr">{session.address}</bdi>
      </td>
      <td data-label={words.began}>
        <When visit={visit} ms={session.createdMs} />
      </td>
      <td data-label={words.seen}>
        <When visit={visit} ms={session.seenMs} />
      </td>
      <td data-label={words.sessionEnd}>
        {isThis ? (
          <span class="badge">{words.thisOne}</span>
        ) : (
          <Form visit={visit} action="/dashboard/account/sessions/end" values={{ id }}>
            <button type="submit" aria-label={fill(words.sessionEndOf, { browser })}>
              {words.sessionEnd}
            </button>
          </Form>
        )}
      </td>
    </tr>
  )
}

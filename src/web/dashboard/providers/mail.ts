/** The mail about changes of provider status. */
import type { Mail } from '../../../usecases/people/context.ts'
import type { StatusNotice } from '../../../usecases/people/status-notice.ts'
import { fill } from '../../words.ts'
import { momentIn } from '../time.tsx'
import { PROVIDER_WORDS } from './words.ts'

/** The rest is on the page. */
const LINES_MAX = 50

/** Programs that show mail offer a button for these: RFC 2369 and RFC 8058. */
const oneClick = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

export function statusMail(publicUrl: string, notice: StatusNotice): Mail {
  const { user, language, merchant, changes, unsubscribe, id } = notice
  const words = PROVIDER_WORDS[language]
  const url = `${publicUrl}/unsubscribe/${unsubscribe}?lang=${language}`
  const names = [...new Set(changes.map(({ of }) => of.displayName))].join(', ')
  const lines = changes.slice(-LINES_MAX).map((change) =>
    fill(words.mailLine, {
      provider: `${change.of.displayName} (${change.provider})`,
      country: change.country[language],
      operation: words[`op_${change.operation}`],
      status: words[`status_${change.status}`],
      time: momentIn(language, user.timeZone, change.sinceMs),
    }),
  )
  const more = changes.length - lines.length
  const values = { merchant, names, page: `${publicUrl}/dashboard/providers`, unsubscribe: url }
  return {
    to: user.email,
    subject: fill(words.mailSubject, values),
    text: [
      fill(words.mailLead, values),
      [...(more > 0 ? [fill(words.mailMore, { more })] : []), ...lines].join('\n'),
      fill(words.mailEnd, { ...values, zone: user.timeZone }),
    ].join('\n\n'),
    headers: oneClick(url),
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
  }
}

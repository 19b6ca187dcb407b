/** `/sandbox/mail`: what would have been sent, because the sandbox sends no mail by itself. */
import type { keptMailOf } from '../../../usecases/sandbox/kept-mail.ts'
import type { Page } from '../../page.tsx'
import { timeText } from '../../time.ts'
import type { Lang } from '../../words.ts'
import { sandboxScreen } from '../parts.tsx'
import { SANDBOX_WORDS } from '../words.ts'

type Mails = Awaited<ReturnType<typeof keptMailOf>>

export function renderMails(lang: Lang, mails: Mails): Page {
  const words = SANDBOX_WORDS[lang]
  return sandboxScreen({
    lang,
    path: '/sandbox/mail',
    heading: words.mailHeading,
    children: (
      <>
        <h1>{words.mailHeading}</h1>
        <p class="lead">{words.mailLead}</p>
        {mails.length === 0 ? (
          <p>
            {words.mailNone} <a href="/dashboard/team">{words.mailTeam}</a>
          </p>
        ) : null}
        {mails.map(({ number, atMs, recipient, subject, text }) => (
          <section key={number} class="card mail" aria-labelledby={`mail-${number}`}>
            <h2 id={`mail-${number}`}>{subject}</h2>
            <p class="note">
              {words.mailTo} <bdi>{recipient}</bdi> · {timeText(atMs, lang)}
            </p>
            <Text text={text} />
          </section>
        ))}
      </>
    ),
  })
}

/** Paragraphs and lines as they were written, with its addresses as links. */
const Text = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/\n{2,}/).map((paragraph) => (
      <p key={paragraph}>
        {paragraph.split(/(\n|https?:\/\/\S+)/).map((part, at) => {
          if (part === '\n') return <br key={`${at} ${part}`} />
          return /^https?:/.test(part) ? (
            <a key={`${at} ${part}`} href={part}>
              {part}
            </a>
          ) : (
            part
          )
        })}
      </p>
    ))}
  </>
)

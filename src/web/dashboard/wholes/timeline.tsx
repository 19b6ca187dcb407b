/** What happened to a split payment or a checkout, in order. */
import type { WholeStory } from '../../../usecases/payments/browse-wholes.ts'
import { fill } from '../../words.ts'
import { money } from '../money-text.ts'
import { callbackLine } from '../payments/callback-line.ts'
import { DETAIL_WORDS, type DetailWords } from '../payments/detail-words.ts'
import { pathOf } from '../payments/parts.tsx'
import { LIST_WORDS, type ListWords } from '../payments/words.ts'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'

/** Something beside what its payments and callbacks say. */
export type OwnEvent = { readonly atMs: number; readonly text: string }

type Event = OwnEvent & { readonly href?: string }

type Props = {
  readonly visit: Visit
  readonly story: WholeStory
  readonly own: readonly OwnEvent[]
}

function eventsOf({ visit, story, own }: Props): readonly Event[] {
  const { lang } = visit
  const words = DETAIL_WORDS[lang]
  const stateText = (state: string): string =>
    LIST_WORDS[lang][`state_${state}` as keyof ListWords] ?? state
  // What ends a whole is written with the end of its payment, and follows from it.
  const [first, ...later] = own
  const events: Event[] = [
    ...(first === undefined ? [] : [first]),
    ...story.payments.flatMap(({ payment, states }) =>
      states.map(({ state, atMs }) => {
        const kind = words[`heading_${payment.kind}`]
        const happened = words[`event_${state}` as keyof DetailWords] ?? state
        const amount = money(payment.amount, payment.currency, lang)
        const text = fill(words.event_ofPayment, { kind, amount, happened })
        return { atMs, text, href: pathOf(payment) }
      }),
    ),
    ...later,
    ...story.callbacks.flatMap(({ state, attempts }) =>
      attempts.map((one) => ({ atMs: one.atMs, text: callbackLine(stateText(state), one, lang) })),
    ),
  ]
  return events.toSorted((one, other) => one.atMs - other.atMs)
}

export function WholeTimeline(props: Props) {
  const { visit, story } = props
  const words = DETAIL_WORDS[visit.lang]
  return (
    <section class="panel" aria-labelledby="timeline">
      <h2 id="timeline">{words.timeline}</h2>
      <ol class="timeline">
        {eventsOf(props).map(({ atMs, text, href }, at) => (
          <li key={`${atMs} ${at}`}>
            <When visit={visit} ms={atMs} /> {href === undefined ? text : <a href={href}>{text}</a>}
          </li>
        ))}
      </ol>
      {story.archivedIn === undefined ? null : (
        <p class="note">{fill(words.archived, { year: story.archivedIn })}</p>
      )}
    </section>
  )
}

/** The whole story of a payment in the order in which it happened. */
import type { PaymentFile } from '../../../usecases/payments/payment-file.ts'
import { money } from '../../money.ts'
import { fill } from '../../words.ts'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DETAIL_WORDS, type DetailWords } from './detail-words.ts'
import { LIST_WORDS, type ListWords } from './words.ts'

type Event = { readonly atMs: number; readonly text: string; readonly note?: string | undefined }

function eventsOf({ lang }: Visit, file: PaymentFile): readonly Event[] {
  const words = DETAIL_WORDS[lang]
  const { payment, states, exchanges, transfers, cases, callbacks, refunds } = file
  const stateText = (state: string): string => words[`event_${state}` as keyof DetailWords] ?? state
  const shortState = (state: string): string =>
    LIST_WORDS[lang][`state_${state}` as keyof ListWords] ?? state
  const sum = (amount: string): string => money(amount, payment.currency, lang)
  const events: Event[] = [
    ...states.map(({ state, atMs }) => ({
      atMs,
      text: stateText(state),
      note: state === 'FAILED' ? payment.failure?.message : undefined,
    })),
    ...exchanges.map(({ at, what, httpStatus, outcome, reason }) => {
      const said = [httpStatus, outcome ?? reason].filter(Boolean).join(' ') || words.noAnswer
      const text = words[`event_${what}` as keyof DetailWords] ?? what
      return { atMs: at, text: fill(text, { said }) }
    }),
    ...transfers.map(({ atMs, amount, debit, credit }) => ({
      atMs,
      text: fill(words.event_money, { amount: sum(amount), debit, credit }),
    })),
    ...cases.flatMap(({ cause, openedMs, closedMs, resolution, note }) => [
      { atMs: openedMs, text: fill(words.event_doubt, { cause }) },
      ...(closedMs === null
        ? []
        : [
            {
              atMs: closedMs,
              text: fill(words.event_doubtEnded, { resolution: resolution ?? '' }),
              note: note ?? undefined,
            },
          ]),
    ]),
    ...callbacks.flatMap(({ state, attempts }) =>
      attempts.map(({ attempt, atMs, httpStatus, reason }) => {
        const said = String(httpStatus ?? reason ?? words.noAnswer)
        return { atMs, text: fill(words.event_told, { state, n: attempt, said }) }
      }),
    ),
    ...refunds.map(({ createdAt, amount, state }) => ({
      atMs: createdAt,
      text: fill(words.event_refund, { amount: sum(amount), state: shortState(state) }),
    })),
  ]
  return events.toSorted((one, other) => one.atMs - other.atMs)
}

export function Timeline({ visit, file }: { readonly visit: Visit; readonly file: PaymentFile }) {
  const words = DETAIL_WORDS[visit.lang]
  return (
    <section class="panel" aria-labelledby="timeline">
      <h2 id="timeline">{words.timeline}</h2>
      <ol class="timeline">
        {eventsOf(visit, file).map(({ atMs, text, note }, at) => (
          <li key={`${atMs} ${at}`}>
            <When visit={visit} ms={atMs} /> {text}
            {note === undefined || note === '' ? null : <p class="note">{note}</p>}
          </li>
        ))}
      </ol>
      {file.archivedIn === undefined ? null : (
        <p class="note">{fill(words.archived, { year: file.archivedIn })}</p>
      )}
    </section>
  )
}

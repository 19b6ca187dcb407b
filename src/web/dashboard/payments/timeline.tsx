/** The whole story of a payment in the order in which it happened. */
import type { PaymentFile } from '../../../usecases/payments/payment-file.ts'
import type { Doers } from '../../../usecases/people/act-on-payment.ts'
import { fill } from '../../words.ts'
import { reasonText } from '../callbacks/reasons.ts'
import { failureText } from '../failure-words.ts'
import { money } from '../money-text.ts'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { callbackLine } from './callback-line.ts'
import { DETAIL_WORDS, type DetailWords } from './detail-words.ts'
import { stateText } from './parts.tsx'
import { accountText, causeText, outcomeText, resolutionText } from './story-words.ts'

type Event = {
  readonly atMs: number
  readonly text: string
  readonly note?: string | undefined
  /** The person who did it. */
  readonly who?: string | undefined
}

type Props = { readonly visit: Visit; readonly file: PaymentFile; readonly doers: Doers }

function eventsOf({ visit: { lang }, file, doers }: Props): readonly Event[] {
  const words = DETAIL_WORDS[lang]
  const { payment, states, exchanges, transfers, cases, callbacks, refunds } = file
  const eventText = (state: string): string => words[`event_${state}` as keyof DetailWords] ?? state
  const spoken = (reason: string): string => reasonText(reason, lang).replace(/\.$/, '')
  const refunderAt = (state: string, id: string): string | undefined =>
    state === 'ACCEPTED' ? doers.refunders.get(id) : undefined
  const sum = (amount: string): string => money(amount, payment.currency, lang)
  const events: Event[] = [
    ...states.map(({ state, atMs }) => ({
      atMs,
      text: eventText(state),
      note: state === 'FAILED' && payment.failure ? failureText(payment.failure, lang) : undefined,
      who: state === 'FAILED' ? doers.canceller : refunderAt(state, payment.id),
    })),
    ...exchanges.map(({ at, what, httpStatus, outcome, reason }) => {
      const why = outcome === undefined ? reason && spoken(reason) : outcomeText(outcome, lang)
      const result = [httpStatus, why].filter(Boolean).join(' ') || words.noAnswer
      const text = words[`event_${what}` as keyof DetailWords] ?? what
      return { atMs: at, text: fill(text, { result }) }
    }),
    ...transfers.map(({ atMs, amount, debit, credit }) => ({
      atMs,
      text: fill(words.event_money, {
        amount: sum(amount),
        debit: accountText(debit, 'from', payment.currency, lang),
        credit: accountText(credit, 'to', payment.currency, lang),
      }),
    })),
    ...cases.flatMap(({ cause, openedMs, closedMs, resolution, note }) => [
      { atMs: openedMs, text: fill(words.event_doubt, { cause: causeText(cause, lang) }) },
      ...(closedMs === null
        ? []
        : [
            {
              atMs: closedMs,
              text: fill(words.event_doubtEnded, {
                resolution: resolutionText(resolution ?? '', lang),
              }),
              note: note ?? undefined,
            },
          ]),
    ]),
    ...callbacks.flatMap(({ state, attempts }) =>
      attempts.map((one) => ({
        atMs: one.atMs,
        text: callbackLine(stateText(state, lang), one, lang),
      })),
    ),
    ...refunds.map(({ id, createdAt, amount, state }) => ({
      atMs: createdAt,
      who: doers.refunders.get(id),
      text: fill(words.event_refund, { amount: sum(amount), state: stateText(state, lang) }),
    })),
  ]
  return events.toSorted((one, other) => one.atMs - other.atMs)
}

export function Timeline(props: Props) {
  const { visit, file } = props
  const words = DETAIL_WORDS[visit.lang]
  return (
    <section class="panel" aria-labelledby="timeline">
      <h2 id="timeline">{words.timeline}</h2>
      <ol class="timeline">
        {eventsOf(props).map(({ atMs, text, note, who }, at) => (
          <li key={`${atMs} ${at}`}>
            <When visit={visit} ms={atMs} /> {text}
            {who === undefined ? null : ` (${who})`}
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

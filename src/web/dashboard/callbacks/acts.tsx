/** Sending callbacks again: one, or all that failed since a time. */

import { randomUUID } from 'node:crypto'
import { CALLBACK_KINDS } from '../../../domain/accounts/merchant.ts'
import type { Replay } from '../../../usecases/callbacks/replay-as.ts'
import { fill } from '../../words.ts'
import { Choice, describedBy, Field, Labelled } from '../fields.tsx'
import { Form } from '../frame.tsx'
import { localText } from '../period.ts'
import { StackedTable } from '../stacked-table.tsx'
import { momentText, When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { KINDS } from './query.ts'
import { CALLBACK_WORDS } from './words.ts'

type Props = { readonly visit: Visit }

export function ResendForm({ visit }: Props) {
  const words = CALLBACK_WORDS[visit.lang]
  const kinds = CALLBACK_KINDS.map((value) => ({ value, text: words[`kind_${value}`] }))
  return (
    <section class="panel" aria-labelledby="resend">
      <h2 id="resend">{words.resendHeading}</h2>
      <p class="note">{words.resendText}</p>
      <Form visit={visit} action="/dashboard/callbacks/resend" class="filters">
        <Labelled name="resend-kind" label={words.kind}>
          <select id="resend-kind" name="kind">
            {kinds.map(({ value, text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </Labelled>
        <Field name="id" label={words.id} />
        <div>
          <button type="submit">{words.resend}</button>
        </div>
      </Form>
    </section>
  )
}

export const RATES = [10, 50, 100, 500] as const
export const USUAL_RATE = 50
const DAY_MS = 86_400_000

export function ReplayForm({ visit }: Props) {
  const words = CALLBACK_WORDS[visit.lang]
  const { timeZone: zone } = visit.person.user
  const hint = fill(words.sinceHint, { zone })
  const rates = RATES.map((rate) => ({ value: String(rate), text: String(rate) }))
  return (
    <section class="panel" aria-labelledby="replay">
      <h2 id="replay">{words.replayHeading}</h2>
      <p class="note">{words.replayText}</p>
      <Form
        visit={visit}
        action="/dashboard/callbacks/replays"
        class="stack"
        values={{ replay: randomUUID() }}
      >
        <Labelled name="since" label={words.since} hint={hint}>
          <input
            id="since"
            name="since"
            type="datetime-local"
            value={localText(visit.ctx.clock.now() - DAY_MS, zone)}
            aria-describedby={describedBy('since', hint, undefined)}
          />
        </Labelled>
        <Labelled name="replay-kind" label={words.kind}>
          <select id="replay-kind" name="kind">
            <option value="">{words.allKinds}</option>
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {words[`kind_${kind}`]}
              </option>
            ))}
          </select>
        </Labelled>
        <Choice name="rate" label={words.rate} options={rates} value={String(USUAL_RATE)} />
        <label>
          <input type="checkbox" name="pending" value="1" /> {words.withPending}
        </label>
        <button type="submit">{words.replay}</button>
      </Form>
    </section>
  )
}

const LOOKS = { RUNNING: 'open', DONE: 'good', STOPPED: '' } as const

export function Replays({ visit, replays }: Props & { readonly replays: readonly Replay[] }) {
  const words = CALLBACK_WORDS[visit.lang]
  const isRunning = replays.some(({ state }) => state === 'RUNNING')
  return (
    <section
      id="replays"
      class="panel"
      aria-labelledby="replays-heading"
      data-refresh={isRunning ? '' : undefined}
    >
      <h2 id="replays-heading">{words.replays}</h2>
      {isRunning ? (
        <p>
          <a href="/dashboard/callbacks#replays">{words.reload}</a>
        </p>
      ) : null}
      <StackedTable
        caption={words.replaysCaption}
        heads={[
          words.started,
          words.from,
          words.state,
          { text: words.progress, isNumber: true },
          { text: words.rate, isNumber: true },
          words.stop,
        ]}
      >
        {replays.map((replay) => (
          <ReplayRow key={replay.id} visit={visit} replay={replay} />
        ))}
      </StackedTable>
    </section>
  )
}

function ReplayRow({ visit, replay }: Props & { readonly replay: Replay }) {
  const words = CALLBACK_WORDS[visit.lang]
  const { state, sent, matched, startedMs, perSecond, filter } = replay
  const time = momentText(visit, startedMs)
  return (
    <tr>
      <th scope="row" data-label={words.started}>
        <When visit={visit} ms={startedMs} />
      </th>
      <td data-label={words.from}>
        {filter.fromMs === undefined ? words.none : <When visit={visit} ms={filter.fromMs} />}
      </td>
      <td data-label={words.state}>
        <span class={`state ${LOOKS[state]}`}>{words[`replay_${state}`]}</span>
      </td>
      <td data-label={words.progress} class="number">
        {fill(words.ofAll, { sent, matched })}
      </td>
      <td data-label={words.rate} class="number">
        {perSecond}
      </td>
      <td data-label={words.stop}>
        {state === 'RUNNING' ? (
          <Form
            visit={visit}
            action="/dashboard/callbacks/replays/stop"
            values={{ replay: replay.id }}
          >
            <button type="submit" class="danger" aria-label={fill(words.stopLabel, { time })}>
              {words.stop}
            </button>
          </Form>
        ) : (
          words.none
        )}
      </td>
    </tr>
  )
}

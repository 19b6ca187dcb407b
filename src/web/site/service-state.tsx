/** The state of the service at the moment the page was made. */
import type { ComponentChildren } from 'preact'
import { durationText, timeText } from '../time.ts'
import { CATALOGUES, fill, type Lang } from '../words.ts'
import type { HomeInfo } from './home-info.ts'

export function ServiceState({ info, lang }: { readonly info: HomeInfo; readonly lang: Lang }) {
  const words = CATALOGUES[lang]
  const { database } = info
  const isAccepting = database.isReachable && info.hasOperator
  const count = (waiting: number) => new Intl.NumberFormat(lang).format(waiting)
  return (
    <section class="state" aria-labelledby="state">
      <h2 id="state">{words.stateHeading}</h2>
      <Verdict isGood={isAccepting}>{isAccepting ? words.stateReady : words.stateNotReady}</Verdict>
      {info.hasOperator ? null : <p class="note">{words.stateNoOperator}</p>}
      {database.isReachable ? null : <p class="note">{words.stateNotReadyMeaning}</p>}
      <dl>
        <Fact name={words.database}>
          {database.isReachable ? words.reachable : words.unreachable}
        </Fact>
        <Fact name={words.waitingPayments}>
          {database.isReachable ? count(database.waitingPayments) : words.unknown}
        </Fact>
        <Fact name={words.waitingCallbacks}>
          {database.isReachable ? count(database.waitingCallbacks) : words.unknown}
        </Fact>
        <Fact name={words.version}>{info.version}</Fact>
        {info.clockOffsetSeconds === 0 ? null : (
          <Fact name={words.testClock}>
            {fill(words.clockAhead, {
              duration: durationText(info.clockOffsetSeconds * 1000, lang, 'short'),
            })}
          </Fact>
        )}
      </dl>
      <p class="note">
        {fill(words.readAt, { time: timeText(Date.parse(info.readAt), lang, false) })}
      </p>
    </section>
  )
}

/** Word, sign and colour: never colour alone. */
function Verdict(props: { readonly isGood: boolean; readonly children: ComponentChildren }) {
  return (
    <p class={props.isGood ? 'verdict good' : 'verdict bad'}>
      <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
        <circle cx="8" cy="8" r="8" />
        <path d={props.isGood ? 'M4.5 8.3l2.4 2.4 4.6-5' : 'M8 4v5M8 11.6v.4'} />
      </svg>
      {props.children}
    </p>
  )
}

function Fact(props: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        <bdi>{props.children}</bdi>
      </dd>
    </div>
  )
}

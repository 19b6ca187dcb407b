/** The state of the service at the moment the page was made. */
import type { ComponentChildren } from 'preact'
import { CATALOGUES, fill, type Lang } from '../words.ts'
import type { HomeInfo } from './home-info.ts'

export function ServiceState({ info, lang }: { readonly info: HomeInfo; readonly lang: Lang }) {
  const words = CATALOGUES[lang]
  const { database } = info
  const count = (waiting: number) => new Intl.NumberFormat(lang).format(waiting)
  return (
    <section class="state" aria-labelledby="state">
      <h2 id="state">{words.stateHeading}</h2>
      <Verdict isGood={database.isReachable}>
        {database.isReachable ? words.stateReady : words.stateNotReady}
      </Verdict>
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
            {fill(info.clockOffsetSeconds > 0 ? words.clockAhead : words.clockBehind, {
              duration: durationText(Math.abs(info.clockOffsetSeconds), lang),
            })}
          </Fact>
        )}
      </dl>
      <p class="note">{fill(words.readAt, { time: timeText(info.readAt, lang) })}</p>
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

const UNITS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const

/** The two largest units: nobody reads the seconds of a clock moved by days. */
function durationText(totalSeconds: number, lang: Lang): string {
  let rest = Math.round(totalSeconds)
  const parts: string[] = []
  for (const { unit, seconds } of UNITS) {
    const amount = Math.floor(rest / seconds)
    rest -= amount * seconds
    if (amount > 0) {
      parts.push(
        new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'short' }).format(amount),
      )
    }
  }
  return parts.slice(0, 2).join(' ')
}

function timeText(instant: string, lang: Lang): string {
  return new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : 'fr', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(new Date(instant))
}

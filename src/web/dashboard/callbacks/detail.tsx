/** The callbacks of one payment, with every attempt. */
import { may } from '../../../domain/people/roles.ts'
import type { Page } from '../../../http/pages.ts'
import type { CallbackDetail } from '../../../usecases/callbacks/history.ts'
import type {
  DeliveredAttempt,
  Delivery,
  EndpointState,
} from '../../../usecases/callbacks/list-deliveries.ts'
import { notFinal } from '../../../usecases/callbacks/resend-as.ts'
import { CodeBlock } from '../../frame.tsx'
import { fill } from '../../words.ts'
import { dashboardPage, Form } from '../frame.tsx'
import { stateText } from '../payments/parts.tsx'
import { momentText, When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { pageOf, Result } from './parts.tsx'
import { reasonText } from './reasons.ts'
import { CALLBACK_WORDS } from './words.ts'

type Props = { readonly visit: Visit; readonly detail: CallbackDetail }

export function callbackPage(visit: Visit, detail: CallbackDetail): Page {
  const words = CALLBACK_WORDS[visit.lang]
  const kind = words[`kind_${detail.kind}`]
  const heading = fill(words.detailHeading, { kind, id: detail.subject.idAsSent })
  return dashboardPage(visit, {
    name: 'callbacks',
    heading,
    children: (
      <>
        <p>
          <a href="/dashboard/callbacks">{words.back}</a>
        </p>
        <h1>{heading}</h1>
        <Facts visit={visit} detail={detail} />
        <Resend visit={visit} detail={detail} />
        <Privacy visit={visit} detail={detail} />
        {detail.deliveries.map((delivery) => (
          <DeliveryPart key={delivery.state} visit={visit} delivery={delivery} />
        ))}
      </>
    ),
  })
}

function Facts({ visit, detail: { kind, subject, deliveries } }: Props) {
  const words = CALLBACK_WORDS[visit.lang]
  const page = pageOf(kind, subject.idAsSent)
  const endpoint = deliveries.at(-1)?.endpoint
  return (
    <dl class="facts panel">
      <dt>{words[`kind_${kind}`]}</dt>
      <dd class="id">
        {page === undefined ? <bdi>{subject.idAsSent}</bdi> : <a href={page}>{subject.idAsSent}</a>}
      </dd>
      <dt>{words.paymentState}</dt>
      <dd>{stateText(subject.state, visit.lang)}</dd>
      <dt>{words.endpoint}</dt>
      <dd>
        {endpoint === undefined ? words.noEndpoint : <Endpoint visit={visit} endpoint={endpoint} />}
      </dd>
    </dl>
  )
}

type EndpointProps = { readonly visit: Visit; readonly endpoint: EndpointState }

function Endpoint({ visit, endpoint: { url, state, sinceMs } }: EndpointProps) {
  const { lang } = visit
  const time = sinceMs === undefined ? '' : momentText(visit, sinceMs)
  return (
    <>
      <bdi>{url}</bdi> ({fill(CALLBACK_WORDS[lang][`endpoint_${state}`], { time })})
    </>
  )
}

function Resend({ visit, detail: { kind, subject } }: Props) {
  const words = CALLBACK_WORDS[visit.lang]
  if (kind === 'statement') return null
  const why = notFinal(subject)
  if (why !== undefined) {
    return (
      <p class="notice warn">
        {words.whyNot} {invalidState(visit, why)}
      </p>
    )
  }
  const values = { kind, id: subject.id, back: `/dashboard/callbacks/${subject.key}` }
  return (
    <Form visit={visit} action="/dashboard/callbacks/resend" values={values}>
      <button type="submit" class="main">
        {words.resend}
      </button>
    </Form>
  )
}

export function invalidState(
  { lang }: Visit,
  { subject, finalStates }: NonNullable<ReturnType<typeof notFinal>>,
): string {
  const words = CALLBACK_WORDS[lang]
  const states = `${finalStates.slice(0, -1).join(', ')}${words.or}${finalStates.at(-1)}`
  return fill(words.invalidState, { id: subject.idAsSent, state: subject.state, states })
}

function Privacy({ visit, detail: { isMasked, subject } }: Props) {
  const words = CALLBACK_WORDS[visit.lang]
  if (!isMasked) {
    return (
      <p class="notice" role="status">
        {words.revealed}
      </p>
    )
  }
  return (
    <div class="row">
      <p class="note">{words.masked}</p>
      {may(visit.person.role, 'pii:reveal') ? (
        <Form visit={visit} action={`/dashboard/callbacks/${subject.key}/reveal`} class="row">
          <button type="submit">{words.reveal}</button>
          <span class="note">{words.revealNote}</span>
        </Form>
      ) : null}
    </div>
  )
}

type DeliveryProps = { readonly visit: Visit; readonly delivery: Delivery }

function DeliveryPart({ visit, delivery }: DeliveryProps) {
  const { lang } = visit
  const words = CALLBACK_WORDS[lang]
  const { state, status, dueMs, attempts, unsent } = delivery
  return (
    <section class="panel" aria-labelledby={`state-${state}`}>
      <div class="spread">
        <h2 id={`state-${state}`}>{fill(words.delivery, { state: stateText(state, lang) })}</h2>
        <Result status={status} visit={visit} />
      </div>
      {dueMs === null ? null : <p>{fill(words.dueAt, { time: momentText(visit, dueMs) })}</p>}
      {unsent === undefined ? null : <p class="notice warn">{reasonText(unsent, lang)}</p>}
      {attempts.length === 0 ? <p>{words.noTries}</p> : null}
      {attempts.map((attempt) => (
        <AttemptPart
          key={attempt.attempt}
          visit={visit}
          attempt={attempt}
          isLast={attempt === attempts.at(-1)}
        />
      ))}
    </section>
  )
}

type AttemptProps = {
  readonly visit: Visit
  readonly attempt: DeliveredAttempt
  readonly isLast: boolean
}

function AttemptPart({ visit, attempt, isLast }: AttemptProps) {
  const { lang } = visit
  const words = CALLBACK_WORDS[lang]
  const { atMs, durationMs, httpStatus, url, reason, nextMs } = attempt
  const isDelivered = reason === null
  return (
    <details open={isLast} class="attempt">
      <summary>
        {fill(words.attempt, { number: attempt.attempt })} · <When visit={visit} ms={atMs} /> ·{' '}
        {httpStatus ?? words.noAnswer}
      </summary>
      <dl class="facts">
        <dt>{words.url}</dt>
        <dd class="id">
          <bdi>{url}</bdi>
        </dd>
        <dt>{words.took}</dt>
        <dd>{fill(words.ms, { ms: durationMs })}</dd>
        <dt>{words.answered}</dt>
        <dd>{httpStatus ?? words.noAnswer}</dd>
        {isDelivered ? null : (
          <>
            <dt>{words.why}</dt>
            <dd>{reasonText(reason, lang)}</dd>
            <dt>{words.nextAt}</dt>
            <dd>{nextMs === null ? words.noNext : <When visit={visit} ms={nextMs} />}</dd>
          </>
        )}
      </dl>
      <Blocks visit={visit} attempt={attempt} />
    </details>
  )
}

const SIGNATURE = /^(?:signature|content-digest|accept-signature|accept-digest)/i

function Blocks({ visit: { lang }, attempt }: Pick<AttemptProps, 'visit' | 'attempt'>) {
  const words = CALLBACK_WORDS[lang]
  const number = fill(words.attempt, { number: attempt.attempt })
  const entries = Object.entries(attempt.requestHeaders)
  const textOf = (chosen: readonly (readonly [string, string])[]): string =>
    chosen.map(([name, value]) => `${name}: ${value}`).join('\n')
  const blocks = [
    [words.signatureHeaders, textOf(entries.filter(([name]) => SIGNATURE.test(name)))],
    [words.requestHeaders, textOf(entries.filter(([name]) => !SIGNATURE.test(name)))],
    [words.requestBody, indented(attempt.requestBody)],
    [words.answerBody, attempt.answer ?? ''],
  ] as const
  return (
    <>
      {blocks
        .filter(([, code]) => code !== '')
        .map(([title, code]) => (
          <CodeBlock
            key={title}
            lang={lang}
            title={title}
            label={`${number}: ${title}`}
            code={code}
          />
        ))}
      {attempt.httpStatus !== null && (attempt.answer ?? '') === '' ? (
        <p class="note">{words.emptyAnswer}</p>
      ) : null}
    </>
  )
}

const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)

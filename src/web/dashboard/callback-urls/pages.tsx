import type { Page } from '../../../http/pages.ts'
import type { Address, TestResult } from '../../../usecases/callbacks/addresses-of-merchant.ts'
import { CodeBlock } from '../../frame.tsx'
import { fill } from '../../words.ts'
import { countryLimitOf } from '../country-limit.tsx'
import { Field } from '../fields.tsx'
import { dashboardPage, Form } from '../frame.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { momentText, When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { URL_WORDS } from './words.ts'

export const LIST = '/dashboard/callback-urls'

const TONES = { NOT_SET: '', ACTIVE: 'good', FAILING: 'bad', PAUSED: 'open' } as const

/** What was typed and why it is refused. */
type Refused = { readonly url: string; readonly problem: string }

export function addressesPage(
  visit: Visit,
  addresses: readonly Address[],
  refused?: Refused,
): Page {
  const words = URL_WORDS[visit.lang]
  const heading = DASHBOARD_WORDS[visit.lang]['callback-urls']
  const heads = [words.kind, words.url, words.health, words.lastSuccess, words.change]
  return dashboardPage(visit, {
    name: 'callback-urls',
    heading,
    isProblem: refused !== undefined,
    status: refused === undefined ? 200 : 400,
    children: (
      <>
        <h1>{heading}</h1>
        <Problem visit={visit} refused={refused} />
        <p>{words.intro}</p>
        <StackedTable caption={words.caption} heads={heads}>
          {addresses.map((address) => (
            <AddressRow key={address.kind} visit={visit} address={address} />
          ))}
        </StackedTable>
        <section class="panel" aria-labelledby="all">
          <h2 id="all">{words.allHeading}</h2>
          <p>{words.allText}</p>
          <UrlForm visit={visit} action={LIST} url={refused?.url} refused={refused} />
        </section>
      </>
    ),
  })
}

function Problem({
  visit,
  refused,
}: {
  readonly visit: Visit
  readonly refused: Refused | undefined
}) {
  if (refused === undefined) return null
  return (
    <p class="notice bad" role="alert">
      <strong>{DASHBOARD_WORDS[visit.lang].error}</strong>
      <a href="#url">{refused.problem}</a>
    </p>
  )
}

type AddressProps = { readonly visit: Visit; readonly address: Address }

function AddressRow({ visit, address }: AddressProps) {
  const words = URL_WORDS[visit.lang]
  const { kind, url, lastSuccessMs } = address
  const name = words[kind]
  return (
    <tr>
      <th scope="row" data-label={words.kind}>
        {name}
      </th>
      <td class="id wrap" data-label={words.url}>
        <bdi>{url ?? '–'}</bdi>
      </td>
      <td data-label={words.health}>
        <Health visit={visit} address={address} />
      </td>
      <td data-label={words.lastSuccess}>
        {lastSuccessMs === undefined ? words.never : <When visit={visit} ms={lastSuccessMs} />}
      </td>
      <td data-label={words.change}>
        <a href={`${LIST}/${kind}`} aria-label={fill(words.changeOne, { kind: name })}>
          {words.change}
        </a>
      </td>
    </tr>
  )
}

function Health({ visit, address: { state, sinceMs } }: AddressProps) {
  const words = URL_WORDS[visit.lang]
  return (
    <span>
      <span class={`state ${TONES[state]}`}>{words[`state_${state}`]}</span>
      {sinceMs === undefined ? null : ` ${fill(words.since, { time: momentText(visit, sinceMs) })}`}
    </span>
  )
}

type UrlFormProps = {
  readonly visit: Visit
  readonly action: string
  readonly url: string | undefined
  readonly refused: Refused | undefined
}

function UrlForm({ visit, action, url, refused }: UrlFormProps) {
  const words = URL_WORDS[visit.lang]
  const limit = countryLimitOf(visit)
  if (limit !== undefined) return <p class="note">{limit}</p>
  return (
    <Form visit={visit} action={action} class="stack">
      <Field
        name="url"
        type="url"
        label={words.url}
        hint={visit.ctx.environment === 'production' ? words.hintProduction : words.hintSandbox}
        value={url}
        problem={refused?.problem}
      />
      <button type="submit" class="main">
        {words.save}
      </button>
    </Form>
  )
}

export type Shown = { readonly refused?: Refused; readonly result?: TestResult }

export function addressPage(visit: Visit, address: Address, { refused, result }: Shown = {}): Page {
  const words = URL_WORDS[visit.lang]
  const { kind, url, state, lastSuccessMs } = address
  const heading = fill(words.oneHeading, { kind: words[kind] })
  return dashboardPage(visit, {
    name: 'callback-urls',
    heading,
    isProblem: refused !== undefined,
    status: refused === undefined ? 200 : 400,
    children: (
      <>
        <h1>{heading}</h1>
        <Problem visit={visit} refused={refused} />
        {result === undefined ? null : <Result visit={visit} result={result} />}
        <dl class="facts">
          <dt>{words.health}</dt>
          <dd>
            <Health visit={visit} address={address} />
          </dd>
          <dt>{words.lastSuccess}</dt>
          <dd>
            {lastSuccessMs === undefined ? words.never : <When visit={visit} ms={lastSuccessMs} />}
          </dd>
        </dl>
        {state === 'FAILING' ? <p class="notice warn">{words.FAILINGtext}</p> : null}
        {state === 'PAUSED' ? <Paused visit={visit} address={address} /> : null}
        <section class="panel" aria-label={words.url}>
          <UrlForm
            visit={visit}
            action={`${LIST}/${kind}`}
            url={refused?.url ?? url}
            refused={refused}
          />
        </section>
        {countryLimitOf(visit) === undefined ? <TestForm visit={visit} address={address} /> : null}
        <p>
          <a href={LIST}>{words.back}</a>
        </p>
      </>
    ),
  })
}

function Paused({ visit, address }: AddressProps) {
  const words = URL_WORDS[visit.lang]
  return (
    <div class="notice warn stack">
      <p>{words.PAUSEDtext}</p>
      {countryLimitOf(visit) === undefined ? (
        <Form visit={visit} action={`${LIST}/${address.kind}/resume`}>
          <button type="submit">{words.resume}</button>
        </Form>
      ) : null}
    </div>
  )
}

function TestForm({ visit, address: { kind, url } }: AddressProps) {
  const words = URL_WORDS[visit.lang]
  return (
    <section class="panel" aria-labelledby="test">
      <h2 id="test">{words.testHeading}</h2>
      <p>{words.testText}</p>
      {url === undefined ? (
        <p class="note">{words.testNoUrl}</p>
      ) : (
        <Form visit={visit} action={`${LIST}/${kind}/test`}>
          <button type="submit">{words.test}</button>
        </Form>
      )}
    </section>
  )
}

type ResultProps = { readonly visit: Visit; readonly result: TestResult }

function Result({ visit, result: { url, body, delivery, isAccepted } }: ResultProps) {
  const words = URL_WORDS[visit.lang]
  const { httpStatus, durationMs, answer = '', keyId, reason } = delivery
  const values = { status: httpStatus ?? '', ms: Math.round(durationMs) }
  const text = isAccepted ? words.resultGood : words.resultBad
  return (
    <section class="panel" aria-labelledby="result">
      <h2 id="result">{words.resultHeading}</h2>
      <p class={`notice ${isAccepted ? '' : 'bad'}`} role={isAccepted ? 'status' : 'alert'}>
        {httpStatus === undefined ? words.resultNone : fill(text, values)}
      </p>
      <dl class="facts">
        <dt>{words.sentTo}</dt>
        <dd class="id">
          <bdi>{url}</bdi>
        </dd>
        {reason === undefined ? null : (
          <>
            <dt>{words.reason}</dt>
            <dd lang="en">{reason}</dd>
          </>
        )}
        <dt>{words.signature}</dt>
        <dd>{keyId ?? words.unsigned}</dd>
      </dl>
      {httpStatus === undefined ? null : answer === '' ? (
        <p class="note">{words.answerEmpty}</p>
      ) : (
        <CodeBlock
          lang={visit.lang}
          title={words.answerBody}
          label={words.answerBody}
          code={answer}
        />
      )}
      <CodeBlock
        lang={visit.lang}
        title={words.sentBody}
        label={words.sentBody}
        code={JSON.stringify(JSON.parse(body), null, 2)}
      />
    </section>
  )
}

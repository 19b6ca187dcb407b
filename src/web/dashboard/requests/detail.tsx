import type { Page } from '../../../http/pages.ts'
import type { RequestDetail } from '../../../usecases/accounts/read-requests.ts'
import { CodeBlock } from '../../frame.tsx'
import { fill } from '../../words.ts'
import { dashboardPage } from '../frame.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { durationText, Ids, tokenText, toneOf } from './list.tsx'
import { Outcome } from './outcome.tsx'
import { REQUEST_WORDS } from './words.ts'

type DetailProps = { readonly visit: Visit; readonly request: RequestDetail }

export function requestPage(visit: Visit, request: RequestDetail): Page {
  const words = REQUEST_WORDS[visit.lang]
  const { method, path, requestBody, requestBytes, answerBody, answerBytes } = request
  const heading = fill(words.oneHeading, { method, path })
  return dashboardPage(visit, {
    name: 'requests',
    heading,
    children: (
      <>
        <h1>
          <bdi>{heading}</bdi>
        </h1>
        <Facts visit={visit} request={request} />
        <Body visit={visit} title={words.requestBody} text={requestBody} bytes={requestBytes} />
        <Body visit={visit} title={words.answerBody} text={answerBody} bytes={answerBytes} />
        <CodeBlock
          lang={visit.lang}
          title={words.curl}
          label={words.curl}
          code={curlOf(request, visit.parts.publicUrl())}
        />
        <p class="note">{words.curlText}</p>
        <p>
          <a href="/dashboard/requests">{words.back}</a>
        </p>
      </>
    ),
  })
}

function Facts({ visit, request }: DetailProps) {
  const words = REQUEST_WORDS[visit.lang]
  const { at, status, durationMs, ids, requestId } = request
  return (
    <dl class="facts">
      <dt>{words.time}</dt>
      <dd>
        <When visit={visit} ms={at} />
      </dd>
      <dt>{words.status}</dt>
      <dd>
        <span class={`state ${toneOf(request)}`}>{status}</span>
      </dd>
      <dt>{words.result}</dt>
      <dd>
        <Outcome visit={visit} request={request} />
      </dd>
      <dt>{words.duration}</dt>
      <dd>{durationText(durationMs, words, visit)}</dd>
      <dt>{words.token}</dt>
      <dd>{tokenText(request)}</dd>
      <dt>{words.ids}</dt>
      <dd class="id">
        <Ids visit={visit} ids={ids} max={20} />
      </dd>
      <dt>{words.requestId}</dt>
      <dd class="id">
        <bdi>{requestId}</bdi>
      </dd>
    </dl>
  )
}

type BodyProps = {
  readonly visit: Visit
  readonly title: string
  readonly text: string | null
  readonly bytes: number
}

function Body({ visit, title, text, bytes }: BodyProps) {
  const words = REQUEST_WORDS[visit.lang]
  if (text !== null) {
    return <CodeBlock lang={visit.lang} title={title} label={title} code={indented(text)} />
  }
  return (
    <section>
      <h2>{title}</h2>
      <p class="note">{bytes === 0 ? words.noBody : fill(words.bodyNotKept, { bytes })}</p>
    </section>
  )
}

const indented = (text: string): string => JSON.stringify(JSON.parse(text), null, 2)

/** For a shell: the token comes from the environment, so that it is never on the page. */
function curlOf({ method, path, requestBody }: RequestDetail, publicUrl: string): string {
  const lines = [
    `curl -X ${method} ${quoted(publicUrl + path)}`,
    '  -H "Authorization: Bearer $MALIPO_TOKEN"',
    ...(requestBody === null
      ? []
      : [`  -H 'Content-Type: application/json'`, `  -d ${quoted(indented(requestBody))}`]),
  ]
  return lines.join(' \\\n')
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

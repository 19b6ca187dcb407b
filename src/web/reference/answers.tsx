/** The answers of an operation by status; for a callback, what the receiver should answer. */

import { fill } from '../words.ts'
import { FieldTable } from './field-table.tsx'
import { mediaOf, type Response, resolve } from './openapi.ts'
import type { OperationEntry } from './outline.ts'
import { inline } from './prose.tsx'
import type { Reading } from './reading.ts'
import { SampleList } from './sample-list.tsx'
import { examplesOf, type NamedExample } from './schema-example.ts'
import { fieldOf, fieldsOf } from './schema-fields.ts'

export type Answer = {
  readonly status: string
  readonly response: Response
  readonly examples: readonly NamedExample[]
}

type AnswersProps = {
  readonly reading: Reading
  readonly entry: OperationEntry
  readonly isCallback: boolean
}

export function Answers({ reading, entry, isCallback }: AnswersProps) {
  const { words } = reading
  const answers = answersOf(reading, entry)
  if (answers.length === 0) return null
  const success = firstSuccess(reading, entry)?.status
  return (
    <>
      <h4>{isCallback ? words.acknowledgeHeading : words.responsesHeading}</h4>
      {answers.map((answer) => (
        <AnswerView
          key={answer.status}
          reading={reading}
          entry={entry}
          answer={answer}
          isMain={answer.status === success}
        />
      ))}
    </>
  )
}

/** The response a reader wants to see first; its first example is shown beside the request. */
export function firstSuccess(reading: Reading, entry: OperationEntry): Answer | undefined {
  return answersOf(reading, entry).find((answer) => answer.status.startsWith('2'))
}

function answersOf({ document }: Reading, { operation }: OperationEntry): readonly Answer[] {
  return Object.entries(operation.responses ?? {}).map(([status, given]) => {
    const response = resolve(document.components?.responses, given)
    const media = mediaOf(response.content)?.media
    return { status, response, examples: media === undefined ? [] : examplesOf(document, media) }
  })
}

type AnswerViewProps = {
  readonly reading: Reading
  readonly entry: OperationEntry
  readonly answer: Answer
  readonly isMain: boolean
}

function AnswerView({ reading, entry, answer, isMain }: AnswerViewProps) {
  const { document, words, textLang } = reading
  const { status, response, examples } = answer
  const schema = mediaOf(response.content)?.media.schema
  const label = `${words.responsesHeading} ${status}: ${entry.title}`
  return (
    <details class="answer" open={isMain}>
      <summary>
        <b class={`status s${status.slice(0, 1)}`}>{status}</b>
        <span lang={textLang}>{inline(response.description ?? '')}</span>
      </summary>
      <AnswerHeaders reading={reading} answer={answer} label={label} />
      {schema === undefined ? (
        <p class="note">{words.noBody}</p>
      ) : (
        <FieldTable reading={reading} label={label} fields={fieldsOf(document, schema)} isAnswer />
      )}
      <SampleList
        reading={reading}
        title={fill(words.exampleResponse, { status })}
        entry={entry}
        all={isMain ? examples.slice(1) : examples}
      />
    </details>
  )
}

type AnswerHeadersProps = {
  readonly reading: Reading
  readonly answer: Answer
  readonly label: string
}

function AnswerHeaders({ reading, answer, label }: AnswerHeadersProps) {
  const { document, words } = reading
  const headers = Object.entries(answer.response.headers ?? {})
  if (headers.length === 0) return null
  const fields = headers.map(([name, given]) => {
    const header = resolve(document.components?.headers, given)
    const field = fieldOf(document, name, header.schema ?? {})
    return { ...field, description: header.description ?? field.description, place: words.inHeader }
  })
  return (
    <FieldTable reading={reading} label={`${label}, ${words.headersHeading}`} fields={fields} />
  )
}

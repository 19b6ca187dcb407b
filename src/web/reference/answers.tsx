/** What comes back, by status; for a callback, what the receiver should answer. */

import { type Answer, answersOf, firstSuccess } from './answer.ts'
import { FailureCodes } from './failure-codes.tsx'
import { FieldTable } from './field-table.tsx'
import type { OperationEntry } from './outline.ts'
import { inline } from './prose.tsx'
import type { Reading } from './reading.ts'
import { SampleList } from './sample-list.tsx'
import { fieldsOf } from './schema-fields.ts'

type AnswersProps = {
  readonly reading: Reading
  readonly entry: OperationEntry
}

export function Answers({ reading, entry }: AnswersProps) {
  const answers = answersOf(reading, entry)
  if (answers.length === 0) return null
  const success = firstSuccess(reading, entry)
  const refusals = answers.filter(({ status }) => /^[45]/.test(status))
  return (
    <>
      <h3>{entry.isCallback ? 'Your response' : 'Responses'}</h3>
      {answers
        .filter((answer) => !refusals.includes(answer))
        .map((answer) => (
          <AnswerView
            key={answer.status}
            reading={reading}
            entry={entry}
            answer={answer}
            isMain={answer.status === success?.status}
          />
        ))}
      <Refusals reading={reading} entry={entry} refusals={refusals} />
      <FailureCodes reading={reading} entry={entry} answers={answers} />
    </>
  )
}

type AnswerViewProps = {
  readonly reading: Reading
  readonly entry: OperationEntry
  readonly answer: Answer
  readonly isMain: boolean
}

function AnswerView({ reading, entry, answer, isMain }: AnswerViewProps) {
  const { status, response, schema, examples } = answer
  return (
    <details class="answer" open={isMain}>
      <summary>
        <b class={`status s${status.slice(0, 1)}`}>{status}</b>
        <span>{inline(response.description ?? '', reading.resolveLink)}</span>
      </summary>
      {schema === undefined ? (
        <p class="note">No body.</p>
      ) : (
        <FieldTable
          reading={reading}
          label={`Response ${status}: ${entry.title}`}
          anchor={`${entry.id}.${status}`}
          fields={fieldsOf(reading.document, schema)}
          isAnswer
        />
      )}
      <SampleList
        title={`Example response ${status}`}
        entry={entry}
        all={isMain ? examples.slice(1) : examples}
      />
    </details>
  )
}

type RefusalsProps = {
  readonly reading: Reading
  readonly entry: OperationEntry
  readonly refusals: readonly Answer[]
}

/** Refusals mostly have one shape, so it is shown once for all statuses that have it. */
function Refusals({ reading, entry, refusals }: RefusalsProps) {
  const shapeOf = ({ schema }: Answer): string => JSON.stringify(schema) ?? ''
  const shapes = [...new Set(refusals.map(shapeOf))]
  return (
    <>
      {shapes.map((shape) => {
        const alike = refusals.filter((answer) => shapeOf(answer) === shape)
        const [first] = alike
        const statuses = alike.map(({ status }) => status).join(', ')
        if (first === undefined) return null
        return (
          <details key={statuses} class="answer">
            <summary>
              <b class="status s4">{statuses}</b>
              <span>Refused or failed</span>
            </summary>
            <dl class="statuses">
              {alike.map(({ status, response }) => (
                <div key={status}>
                  <dt>{status}</dt>
                  <dd>{inline(response.description ?? '', reading.resolveLink)}</dd>
                </div>
              ))}
            </dl>
            {first.schema === undefined ? null : (
              <FieldTable
                reading={reading}
                label={`Responses ${statuses}: ${entry.title}`}
                fields={fieldsOf(reading.document, first.schema)}
                isAnswer
              />
            )}
            <SampleList
              title={`Example response ${first.status}`}
              entry={entry}
              all={first.examples}
            />
          </details>
        )
      })}
    </>
  )
}

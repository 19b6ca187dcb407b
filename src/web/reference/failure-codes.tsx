/** The failure codes that one operation or callback can give, each with what it means. */

import type { Answer } from './answer.ts'
import { resolve } from './openapi.ts'
import type { OperationEntry } from './outline.ts'
import { breakable, inline } from './prose.tsx'
import type { Reading } from './reading.ts'

type FailureCodesProps = {
  readonly reading: Reading
  readonly entry: OperationEntry
  readonly answers: readonly Answer[]
}

export function FailureCodes({ reading, entry, answers }: FailureCodesProps) {
  const rows = entry.isCallback ? ofCallback(reading, entry) : ofAnswers(entry, answers)
  if (rows.size === 0) return null
  return (
    <>
      <h3 id={codesAnchor(entry)}>Failure codes</h3>
      <table class="codes" aria-label={`Failure codes: ${entry.title}`}>
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">What happened</th>
            <th scope="col">Retry?</th>
          </tr>
        </thead>
        <tbody>
          {[...rows].map(([code, when]) => (
            <CodeRow key={code} reading={reading} code={code} when={when} />
          ))}
        </tbody>
      </table>
    </>
  )
}

export const codesAnchor = ({ id }: OperationEntry): string => `${id}.codes`

type CodeRowProps = {
  readonly reading: Reading
  readonly code: string
  readonly when: readonly string[]
}

function CodeRow({ reading, code, when }: CodeRowProps) {
  const meaning = reading.meaningOf(code)
  const name = <code>{breakable(code)}</code>
  return (
    <tr>
      <th scope="row">
        {meaning === undefined ? name : <a href={meaning.path}>{name}</a>}
        <span class="duty">{when.join(', ')}</span>
      </th>
      <td>{inline(withoutStatus(meaning?.what ?? ''))}</td>
      <td>{inline(meaning?.retry ?? '')}</td>
    </tr>
  )
}

/** The table of all codes says with which HTTP statuses one occurs anywhere; here it is known. */
const withoutStatus = (what: string): string => what.replace(/ \(HTTP [^)]*\)/, '')

type Rows = ReadonlyMap<string, readonly string[]>

function ofAnswers({ method }: OperationEntry, answers: readonly Answer[]): Rows {
  const rows = new Map<string, string[]>()
  for (const { status, response } of answers) {
    // What is read may have failed; what is asked for may be refused.
    const state = method === 'get' ? 'FAILED' : 'REJECTED'
    const when = status.startsWith('2') ? `${status} ${state}` : status
    for (const code of response['x-failure-codes'] ?? []) {
      rows.set(code, [...(rows.get(code) ?? []), when])
    }
  }
  return rows
}

function ofCallback({ document }: Reading, { operation }: OperationEntry): Rows {
  const body = resolve(document.components?.requestBodies, operation.requestBody ?? {})
  return new Map((body['x-failure-codes'] ?? []).map((code) => [code, []]))
}

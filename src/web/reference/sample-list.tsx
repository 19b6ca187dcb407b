/** Examples below each other, each named so that no two code blocks sound alike. */
import { CodeBlock } from '../frame.tsx'
import type { OpenApiDocument } from './openapi.ts'
import type { OperationEntry } from './outline.ts'
import { callOf } from './samples/call.ts'
import { curlOf } from './samples/curl.ts'
import { LANGUAGES } from './samples/languages.ts'
import type { NamedExample } from './schema-example.ts'

type SampleListProps = {
  readonly title: string
  readonly entry: OperationEntry
  readonly all: readonly NamedExample[]
}

export function SampleList({ title, entry, all }: SampleListProps) {
  return (
    <>
      {all.map((example) => (
        <CodeBlock
          key={example.title}
          lang="en"
          title={
            <>
              {title}
              {example.title === '' ? null : <small>{example.title}</small>}
            </>
          }
          label={`${title}: ${[entry.title, example.title].filter(Boolean).join(', ')}`}
          code={example.text}
        />
      ))}
    </>
  )
}

type RequestSampleProps = { readonly document: OpenApiDocument; readonly entry: OperationEntry }

/** The call in every language, of which one is shown: chosen by buttons that need no script. */
export function RequestSample({ document, entry }: RequestSampleProps) {
  const call = callOf(document, entry)
  // Nobody should write a new program with these.
  if (entry.operation.deprecated) {
    return (
      <SampleList title="Example request" entry={entry} all={[{ title: '', text: curlOf(call) }]} />
    )
  }
  return (
    <fieldset class="request">
      <legend class="quiet">Example request: {entry.title}</legend>
      {LANGUAGES.flatMap(({ id, name }, index) => [
        <input
          key={id}
          id={`${entry.id}.in-${id}`}
          type="radio"
          name={`${entry.id}.language`}
          value={id}
          checked={index === 0}
        />,
        <label key={`${id} name`} for={`${entry.id}.in-${id}`}>
          {name}
        </label>,
      ])}
      {LANGUAGES.map(({ id, name, write }) => (
        <div key={id} class={`in-${id}`}>
          <CodeBlock
            lang="en"
            title={`Example request in ${name}`}
            label={`Example request in ${name}: ${entry.title}`}
            code={write(call)}
          />
        </div>
      ))}
    </fieldset>
  )
}

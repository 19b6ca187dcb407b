/** One operation, or one callback: what it is for, what goes in, what comes back. */
import type { ComponentChildren } from 'preact'
import { firstSuccess } from './answer.ts'
import { Answers } from './answers.tsx'
import { FieldTable, NO_OTHER_FIELDS, type TableField } from './field-table.tsx'
import { mediaOf, type Parameter, resolve } from './openapi.ts'
import type { OperationEntry } from './outline.ts'
import { Prose } from './prose.tsx'
import { parseProse } from './prose-blocks.ts'
import type { Reading } from './reading.ts'
import { RequestSample, SampleList } from './sample-list.tsx'
import { examplesOf } from './schema-example.ts'
import { fieldOf, fieldsOf, settle } from './schema-fields.ts'
import { securityOf } from './security.ts'

type OperationProps = {
  readonly reading: Reading
  readonly entry: OperationEntry
}

export function OperationView(props: OperationProps) {
  const { reading, entry } = props
  const { isCallback } = entry
  const inHeaders = entry.parameters.filter((parameter) => parameter.in === 'header')
  const others = entry.parameters.filter((parameter) => !inHeaders.includes(parameter))
  return (
    <section class="operation" aria-labelledby={entry.id}>
      <div class="about">
        <h2 id={entry.id}>
          <a class="anchor" href={`#${entry.id}`}>
            {entry.title}
          </a>
        </h2>
        <p class="call">
          <span class={`method ${entry.method}`}>{entry.method.toUpperCase()}</span>{' '}
          {isCallback ? <span>your callback URL</span> : <code>{breakablePath(entry.path)}</code>}
          {entry.operation.deprecated ? <span class="badge">Deprecated</span> : null}
        </p>
        <Prose
          blocks={parseProse(entry.operation.description ?? '')}
          resolveLink={reading.resolveLink}
        />
        {isCallback ? null : <Access {...props} />}
        {others.length === 0 ? null : (
          <>
            <h3>Parameters</h3>
            <ParameterTable {...props} title="Parameters" parameters={others} />
          </>
        )}
        <RequestFields {...props} />
        <Headers {...props} parameters={inHeaders} />
      </div>
      <div class="samples">
        <Samples {...props} />
      </div>
      <div class="answers">
        <Answers reading={reading} entry={entry} />
      </div>
    </section>
  )
}

function breakablePath(path: string): ComponentChildren {
  return path.split(/(?=\/)/).flatMap((part, index) => (index === 0 ? [part] : [<wbr />, part]))
}

function Access({ reading, entry }: OperationProps) {
  const { document } = reading
  const security = securityOf(document, entry.operation)
  if (security.isOpen) return <p class="access">No token needed.</p>
  return (
    <p class="access">
      Authentication{security.isOptional ? ' (optional)' : ''}:{' '}
      {security.schemes.map(({ name, scopes }) => (
        <span key={name}>
          {document.components?.securitySchemes?.[name]?.scheme === 'bearer'
            ? 'Bearer token'
            : name}
          {scopes.length === 0 ? null : <> · Scope </>}
          {scopes.flatMap((scope, at) => [
            at === 0 ? '' : ' or ',
            <code key={scope}>{scope}</code>,
          ])}
        </span>
      ))}
    </p>
  )
}

type ParameterProps = OperationProps & { readonly parameters: readonly Parameter[] }

function ParameterTable({
  reading,
  entry,
  title,
  parameters,
}: ParameterProps & { readonly title: string }) {
  return (
    <FieldTable
      reading={reading}
      label={`${title}: ${entry.title}`}
      anchor={entry.id}
      fields={parameters.map((parameter) => parameterField(reading, parameter))}
    />
  )
}

export function parameterField({ document }: Reading, parameter: Parameter): TableField {
  const field = fieldOf(document, parameter.name ?? '', parameter.schema ?? {})
  return {
    ...field,
    description: parameter.description ?? field.description,
    isRequired: parameter.required === true,
    place: PLACES[parameter.in ?? ''],
  }
}

const PLACES: Readonly<Record<string, string>> = {
  path: 'in the path',
  query: 'in the query',
  header: 'header',
  cookie: 'cookie',
}

/** After the body, and folded: most callers send none of them. */
function Headers(props: ParameterProps) {
  const { reading, entry, parameters } = props
  const answered = answerHeaders(reading, entry)
  if (parameters.length === 0 && answered.length === 0) return null
  return (
    <details class="answer headers" open={entry.isCallback}>
      <summary>
        <span>Headers</span>
      </summary>
      {parameters.length === 0 ? null : (
        <ParameterTable {...props} title="Headers" parameters={parameters} />
      )}
      {answered.length === 0 ? null : (
        <>
          <p class="note">Headers of the response:</p>
          <FieldTable
            reading={reading}
            label={`Headers of the response: ${entry.title}`}
            fields={answered}
            isAnswer
          />
        </>
      )}
    </details>
  )
}

/** Those of the success stand for all: responses differ in their body. */
function answerHeaders(reading: Reading, entry: OperationEntry): readonly TableField[] {
  const { document } = reading
  const headers = Object.entries(firstSuccess(reading, entry)?.response.headers ?? {})
  return headers.map(([name, given]) => {
    const header = resolve(document.components?.headers, given)
    const field = fieldOf(document, name, header.schema ?? {})
    return { ...field, description: header.description ?? field.description }
  })
}

function RequestFields({ reading, entry }: OperationProps) {
  const { document } = reading
  const { isCallback } = entry
  const schema = mediaOf(bodyOf(reading, entry)?.content)?.media.schema
  if (schema === undefined) return null
  const heading = isCallback ? 'Callback fields' : 'Request fields'
  const isClosed = settle(document, schema).additionalProperties === false
  return (
    <>
      <h3>{heading}</h3>
      <FieldTable
        reading={reading}
        label={`${heading}: ${entry.title}`}
        anchor={`${entry.id}.body`}
        fields={fieldsOf(document, schema)}
        isAnswer={isCallback}
      />
      {isClosed ? <p class="note">{NO_OTHER_FIELDS}</p> : null}
    </>
  )
}

export function bodyOf({ document }: Reading, { operation }: OperationEntry) {
  if (operation.requestBody === undefined) return undefined
  return resolve(document.components?.requestBodies, operation.requestBody)
}

function Samples({ reading, entry }: OperationProps) {
  const { document } = reading
  const media = mediaOf(bodyOf(reading, entry)?.content)?.media
  const bodies = media === undefined ? [] : examplesOf(document, media)
  if (entry.isCallback) return <SampleList title="Example callback" entry={entry} all={bodies} />
  const [, ...others] = bodies
  const success = firstSuccess(reading, entry)
  return (
    <>
      <RequestSample document={document} entry={entry} />
      <SampleList title="Example request" entry={entry} all={others} />
      {success?.examples[0] === undefined ? null : (
        <SampleList
          title={`Example response ${success.status}`}
          entry={entry}
          all={success.examples.slice(0, 1)}
        />
      )}
    </>
  )
}

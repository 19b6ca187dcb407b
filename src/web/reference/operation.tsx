/** One operation, or one callback: what it is for, what goes in, what comes back. */
import type { ComponentChildren } from 'preact'
import { CodeBlock } from '../frame.tsx'
import { fill, type Words } from '../words.ts'
import { Answers, firstSuccess } from './answers.tsx'
import { curlOf } from './curl.ts'
import { FieldTable, type TableField } from './field-table.tsx'
import { mediaOf, type Parameter, resolve } from './openapi.ts'
import type { OperationEntry } from './outline.ts'
import { Prose } from './prose.tsx'
import { parseProse } from './prose-blocks.ts'
import type { Reading } from './reading.ts'
import { SampleList } from './sample-list.tsx'
import { examplesOf } from './schema-example.ts'
import { fieldOf, fieldsOf, settle } from './schema-fields.ts'
import { securityOf } from './security.ts'

export type OperationProps = {
  readonly reading: Reading
  readonly entry: OperationEntry
  readonly isCallback: boolean
}

export function OperationView(props: OperationProps) {
  const { reading, entry, isCallback } = props
  const { words, textLang } = reading
  return (
    <section class="operation" aria-labelledby={entry.id}>
      <div class="about">
        <h3 id={entry.id} lang={textLang}>
          <a class="anchor" href={`#${entry.id}`}>
            {entry.title}
          </a>
        </h3>
        <p class="call">
          <span class={`method ${entry.method}`}>{entry.method.toUpperCase()}</span>{' '}
          {isCallback ? (
            <span>{words.callbackTarget}</span>
          ) : (
            <code>{breakablePath(entry.path)}</code>
          )}
          {entry.operation.deprecated ? <span class="badge">{words.deprecated}</span> : null}
        </p>
        <Prose blocks={parseProse(entry.operation.description ?? '')} lang={textLang} />
        {isCallback ? null : <Access {...props} />}
        <Parameters {...props} />
        <RequestFields {...props} />
      </div>
      <div class="samples">
        <Samples {...props} />
      </div>
      <div class="answers">
        <Answers reading={reading} entry={entry} isCallback={isCallback} />
      </div>
    </section>
  )
}

function breakablePath(path: string): ComponentChildren {
  return path.split(/(?=\/)/).flatMap((part, index) => (index === 0 ? [part] : [<wbr />, part]))
}

function Access({ reading, entry }: OperationProps) {
  const { document, words } = reading
  const security = securityOf(document, entry.operation)
  if (security.isOpen) return <p class="access">{words.authNone}</p>
  return (
    <p class="access">
      {words.authHeading}
      {security.isOptional ? ` (${words.authOptional})` : ''}
      {words.colon}
      {security.schemes.map(({ name, scopes }) => (
        <span key={name}>
          {document.components?.securitySchemes?.[name]?.scheme === 'bearer'
            ? words.authBearer
            : name}
          {scopes.length === 0 ? null : <> · {words.authScopes} </>}
          {scopes.flatMap((scope) => [<code key={scope}>{scope}</code>, ' '])}
        </span>
      ))}
    </p>
  )
}

function Parameters({ reading, entry, isCallback }: OperationProps) {
  const { words } = reading
  if (entry.parameters.length === 0) return null
  const heading = isCallback ? words.headersHeading : words.parametersHeading
  return (
    <>
      <h4>{heading}</h4>
      <FieldTable
        reading={reading}
        label={`${heading}: ${entry.title}`}
        fields={entry.parameters.map((parameter) => parameterField(reading, parameter))}
      />
    </>
  )
}

function parameterField({ document, words }: Reading, parameter: Parameter): TableField {
  const field = fieldOf(document, parameter.name ?? '', parameter.schema ?? {})
  return {
    ...field,
    description: parameter.description ?? field.description,
    isRequired: parameter.required === true,
    place: placeText(parameter.in, words),
  }
}

function placeText(place: string | undefined, words: Words): string | undefined {
  if (place === 'path') return words.inPath
  if (place === 'query') return words.inQuery
  if (place === 'cookie') return words.inCookie
  return place === 'header' ? words.inHeader : undefined
}

function RequestFields({ reading, entry, isCallback }: OperationProps) {
  const { document, words } = reading
  const schema = mediaOf(bodyOf(reading, entry)?.content)?.media.schema
  if (schema === undefined) return null
  const heading = isCallback ? words.payloadHeading : words.requestHeading
  const isClosed = settle(document, schema).additionalProperties === false
  return (
    <>
      <h4>{heading}</h4>
      <FieldTable
        reading={reading}
        label={`${heading}: ${entry.title}`}
        fields={fieldsOf(document, schema)}
        isAnswer={isCallback}
      />
      {isClosed ? <p class="note">{words.ruleClosed}</p> : null}
    </>
  )
}

function bodyOf({ document }: Reading, { operation }: OperationEntry) {
  if (operation.requestBody === undefined) return undefined
  return resolve(document.components?.requestBodies, operation.requestBody)
}

function Samples({ reading, entry, isCallback }: OperationProps) {
  const { document, lang, words } = reading
  const media = mediaOf(bodyOf(reading, entry)?.content)?.media
  const bodies = media === undefined ? [] : examplesOf(document, media)
  if (isCallback) {
    return <SampleList reading={reading} title={words.exampleCallback} entry={entry} all={bodies} />
  }
  const [, ...others] = bodies
  const success = firstSuccess(reading, entry)
  return (
    <>
      <CodeBlock
        lang={lang}
        title={words.exampleRequest}
        label={`${words.exampleRequest}: ${entry.title}`}
        code={curlOf(document, entry)}
      />
      <SampleList reading={reading} title={words.exampleRequest} entry={entry} all={others} />
      {success?.examples[0] === undefined ? null : (
        <SampleList
          reading={reading}
          title={fill(words.exampleResponse, { status: success.status })}
          entry={entry}
          all={success.examples.slice(0, 1)}
        />
      )}
    </>
  )
}

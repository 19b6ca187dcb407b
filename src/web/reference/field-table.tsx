/** Fields as a table: name and duty, type, meaning with every rule of the schema. */
import type { ComponentChild } from 'preact'
import { inline } from './prose.tsx'
import type { Reading } from './reading.ts'
import type { Field, FieldRule } from './schema-fields.ts'

export type TableField = Field & {
  /** Where a parameter travels; fields of a body have none. */
  readonly place?: string | undefined
}

type FieldTableProps = {
  readonly reading: Reading
  readonly label: string
  /** What the anchors of the fields begin with; without it they have none. */
  readonly anchor?: string | undefined
  readonly fields: readonly TableField[]
  /** Fields of a response: no client has to send them. */
  readonly isAnswer?: boolean
}

export function FieldTable({ reading, label, anchor, fields, isAnswer = false }: FieldTableProps) {
  const anchors = anchor === undefined ? [] : anchorsOf(anchor, fields)
  return (
    <table class="fields" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning and rules</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field, index) => (
          <FieldRow
            key={index}
            reading={reading}
            field={field}
            anchor={anchors[index]}
            isAnswer={isAnswer}
          />
        ))}
      </tbody>
    </table>
  )
}

/** The anchor of each field that has a name; several forms may have fields of the same name. */
export function anchorsOf(
  anchor: string,
  fields: readonly Field[],
): readonly (string | undefined)[] {
  const taken = new Set<string>()
  return fields.map(({ kind, name, parents }) => {
    const id = [anchor, ...parents, name].join('.')
    if (kind !== 'named' || taken.has(id)) return undefined
    taken.add(id)
    return id
  })
}

type FieldRowProps = {
  readonly reading: Reading
  readonly field: TableField
  readonly anchor: string | undefined
  readonly isAnswer: boolean
}

function FieldRow({ reading, field, anchor, isAnswer }: FieldRowProps) {
  const duty = dutyText(field, isAnswer)
  const rules = field.rules
    .filter((rule) => !isPatternOfUuid(rule))
    .filter((rule) => !isAnswer || isRuleOfAnswers(rule))
  return (
    <tr id={anchor} class={field.depth === 0 ? undefined : `depth-${Math.min(field.depth, 6)}`}>
      <th scope="row">
        <FieldName field={field} />
        {duty === '' ? null : (
          <span class={field.isRequired ? 'duty must' : 'duty'}>
            {[duty, field.place].filter(Boolean).join(', ')}
          </span>
        )}
      </th>
      <td class="type">
        <code>{field.type}</code>
      </td>
      <td>
        {field.description === '' ? null : <p>{inline(field.description, reading.resolveLink)}</p>}
        {rules.length === 0 ? null : (
          <ul class="rules">
            {rules.map((rule) => (
              <li key={rule.kind}>{ruleText(rule)}</li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  )
}

/** Its description says what it is; the pattern only fills the page. */
function isPatternOfUuid(rule: FieldRule): boolean {
  return rule.kind === 'pattern' && rule.text.includes('-4[')
}

/** Responses are shown beside a whole example, and no client sends their fields. */
function isRuleOfAnswers(rule: FieldRule): boolean {
  return rule.kind !== 'example' && rule.kind !== 'closed'
}

function dutyText(field: TableField, isAnswer: boolean): string {
  if (field.kind !== 'named') return ''
  if (isAnswer) return field.isRequired ? '' : 'not always present'
  return field.isRequired ? 'required' : 'optional'
}

function FieldName({ field }: { readonly field: Field }) {
  if (field.kind === 'whole') return <span class="name">body</span>
  if (field.kind === 'entry') return <span class="name">each entry</span>
  if (field.kind === 'any-name') return <span class="name">any name</span>
  if (field.kind === 'variant') {
    return <span class="name">{/^\d+$/.test(field.name) ? `Form ${field.name}` : field.name}</span>
  }
  return (
    <code class="name">
      {field.parents.length === 0 ? null : <span class="quiet">{field.parents.join('.')}.</span>}
      {breakable(field.name)}
    </code>
  )
}

/** Lets a long camelCase name break between its words in a narrow column. */
function breakable(name: string): ComponentChild[] {
  return name
    .split(/(?<=[a-z])(?=[A-Z])/)
    .flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]))
}

function ruleText(rule: FieldRule): ComponentChild {
  switch (rule.kind) {
    case 'length':
      return `Length: ${spanText(rule)}`
    case 'entries':
      return `Entries: ${spanText(rule)}`
    case 'range':
      return `Value: ${spanText(rule)}`
    case 'values':
      return ruleWith('One of', rule.values)
    case 'closed':
      return NO_OTHER_FIELDS
    case 'pattern':
      return ruleWith('Pattern', [rule.text])
    case 'format':
      return ruleWith('Format', [rule.text])
    case 'constant':
      return ruleWith('Always', [rule.text])
    case 'default':
      return ruleWith('Default', [rule.text])
    case 'example':
      return ruleWith('Example', [rule.text])
  }
}

export const NO_OTHER_FIELDS = 'No other fields are accepted.'

function ruleWith(label: string, values: readonly string[]): ComponentChild {
  return (
    <>
      {label}:{values.flatMap((value) => [' ', <code key={value}>{value}</code>])}
    </>
  )
}

type Span = { readonly min?: number | undefined; readonly max?: number | undefined }

function spanText({ min, max }: Span): string {
  if (min !== undefined && min === max) return String(min)
  if (min !== undefined && max !== undefined) return `${min} to ${max}`
  return min === undefined ? `at most ${max ?? ''}` : `at least ${min}`
}

/** Fields as a table: name and duty, type, meaning with every rule of the schema. */
import type { ComponentChild } from 'preact'
import { fill, type Words } from '../words.ts'
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
  readonly fields: readonly TableField[]
  /** Fields of a response: no client has to send them. */
  readonly isAnswer?: boolean
}

export function FieldTable({ reading, label, fields, isAnswer = false }: FieldTableProps) {
  const { words } = reading
  return (
    <table class="fields" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{words.field}</th>
          <th scope="col">{words.type}</th>
          <th scope="col">{words.meaning}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field, index) => (
          <FieldRow key={index} reading={reading} field={field} isAnswer={isAnswer} />
        ))}
      </tbody>
    </table>
  )
}

type FieldRowProps = {
  readonly reading: Reading
  readonly field: TableField
  readonly isAnswer: boolean
}

function FieldRow({ reading, field, isAnswer }: FieldRowProps) {
  const { words, textLang } = reading
  const duty = dutyText(field, words, isAnswer)
  const rules = isAnswer ? field.rules.filter(isRuleOfAnswers) : field.rules
  return (
    <tr class={`depth-${Math.min(field.depth, 6)}`}>
      <th scope="row">
        <FieldName field={field} words={words} />
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
        {field.description === '' ? null : <p lang={textLang}>{inline(field.description)}</p>}
        {rules.length === 0 ? null : (
          <ul class="rules">
            {rules.map((rule) => (
              <li key={rule.kind}>{ruleText(rule, words)}</li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  )
}

/** Responses are shown beside a whole example, and no client sends their fields. */
function isRuleOfAnswers(rule: FieldRule): boolean {
  return rule.kind !== 'example' && rule.kind !== 'closed'
}

function dutyText(field: TableField, words: Words, isAnswer: boolean): string {
  if (field.kind !== 'named') return ''
  if (isAnswer) return field.isRequired ? '' : words.notAlways
  return field.isRequired ? words.required : words.optional
}

function FieldName({ field, words }: { readonly field: Field; readonly words: Words }) {
  if (field.kind === 'whole') return <span class="name">{words.wholeBody}</span>
  if (field.kind === 'entry') return <span class="name">{words.eachEntry}</span>
  if (field.kind === 'any-name') return <span class="name">{words.anyName}</span>
  if (field.kind === 'variant') {
    const isNumbered = /^\d+$/.test(field.name)
    return (
      <span class="name">
        {isNumbered ? fill(words.variant, { number: field.name }) : field.name}
      </span>
    )
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

function ruleText(rule: FieldRule, words: Words): ComponentChild {
  switch (rule.kind) {
    case 'length':
      return words.ruleLength + words.colon + spanText(rule, words)
    case 'entries':
      return words.ruleEntries + words.colon + spanText(rule, words)
    case 'range':
      return words.ruleRange + words.colon + spanText(rule, words)
    case 'values':
      return ruleWith(words, words.ruleValues, rule.values)
    case 'closed':
      return words.ruleClosed
    case 'pattern':
      return ruleWith(words, words.rulePattern, [rule.text])
    case 'format':
      return ruleWith(words, words.ruleFormat, [rule.text])
    case 'constant':
      return ruleWith(words, words.ruleConstant, [rule.text])
    case 'default':
      return ruleWith(words, words.ruleDefault, [rule.text])
    case 'example':
      return ruleWith(words, words.ruleExample, [rule.text])
  }
}

function ruleWith(words: Words, label: string, values: readonly string[]): ComponentChild {
  return (
    <>
      {label}
      {words.colon}
      {values.flatMap((value, index) => [index === 0 ? '' : ' ', <code key={value}>{value}</code>])}
    </>
  )
}

type Span = { readonly min?: number | undefined; readonly max?: number | undefined }

function spanText({ min, max }: Span, words: Words): string {
  if (min !== undefined && min === max) return String(min)
  if (min !== undefined && max !== undefined) return fill(words.between, { min, max })
  return min === undefined ? fill(words.atMost, { max: max ?? '' }) : fill(words.atLeast, { min })
}

/** Form fields with their label, hint and problem. */
import type { ComponentChildren } from 'preact'
import type { Visit } from './visit.ts'
import { DASHBOARD_WORDS } from './words.ts'

type FieldProps = {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'password' | 'email' | 'date' | 'number' | 'color' | 'url'
  readonly autocomplete?: string
  readonly inputMode?: 'numeric' | 'decimal' | 'text'
  readonly value?: string | undefined
  readonly hint?: string
  /** What is wrong with the value. */
  readonly problem?: string | undefined
  readonly isWrong?: boolean
}

export function Field(props: FieldProps) {
  const { name, label, type = 'text', autocomplete = 'off', inputMode, value, problem } = props
  const isWrong = props.isWrong === true || problem !== undefined
  return (
    <Labelled name={name} label={label} hint={props.hint} problem={problem}>
      <input
        id={name}
        name={name}
        // One of them; the type of elements wants to know which.
        type={type as 'text'}
        inputMode={inputMode}
        autocomplete={autocomplete}
        value={value}
        spellcheck={false}
        autocapitalize="none"
        aria-describedby={describedBy(name, props.hint, problem)}
        aria-invalid={isWrong ? true : undefined}
      />
    </Labelled>
  )
}

type ChoiceProps = {
  readonly name: string
  readonly label: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
  readonly value?: string | undefined
  readonly hint?: string
  readonly problem?: string | undefined
}

export function Choice({ name, label, options, value, hint, problem }: ChoiceProps) {
  return (
    <Labelled name={name} label={label} hint={hint} problem={problem}>
      <select id={name} name={name} aria-describedby={describedBy(name, hint, problem)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

type ApplyProps = {
  readonly visit: Visit
  /** Where the page is without filters, if there are any to clear. */
  readonly clearAt?: string | undefined
}

/** The end of a form that filters what its page shows. */
export function ApplyFilters({ visit, clearAt }: ApplyProps) {
  return (
    <div class="row">
      <button type="submit" class="main">
        {DASHBOARD_WORDS[visit.lang].applyFilters}
      </button>
      {clearAt === undefined ? null : <ClearFilters visit={visit} at={clearAt} />}
    </div>
  )
}

export const ClearFilters = ({ visit, at }: { readonly visit: Visit; readonly at: string }) => (
  <a href={at}>{DASHBOARD_WORDS[visit.lang].clearFilters}</a>
)

type LabelledProps = {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly problem?: string | undefined
  readonly children: ComponentChildren
}

/** For what neither a field nor a choice covers, such as a text area. */
export function Labelled({ name, label, hint, problem, children }: LabelledProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint === undefined ? null : (
        <p class="note" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {problem === undefined ? null : (
        <p class="problem" id={`${name}-problem`}>
          {problem}
        </p>
      )}
      {children}
    </div>
  )
}

export const describedBy = (
  name: string,
  hint: string | undefined,
  problem: string | undefined,
): string | undefined =>
  [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ') || undefined

/** In the order in which a reader looks for them. */
export const byText = <T extends { readonly text: string }>(
  lang: string,
  options: readonly T[],
): readonly T[] => options.toSorted((one, other) => one.text.localeCompare(other.text, lang))

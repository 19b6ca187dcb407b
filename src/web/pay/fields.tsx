import type { ComponentChildren } from 'preact'
import type { PayForm } from '../../usecases/hosted/form.ts'
import type { Problem } from './refusal-text.ts'
import type { Typed, Visit } from './visit.ts'
import { PAY_WORDS } from './words.ts'

/** Names every problem first, takes the focus, and leads to each field. */
export function Summary(props: { readonly visit: Visit; readonly problems: readonly Problem[] }) {
  const { visit, problems } = props
  if (problems.length === 0) return null
  return (
    <div class="summary" role="alert" tabIndex={-1} autofocus>
      <h2>{PAY_WORDS[visit.lang].problemSummary}</h2>
      <ul>
        {problems.map(({ field, text }) => (
          <li key={field}>
            <a href={`#${field}`}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Nothing is wrong with the form; the customer has to press once more. */
export function BusyNotice(props: { readonly visit: Visit; readonly typed: Typed | undefined }) {
  const { visit, typed } = props
  if (typed?.isBusy !== true) return null
  const words = PAY_WORDS[visit.lang]
  return (
    <div class="summary asks" role="alert" tabIndex={-1} autofocus>
      <h2>{words.busySummary}</h2>
      <p>{words.busy}</p>
    </div>
  )
}

export function FieldError(props: {
  readonly visit: Visit
  readonly field: keyof PayForm
  readonly problem: Problem | undefined
}) {
  const { visit, field, problem } = props
  if (problem === undefined) return null
  return (
    <p class="error" id={`${field}-error`}>
      <span class="quiet">{PAY_WORDS[visit.lang].error}</span>
      {problem.text}
    </p>
  )
}

/** The attributes that tie a field to the message about it. */
export function described(field: string, hasProblem: boolean, hints: readonly string[] = []) {
  const ids = [...hints, ...(hasProblem ? [`${field}-error`] : [])]
  return {
    ...(ids.length === 0 ? {} : { 'aria-describedby': ids.join(' ') }),
    ...(hasProblem ? { 'aria-invalid': true as const } : {}),
  }
}

/** A field that the merchant fixed: text, so that nobody tries to change it. */
export function Fixed(props: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div class="fixed">
      <span class="label">{props.label}</span>
      <bdi>{props.children}</bdi>
    </div>
  )
}

export function Hidden({
  values,
}: {
  readonly values: Readonly<Record<string, string | undefined>>
}) {
  return (
    <>
      {Object.entries(values).map(([name, value]) =>
        value === undefined || value === '' ? null : (
          <input key={name} type="hidden" name={name} value={value} />
        ),
      )}
    </>
  )
}

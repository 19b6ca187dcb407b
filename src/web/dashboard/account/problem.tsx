import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { ACCOUNT_WORDS, type AccountWords } from './words.ts'

/** What is wrong with a form of the page, and the field that it is about. */
export type Problem = { readonly text: keyof AccountWords; readonly field: string }

export type ProblemProps = { readonly visit: Visit; readonly problem: Problem | undefined }

export function ProblemLine({ visit, problem }: ProblemProps) {
  if (problem === undefined) return null
  return (
    <p class="notice bad" role="alert">
      <strong>{DASHBOARD_WORDS[visit.lang].error}</strong>
      <a href={`#${problem.field}`}>{ACCOUNT_WORDS[visit.lang][problem.text]}</a>
    </p>
  )
}

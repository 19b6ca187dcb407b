import type { FailureReason } from './api/shared.ts'
import type { Refused } from './caller.ts'

/** The answer to a request to do something, distinguished by `status`. */
export type Outcome<Answer extends { readonly status: string }> =
  | (Answer & { readonly status: Exclude<Answer['status'], 'REJECTED'> } & Created<Answer>)
  | Rejected<Answer>

/** With `created`, where the answer has it. */
type Created<Answer> = 'created' extends keyof Answer
  ? { readonly created: NonNullable<Answer['created']> }
  : unknown

type Rejected<Answer> = Answer & {
  readonly status: 'REJECTED'
  readonly failureReason: FailureReason
}

/** A refusal has the identifier in it, unless the request had none that can be read. */
export const outcome = <Answer extends { readonly status: string }>(
  answer: Answer | Refused,
): Outcome<Answer> => answer as Outcome<Answer>

/** One outcome for each of a list, also where the list was refused as a whole. */
export function outcomes<Answer extends { readonly status: string }, Sent extends object>(
  sent: readonly Sent[],
  idField: string & keyof Sent & keyof Answer,
  answer: readonly Answer[] | Refused,
): readonly Outcome<Answer>[] {
  const isList = (one: readonly Answer[] | Refused): one is readonly Answer[] => Array.isArray(one)
  if (isList(answer)) return answer.map((one) => outcome(one))
  return sent.map((one) => ({ [idField]: one[idField], ...answer }) as unknown as Outcome<Answer>)
}

/** The record, if there is one. */
export const found = <Data>(answer: { readonly data?: Data }): Data | undefined => answer.data

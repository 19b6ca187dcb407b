import { returnUrlProblem } from '../domain/hosted/return-url.ts'
import type { Context } from '../usecases/context.ts'
import { invalid } from '../wire/fault.ts'

/** What may be an address depends on the environment, which no schema knows. */
export function checkReturnUrl({ environment }: Context, returnUrl: string): void {
  const problem = returnUrlProblem(returnUrl, environment)
  if (problem !== undefined) throw invalid('returnUrl', problem)
}

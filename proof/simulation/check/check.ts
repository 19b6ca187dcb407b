import type { Evidence } from '../evidence.ts'
import { checkAnswers } from './answers.ts'
import { checkCallbacks } from './callbacks.ts'
import { checkCases } from './cases.ts'
import { checkCheckouts } from './checkouts.ts'
import { type Finding, factsOf } from './facts.ts'
import { checkForms } from './forms.ts'
import { checkLegs } from './legs.ts'
import { checkMoney } from './money.ts'
import { checkOperator } from './operator.ts'
import { checkParts } from './parts.ts'
import { checkRejections } from './rejections.ts'
import { checkServed } from './served.ts'

/**
 * The judge of a simulation. It knows the evidence and the documented behaviour, but not the code
 * of the service: no file in this folder imports anything from src.
 */
export function check(evidence: Evidence): readonly Finding[] {
  const facts = factsOf(evidence)
  return [
    ...checkAnswers(facts),
    ...checkServed(evidence),
    ...checkRejections(facts),
    ...checkLegs(facts),
    ...checkOperator(facts),
    ...checkCases(facts),
    ...checkParts(facts),
    ...checkMoney(facts),
    ...checkCallbacks(facts),
    ...checkCheckouts(facts),
    ...checkForms(evidence),
  ]
}

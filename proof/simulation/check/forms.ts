import { isDeepStrictEqual } from 'node:util'
import { assertOrder, assertStart } from '../../../harness/random/generations.ts'
import type { Asked, Evidence } from '../evidence.ts'
import type { Body, Generation } from '../world.ts'
import type { Finding } from './facts.ts'

/** Every answer has the form of its generation, down to its fields and headers. */
export function checkForms(evidence: Evidence): Finding[] {
  const findings: Finding[] = []
  const hold = (subject: string, look: () => void): void => {
    const what = problemIn(look)
    if (what !== undefined) findings.push({ rule: 'answers', subject, what })
  }
  for (const asked of evidence.asks) {
    const { merchant, kind, generation, status, isForm, isAttempt } = asked
    if (isForm === true || isAttempt === true || status === undefined) continue
    const subject = `${merchant}/${kind} ${generation}`
    hold(subject, () => {
      assertMarked(asked.deprecated, generation)
      if (status !== 200) return assertError(generation, asked.answer as Body)
      for (const one of answersIn(asked)) assertStart(generation, kind, one)
    })
  }
  for (const { merchant, kind, generation, deprecated, answered } of evidence.looks) {
    if (answered === undefined) continue
    hold(`${merchant}/${kind} ${generation}`, () => assertMarked(deprecated, generation))
  }
  for (const { merchant, kind, generation, deprecated, answer } of evidence.orders) {
    if (answer === undefined || generation === undefined) continue
    hold(`${merchant}/${kind} ${generation}`, () => {
      assertMarked(deprecated, generation)
      assertOrder(generation, kind, answer)
    })
  }
  return [...findings, ...checkDamaged(evidence), ...checkUsage(evidence), ...checkLists(evidence)]
}

const answersIn = ({ isBulk, answer }: Asked): readonly Body[] =>
  isBulk ? (answer as readonly Body[]) : [answer as Body]

function problemIn(look: () => void): string | undefined {
  try {
    look()
    return undefined
  } catch (error) {
    return `an answer does not have the form of its generation: ${(error as Error).message}`
  }
}

/** Only answers of the earlier generation have deprecation headers. */
function assertMarked(deprecated: boolean | null | undefined, generation: Generation): void {
  if (deprecated === (generation === 'v1')) return
  throw new Error(`its headers are those of ${deprecated === true ? 'the other' : 'no'} generation`)
}

function assertError(generation: Generation, body: Body | undefined): void {
  const { errorCode, failureReason } = body ?? {}
  const code = generation === 'v1' ? errorCode : (failureReason as Body | undefined)?.failureCode
  if (code === undefined) throw new Error(JSON.stringify(body))
}

/** Damaged requests are refused, in the form of the generation called. */
function checkDamaged({ damaged }: Evidence): Finding[] {
  return damaged.flatMap(({ merchant, kind, generation, body, status, answer, deprecated }) => {
    if (status === undefined) return []
    const subject = `${merchant}/${kind} ${generation}`
    const isRefused =
      (status >= 400 && status < 500) ||
      (status === 200 && (answer as Body | undefined)?.status === 'REJECTED')
    const what = isRefused
      ? problemIn(() => {
          assertMarked(deprecated, generation)
          if (status === 200) assertStart(generation, kind, answer as Body)
          else assertError(generation, answer as Body)
        })
      : `was damaged, but not refused: ${JSON.stringify(body)}`
    return what === undefined ? [] : [{ rule: 'answers' as const, subject, what }]
  })
}

/**
 * The usage of the earlier generation that each merchant reads: nothing that it did not call, and
 * every call whose count no kill can have lost.
 */
function checkUsage({ usage }: Evidence): Finding[] {
  return usage.flatMap(({ merchant, call, made, answeredLast, counted }) => {
    if (counted >= answeredLast && counted <= made) return []
    const what = `was made ${made} times, ${answeredLast} after all kills, but counted as ${counted}`
    return [{ rule: 'answers' as const, subject: `${merchant}/${call}`, what }]
  })
}

/** Both generations list the same balances. */
function checkLists({ merchants }: Evidence): Finding[] {
  return merchants.flatMap(({ listed }, merchant) => {
    const inEarlierTerms = listed.current.map(({ provider = '', ...rest }) => ({
      ...rest,
      mno: provider,
    }))
    if (isDeepStrictEqual(inEarlierTerms, listed.earlier)) return []
    const what = `${JSON.stringify(listed.current)}, but in the earlier generation ${JSON.stringify(listed.earlier)}`
    return [{ rule: 'status' as const, subject: `${merchant} balances`, what }]
  })
}

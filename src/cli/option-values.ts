import { REPLAY_MAX_PER_SECOND } from '../domain/callbacks/replay.ts'
import { CommandProblem, textOf } from './command-kit.ts'

/** The values of options, read and checked. */

/** Every value of an option that can be given several times. */
export function choicesOf<T extends string>(
  given: unknown,
  allowed: readonly T[],
  what: string,
): readonly T[] {
  const texts = (Array.isArray(given) ? given : []) as readonly string[]
  return texts.map((text) => {
    const found = allowed.find((one) => one.toLowerCase() === text.trim().toLowerCase())
    if (found !== undefined) return found
    const article = /^[aeiou]/.test(what) ? 'an' : 'a'
    throw new CommandProblem(
      `"${text}" is not ${article} ${what}. There are ${allowed.join(', ')}.`,
    )
  })
}

/** The value of an option that can be given once. */
export const choiceOf = <T extends string>(
  given: unknown,
  allowed: readonly T[],
  what: string,
): T | undefined => choicesOf([given ?? []].flat(), allowed, what)[0]

export function timeOf(value: unknown, name: string): number | undefined {
  const text = textOf(value)
  if (text === undefined) return undefined
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  const day = text.slice(0, 10)
  if (!Number.isNaN(ms) && new Date(day).toISOString().startsWith(day)) return ms
  if (!Number.isNaN(ms)) throw new CommandProblem(`--${name} is "${text}"; there is no such day.`)
  throw new CommandProblem(`--${name} is "${text}"; give a time such as 2026-01-31T14:00:00Z.`)
}

export function rateOf(value: unknown, byDefault: number): number {
  return numberOf(value, { name: 'rate', byDefault, most: REPLAY_MAX_PER_SECOND })
}

export function limitOf(value: unknown): number {
  return numberOf(value, { name: 'limit', byDefault: 100, most: 10_000 })
}

export function numberOf(
  value: unknown,
  { name, byDefault, most }: { name: string; byDefault: number; most: number },
): number {
  const text = textOf(value)
  if (text === undefined) return byDefault
  const number = /^\d+$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= most) return number
  throw new CommandProblem(`--${name} is "${text}"; give a whole number from 1 to ${most}.`)
}

import type { AttackReport } from './connection-attacks.ts'
import { type Latency, latencyFault } from './other-merchant.ts'

/** The other merchant's p99 stays below this during an attack. */
export const QUIET_BOUND_MS = 250
export const FLOOD_BOUND_MS = 1000
/** After a flood the other merchant's p99 is below the first bound again within this time. */
const CALM_BOUND_MS = 10_000

const STOLEN_NOTED = 0.02

export type Row = {
  readonly attack: string
  readonly outcome: string
  readonly before: Latency
  readonly during: Latency
  readonly boundMs: number
  readonly afterwards?: Recovery
  /** What went wrong apart from the latency. */
  readonly problem?: string
}

/** Milliseconds from the end of a flood; infinite if it never happened. */
export type Recovery = {
  readonly calmMs: number
  /** Every payment accepted during the flood is final, and its callback is settled. */
  readonly workedOffMs: number
}

/** True if all bounds are met. */
export function reportRows(rows: readonly Row[]): boolean {
  let isMet = true
  process.stdout.write('\n')
  for (const { attack, outcome, before, during, boundMs, afterwards, problem } of rows) {
    const isCalm = afterwards === undefined || isWell(afterwards)
    const problems = [latencyFault(during, boundMs), problem].filter((one) => one !== undefined)
    const isGood = isCalm && problems.length === 0
    isMet &&= isGood
    process.stdout.write(
      `${isGood ? 'ok  ' : 'FAIL'}  ${attack}: ${outcome}\n` +
        `      another merchant: p50 ${ms(during.p50Ms)}, p99 ${ms(during.p99Ms)} ` +
        `(before ${ms(before.p50Ms)}, ${ms(before.p99Ms)}; bound ${boundMs} ms), ` +
        `${during.refused} of ${during.requests} refused${stolenText(during)}\n` +
        problems.map((one) => `      ${one}\n`).join('') +
        (afterwards === undefined ? '' : `      ${recoveryText(afterwards)}\n`),
    )
  }
  return isMet
}

/** Printed only where it may explain a slow answer. */
function stolenText({ stolen = 0 }: Latency): string {
  return stolen < STOLEN_NOTED
    ? ''
    : `; the host gave ${(stolen * 100).toFixed(0)} % of the processors to other machines`
}

function isWell({ calmMs, workedOffMs }: Recovery): boolean {
  return calmMs <= CALM_BOUND_MS && workedOffMs < Infinity
}

function recoveryText({ calmMs, workedOffMs }: Recovery): string {
  const after = (value: number): string =>
    value < Infinity ? `after ${(value / 1000).toFixed(1)} s` : 'not in time'
  return (
    `from the end of the flood: p99 within ${QUIET_BOUND_MS} ms again ${after(calmMs)} ` +
    `(bound ${CALM_BOUND_MS / 1000} s), backlog cleared ${after(workedOffMs)}`
  )
}

export function summaryOf({ opened, closed, statuses }: AttackReport): string {
  return `${opened} connections, ${closed} closed by the service, ${writtenCounts(statuses)}`
}

export function writtenCounts(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} × ${count}`)
  return parts.length === 0 ? 'no answers' : parts.join(', ')
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`
}

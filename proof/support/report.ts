/** What a proof prints while it runs and at the end. */
import type { Verdict } from './check.ts'

const SHOWN = 5

/** A proof that is terminated stops its servers and nodes. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}

/** For the table at the end of `npm run proof`. */
export const reportChecked = (checked: string): void => void process.send?.({ checked })

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** One line that follows the work: in place on a terminal, every ten seconds elsewhere. */
export function followProgress(line: () => string): { stop(): void } {
  const isTerminal = process.stdout.isTTY === true
  const show = (): void => {
    if (isTerminal) process.stdout.write(`\r\x1b[K${line()}`)
    else say(line())
  }
  const timer = setInterval(show, isTerminal ? 500 : 10_000)
  return {
    stop: () => {
      clearInterval(timer)
      if (isTerminal) process.stdout.write('\r\x1b[K')
    },
  }
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** The table at the end; returns whether everything holds. */
export function sayVerdicts(verdicts: readonly Verdict[]): boolean {
  const rows = verdicts.map(({ guarantee, checked, findings }) => [
    guarantee,
    String(checked),
    findings.length === 0 ? 'holds' : `${findings.length} BROKEN`,
  ])
  say(table(['Guarantee', 'Looked at', 'Result'], rows))
  for (const { guarantee, findings } of verdicts) {
    if (findings.length === 0) continue
    say(
      `\n${guarantee}: ${findings.length} findings, the first ${Math.min(SHOWN, findings.length)}:`,
    )
    for (const finding of findings.slice(0, SHOWN)) say(`  ${finding}`)
  }
  return verdicts.every(({ findings }) => findings.length === 0)
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const seconds = (ms: number): string =>
  Number.isNaN(ms) ? '–' : `${(ms / 1000).toFixed(2)} s`

export function duration(ms: number): string {
  const whole = Math.round(ms / 1000)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { check } from './check/check.ts'
import type { Finding } from './check/facts.ts'
import type { Evidence } from './evidence.ts'
import { planOf } from './plan.ts'
import { findingLines, report } from './report.ts'
import { type Progress, runPlan } from './run.ts'

const HELP = `npm run simulate -- [--seed N] [--hours H] | --evidence FILE

Lets merchants, faults and a leaping clock loose on two nodes and a PostgreSQL of their own, and
checks afterwards that nothing is lost, doubled or told wrongly. See docs/proofs.md.

  --seed N         draws what happens; the same seed asks for the same things. Random by default.
  --hours H        how many hours the test clock passes through. 24 by default.
  --evidence FILE  runs nothing: the judge looks once more at the evidence of a run that was kept.
`
const OPTIONS = {
  seed: { type: 'string' },
  hours: { type: 'string' },
  evidence: { type: 'string' },
  help: { type: 'boolean' },
} as const
const HOURS_MAX = 24 * 365

const say = (text: string): void => void process.stderr.write(`${text}\n`)

// Ends the nodes and the server with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

process.exitCode = await main().catch((error: Error) => {
  say(error.stack ?? error.message)
  return 1
})

async function main(): Promise<number> {
  const { values } = parseArgs({ options: OPTIONS })
  if (values.help === true) {
    process.stdout.write(HELP)
    return 0
  }
  if (values.evidence !== undefined) return judgeAgain(values.evidence)
  const seed = numberOf('seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 31)))
  const hours = numberOf('hours', values.hours ?? '24', HOURS_MAX)
  const again = `npm run simulate -- --seed ${seed} --hours ${hours}`
  say(again)
  const startedAt = performance.now()
  const plan = planOf(seed, hours)
  const { evidence, errors, hoursAfter } = await runPlan(plan, progressEvery(5000))
  const findings = check(evidence)
  const wallSeconds = (performance.now() - startedAt) / 1000
  process.stdout.write(`${report(plan, evidence, findings, { wallSeconds, hoursAfter })}\n`)
  if (findings.length === 0) return 0
  const file = join(tmpdir(), `malipo-simulation-${seed}.json`)
  await writeFile(file, JSON.stringify({ plan, evidence, findings, errors }))
  say(`The evidence is in ${file}. Once more: ${again}`)
  return tell(findings)
}

async function judgeAgain(file: string): Promise<number> {
  const kept = JSON.parse(await readFile(file, 'utf8')) as { readonly evidence: Evidence }
  const findings = check(kept.evidence)
  process.stdout.write(`findings  ${findings.length}\n`)
  return tell(findings)
}

function tell(findings: readonly Finding[]): number {
  if (findings.length === 0) return 0
  process.stdout.write(`${findingLines(findings).join('\n')}\n`)
  return 3
}

function numberOf(name: string, text: string, most = 2 ** 32 - 1): number {
  const number = Number(text)
  const isWhole = name === 'hours' || Number.isInteger(number)
  if (text.trim() !== '' && isWhole && number >= 0 && number <= most) return number
  throw new Error(`--${name} ${text}: give a number from 0 to ${most}, such as --${name} 24.`)
}

function progressEvery(ms: number): (progress: Progress) => void {
  const startedAt = performance.now()
  let saidAt = startedAt
  return ({ step, steps, seconds, requests, callbacks }) => {
    const now = performance.now()
    if (now - saidAt < ms && step < steps) return
    saidAt = now
    const hours = (seconds / 3600).toFixed(1)
    const wall = ((now - startedAt) / 1000).toFixed(0)
    say(
      `step ${step} of ${steps}, hour ${hours}, ${requests} requests, ${callbacks} callbacks, ${wall} s`,
    )
  }
}

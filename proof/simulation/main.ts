import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { helpOf } from '../proofs.ts'
import { readOptions } from '../support/options.ts'
import { reportChecked } from '../support/report.ts'
import { check } from './check/check.ts'
import type { Finding } from './check/facts.ts'
import type { Evidence } from './evidence.ts'
import { FORGERIES } from './forgery/forgeries.ts'
import { planOf } from './plan.ts'
import { findingLines, report } from './report.ts'
import { type Progress, runPlan } from './run.ts'

const say = (text: string): void => void process.stderr.write(`${text}\n`)

// Stops the nodes and the server as well.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

process.exitCode = await main().catch((error: Error) => {
  say(error.stack ?? error.message)
  return 1
})

async function main(): Promise<number> {
  const { numbers, texts } = readOptions(helpOf('simulation'), {
    numbers: { seed: Math.floor(Math.random() * 2 ** 31), hours: 24 },
    switches: [],
    texts: ['evidence', 'plant'],
    fractions: ['hours'],
  })
  if (texts.plant === 'list') return listFaults()
  if (texts.evidence !== undefined) return judgeAgain(texts.evidence)
  const { seed, hours } = numbers
  const again = `npm run proof -- simulation --seed ${seed} --hours ${hours}`
  say(again)
  const startedAt = performance.now()
  const plan = planOf(seed, hours)
  const { evidence, errors, hoursAfter } = await runPlan(plan, progressEvery(5000))
  if (texts.plant !== undefined) plant(texts.plant, evidence)
  const findings = check(evidence)
  const wallSeconds = (performance.now() - startedAt) / 1000
  process.stdout.write(`${report(plan, evidence, findings, { wallSeconds, hoursAfter })}\n`)
  reportChecked(`${evidence.payments.length} payments, ${evidence.callbacks.length} callbacks`)
  if (findings.length === 0) return 0
  const file = join(tmpdir(), `malipo-simulation-${seed}.json`)
  await writeFile(file, JSON.stringify({ plan, evidence, findings, errors }))
  say(`The evidence is in ${file}. To repeat: ${again}`)
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
  return 1
}

/** Shows that the judge notices, with the same falsifications as in its tests. */
function plant(what: string, evidence: Evidence): void {
  const forgery = FORGERIES.find((one) => one.what === what)
  if (forgery === undefined) throw new Error(`--plant "${what}" is not in the list: --plant list`)
  forgery.tamper(evidence)
}

function listFaults(): number {
  process.stdout.write(`${FORGERIES.map(({ what }) => what).join('\n')}\n`)
  return 0
}

function progressEvery(ms: number): (progress: Progress) => void {
  const startedAt = performance.now()
  let reportedAt = startedAt
  return ({ step, steps, seconds, requests, callbacks }) => {
    const now = performance.now()
    if (now - reportedAt < ms && step < steps) return
    reportedAt = now
    const hours = (seconds / 3600).toFixed(1)
    const wall = ((now - startedAt) / 1000).toFixed(0)
    say(
      `step ${step} of ${steps}, hour ${hours}, ${requests} requests, ${callbacks} callbacks, ${wall} s`,
    )
  }
}

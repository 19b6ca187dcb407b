import { checkDeliveries, checkInside, checkMoney, readAdjustments, readWallets } from './books.ts'
import { type Checkouts, findCheckouts } from './checkouts.ts'
import { type Findings, find } from './findings.ts'
import { createJournal } from './journal.ts'
import { type Plan, planOf } from './plan.ts'
import { checkPromises } from './promises.ts'
import { runPlan } from './run.ts'
import { settle } from './settle.ts'
import { setStage } from './stage.ts'
import { checkUsage } from './usage.ts'

/** One history from its seed to its end, and everything that must be true then. */
export async function liveThrough(seed: number): Promise<{ plan: Plan; findings: Findings }> {
  const plan = planOf(seed)
  const stage = await setStage(plan)
  let isWhole = false
  try {
    const journal = createJournal()
    const before = await readWallets(stage)
    const given = await readAdjustments(stage)
    const checkouts: Checkouts = new Map()
    await runPlan(plan, stage, journal, checkouts)
    await settle(plan, stage)
    await findCheckouts(plan, stage, checkouts, journal)
    const findings = await find(plan, stage, journal)
    checkPromises(findings)
    checkDeliveries(plan, stage, findings)
    await checkInside(plan, stage, findings)
    const adjusted = await readAdjustments(stage)
    for (const [name, units] of given) adjusted.set(name, (adjusted.get(name) ?? 0n) - units)
    checkMoney(before, adjusted, await readWallets(stage), findings)
    await checkUsage(stage)
    isWhole = true
    return { plan, findings }
  } catch (error) {
    const lines = stage.service.logLines.filter((line) => line.includes('"level":"error"'))
    process.stderr.write(`MALIPO_SEED=${seed} failed\n${lines.slice(0, 5).join('\n')}\n`)
    throw error
  } finally {
    // The first thing that went wrong is what matters; the books are looked at when nothing did.
    await (isWhole ? stage.close() : stage.close().catch(() => {}))
  }
}

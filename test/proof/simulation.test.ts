import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { IS_PROOF, itInProofs } from '../../harness/scale.ts'
import { check } from '../../proof/simulation/check/check.ts'
import { RULES } from '../../proof/simulation/check/facts.ts'
import type { Evidence } from '../../proof/simulation/evidence.ts'
import { FORGERIES } from '../../proof/simulation/forgery/forgeries.ts'
import { planOf } from '../../proof/simulation/plan.ts'
import { faultsIn, findingLines } from '../../proof/simulation/report.ts'
import { runPlan } from '../../proof/simulation/run.ts'

/** Some simulated minutes in which a node and the database are killed; docs/proofs.md has more. */
const [SEED, HOURS, AT_LEAST] = IS_PROOF ? [3755, 0.4, 40] : [27, 0.1, 8]
const plan = planOf(SEED, HOURS)
let evidence: Evidence

describe('a simulation', { timeout: 540_000 }, () => {
  it('is planned by its seed alone', () => {
    assert.deepEqual(planOf(SEED, HOURS), plan)
    assert.notDeepEqual(planOf(SEED + 1, HOURS).steps, plan.steps)
    const faults = faultsIn(plan)
    for (const fault of ['node killed', 'database killed', 'operator silent', 'sent again']) {
      assert.ok((faults.get(fault) ?? 0) > 0, fault)
    }
  })

  it('ends without findings', async () => {
    const outcome = await runPlan(plan, () => {})
    evidence = outcome.evidence
    const findings = check(evidence)
    const again = `npm run proof -- simulation --seed ${SEED} --hours ${HOURS}`
    assert.equal(findings.length, 0, [again, ...findingLines(findings)].join('\n'))
    assert.ok(evidence.payments.length > AT_LEAST)
    assert.ok(evidence.callbacks.length > AT_LEAST)
  })
})

describe('the judge of a simulation finds it when', () => {
  const shown = new Set<string>()
  for (const { what, rule, tamper } of FORGERIES) {
    itInProofs(what, () => {
      const forged = structuredClone(evidence)
      tamper(forged)
      const rules = new Set(check(forged).map((finding) => finding.rule))
      assert.ok(rules.has(rule), `${rule} is not among ${[...rules].join(', ') || 'no findings'}`)
      shown.add(rule)
    })
  }

  itInProofs('any of its rules is broken', () => {
    assert.deepEqual([...shown].toSorted(), Object.keys(RULES).toSorted())
  })
})

it('the page of proofs names every rule and every fault', () => {
  const page = readFileSync('docs/proofs.md', 'utf8')
  const cells = [...page.matchAll(/^\| (\S.*?) +\|/gm)].map(([, cell = '']) => cell)
  const faults = faultsIn(planOf(1, 72)).keys()
  for (const name of Object.values(RULES)) assert.ok(cells.includes(name), name)
  for (const name of faults) assert.ok(cells.includes(`\`${name}\``), name)
})

it('the judge imports nothing from the service', () => {
  const folder = 'proof/simulation/check'
  for (const name of readdirSync(folder)) {
    const text = readFileSync(`${folder}/${name}`, 'utf8')
    assert.doesNotMatch(text, /from '[./]*src\//, name)
  }
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { check } from '../../proof/simulation/check/check.ts'
import { RULES, type Rule } from '../../proof/simulation/check/facts.ts'
import type { Evidence } from '../../proof/simulation/evidence.ts'
import { planOf } from '../../proof/simulation/plan.ts'
import { faultsIn, findingLines } from '../../proof/simulation/report.ts'
import { runPlan } from '../../proof/simulation/run.ts'

/** Some simulated minutes in which a node and the database are killed; docs/reliability.md has more. */
const SEED = 9288
const HOURS = 0.4
const plan = planOf(SEED, HOURS)
let evidence: Evidence

describe('a simulation', { timeout: 200_000 }, () => {
  it('is planned by its seed alone', () => {
    assert.deepEqual(planOf(SEED, HOURS), plan)
    assert.notDeepEqual(planOf(SEED + 1, HOURS).steps, plan.steps)
    const faults = faultsIn(plan)
    for (const fault of ['node killed', 'database killed', 'operator silent', 'sent again']) {
      assert.ok((faults.get(fault) ?? 0) > 0, fault)
    }
  })

  it('ends with everything in its place', async () => {
    const outcome = await runPlan(plan, () => {})
    evidence = outcome.evidence
    const findings = check(evidence)
    const again = `npm run simulate -- --seed ${SEED} --hours ${HOURS}`
    assert.equal(findings.length, 0, [again, ...findingLines(findings)].join('\n'))
    assert.ok(evidence.payments.length > 40)
    assert.ok(evidence.callbacks.length > 40)
  })
})

const first = <T>(list: readonly T[], fits: (one: T) => boolean): T => {
  const found = list.find(fits)
  assert.ok(found !== undefined, 'the simulation has nothing of the kind')
  return found
}
const isDone = ({ state }: { state: string }): boolean => state === 'COMPLETED'
const remove = <T>(list: T[], one: T): void => void list.splice(list.indexOf(one), 1)

/** The deposit with a page whose callbacks say first that it has one, and then how it ended. */
function twoStates(all: Evidence['callbacks']): [number, number] {
  for (const [early, { body, merchant }] of all.entries()) {
    const { depositId, status } = JSON.parse(body)
    if (status !== 'PROCESSING') continue
    const late = all.findIndex(
      (one) =>
        one.merchant === merchant && one.answered === 200 && isEnd(JSON.parse(one.body), depositId),
    )
    if (late > early) return [early, late]
  }
  return assert.fail('the simulation has no such deposit')
}
const isEnd = (body: Record<string, unknown>, depositId: string): boolean =>
  body.depositId === depositId && ['COMPLETED', 'FAILED'].includes(String(body.status))

const TAMPERED: readonly {
  readonly what: string
  readonly rule: Rule
  readonly tamper: (all: Evidence) => void
}[] = [
  {
    what: 'a payment is gone from the database',
    rule: 'missing',
    tamper: ({ payments }) => remove(payments, first(payments, isDone)),
  },
  {
    what: 'a payment is gone from the database and from the status check',
    rule: 'missing',
    tamper: ({ payments, records, asks }) => {
      const asked = first(asks, ({ answer }) => (answer as Answer)?.status === 'ACCEPTED')
      const id = String(Object.values(asked.bodies[0] ?? {})[0])
      const isIt = (one: Named): boolean => isAbout(one, { ...asked, id })
      first(records, isIt).current = null
      if (asked.kind !== 'splitPayment') remove(payments, first(payments, isIt))
    },
  },
  {
    what: 'a payment is there that nobody asked for',
    rule: 'unasked',
    tamper: ({ payments }) => {
      payments.push({ ...first(payments, isDone), id: '5c1c2f6e-7f43-4a43-8a30-9dcd1f4f0a11' })
    },
  },
  {
    what: 'a state is another in the database',
    rule: 'status',
    tamper: ({ payments }) => {
      first(payments, isDone).state = 'FAILED'
    },
  },
  {
    what: 'a failed payment is told as complete',
    rule: 'operator',
    tamper: ({ records, payments }) => {
      const failed = first(
        records,
        ({ kind, current }) => kind !== 'splitPayment' && current?.status === 'FAILED',
      )
      const { failureReason: _, ...rest } = failed.current ?? {}
      failed.current = { ...rest, status: 'COMPLETED' }
      const row = first(payments, (one) => isAbout(one, failed))
      payments[payments.indexOf(row)] = { ...row, state: 'COMPLETED', failureCode: null }
    },
  },
  {
    what: 'the operator was asked twice under one reference',
    rule: 'twice',
    tamper: ({ book }) => {
      first(book, () => true).asked = 2
    },
  },
  {
    what: 'the operator has a second order under another reference',
    rule: 'twice',
    tamper: ({ book }) => {
      book.push({ ...first(book, () => true), reference: 'another' })
    },
  },
  {
    what: 'the operator lost an order that was paid',
    rule: 'operator',
    tamper: ({ book, payments }) => {
      const { reference } = first(payments, isDone)
      remove(
        book,
        first(book, (one) => one.reference === reference),
      )
    },
  },
  {
    what: 'a wallet has a cent more',
    rule: 'money',
    tamper: ({ accounts }) => {
      const wallet = first(accounts, ({ account }) => account === 'wallet:ZMB:ZMW')
      wallet.balance = `${wallet.balance.split('.')[0]}.01`
    },
  },
  {
    what: 'a request was accepted twice',
    rule: 'answers',
    tamper: ({ asks }) => {
      asks.push(first(asks, ({ answer }) => (answer as Answer)?.status === 'ACCEPTED'))
    },
  },
  {
    what: 'no callback of a payment arrived',
    rule: 'complete',
    tamper: ({ callbacks }) => {
      const { body } = first(callbacks, ({ answered }) => answered === 200)
      const kept = callbacks.filter((one) => one.body !== body)
      callbacks.splice(0, callbacks.length, ...kept)
    },
  },
  {
    what: 'callbacks of a payment came in the wrong order',
    rule: 'order',
    tamper: ({ callbacks }) => {
      const [early, late] = twoStates(callbacks)
      callbacks.splice(late, 0, ...callbacks.splice(early, 1))
    },
  },
  {
    what: 'a callback says something else than the status check',
    rule: 'same',
    tamper: ({ callbacks }) => {
      const told = first(callbacks, ({ body }) => body.includes('"COMPLETED"'))
      const body = told.body.replace(/("(?:amount|requestedAmount)":")/, '$19')
      callbacks[callbacks.indexOf(told)] = { ...told, body }
    },
  },
  {
    what: 'a callback was signed for another body',
    rule: 'signed',
    tamper: ({ callbacks }) => {
      const told = first(callbacks, () => true)
      callbacks[callbacks.indexOf(told)] = { ...told, body: `${told.body} ` }
    },
  },
  {
    what: 'a callback has the signature of another one',
    rule: 'signed',
    tamper: ({ callbacks }) => {
      const [one, other] = callbacks
      assert.ok(one !== undefined && other !== undefined)
      const { signature = '' } = other.headers
      callbacks[0] = { ...one, headers: { ...one.headers, signature } }
    },
  },
]

type Answer = { readonly status?: string } | undefined
type Named = { readonly merchant: number; readonly kind: string; readonly id: string }
const isAbout = (one: Named, other: Named): boolean =>
  one.merchant === other.merchant &&
  one.kind === other.kind &&
  one.id.toLowerCase() === other.id.toLowerCase()

describe('the judge of a simulation finds it when', () => {
  for (const { what, rule, tamper } of TAMPERED) {
    it(what, () => {
      const forged = structuredClone(evidence)
      tamper(forged)
      const rules = new Set(check(forged).map((finding) => finding.rule))
      assert.ok(rules.has(rule), `${rule} is not among ${[...rules].join(', ') || 'no findings'}`)
    })
  }
})

it('the page on reliability names every rule and every fault', () => {
  const page = readFileSync('docs/reliability.md', 'utf8')
  const cells = [...page.matchAll(/^\| (\S.*?) +\|/gm)].map(([, cell = '']) => cell)
  const faults = faultsIn(planOf(1, 72)).keys()
  for (const name of Object.values(RULES)) assert.ok(cells.includes(name), name)
  for (const name of faults) assert.ok(cells.includes(`\`${name}\``), name)
})

it('the judge knows nothing of how the service is written', () => {
  const folder = 'proof/simulation/check'
  for (const name of readdirSync(folder)) {
    const text = readFileSync(`${folder}/${name}`, 'utf8')
    assert.doesNotMatch(text, /from '[./]*src\//, name)
  }
})

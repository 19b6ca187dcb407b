import { type Finding, RULES, type Rule } from './check/facts.ts'
import type { Evidence } from './evidence.ts'
import type { Plan } from './plan.ts'

/** The table at the end of a simulation. */
export function report(
  plan: Plan,
  evidence: Evidence,
  findings: readonly Finding[],
  run: { readonly wallSeconds: number; readonly hoursAfter: number },
): string {
  const rows: (readonly [string, string | number])[] = [
    ['seed', plan.seed],
    ['merchants', evidence.merchants.length],
    ['requests', evidence.asks.length + evidence.looks.length + evidence.orders.length],
    ['  to start payments', evidence.asks.length],
    ['  of these on pages', evidence.asks.filter(({ isForm }) => isForm === true).length],
    ['  answer lost', evidence.asks.filter(({ status }) => status === undefined).length],
    ['payments', evidence.payments.length + evidence.splits.length],
    ...indented(countBy(evidence.payments, ({ kind, state }) => `${kind} ${state}`)),
    ...indented(countBy(evidence.splits, ({ state }) => `splitPayment ${state}`)),
    [
      '  cancelled while enqueued',
      evidence.payments.filter(({ failureCode }) => failureCode === 'MANUALLY_CANCELLED').length,
    ],
    ['orders received by the operator', evidence.book.length],
    ['callbacks received', evidence.callbacks.length],
    ['  acknowledged', evidence.callbacks.filter(({ answered }) => answered === 200).length],
    ['cases', evidence.cases.length],
    ...indented(countBy(evidence.cases, ({ cause }) => cause)),
    ['failed calls', evidence.unserved.length],
    ...indented(countBy(evidence.unserved, ({ status }) => `${status ?? 'no answer'}`)),
    ['faults', [...faultsIn(plan).values()].reduce((sum, count) => sum + count, 0)],
    ...indented(faultsIn(plan)),
    ['simulated hours', plan.hours],
    ['  until all work was done', `${run.hoursAfter} more`],
    ['wall time', `${run.wallSeconds.toFixed(0)} s`],
    ['findings', findings.length],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}

/** The first findings of each rule: one cause often has many. */
export function findingLines(findings: readonly Finding[], shown = 10): readonly string[] {
  return (Object.keys(RULES) as Rule[]).flatMap((rule) => {
    const all = findings.filter((one) => one.rule === rule)
    const lines = all.slice(0, shown).map(({ subject, what }) => `  ${subject}: ${what}`)
    return all.length === 0 ? [] : [`${RULES[rule]}: ${all.length} findings`, ...lines]
  })
}

/** What was done to the service, by kind. */
export function faultsIn({ steps }: Plan): ReadonlyMap<string, number> {
  const acts = steps.flatMap((step) => step.acts)
  const asks = acts.filter((act) => act.do === 'ask')
  const ids = new Set<unknown>()
  const isRepeat = (ask: (typeof asks)[number]): boolean => {
    const name = JSON.stringify([ask.merchant, ask.kind, Object.values(ask.bodies[0] ?? {})[0]])
    const isKnown = ids.has(name)
    ids.add(name)
    return isKnown
  }
  const scripts = acts.flatMap((act) => ('scripts' in act ? act.scripts : []))
  const answers = scripts.flatMap(({ script }) => script.map(({ answer }) => answer))
  const says = (word: string): number => answers.filter((answer) => answer === word).length
  const faults = steps.flatMap((step) => step.faults)
  const named = faults.flatMap((fault) => {
    if (fault.do === 'kill node') return ['node killed']
    if (fault.do === 'kill database') return ['database killed']
    return fault.behaviour === 'is well' ? [] : [`receiver ${fault.behaviour}`]
  })
  return new Map<string, number>([
    ...countBy(named, (name) => name),
    ['operator slow', says('pending')],
    ['operator loses its answer', says('unknown')],
    ['operator silent', says('silent')],
    ['operator answers twice', says('duplicate')],
    ['operator contradicts itself', says('contradict')],
    [
      'provider delayed or closed',
      acts.filter((act) => act.do === 'switch' && act.status !== 'OPERATIONAL').length,
    ],
    ['clock jumps of an hour or more', steps.filter((one) => one.leapSeconds >= 3600).length],
    [
      'sent several times at once',
      acts.filter(
        (act) => ('copies' in act && act.copies > 1) || ('clicks' in act && act.clicks > 1),
      ).length,
    ],
    ['sent again', asks.filter(isRepeat).length],
    ['client disconnects', acts.filter((act) => 'breakOffMs' in act).length],
  ])
}

function countBy<T>(list: readonly T[], nameOf: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of list) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1)
  return new Map([...counts].toSorted())
}

const indented = (counts: ReadonlyMap<string, number>): (readonly [string, number])[] =>
  [...counts].map(([name, count]) => [`  ${name}`, count])

import type { Facts, Finding, Request, Subject } from './facts.ts'

/** With these many, all failing by chance is very unlikely: at least a quarter should complete. */
const ENOUGH = 30

/** A way to pay can be broken although every single answer looks plausible. */
export function checkLegs({ subjects }: Facts): Finding[] {
  const legs = new Map<string, { asked: number; completed: number }>()
  for (const { kind, requests, record } of subjects.values()) {
    const [first] = requests
    if (first === undefined) continue
    const name = legOf(kind, first)
    const leg = legs.get(name) ?? { asked: 0, completed: 0 }
    legs.set(name, leg)
    leg.asked += 1
    if (record?.status === 'COMPLETED') leg.completed += 1
  }
  return [...legs].flatMap(([subject, { asked, completed }]): Finding[] => {
    const what = `${asked} were requested, and none is COMPLETED`
    return asked >= ENOUGH && completed === 0 ? [{ rule: 'alive', subject, what }] : []
  })
}

function legOf(kind: Subject['kind'], { isForm, isBulk, generation }: Request): string {
  if (isForm === true) return 'payment pages'
  return `${kind} ${generation}${isBulk ? ' in bulk' : ''}`
}

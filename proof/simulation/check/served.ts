import type { Evidence, Outage, Unserved } from '../evidence.ts'
import type { Finding } from './facts.ts'

/** So long after the database is back a node may hold connections that it does not know are dead. */
const FOUND_AGAIN_WITHIN_MS = 3000

/** A call comes to nothing only while something that it needs is away. */
export function checkServed({ unserved, outages }: Evidence): Finding[] {
  return unserved.flatMap((one): Finding[] => {
    if (outages.some((outage) => excuses(outage, one))) return []
    const word = one.status === undefined ? 'not answered' : `answered with ${one.status}`
    const what = `was ${word} at ${new Date(one.at).toISOString()}, and nothing was wrong`
    return [{ rule: 'heard', subject: `node ${one.node}, ${one.call}`, what }]
  })
}

/** A node that is killed takes its own answers with it; another node has no reason to fail. */
function excuses({ node, from, until = Number.POSITIVE_INFINITY }: Outage, one: Unserved): boolean {
  const isOver = one.at > until + (node === undefined ? FOUND_AGAIN_WITHIN_MS : 0)
  if (one.until < from || isOver) return false
  return node === undefined || (node === one.node && one.status === undefined)
}

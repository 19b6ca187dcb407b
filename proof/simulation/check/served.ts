import type { Evidence, Outage, Unserved } from '../evidence.ts'
import type { Finding } from './facts.ts'

/** For this long after the database is back, a node may use connections that are dead. */
const RECONNECTED_WITHIN_MS = 3000

/** A call fails only while something that it needs is down. */
export function checkServed({ unserved, outages }: Evidence): Finding[] {
  return unserved.flatMap((one): Finding[] => {
    if (outages.some((outage) => excuses(outage, one))) return []
    const word = one.status === undefined ? 'not answered' : `answered with ${one.status}`
    const what = `was ${word} at ${new Date(one.at).toISOString()}, and nothing was down`
    return [{ rule: 'answered', subject: `node ${one.node}, ${one.call}`, what }]
  })
}

/** A node that is killed loses its own answers; another node has no reason to fail. */
function excuses({ node, from, until = Number.POSITIVE_INFINITY }: Outage, one: Unserved): boolean {
  const isOver = one.at > until + (node === undefined ? RECONNECTED_WITHIN_MS : 0)
  if (one.until < from || isOver) return false
  return node === undefined || (node === one.node && one.status === undefined)
}

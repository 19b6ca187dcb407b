import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { callAt, type NodeProcess, type Place, startProcess } from '../../harness/process.ts'
import { eventually } from '../../harness/service.ts'

/** What a merchant asked for while nodes died, and what was answered. */
export type Ask = {
  readonly body: Readonly<Record<string, unknown>>
  /** How often the answer was ACCEPTED. */
  accepted: number
  /** True while the last answer was lost or a 5xx; a careful client asks again. */
  inDoubt: boolean
  refusal?: string | undefined
}

export type Asker = {
  readonly asks: ReadonlyMap<string, Ask>
  ask(place: Place, body: Readonly<Record<string, unknown>>): Promise<Ask>
  /** Asks again whatever is in doubt, until nothing is. */
  settle(place: Place): Promise<void>
}

export function createAsker(path: string, idField: string): Asker {
  const asks = new Map<string, Ask>()
  const ask: Asker['ask'] = async (place, body) => {
    const id = String(body[idField])
    const entry = asks.get(id) ?? { body, accepted: 0, inDoubt: false }
    asks.set(id, entry)
    const answer = await callAt(place, 'POST', path, body)
    entry.inDoubt = answer === undefined || answer.status >= 500
    if (answer === undefined || entry.inDoubt) return entry
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    if (answer.body.status === 'ACCEPTED') entry.accepted += 1
    entry.refusal = answer.body.failureReason?.failureCode
    return entry
  }
  return {
    asks,
    ask,
    settle: async (place) => {
      for (let rounds = 0; rounds < 100; rounds += 1) {
        const open = [...asks.values()].filter(({ inDoubt }) => inDoubt)
        if (open.length === 0) return
        for (const { body } of open) await ask(place, body)
      }
      assert.fail('requests stay in doubt')
    },
  }
}

const acceptedBy = ({ asks }: Asker): number =>
  [...asks.values()].filter(({ accepted }) => accepted > 0).length

/** So many are accepted from one kill to the next, however slow the machine is. */
const BETWEEN_KILLS = 7

/**
 * Two nodes over one database. While clients act without end, one node after the other is killed
 * and started again. Answers a place that lives, when it is over; `stop` ends both nodes.
 */
export async function storm(options: {
  readonly settings: Readonly<Record<string, string>>
  readonly kills: number
  readonly clients: number
  readonly random: (from: number, to: number) => number
  readonly prepare?: (place: Place) => Promise<void>
  /** What `act` asks with. */
  readonly asker: Asker
  readonly act: (place: Place) => Promise<unknown>
}): Promise<{ readonly place: Place; stop(): Promise<void> }> {
  const { settings, kills, clients, random, asker, act } = options
  const nodes: NodeProcess[] = []
  const placeAt = (at: number): NodeProcess => nodes[at % nodes.length] as NodeProcess
  const stop = async (): Promise<void> => {
    for (const node of nodes) await node.kill()
  }
  let over = false
  const client = async (at: number): Promise<void> => {
    for (let turn = at; !over; turn += 1) {
      await act(placeAt(turn))
      await sleep(5)
    }
  }
  try {
    for (let count = 0; count < 2; count += 1) nodes.push(await startProcess(settings))
    await options.prepare?.(placeAt(0))
    const acting = Promise.all(Array.from({ length: clients }, (_, at) => client(at)))
    // Looked at when the kills are over; until then a failure waits.
    acting.catch(() => {})
    for (let count = 0; count < kills; count += 1) {
      await sleep(random(100, 700))
      await eventually(() => assert.ok(acceptedBy(asker) >= BETWEEN_KILLS * (count + 1)), 180_000)
      await placeAt(count).kill()
      nodes[count % nodes.length] = await startProcess(settings)
    }
    over = true
    await acting
  } catch (error) {
    over = true
    await stop()
    throw error
  }
  return { place: placeAt(0), stop }
}

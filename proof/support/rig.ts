/** Nodes, a merchant that sends requests to all of them, a server for callbacks, and a judge. */
import { setTimeout as sleep } from 'node:timers/promises'
import { callAt, type Settings } from '../../harness/process.ts'
import { chanceOf } from '../../harness/random/chance.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { allWorkEnds, checkEverything, type Verdict } from './check.ts'
import { type Listener, startListener } from './listener.ts'
import { type KeptNode, placeFor } from './places.ts'
import { openShop, type Shop } from './shop.ts'

export type Rig = {
  readonly nodes: readonly KeptNode[]
  readonly shop: Shop
  readonly listener: Listener
  accepted(): number
  /** Ends the load, repeats requests in doubt, waits until no work is left, and checks everything. */
  judge(databaseUrl: string): Promise<readonly Verdict[]>
  close(): Promise<void>
}

export type RigOptions = {
  readonly databaseUrl: string
  readonly nodes: number
  readonly seed: number
  readonly settings?: Settings
  /** The folder of the version that the nodes run at first; by default this one. */
  readonly program?: string
  /** A payment was accepted there; the request was sent at this time. */
  readonly onAccepted: (place: string, sentAtMs: number) => void
}

const CLIENTS_PER_NODE = 4
const CLIENT_RESTS_MS = 40
const WORK_ENDS_WITHIN_MS = 300_000

/** All nodes are up and under load when this resolves. */
export async function setUpRig(options: RigOptions): Promise<Rig> {
  const listener = await startListener(chanceOf(~options.seed))
  const shop = openShop(listener, chanceOf(options.seed))
  const settings = {
    DATABASE_URL: options.databaseUrl,
    MALIPO_SANDBOX_CALLBACK_URL: listener.url,
    MALIPO_SANDBOX_DELAY_MS: '30',
    MALIPO_LOG_LEVEL: 'warn',
    ...options.settings,
  }
  const names = Array.from({ length: options.nodes }, (_, at) => `node ${at + 1}`)
  const nodes = await Promise.all(names.map((name) => placeFor(name, settings)))
  const [first, ...others] = nodes as [KeptNode, ...KeptNode[]]
  await first.start(options.program)
  await fund(first)
  await Promise.all(others.map((node) => node.start(options.program)))

  let accepted = 0
  let isOver = false
  const buyAt = async (node: KeptNode): Promise<void> => {
    while (!isOver) {
      const { sentAtMs, isAccepted } = await shop.next(node)
      if (isAccepted) {
        accepted += 1
        options.onAccepted(node.name, sentAtMs)
      }
      await sleep(CLIENT_RESTS_MS)
    }
  }
  const load = Promise.all(
    nodes.flatMap((node) => Array.from({ length: CLIENTS_PER_NODE }, () => buyAt(node))),
  )

  return {
    nodes,
    shop,
    listener,
    accepted: () => accepted,
    judge: async (databaseUrl) => {
      isOver = true
      await load
      const isSettled = await shop.settle(nodes)
      const settled: Verdict = {
        guarantee: 'every request is answered in the end',
        checked: shop.asks.size,
        findings: isSettled ? [] : ['some requests were never answered'],
      }
      const database = openDatabase({ connectionString: databaseUrl }, 4)
      try {
        const hurry = () =>
          callAt(nodes[0] as KeptNode, 'POST', '/sandbox/clock/advance', { seconds: 30 })
        const ended = await allWorkEnds(database, WORK_ENDS_WITHIN_MS, hurry)
        const verdicts = [settled, ended, ...(await checkEverything(database, shop, listener))]
        const standing: Verdict = {
          guarantee: 'no node exited without a kill or a stop',
          checked: nodes.length,
          findings: nodes.flatMap((node) => node.falls()),
        }
        return [standing, ...verdicts]
      } finally {
        await database.close()
      }
    },
    close: async () => {
      isOver = true
      await load
      for (const node of nodes) await node.kill()
      await listener.close()
    },
  }
}

/** Enough for every payout of a run. */
async function fund(node: KeptNode): Promise<void> {
  const wallet = { country: 'ZMB', currency: 'ZMW', balance: '1000000000' }
  const answer = await callAt(node, 'PUT', '/sandbox/wallets', wallet)
  if (answer?.status !== 204)
    throw new Error(`the wallet could not be filled: ${JSON.stringify(answer)}`)
}

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
  /** Ends the load and kills the nodes; the merchant's records and its server stay. */
  halt(): Promise<void>
  /** Ends the load, repeats requests in doubt, waits until no work is left, and checks everything. */
  judge(databaseUrl: string): Promise<readonly Verdict[]>
  close(): Promise<void>
}

type RigOptions = {
  /** Of all nodes, or of each. */
  readonly databaseUrl: string | readonly string[]
  readonly nodes: number
  readonly seed: number
  readonly settings?: Settings
  /** The folder of the version that the nodes run at first; by default this one. */
  readonly program?: string
  /** The merchant of an earlier rig goes on, with its records. */
  readonly merchant?: Pick<Rig, 'shop' | 'listener'>
  /** Done by nodes that are up, before the load begins. */
  readonly beforeLoad?: (nodes: readonly KeptNode[]) => Promise<void>
  /** A payment was accepted there; the request was sent at this time. */
  readonly onAccepted: (place: string, sentAtMs: number) => void
}

const CLIENTS_PER_NODE = 4
const CLIENT_RESTS_MS = 40
const WORK_ENDS_WITHIN_MS = 300_000

/** All nodes are up and under load when this resolves. */
export async function setUpRig(options: RigOptions): Promise<Rig> {
  const { merchant } = options
  const listener = merchant?.listener ?? (await startListener(chanceOf(~options.seed)))
  const shop = merchant?.shop ?? openShop(listener, chanceOf(options.seed))
  const settingsOf = (at: number): Settings => ({
    DATABASE_URL: [options.databaseUrl].flat()[at] ?? String(options.databaseUrl),
    MALIPO_SANDBOX_CALLBACK_URL: listener.url,
    MALIPO_SANDBOX_DELAY_MS: '30',
    MALIPO_LOG_LEVEL: 'warn',
    ...options.settings,
  })
  const nodes = await Promise.all(
    Array.from({ length: options.nodes }, (_, at) => placeFor(`node ${at + 1}`, settingsOf(at))),
  )
  const [first, ...others] = nodes as [KeptNode, ...KeptNode[]]
  await first.start(options.program)
  if (merchant === undefined) await fund(first)
  await Promise.all(others.map((node) => node.start(options.program)))

  await options.beforeLoad?.(nodes)

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

  const halt = async (): Promise<void> => {
    isOver = true
    await load
    for (const node of nodes) await node.kill()
  }
  return {
    nodes,
    shop,
    listener,
    accepted: () => accepted,
    halt,
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
        const ended = await allWorkEnds(database, WORK_ENDS_WITHIN_MS, (seconds) =>
          hurry(first, seconds),
        )
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
      await halt()
      await listener.close()
    },
  }
}

/** Moves the test clock on, so that what waits for its time does not wait. */
export const hurry = (node: KeptNode, seconds: number): Promise<unknown> =>
  callAt(node, 'POST', '/sandbox/clock/advance', { seconds })

/** Enough for every payout of a run. */
async function fund(node: KeptNode): Promise<void> {
  const wallet = { country: 'ZMB', currency: 'ZMW', balance: '1000000000' }
  const answer = await callAt(node, 'PUT', '/sandbox/wallets', wallet)
  if (answer?.status !== 204)
    throw new Error(`the wallet could not be filled: ${JSON.stringify(answer)}`)
}

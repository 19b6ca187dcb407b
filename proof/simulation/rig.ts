import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type NodeProcess, startProcess } from '../../harness/process.ts'
import { callName } from '../../harness/random/generations.ts'
import { eventually } from '../../harness/service.ts'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { createMerchant } from '../../src/usecases/accounts/manage-merchants.ts'
import { createToken } from '../../src/usecases/accounts/manage-tokens.ts'
import type { Outage, Unserved } from './evidence.ts'
import { createOutages } from './outages.ts'
import type { MerchantPlan } from './plan.ts'
import { type Receivers, startReceivers } from './receiver.ts'
import { ALL_PLACES } from './world.ts'

/** Where a simulation takes place: a real database server, two nodes as processes, receivers. */
export type Rig = {
  readonly database: Database
  readonly receivers: Receivers
  readonly merchants: readonly { readonly id: number; readonly token: string }[]
  readonly outages: readonly Outage[]
  /** Calls that failed, although the client did not disconnect. */
  readonly unserved: readonly Unserved[]
  /** Calls of the earlier generation. */
  readonly earlierCalls: readonly EarlierCall[]
  /** One call; undefined if its outcome is unknown. */
  call(
    at: { readonly node: number; readonly merchant: number },
    method: string,
    path: string,
    body?: unknown,
    breakOffMs?: number,
  ): Promise<Answer | undefined>
  /** `kill -9`; it is restarted after a while, in parallel to everything else. */
  killNode(node: 0 | 1, downMs: number): Promise<void>
  /** `kill -9` of the postmaster; it is restarted. */
  killDatabase(): Promise<void>
  /** Waits until both nodes run. */
  whole(): Promise<void>
  /** Errors that the nodes logged, the latest last. */
  errors(): readonly string[]
  close(): Promise<void>
}

/** `at` in real milliseconds. */
type EarlierCall = {
  readonly merchant: number
  readonly name: string
  readonly at: number
  readonly isAnswered: boolean
}

export type Answer = {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the judge reads answers freely
  readonly body: any
  /** It has the deprecation headers of the earlier generation; null if only one of them. */
  readonly deprecated: boolean | null
}

const ANSWER_WITHIN_MS = 15_000
const DELAY_MS = '30'
const STARTS = 120
/** A killed server recovers first, which waits for the disk. */
const REPAIRED_WITHIN_MS = 180_000

export async function buildRig(plans: readonly MerchantPlan[]): Promise<Rig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'malipo-simulation-'))
  const server = await startEmbedded({ dataDir, log: () => {} })
  const database = openDatabase(server.connection, 4)
  const receivers = await startReceivers()
  const logs: string[] = []
  const outages = createOutages()
  const unserved: Unserved[] = []
  const earlierCalls: EarlierCall[] = []
  let closing = false

  /** A node that starts without a database exits; its supervisor starts it again. */
  async function startNode(tries = STARTS): Promise<NodeProcess> {
    try {
      return await startProcess({
        DATABASE_URL: server.url,
        MALIPO_SANDBOX_DELAY_MS: DELAY_MS,
      })
    } catch (error) {
      if (tries === 1 || closing) throw error
      await sleep(300)
      return startNode(tries - 1)
    }
  }
  const first = await startNode()
  const merchants = [{ id: 1, token: first.token }]
  const addMerchants = async (): Promise<void> => {
    for (let count = 1; count < plans.length; count += 1) {
      merchants.push(await addMerchant(database, count))
    }
  }
  const [second] = await Promise.all([startNode(), addMerchants()])
  const nodes: (NodeProcess | undefined)[] = [first, second]
  const starting: (Promise<void> | undefined)[] = [undefined, undefined]
  const keepErrors = (node: NodeProcess | undefined): void => {
    const lines = node?.log().split('\n') ?? []
    logs.push(...lines.filter((line) => /"level":("error"|50)/.test(line)))
  }

  const returning: Promise<void>[] = []
  const postmaster = async (): Promise<number> =>
    Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  /** Processes of the killed server may still answer for a moment, so wait for the new one. */
  const serverAfter = (killed: number): Promise<void> =>
    eventually(async () => {
      if ((await postmaster()) === killed) throw new Error('the server is not back')
      await database.query('select 1')
    }, REPAIRED_WITHIN_MS)

  const rig: Rig = {
    database,
    receivers,
    merchants,
    outages: outages.all,
    unserved,
    earlierCalls,
    call: async ({ node, merchant }, method, path, body, breakOffMs) => {
      const url = nodes[node]?.url
      const token = merchants[merchant]?.token ?? ''
      if (url === undefined) return undefined
      const at = Date.now()
      const answer = await callOnce({ url: url + path, token, method, body, breakOffMs })
      const status = answer?.status
      const isServed = status === undefined ? breakOffMs !== undefined : status < 500
      const call = { node, call: `${method} ${path}`, at, until: Date.now() }
      const isPage = body instanceof URLSearchParams || /^\/(pay|checkout)\//.test(path)
      if (!isPage && !/^\/(v2|sandbox)\//.test(path)) {
        const isAnswered = status !== undefined && status < 500
        earlierCalls.push({ merchant, name: callName(method, path), at, isAnswered })
      }
      if (!isServed) unserved.push({ ...call, ...(status === undefined ? {} : { status }) })
      return answer
    },
    killNode: async (node, downMs) => {
      await starting[node]
      const victim = nodes[node]
      const isUpAgain = outages.begin(node)
      nodes[node] = undefined
      await victim?.kill()
      keepErrors(victim)
      const start = sleep(downMs)
        .then(() => startNode())
        .then((started) => {
          nodes[node] = started
          starting[node] = undefined
          isUpAgain()
        })
      starting[node] = lookedAtLater(start)
    },
    killDatabase: async () => {
      // Right after the last kill there is no server yet that could be killed, though a process of
      // the dead one may still answer.
      await Promise.all(returning)
      await eventually(() => database.query('select 1'), REPAIRED_WITHIN_MS)
      const killed = await postmaster()
      const isUpAgain = outages.begin()
      process.kill(killed, 'SIGKILL')
      returning.push(lookedAtLater(serverAfter(killed).then(isUpAgain)))
    },
    whole: async () => {
      await Promise.all([...starting, ...returning])
    },
    errors: () => {
      nodes.forEach(keepErrors)
      return [...new Set(logs)]
    },
    close: async () => {
      closing = true
      await Promise.allSettled([...starting, ...returning])
      await Promise.allSettled(nodes.map((node) => node?.stop()))
      await receivers.close()
      await database.close()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  try {
    await Promise.all(plans.map((plan, merchant) => prepare(rig, plan, merchant)))
    return rig
  } catch (error) {
    await rig.close()
    throw error
  }
}

/** A failure is not reported as unhandled before it is awaited. */
function lookedAtLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

async function addMerchant(
  database: Database,
  count: number,
): Promise<{ readonly id: number; readonly token: string }> {
  const providers = readCatalog(CATALOG_FILE).all
  const now = Date.now()
  const merchant = { slug: `m${count}`, name: `Shop ${count}`, providers, now }
  const merchantId = await createMerchant(database, merchant)
  if (merchantId === undefined) throw new Error(`the merchant m${count} is there already`)
  const facts = { environment: 'sandbox', merchantId, label: 'shop', scopes: ['*'], now } as const
  const { token } = await createToken(database, facts)
  return { id: merchantId, token }
}

async function prepare(rig: Rig, plan: MerchantPlan, merchant: number): Promise<void> {
  const put = async (path: string, body: unknown): Promise<void> => {
    const answer = await rig.call({ node: 0, merchant }, 'PUT', path, body)
    if (answer?.status !== 204) throw new Error(`PUT ${path}: ${JSON.stringify(answer)}`)
  }
  const urls: [string, string][] = plan.listens.map((kind) => [
    kind,
    rig.receivers.url(merchant, kind),
  ])
  // Callbacks of checkouts go where those of their deposits go.
  if (plan.listens.includes('deposit'))
    urls.push(['checkout', rig.receivers.url(merchant, 'checkout')])
  await put('/sandbox/callbacks', Object.fromEntries(urls))
  const wallets = new Map(ALL_PLACES.map(({ country, currency }) => [country, currency]))
  for (const [country, currency] of wallets) {
    await put('/sandbox/wallets', { country, currency, balance: plan.balance })
  }
}

/** After a client disconnects, its request may still arrive and be executed, or not. */
async function callOnce(request: {
  readonly url: string
  readonly token: string
  readonly method: string
  readonly body: unknown
  readonly breakOffMs: number | undefined
}): Promise<Answer | undefined> {
  const { url, token, method, body, breakOffMs } = request
  try {
    const isForm = body instanceof URLSearchParams
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: isForm
        ? { 'content-type': 'application/x-www-form-urlencoded' }
        : { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(breakOffMs ?? ANSWER_WITHIN_MS),
      ...(body === undefined
        ? {}
        : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    const marks = ['deprecation', 'link'].filter((name) => response.headers.has(name)).length
    return {
      status: response.status,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
      deprecated: marks === 1 ? null : marks === 2,
    }
  } catch {
    return undefined
  }
}

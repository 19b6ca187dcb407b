/** Supervised nodes: each keeps its address, and is restarted when it exits. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Launch,
  launchProcess,
  type NodeProcess,
  type Settings,
} from '../../harness/process.ts'
import { freePort } from './postgres.ts'

export type KeptNode = {
  readonly name: string
  readonly url: string
  readonly token: string
  /**
   * Resolves when the node is up, however often it has to be started for that. `program` is the
   * folder of the version it runs from now on.
   */
  start(program?: string): Promise<void>
  /** `kill -9`, also during startup. */
  kill(): Promise<void>
  /** A graceful stop: it finishes the work in progress. */
  stop(): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** Of the current process; 0 while there is none. */
  pid(): number
  /** What the current process has logged. */
  log(): string
  /** The last log lines of processes that exited without being killed or stopped. */
  falls(): readonly string[]
}

/** Printed by nobody and valid nowhere else. */
const TOKEN = 'mlp_sbx_proof_proof_proof_proof'
const BACK_WITHIN_MS = 120_000

export async function placeFor(name: string, settings: Settings): Promise<KeptNode> {
  const port = await freePort()
  const all = { ...settings, PORT: String(port), MALIPO_SANDBOX_TOKEN: TOKEN }
  let launch: Launch | undefined
  let node: NodeProcess | undefined
  let program: string | undefined
  const falls: string[] = []

  const noteFall = async (started: Launch, up: NodeProcess): Promise<void> => {
    if (launch !== started) return
    node = undefined
    // Its last log lines may still be on their way.
    await sleep(100)
    falls.push(`${name} exited by itself: ${up.log().slice(-2000)}`)
    if (launch === started) await place.start()
  }

  const place: KeptNode = {
    name,
    url: `http://127.0.0.1:${port}`,
    token: TOKEN,
    start: async (chosen = program) => {
      program = chosen
      const deadline = performance.now() + BACK_WITHIN_MS
      for (;;) {
        const started = launchProcess(all, program)
        launch = started
        try {
          const up = await started.ready
          node = up
          // If it cannot be restarted, those who wait for it report that.
          void up.ended.then(() => noteFall(started, up)).catch(() => {})
          return
        } catch (error) {
          // A node exits while the database is down and is started again, unless it was killed on purpose.
          if (launch !== started) return
          if (performance.now() > deadline) throw error
        }
        await sleep(100)
        if (launch !== started) return
      }
    },
    kill: async () => {
      const killed = launch
      launch = undefined
      node = undefined
      await killed?.kill()
    },
    stop: async () => {
      const [stopped, other] = [node, launch]
      launch = undefined
      node = undefined
      // A node that is not up has no work in progress.
      await (stopped === undefined ? other?.kill() : stopped.stop())
    },
    signal: (signal) => node?.signal(signal),
    pid: () => node?.pid ?? 0,
    log: () => node?.log() ?? '',
    falls: () => falls,
  }
  return place
}

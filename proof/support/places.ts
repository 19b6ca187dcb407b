/** Nodes under a keeper: each has its address for good, and whatever ends there is started again. */
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
  /** `kill -9`, in the middle of a start as well. */
  kill(): Promise<void>
  /** Told to stop, it ends what it has under way. */
  stop(): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** Of the present process; 0 while there is none. */
  pid(): number
  /** What the present process has logged. */
  log(): string
  /** The last words of those that were up and ended though nobody had killed or stopped them. */
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
    // Its last words may be on their way still.
    await sleep(100)
    falls.push(`${name} ended by itself: ${up.log().slice(-2000)}`)
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
          // A place that cannot be filled again is missed by whoever waits for it.
          void up.ended.then(() => noteFall(started, up)).catch(() => {})
          return
        } catch (error) {
          // It ends when the database is away; a keeper tries again. Killed on purpose, it does not.
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
      // One that is not up has nothing under way.
      await (stopped === undefined ? other?.kill() : stopped.stop())
    },
    signal: (signal) => node?.signal(signal),
    pid: () => node?.pid ?? 0,
    log: () => node?.log() ?? '',
    falls: () => falls,
  }
  return place
}

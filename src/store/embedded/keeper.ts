/**
 * Keeps an open server running until it is asked to stop. Everything hangs on one thing, the
 * owner's connection: however the server dies, that connection breaks, and the server is opened
 * anew. Pools reconnect by themselves, since the socket stays where it was.
 */
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { EMBEDDED } from '../../domain/upkeep-timing.ts'
import { isThere } from './endpoint.ts'
import { stopServer } from './lock.ts'
import { FolderInUse, type Opened, openServer } from './open.ts'
import type { Way } from './process.ts'
import { senderOf } from './sender.ts'

export class Keeper {
  readonly #way: Way
  readonly #stopping: AbortController
  readonly #socketCheck: NodeJS.Timeout
  #opened: Opened
  #openedAtMs = performance.now()
  #delayMs: number = EMBEDDED.startAgainMs
  #recovery: Promise<void> | undefined
  #isOurs = true
  #stopped: Promise<void> | undefined

  constructor(way: Way, opened: Opened, stopping: AbortController) {
    this.#way = way
    this.#stopping = stopping
    this.#opened = opened
    this.#watch()
    this.#socketCheck = setInterval(
      () => void this.#checkSocket(),
      EMBEDDED.socketLooksEveryMs,
    ).unref()
    process.once('exit', this.#onExit)
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#socketCheck)
    process.off('exit', this.#onExit)
    await this.#recovery
    if (!this.#isOurs) return

    // The connection stays until the server ends it: the lock must not be free any earlier.
    const { place, log } = this.#way
    const { pid, client } = this.#opened
    if (!(await stopServer(pid, place.data, senderOf(place)))) {
      log(`the database server (process ${pid}) did not stop in time`)
      return
    }
    await client.end().catch(() => undefined)
    if (place.endpoint.kind === 'port') return
    await rm(place.endpoint.folder, { recursive: true, force: true }).catch(() => undefined)
  }

  /** For a process that ends without stop(): the server is notified, though nobody waits for it. */
  readonly #onExit = (): void => {
    if (this.#isOurs) senderOf(this.#way.place)(this.#opened.pid, 'SIGINT')
  }

  #watch(): void {
    this.#opened.client.once('end', () => {
      if (this.#stopping.signal.aborted) return
      this.#recovery = this.#recover().finally(() => {
        this.#recovery = undefined
      })
    })
  }

  async #recover(): Promise<void> {
    const { log, signal } = this.#way
    log('the connection to the database server broke; bringing the server back')
    // A server that keeps dying right after its start must not be restarted in a tight loop.
    const upForMs = performance.now() - this.#openedAtMs
    if (upForMs > EMBEDDED.isStableAfterMs) this.#delayMs = EMBEDDED.startAgainMs
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        await sleep(this.#delayMs, undefined, { signal, ref: false })
        this.#delayMs = Math.min(this.#delayMs * 2, EMBEDDED.startAgainMaxMs)
        this.#opened = await openServer(this.#way)
        this.#openedAtMs = performance.now()
        this.#isOurs = true
        this.#watch()
        log(`the database server is back (try ${tries})`)
        return
      } catch (error) {
        if (signal.aborted) return
        this.#isOurs = !(error instanceof FolderInUse)
        log(`try ${tries} failed, the next is in ${this.#delayMs} ms: ${String(error)}`)
      }
    }
  }

  /** Cleaners of temporary folders may take the socket, which only a restart brings back. */
  async #checkSocket(): Promise<void> {
    const { endpoint, pid } = this.#opened
    if (this.#recovery !== undefined || (await isThere(endpoint))) return
    if (this.#stopping.signal.aborted || this.#opened.pid !== pid) return
    this.#way.log('the socket was deleted; restarting the database server')
    senderOf(this.#way.place)(pid, 'SIGINT')
  }
}

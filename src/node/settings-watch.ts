import { CONFIG_CHANNEL, readState } from '../store/cluster/service-state.ts'
import type { Listener } from '../store/engine/database.ts'
import type { Log } from '../usecases/context.ts'
import type { Workers } from '../workers/workers.ts'
import type { NodeContext } from './context.ts'

/**
 * Drops what is cached when settings change: at once when the change is announced, and with the
 * next heartbeat in case the announcement was missed. While the connection on which changes are
 * announced is broken, merchants are not cached at all.
 */
export function createSettingsWatch(ctx: NodeContext, workers: Workers, log: Log) {
  let seen = -1
  let keysSeen = -1
  let accountsSeen = -1
  let listener: Listener | undefined
  let stopped = false
  let distrusted = 0

  const follow = async (configVersion: number, clockOffsetMs: number): Promise<void> => {
    dropCached(configVersion, clockOffsetMs)
    // Not waited for: a heartbeat must not depend on the connections that requests use.
    void followAccounts(configVersion)
    if (configVersion === keysSeen) return
    try {
      await ctx.signingKeys.refresh()
      keysSeen = configVersion
    } catch (err) {
      // The former key goes on signing, and the next heartbeat tries again.
      log.error({ err }, 'the signing keys could not be read again')
    }
  }
  const followAccounts = async (configVersion: number): Promise<void> => {
    if (configVersion === accountsSeen) return
    try {
      await ctx.operators.refresh()
      accountsSeen = configVersion
      // What was derived from a merchant meanwhile may name providers that are out of reach now.
      ctx.merchants.forget()
      // A payment that found no account may find one now.
      workers.wake()
    } catch (err) {
      log.error({ err }, 'the operator accounts could not be read again')
    }
  }
  const dropCached = (configVersion: number, clockOffsetMs: number): void => {
    if (configVersion === seen && clockOffsetMs === ctx.clock.offsetMs()) return
    seen = configVersion
    ctx.merchants.forget()
    ctx.writes.accept.forget()
    const before = ctx.clock.offsetMs()
    if (clockOffsetMs === before) return
    ctx.clock.setOffset(clockOffsetMs, configVersion)
    if (clockOffsetMs < before) workers.startOver()
    else workers.wake()
  }
  const readAgain = async (): Promise<void> => {
    ctx.merchants.forget()
    const { configVersion, clockOffsetMs } = await readState(ctx.db)
    await follow(configVersion, clockOffsetMs)
  }
  return {
    follow,
    keepListening: async () => {
      if (stopped || listener?.isOpen() === true) return
      listener?.drop()
      listener = undefined
      const before = distrusted
      const changed = () => void readAgain().catch(() => {})
      const ended = () => ctx.merchants.follow(false)
      const opened = await ctx.db.listen(CONFIG_CHANNEL, changed, ended)
      // Meanwhile the server may have been left for another one.
      if (distrusted !== before) return opened.drop()
      listener = opened
      // A heartbeat may be under way while the node stops; what it opens must not outlive the node.
      if (stopped) return opened.close()
      ctx.merchants.follow(opened.isOpen())
      // What changed while nobody listened.
      await readAgain()
    },
    /** The connection may be that of a server which is silent or was left, without saying so. */
    distrust: () => {
      distrusted += 1
      listener?.drop()
      listener = undefined
      ctx.merchants.follow(false)
    },
    stop: async () => {
      stopped = true
      await listener?.close()
    },
  }
}

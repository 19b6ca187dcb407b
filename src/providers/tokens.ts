import { LIMITS } from '../domain/timing.ts'
import type { Token } from './operator.ts'

/** What an operator hands out for a while, asked for by one request at a time and renewed early. */
export type Tokens = {
  /** The token of that name; `load` is called where there is none that lasts. */
  get(name: string, load: () => Promise<Loaded>): Promise<Loaded>
  /**
   * The operator refused this one. Answers for how many milliseconds it is kept all the same, as it
   * may only be too new.
   */
  drop(name: string, value: string): number
}

export type Loaded =
  | ({ readonly ok: true } & Token)
  /** `isRefused`: the credentials are wrong; else the operator could not be asked. */
  | { readonly ok: false; readonly isRefused: boolean; readonly why: string }

type KnownToken = Token & {
  readonly renewAt: number
  readonly settledAt: number
  readonly endsAt: number
  /** The one before it, which serves until this one has settled. */
  readonly before?: Token & { readonly endsAt: number }
}

/** Renewed after this part of its life, or so long before its end, whichever is later. */
const RENEW_AT = 0.8

export function createTokens(now: () => number): Tokens {
  const known = new Map<string, KnownToken>()
  const asked = new Map<string, Promise<Loaded>>()

  const load = async (name: string, ask: () => Promise<Loaded>): Promise<Loaded> => {
    const askedAt = now()
    const loaded = await ask()
    if (!loaded.ok) return stillGood(known.get(name), now()) ?? loaded
    const { value, livesMs, settlesMs = 0 } = loaded
    const last = known.get(name)
    const before = last && { value: last.value, livesMs: last.livesMs, endsAt: last.endsAt }
    const token: KnownToken = {
      value,
      livesMs,
      renewAt: askedAt + Math.max(livesMs * RENEW_AT, livesMs - LIMITS.tokenRenewBeforeMs),
      settledAt: now() + settlesMs,
      endsAt: askedAt + livesMs,
      ...(before === undefined || settlesMs === 0 ? {} : { before }),
    }
    known.set(name, token)
    return { ok: true, ...inUse(token, now()) }
  }

  return {
    get: (name, ask) => {
      const token = known.get(name)
      if (token !== undefined && now() < token.renewAt)
        return Promise.resolve({ ok: true, ...inUse(token, now()) })
      const running = asked.get(name)
      if (running !== undefined) return running
      const started = load(name, ask).finally(() => asked.delete(name))
      asked.set(name, started)
      return started
    },
    drop: (name, value) => {
      const { before, ...token } = known.get(name) ?? {}
      if (!('value' in token)) return 0
      if (before?.value === value) known.set(name, token)
      if (token.value !== value) return 0
      const settlesInMs = Math.max(0, token.settledAt - now())
      if (settlesInMs === 0) known.delete(name)
      return settlesInMs
    },
  }
}

/** One that could not be renewed early serves until its end. */
const stillGood = (token: KnownToken | undefined, now: number): Loaded | undefined =>
  token !== undefined && now < token.endsAt ? { ok: true, ...inUse(token, now) } : undefined

const inUse = (token: KnownToken, now: number): Token => {
  const { before, settledAt } = token
  return before !== undefined && now < Math.min(settledAt, before.endsAt) ? before : token
}

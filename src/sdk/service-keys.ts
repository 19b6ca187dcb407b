/** The public keys of the service, as programs keep them that verify what it signed. */
import { openPublicKey, type PublicKey } from '../signing/public-keys.ts'

/** A public key of the service, as GET /v2/public-key/http lists it. */
export type PublishedKey = { readonly id: string; readonly key: string }

/** Nobody can make a program ask for keys more often than this, whatever key it names. */
const FETCH_AGAIN_AFTER_MS = 10_000
/** From this age on keys are fetched anew, so that a withdrawn one is noticed. */
export const FRESH_FOR_MS = 300_000
/** While they cannot be fetched, keys are trusted no longer than this. */
const TRUSTED_FOR_MS = 3_600_000

type KeyStore = {
  /** How long ago they were fetched. */
  ageMs(): number
  /** None while they are too old to be trusted. */
  keys(): readonly PublishedKey[]
  /** Why the last fetch failed, or nothing. */
  trouble(): string | undefined
  /** Waits for the keys; does nothing where they were asked for a moment ago, unless it must. */
  fetch(must?: boolean): Promise<void>
}

/** Failed fetches count like others: they are not repeated at once either. */
export function createKeyStore(
  fetchKeys: () => Promise<readonly PublishedKey[]>,
  now: () => number,
): KeyStore {
  let keys: readonly PublishedKey[] = []
  let [fetchedAt, triedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let trouble: string | undefined
  let fetching: Promise<void> | undefined

  const fetchNow = async (): Promise<void> => {
    const startedAt = now()
    try {
      keys = checkedKeys(await fetchKeys())
      fetchedAt = startedAt
      trouble = undefined
    } catch (error) {
      trouble = error instanceof Error ? error.message : String(error)
    }
    triedAt = now()
  }
  const ageMs = (): number => now() - fetchedAt

  return {
    ageMs,
    keys: () => (ageMs() < TRUSTED_FOR_MS ? keys : []),
    trouble: () => trouble,
    fetch: async (must = false): Promise<void> => {
      const isEarly = now() - triedAt < FETCH_AGAIN_AFTER_MS
      if (fetching === undefined && isEarly && !must) return
      fetching ??= fetchNow().finally(() => {
        fetching = undefined
      })
      await fetching
    },
  }
}

function checkedKeys(found: unknown): readonly PublishedKey[] {
  const isList =
    Array.isArray(found) &&
    found.length > 0 &&
    found.every((one) => typeof one?.id === 'string' && typeof one.key === 'string')
  if (!isList) throw new Error('the answer is not a list of keys')
  return found
}

/** A key that cannot be read is ignored. */
export function opened({ key }: PublishedKey): PublicKey | undefined {
  try {
    return openPublicKey(key)
  } catch {
    return undefined
  }
}

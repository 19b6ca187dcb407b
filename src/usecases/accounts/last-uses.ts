import type { MerchantId } from '../../domain/ids.ts'
import { UPKEEP } from '../../domain/upkeep-timing.ts'
import {
  addAddressUses,
  addKeyUses,
  addTokenUses,
  type Use,
} from '../../store/accounts/last-uses.ts'
import type { Db } from '../../store/engine/database.ts'
import { createTurns } from '../../store/engine/turns.ts'

/**
 * When tokens, keys and callback addresses were last of use. Kept in memory and written every few
 * seconds, so that a request costs an addition; a crash loses those seconds.
 */
export type LastUses = {
  token(merchantId: MerchantId, tokenId: string): void
  key(merchantId: MerchantId, keyId: string): void
  /** A receiver has taken a callback. */
  address(merchantId: MerchantId, kind: string, url: string): void
  /** Writes what was noted; unless `isNow`, only where the last write is some seconds old. */
  flush(isNow?: boolean): Promise<void>
}

export function createLastUses(db: Db, realNow: () => number): LastUses {
  const inTurn = createTurns()
  const tokens = createUses(realNow)
  const keys = createUses(realNow)
  const addresses = createUses(realNow)
  let writtenAt = Number.NEGATIVE_INFINITY

  const write = async (): Promise<void> => {
    writtenAt = realNow()
    await tokens.write((uses) => addTokenUses(db, uses))
    await keys.write((uses) => addKeyUses(db, uses))
    await addresses.write((uses) => addAddressUses(db, uses))
  }
  return {
    token: tokens.note,
    key: keys.note,
    address: addresses.note,
    flush: async (isNow = false) => {
      if (isNow || Math.abs(realNow() - writtenAt) >= UPKEEP.lastUsesEveryMs) await inTurn(write)
    },
  }
}

type Counted = { -readonly [Key in keyof Use]: Use[Key] }

/** By merchant, then by name: nothing has to be put together to find it. */
function createUses(realNow: () => number) {
  let noted = new Map<MerchantId, Map<string, Counted>>()
  return {
    note: (merchantId: MerchantId, name: string, url?: string): void => {
      let ofMerchant = noted.get(merchantId)
      if (ofMerchant === undefined) {
        ofMerchant = new Map()
        noted.set(merchantId, ofMerchant)
      }
      const use = ofMerchant.get(name)
      if (use === undefined) {
        const first = { merchantId, name, count: 1, lastAt: realNow() }
        ofMerchant.set(name, url === undefined ? first : { ...first, url })
        return
      }
      use.count += 1
      use.lastAt = realNow()
      if (url !== undefined) use.url = url
    },
    write: async (add: (uses: readonly Use[]) => Promise<void>): Promise<void> => {
      if (noted.size === 0) return
      const written = [...noted.values()].flatMap((one) => [...one.values()])
      noted = new Map()
      await add(written)
    },
  }
}

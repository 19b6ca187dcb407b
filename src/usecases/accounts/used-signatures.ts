import type { Merchant } from '../../domain/accounts/merchant.ts'
import { parsePaymentId } from '../../domain/ids.ts'
import type { PaymentKind } from '../../domain/payments/payment-state.ts'
import { UPKEEP } from '../../domain/upkeep-timing.ts'
import { createUseGroup, deleteUsesBefore } from '../../store/accounts/used-signatures.ts'
import type { Db } from '../../store/engine/database.ts'
import { findPayment } from '../../store/payments/payments.ts'
import { findSplitPayment } from '../../store/payments/split-payments.ts'

/** What a signed call starts. */
export type SignableKind = PaymentKind | 'splitPayment'

/** The signatures of merchants that have each accepted once, shared by all nodes. */
export type UsedSignatures = {
  /** False where one of them was used before. */
  use(merchant: Merchant, fingerprints: readonly string[], forgetAt: number): Promise<boolean>
  /** Deletes what has become too old to be accepted anyway. */
  sweep(): Promise<void>
}

export function createUsedSignatures(db: Db, now: () => number): UsedSignatures {
  const group = createUseGroup(db)
  let sweptAt = Number.NEGATIVE_INFINITY
  return {
    use: async ({ id: merchantId }, fingerprints, forgetAt) => {
      const uses = fingerprints.map((fingerprint) =>
        group.add({ merchantId, fingerprint, forgetAt }),
      )
      return (await Promise.all(uses)).every((isFirst) => isFirst)
    },
    sweep: async () => {
      if (now() - sweptAt < UPKEEP.usedSignaturesSweptEveryMs) return
      sweptAt = now()
      await deleteUsesBefore(db, sweptAt - UPKEEP.usedSignaturesKeptForMs)
    },
  }
}

/** Whether everything that a request asks for is stored, so that a repeat starts nothing. */
export async function isStored(
  db: Db,
  { id: merchantId }: Merchant,
  kind: SignableKind,
  ids: readonly string[],
): Promise<boolean> {
  for (const text of ids) {
    const id = parsePaymentId(text)
    if (id === undefined) return false
    const found =
      kind === 'splitPayment'
        ? await findSplitPayment(db, merchantId, id)
        : await findPayment(db, merchantId, kind, id)
    if (found === undefined) return false
  }
  return ids.length > 0
}

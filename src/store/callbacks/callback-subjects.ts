import type { CallbackSubject, SubjectKind } from '../../domain/callbacks/callback-subject.ts'
import type { MerchantId, PaymentId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'
import { findCheckout } from '../hosted/checkouts.ts'
import { findPayment } from '../payments/payments.ts'
import { findSplitPayment } from '../payments/split-payments.ts'
import { findStatement } from '../statements/statements.ts'

/** What a callback is about, by its kind and the merchant's identifier. */
export async function findSubject(
  db: Db,
  merchantId: MerchantId,
  kind: SubjectKind,
  id: string,
): Promise<CallbackSubject | undefined> {
  if (kind === 'splitPayment') return findSplitPayment(db, merchantId, id as PaymentId)
  if (kind === 'checkout') return findCheckout(db, merchantId, id as PaymentId)
  if (kind === 'statement') return findStatement(db, merchantId, id as PaymentId)
  return findPayment(db, merchantId, kind, id as PaymentId)
}

import type { CallbackKind, Merchant } from '../../domain/accounts/merchant.ts'
import {
  type CallbackSubject,
  finalStatesOf,
  SUBJECT_WORDS,
} from '../../domain/callbacks/callback-subject.ts'
import type { Failure } from '../../domain/failure.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { oweAgain } from '../../store/callbacks/callbacks.ts'
import { archivedYearOf } from '../archive/archived.ts'
import type { Context } from '../context.ts'
import { findCheckout } from '../hosted/find-checkout.ts'
import { findPayment } from '../payments/find-payment.ts'
import { findSplit } from '../payments/find-split-payment.ts'
import { endPauseOf } from './endpoint-pause.ts'

/**
 * Owes a callback again, if what it is about is over, and ends the pause of its endpoint. Undefined
 * means it will be sent.
 */
export async function resendCallback(
  ctx: Context,
  merchant: Merchant,
  kind: CallbackKind,
  id: PaymentId,
): Promise<Failure | undefined> {
  const subject = await findResendable(ctx, merchant, kind, id)
  const word = SUBJECT_WORDS[kind]
  if (subject === undefined) {
    return { code: 'NOT_FOUND', message: `No ${word} with the id '${id}' was found.` }
  }
  const finalStates = finalStatesOf(kind)
  if (!finalStates.includes(subject.state)) {
    return {
      code: 'INVALID_STATE',
      message:
        `The ${word} '${id}' has not finished processing: it is ${subject.state}. ` +
        `Its callback is sent when it is ${alternatives(finalStates)}.`,
    }
  }
  const year = await archivedYearOf(ctx.db, subject)
  if (year !== undefined) {
    return {
      code: 'INVALID_STATE',
      message:
        `The callbacks of ${year} are archived and cannot be sent again. ` +
        `The status check answers with the ${word} as it ended.`,
    }
  }
  await endPauseOf(ctx, merchant.id, kind)
  await oweAgain(ctx.db, subject, ctx.clock.now())
  ctx.work.wake()
  return undefined
}

/** What a callback of this kind is about, in whatever state it is. */
export async function findResendable(
  ctx: Context,
  merchant: Merchant,
  kind: CallbackKind,
  id: PaymentId,
): Promise<CallbackSubject | undefined> {
  if (kind === 'splitPayment') return findSplit(ctx, merchant, id)
  if (kind === 'checkout') return findCheckout(ctx, merchant, id)
  return findPayment(ctx, merchant, kind, id)
}

const alternatives = (names: readonly string[]): string =>
  `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

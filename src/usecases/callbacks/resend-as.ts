import { CALLBACK_KINDS, type CallbackKind } from '../../domain/accounts/merchant.ts'
import {
  type CallbackSubject,
  finalStatesOf,
  type SubjectState,
  wantsCallback,
} from '../../domain/callbacks/callback-subject.ts'
import { parsePaymentId } from '../../domain/ids.ts'
import { oweAgain } from '../../store/callbacks/callbacks.ts'
import { liftPauseOf } from '../../store/callbacks/endpoints.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import { archivedYearOf } from '../archive/archived.ts'
import { recordChange } from '../people/change.ts'
import type { PeopleContext, Person } from '../people/context.ts'
import { isSeenBy } from './history.ts'
import { findResendable } from './resend-callback.ts'

type Resent =
  | { readonly result: 'SENT'; readonly subject: CallbackSubject }
  /** Nobody listens: neither a URL is set for the kind, nor is a listener open. */
  | { readonly result: 'NO_ADDRESS' }
  | { readonly result: 'NOT_FOUND' }
  | { readonly result: 'ARCHIVED'; readonly year: number }
  | (NotFinal & { readonly result: 'INVALID_STATE' })

/** Why a callback cannot be sent again: it is sent by itself when the payment ends. */
type NotFinal = {
  readonly subject: CallbackSubject
  readonly finalStates: readonly SubjectState[]
}

/** Undefined where the callback of what is over can be sent again. */
export function notFinal(subject: CallbackSubject): NotFinal | undefined {
  if (subject.kind === 'statement') return undefined
  const finalStates = finalStatesOf(subject.kind)
  return finalStates.includes(subject.state) ? undefined : { subject, finalStates }
}

/**
 * Sends the callback of a final payment again, as the API does, in the name of a person. A pause of the
 * endpoint ends with it. Asked for twice, it goes out once more, or twice if the first was quick.
 */
export async function resendAs(
  ctx: PeopleContext,
  person: Person,
  kindText: string,
  idText: string,
): Promise<Resent> {
  const { merchant } = person
  const kind = CALLBACK_KINDS.find((one) => one === kindText)
  const id = parsePaymentId(idText.trim())
  if (kind === undefined || id === undefined) return { result: 'NOT_FOUND' }
  const subject = await findResendable(ctx, merchant, kind, id)
  if (subject === undefined || !isSeenBy(person, subject)) return { result: 'NOT_FOUND' }
  const why = notFinal(subject)
  if (why !== undefined) return { result: 'INVALID_STATE', ...why }
  const year = await archivedYearOf(ctx.db, subject)
  if (year !== undefined) return { result: 'ARCHIVED', year }
  if (!wantsCallback(kind, merchant)) return { result: 'NO_ADDRESS' }
  await owe(ctx, person, kind, subject)
  return { result: 'SENT', subject }
}

async function owe(
  ctx: PeopleContext,
  person: Person,
  kind: CallbackKind,
  subject: CallbackSubject,
): Promise<void> {
  const isLifted = await ctx.db.inTransaction(async (tx) => {
    const wasPaused = await liftPauseOf(tx, person.merchant.id, kind)
    if (wasPaused) await announceChange(tx)
    await oweAgain(tx, subject, ctx.clock.now())
    await recordChange(ctx, tx, person, {
      action: 'callback resent',
      object: `${kind} ${subject.idAsSent}`,
      after: { state: subject.state },
    })
    return wasPaused
  })
  if (isLifted) ctx.merchants.forget()
  ctx.work.wake()
}

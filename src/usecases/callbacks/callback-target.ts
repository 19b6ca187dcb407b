import type { Merchant } from '../../domain/accounts/merchant.ts'
import { callbackUrlOf } from '../../domain/callbacks/callback-subject.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { OwedCallback } from '../../store/callbacks/callbacks.ts'
import type { Context } from '../context.ts'

/** Where a callback goes by the settings of this moment. An empty URL: nowhere. */
export type CallbackTarget = {
  readonly merchantId: MerchantId
  readonly merchant: Merchant | undefined
  readonly kind: OwedCallback['subject']['kind']
  readonly url: string
  readonly saves: number
  /** Since when the endpoint is paused. */
  readonly pausedMs: number | undefined
}

export async function targetOf(ctx: Context, { subject }: OwedCallback): Promise<CallbackTarget> {
  const { merchantId, kind } = subject
  const merchant = await ctx.merchants.byId(merchantId)
  // A statement brings its address along, which belongs to it alone and has no settings.
  const state = kind === 'statement' ? undefined : merchant?.callbackStates[kind]
  return {
    merchantId,
    merchant,
    kind,
    url: callbackUrlOf(subject, merchant) ?? '',
    saves: state?.saves ?? 0,
    pausedMs: state?.pausedMs ?? undefined,
  }
}

/**
 * Whether a callback waits for the end of a pause. One that was asked for again since the pause
 * began is sent all the same: it is how the receiver gets another chance.
 */
export function waitsForPause(owed: OwedCallback, { pausedMs }: CallbackTarget): boolean {
  if (pausedMs === undefined) return false
  const isAskedFor = owed.roundStartedAt !== owed.createdAt && owed.roundStartedAt > pausedMs
  return !isAskedFor
}

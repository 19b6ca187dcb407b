import { callbackUrlOf } from '../domain/callback-subject.ts'
import type { MerchantId } from '../domain/ids.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { OwedCallback } from '../store/callbacks.ts'
import type { Context } from './context.ts'

/** Where a callback goes by the settings of this moment. An empty URL: nowhere. */
export type CallbackTarget = {
  readonly merchantId: MerchantId
  readonly merchant: Merchant | undefined
  readonly kind: OwedCallback['subject']['kind']
  readonly url: string
  readonly saves: number
  readonly isPaused: boolean
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
    isPaused: state !== undefined && state.pausedMs !== null,
  }
}

import { hash } from 'node:crypto'
import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { Story } from '../../domain/sandbox/stories.ts'
import type { PhoneMode } from '../../providers/sandbox/approval.ts'
import { findPhoneOrders, type PhoneOrder, setPhone } from '../../store/sandbox/phones.ts'
import type { SandboxContext } from './context.ts'
import { change } from './controls.ts'
import { entryOf, type PhoneEntry } from './phone-entries.ts'
import { type Asks, asksOf, providerName } from './phone-prompts.ts'

/** A phone of the sandbox as a person sees it: its payment requests and messages. */
export type PhoneView = Asks & {
  readonly msisdn: string
  readonly mode: PhoneMode
  readonly story: Story | undefined
  /** The latest orders, oldest first. */
  readonly entries: readonly PhoneEntry[]
  /** Differs when anything else does. */
  readonly version: string
}

/** How a number behaves from now on; payments that are under way keep what they began with. */
export async function takePhone(
  ctx: SandboxContext,
  merchant: Merchant,
  phoneNumber: string,
  setting: { readonly mode: PhoneMode; readonly story?: unknown },
): Promise<void> {
  await change(ctx, (tx) => setPhone(tx, { merchantId: merchant.id, phoneNumber }, setting))
}

export async function readPhone(
  ctx: SandboxContext,
  merchant: Merchant,
  phoneNumber: string,
): Promise<PhoneView> {
  const orders = await findPhoneOrders(ctx.db, [{ merchantId: merchant.id, phoneNumber }])
  return viewOf(ctx, merchant, phoneNumber, orders)
}

/** Waits until the phone looks different from `since`, at most so many milliseconds. */
export async function waitForPhone(
  ctx: SandboxContext,
  merchant: Merchant,
  phoneNumber: string,
  since: string | undefined,
  ms: number,
): Promise<PhoneView> {
  const now = await readPhone(ctx, merchant, phoneNumber)
  if (now.version !== since || ms <= 0) return now
  const later = await ctx.phones.until({ merchantId: merchant.id, phoneNumber }, ms, (orders) => {
    const view = viewOf(ctx, merchant, phoneNumber, orders)
    return view.version === since ? undefined : view
  })
  return later ?? now
}

function viewOf(
  ctx: SandboxContext,
  merchant: Merchant,
  msisdn: string,
  orders: readonly PhoneOrder[],
): PhoneView {
  const now = ctx.clock.now()
  const setting = merchant.phoneStories.get(msisdn)
  const view = {
    msisdn,
    mode: setting?.mode ?? 'auto',
    story: setting?.story as Story | undefined,
    ...asksOf(ctx, merchant, orders),
    entries: orders
      .flatMap((order) => {
        const provider = providerName(ctx, order.provider)
        return entryOf(order, { company: merchant.name, provider }, now)
      })
      .toSorted((a, b) => a.at - b.at),
  }
  return { ...view, version: hash('sha256', JSON.stringify(view), 'base64url').slice(0, 16) }
}

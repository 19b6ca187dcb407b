import type { Merchant } from '../../domain/accounts/merchant.ts'
import { depositTerms, dialledFor, isOnScreen } from '../../providers/sandbox/approval.ts'
import type { PhoneOrder } from '../../store/sandbox/phones.ts'
import type { Context } from '../context.ts'
import { approvalOf } from './approval.ts'

/** What a phone of the sandbox asks. It asks one question at a time, on the screen or off it. */
export type Prompt = {
  readonly id: string
  readonly depositId: string
  readonly amount: string
  readonly currency: string
  readonly payee: string
  readonly provider: string
  /** As its customers know it. */
  readonly providerName: string
  /** What the merchant wrote to the customer, or the end of the identifier. */
  readonly reference: string
  readonly expiresAt: number
}

/** A prompt that is not on the screen, and the codes that show it. */
export type OffScreen = Prompt & { readonly codes: readonly string[] }

export type Asks = {
  readonly prompts: readonly Prompt[]
  readonly offScreen?: OffScreen
}

export function asksOf(ctx: Context, merchant: Merchant, orders: readonly PhoneOrder[]): Asks {
  const order = waitingOn(ctx, orders)
  const approval = order && approvalOf(order)
  if (order === undefined || approval === undefined) return { prompts: [] }
  const { amount, currency, provider } = order
  const prompt = {
    id: order.reference,
    depositId: order.paymentId,
    amount,
    currency,
    payee: merchant.name,
    provider,
    providerName: providerName(ctx, provider),
    reference: referenceOf(order, merchant),
    expiresAt: approval.expiresAt,
  }
  const isRevivable = termsOf(ctx, order)?.pinPromptRevivable === true
  return isOnScreen(approval, isRevivable, ctx.clock.now())
    ? { prompts: [prompt] }
    : { prompts: [], offScreen: { ...prompt, codes: codesFor(ctx, order) } }
}

export const providerName = (ctx: Context, code: string): string =>
  ctx.providers.catalog.find(code)?.walletName ?? code

const REFERENCE_LENGTH = 8

/** The default message says nothing beyond the payee's name. */
const referenceOf = ({ customerMessage, paymentId }: PhoneOrder, merchant: Merchant): string =>
  customerMessage === null || customerMessage === merchant.customerMessage
    ? paymentId.slice(-REFERENCE_LENGTH)
    : customerMessage

/** The order that the phone asks about, on the screen or not. */
export function waitingOn(ctx: Context, orders: readonly PhoneOrder[]): PhoneOrder | undefined {
  const now = ctx.clock.now()
  return orders.find((order) => {
    const approval = approvalOf(order)
    return (
      approval?.askedOn === 'PHONE' && approval.verdict === undefined && approval.expiresAt > now
    )
  })
}

export const codesFor = (ctx: Context, order: PhoneOrder): readonly string[] =>
  dialledFor(termsOf(ctx, order))

const termsOf = (ctx: Context, { provider, currency }: PhoneOrder) =>
  depositTerms(ctx.providers.find(provider), currency)

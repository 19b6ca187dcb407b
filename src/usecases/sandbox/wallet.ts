import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { PaymentId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { Story } from '../../domain/sandbox/stories.ts'
import type { Approval } from '../../providers/sandbox/approval.ts'
import { notifyAfter } from '../../providers/sandbox/notifications.ts'
import { findPayment } from '../../store/payments/payments.ts'
import { decideApproval } from '../../store/sandbox/approvals.ts'
import { findOrder } from '../../store/sandbox/orders.ts'
import { approvalOf } from './approval.ts'
import type { SandboxContext } from './context.ts'
import { providerName } from './phone-prompts.ts'
import type { WalletOrder } from './wallet-links.ts'

/** The page of the simulated operator on which a customer approves a payment. */
export type WalletPage = {
  /** OPEN waits for the customer; BUSY answers by itself in a moment. */
  readonly state: 'OPEN' | 'BUSY' | 'PAID' | 'NOT_PAID'
  readonly amount: string
  readonly currency: string
  readonly payee: string
  readonly provider: string
  /** The address of the page. */
  readonly url: string
  /** Where the merchant wants the customer to return, in this state. */
  readonly returnUrl: string | undefined
  /** Both of them: the page may send the customer there. */
  readonly returnUrls: readonly string[]
}

type Found = {
  readonly link: WalletOrder
  readonly payment: Payment
  readonly approval: Approval | undefined
  readonly story: unknown
}

/** Undefined when the link is not one of ours, or leads to nothing any more. */
export async function openWalletPage(
  ctx: SandboxContext,
  token: string,
): Promise<WalletPage | undefined> {
  const found = await findOpened(ctx, token)
  return found && pageOf(ctx, found)
}

/** The customer answers. An earlier answer, or an end, is not changed. */
export async function answerOnWalletPage(
  ctx: SandboxContext,
  token: string,
  verdict: 'APPROVED' | 'DECLINED',
): Promise<WalletPage | undefined> {
  const found = await findOpened(ctx, token)
  if (found === undefined) return undefined
  const now = ctx.clock.now()
  const notifyAt = notifyAfter(verdict, (found.story ?? []) as Story, now)
  if (await decideApproval(ctx.db, { ...found.link, verdict, now, notifyAt })) ctx.work.wake()
  return openWalletPage(ctx, token)
}

/** The same in the wallet app, on a phone of the signed-in merchant. */
export async function answerInWalletApp(
  ctx: SandboxContext,
  merchant: Merchant,
  reference: string,
  verdict: 'APPROVED' | 'DECLINED',
): Promise<'APPROVED' | 'DECLINED' | 'NO_PROMPT'> {
  const link = ctx.walletLinks.urlOf(merchant.id, reference)
  const page = await answerOnWalletPage(ctx, link.slice(link.lastIndexOf('/') + 1), verdict)
  const wanted = verdict === 'APPROVED' ? 'PAID' : 'NOT_PAID'
  return page?.state === wanted ? verdict : 'NO_PROMPT'
}

async function findOpened(ctx: SandboxContext, token: string): Promise<Found | undefined> {
  const link = ctx.walletLinks.read(token)
  if (link === undefined) return undefined
  const order = await findOrder(ctx.db, link.merchantId, link.reference)
  if (order === undefined || order.paymentId === null) return undefined
  const id = order.paymentId.toLowerCase() as PaymentId
  const payment = await findPayment(ctx.db, link.merchantId, 'deposit', id)
  // The same identifier may have been used again after a reset.
  if (payment?.providerReference !== link.reference) return undefined
  return { link, payment, approval: approvalOf(order), story: order.story }
}

async function pageOf(ctx: SandboxContext, found: Found): Promise<WalletPage | undefined> {
  const { payment, link } = found
  const merchant = await ctx.merchants.byId(payment.merchantId)
  if (merchant === undefined) return undefined
  // A deposit that was started on a page of ours leads back there.
  const page = ctx.hostedLinks.ofPayment(payment)?.redirectUrl
  const { successfulUrl = page, failedUrl = page } = payment.details
  const state = stateOf(found, ctx.clock.now())
  const ends = { PAID: successfulUrl, NOT_PAID: failedUrl, OPEN: undefined, BUSY: undefined }
  return {
    state,
    amount: payment.amount,
    currency: payment.currency,
    payee: merchant.name,
    provider: providerName(ctx, payment.provider),
    url: ctx.walletLinks.urlOf(link.merchantId, link.reference),
    returnUrl: ends[state],
    returnUrls: [successfulUrl, failedUrl].filter((url) => url !== undefined),
  }
}

/** The customer has answered a moment before the payment knows it. */
function stateOf({ payment, approval }: Found, now: number): WalletPage['state'] {
  if (payment.state === 'COMPLETED') return 'PAID'
  if (payment.state === 'FAILED') return 'NOT_PAID'
  if (approval === undefined) return 'BUSY'
  if (approval.verdict !== undefined) return approval.verdict === 'APPROVED' ? 'PAID' : 'NOT_PAID'
  return approval.expiresAt > now ? 'OPEN' : 'NOT_PAID'
}

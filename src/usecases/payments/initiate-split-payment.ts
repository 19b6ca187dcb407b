import type { Merchant } from '../../domain/accounts/merchant.ts'
import { type Amount, formatBalance, parseAmount } from '../../domain/amount.ts'
import type { Failure } from '../../domain/failure.ts'
import { invariant } from '../../domain/invariant.ts'
import { admit, type Order } from '../../domain/payments/admission.ts'
import type { Initiation, Payment } from '../../domain/payments/payment.ts'
import type { SplitPart } from '../../domain/payments/split-payment.ts'
import { present } from '../../domain/present.ts'
import type { AuthorisationType } from '../../domain/provider.ts'
import { acceptSplitPayment, findSplitPayment } from '../../store/payments/split-payments.ts'
import type { PaymentContext } from './context.ts'
import {
  accepted,
  holderOf,
  idOf,
  newPayment,
  orInterrupted,
  type PaymentCommand,
  rejected,
  repeated,
  withFlow,
} from './new-payment.ts'

/** The deposit of a split payment, and the payouts that follow it. */
type SplitCommand = PaymentCommand & { readonly parts: readonly SplitPart[] }

/** An identifier that another payment has already, or the one-time code that the provider needs. */
export type SplitFault = {
  readonly field: 'splitPaymentId' | 'payoutId' | 'preAuthorisationCode'
  readonly id?: string
}

/** Accepts a deposit together with the payouts that its money is meant for. */
export async function initiateSplitPayment(
  ctx: PaymentContext,
  merchant: Merchant,
  command: SplitCommand,
): Promise<Initiation | SplitFault> {
  const judged = judge(ctx, merchant, command)
  if ('code' in judged || 'field' in judged) {
    const earlier = await findSplitPayment(ctx.db, merchant.id, idOf(command))
    if (earlier !== undefined) return repeated(ctx, earlier.createdAt)
    return 'code' in judged ? rejected(ctx, judged) : judged
  }
  const holder = holderOf(ctx)
  const flowing = withFlow(command, judged.authType)
  const { deposit, payouts } = paymentsOf(ctx, merchant, flowing, judged.country)
  const key = ctx.newKey()
  const write = acceptSplitPayment(ctx.db, { key, deposit, payouts, holder })
  const stored = await orInterrupted(ctx, write)
  switch (stored.result) {
    case 'NEW':
      return accepted(ctx, deposit, holder)
    case 'REPEAT':
      return repeated(ctx, stored.createdAt)
    case 'TAKEN':
      return stored.kind === 'deposit'
        ? { field: 'splitPaymentId', id: command.idAsSent }
        : { field: 'payoutId', id: stored.id }
  }
}

function paymentsOf(
  ctx: PaymentContext,
  merchant: Merchant,
  command: SplitCommand,
  country: string,
): { deposit: Payment; payouts: readonly Payment[] } {
  const splitId = idOf(command)
  const deposit = { ...newPayment(ctx, merchant, 'deposit', command, country), splitId }
  const { customerMessage } = deposit.details
  const payouts = command.parts.map((part): Payment => {
    const payout: PaymentCommand = {
      generation: command.generation,
      idAsSent: part.payoutId,
      amount: part.amount,
      currency: command.currency,
      provider: part.provider,
      phoneNumber: part.phoneNumber,
      details: present({ customerMessage }),
      trace: command.trace,
    }
    const payment = newPayment(ctx, merchant, 'payout', payout, country)
    return { ...payment, state: 'WAITING', splitId, createdAt: deposit.createdAt }
  })
  return { deposit, payouts }
}

type Judged = { readonly country: string; readonly authType: AuthorisationType | undefined }

/** Every rule of the deposit and of each payout, then those of the whole. */
function judge(
  ctx: PaymentContext,
  merchant: Merchant,
  command: SplitCommand,
): Failure | SplitFault | Judged {
  const provider = ctx.providers.find(command.provider)
  const deposit: Order = { ...command, operation: 'DEPOSIT' }
  const { refusal, limits } = admit(deposit, ctx.providers, merchant)
  if (refusal !== undefined) return asSplitRefusal(refusal)
  invariant(provider !== undefined, 'an admitted order has a provider')
  for (const part of command.parts) {
    const payout: Order = { ...part, currency: command.currency, operation: 'PAYOUT' }
    const recipient = ctx.providers.find(part.provider)
    const judged = admit(payout, ctx.providers, merchant)
    if (judged.refusal !== undefined) return asSplitRefusal(judged.refusal)
    if (recipient?.country !== provider.country) return otherCountry(part, provider.country)
  }
  const excess = excessOf(command)
  if (excess !== undefined) return excess
  const lacksCode = command.details.preAuthorisationCode === undefined
  if (limits.authType === 'PREAUTH' && lacksCode) return { field: 'preAuthorisationCode' }
  return { country: provider.country, authType: limits.authType }
}

/** What the account may not do in one of the parts, it may not do as a split payment. */
function asSplitRefusal(refusal: Failure): Failure {
  const isRight = refusal.code === 'DEPOSITS_NOT_ALLOWED' || refusal.code === 'PAYOUTS_NOT_ALLOWED'
  return isRight ? { code: 'SPLIT_PAYMENTS_NOT_ALLOWED', message: refusal.message } : refusal
}

const otherCountry = (part: SplitPart, country: string): Failure => ({
  code: 'INVALID_PROVIDER',
  message:
    `The provider '${part.provider}' of the payout '${part.payoutId}' is not in '${country}', ` +
    'where the deposit is made. Money of a split payment stays in one country.',
})

function excessOf(command: SplitCommand): Failure | undefined {
  const collected = amountOf(command.amount)
  const sum = command.parts.reduce((total, part) => total + amountOf(part.amount), 0n) as Amount
  if (sum <= collected) return undefined
  return {
    code: 'PAYOUT_EXCEEDS_DEPOSIT',
    message:
      `The payouts add up to '${formatBalance(sum)}', which is more than the deposit of ` +
      `'${command.amount}'.`,
  }
}

function amountOf(text: string): Amount {
  const amount = parseAmount(text)
  invariant(amount !== undefined, `the amount ${text} passed the schema`)
  return amount
}

import { type Merchant, walletOf } from '../../domain/accounts/merchant.ts'
import { paymentFailure } from '../../domain/failure.ts'
import type { NodeId } from '../../domain/ids.ts'
import { invariant } from '../../domain/invariant.ts'
import { admit } from '../../domain/payments/admission.ts'
import type { Initiation, Payment } from '../../domain/payments/payment.ts'
import { OPERATION_OF } from '../../domain/payments/payment-state.ts'
import type { HoldResult } from '../../store/payments/hold.ts'
import type { PaymentContext } from './context.ts'
import {
  accepted,
  holderOf,
  newPayment,
  orInterrupted,
  type PaymentCommand,
  rejected,
  repeated,
  repeatedOrRejected,
} from './new-payment.ts'

/** A payment that takes money from a wallet. */
export type PayoutCommand = PaymentCommand & {
  /** A wallet that holds too little refuses the request; else the payment fails afterwards. */
  readonly onlyFunded?: boolean
}

/**
 * Accepts a payout or a remittance, with the money held for it, and hands it on. Whether the money
 * suffices is decided by the statement that stores the payment: see `store/payments/hold.ts`.
 */
export async function initiatePayout(
  ctx: PaymentContext,
  merchant: Merchant,
  kind: 'payout' | 'remittance',
  command: PayoutCommand,
): Promise<Initiation> {
  const provider = ctx.providers.find(command.provider)
  const order = { ...command, operation: OPERATION_OF[kind] }
  const { refusal } = admit(order, provider, merchant, ctx.providers.withTestNumbers)
  if (refusal !== undefined) return repeatedOrRejected(ctx, merchant, kind, command, refusal)
  invariant(provider !== undefined, 'an admitted order has a provider')
  const payment = newPayment(ctx, merchant, kind, command, provider.country)
  const holder = holderOf(ctx)
  const write = ctx.writes.hold.add({
    payment,
    holder,
    wallet: walletOf(merchant, payment),
    onlyFunded: command.onlyFunded === true,
  })
  return fromHold(ctx, payment, holder, await orInterrupted(ctx, write))
}

export function fromHold(
  ctx: PaymentContext,
  payment: Payment,
  holder: NodeId,
  results: HoldResult,
): Initiation {
  switch (results.result) {
    case 'NEW': {
      const { heldFrom } = results
      return accepted(ctx, heldFrom === undefined ? payment : { ...payment, heldFrom }, holder)
    }
    case 'REPEAT':
      return repeated(ctx, results.createdAt)
    case 'SHORT':
      return rejected(ctx, paymentFailure('PAWAPAY_WALLET_OUT_OF_FUNDS'))
  }
}

import { randomUUID } from 'node:crypto'
import { NAMED, SENDER } from '../trigger.ts'
import type { Chance } from './chance.ts'
import { numberIn } from './market.ts'
import type { Planned, PlannedKind } from './plan.ts'

/** Where a kind is started and asked about. */
export const PLACES: Readonly<Record<PlannedKind, { path: string; idField: string }>> = {
  deposit: { path: '/v2/deposits', idField: 'depositId' },
  payout: { path: '/v2/payouts', idField: 'payoutId' },
  refund: { path: '/v2/refunds', idField: 'refundId' },
  remittance: { path: '/v2/remittances', idField: 'remittanceId' },
  splitPayment: { path: '/v2/split-payments', idField: 'splitPaymentId' },
  checkout: { path: '/v2/checkouts', idField: 'checkoutId' },
}

const CHANNELS = ['web', 'app', 'ussd', 'shop'] as const

/** What the merchant says beside the money: its order, its customer, the channel. */
function additions({ number, kind }: Planned, chance: Chance): object {
  const order = String(10_000 + number)
  const prefix = kind === 'payout' ? 'OUT' : 'INV'
  return {
    // A remittance has a reference of its own, with its sender.
    ...(kind === 'remittance' ? {} : { clientReferenceId: `${prefix}-${order}` }),
    metadata: [
      { orderId: `ORD-${order}` },
      { channel: chance.pick(CHANNELS) },
      { customerEmail: `customer-${chance.below(900)}@example.com`, isPII: true },
    ],
  }
}

const wallet = ({ market, phoneNumber }: Pick<Planned, 'market' | 'phoneNumber'>) => ({
  type: 'MMO',
  accountDetails: { phoneNumber, provider: market.provider },
})

/** `depositId`: of the deposit that a refund gives back. */
export function bodyOf(planned: Planned, chance: Chance, depositId: string | undefined): object {
  const { kind, market, amount } = planned
  const money = { amount: String(amount), currency: market.currency }
  switch (kind) {
    case 'deposit':
      return { ...money, payer: wallet(planned), ...additions(planned, chance) }
    case 'payout':
      return { ...money, recipient: wallet(planned), ...additions(planned, chance) }
    case 'refund':
      return { ...money, depositId, ...additions(planned, chance) }
    case 'remittance':
      return {
        ...money,
        recipient: { ...wallet(planned), recipientDetails: NAMED },
        sender: SENDER,
        ...additions(planned, chance),
      }
    case 'splitPayment':
      return {
        ...money,
        payer: wallet(planned),
        splits: splitsOf(planned, chance),
        ...additions(planned, chance),
      }
    case 'checkout':
      return {
        returnUrl: 'https://shop.example.com/thanks',
        countries: [market.country],
        amounts: [{ country: market.country, ...money }],
        ...additions(planned, chance),
      }
  }
}

/** Two sellers get most of it. */
function splitsOf({ market, amount }: Planned, chance: Chance): readonly object[] {
  return [0.5, 0.3].map((share) => ({
    payoutId: randomUUID(),
    amount: String(Math.max(1, Math.floor(amount * share))),
    recipient: wallet({ market, phoneNumber: numberIn(market, chance) }),
  }))
}

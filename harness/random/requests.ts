import type { Chance } from './chance.ts'
import {
  ENDINGS,
  type Generation,
  type Kind,
  PLACES,
  type Place,
  STORIES,
  storyNumber,
  unsteadyNumber,
} from './world.ts'

/** Random bodies of requests. */
export type Body = Readonly<Record<string, unknown>>

export const ID_FIELDS: Readonly<Record<Kind, string>> = {
  deposit: 'depositId',
  payout: 'payoutId',
  refund: 'refundId',
  remittance: 'remittanceId',
  splitPayment: 'splitPaymentId',
}

/** Half of all numbers complete, so that there is something to refund and to pay from. */
function numberAt(chance: Chance, place: Place): string {
  const draw = chance.below(10)
  if (draw < 5) return `${place.stem}789`
  if (draw < 7) return `${place.stem}${chance.pick(ENDINGS)}`
  if (draw < 9) return storyNumber(place, chance.below(STORIES.length))
  return unsteadyNumber(place)
}

export function account(phoneNumber: string, place: Place): Body {
  return { type: 'MMO', accountDetails: { phoneNumber, provider: place.provider } }
}

export function amountAt(chance: Chance, place: Place): string {
  const whole = String(place.least + chance.below(chance.oneIn(5) ? 2000 : 200))
  if (chance.oneIn(4)) return `${whole}.00`
  return place.takesDecimals && chance.oneIn(3)
    ? `${whole}.${chance.pick(['5', '25', '70'])}`
    : whole
}

const extras = (chance: Chance): Body => ({
  ...(chance.oneIn(4) ? { clientReferenceId: `INV-${chance.below(1000)}` } : {}),
  ...(chance.oneIn(5) ? { metadata: [{ order: `ORD-${chance.below(1000)}` }] } : {}),
})

/** Everything that is left, or a part; now and then more than possible. */
export function refundOf(chance: Chance, id: string, depositId: string): Body {
  const amount = chance.pick([undefined, undefined, '5', '12.00', '40', '3000'])
  return { refundId: id, depositId, ...(amount === undefined ? {} : { amount }), ...extras(chance) }
}

export function remittanceOf(chance: Chance, id: string): Body {
  const place = chance.pick(PLACES)
  return {
    remittanceId: id,
    amount: amountAt(chance, place),
    currency: place.currency,
    recipient: {
      ...account(numberAt(chance, place), place),
      recipientDetails: { firstName: 'Chanda', lastName: 'Mwale' },
    },
    sender: SENDER,
  }
}

const SENDER = {
  transactionDetails: {
    transactionReference: 'TX-2026-0001',
    originalAmount: '100',
    originalCurrency: 'GBP',
    buyFxRate: '28.1534',
    senderFees: '1.50',
    purposeOfFunds: 'FAMILY_SUPPORT',
    sourceOfFunds: 'SALARY',
  },
  senderDetails: {
    firstName: 'Amina',
    lastName: 'Banda',
    nationality: 'ZMB',
    phoneNumber: '442079460018',
    address: {
      addressLine: '12 Market Street',
      postalCode: 'EC1A 1BB',
      city: 'London',
      country: 'GBR',
    },
    identification: { type: 'PASSPORT', number: 'P1234567' },
  },
}

/** The same request, damaged so that it can never be accepted in that generation. */
export function broken(chance: Chance, body: Body, generation: Generation): Body | string {
  const { currency: _, ...withoutCurrency } = body
  const damages: readonly (Body | string)[] = [
    JSON.stringify(body).slice(0, -1),
    '',
    { ...withoutCurrency, currencyCode: 'ZMW' },
    withoutCurrency,
    { ...body, amount: '-5' },
    { ...body, amount: '5.' },
    // Only the earlier generation takes numbers.
    { ...body, amount: generation === 'v1' ? [15] : 15 },
    { ...body, amount: '0' },
    { ...body, amount: '15.12345' },
    { ...body, amount: '15.555' },
    { ...body, amount: '999999999' },
    { ...body, currency: 'zmw' },
    { ...body, currency: 'EUR' },
    { ...body, unknownField: true },
    { ...body, metadata: 'none' },
  ]
  return chance.pick(damages)
}

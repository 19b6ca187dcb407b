import type { Chance } from '../../test/support/histories/chance.ts'
import {
  account,
  amountAt,
  type Body,
  refundOf,
  remittanceOf,
} from '../../test/support/histories/requests.ts'
import {
  ENDINGS,
  type Generation,
  type Kind,
  PLACES,
  type Place,
  type Step as ScriptStep,
  STORIES,
} from '../../test/support/histories/world.ts'

/** Requests of a simulation: each payment has a number of its own, so its order can be told apart. */
export type Script = { readonly number: string; readonly script: readonly ScriptStep[] }

/** Sends the customer to a page, so that a deposit has two callbacks, one after the other. */
const REDIRECTING: Place = {
  provider: 'WAVE_SEN',
  country: 'SEN',
  currency: 'XOF',
  stem: '221773456',
  takesDecimals: false,
  least: 100,
}
export const ALL_PLACES: readonly Place[] = [...PLACES, REDIRECTING]
export const REDIRECTING_PROVIDER = REDIRECTING.provider

/** What a request needs besides its body: scripts that are set before it is sent. */
export type Drawn = { readonly body: Body; readonly scripts: readonly Script[] }

export type Bodies = {
  deposit(id: string, generation: Generation): Drawn
  payout(id: string): Drawn
  remittance(id: string): Drawn
  refund(id: string, depositId: string): Drawn
  split(id: string, payoutIds: readonly string[]): Drawn
  /** The same request about another sum. */
  changed(body: Body): Body
}

export function createBodies(chance: Chance): Bodies {
  let serial = 0
  const scripts = new Map<string, Script>()

  /** Half of all numbers complete; a third follows a script. `456` is left to listed numbers. */
  function numberAt(place: Place): string {
    serial += 1
    const own = String((serial * 7) % 1000).padStart(3, '0')
    const stem = place.stem.slice(0, -3) + (own === '456' ? '457' : own)
    const draw = chance.below(10)
    if (draw < 5) return `${stem}789`
    if (draw < 7) return `${stem}${chance.pick(ENDINGS)}`
    const index = chance.below(STORIES.length)
    const number = `${stem}4${String(index).padStart(2, '0')}`
    scripts.set(number, { number, script: STORIES[index]?.script ?? [] })
    return number
  }
  const accountAt = (place: Place): Body => account(numberAt(place), place)
  const extras = (): Body => ({
    ...(chance.oneIn(4) ? { clientReferenceId: `INV-${chance.below(1000)}` } : {}),
    ...(chance.oneIn(5) ? { metadata: [{ order: `ORD-${chance.below(1000)}` }] } : {}),
  })
  const money = (place: Place): Body => ({
    amount: amountAt(chance, place),
    currency: place.currency,
  })
  const drawn = (body: Body): Drawn => {
    const text = JSON.stringify(body)
    const needed = [...scripts.values()].filter(({ number }) => text.includes(number))
    scripts.clear()
    return { body, scripts: needed }
  }

  return {
    deposit: (depositId, generation) => {
      const place = chance.pick(generation === 'v1' ? PLACES : ALL_PLACES)
      return drawn({ depositId, ...money(place), payer: accountAt(place), ...extras() })
    },
    payout: (payoutId) => {
      const place = chance.pick(PLACES)
      return drawn({ payoutId, ...money(place), recipient: accountAt(place), ...extras() })
    },
    remittance: (id) => {
      const place = chance.pick(PLACES)
      const whole = remittanceOf(chance, id)
      const { recipientDetails } = whole.recipient as Body
      const recipient = { ...accountAt(place), recipientDetails }
      return drawn({ ...whole, ...money(place), recipient })
    },
    refund: (id, depositId) => drawn(refundOf(chance, id, depositId)),
    split: (splitPaymentId, payoutIds) => {
      const place = chance.pick(PLACES)
      const neighbours = PLACES.filter(({ country }) => country === place.country)
      const share = chance.between(place.least, 60)
      return drawn({
        splitPaymentId,
        amount: String(share * payoutIds.length + chance.below(40)),
        currency: place.currency,
        payer: accountAt(place),
        splits: payoutIds.map((payoutId) => ({
          payoutId,
          amount: String(share),
          recipient: accountAt(chance.pick(neighbours)),
        })),
        ...extras(),
      })
    },
    changed: (body) => {
      const place = ALL_PLACES.find(({ currency }) => currency === body.currency)
      return place === undefined ? body : { ...body, amount: amountAt(chance, place) }
    },
  }
}

export type { Body, Generation, Kind }

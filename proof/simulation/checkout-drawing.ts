import type { Chance } from '../../harness/random/chance.ts'
import { amountAt } from '../../harness/random/requests.ts'
import { PLACES } from '../../harness/random/world.ts'
import type { Act, Timing } from './acts.ts'
import type { Bodies } from './world.ts'

/** A checkout over some steps: customers press Pay, look or leave, or the merchant expires it. */
export function drawCheckout(
  chance: Chance,
  bodies: Bodies,
  timing: (merchant?: number) => Timing,
  later: (stepsOn: number, act: Act) => void,
): Act {
  const place = chance.pick(PLACES)
  const { country, currency } = place
  const when = timing()
  const about = (): Timing => timing(when.merchant)
  const id = chance.uuid()
  const body = {
    checkoutId: id,
    returnUrl: 'https://shop.example/thanks',
    countries: [country],
    amounts: [{ country, currency, amount: amountAt(chance, place) }],
    expiresAfter: chance.pick([3, 15, 60]),
  }
  const offer = { do: 'offer', ...when, id, body } as const
  if (chance.oneIn(4)) later(1, { ...offer, ...about() })
  for (let count = chance.between(1, 5); count > 0; count -= 1) {
    const inCountry = PLACES.filter((one) => one.country === country)
    const { body: wallet, scripts } = bodies.wallet(chance.pick(inCountry))
    const account = wallet.accountDetails as Readonly<Record<string, string>>
    later(chance.between(1, 3), { do: 'press', ...about(), id, account, scripts })
  }
  for (let count = chance.below(3); count > 0; count -= 1) {
    later(chance.between(1, 4), { do: 'look', ...about(), id })
  }
  if (chance.oneIn(4)) later(chance.between(1, 4), { do: 'leave', ...about(), id })
  if (chance.oneIn(6)) later(chance.between(1, 4), { do: 'expire', ...about(), id })
  return offer
}

import type { Chance } from '../../harness/random/chance.ts'
import { inEarlierWords } from '../../harness/random/generations.ts'
import {
  account,
  amountAt,
  type Body,
  refundOf,
  remittanceOf,
} from '../../harness/random/requests.ts'
import {
  ENDINGS,
  type Generation,
  type Kind,
  PLACES,
  type Place,
  type Step as ScriptStep,
  STORIES,
  type Story,
} from '../../harness/random/world.ts'

/** Requests of a simulation: each payment has its own phone number, which identifies its order. */
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

/** The digit before the place of its script, in numbers that have one. */
const SCRIPTED = '4'

/** What a request needs besides its body: scripts that are set before it is sent. */
export type Drawn = { readonly body: Body; readonly scripts: readonly Script[] }

export type Bodies = {
  deposit(id: string, generation: Generation): Drawn
  payout(id: string, place?: Place): Drawn
  remittance(id: string, place?: Place): Drawn
  refund(id: string, depositId: string): Drawn
  split(id: string, payoutIds: readonly string[]): Drawn
  /** A wallet that pays on a page. */
  wallet(place: Place): Drawn
  /** The same request with another amount. */
  changed(body: Body): Body
}

export function createBodies(chance: Chance): Bodies {
  let serial = 0
  const scripts = new Map<string, Script>()

  /** Half of all numbers complete; a third follows a script. Listed numbers are left alone. */
  function numberAt(place: Place): string {
    serial += 1
    const stem = place.stem.slice(0, -4) + String((serial * 7) % 10_000).padStart(4, '0')
    if (stem === place.stem) return numberAt(place)
    const draw = chance.below(10)
    if (draw < 5) return `${stem}789`
    if (draw < 7) return `${stem}${chance.pick(ENDINGS)}`
    const index = chance.below(STORIES.length)
    const number = `${stem}${SCRIPTED}${String(index).padStart(2, '0')}`
    scripts.set(number, { number, script: STORIES[index]?.script ?? [] })
    return number
  }
  const accountAt = (place: Place): Body => account(numberAt(place), place)
  /** Different for every payment, so that a mix-up is visible. */
  let count = 0
  const message = (): Body => {
    count += 1
    return {
      ...(chance.oneIn(4) ? {} : { customerMessage: `Order ${count}` }),
      ...(chance.oneIn(6) ? {} : { metadata: [{ order: `ORD-${count}` }, { shop: `S${count}` }] }),
    }
  }
  const extras = (): Body => ({
    ...message(),
    ...(chance.oneIn(2) ? { clientReferenceId: `INV-${count}` } : {}),
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
    payout: (payoutId, place = chance.pick(PLACES)) => {
      return drawn({ payoutId, ...money(place), recipient: accountAt(place), ...extras() })
    },
    remittance: (id, place = chance.pick(PLACES)) => {
      const whole = remittanceOf(chance, id)
      const own = message()
      const sender = whole.sender as Record<'transactionDetails' | 'senderDetails', Body>
      const transactionDetails = {
        ...sender.transactionDetails,
        transactionReference: `TX-${count}`,
      }
      const recipientDetails = { firstName: 'Chanda', lastName: `Mwale ${count}` }
      const recipient = { ...accountAt(place), recipientDetails }
      const people = { recipient, sender: { ...sender, transactionDetails } }
      return drawn({ ...whole, ...money(place), ...people, ...own })
    },
    refund: (id, depositId) => {
      const { amount } = refundOf(chance, id, depositId)
      // The message on a receipt is that of the deposit.
      const { customerMessage: _, ...own } = extras()
      return drawn({ refundId: id, depositId, ...(amount === undefined ? {} : { amount }), ...own })
    },
    split: (splitPaymentId, payoutIds) => {
      const place = chance.pick(PLACES)
      const inCountry = PLACES.filter(({ country }) => country === place.country)
      const share = chance.between(place.least, 60)
      return drawn({
        splitPaymentId,
        amount: String(share * payoutIds.length + chance.below(40)),
        currency: place.currency,
        payer: accountAt(place),
        splits: payoutIds.map((payoutId) => ({
          payoutId,
          amount: String(share),
          recipient: accountAt(chance.pick(inCountry)),
        })),
        ...extras(),
      })
    },
    wallet: (place) => drawn(accountAt(place)),
    changed: (body) => {
      const place = ALL_PLACES.find(({ currency }) => currency === body.currency)
      return place === undefined ? body : { ...body, amount: amountAt(chance, place) }
    },
  }
}

/** A request as a client of that generation writes it. */
export function spokenIn(generation: Generation, kind: Kind, body: Body): Body {
  if (generation === 'v2') return body
  const { customerMessage, ...rest } = body
  const message = customerMessage === undefined ? {} : { statementDescription: customerMessage }
  return { ...inEarlierWords(kind, rest), ...message }
}

/** What its script makes of a number, by its last digits. */
export function scriptedStory(phoneNumber: string): Story | undefined {
  const [first, ...index] = phoneNumber.slice(-3)
  return first === SCRIPTED ? STORIES[Number(index.join(''))] : undefined
}

export type { Body, Generation, Kind }

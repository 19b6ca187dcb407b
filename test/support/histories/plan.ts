import { type Chance, chanceOf } from '../../../harness/random/chance.ts'
import { generationsOf, type What } from '../../../harness/random/generations.ts'
import {
  account,
  amountAt,
  type Body,
  broken,
  depositOf,
  ID_FIELDS,
  payoutOf,
  refundOf,
  remittanceOf,
  splitOf,
} from '../../../harness/random/requests.ts'
import {
  type Generation,
  KINDS,
  type Kind,
  PLACES,
  type Step,
} from '../../../harness/random/world.ts'
import { type CheckoutAction, drawCheckouts } from './checkouts.ts'
import { aroundPayments, PAID_OUT, switched } from './surroundings.ts'

/** A history before it happens: everything that will be asked, drawn from the seed alone. */
export type Plan = {
  readonly seed: number
  /** For each merchant: what its wallets hold at first, and for which kinds it has an address. */
  readonly merchants: readonly { readonly balance: string; readonly listens: readonly Kind[] }[]
  /** Whether the second node loses answers of its database, is stopped, or stands still. */
  readonly isTroubled: boolean
  /** Actions of one burst happen side by side. */
  readonly bursts: readonly Burst[]
}

export type Burst = { readonly actions: readonly Action[]; readonly restMs: number }

export type Ask = {
  readonly do: 'ask'
  readonly at: At
  readonly kind: Kind
  /** Which generation is asked, and in whose words: those of the other one are a mistake. */
  readonly generation: Generation
  readonly words: Generation
  /** One request, or several in one call; in the words of the current generation. */
  readonly body: Body | readonly Body[] | string
  readonly isBroken: boolean
}
type About = {
  readonly at: At
  readonly generation: Generation
  readonly kind: Kind
  readonly id: string
  /** Where a generation has two ways to ask. */
  readonly variant: 0 | 1
}
export type At = { readonly node: 0 | 1; readonly merchant: number }

export type Action =
  | Ask
  | CheckoutAction
  | ({ readonly do: 'check' | 'resend' | 'cancel' } & About)
  | { readonly do: 'switch'; readonly merchant: number; readonly changes: readonly Body[] }
  | { readonly do: 'wallet'; readonly merchant: number; readonly change: Body }
  | {
      readonly do: 'script'
      readonly merchant: number
      readonly number: string
      readonly script: readonly Step[]
    }
  | { readonly do: 'leap'; readonly seconds: number }
  | { readonly do: 'receive'; readonly how: 'well' | 'badly' | 'not at all' }
  | { readonly do: 'lose'; readonly statement: string }
  | { readonly do: 'restart' | 'freeze' }

/** Answers of the database that can get lost on their way to the second node, by their weight. */
const LOSABLE = [
  'accept',
  'accept',
  'draw-simple',
  'draw',
  'advance',
  'advance-whole',
  'insert-split',
  'lock-deposits',
  'book-orders',
  'park-enqueued',
  'record-attempts',
  'due-work',
  'claim-payments',
  'claim-callbacks',
  'find-notifications',
  'beat',
]

export function planOf(seed: number): Plan {
  const chance = chanceOf(seed)
  const isTroubled = chance.oneIn(2)
  const merchants = Array.from({ length: chance.between(2, 3) }, () => ({
    balance: chance.pick(['1000000', '5000', '600', '100']),
    listens: KINDS.filter(() => !chance.oneIn(6)),
  }))
  // Of its own, so that what is asked for does not depend on the generation that is asked.
  const drawn = createDrawing(chance, chanceOf(~seed), merchants.length)
  const bursts = Array.from({ length: chance.between(8, 14) }, () => ({
    actions: Array.from({ length: chance.between(2, 16) }, () => drawn.next(isTroubled)),
    restMs: chance.pick([0, 20, 60, 150]),
  }))
  if (chance.oneIn(2)) bursts.splice(chance.below(bursts.length), 0, ...drawn.line())
  // Standing still takes seconds of real time, so it happens once and not in every history.
  if (isTroubled && chance.oneIn(5))
    bursts[chance.below(bursts.length)]?.actions.push({ do: 'freeze' })
  const checkouts = drawCheckouts(seed, merchants.length, isTroubled)
  for (const { actions } of bursts) {
    for (let count = checkouts.count(); count > 0; count -= 1) actions.push(checkouts.next())
  }
  return { seed, merchants, isTroubled, bursts }
}

/** Which kinds have such a call. */
const TAKES: Readonly<Record<'check' | 'resend' | 'cancel', readonly Kind[]>> = {
  check: KINDS,
  resend: ['deposit', 'payout', 'refund', 'remittance'],
  cancel: ['payout', 'refund', 'remittance'],
}

type Named = { readonly merchant: number; readonly kind: Kind; readonly id: string }

function createDrawing(chance: Chance, voices: Chance, merchants: number) {
  const asked: Ask[] = []
  const named: Named[] = []
  const someone = (): At => ({ node: chance.oneIn(2) ? 0 : 1, merchant: chance.below(merchants) })
  const latest = <T>(list: readonly T[], count: number): T | undefined =>
    list.length === 0 ? undefined : chance.pick(list.slice(-count))

  const voice = (what: What, kind: Kind): { generation: Generation; words: Generation } => {
    const generation = voices.pick(generationsOf(what, kind))
    return { generation, words: generation }
  }

  /**
   * Mostly new; sometimes one that is in use already. By another kind or merchant it must not
   * matter; by the same, or by a part of a split payment, one of the two has to step back.
   */
  const newId = (merchant: number, kind: Kind): string => {
    const other = chance.oneIn(10) ? latest(named, 40) : undefined
    const id = other?.id ?? chance.uuid()
    named.push({ merchant, kind, id })
    return chance.oneIn(10) ? id.toUpperCase() : id
  }

  function bodyOf(kind: Kind, merchant: number): Body {
    const id = newId(merchant, kind)
    if (kind === 'deposit') return depositOf(chance, id)
    if (kind === 'payout') return payoutOf(chance, id)
    if (kind === 'remittance') return remittanceOf(chance, id)
    if (kind === 'splitPayment') return splitOf(chance, id, partIds(merchant))
    const deposits = named.filter((one) => one.kind === 'deposit' || one.kind === 'splitPayment')
    const own = deposits.filter((one) => one.merchant === merchant)
    const deposit = latest(chance.oneIn(12) ? deposits : own, 12)
    return refundOf(chance, id, deposit?.id ?? chance.uuid())
  }

  /** Sometimes an identifier that a payout has already, which refuses the split payment. */
  function partIds(merchant: number): readonly string[] {
    const ids = Array.from({ length: chance.between(1, 4) }, () => chance.uuid())
    const taken = chance.oneIn(10) ? latest(ofKind('payout', merchant), 20) : undefined
    if (taken !== undefined) ids[0] = taken.id
    for (const id of ids) named.push({ merchant, kind: 'payout', id })
    return ids
  }
  const ofKind = (kind: Kind, merchant: number): readonly Named[] =>
    named.filter((one) => one.kind === kind && one.merchant === merchant)

  function ask(kind: Kind, damage = false): Ask {
    const at = someone()
    const body = bodyOf(kind, at.merchant)
    const { generation } = voice('start', kind)
    const one: Ask = {
      do: 'ask',
      at,
      kind,
      generation,
      words: generation,
      body,
      isBroken: damage && kind !== 'refund',
    }
    if (one.isBroken) return damaged(one, { ...body, [ID_FIELDS[kind]]: chance.uuid() })
    asked.push(one)
    return one
  }

  /** In itself, or said to one generation in the words of the other. */
  function damaged(one: Ask, body: Body): Ask {
    const { generation, kind } = one
    const harmed = broken(chance, body, generation)
    if (generationsOf('start', kind).length === 1 || !voices.oneIn(4)) {
      return { ...one, body: harmed }
    }
    return { ...one, body, words: generation === 'v1' ? 'v2' : 'v1' }
  }

  function bulk(kind: 'deposit' | 'payout' | 'remittance'): Ask {
    const at = someone()
    const bodies = Array.from({ length: chance.between(1, 6) }, () => bodyOf(kind, at.merchant))
    const first = bodies[0]
    if (first !== undefined && chance.oneIn(3)) bodies.push(first)
    const one: Ask = { do: 'ask', at, kind, ...voice('bulk', kind), body: bodies, isBroken: false }
    asked.push(one)
    return one
  }

  /**
   * Once more, to either node and in either generation; sometimes with other content, which must
   * not matter either.
   */
  function repeat(): Action {
    const earlier = latest(asked, chance.oneIn(3) ? 60 : 6)
    if (earlier === undefined) return ask('deposit')
    const { body, kind } = earlier
    const spoken = voice(Array.isArray(body) ? 'bulk' : 'start', kind)
    const at: At = { ...earlier.at, node: chance.oneIn(2) ? 0 : 1 }
    const again: Ask = { ...earlier, at, ...spoken }
    if (typeof body === 'string' || Array.isArray(body) || !chance.oneIn(4)) return again
    const one = body as Body
    const place = PLACES.find(({ currency }) => currency === one.currency)
    return place === undefined
      ? again
      : { ...again, body: { ...one, amount: amountAt(chance, place) } }
  }

  function about(what: 'check' | 'resend' | 'cancel'): Action {
    const candidates = named.filter(({ kind }) => TAKES[what].includes(kind))
    const one = latest(candidates, what === 'cancel' ? 8 : 40)
    if (one === undefined) return ask('deposit')
    const at: At = { node: chance.oneIn(2) ? 0 : 1, merchant: one.merchant }
    return order(what, at, one.kind, one.id)
  }

  function order(what: 'check' | 'resend' | 'cancel', at: At, kind: Kind, id: string): Action {
    const [generation, variant] = [voices.pick(generationsOf(what, kind)), voices.pick([0, 1])]
    return { do: what, at, generation, kind, id, variant: variant as 0 | 1 }
  }

  /**
   * A provider is delayed, so what is paid out waits in line; then it works again while payments
   * are being taken out of the line.
   */
  function line(): { actions: Action[]; restMs: number }[] {
    const merchant = chance.below(merchants)
    const place = chance.pick(PLACES)
    const { provider, currency } = place
    const switchTo = (status: string): Action => switched(merchant, provider, PAID_OUT, status)
    const ids = Array.from({ length: chance.between(2, 8) }, () => newId(merchant, 'payout'))
    const asks = ids.map((id): Ask => {
      const recipient = account(`${place.stem}789`, place)
      const body = { payoutId: id, amount: amountAt(chance, place), currency, recipient }
      const at = { ...someone(), merchant }
      return { do: 'ask', at, kind: 'payout', ...voice('start', 'payout'), body, isBroken: false }
    })
    const cancels = ids.map((id) => order('cancel', { ...someone(), merchant }, 'payout', id))
    return [
      { actions: [switchTo('DELAYED')], restMs: 0 },
      { actions: asks, restMs: 60 },
      { actions: cancels.slice(0, 2), restMs: 0 },
      { actions: [...cancels, switchTo('OPERATIONAL'), ...cancels], restMs: 0 },
    ]
  }

  /** What happens how often, in hundredths; the rest goes to what surrounds the payments. */
  const next = (isTroubled: boolean): Action => {
    const draw = chance.below(100)
    if (draw < 24) return ask('deposit')
    if (draw < 33) return ask('payout')
    if (draw < 45) return ask('refund')
    if (draw < 49) return ask('remittance')
    if (draw < 56) return ask('splitPayment')
    if (draw < 59) {
      if (chance.oneIn(3)) return bulk('remittance')
      return bulk(voices.oneIn(3) ? 'deposit' : 'payout')
    }
    if (draw < 69) return repeat()
    if (draw < 72) return ask(chance.pick(KINDS), true)
    if (draw < 76) return about('check')
    if (draw < 79) return about('resend')
    if (draw < 85) return about('cancel')
    if (draw < 88) return { do: 'leap', seconds: chance.pick([1, 10, 61, 300, 3600, 20_000]) }
    if (!isTroubled || draw < 92) return aroundPayments(chance, chance.below(merchants))
    return chance.oneIn(8) ? { do: 'restart' } : { do: 'lose', statement: chance.pick(LOSABLE) }
  }
  return { next, line }
}

/** The identifiers that a request names, with what they are identifiers of. */
export function namedBy(kind: Kind, body: Body): readonly { kind: Kind; id: string; body: Body }[] {
  const id = String(body[ID_FIELDS[kind]])
  if (kind !== 'splitPayment') return [{ kind, id, body }]
  const parts = (body.splits ?? []) as readonly Body[]
  return [
    { kind, id, body },
    { kind: 'deposit', id, body: { ...body, depositId: id } },
    ...parts.map((part) => ({ kind: 'payout' as const, id: String(part.payoutId), body: part })),
  ]
}

import { type Chance, chanceOf } from '../../test/support/histories/chance.ts'
import { generationsOf } from '../../test/support/histories/generations.ts'
import { KINDS, OPERATIONS } from '../../test/support/histories/world.ts'
import {
  ALL_PLACES,
  type Bodies,
  type Body,
  createBodies,
  type Drawn,
  type Generation,
  type Kind,
  type Script,
} from './world.ts'

/** A simulation before it happens: all acts and faults, a pure function of seed and hours. */
export type Plan = {
  readonly seed: number
  readonly hours: number
  readonly merchants: readonly MerchantPlan[]
  readonly steps: readonly Step[]
}

export type MerchantPlan = {
  /** What its wallets hold at first. */
  readonly balance: string
  readonly listens: readonly Kind[]
}

/** Acts and faults of one step happen side by side; then the clock leaps. */
export type Step = {
  readonly acts: readonly Act[]
  readonly faults: readonly Fault[]
  readonly restMs: number
  readonly leapSeconds: number
}

type Timing = { readonly merchant: number; readonly node: 0 | 1; readonly waitMs: number }

export type Ask = Timing & {
  readonly do: 'ask'
  readonly kind: Kind
  readonly generation: Generation
  readonly isBulk: boolean
  readonly bodies: readonly Body[]
  readonly scripts: readonly Script[]
  /** How many clients send it at the same moment, to one node and the other. */
  readonly copies: number
  /** The client breaks off the connection after so long, and does not hear the answer. */
  readonly breakOffMs?: number
  /** Asks again until it has an answer. */
  readonly persists: boolean
}

export type About = Timing & {
  readonly do: 'check' | 'resend' | 'cancel'
  readonly kind: Kind
  readonly generation: Generation
  readonly id: string
  readonly variant: 0 | 1
}

/** A customer pays on a page: presses Pay, perhaps twice, perhaps without hearing what came of it. */
export type Visit = Timing & {
  readonly do: 'visit'
  readonly body: Body
  readonly country: string
  readonly scripts: readonly Script[]
  readonly clicks: number
  readonly breakOffMs?: number
}

export type Switch = Timing & {
  readonly do: 'switch'
  readonly provider: string
  readonly operations: readonly string[]
  readonly status: 'OPERATIONAL' | 'DELAYED' | 'CLOSED'
}

export type Act = Ask | About | Visit | Switch

export const MOODS = ['fails', 'hangs', 'resets', 'is slow', 'is unsteady'] as const
export type Mood = (typeof MOODS)[number] | 'is well'

export type Fault =
  | {
      readonly do: 'kill node'
      readonly node: 0 | 1
      readonly waitMs: number
      readonly downMs: number
    }
  | { readonly do: 'kill database'; readonly waitMs: number }
  | { readonly do: 'receiver'; readonly merchant: number; readonly mood: Mood }

const HOUR = 3600
/** Long leaps stand for a night, a weekend or a clock that was set. */
const LEAPS = [2, 10, 61, 120, 300, 300, 600, 900]
const LONG_LEAPS = [2, 3, 6].map((hours) => hours * HOUR)
const BALANCES = ['1000000', '1000000', '5000', '600', '100']

export function planOf(seed: number, hours: number): Plan {
  const chance = chanceOf(seed)
  const merchants = Array.from({ length: chance.between(4, 8) }, (_, index) => ({
    balance: index === 0 ? '1000000' : chance.pick(BALANCES),
    listens: KINDS.filter(() => index === 0 || !chance.oneIn(8)),
  }))
  const drawing = createDrawing(chance, merchants.length)
  // A short run must not be one long leap.
  const leaps = LONG_LEAPS.filter((seconds) => seconds <= (hours * HOUR) / 4)
  const steps: Step[] = []
  for (let left = hours * HOUR; left > 0; left -= steps.at(-1)?.leapSeconds ?? 0) {
    const isLong = chance.oneIn(40) && leaps.length > 0
    const leap = chance.pick(isLong ? leaps : LEAPS)
    steps.push({
      acts: drawing.acts(steps.length),
      faults: drawing.faults(steps.length),
      restMs: chance.pick([0, 0, 20, 60]),
      leapSeconds: Math.min(leap, left),
    })
  }
  return { seed, hours, merchants, steps }
}

type Named = { readonly merchant: number; readonly kind: Kind; readonly id: string }

/** Which kinds have such a call. */
const TAKES: Readonly<Record<About['do'], readonly Kind[]>> = {
  check: KINDS,
  resend: ['deposit', 'payout', 'refund', 'remittance'],
  cancel: ['payout', 'refund', 'remittance'],
}
const PAID_OUT = OPERATIONS.slice(1)

function createDrawing(chance: Chance, merchants: number) {
  const bodies = createBodies(chance)
  const asked: Ask[] = []
  const named: Named[] = []
  /** What is undone in a later step: a provider that works again, a receiver that is well. */
  const later: { readonly step: number; readonly act?: Act; readonly fault?: Fault }[] = []
  const timing = (merchant = chance.below(merchants)): Timing => ({
    merchant,
    node: chance.oneIn(2) ? 0 : 1,
    waitMs: chance.below(120),
  })
  const latest = <T>(list: readonly T[], count: number): T | undefined =>
    list.length === 0 ? undefined : chance.pick(list.slice(-count))

  /** One merchant's identifier is nothing to another, who may have the same. */
  const newId = (merchant: number, kind: Kind): string => {
    const other = chance.oneIn(15) ? latest(named, 40) : undefined
    const isFree = other !== undefined && !named.some((one) => isSame(one, merchant, other.id))
    const id = isFree ? other.id : chance.uuid()
    named.push({ merchant, kind, id })
    return chance.oneIn(10) ? id.toUpperCase() : id
  }
  const isSame = (one: Named, merchant: number, id: string): boolean =>
    one.merchant === merchant && one.id === id

  function drawOne(kind: Kind, merchant: number, generation: Generation): Drawn {
    const id = newId(merchant, kind)
    if (kind === 'deposit') return bodies.deposit(id, generation)
    if (kind === 'payout') return bodies.payout(id)
    if (kind === 'remittance') return bodies.remittance(id)
    if (kind === 'refund') return bodies.refund(id, depositFor(merchant))
    const parts = Array.from({ length: chance.between(1, 4) }, () => chance.uuid())
    for (const part of parts) named.push({ merchant, kind: 'payout', id: part })
    return bodies.split(id, parts)
  }

  /** Mostly one that was asked for a while ago; sometimes one that comes in the same moment. */
  function depositFor(merchant: number): string {
    const own = named.filter((one) => one.kind === 'deposit' || one.kind === 'splitPayment')
    const mine = own.filter((one) => one.merchant === merchant)
    return latest(mine, chance.oneIn(4) ? 3 : 25)?.id ?? chance.uuid()
  }

  function ask(kind: Kind, count?: number): Ask {
    const when = timing()
    const isBulk = count !== undefined
    const generation = chance.pick(generationsOf(isBulk ? 'bulk' : 'start', kind))
    const drawn = Array.from({ length: count ?? 1 }, () => drawOne(kind, when.merchant, generation))
    const one: Ask = {
      do: 'ask',
      ...when,
      kind,
      generation,
      isBulk,
      bodies: drawn.map(({ body }) => body),
      scripts: drawn.flatMap(({ scripts }) => scripts),
      ...manner(),
    }
    asked.push(one)
    return one
  }

  const manner = (): Pick<Ask, 'copies' | 'breakOffMs' | 'persists'> => ({
    copies: chance.oneIn(8) ? chance.between(2, 4) : 1,
    ...(chance.oneIn(8) ? { breakOffMs: chance.below(30) } : {}),
    persists: !chance.oneIn(6),
  })

  /** Once more, perhaps in the other generation, perhaps about another sum, perhaps much later. */
  function repeat(): Act {
    const earlier = latest(asked, chance.oneIn(3) ? 100 : 8)
    if (earlier === undefined) return ask('deposit')
    const { merchant, kind, isBulk } = earlier
    const generation = chance.pick(generationsOf(isBulk ? 'bulk' : 'start', kind))
    const isChanged = !isBulk && chance.oneIn(4)
    const again = isChanged ? earlier.bodies.map(bodies.changed) : earlier.bodies
    return { ...earlier, ...timing(merchant), generation, bodies: again, ...manner() }
  }

  function visit(): Visit {
    const when = timing()
    const drawn = bodies.deposit(newId(when.merchant, 'deposit'), 'v2')
    // A page takes everything that a deposit does but this.
    const { clientReferenceId: _, ...body } = drawn.body
    const country = ALL_PLACES.find(({ currency }) => currency === body.currency)?.country ?? ''
    const { copies: clicks, breakOffMs } = manner()
    const patience = breakOffMs === undefined ? {} : { breakOffMs }
    const { scripts } = drawn
    return { do: 'visit', ...when, body, country, scripts, clicks, ...patience }
  }

  function about(what: About['do']): Act {
    const one = latest(
      named.filter(({ kind }) => TAKES[what].includes(kind)),
      what === 'cancel' ? 8 : 60,
    )
    if (one === undefined) return ask('deposit')
    const { merchant, kind, id } = one
    const generation = chance.pick(generationsOf(what, kind))
    return { do: what, ...timing(merchant), kind, generation, id, variant: chance.oneIn(2) ? 0 : 1 }
  }

  /** A provider is slow or closed for a while. */
  function trouble(step: number): Act {
    const { provider } = chance.pick(ALL_PLACES)
    const operations = chance.oneIn(2) ? PAID_OUT : [chance.pick(OPERATIONS)]
    const change = { do: 'switch', ...timing(), provider, operations } as const
    const end = { ...change, status: 'OPERATIONAL' } as const
    later.push({ step: step + chance.between(1, 4), act: end })
    return { ...change, status: chance.pick(['DELAYED', 'DELAYED', 'CLOSED']) }
  }

  /** What happens how often, in hundredths. */
  function next(step: number): Act {
    const draw = chance.below(100)
    if (draw < 22) return ask('deposit')
    if (draw < 28) return visit()
    if (draw < 40) return ask('payout')
    if (draw < 50) return ask('refund')
    if (draw < 55) return ask('remittance')
    if (draw < 61) return ask('splitPayment')
    if (draw < 66) return ask(chance.pick(BULK_KINDS), chance.between(2, 6))
    if (draw < 80) return repeat()
    if (draw < 88) return about('check')
    if (draw < 91) return about('resend')
    return draw < 96 ? about('cancel') : trouble(step)
  }

  const due = (step: number) => later.filter((one) => one.step === step)
  return {
    acts: (step: number): readonly Act[] => [
      ...due(step).flatMap(({ act }) => act ?? []),
      ...Array.from({ length: chance.between(4, 16) }, () => next(step)),
    ],
    faults: (step: number): readonly Fault[] => {
      const faults = due(step).flatMap(({ fault }) => fault ?? [])
      const waitMs = chance.below(200)
      if (chance.oneIn(10)) {
        const node = chance.oneIn(2) ? 0 : 1
        faults.push({ do: 'kill node', node, waitMs, downMs: chance.below(1500) })
      }
      if (chance.oneIn(20)) faults.push({ do: 'kill database', waitMs: chance.below(200) })
      if (chance.oneIn(6)) {
        const receiver = { do: 'receiver', merchant: chance.below(merchants) } as const
        faults.push({ ...receiver, mood: chance.pick(MOODS) })
        const fault = { ...receiver, mood: 'is well' } as const
        later.push({ step: step + chance.between(1, 6), fault })
      }
      return faults
    },
  }
}

const BULK_KINDS = ['deposit', 'payout', 'remittance'] as const

export type { Bodies }

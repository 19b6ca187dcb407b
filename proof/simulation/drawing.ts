import type { Chance } from '../../harness/random/chance.ts'
import { generationsOf } from '../../harness/random/generations.ts'
import { broken, ID_FIELDS } from '../../harness/random/requests.ts'
import { KINDS, OPERATIONS, PLACES, type Place } from '../../harness/random/world.ts'
import {
  type About,
  type Act,
  type Ask,
  BEHAVIOURS,
  type Fault,
  type Timing,
  type Visit,
} from './acts.ts'
import { drawCheckout } from './checkout-drawing.ts'
import {
  ALL_PLACES,
  createBodies,
  type Drawn,
  type Generation,
  type Kind,
  spokenIn,
} from './world.ts'

type Named = { readonly merchant: number; readonly kind: Kind; readonly id: string }

/** Which kinds have such a call. */
const TAKES: Readonly<Record<About['do'], readonly Kind[]>> = {
  check: KINDS,
  resend: ['deposit', 'payout', 'refund', 'remittance'],
  cancel: ['payout', 'refund', 'remittance'],
}
const PAID_OUT = OPERATIONS.slice(1)

/** Draws what happens, step by step. */
export function createDrawing(chance: Chance, merchants: number) {
  const bodies = createBodies(chance)
  const asked: Ask[] = []
  const named: Named[] = []
  /** What is undone in a later step: a provider or a receiver that works again. */
  const later: { readonly step: number; readonly act?: Act; readonly fault?: Fault }[] = []
  const timing = (merchant = chance.below(merchants)): Timing => ({
    merchant,
    node: chance.oneIn(2) ? 0 : 1,
    waitMs: chance.below(120),
  })
  const latest = <T>(list: readonly T[], count: number): T | undefined =>
    list.length === 0 ? undefined : chance.pick(list.slice(-count))

  /** Identifiers belong to one merchant; another may use the same. */
  const newId = (merchant: number, kind: Kind): string => {
    const other = chance.oneIn(15) ? latest(named, 40) : undefined
    const isFree = other !== undefined && !named.some((one) => isSame(one, merchant, other.id))
    const id = isFree ? other.id : chance.uuid()
    named.push({ merchant, kind, id })
    return chance.oneIn(10) ? id.toUpperCase() : id
  }
  const isSame = (one: Named, merchant: number, id: string): boolean =>
    one.merchant === merchant && one.id === id

  function drawOne(kind: Kind, merchant: number, generation: Generation, place?: Place): Drawn {
    const id = newId(merchant, kind)
    if (kind === 'deposit') return bodies.deposit(id, generation)
    if (kind === 'payout') return bodies.payout(id, place)
    if (kind === 'remittance') return bodies.remittance(id, place)
    if (kind === 'refund') return bodies.refund(id, depositFor(merchant))
    const parts = Array.from({ length: chance.between(1, 4) }, () => chance.uuid())
    for (const part of parts) named.push({ merchant, kind: 'payout', id: part })
    return bodies.split(id, parts)
  }

  /** Mostly a payment requested a while ago; sometimes one of the same step. */
  function depositFor(merchant: number): string {
    const own = named.filter((one) => one.kind === 'deposit' || one.kind === 'splitPayment')
    const mine = own.filter((one) => one.merchant === merchant)
    return latest(mine, chance.oneIn(4) ? 3 : 25)?.id ?? chance.uuid()
  }

  type Asked = { readonly count?: number; readonly merchant?: number; readonly place?: Place }

  function ask(kind: Kind, { count, merchant, place }: Asked = {}): Ask {
    const when = timing(merchant)
    const isBulk = count !== undefined
    const generation = chance.pick(generationsOf(isBulk ? 'bulk' : 'start', kind))
    const drawn = Array.from({ length: count ?? 1 }, () =>
      drawOne(kind, when.merchant, generation, place),
    )
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

  /** A repeat, perhaps in the other generation, with another amount, or much later. */
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
    // A page accepts everything that a deposit does, except this.
    const { clientReferenceId: _, ...body } = drawn.body
    const country = ALL_PLACES.find(({ currency }) => currency === body.currency)?.country ?? ''
    const { copies: clicks, breakOffMs } = manner()
    const breakOff = breakOffMs === undefined ? {} : { breakOffMs }
    const { scripts } = drawn
    return { do: 'visit', ...when, body, country, scripts, clicks, ...breakOff }
  }

  function about(what: About['do']): Act {
    const one = latest(
      named.filter(({ kind }) => TAKES[what].includes(kind)),
      what === 'cancel' ? 8 : 60,
    )
    return one === undefined ? ask('deposit') : aboutOne(what, one)
  }

  function aboutOne(what: About['do'], { merchant, kind, id }: Named): About {
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

  /** Payments are enqueued, checked and cancelled; perhaps while the queue moves. */
  function line(step: number): Act {
    const place = chance.pick(PLACES)
    const change = { do: 'switch', ...timing(), provider: place.provider } as const
    const { merchant } = change
    const before = named.length
    for (let count = chance.between(2, 4); count > 0; count -= 1) {
      const act = ask(chance.pick(['payout', 'remittance']), { merchant, place })
      later.push({ step: step + 1, act })
    }
    for (const one of named.slice(before)) {
      later.push({ step: step + 2, act: aboutOne('check', one) })
      if (!chance.oneIn(4)) later.push({ step: step + 3, act: aboutOne('cancel', one) })
    }
    const end = {
      ...change,
      ...timing(merchant),
      operations: PAID_OUT,
      status: 'OPERATIONAL',
    } as const
    later.push({ step: step + chance.between(3, 4), act: end })
    return { ...change, operations: PAID_OUT, status: 'DELAYED' }
  }

  /** A request that cannot be accepted: damaged, or in the form of the wrong generation. */
  function damage(): Act {
    const kind = chance.pick(KINDS.filter((one) => one !== 'refund'))
    const generation = chance.pick(generationsOf('start', kind))
    const when = timing()
    const before = named.length
    const { body } = drawOne(kind, when.merchant, generation)
    // It never becomes a payment, so nothing refers to it later.
    named.length = before
    const fresh = { ...body, [ID_FIELDS[kind]]: chance.uuid() }
    const about = { do: 'damage', ...when, kind, generation } as const
    if (generationsOf('start', kind).length > 1 && chance.oneIn(3)) {
      return { ...about, body: spokenIn(generation === 'v1' ? 'v2' : 'v1', kind, fresh) }
    }
    const harmed = broken(chance, fresh, generation)
    return {
      ...about,
      body: typeof harmed === 'string' ? harmed : spokenIn(generation, kind, harmed),
    }
  }

  const checkout = (step: number): Act =>
    drawCheckout(chance, bodies, timing, (stepsOn, act) => {
      later.push({ step: step + stepsOn, act })
    })

  /** How often each thing happens, in percent. */
  function next(step: number): Act {
    const draw = chance.below(100)
    if (draw < 3) return damage()
    if (draw < 7) return checkout(step)
    if (draw < 22) return ask('deposit')
    if (draw < 28) return visit()
    if (draw < 40) return ask('payout')
    if (draw < 50) return ask('refund')
    if (draw < 55) return ask('remittance')
    if (draw < 61) return ask('splitPayment')
    if (draw < 66) return ask(chance.pick(BULK_KINDS), { count: chance.between(2, 6) })
    if (draw < 80) return repeat()
    if (draw < 88) return about('check')
    if (draw < 91) return about('resend')
    if (draw < 95) return about('cancel')
    return draw < 98 ? trouble(step) : line(step)
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
        faults.push({ ...receiver, behaviour: chance.pick(BEHAVIOURS) })
        const fault = { ...receiver, behaviour: 'is well' } as const
        later.push({ step: step + chance.between(1, 6), fault })
      }
      return faults
    },
  }
}

const BULK_KINDS = ['deposit', 'payout', 'remittance'] as const

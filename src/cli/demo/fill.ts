/** Lets a planned history happen in a running sandbox, by its API and its test clock. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { COMMAND_TIMING } from '../../domain/client-timing.ts'
import type { ServiceClient } from '../service-client.ts'
import { bodyOf, PLACES } from './bodies.ts'
import type { Chance } from './chance.ts'
import type { Planned } from './plan.ts'

type Filled = { readonly accepted: number; readonly refused: number }

type Paid = {
  readonly id: string
  readonly planned: Planned
  /** A customer who leaves a checkout open does not pay. */
  readonly isAbandoned: boolean
}

/** What happens at one moment begins together; others wait for the next one. */
const MOMENT_S = 1800
/** Then so much time passes, in which operators answer. */
const ANSWER_S = 20
const REFUNDED_WITHIN_S = 10 * 86_400

type Filler = {
  /** Moves the clock to so long after the beginning. */
  moveTo(seconds: number): Promise<void>
  run(planned: readonly Planned[], progress: (seconds: number) => void): Promise<Filled>
}

export function createFiller(client: ServiceClient, startMs: number, chance: Chance): Filler {
  const { advance, moveTo } = createMover(client, startMs)
  const refundable: Paid[] = []
  let accepted = 0
  let refused = 0

  /** Of a deposit some days ago, all or a part. */
  const refundOf = (planned: Planned): Paid | undefined => {
    while (
      (refundable[0]?.planned.atSeconds ?? planned.atSeconds) <
      planned.atSeconds - REFUNDED_WITHIN_S
    ) {
      refundable.shift()
    }
    return refundable.splice(chance.below(refundable.length), 1)[0]
  }

  const begin = async (planned: Planned): Promise<Paid | undefined> => {
    const deposit = planned.kind === 'refund' ? refundOf(planned) : undefined
    if (planned.kind === 'refund' && deposit === undefined) return undefined
    const { market, amount } = deposit?.planned ?? planned
    const part = deposit !== undefined && chance.percent(40) ? Math.ceil(amount / 2) : amount
    const meant = { ...planned, market, amount: part }
    const { path, idField } = PLACES[planned.kind]
    const id = randomUUID()
    const body = { [idField]: id, ...bodyOf(meant, chance, deposit?.id) }
    const answer = (await client.post(path, body)) as Answer
    if (answer.status !== 'ACCEPTED') {
      refused += 1
      return undefined
    }
    accepted += 1
    const { checkoutCode } = answer
    // One in four customers goes away instead.
    const isAbandoned = checkoutCode !== undefined && chance.percent(25)
    if (checkoutCode !== undefined && !isAbandoned) await pay(client, checkoutCode, meant)
    return { id, planned, isAbandoned }
  }

  const together = async (moment: readonly Planned[]): Promise<void> => {
    await moveTo(moment[0]?.atSeconds ?? 0)
    const begun = (await Promise.all(moment.map(begin))).filter((one) => one !== undefined)
    const ending = begun.filter(({ planned, isAbandoned }) => planned.ends && !isAbandoned)
    if (begun.length === 0) return
    await advance(ANSWER_S + chance.below(40))
    const [splits, others] = [true, false].map((isSplit) =>
      ending.filter(({ planned }) => (planned.kind === 'splitPayment') === isSplit),
    ) as [Paid[], Paid[]]
    await Promise.all(
      others.map(async (paid) => {
        const status = await endOf(client, paid)
        if (status === 'COMPLETED' && paid.planned.kind === 'deposit') refundable.push(paid)
      }),
    )
    if (splits.length === 0) return
    // The payouts begin when the deposit is there.
    await advance(ANSWER_S)
    await Promise.all(splits.map((paid) => endOf(client, paid)))
  }

  return {
    moveTo,
    run: async (planned, progress) => {
      for (const moment of momentsOf(planned)) {
        await together(moment)
        progress(moment[0]?.atSeconds ?? 0)
      }
      return { accepted, refused }
    },
  }
}

function createMover(client: ServiceClient, startMs: number) {
  // Between two answers of the service, its clock runs as ours does.
  let clock: { readonly ms: number; readonly readAt: number } | undefined
  const advance = async (seconds: number): Promise<void> => {
    const moved = { seconds: Math.max(0, Math.round(seconds)) }
    const { now } = (await client.post('/sandbox/clock/advance', moved)) as ClockAnswer
    clock = { ms: Date.parse(now), readAt: performance.now() }
  }
  const moveTo = async (seconds: number): Promise<void> => {
    if (clock === undefined) await advance(0)
    const { ms, readAt } = clock ?? { ms: startMs, readAt: performance.now() }
    const now = ms + performance.now() - readAt
    await advance((startMs - now) / 1000 + seconds)
  }
  return { advance, moveTo }
}

type ClockAnswer = { readonly now: string }
type Answer = { readonly status: string; readonly checkoutCode?: string }

function momentsOf(planned: readonly Planned[]): readonly (readonly Planned[])[] {
  const moments = new Map<number, Planned[]>()
  for (const one of planned) {
    const name = Math.floor(one.atSeconds / MOMENT_S)
    moments.set(name, [...(moments.get(name) ?? []), one])
  }
  return [...moments.values()]
}

const LOOKS = 40
/** A checkout whose first attempt fails stays open. */
const CHECKOUT_LOOKS = 10

/** The next moment comes when all have ended, so that none seems to take a quarter of an hour. */
async function endOf(client: ServiceClient, { id, planned }: Paid): Promise<string> {
  let status = ''
  const looks = planned.kind === 'checkout' ? CHECKOUT_LOOKS : LOOKS
  for (let look = 0; look < looks; look += 1) {
    const { data } = (await client.get(`${PLACES[planned.kind].path}/${id}`)) as {
      readonly data?: { readonly status: string }
    }
    status = data?.status ?? ''
    if (/^(COMPLETED|FAILED|PAYOUT_FAILED)$/.test(status)) return status
    await pause(COMMAND_TIMING.demoLooksEveryMs)
  }
  return status
}

/** A customer opens the checkout and pays. */
async function pay(
  client: ServiceClient,
  code: string,
  { market, phoneNumber }: Planned,
): Promise<void> {
  const { country, provider } = market
  const form = new URLSearchParams({ country, provider, phoneNumber: `+${phoneNumber}` })
  await fetch(`${client.url}/checkout/${encodeURIComponent(code)}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { orderOf, pathOf } from '../../harness/random/generations.ts'
import type { About, Act, Ask, Damage, Switch, Visit } from './acts.ts'
import { createCustomers, isAboutCheckout } from './customers.ts'
import type {
  Asked,
  CheckoutSeen,
  DamageSeen,
  Leapt,
  Look,
  Ordered,
  PageAsked,
  Switched,
} from './evidence.ts'
import type { Answer, Rig } from './rig.ts'
import { type Body, spokenIn } from './world.ts'

/** The merchants' programs: they send what is planned and record the answers. */
export type Client = {
  readonly asks: readonly Asked[]
  readonly pages: readonly PageAsked[]
  readonly switches: readonly Switched[]
  readonly leaps: readonly Leapt[]
  readonly looks: readonly Look[]
  readonly orders: readonly Ordered[]
  readonly damaged: readonly DamageSeen[]
  readonly checkouts: ReadonlyMap<string, CheckoutSeen>
  act(act: Act): Promise<void>
  /** Repeats until it is done: sandbox settings are not part of the proof. */
  insist(merchant: number, method: string, path: string, body?: unknown): Promise<Answer>
  /** Moves the test clock; if an answer is lost it may move twice, which does no harm. */
  leap(seconds: number): Promise<void>
}

const TRIES = 240
/** The outcome is unknown: no answer, or one that says so. */
const isLost = (answer: Answer | undefined): answer is undefined =>
  answer === undefined || answer.status >= 500

export function createClient(rig: Rig): Client {
  const asks: Asked[] = []
  const pages: PageAsked[] = []
  const switches: Switched[] = []
  const leaps: Leapt[] = []
  const looks: Look[] = []
  const orders: Ordered[] = []
  const damaged: DamageSeen[] = []
  let moments = 0
  const moment = (): number => {
    moments += 1
    return moments
  }
  const now = () => ({ sent: moment(), at: Date.now() })

  async function insist(
    merchant: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const answer = await rig.call({ node: tries % 2, merchant }, method, path, body)
      if (!isLost(answer)) return answer
      await sleep(pauseAfter(tries))
    }
    throw new Error(`${method} ${path} had no answer in ${TRIES} tries`)
  }

  async function script({ merchant, scripts }: Pick<Ask, 'merchant' | 'scripts'>): Promise<void> {
    for (const one of scripts) {
      const { number, script: steps } = one
      await insist(merchant, 'PUT', `/sandbox/phones/${number}`, { script: steps })
    }
  }

  async function ask(act: Ask): Promise<void> {
    await script(act)
    await Promise.all(Array.from({ length: act.copies }, (_, copy) => send(act, copy)))
  }

  async function send(act: Ask, copy: number): Promise<void> {
    const { merchant, kind, generation, isBulk, bodies } = act
    const path = `${pathOf(generation, kind)}${isBulk ? '/bulk' : ''}`
    const spoken = bodies.map((body: Body) => spokenIn(generation, kind, body))
    for (let tries = 0; tries < (act.persists ? TRIES : 1); tries += 1) {
      const node = (act.node + copy + tries) % 2
      const breakOffMs = tries === 0 ? act.breakOffMs : undefined
      const sent = { ...now(), merchant, kind, generation, isBulk, bodies }
      const body = isBulk ? spoken : spoken[0]
      const answer = await rig.call({ node, merchant }, 'POST', path, body, breakOffMs)
      if (!isLost(answer)) {
        const { status, body: received, deprecated } = answer
        asks.push({ ...sent, answered: moment(), status, answer: received, deprecated })
        return
      }
      asks.push(tries === TRIES - 1 ? { ...sent, gaveUp: true } : sent)
      await sleep(pauseAfter(tries))
    }
  }

  async function visit(act: Visit): Promise<void> {
    const { merchant, body, country } = act
    await script(act)
    const { depositId, amount, currency, payer: _, ...details } = body
    const page = { depositId, returnUrl: 'https://shop.example/thanks', country, ...details }
    const terms = { ...page, amountDetails: { amount, currency } }
    const made = await insist(merchant, 'POST', '/v2/paymentpage', terms)
    pages.push({ merchant, id: String(depositId), status: made.status, answer: made.body })
    if (made.status !== 201) return
    const { pathname } = new URL(made.body.redirectUrl)
    await Promise.all(Array.from({ length: act.clicks }, (_, click) => press(act, pathname, click)))
  }

  async function press(act: Visit, path: string, click: number): Promise<void> {
    const { merchant, body } = act
    const { accountDetails } = body.payer as { accountDetails: Record<string, string> }
    const order = { merchant, kind: 'deposit', generation: 'v2', bodies: [body] } as const
    for (let tries = 0; tries < TRIES; tries += 1) {
      const node = (act.node + click + tries) % 2
      const breakOffMs = tries === 0 ? act.breakOffMs : undefined
      // Asked whether the number belongs to another provider, the customer keeps the choice.
      const form = new URLSearchParams({ ...accountDetails, asked: accountDetails.provider ?? '' })
      const sent = { ...order, ...now(), isBulk: false, isForm: true }
      const answer = await rig.call({ node, merchant }, 'POST', path, form, breakOffMs)
      // A browser follows to the page, which says whether it has started or was too late.
      const isLed = answer?.status === 303
      const shown = isLed ? await rig.call({ node, merchant }, 'GET', path) : answer
      if (!isLost(shown)) {
        const status = isLed && shown.status === 200 ? 303 : shown.status
        asks.push({ ...sent, answered: moment(), status })
        return
      }
      asks.push(tries === TRIES - 1 ? { ...sent, gaveUp: true } : sent)
      await sleep(pauseAfter(tries))
    }
  }

  async function check({ node, merchant, kind, generation, id }: About): Promise<void> {
    const sent = moment()
    const answer = await rig.call({ node, merchant }, 'GET', `${pathOf(generation, kind)}/${id}`)
    const about = { merchant, kind, id, generation, sent }
    if (isLost(answer)) looks.push(about)
    else {
      const { deprecated } = answer
      looks.push({ ...about, answered: moment(), record: recordIn(answer), deprecated })
    }
  }

  async function order(act: About, what: Ordered['what']): Promise<void> {
    const { node, merchant, kind, generation, id } = act
    const { path, body } = orderOf(what, generation, kind, id, act.variant)
    const about = { what, merchant, kind, id, generation, ...now() }
    const answer = await rig.call({ node, merchant }, 'POST', path, body)
    if (isLost(answer)) orders.push(about)
    else {
      const { body: received, deprecated } = answer
      const reply = String(received?.status)
      orders.push({ ...about, answered: moment(), reply, answer: received, deprecated })
    }
  }

  async function change(act: Switch): Promise<void> {
    const { merchant, provider, status } = act
    for (const operation of act.operations) {
      const begun = now()
      const body = { provider, operationType: operation, status }
      await insist(merchant, 'PUT', '/sandbox/availability', body)
      const done = { answered: moment(), until: Date.now() }
      switches.push({ merchant, provider, operation, status, ...begun, ...done })
    }
  }

  async function damage(act: Damage): Promise<void> {
    const { node, merchant, kind, generation, body } = act
    const answer = await rig.call({ node, merchant }, 'POST', pathOf(generation, kind), body)
    const about = { merchant, kind, generation, body }
    if (isLost(answer)) return void damaged.push(about)
    const { status, body: received, deprecated } = answer
    damaged.push({ ...about, status, answer: received, deprecated })
  }

  async function leap(seconds: number): Promise<void> {
    const at = Date.now()
    const { body } = await insist(0, 'POST', '/sandbox/clock/advance', { seconds })
    leaps.push({ at, until: Date.now(), aheadSeconds: body.offsetSeconds })
  }

  const customers = createCustomers({ rig, moment, insist, script })
  return {
    asks,
    pages,
    switches,
    leaps,
    looks,
    orders,
    damaged,
    checkouts: customers.checkouts,
    insist,
    leap,
    act: async (act) => {
      await sleep(act.waitMs)
      if (act.do === 'ask') return ask(act)
      if (act.do === 'visit') return visit(act)
      if (act.do === 'switch') return change(act)
      if (act.do === 'damage') return damage(act)
      if (isAboutCheckout(act)) return customers.act(act)
      return act.do === 'check' ? check(act) : order(act, act.do)
    },
  }
}

/** Both generations: an array with at most one, or an envelope. */
export function recordIn({ body }: Answer): Body | null {
  if (Array.isArray(body)) return body[0] ?? null
  return body?.data ?? null
}

const pauseAfter = (tries: number): number => Math.min(50 * 2 ** tries, 1000)

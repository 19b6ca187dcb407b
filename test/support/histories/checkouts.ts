import assert from 'node:assert/strict'
import { type Chance, chanceOf } from '../../../harness/random/chance.ts'
import { amountAt, type Body, numberAt } from '../../../harness/random/requests.ts'
import { PLACES } from '../../../harness/random/world.ts'
import { unitsOf } from './findings.ts'
import type { Journal } from './journal.ts'
import type { Action, At, Plan } from './plan.ts'
import type { Stage } from './stage.ts'

/** Checkouts beside the payments of a history: a merchant makes them, customers press buttons. */
export type CheckoutAction = { readonly at: At; readonly id: string } & (
  | { readonly do: 'offer'; readonly body: Body }
  | { readonly do: 'press'; readonly form: Readonly<Record<string, string>> }
  | { readonly do: 'expire' | 'leave' | 'look' }
)

/** Answers of the database that can get lost while somebody pays on a page. */
const LOSABLE = ['insert-checkout', 'start-attempt', 'ask-expiry', 'cancel-checkout']

/** Drawn by themselves, so that what else a seed asks for stays the same. */
export function drawCheckouts(seed: number, merchants: number, isTroubled: boolean) {
  const chance = chanceOf(seed ^ 0x5eed)
  const made: Extract<CheckoutAction, { do: 'offer' }>[] = []
  const node = (): 0 | 1 => (chance.oneIn(2) ? 0 : 1)

  function offer(): CheckoutAction {
    const again = chance.oneIn(5) ? made.at(-1) : undefined
    if (again !== undefined) return { ...again, at: { ...again.at, node: node() } }
    const { country, currency, ...place } = chance.pick(PLACES)
    const amount = amountAt(chance, { country, currency, ...place })
    const id = chance.uuid()
    const body = {
      checkoutId: id,
      returnUrl: 'https://shop.example/thanks',
      countries: [country],
      amounts: [{ country, currency, amount }],
      expiresAfter: chance.pick([3, 15, 60]),
    }
    const one = { do: 'offer', at: { node: node(), merchant: chance.below(merchants) }, id, body }
    made.push(one as (typeof made)[number])
    return one as CheckoutAction
  }

  function next(): Action {
    const one = chance.oneIn(4) || made.length === 0 ? undefined : chance.pick(made.slice(-2))
    if (one === undefined) return offer()
    const about = { id: one.id, at: { node: node(), merchant: one.at.merchant } }
    if (isTroubled && chance.oneIn(8)) return { do: 'lose', statement: chance.pick(LOSABLE) }
    if (chance.oneIn(5)) return { do: chance.pick(['expire', 'leave', 'look', 'look']), ...about }
    return { do: 'press', ...about, form: formFor(chance, one.body) }
  }
  return { next, count: () => chance.below(6) }
}

/** Mostly a wallet of the country that is asked to pay. */
function formFor(chance: Chance, body: Body): Readonly<Record<string, string>> {
  const [country] = body.countries as readonly string[]
  const place = chance.pick(PLACES.filter((one) => one.country === country || chance.oneIn(8)))
  const phoneNumber = numberAt(chance, place)
  return { phoneNumber, provider: place.provider, asked: place.provider, do: 'pay' }
}

/** What is known of one checkout: what its merchant and its customers did and were told. */
type Known = {
  readonly merchant: number
  readonly body: Body
  said: string[]
  code: string | undefined
  forms: Readonly<Record<string, string>>[]
  wasLeft: boolean
  final: Body | undefined
}

export type Checkouts = Map<string, Known>

type Call = (at: At, method: string, path: string, body?: unknown) => Promise<Answered>
type Answered = { readonly status: number; readonly body: Body } | undefined

export async function actOnCheckout(
  action: CheckoutAction,
  call: Call,
  checkouts: Checkouts,
): Promise<void> {
  const { at, id } = action
  const path = `/v2/checkouts/${id}`
  if (action.do === 'offer') return makeOffer(action, call, checkouts)
  const known = checkouts.get(id)
  if (known === undefined) return
  if (action.do === 'look') {
    const mustExist = known.said.includes('ACCEPTED')
    return look(known, await call(at, 'GET', path), mustExist)
  }
  if (action.do === 'expire') {
    const mustExist = known.said.includes('ACCEPTED')
    const answer = await call(at, 'POST', `${path}/expire`)
    const isFine = answer?.status === 200 || (answer?.status === 404 && !mustExist)
    assert.ok(answer === undefined || isFine, JSON.stringify(answer?.body))
    return
  }
  if (known.code === undefined) return
  if (action.do === 'press') known.forms.push(action.form)
  else known.wasLeft = true
  const form = action.do === 'press' ? action.form : { do: 'cancel' }
  await call(at, 'FORM', `/checkout/${known.code}`, form)
}

async function makeOffer(
  { at, id, body }: Extract<CheckoutAction, { do: 'offer' }>,
  call: Call,
  checkouts: Checkouts,
): Promise<void> {
  const { merchant } = at
  const fresh = { merchant, body, said: [], code: undefined, forms: [], wasLeft: false }
  const known: Known = checkouts.get(id) ?? { ...fresh, final: undefined }
  checkouts.set(id, known)
  const answer = await call(at, 'POST', '/v2/checkouts', body)
  if (answer === undefined) return
  const { status, checkoutCode } = answer.body
  assert.ok(status === 'ACCEPTED' || status === 'DUPLICATE_IGNORED', JSON.stringify(answer.body))
  known.said.push(status)
  known.code ??= String(checkoutCode)
  assert.equal(checkoutCode, known.code, 'a checkout has one link')
}

/** What is final is the same for ever. */
function look(known: Known, answer: Answered, mustExist: boolean): void {
  if (answer === undefined) return
  const record = answer.body.data as Body | undefined
  if (mustExist) assert.ok(record !== undefined, 'accepted and lost')
  if (record === undefined) return
  const { redirectUrl: _, ...told } = record
  if (known.final !== undefined) assert.deepEqual(told, known.final)
  else if (FINAL.includes(String(told.status))) known.final = told
}

const FINAL = ['COMPLETED', 'FAILED', 'EXPIRED', 'CANCELLED']
const ATTEMPTS_MAX = 10

/** Reads every checkout at the end; its attempts are deposits like any other from here on. */
export async function findCheckouts(
  plan: Plan,
  stage: Stage,
  checkouts: Checkouts,
  journal: Journal,
): Promise<void> {
  for (const [id, known] of checkouts) {
    const { merchant } = known
    const nodes = plan.isTroubled ? ([0] as const) : ([0, 1] as const)
    for (const node of nodes) {
      const answer = await stage.call({ node, merchant }, 'GET', `/v2/checkouts/${id}`)
      look(known, answer, known.said.includes('ACCEPTED'))
    }
    const { body } = await stage.call({ node: 0, merchant }, 'GET', `/v2/checkouts/${id}`)
    const record = body.data as Body | undefined
    assert.ok(known.said.filter((said) => said === 'ACCEPTED').length <= 1, 'accepted twice')
    if (record === undefined) continue
    checkWhole(id, known, record)
    for (const attempt of attemptsOf(record)) {
      const entry = journal.entry(merchant, 'deposit', String(attempt.depositId))
      const told = { body: attempt, generation: 'v2', said: 'ACCEPTED' } as const
      entry.answers.push({ ...told, created: String(attempt.created) })
    }
    if (plan.merchants[merchant]?.listens.includes('deposit')) checkTold(stage, id, record)
  }
}

const attemptsOf = (record: Body): readonly Body[] => record.depositsHistory as readonly Body[]

/** One attempt after the other, one success at most, and a state that follows from them. */
function checkWhole(id: string, { body, forms, wasLeft }: Known, record: Body): void {
  const name = `checkout ${id}: ${JSON.stringify(record)}`
  const attempts = attemptsOf(record)
  const states = attempts.map(({ status }) => String(status))
  const last = states.at(-1)
  assert.ok(attempts.length <= Math.min(forms.length, ATTEMPTS_MAX), name)
  assert.ok(
    states.slice(0, -1).every((state) => state === 'FAILED'),
    name,
  )
  const [asked] = body.amounts as readonly Body[]
  for (const { amount, currency, payer } of attempts) {
    assert.deepEqual([unitsOf(amount), currency], [unitsOf(asked?.amount), asked?.currency], name)
    const { phoneNumber } = (payer as { accountDetails: Body }).accountDetails
    assert.ok(
      forms.some((form) => form.phoneNumber === phoneNumber),
      name,
    )
  }
  const { status } = record
  assert.equal(status === 'COMPLETED', last === 'COMPLETED', name)
  assert.equal(status === 'PROCESSING', last === 'PROCESSING', name)
  if (status === 'FAILED') assert.equal(attempts.length, ATTEMPTS_MAX, name)
  if (status === 'CANCELLED') assert.ok(wasLeft, name)
  assert.notEqual(status, 'WAITING_PAYMENT', name)
}

/** Told of the end, and of nothing else. */
function checkTold(stage: Stage, id: string, record: Body): void {
  const plain = ({ redirectUrl: _, ...rest }: Body): Body => rest
  const told = stage.receiver.received
    .filter(({ path }) => path.endsWith('/checkout'))
    .map((one) => JSON.parse(one.body) as Body)
    .filter(({ checkoutId }) => checkoutId === id)
  const isOver = FINAL.includes(String(record.status))
  assert.equal(told.length > 0, isOver, `told of checkout ${id}: ${told.length}`)
  for (const one of told) assert.deepEqual(plain(one), plain(record))
}

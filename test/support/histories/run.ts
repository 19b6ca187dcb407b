import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertGeneration,
  assertOrder,
  assertStart,
  inEarlierWords,
  orderOf,
  pathOf,
} from '../../../harness/random/generations.ts'
import { type Body, ID_FIELDS } from '../../../harness/random/requests.ts'
import type { Answer } from '../../../harness/service.ts'
import { actOnCheckout, type Checkouts } from './checkouts.ts'
import { type Entry, type Flash, heard, type Journal, observe } from './journal.ts'
import { type Action, type Ask, type At, namedBy, type Plan } from './plan.ts'
import type { Stage } from './stage.ts'

/** Lets a planned history happen, and writes down what was answered. */
export async function runPlan(
  plan: Plan,
  stage: Stage,
  journal: Journal,
  checkouts: Checkouts,
): Promise<void> {
  for (const { actions, restMs } of plan.bursts) {
    await Promise.all(actions.map((action) => act(action, plan, stage, journal, checkouts)))
    await sleep(restMs)
  }
}

async function act(
  action: Action,
  plan: Plan,
  stage: Stage,
  journal: Journal,
  checkouts: Checkouts,
): Promise<void> {
  const call = callWith(plan, stage)
  switch (action.do) {
    case 'offer':
    case 'press':
    case 'expire':
    case 'leave':
    case 'look':
      return actOnCheckout(action, call, checkouts)
    case 'ask':
      return ask(action, call, journal)
    case 'check':
      return check(action, call, journal)
    case 'resend':
    case 'cancel':
      return order(action, call, journal)
    case 'switch':
      for (const change of action.changes) {
        await control(stage, action.merchant, '/sandbox/availability', change)
      }
      return undefined
    case 'wallet':
      return control(stage, action.merchant, '/sandbox/wallets', action.change)
    case 'script': {
      const { merchant, number, script } = action
      return control(stage, merchant, `/sandbox/phones/${number}`, { script })
    }
    case 'leap':
      return stage.service.advance(action.seconds)
    case 'receive':
      return stage.receive(action.how)
    case 'lose':
      return void stage.link.loseAnswerTo(action.statement)
    case 'restart':
      return stage.restart()
    case 'freeze':
      return freeze(stage)
  }
}

type Call = (at: At, method: string, path: string, body?: unknown) => Promise<Answer | undefined>

/**
 * Undefined where nobody can say what happened. Only a node in trouble may leave that open; one
 * that is well answers every request, whatever it is.
 */
function callWith(plan: Plan, stage: Stage): Call {
  return async (at, method, path, body) => {
    const mayFail = plan.isTroubled && at.node === 1
    try {
      const answer = await stage.call(at, method, path, body)
      if (answer.status < 500) return answer
      assert.ok(mayFail, `${method} ${path} ${answer.status} ${JSON.stringify(answer.body)}`)
    } catch (error) {
      if (!mayFail) throw error
    }
    return undefined
  }
}

async function control(stage: Stage, merchant: number, path: string, body: Body): Promise<void> {
  const answer = await stage.call({ node: 0, merchant }, 'PUT', path, body)
  assert.equal(answer.status, 204, JSON.stringify(answer.body))
}

async function ask(action: Ask, call: Call, journal: Journal): Promise<void> {
  const { at, kind, generation, body, isBroken } = action
  const isBulk = Array.isArray(body)
  const bodies: readonly Body[] = isBulk ? body : typeof body === 'string' ? [] : [body as Body]
  const mustRepeat = new Set<Body>()
  for (const one of bodies) {
    const own = journal.entry(at.merchant, kind, String(one[ID_FIELDS[kind]]))
    if (heard(own, 'ACCEPTED').length > 0) mustRepeat.add(one)
    for (const { kind: what, id } of namedBy(kind, one)) {
      const entry = journal.entry(at.merchant, what, id)
      if (kind === 'splitPayment') entry.splits.add(String(one.splitPaymentId).toLowerCase())
    }
  }
  const path = `${pathOf(generation, kind)}${isBulk ? '/bulk' : ''}`
  const answer = await call(at, 'POST', path, spoken(action))
  if (answer !== undefined) assertGeneration(generation, answer)
  if (isBroken) assert.ok(answer === undefined || refuses(answer), JSON.stringify(answer?.body))
  for (const [index, one] of bodies.entries()) {
    const id = String(one[ID_FIELDS[kind]])
    const { said, created } = saidBy(action, answer, index)
    if (mustRepeat.has(one)) {
      assert.match(said, /DUPLICATE_IGNORED|UNKNOWN/, `${kind} ${id} had been accepted before`)
    }
    const told = { body: one, generation, said, ...(created === undefined ? {} : { created }) }
    journal.entry(at.merchant, kind, id).answers.push(told)
  }
}

/** The request as it goes out. */
function spoken({ kind, words, body }: Ask): unknown {
  if (words === 'v2' || typeof body === 'string') return body
  const inWords = (one: Body): Body => inEarlierWords(kind, one)
  return Array.isArray(body) ? body.map(inWords) : inWords(body as Body)
}

const refuses = ({ status, body }: Answer): boolean =>
  (status >= 400 && status < 500) || (status === 200 && body.status === 'REJECTED')

function saidBy(
  { generation, kind, body }: Ask,
  answer: Answer | undefined,
  index: number,
): { readonly said: Flash; readonly created?: string } {
  if (answer === undefined) return { said: 'UNKNOWN' }
  if (answer.status !== 200) return { said: 'REFUSED' }
  const one = Array.isArray(body) ? answer.body[index] : answer.body
  assertStart(generation, kind, one)
  // What waits in line has been accepted, too; the earlier generation says where it is.
  return { said: one.status === 'ENQUEUED' ? 'ACCEPTED' : one.status, created: one.created }
}

type About = Extract<Action, { readonly do: 'check' | 'resend' | 'cancel' }>

async function check(action: About, call: Call, journal: Journal): Promise<void> {
  const { at, generation, kind, id } = action
  const entry = journal.entry(at.merchant, kind, id)
  const mustExist = heard(entry, 'ACCEPTED').length > 0
  const answer = await call(at, 'GET', `${pathOf(generation, kind)}/${id}`)
  if (answer === undefined) return
  assertGeneration(generation, answer)
  assert.equal(answer.status, 200)
  const record = generation === 'v1' ? answer.body[0] : answer.body.data
  if (mustExist) assert.ok(record !== undefined, `accepted and lost: ${kind} ${id}`)
  if (record !== undefined) observe(entry, generation, record)
}

/** Asks for the callback again, or takes a payment out of the line. */
async function order(action: About, call: Call, journal: Journal): Promise<void> {
  const { at, generation, kind, id } = action
  if (action.do === 'check') return
  const entry = journal.entry(at.merchant, kind, id)
  const { path, body } = orderOf(action.do, generation, kind, id, action.variant)
  const answer = await call(at, 'POST', path, body)
  if (answer !== undefined) {
    assertGeneration(generation, answer)
    assert.equal(answer.status, 200)
    assertOrder(generation, kind, answer.body)
  }
  const isDone = answer === undefined ? undefined : answer.body.status === 'ACCEPTED'
  if (action.do === 'resend' && isDone !== false) entry.resends += 1
  if (action.do === 'cancel') noteCancel(entry, isDone)
}

function noteCancel(entry: Entry, isDone: boolean | undefined): void {
  if (isDone === true) {
    assert.notEqual(entry.cancelled, 'yes', 'taken out of the line twice')
    entry.cancelled = 'yes'
  }
  if (isDone === undefined && entry.cancelled === 'no') entry.cancelled = 'perhaps'
}

/** The second node does not hear from its database for so long that the first buries it. */
async function freeze({ link, service }: Stage): Promise<void> {
  const beat = link.holdAnswerTo('beat')
  await beat.reached
  const isAlone = async (): Promise<boolean> =>
    (await service.database.query('select from nodes')).length === 1
  for (let waited = 0; waited < 100 && !(await isAlone()); waited += 1) await sleep(100)
  beat.letThrough()
}

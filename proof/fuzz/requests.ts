import type { Chance } from '../../harness/random/chance.ts'
import { addressOf, knownId, linkFor } from './addresses.ts'
import { bytesOf } from './bytes.ts'
import { formFor } from './forms.ts'
import { headersFor } from './headers.ts'
import { askedWith, type Target } from './targets.ts'
import { mutate, raw, type Tree, textOf, treeOf } from './tree.ts'
import { diceOf, idFor, type Link, type World } from './world.ts'

export type FuzzRequest = {
  readonly number: number
  readonly target: Target
  /** As it stands in the first line. */
  readonly method: string
  readonly address: string
  readonly head: string
  readonly body: Buffer
  /** Identifiers in it that would be stored if it were accepted. */
  readonly ids: readonly string[]
  /** What it was made to lead to, where a link leads there. */
  readonly link: Link | undefined
  /** Changed in any way; an unchanged one is accepted or refused like any merchant's call. */
  readonly isMutated: boolean
  /** Neither the method nor the address was changed: it gets to its target. */
  readonly arrives: boolean
}

/** Every n-th request exactly repeats one of the last ones. */
const AGAIN_ONE_IN = 25
const AGAIN_BACK_MAX = 60

/** The same for the same seed and number, except for what the run itself has created meanwhile. */
export function requestOf(world: World, number: number): FuzzRequest {
  const dice = diceOf(world, number)
  if (dice.oneIn(AGAIN_ONE_IN) && number > 0) {
    const earlier = number - dice.between(1, Math.min(number, AGAIN_BACK_MAX))
    return { ...requestOf(world, earlier), number }
  }
  const target = targetFor(world, number, dice)
  const plan = planOf(dice)
  const ids: string[] = []
  const link = linkFor(world, target, dice)
  const body = bodyFor(world, { number, target, plan, ids }, dice)
  const method = plan.has('method') ? dice.pick(METHODS) : target.method
  const asked = { number, target, link, isMutated: plan.has('address') }
  const address = addressOf(world, asked, dice)
  const isForm = target.generation === 'page'
  const wrongs = { token: plan.has('token'), headers: plan.has('headers'), isForm }
  const headers = headersFor(world, askedWith(target, method), wrongs, dice)
  // The length is always right here: requests broken on the wire are made elsewhere.
  if (body.length > 0 || method === 'POST' || method === 'PUT') {
    headers.push(['Content-Length', String(body.length)])
  }
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${address} HTTP/1.1\r\nHost: ${world.host}\r\n${lines.join('')}\r\n`
  const arrives = !plan.has('method') && !plan.has('address')
  const isMutated = plan.size > 0
  return { number, target, method, address, head, body, ids, link, isMutated, arrives }
}

export const wholeOf = ({ head, body }: FuzzRequest): Buffer =>
  Buffer.concat([Buffer.from(head, 'latin1'), body])

/** Every n-th request takes the next target in turn, so that none is left out. */
const IN_TURN = 50

/** Mostly calls of the API; large pages rarely. */
function targetFor({ targets }: World, number: number, dice: Chance): Target {
  const inTurn = targets[(number / IN_TURN) % targets.length]
  if (inTurn !== undefined) return inTurn
  for (;;) {
    const target = dice.pick(targets)
    if (dice.oneIn(SELDOM.find(([isIt]) => isIt(target))?.[1] ?? 1)) return target
  }
}

/** How much rarer than others; the first that applies. */
const SELDOM: readonly (readonly [isIt: (target: Target) => boolean, oneIn: number])[] = [
  // A reset stops every node for a moment.
  [({ path }) => /^\/sandbox\/(clock\/)?reset$/.test(path), 1000],
  [({ path }) => /^\/(docs|openapi|metrics|sandbox$|sandbox\/numbers)/.test(path), 200],
  [({ isPicture }) => isPicture, 100],
  // A change of settings makes every node forget what it knows.
  [({ isControl }) => isControl, 8],
  [({ path }) => /^\/(pay|checkout)\//.test(path), 2],
  [({ generation }) => generation === 'page', 4],
]

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND']

type Part = 'body' | 'bytes' | 'headers' | 'token' | 'address' | 'method'

/** One in six is a good request; most others are wrong in one place, some in several. */
function planOf(dice: Chance): ReadonlySet<Part> {
  if (dice.oneIn(6)) return new Set()
  const parts: Part[] = []
  for (let count = dice.oneIn(5) ? 3 : 1; count > 0; count -= 1) parts.push(dice.pick(PARTS))
  return new Set(parts)
}

const PARTS: readonly Part[] = [
  ...(['body', 'body', 'body', 'body', 'body', 'bytes', 'headers', 'headers'] as const),
  ...(['token', 'address', 'address', 'method'] as const),
]

type Draft = {
  readonly number: number
  readonly target: Target
  readonly plan: ReadonlySet<Part>
  /** Filled in as identifiers are drawn. */
  readonly ids: string[]
}

function bodyFor(world: World, draft: Draft, dice: Chance): Buffer {
  const { target, plan } = draft
  const text =
    target.generation === 'page'
      ? formFor(world, target.path, plan.has('body'), dice)
      : jsonFor(world, draft, dice)
  if (text === undefined) return plan.has('bytes') ? bytesOf('{}', dice) : EMPTY
  return plan.has('bytes') ? bytesOf(text, dice) : Buffer.from(text)
}

const EMPTY = Buffer.alloc(0)
const DELAYED_ONE_IN = 6

function jsonFor(world: World, draft: Draft, dice: Chance): string | undefined {
  const { target, plan } = draft
  if (target.body === undefined) {
    return plan.has('body') ? textOf(mutate(raw('{}'), dice)) : undefined
  }
  let tree = withIds(treeOf(target.body), world, draft, dice)
  if (plan.has('body')) {
    for (let count = dice.oneIn(4) ? 3 : 1; count > 0; count -= 1) tree = mutate(tree, dice)
  }
  return dice.oneIn(DELAYED_ONE_IN) ? toDelayed(textOf(tree)) : textOf(tree)
}

/** For the provider that enqueues payouts here. */
const toDelayed = (text: string): string =>
  text.replaceAll('MTN_MOMO_ZMB', 'AIRTEL_OAPI_ZMB').replaceAll('"26076', '"26097')

/** Identifiers are new or repeated; what is refunded or resent exists. */
function withIds(tree: Tree, world: World, draft: Draft, dice: Chance): Tree {
  if (tree.kind === 'list') {
    return { ...tree, items: tree.items.map((one) => withIds(one, world, draft, dice)) }
  }
  if (tree.kind === 'raw') return tree
  const { ids, number, target } = draft
  const names = new Set(tree.members.map(([name]) => name))
  const idOf = (name: string): string => {
    if (name === 'depositId' && names.has('refundId')) return dice.pick(world.deposits)
    if (!target.starts) return knownId(world, target, name, dice)
    const id = idFor(world, number, ids.length, dice)
    ids.push(id)
    return id
  }
  const members = tree.members.map(([name, value]) => {
    if (name === 'callbackUrl') return [name, raw('"http://127.0.0.1:1/callback"')] as const
    if (value.kind !== 'raw') return [name, withIds(value, world, draft, dice)] as const
    return [name, OWN_ID.test(name) ? raw(JSON.stringify(idOf(name))) : value] as const
  })
  return { ...tree, members }
}

const OWN_ID = /^(deposit|payout|refund|remittance|splitPayment|checkout|statement)Id$/

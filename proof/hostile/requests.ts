import { type Chance, chanceOf } from '../../test/support/histories/chance.ts'
import { bytesOf } from './bytes.ts'
import type { Target } from './targets.ts'
import { changed, mutate, raw, type Tree, textOf, treeOf } from './tree.ts'

/** What a run knows about the service it is hostile to. */
export type World = {
  readonly seed: number
  readonly host: string
  readonly targets: readonly Target[]
  /** Of the merchant whose payments are counted. */
  readonly token: string
  /** Of one whose settings are changed. */
  readonly controlToken: string
  /** Of one that requires signatures; nothing here is ever signed, so nothing of it may be stored. */
  readonly signedToken: string
  /** Deposits that can be refunded. */
  readonly deposits: readonly string[]
}

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
  /** Changed in any way; what is not changed is accepted or refused like any merchant's call. */
  readonly isMutated: boolean
}

/** The same request for the same seed and number, whatever came before. */
export function requestOf(world: World, number: number): FuzzRequest {
  const dice = diceOf(world, number)
  const target = targetFor(world, dice)
  const plan = planOf(dice)
  const ids: string[] = []
  const tree =
    target.body === undefined ? undefined : withIds(treeOf(target.body), world, dice, ids)
  const body = bodyFor(target, tree, plan, dice)
  const method = plan.has('method') ? dice.pick(METHODS) : target.method
  const address = addressOf(world, target, plan.has('address'), dice)
  const headers = headersFor(world, target, plan, dice)
  // A length is always right here: what breaks the connection is made of bytes.
  if (body.length > 0 || method === 'POST' || method === 'PUT') {
    headers.push(['Content-Length', String(body.length)])
  }
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${address} HTTP/1.1\r\nHost: ${world.host}\r\n${lines.join('')}\r\n`
  return { number, target, method, address, head, body, ids, isMutated: plan.size > 0 }
}

export const diceOf = ({ seed }: World, number: number): Chance =>
  chanceOf(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b))

export const wholeOf = ({ head, body }: FuzzRequest): Buffer =>
  Buffer.concat([Buffer.from(head, 'latin1'), body])

/** Calls of the API mostly; large pages seldom. */
function targetFor({ targets }: World, dice: Chance): Target {
  for (;;) {
    const target = dice.pick(targets)
    // A change of settings makes every node forget what it knows; a reset stops them for a moment.
    const seldom = /^\/sandbox\/(clock\/)?reset$/.test(target.path) ? 100 : target.isControl ? 8 : 1
    if (!dice.oneIn(seldom)) continue
    if (target.generation !== 'page') return target
    if (dice.oneIn(LARGE.test(target.path) ? 200 : 4)) return target
  }
}

const LARGE = /^\/(docs|openapi|sandbox|metrics)/
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

/** Identifiers are new, or those of an earlier request; deposits to refund exist. */
function withIds(tree: Tree, world: World, dice: Chance, ids: string[]): Tree {
  if (tree.kind === 'list') {
    return { ...tree, items: tree.items.map((one) => withIds(one, world, dice, ids)) }
  }
  if (tree.kind === 'raw') return tree
  const names = new Set(tree.members.map(([name]) => name))
  const members = tree.members.map(([name, value]) => {
    if (name === 'callbackUrl') return [name, raw('"http://127.0.0.1:1/callback"')] as const
    if (value.kind !== 'raw') return [name, withIds(value, world, dice, ids)] as const
    if (!OWN_ID.test(name)) return [name, value] as const
    if (name === 'depositId' && names.has('refundId')) {
      return [name, raw(JSON.stringify(dice.pick(world.deposits)))] as const
    }
    const id = idFor(world, dice)
    ids.push(id)
    return [name, raw(JSON.stringify(id))] as const
  })
  return { ...tree, members }
}

const OWN_ID = /^(deposit|payout|refund|remittance|splitPayment|checkout|statement)Id$/

function idFor(world: World, dice: Chance): string {
  const own = dice.uuid()
  return dice.oneIn(20) ? diceOf(world, dice.below(1000)).uuid() : own
}

function bodyFor(
  target: Target,
  tree: Tree | undefined,
  plan: ReadonlySet<Part>,
  dice: Chance,
): Buffer {
  if (tree === undefined) {
    if (!plan.has('body') && !plan.has('bytes')) return EMPTY
    return target.generation === 'page'
      ? formFor(dice)
      : Buffer.from(textOf(mutate(raw('{}'), dice)))
  }
  let wrong = tree
  if (plan.has('body')) {
    for (let count = dice.oneIn(4) ? 3 : 1; count > 0; count -= 1) wrong = mutate(wrong, dice)
  }
  const text = textOf(wrong)
  return plan.has('bytes') ? bytesOf(text, dice) : Buffer.from(text)
}

const EMPTY = Buffer.alloc(0)

function formFor(dice: Chance): Buffer {
  const names = ['wish', 'phoneNumber', 'provider', 'amount', 'token', 'act', 'asked', 'code']
  const values = ['pay', 'cancel', '260763456789', 'MTN_MOMO_ZMB', '15', '%00', '%', '', '<b>']
  const pairs = Array.from(
    { length: dice.between(0, 6) },
    () => `${dice.pick(names)}=${dice.pick(values)}`,
  )
  return Buffer.from(pairs.join('&'))
}

/** What stands where an identifier or a number belongs. */
const PLACES = [
  ...['260763456789', 'x', '0', '-1', '%20', '%00', '%', '%zz', '%c3%28', '..', '%2e%2e', '%2f'],
  ...[
    '%252e',
    'null',
    'undefined',
    '__proto__',
    'constructor',
    "1'--",
    '*',
    '~',
    'a;b=c',
    '%f0%9f',
  ],
  ...['00000000-0000-0000-0000-000000000000', 'F4401BD2-1568-4140-BF2D-EB77D2B2B639'],
  ...['a'.repeat(300), 'a'.repeat(5000), '%41'.repeat(600), 'http:%2f%2fx', '%0d%0aX:y', '[', '{}'],
]

function addressOf(world: World, target: Target, isMutated: boolean, dice: Chance): string {
  const place = (): string => {
    if (isMutated && dice.oneIn(2)) return dice.pick(PLACES)
    return dice.oneIn(3) ? dice.pick(world.deposits) : idFor(world, dice)
  }
  const path = target.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    name === 'msisdn' && !isMutated ? '260763456789' : place(),
  )
  if (!isMutated) return path + queryOf(target, dice)
  switch (dice.below(7)) {
    case 0:
      return `${path}${dice.pick(['/', '//', '/x', '/.', '/..', '.json', '%20', ';x', '#x', '?'])}`
    case 1:
      return path.replaceAll('/', dice.pick(['//', '///', '/./', '/%2e/', '/../']))
    case 2:
      return dice.oneIn(2) ? path.toUpperCase() : `/${dice.pick(PLACES)}${path}`
    case 3:
      return safe(changed(path, dice))
    case 4:
      return `http://${world.host}${path}${queryOf(target, dice)}`
    default:
      return path + wrongQuery(target, dice)
  }
}

/** The first line holds no spaces and no bytes beyond ASCII; those are sent as raw bytes. */
function safe(path: string): string {
  const plain = path.replaceAll(/[^\x21-\x7e]/g, '')
  return plain.startsWith('/') ? plain : `/${plain}`
}

function queryOf({ query }: Target, dice: Chance): string {
  const given = query.filter(() => dice.oneIn(2)).map((name) => `${name}=${GOOD[name] ?? 'x'}`)
  return given.length === 0 ? '' : `?${given.join('&')}`
}

const GOOD: Readonly<Record<string, string>> = {
  country: 'ZMB',
  operationType: 'DEPOSIT',
  address: 'http://localhost:1/x',
  lang: 'fr',
  wait: '0',
}

function wrongQuery({ query }: Target, dice: Chance): string {
  const names = [...query, ...query, 'x', '__proto__', 'country[]', 'a.b', '', '%', 'limit']
  const pairs = Array.from({ length: dice.pick([1, 1, 2, 5, 300]) }, () => {
    const value = dice.oneIn(3) ? '' : `=${dice.pick([...PLACES, ...Object.values(GOOD)])}`
    return `${dice.pick(names)}${value}`
  })
  const text = `?${pairs.join('&')}`
  return text.length > 9000 ? text.slice(0, 9000) : text
}

type Header = [name: string, value: string]

function headersFor(world: World, target: Target, plan: ReadonlySet<Part>, dice: Chance): Header[] {
  const token = target.isControl ? world.controlToken : world.token
  const headers: Header[] = []
  const authorization = plan.has('token')
    ? dice.pick(WRONG_TOKENS)(token, world, target)
    : `Bearer ${token}`
  if (authorization !== undefined) headers.push(['Authorization', authorization])
  if (!plan.has('headers')) return [...headers, ['Content-Type', 'application/json']]
  for (let count = dice.between(1, 4); count > 0; count -= 1) {
    headers.push(dice.pick(HEADERS)(dice))
  }
  return headers
}

type TokenMaker = (token: string, world: World, target: Target) => string | undefined

const WRONG_TOKENS: readonly TokenMaker[] = [
  () => undefined,
  () => '',
  () => 'Bearer',
  () => 'Bearer ',
  (token) => `bearer  ${token} `,
  (token) => `Basic ${token}`,
  (token) => token,
  (token) => `Bearer ${token}x`,
  (token) => `Bearer ${token.slice(0, -1)}`,
  (token) => `Bearer ${token.toUpperCase()}`,
  (token) => `Bearer ${token}, Bearer ${token}`,
  (token) => `Bearer\t${token}`,
  () => `Bearer ${'x'.repeat(7000)}`,
  () => 'Bearer \xe9\xff',
  () => "Bearer ' or 1=1 --",
  (token, { signedToken }, { isControl }) => `Bearer ${isControl ? token : signedToken}`,
]

const SIGNATURE = 'sig-pp=("@method" "@authority" "@path" "content-digest");created=1;keyid="k"'

/** Each makes one header. */
const HEADERS: readonly ((dice: Chance) => Header)[] = [
  (dice) => ['Content-Type', dice.pick(TYPES)],
  (dice) => ['Content-Encoding', dice.pick(['gzip', 'br', 'identity', 'deflate', 'x', ''])],
  (dice) => ['Accept', dice.pick(['*/*', 'text/html', 'application/xml', ';', 'q=2'])],
  (dice) => ['Accept-Encoding', dice.pick(['gzip', 'br', '*;q=0', 'gzip;q=9', ''])],
  (dice) => ['Accept-Language', dice.pick(['fr', 'en-US,en;q=0.5', '*', 'x'.repeat(200), ';;'])],
  (dice) => ['Signature-Input', safeHeader(changed(SIGNATURE, dice))],
  (dice) => ['Signature', safeHeader(changed('sig-pp=:QUJD:', dice))],
  (dice) => ['Content-Digest', safeHeader(changed('sha-256=:QUJD:', dice))],
  (dice) => ['Accept-Digest', dice.pick(['sha-512', 'sha-256', 'md5', ''])],
  (dice) => ['X-Forwarded-For', dice.pick(['127.0.0.1', '::1', 'x', '1,2,3'])],
  () => ['X-HTTP-Method-Override', 'DELETE'],
  () => ['X-Request-Id', 'mine'],
  (dice) => ['Range', dice.pick(['bytes=0-1', 'bytes=-1', 'x'])],
  () => ['If-None-Match', '*'],
  (dice) => ['Cookie', dice.pick(['a=b', 'malipo_sandbox=x', ';', '='.repeat(3000), '__Host-x=1'])],
  (dice) => ['Origin', dice.pick(['null', 'http://elsewhere.example', ''])],
  (dice) => ['X-Long', 'x'.repeat(dice.pick([10, 1000, 9000]))],
  (dice) => [dice.pick(['__proto__', 'constructor', 'A!#$%&', 'Te', 'Via', 'Trailer']), 'x'],
]

const TYPES = [
  ...['application/json', 'application/json; charset=utf-16', 'text/plain', 'text/html', ''],
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '@@@', 'a/b; c="'],
  ...['application/xml', 'application/octet-stream', ';', 'x'.repeat(500), 'application/json\xe9'],
]

const safeHeader = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')

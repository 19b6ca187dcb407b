import type { Chance } from '../../harness/random/chance.ts'
import type { Target } from './targets.ts'
import { changed } from './tree.ts'
import { idFor, type Kind, type Link, type Props, type World } from './world.ts'

/** Sent where an identifier or a number belongs. */
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

const LINKED: readonly (readonly [start: string, links: keyof World['props']])[] = [
  ['/pay/', 'pages'],
  ['/checkout/', 'checkouts'],
  ['/statements/', 'statements'],
  ['/sandbox/wallet/', 'wallets'],
  ['/sandbox/enter/', 'codes'],
]

/** A link that leads somewhere, for a target that is reached by one. */
export function linkFor({ props }: World, { path }: Target, dice: Chance): Link | undefined {
  const name = LINKED.find(([start]) => path.startsWith(start))?.[1]
  return name === undefined ? undefined : dice.pick(props[name] as readonly Link[])
}

type Asked = {
  readonly number: number
  readonly target: Target
  readonly link: Link | undefined
  readonly isMutated: boolean
}

export function addressOf(world: World, asked: Asked, dice: Chance): string {
  const { target, isMutated } = asked
  const path = target.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    isMutated && dice.oneIn(3) ? dice.pick(PLACES) : placed(world, asked, name, dice),
  )
  if (!isMutated) return path + queryOf(world, target, dice)
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
      return `http://${world.host}${path}${queryOf(world, target, dice)}`
    default:
      return path + wrongQuery(target, dice)
  }
}

/** A value for the path parameter of this name. */
function placed(world: World, { number, target, link }: Asked, name: string, dice: Chance): string {
  if (name === 'msisdn' || name === 'number') return GOOD.phone
  if (link !== undefined) return name.endsWith('Id') ? link.id : link.token
  if (name === 'country') return GOOD.country
  return dice.oneIn(3) ? idFor(world, number, 0, dice) : knownId(world, target, name, dice)
}

/** Of something that exists, by the name of its identifier field. */
export function knownId(
  { props, finished }: World,
  { path }: Target,
  field: string,
  dice: Chance,
): string {
  const kind = field.slice(0, -2)
  if (path.includes('/fail-enqueued')) {
    return dice.pick(props.enqueued[kind as keyof Props['enqueued']])
  }
  if (field === 'checkoutId') return dice.pick(props.checkouts).id
  if (field === 'statementId') return dice.pick(props.statements).id
  return dice.pick(finished[kind as Kind] ?? finished.deposit)
}

/** The first line holds no spaces and no bytes beyond ASCII; those are sent as raw bytes. */
function safe(path: string): string {
  const plain = path.replaceAll(/[^\x21-\x7e]/g, '')
  return plain.startsWith('/') ? plain : `/${plain}`
}

function queryOf(world: World, target: Target, dice: Chance): string {
  const given = target.query
    .filter(() => dice.oneIn(2))
    .map(
      (name) =>
        `${name}=${GOOD[name] ?? (IS_ID.test(name) ? knownId(world, target, name, dice) : 'x')}`,
    )
  return given.length === 0 ? '' : `?${given.join('&')}`
}

const IS_ID = /^(deposit|checkout|payment)Id$/

const GOOD = {
  country: 'ZMB',
  operationType: 'DEPOSIT',
  address: 'http://localhost:1/x',
  lang: 'fr',
  wait: '0',
  again: '1',
  phone: '260763456789',
  view: 'phone',
  tab: 'wallet',
} as { readonly phone: string; readonly country: string } & Readonly<Record<string, string>>

/** None of these makes the service wait: other tests do that. */
const WAITS = ['0', 'x', '-1', '', '0.01', '1e-9', 'NaN', '%00', '[]']

function wrongQuery({ query }: Target, dice: Chance): string {
  const names = [...query, ...query, 'x', '__proto__', 'country[]', 'a.b', '', '%', 'limit']
  const pairs = Array.from({ length: dice.pick([1, 1, 2, 5, 300]) }, () => {
    const name = dice.pick(names)
    const values = name === 'wait' ? WAITS : [...PLACES, ...Object.values(GOOD)]
    return dice.oneIn(3) ? name : `${name}=${dice.pick(values)}`
  })
  const text = `?${pairs.join('&')}`
  return text.length > 9000 ? text.slice(0, 9000) : text
}

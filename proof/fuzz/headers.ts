import type { Chance } from '../../harness/random/chance.ts'
import type { Target } from './targets.ts'
import { changed } from './tree.ts'
import type { World } from './world.ts'

type Header = [name: string, value: string]

type Wrongs = {
  readonly token: boolean
  readonly headers: boolean
  readonly isForm: boolean
}

export function headersFor(world: World, target: Target, wrongs: Wrongs, dice: Chance): Header[] {
  const token = target.isControl ? world.controlToken : world.token
  const headers: Header[] = []
  const authorization = wrongs.token
    ? dice.pick(WRONG_TOKENS)(token, world, target)
    : `Bearer ${token}`
  if (authorization !== undefined) headers.push(['Authorization', authorization])
  if (target.needsSession) headers.push(['Cookie', cookieFor(world, wrongs.token, dice)])
  if (!wrongs.headers) {
    const type = wrongs.isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    return [...headers, ['Content-Type', type]]
  }
  for (let count = dice.between(1, 4); count > 0; count -= 1) {
    headers.push(dice.pick(HEADERS)(dice))
  }
  return headers
}

const cookieFor = ({ session }: World, isWrong: boolean, dice: Chance): string =>
  isWrong ? safeHeader(changed(session, dice)) : session

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
  (_, { powerlessToken }) => `Bearer ${powerlessToken}`,
  (_, { powerlessToken }) => `Bearer ${powerlessToken}`,
]

const SIGNATURE = 'sig-pp=("@method" "@authority" "@path" "content-digest");created=1;keyid="k"'

/** Each creates one header. */
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
  (dice) => ['Cookie', dice.pick(COOKIES)],
  (dice) => ['Origin', dice.pick(['null', 'http://elsewhere.example', ''])],
  (dice) => ['X-Long', 'x'.repeat(dice.pick([10, 1000, 9000]))],
  (dice) => [dice.pick(['__proto__', 'constructor', 'A!#$%&', 'Te', 'Via', 'Trailer']), 'x'],
]

const COOKIES = [
  ...[
    'a=b',
    'malipo_sandbox=x',
    'malipo_sandbox=1.tok_x.QUJD',
    ';',
    '='.repeat(3000),
    '__Host-x=1',
  ],
  ...[
    'malipo_flash=eyJrZXkiOiJDT0RFIn0',
    'malipo_flash=bnVsbA',
    'malipo_flash=%',
    'malipo_tour=seen',
  ],
  ...['payer=QUJD; lang=fr', 'lang=xx; payer=', 'payer=__proto__'],
]

const TYPES = [
  ...['application/json', 'application/json; charset=utf-16', 'text/plain', 'text/html', ''],
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '@@@', 'a/b; c="'],
  ...['application/xml', 'application/octet-stream', ';', 'x'.repeat(500), 'application/json\xe9'],
]

const safeHeader = (text: string): string => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')

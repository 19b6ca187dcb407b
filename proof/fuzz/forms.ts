import type { Chance } from '../../harness/random/chance.ts'
import type { World } from './world.ts'

/** Valid values of each field; one of them is sent. */
type Form = Readonly<Record<string, readonly string[]>>

const MTN = ['MTN_MOMO_ZMB']
const PHONE = ['260763456789']
/** One that completes, one that fails, and one as people write it. */
const PAYER = ['260763456789', '260763456039', '0763 456 789', '+260763456789']
const CONTROL_TOKEN = '@control'

const PAY: Form = {
  do: ['pay'],
  country: ['ZMB'],
  phoneNumber: PAYER,
  provider: MTN,
  currency: ['ZMW'],
  amount: ['15', '15.00', '1'],
}
const PAYING: readonly Form[] = [
  PAY,
  { ...PAY, asked: MTN, preAuthorisationCode: ['123456', ''] },
  { ...PAY, provider: ['AIRTEL_OAPI_ZMB'] },
  { do: ['language'], country: ['ZMB'], phoneNumber: PAYER },
]
const TYPED: readonly Form[] = [{ country: ['ZMB'], phoneNumber: PAYER }, { phoneNumber: PAYER }]

const onPhone = (act: string, more: Form = {}): Form => ({ do: [act], number: PHONE, ...more })
const ORDER = ['f4401bd2-1568-4140-bf2d-eb77d2b2b639']

/** What the buttons of the sandbox send. */
const ACTS: readonly Form[] = [
  onPhone('take', { typed: ['0763456789', ''], listed: PHONE }),
  onPhone('auto'),
  onPhone('preset', { preset: ['completes', 'tables', 'declines', 'silent'] }),
  onPhone('approve', { prompt: ORDER, pin: ['1234'] }),
  onPhone('approve', { prompt: ORDER, refuse: ['1'] }),
  onPhone('in-app', { order: ORDER }),
  onPhone('in-app', { order: ORDER, refuse: ['1'] }),
  onPhone('dial', { code: ['*303#', '*1#'] }),
  onPhone('availability', {
    provider: MTN,
    operation: ['DEPOSIT', 'PAYOUT', 'REFUND'],
    status: ['OPERATIONAL', 'DELAYED', 'CLOSED'],
  }),
  onPhone('callbacks', { url: ['http://127.0.0.1:1/callbacks'] }),
  onPhone('callbacks', { url: [''], remove: ['1'] }),
  onPhone('receiver', { fails: ['yes', 'no'] }),
  onPhone('wallet', { wallet: ['ZMB ZMW'], balance: ['250', '0'] }),
  onPhone('advance', { seconds: ['60'] }),
  onPhone('tour'),
  onPhone('device'),
]
/** A reset stops every node for a moment, so these are sent now and then. */
const RESETS: readonly Form[] = [onPhone('reset'), onPhone('real-time')]

/** What each page reads of a form. */
const FORMS: Readonly<Record<string, readonly Form[]>> = {
  '/pay/{link}': PAYING,
  '/checkout/{link}': [...PAYING, ...PAYING, ...PAYING, { do: ['cancel'] }],
  '/pay/{link}/provider': TYPED,
  '/checkout/{link}/provider': TYPED,
  '/sandbox/sign-in': [
    { token: [CONTROL_TOKEN], to: ['/sandbox/shop', '/sandbox/numbers', '/sandbox', ''] },
  ],
  '/sandbox/acts': ACTS,
  '/sandbox/shop': [{ by: ['checkout'] }, { by: ['page'] }],
}

const RESETS_ONE_IN = 100

/** The form of a page, as its visitors send it or with some of it wrong; undefined where none is. */
export function formFor(
  world: World,
  path: string,
  isWrong: boolean,
  dice: Chance,
): string | undefined {
  const forms = path === '/sandbox/acts' && dice.oneIn(RESETS_ONE_IN) ? RESETS : FORMS[path]
  if (forms === undefined && !isWrong) return undefined
  const form = forms === undefined ? {} : dice.pick(forms)
  const pairs = Object.entries(form).map(([name, values]): Pair => {
    const value = dice.pick(values)
    return [name, encodeURIComponent(value === CONTROL_TOKEN ? world.controlToken : value)]
  })
  const sent = isWrong ? wrong(pairs, dice) : pairs
  return sent.map(([name, value]) => `${name}=${value}`).join('&')
}

type Pair = readonly [name: string, value: string]

/** As in the body: some are wrongly encoded on purpose. */
const VALUES = [
  ...['', '%00', '%', '%zz', '%c3%28', '%f0%9f', '+', '<b>', '%3Cscript%3E', '__proto__', 'null'],
  ...['-1', '0', '1e3', '15.001', '9'.repeat(400), '0x10', '%D9%A3', '1%2C5', 'NaN', '15'],
  ...['260973456789', '0'.repeat(12), '221773456789', '2607634567890000', '%2B%2B260', 'phone'],
  ...['WAVE_SEN', 'MTN_MOMO_RWA', 'mtn_momo_zmb', 'RWA', 'ZM', 'USD', 'pay', 'cancel', 'PAY'],
  ...['http%3A%2F%2F127.0.0.1%3A1%2F', 'javascript:alert(1)', '%2F%2Felsewhere.example'],
  ...["'%3B drop table payments%3B --", 'x'.repeat(300), 'x'.repeat(20_000), '%0d%0aX: y'],
]
const NAMES = ['do', 'number', 'amount', 'provider', 'token', '__proto__', 'constructor', '', '%00']

function wrong(pairs: readonly Pair[], dice: Chance): readonly Pair[] {
  let now = pairs
  for (let count = dice.between(1, 3); count > 0; count -= 1) {
    const at = dice.below(now.length)
    const [name = dice.pick(NAMES)] = now[at] ?? []
    const value = dice.pick(VALUES)
    const ways: readonly (() => readonly Pair[])[] = [
      () => now.map((pair, where) => (where === at ? [name, value] : pair)),
      () => now.filter((_, where) => where !== at),
      () => [...now, [name, value]],
      () => [[name, value], ...now],
      () => [...now, [dice.pick(NAMES), value]],
    ]
    now = dice.pick(ways)()
  }
  return now
}

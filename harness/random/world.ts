/**
 * What a random history needs to know, from the documentation: kinds, providers, and how a payment
 * ends by its phone number. Repeated here on purpose, as the service's own tables are under test.
 */
export const KINDS = ['deposit', 'payout', 'refund', 'remittance', 'splitPayment'] as const
export type Kind = (typeof KINDS)[number]

/** The earlier and the current generation of the API. */
export type Generation = 'v1' | 'v2'

export const OPERATIONS = ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] as const

export type Place = {
  readonly provider: string
  readonly country: string
  readonly currency: string
  /** Its numbers are this and three more digits. */
  readonly stem: string
  readonly takesDecimals: boolean
  readonly least: number
}

const ZAMBIA = { country: 'ZMB', currency: 'ZMW', takesDecimals: true, least: 1 }
export const PLACES: readonly Place[] = [
  { provider: 'MTN_MOMO_ZMB', stem: '260763456', ...ZAMBIA },
  { provider: 'AIRTEL_OAPI_ZMB', stem: '260973456', ...ZAMBIA },
  {
    provider: 'MTN_MOMO_RWA',
    country: 'RWA',
    currency: 'RWF',
    stem: '250783456',
    takesDecimals: false,
    least: 5,
  },
]

export type Step = {
  readonly afterSeconds: number
  readonly answer: string
  readonly failureCode?: string
}

/** COMPLETED, a failure code, or PROCESSING for ever. */
type Ending = string

export type Story = {
  readonly script: readonly Step[]
  readonly ends: Ending
  /** The opposite outcome that the operator reports afterwards. */
  readonly contradicts?: 'COMPLETED' | 'FAILED'
  /** Silent for longer than a minute, so a case may be opened. */
  readonly isDoubtful?: boolean
}

const DAY = 86_400
const failed = { answer: 'failed', failureCode: 'PAYMENT_IN_PROGRESS' }
const then = (first: string, afterSeconds: number, last: Omit<Step, 'afterSeconds'>) => [
  { afterSeconds: 0, answer: first },
  { afterSeconds, ...last },
]

/** Each has a number of its own at every provider: the stem, a 5 and the place in this list. */
export const STORIES: readonly Story[] = [
  { script: then('pending', 90, { answer: 'done' }), ends: 'COMPLETED' },
  { script: then('pending', 7000, failed), ends: 'PAYMENT_IN_PROGRESS' },
  { script: then('unknown', 45, { answer: 'done' }), ends: 'COMPLETED' },
  { script: then('unknown', 600, failed), ends: 'PAYMENT_IN_PROGRESS' },
  { script: then('silent', 30, { answer: 'done' }), ends: 'COMPLETED' },
  { script: then('silent', 400, { answer: 'done' }), ends: 'COMPLETED', isDoubtful: true },
  { script: then('silent', 2 * DAY, failed), ends: 'PAYMENT_IN_PROGRESS', isDoubtful: true },
  { script: [{ afterSeconds: 0, answer: 'duplicate' }], ends: 'COMPLETED' },
  { script: [{ ...failed, afterSeconds: 50, answer: 'duplicate' }], ends: 'PAYMENT_IN_PROGRESS' },
  {
    script: [{ afterSeconds: 0, answer: 'contradict' }],
    ends: 'COMPLETED',
    contradicts: 'FAILED',
  },
  {
    script: [{ ...failed, afterSeconds: 0, answer: 'contradict' }],
    ends: 'PAYMENT_IN_PROGRESS',
    contradicts: 'COMPLETED',
  },
  {
    script: then('silent', 300, { answer: 'contradict' }),
    ends: 'COMPLETED',
    contradicts: 'FAILED',
    isDoubtful: true,
  },
  {
    script: then('unknown', 80, { ...failed, answer: 'contradict' }),
    ends: 'PAYMENT_IN_PROGRESS',
    contradicts: 'COMPLETED',
  },
  { script: [{ afterSeconds: 0, ...failed }], ends: 'PAYMENT_IN_PROGRESS' },
]

export const storyNumber = (place: Place, index: number): string =>
  `${place.stem}5${String(index).padStart(2, '0')}`

/** A number whose script changes during a run: earlier payments follow the former script. */
export const unsteadyNumber = (place: Place): string => `${place.stem}600`
const UNSTEADY: readonly Story[] = [0, 2, 7, 13].flatMap((index) => STORIES[index] ?? [])

/** By the last three digits, unless there is a script. */
const PAID_IN: Readonly<Record<string, Ending>> = {
  '789': 'COMPLETED',
  '019': 'PAYER_LIMIT_REACHED',
  '029': 'PAYER_NOT_FOUND',
  '039': 'PAYMENT_NOT_APPROVED',
  '049': 'INSUFFICIENT_BALANCE',
  '059': 'TRANSACTION_ALREADY_IN_PROCESS',
  '069': 'UNSPECIFIED_FAILURE',
  '129': 'PROCESSING',
}
const PAID_OUT: Readonly<Record<string, Ending>> = {
  '789': 'COMPLETED',
  '089': 'RECIPIENT_NOT_FOUND',
  '099': 'WALLET_LIMIT_REACHED',
  '109': 'RECIPIENT_LIMIT_REACHED',
  '119': 'UNSPECIFIED_FAILURE',
  '129': 'PROCESSING',
}
export const ENDINGS: readonly string[] = Object.keys({ ...PAID_IN, ...PAID_OUT })

function storyOf(phoneNumber: string): Story | undefined {
  const suffix = phoneNumber.slice(-3)
  return suffix.startsWith('5') ? STORIES[Number(suffix.slice(1))] : undefined
}

/** How a payment with this number may end, once the operator has it. */
export function endingsOf(phoneNumber: string, kind: Kind): readonly Ending[] {
  const story = storyOf(phoneNumber)
  if (story !== undefined) return [story.ends]
  const suffix = phoneNumber.slice(-3)
  if (suffix === '600') return UNSTEADY.map((story) => story.ends)
  const table = kind === 'deposit' ? PAID_IN : PAID_OUT
  return [table[suffix] ?? 'COMPLETED']
}

/**
 * A merchant that sends payments of every kind in both generations, records each answer, and repeats
 * whatever was not answered. Its records are compared with the database at the end.
 */
import { randomUUID } from 'node:crypto'
import { bodyOf, KINDS, type Kind } from '../../harness/every-kind.ts'
import { callAt, type Place } from '../../harness/process.ts'
import type { Chance } from '../../harness/random/chance.ts'
import { inEarlierWords, pathOf } from '../../harness/random/generations.ts'
import type { Generation } from '../../harness/random/world.ts'
import { payer } from '../../harness/service.ts'
import type { Listener } from './listener.ts'
import { nameOf } from './names.ts'
import { type OwnTerms, ownTerms } from './terms.ts'

/** What a payment must be in the end, from the request alone. */
export type Wanted = {
  readonly kind: Kind
  readonly id: string
  readonly amount: string
  readonly currency: string
  readonly provider: string
  readonly phoneNumber: string
  /** How it must end once the operator has it. */
  readonly ending: Ending
}

type Ending = 'COMPLETED' | 'FAILED'

export type Ask = {
  readonly kind: Kind
  readonly id: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly ending: Ending
  /** What it leads to: itself, or the deposit and the payouts of a split payment. */
  readonly payments: readonly Wanted[]
  /** How often the answer was ACCEPTED. */
  accepted: number
  /** When the first request left, and when its acceptance arrived. */
  sentAtMs: number | undefined
  acceptedAtMs: number | undefined
  /** True while the last answer was lost or a 5xx. */
  isDoubtful: boolean
  refusal: string | undefined
  /** An answer 5xx that does not say that the outcome is unknown. */
  wrongError: string | undefined
}

type Answer = { readonly sentAtMs: number; readonly isAccepted: boolean }

export type Shop = {
  readonly asks: ReadonlyMap<string, Ask>
  /** Asks for the next payment, or again for one in doubt. */
  next(place: Place): Promise<Answer>
  /** Asks again for this one. */
  again(place: Place, ask: Ask): Promise<Answer>
  /** Repeats requests until nothing is in doubt; false if that takes too long. */
  settle(places: readonly Place[]): Promise<boolean>
}

type Flow = {
  readonly kind: Kind
  readonly generation: Generation
  readonly changes?: Readonly<Record<string, unknown>>
}

/** Approved on a page, so that an earlier state is sent before the final one. */
const ON_A_PAGE = { currency: 'XOF', payer: payer('221781000001', 'WAVE_SEN') }
/** Wallets of other countries move too. */
const IN_KENYA = { currency: 'KES', payer: payer('254703456789', 'MPESA_KEN') }
const IN_GHANA = { currency: 'GHS', payer: payer('233593456789', 'MTN_MOMO_GHA') }

const FLOWS: readonly Flow[] = [
  { kind: 'deposit', generation: 'v2' },
  { kind: 'deposit', generation: 'v2' },
  { kind: 'deposit', generation: 'v1' },
  { kind: 'deposit', generation: 'v2', changes: ON_A_PAGE },
  { kind: 'deposit', generation: 'v2', changes: IN_KENYA },
  { kind: 'deposit', generation: 'v2', changes: IN_GHANA },
  { kind: 'payout', generation: 'v2' },
  { kind: 'payout', generation: 'v1' },
  { kind: 'refund', generation: 'v2' },
  { kind: 'refund', generation: 'v1' },
  { kind: 'remittance', generation: 'v2' },
  { kind: 'splitPayment', generation: 'v2' },
]

const FAILS_ONE_IN = 4

export function openShop(listener: Listener, chance: Chance): Shop {
  const asks = new Map<string, Ask>()
  const doubts = new Set<Ask>()
  const terms = ownTerms()

  /** Deposits of split payments have been paid out already. */
  const takeRefundable = (): Ask | undefined => {
    const id = listener.takeRefundable()
    return id === undefined ? undefined : (asks.get(nameOf('deposit', id)) ?? takeRefundable())
  }

  const draw = (): Ask => {
    const flow = chance.pick(FLOWS)
    const fails = chance.oneIn(FAILS_ONE_IN) && flow.changes === undefined
    const ask = askFor(flow, fails ? 'FAILED' : 'COMPLETED', { takeRefundable, terms })
    asks.set(nameOf(ask.kind, ask.id), ask)
    return ask
  }

  const put = async (place: Place, ask: Ask): Promise<Answer> => {
    const sentAtMs = performance.now()
    ask.sentAtMs ??= sentAtMs
    const answer = await callAt(place, 'POST', ask.path, ask.body)
    ask.isDoubtful = answer === undefined || answer.status >= 500
    if (ask.isDoubtful) doubts.add(ask)
    if (answer !== undefined && answer.status >= 500 && !isHonest(answer)) {
      ask.wrongError = `${answer.status} ${JSON.stringify(answer.body)}`
    }
    const status = answer?.status === 200 ? answer.body.status : undefined
    const isAccepted = status === 'ACCEPTED'
    if (isAccepted) {
      ask.accepted += 1
      ask.acceptedAtMs = performance.now()
    } else if (!ask.isDoubtful && status !== 'DUPLICATE_IGNORED') {
      ask.refusal = `${answer?.status} ${JSON.stringify(answer?.body)}`
    }
    return { sentAtMs, isAccepted }
  }

  const takeDoubt = (): Ask | undefined => {
    const [first] = doubts
    if (first !== undefined) doubts.delete(first)
    return first
  }

  return {
    asks,
    next: (place) => put(place, takeDoubt() ?? draw()),
    again: put,
    settle: async (places) => {
      for (let tries = 0; tries < 20 * (doubts.size + 100); tries += 1) {
        const ask = takeDoubt()
        if (ask === undefined) return true
        await put(places[tries % places.length] as Place, ask)
      }
      return false
    },
  }
}

/** Unknown is neither failed nor accepted: an error has no status, and says that it is unknown. */
const isHonest = ({
  status,
  body,
}: {
  readonly status: number
  readonly body: unknown
}): boolean => {
  const { status: word, failureReason, errorCode } = (body ?? {}) as Record<string, unknown>
  const isNamed = failureReason !== undefined || errorCode !== undefined
  return (status === 500 || status === 503) && word === undefined && isNamed
}

type Means = {
  readonly takeRefundable: () => Ask | undefined
  readonly terms: OwnTerms
}

function askFor({ kind, generation, changes = {} }: Flow, wanted: Ending, means: Means): Ask {
  const deposit = kind === 'refund' ? means.takeRefundable() : undefined
  // Nothing to refund yet: a deposit instead.
  if (kind === 'refund' && deposit === undefined) {
    return askFor({ kind: 'deposit', generation }, 'COMPLETED', means)
  }
  // A refund ends as the number of its deposit says, and only completed deposits are kept.
  const ending = kind === 'refund' ? 'COMPLETED' : wanted
  const id = randomUUID()
  const named = { [KINDS[kind].idField]: id }
  const body =
    deposit === undefined
      ? madeUnlike(bodyOf(kind, ending, { ...changes, ...named }), means.terms)
      : bodyOf(kind, ending, { ...named, depositId: deposit.id })
  return {
    kind,
    id,
    path: pathOf(generation, kind),
    body: generation === 'v2' ? body : inEarlierWords(kind, body),
    ending,
    payments:
      deposit === undefined
        ? paymentsOf(kind, id, body, ending)
        : deposit.payments.map((one) => ({ ...one, kind, id })),
    accepted: 0,
    sentAtMs: undefined,
    acceptedAtMs: undefined,
    isDoubtful: false,
    refusal: undefined,
    wrongError: undefined,
  }
}

type Account = {
  readonly accountDetails: { readonly phoneNumber: string; readonly provider: string }
}
type Part = { readonly payoutId: string; readonly amount: string; readonly recipient: Account }
type Request = {
  readonly amount: string
  readonly currency: string
  readonly payer?: Account
  readonly recipient?: Account
  readonly splits?: readonly Part[]
}

/** Terms that no other request has, so that a mix-up cannot go unnoticed. */
function madeUnlike(request: Request, terms: OwnTerms): Request {
  const { payer, recipient, splits } = request
  const { sum, digits } = terms.whole()
  return {
    ...request,
    amount: sum,
    ...(payer === undefined ? {} : { payer: renumbered(payer, digits) }),
    ...(recipient === undefined ? {} : { recipient: renumbered(recipient, digits) }),
    ...(splits === undefined ? {} : { splits: splits.map((part) => unlike(part, terms)) }),
  }
}

function unlike(part: Part, terms: OwnTerms): Part {
  const { sum, digits } = terms.part()
  return { ...part, amount: sum, recipient: renumbered(part.recipient, digits) }
}

/** The first digits say which operator it is, the last three how the payment ends. */
function renumbered(account: Account, digits: string): Account {
  const { phoneNumber, provider } = account.accountDetails
  const own = `${phoneNumber.slice(0, -7)}${digits}${phoneNumber.slice(-3)}`
  return { ...account, accountDetails: { phoneNumber: own, provider } }
}

function paymentsOf(kind: Kind, id: string, request: Request, ending: Ending): readonly Wanted[] {
  const { amount, currency, payer, recipient, splits = [] } = request
  const account = payer ?? recipient
  if (account === undefined) throw new Error(`a ${kind} without an account`)
  const itself = kind === 'splitPayment' ? 'deposit' : kind
  return [
    { kind: itself, id, amount, currency, ...account.accountDetails, ending },
    ...splits.map((part) => ({
      kind: 'payout' as const,
      id: part.payoutId,
      amount: part.amount,
      currency,
      ...part.recipient.accountDetails,
      ending,
    })),
  ]
}

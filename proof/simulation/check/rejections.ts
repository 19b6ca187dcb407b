import { ALL_PLACES, type Body, REDIRECTING_PROVIDER, scriptedStory } from '../world.ts'
import {
  accountOf,
  type Facts,
  type Finding,
  type Request,
  requestsWith,
  type Subject,
  unitsOf,
} from './facts.ts'
import { spareFunds, walletName } from './money.ts'

/**
 * Why a request may be rejected. A reason is valid if it can have been true at some moment between
 * the request and its answer; otherwise the rejection is a finding.
 */
export function checkRejections(facts: Facts): Finding[] {
  const spare = spareFunds(facts)
  const findings: Finding[] = facts.evidence.pages.flatMap(({ merchant, id, status, answer }) => {
    const what = `a payment page was refused with ${status}: ${JSON.stringify(answer)}`
    return status === 201 ? [] : [{ rule: 'rejected', subject: `${merchant}/page/${id}`, what }]
  })
  for (const subject of facts.subjects.values()) {
    for (const request of requestsWith(subject, 'REJECTED')) {
      const { generation, body, code = '' } = request
      const holds = REASONS[generation][code]
      if (holds?.({ subject, request, facts, spare, ...depositOf(subject, body, facts) })) continue
      const what = `was rejected with ${code}: ${JSON.stringify(body)}`
      findings.push({ rule: 'rejected', subject: subject.name, what })
    }
  }
  return findings
}

type Case = {
  readonly subject: Subject
  readonly request: Request
  readonly facts: Facts
  readonly spare: ReadonlyMap<string, bigint>
  /** Only for a refund. */
  readonly deposit?: Subject
  readonly others: readonly Subject[]
}
type Holds = (one: Case) => boolean

function depositOf(
  subject: Subject,
  { depositId }: Body,
  { subjects, find }: Facts,
): Pick<Case, 'deposit' | 'others'> {
  const deposit =
    subject.kind === 'refund' ? find(subject.merchant, 'deposit', depositId) : undefined
  if (deposit === undefined) return { others: [] }
  const others = [...subjects.values()].filter(
    (one) =>
      one !== subject &&
      one.kind === 'refund' &&
      find(one.merchant, 'deposit', one.record?.depositId) === deposit,
  )
  return { deposit, others }
}

/** Nodes cache what they know about a merchant, and learn of changes a little later. */
const KNOWN_WITHIN_MS = 5000

/** A deposit needs the operator now; everything else can be queued while it is delayed. */
const CLOSES = { DEPOSIT: ['DELAYED', 'CLOSED'], OTHERS: ['CLOSED'] } as const

const isClosed: Holds = ({ subject, request, facts, deposit }) => {
  const { body } = request
  const parts = (body.splits ?? []) as readonly Body[]
  const [first, ...more] = [deposit?.record ?? body, ...parts].map(
    (one) => accountOf(one)?.provider,
  )
  const operation = subject.kind === 'splitPayment' ? 'DEPOSIT' : subject.kind.toUpperCase()
  return (
    mayBeClosed(facts, subject, request, first, operation) ||
    more.some((provider) => mayBeClosed(facts, subject, request, provider, 'PAYOUT'))
  )
}

function mayBeClosed(
  { evidence }: Facts,
  { merchant }: Subject,
  { answered = 0, at }: Request,
  provider: string | undefined,
  operation: string,
): boolean {
  const closing: readonly string[] = operation === 'DEPOSIT' ? CLOSES.DEPOSIT : CLOSES.OTHERS
  const switches = evidence.switches.filter(
    (one) => one.merchant === merchant && one.provider === provider && one.operation === operation,
  )
  return switches.some(
    (shut) =>
      closing.includes(shut.status) &&
      shut.sent < answered &&
      !switches.some((next) => next.sent > shut.answered && next.until + KNOWN_WITHIN_MS < at),
  )
}

const PAGE_LASTS_SECONDS = 15 * 60

/** A node that knows of a clock jump finds a page expired that another node has just made. */
const isExpired: Holds = ({ request, facts }) => {
  const { isForm, at } = request
  const made = facts.evidence.leaps.filter((leap) => leap.at <= at)
  const known = made.findLast(({ until }) => until + KNOWN_WITHIN_MS < at)
  const ahead = (made.at(-1)?.aheadSeconds ?? 0) - (known?.aheadSeconds ?? 0)
  return isForm === true && ahead >= PAGE_LASTS_SECONDS
}

const isRedirected: Holds = ({ subject, request }) =>
  subject.kind === 'deposit' && accountOf(request.body).provider === REDIRECTING_PROVIDER

/** The earlier generation rejects what the wallet cannot pay; in the current one it fails. */
const isShort: Holds = ({ subject, request, spare, deposit }) => {
  if (subject.kind === 'deposit' || subject.kind === 'splitPayment') return false
  const { provider } = accountOf(deposit?.record ?? request.body)
  const place = ALL_PLACES.find((one) => one.provider === provider)
  const left = spare.get(walletName(subject.merchant, place?.country, place?.currency)) ?? 0n
  return left < unitsOf(request.body.amount ?? deposit?.record?.amount)
}

const isOverspent: Holds = ({ subject, request }) =>
  subject.kind === 'splitPayment' &&
  sumOf(request.body.splits as readonly Body[]) > unitsOf(request.body.amount)

const isDepositUnknown: Holds = ({ subject, request, deposit }) => {
  if (subject.kind !== 'refund') return false
  if (deposit?.record === undefined) return true
  const asked = deposit.owner?.split ?? deposit
  const known = requestsWith(asked, 'ACCEPTED', 'STARTED', 'DUPLICATE_IGNORED')
  return !known.some(({ answered = Number.POSITIVE_INFINITY }) => answered < request.sent)
}

/** Also if the operator has contradicted that the money was collected. */
const isDepositOpen: Holds = ({ request, facts, deposit }) => {
  if (deposit?.record === undefined) return false
  const isOver = facts.endSentAt(deposit) < request.at
  return isContradicted(deposit.record) || deposit.record.status !== 'COMPLETED' || !isOver
}

const isContradicted = (record: Body): boolean =>
  scriptedStory(accountOf(record).phoneNumber)?.contradicts !== undefined

/** Also if the operator contradicts the outcome of the refund. */
const isRefundUnderWay: Holds = ({ request, facts, others }) =>
  others.some((one) => {
    const [first] = one.requests
    const isBegun = first !== undefined && first.sent < (request.answered ?? 0)
    const isDisputed = one.record !== undefined && isContradicted(one.record)
    return isBegun && (isDisputed || facts.endSentAt(one) >= request.at)
  })

const sumOf = (bodies: readonly Body[]): bigint =>
  bodies.reduce((sum, { amount }) => sum + unitsOf(amount), 0n)

/** The least that may have been left of the deposit. */
const leftOf = ({ deposit, others }: Case): bigint => {
  const given = others.flatMap(({ record }) => (record?.status === 'COMPLETED' ? [record] : []))
  return unitsOf(deposit?.record?.amount ?? '0') - sumOf(given)
}

const isRefunded: Holds = (one) => one.deposit !== undefined && leftOf(one) <= 0n

const isTooMuch: Holds = (one) => {
  const { amount } = one.request.body
  return one.deposit !== undefined && amount !== undefined && unitsOf(amount) > leftOf(one)
}

/** Less than the provider's minimum: the amount asked for, or what is left. */
const isTooLittle: Holds = (one) => {
  const { request, deposit } = one
  if (deposit?.record === undefined) return false
  const { provider } = accountOf(deposit.record)
  const least = ALL_PLACES.find((place) => place.provider === provider)?.least ?? 0
  const { amount } = request.body
  return (amount === undefined ? leftOf(one) : unitsOf(amount)) < unitsOf(least)
}

const UNAVAILABLE = 'PROVIDER_TEMPORARILY_UNAVAILABLE'

/** The codes with which a valid request can be rejected. */
const REASONS: Readonly<Record<Request['generation'], Readonly<Record<string, Holds>>>> = {
  v2: {
    [UNAVAILABLE]: isClosed,
    EXPIRED: isExpired,
    PAYOUT_EXCEEDS_DEPOSIT: isOverspent,
    NOT_FOUND: isDepositUnknown,
    INVALID_STATE: isDepositOpen,
    REFUND_IN_PROGRESS: isRefundUnderWay,
    DEPOSIT_ALREADY_REFUNDED: isRefunded,
    AMOUNT_TOO_LARGE: isTooMuch,
    AMOUNT_OUT_OF_BOUNDS: isTooLittle,
  },
  v1: {
    CORRESPONDENT_TEMPORARILY_UNAVAILABLE: isClosed,
    INVALID_CORRESPONDENT: isRedirected,
    BALANCE_INSUFFICIENT: isShort,
    DEPOSIT_NOT_FOUND: isDepositUnknown,
    DEPOSIT_NOT_COMPLETED: isDepositOpen,
    IN_PROGRESS: isRefundUnderWay,
    ALREADY_REFUNDED: isRefunded,
    AMOUNT_TOO_LARGE: isTooMuch,
    AMOUNT_TOO_SMALL: isTooLittle,
  },
}

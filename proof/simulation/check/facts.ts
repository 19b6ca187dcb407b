import { ID_FIELDS } from '../../../harness/random/requests.ts'
import type { Asked, BookOrder, CaseRow, Evidence, PaymentRow } from '../evidence.ts'
import type { Body, Generation, Kind } from '../world.ts'

/** A violation of a rule. The rules are listed in docs/proofs.md. */
export type Finding = { readonly rule: Rule; readonly subject: string; readonly what: string }

export const RULES = {
  answers: 'every answer stays true',
  rejected: 'nothing is rejected without a valid reason',
  answered: 'a client that keeps asking is answered',
  alive: 'every way to pay completes some payments',
  missing: 'nothing that was accepted is missing',
  unasked: 'nothing exists that nobody asked for',
  content: 'a payment is what was asked for',
  status: 'status checks and database agree',
  operator: 'a payment ends as the operator says',
  cases: 'doubt about an outcome is a case, and nothing else is',
  twice: 'the operator got each order at most once',
  parts: 'refunds and split payments add up',
  money: 'balances follow from requests and outcomes',
  complete: 'every final state is delivered and acknowledged',
  order: 'callbacks of a payment come in order',
  same: 'a callback is the record of the status check',
  signed: 'every callback is signed',
} as const
export type Rule = keyof typeof RULES
export type Note = (rule: Rule, what: string) => void

/** The request for one payment, taken out of its call. */
export type Request = Omit<Asked, 'merchant' | 'kind' | 'bodies' | 'status' | 'answer'> & {
  readonly body: Body
  readonly reply: Reply
  readonly created?: string
  /** Why it was rejected. */
  readonly code?: string
}

/**
 * UNKNOWN: the answer was lost. REFUSED: HTTP 4xx. STARTED: the page says so, however often Pay is
 * pressed. INVALID: a status that does not exist.
 */
type Reply =
  | 'ACCEPTED'
  | 'DUPLICATE_IGNORED'
  | 'STARTED'
  | 'REJECTED'
  | 'REFUSED'
  | 'UNKNOWN'
  | 'INVALID'

/** Everything that is known about one identifier of one merchant. */
export type Subject = {
  readonly name: string
  readonly merchant: number
  readonly kind: Kind
  readonly id: string
  readonly requests: Request[]
  /** The split payment it is a part of, and the request for this part. */
  owner?: { readonly split: Subject; readonly body: (split: Body) => Body | undefined }
  record?: Body
  earlier?: Body
  row?: PaymentRow
  readonly splitState?: string
}

/** Why there is doubt: the outcome is unknown, or the operator contradicted itself. */
type Cause = 'UNKNOWN_OUTCOME' | 'CONTRADICTION'

export type Facts = {
  readonly evidence: Evidence
  readonly subjects: ReadonlyMap<string, Subject>
  find(merchant: number, kind: Kind, id: unknown): Subject | undefined
  orderOf(subject: Subject): BookOrder | undefined
  caseOf(subject: Subject, cause: Cause): CaseRow | undefined
  /** When a callback of its final state first arrived, in real milliseconds. */
  endSentAt(subject: Subject): number
}

export const nameOf = (merchant: number, kind: string, id: unknown): string =>
  `${merchant}/${kind}/${String(id).toLowerCase()}`

export function factsOf(evidence: Evidence): Facts {
  const subjects = new Map<string, Subject>()
  const subject = (merchant: number, kind: Kind, id: string): Subject => {
    const name = nameOf(merchant, kind, id)
    const known = subjects.get(name) ?? { name, merchant, kind, id, requests: [] }
    subjects.set(name, known)
    return known
  }
  for (const asked of evidence.asks) {
    for (const [index, body] of asked.bodies.entries()) {
      const one = subject(asked.merchant, asked.kind, String(body[ID_FIELDS[asked.kind]]))
      one.requests.push(requestOf(asked, body, index))
      if (asked.kind === 'splitPayment') nameParts(one, body, subject)
    }
  }
  for (const { merchant, kind, id, current, earlier } of evidence.records) {
    const one = subject(merchant, kind, id)
    if (current !== null) one.record = current
    if (earlier !== null && earlier !== undefined) one.earlier = earlier
  }
  for (const row of evidence.payments) {
    const one = subjects.get(nameOf(row.merchant, row.kind, row.id))
    if (one !== undefined) one.row = row
  }
  const book = new Map(evidence.book.map((one) => [`${one.merchant}/${one.reference}`, one]))
  const cases = new Map(
    evidence.cases.map((one) => [`${nameOf(one.merchant, one.kind, one.id)} ${one.cause}`, one]),
  )
  const ends = endsIn(evidence)
  return {
    evidence,
    subjects,
    endSentAt: ({ name }) => ends.get(name) ?? Number.POSITIVE_INFINITY,
    find: (merchant, kind, id) => subjects.get(nameOf(merchant, kind, id)),
    orderOf: ({ merchant, row }) => book.get(`${merchant}/${row?.reference}`),
    caseOf: ({ name }, cause) => cases.get(`${name} ${cause}`),
  }
}

function endsIn({ callbacks }: Evidence): ReadonlyMap<string, number> {
  const ends = new Map<string, number>()
  for (const { merchant, kind, body, at } of callbacks) {
    const record = parsed(body)
    const name = nameOf(merchant, kind, record[ID_FIELDS[kind as Kind]])
    if (isFinal(record) && !ends.has(name)) ends.set(name, at)
  }
  return ends
}

function nameParts(
  split: Subject,
  asked: Body,
  subject: (merchant: number, kind: Kind, id: string) => Subject,
): void {
  const { merchant, id } = split
  subject(merchant, 'deposit', id).owner ??= {
    split,
    body: (body) => ({ ...body, depositId: body.splitPaymentId }),
  }
  for (const { payoutId } of asked.splits as readonly Body[]) {
    const isIt = (part: Body): boolean => part.payoutId === payoutId
    subject(merchant, 'payout', String(payoutId)).owner ??= {
      split,
      body: ({ splits, customerMessage }) => {
        const part = (splits as readonly Body[]).find(isIt)
        return part && { ...part, ...(customerMessage === undefined ? {} : { customerMessage }) }
      },
    }
  }
}

function requestOf(asked: Asked, body: Body, index: number): Request {
  const { sent, answered, at, generation, status, isBulk, isForm, gaveUp, answer } = asked
  const common = {
    ...{ sent, at, generation, isBulk, body },
    ...(answered === undefined ? {} : { answered }),
    ...(isForm === undefined ? {} : { isForm }),
    ...(gaveUp === undefined ? {} : { gaveUp }),
  }
  if (status === undefined) return { ...common, reply: 'UNKNOWN' }
  if (isForm === true && status === 303) return { ...common, reply: 'STARTED' }
  if (isForm === true) return { ...common, reply: 'REJECTED', code: PAGE_CODES[status] ?? '' }
  if (status >= 400 && status < 500) return { ...common, reply: 'REFUSED' }
  const own = (isBulk ? (answer as Body[] | undefined)?.[index] : answer) as Body | undefined
  const { status: word, created } = own ?? {}
  const reply = WORDS[String(word)] ?? 'INVALID'
  if (reply === 'REJECTED') return { ...common, reply, code: codeIn(own) }
  return { ...common, reply, ...(created === undefined ? {} : { created: String(created) }) }
}

/** Why a page refuses a valid form, as a rejection code: provider closed, or page expired. */
const PAGE_CODES: Readonly<Record<number, string>> = {
  200: 'PROVIDER_TEMPORARILY_UNAVAILABLE',
  422: 'PROVIDER_TEMPORARILY_UNAVAILABLE',
  410: 'EXPIRED',
}

function codeIn(answer: Body | undefined): string {
  const { failureReason, rejectionReason } = (answer ?? {}) as Record<string, Body | undefined>
  return String(failureReason?.failureCode ?? rejectionReason?.rejectionCode)
}

/** A queued payment is accepted, too; the earlier generation answers ENQUEUED. */
const WORDS: Readonly<Record<string, Reply>> = {
  ACCEPTED: 'ACCEPTED',
  ENQUEUED: 'ACCEPTED',
  DUPLICATE_IGNORED: 'DUPLICATE_IGNORED',
  REJECTED: 'REJECTED',
}

export const requestsWith = (
  { requests }: Subject,
  ...words: readonly Reply[]
): readonly Request[] => requests.filter(({ reply }) => words.includes(reply))

/** The requests that can have caused the payment: one, unless answers were lost. */
export function causesOf(subject: Subject): readonly Pick<Request, 'body' | 'generation'>[] {
  const { owner } = subject
  if (owner !== undefined) {
    return causesOf(owner.split).flatMap(({ body, generation }) => {
      const own = owner.body(body)
      return own === undefined ? [] : [{ body: own, generation }]
    })
  }
  const accepted = requestsWith(subject, 'ACCEPTED', 'STARTED')
  return accepted.length > 0 ? accepted : requestsWith(subject, 'UNKNOWN')
}

export const generationsFor = (subject: Subject): ReadonlySet<Generation> =>
  new Set(causesOf(subject).map(({ generation }) => generation))

const FINAL = ['COMPLETED', 'FAILED', 'PAYOUT_FAILED']
export const isFinal = (record: Body | undefined): boolean => FINAL.includes(`${record?.status}`)

export function failureCodeOf(record: Body | undefined): string | undefined {
  return (record?.failureReason as { failureCode: string } | undefined)?.failureCode
}

export function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {}
  }
}

export function accountOf(body: Body): { phoneNumber: string; provider: string } {
  const account = (body.payer ?? body.recipient) as Body | undefined
  return account?.accountDetails as { phoneNumber: string; provider: string }
}

/** Amounts in ten-thousandths, as integers. */
export function unitsOf(amount: unknown): bigint {
  const text = String(amount)
  const [whole = '', part = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + part.padEnd(4, '0').slice(0, 4))
  return text.startsWith('-') ? -units : units
}

import { endingsOf } from '../../../harness/random/world.ts'
import type { BookOrder } from '../evidence.ts'
import { type Body, type Kind, scriptedStory } from '../world.ts'
import {
  accountOf,
  type Facts,
  type Finding,
  failureCodeOf,
  isFinal,
  type Subject,
  unitsOf,
} from './facts.ts'

/**
 * COMPLETED, a failure code, or OPEN if the operator has not decided. It follows from the number
 * and its script, and from nothing that the service stored.
 */
export function outcomeOf({ operation, phoneNumber }: BookOrder): string {
  const kind = operation.toLowerCase() as Kind
  const ending = scriptedStory(phoneNumber)?.ends ?? endingsOf(phoneNumber, kind)[0]
  return ending === 'PROCESSING' ? 'OPEN' : (ending ?? 'COMPLETED')
}

/** Failures that happen before the payment is sent to the operator. */
const NEVER_SENT = ['PAWAPAY_WALLET_OUT_OF_FUNDS', 'MANUALLY_CANCELLED']

/** Compares the operator's own records with the outcomes that the service shows. */
export function checkOperator(facts: Facts): Finding[] {
  const findings: Finding[] = [...checkBook(facts), ...checkCounts(facts)]
  for (const subject of facts.subjects.values()) {
    const { record, kind, name } = subject
    if (record === undefined || kind === 'splitPayment') continue
    const order = facts.orderOf(subject)
    const waits = order === undefined && waitsForDeposit(subject, facts)
    const what = waits ? wrongWait(subject) : wrongEnd(subject, order)
    if (what !== undefined) findings.push({ rule: 'operator', subject: name, what })
  }
  return findings
}

/** A payout of a split payment is sent once the deposit is COMPLETED. */
function waitsForDeposit({ kind, merchant, owner }: Subject, facts: Facts): boolean {
  if (kind !== 'payout' || owner === undefined) return false
  return facts.find(merchant, 'deposit', owner.split.id)?.record?.status !== 'COMPLETED'
}

const wrongWait = ({ record = {} }: Subject): string | undefined =>
  record.status === 'ACCEPTED' ? undefined : `is ${record.status}, but its deposit is not COMPLETED`

function wrongEnd({ record = {} }: Subject, order: BookOrder | undefined): string | undefined {
  const code = failureCodeOf(record)
  const shown = code ?? String(record.status)
  if (code !== undefined && NEVER_SENT.includes(code)) {
    return order === undefined ? undefined : `failed with ${code}, but the operator has the order`
  }
  if (order === undefined) return `is ${shown}, but the operator never got an order`
  const outcome = outcomeOf(order)
  if (outcome === 'OPEN') {
    return isFinal(record) ? `is ${shown}, but the operator has not decided` : undefined
  }
  return shown === outcome ? undefined : `is ${shown}, but the operator says ${outcome}`
}

/** Every order belongs to one payment and was sent once. */
function checkBook({ evidence, subjects }: Facts): Finding[] {
  const owners = new Map<string, Subject[]>()
  for (const subject of subjects.values()) {
    const { merchant, row } = subject
    if (row === undefined || row.reference === null) continue
    const name = `${merchant}/${row.reference}`
    owners.set(name, [...(owners.get(name) ?? []), subject])
  }
  return evidence.book.flatMap((order): Finding[] => {
    const { merchant, reference, asked } = order
    const found: Finding[] = []
    const subject = `${merchant}/order/${reference}`
    if (asked !== 1) found.push({ rule: 'twice', subject, what: `was sent ${asked} times` })
    const mine = owners.get(`${merchant}/${reference}`) ?? []
    if (mine.length !== 1) {
      found.push({ rule: 'twice', subject, what: `belongs to ${mine.length} payments` })
    }
    for (const { record, name } of mine) {
      if (record === undefined) continue
      const [shown, ordered] = [termsOf({ ...record, ...accountOf(record) }), termsOf(order)]
      if (shown !== ordered) {
        const what = `is ${shown}, but the operator has ${ordered}`
        found.push({ rule: 'operator', subject: name, what })
      }
    }
    return found
  })
}

type Terms = Pick<BookOrder, 'provider' | 'phoneNumber'> & Body

const termsOf = ({ amount, currency, provider, phoneNumber }: Terms): string =>
  `${unitsOf(amount)} ${currency} with ${provider} ${phoneNumber}`

/**
 * The same without any identifier from the service: for each amount, number and provider there are
 * no more orders than payments. Numbers are used once, so this compares nearly one by one.
 */
function checkCounts({ evidence, subjects }: Facts): Finding[] {
  const payments = new Map<string, number>()
  const count = (map: Map<string, number>, name: string): void => {
    map.set(name, (map.get(name) ?? 0) + 1)
  }
  for (const { merchant, kind, record } of subjects.values()) {
    if (record === undefined || kind === 'splitPayment') continue
    count(payments, looksOf(merchant, kind, { ...record, ...accountOf(record) }))
  }
  const orders = new Map<string, number>()
  for (const one of evidence.book) {
    count(orders, looksOf(one.merchant, one.operation, one))
  }
  return [...orders].flatMap(([subject, count]): Finding[] => {
    const wanted = payments.get(subject) ?? 0
    const what = `the operator has ${count} such orders, but there are ${wanted} such payments`
    return count > wanted ? [{ rule: 'twice', subject, what }] : []
  })
}

const looksOf = (merchant: number, operation: string, terms: Terms): string =>
  `${merchant} ${operation.toUpperCase()} ${termsOf(terms)}`

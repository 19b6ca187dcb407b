import type { PaymentFailureCode } from '../../domain/failure.ts'
import { endOf, type Story, transactionIdOf } from '../../domain/sandbox/stories.ts'
import { storyAfter } from '../../providers/sandbox/approval.ts'
import type { PhoneOrder } from '../../store/sandbox/phones.ts'
import { approvalOf } from './approval.ts'

/** An order as the wallet of the customer shows it; it follows from the operator's book. */
export type PhoneEntry = {
  readonly id: string
  /** When it ended, or came. */
  readonly at: number
  readonly operation: PhoneOrder['operation']
  readonly state: EntryState
  readonly amount: string
  readonly currency: string
  readonly company: string
  /** As its customers know it. */
  readonly provider: string
  readonly transactionId: string
  /** With FAILED. */
  readonly failureCode?: PaymentFailureCode
}

/** ASKS waits for the customer in the app of the wallet; OPEN has no end yet. */
type EntryState = 'ASKS' | 'OPEN' | 'DONE' | 'FAILED'

export function entryOf(
  order: PhoneOrder,
  names: Pick<PhoneEntry, 'company' | 'provider'>,
  now: number,
): PhoneEntry[] {
  // Nothing is kept for a number that was never taken.
  if (order.story === null) return []
  const { reference: id, operation, amount, currency } = order
  const transactionId = transactionIdOf(id)
  const facts = { id, operation, amount, currency, ...names, transactionId }
  return [{ ...facts, ...stateOf(order, now) }]
}

function stateOf(order: PhoneOrder, now: number): Pick<PhoneEntry, 'at' | 'state' | 'failureCode'> {
  const approval = approvalOf(order)
  const story = order.story as Story
  const open = { at: order.receivedMs, state: 'OPEN' } as const
  if (approval !== undefined && approval.verdict === undefined) {
    const asks = approval.askedOn === 'PAGE' && approval.expiresAt > now
    return asks ? { ...open, state: 'ASKS' } : open
  }
  const end = endOf(approval?.verdict === undefined ? story : storyAfter(approval.verdict, story))
  const at = (approval?.decidedAt ?? order.receivedMs) + (end?.afterMs ?? 0)
  if (end === undefined || at > now) return open
  if (end.answer.says === 'done') return { at, state: 'DONE' }
  return { at, state: 'FAILED', failureCode: end.answer.code }
}

type Message = { readonly at: number; readonly text: string }

type Language = 'en' | 'fr'
type WriteMoney = (amount: string, currency: string, lang: Language) => string

/** As in the API; a page writes amounts as on its other screens. */
const plainMoney: WriteMoney = (amount, currency) => `${currency} ${amount}`

/** The receipts that an operator sends; none for payments that the customer never saw. */
export const messagesOf = (
  entries: readonly PhoneEntry[],
  lang: Language,
  write: WriteMoney = plainMoney,
): Message[] =>
  entries.flatMap((entry) => {
    const text = RECEIPTS[lang](entry, write(entry.amount, entry.currency, lang))
    return text === undefined ? [] : [{ at: entry.at, text }]
  })

/** The one failure that the phone itself explains: what it waits for may be off the screen. */
const isKeptAway = ({ failureCode }: PhoneEntry): boolean => failureCode === 'PAYMENT_IN_PROGRESS'

const RECEIPTS = { en: inEnglish, fr: inFrench } as const

function inEnglish(entry: PhoneEntry, money: string) {
  const { state, operation, company, transactionId } = entry
  const receipt = `Transaction ${transactionId}.`
  const isDeposit = operation === 'DEPOSIT'
  if (state === 'FAILED' && isDeposit) {
    const why = isKeptAway(entry) ? ': another payment waits on this phone' : ''
    return `Your payment of ${money} to ${company} was not made${why}.`
  }
  if (state !== 'DONE') return undefined
  if (isDeposit) return `You paid ${money} to ${company}. ${receipt}`
  return operation === 'REFUND'
    ? `You got ${money} back from ${company}. ${receipt}`
    : `You received ${money} from ${company}. ${receipt}`
}

function inFrench(entry: PhoneEntry, money: string) {
  const { state, operation, company, transactionId } = entry
  const receipt = `Transaction ${transactionId}.`
  const isDeposit = operation === 'DEPOSIT'
  if (state === 'FAILED' && isDeposit) {
    const why = isKeptAway(entry) ? '\u00a0: un autre paiement attend sur ce téléphone' : ''
    return `Votre paiement de ${money} à ${company} n’a pas été effectué${why}.`
  }
  if (state !== 'DONE') return undefined
  if (isDeposit) return `Vous avez payé ${money} à ${company}. ${receipt}`
  return operation === 'REFUND'
    ? `${company} vous a remboursé ${money}. ${receipt}`
    : `Vous avez reçu ${money} de ${company}. ${receipt}`
}

import { isSameSum } from '../../domain/amount.ts'
import { present } from '../../domain/present.ts'
import type { Outcome, ProviderOrder } from '../connector.ts'
import { ended, ourFault, puzzled } from '../wire-kit.ts'
import { type Report, reportIn } from './callbacks.ts'
import { isToBeRepeated, resultMeaning, STATUS_WORDS } from './codes.ts'
import { partyMark } from './crypto.ts'

/**
 * What callbacks have reported about an order that cannot be looked up. They count if the reference, the
 * amount and the party are ours; undefined where they leave it open.
 */
export function weigh(order: ProviderOrder, reference: string): Outcome | undefined {
  const { ids = {} } = order
  const result = reportIn(ids, 'result')
  const status = reportIn(ids, 'status')
  return (
    (result && weighResult(order, reference, result)) ??
    (status && weighStatus(order, reference, status))
  )
}

function weighResult(order: ProviderOrder, reference: string, report: Report): Outcome | undefined {
  const { operation } = order
  const { code } = report
  if (code === '0') return isOurs(order, reference, report) ? done(order, report) : undefined
  // A question about an order that fails looks the same as an order that does.
  if (!isNamed(order, reference, report)) return undefined
  // A reversal has no reference of ours that would rule out a second one.
  if (isToBeRepeated(code, operation)) {
    return order.ids?.by === 'reversal' ? undefined : ourFault(code)
  }
  const meaning = resultMeaning(code, operation)
  return meaning === 'UNKNOWN' || meaning === 'PENDING' ? undefined : ended(meaning, code)
}

function weighStatus(order: ProviderOrder, reference: string, report: Report): Outcome | undefined {
  const { code: word } = report
  switch (Object.hasOwn(STATUS_WORDS, word) ? STATUS_WORDS[word] : undefined) {
    case 'DONE':
      return isOurs(order, reference, report) ? done(order, report) : undefined
    case 'FAILED':
      return isNamed(order, reference, report) ? ended('UNSPECIFIED_FAILURE', word) : undefined
    case 'PENDING':
      return undefined
    default:
      return puzzled(word)
  }
}

/**
 * It names the order as the operator did when it took it, and as we did. The name of a prompt is the
 * operator's alone; where its answer was lost, ours is all there is.
 */
function isNamed({ ids = {} }: ProviderOrder, reference: string, report: Report): boolean {
  if (ids.checkoutRequestId !== undefined) return report.theirs === ids.checkoutRequestId
  if (ids.conversationId !== undefined && report.theirs !== ids.conversationId) return false
  return [reference, ids.originatorConversationId].includes(report.ours)
}

/** Where the answer to the order was lost, the address it came to, the amount and the party do. */
function isOurs(order: ProviderOrder, reference: string, report: Report): boolean {
  if (isNamed(order, reference, report)) return true
  const { ids = {}, amount, phoneNumber } = order
  const isUnnamed = ids.checkoutRequestId === undefined && ids.conversationId === undefined
  return isUnnamed && isSameSum(report.amount, amount) && report.party === partyMark(phoneNumber)
}

/** Another amount is for the core to notice. */
function done({ phoneNumber }: ProviderOrder, { receipt, amount, party }: Report): Outcome {
  if (party !== '' && party !== partyMark(phoneNumber)) {
    return { kind: 'PENDING', alert: 'the operator names another party than was asked for' }
  }
  return {
    kind: 'DONE',
    ...present({ transactionId: receipt || undefined, amount: amount || undefined }),
  }
}

import { AMOUNT_PATTERN } from '../amount.ts'
import type { FailureCode } from '../failure.ts'
import {
  isReceiptText,
  METADATA,
  PAGE_REASON_MAX,
  RECEIPT_TEXT,
  REFERENCE_MAX,
} from '../payments/request-limits.ts'
import { EXPIRES_AFTER_MINUTES } from './checkout.ts'

/** A payment page or a checkout, as a person asks for it. */
export const LINK_KINDS = ['PAGE', 'CHECKOUT'] as const
type LinkKind = (typeof LINK_KINDS)[number]

/** Empty texts say nothing. */
export type LinkForm = {
  readonly kind: LinkKind
  readonly amount: string
  /** Country and currency, such as ZMB-ZMW. */
  readonly place: string
  readonly reason: string
  readonly reference: string
  readonly metadataName: string
  readonly metadataValue: string
  /** Minutes; a payment page has a life of its own. */
  readonly expiresAfter: string
  readonly returnUrl: string
}

export type LinkProblem = {
  readonly field: Exclude<keyof LinkForm, 'kind'>
  readonly rule: LinkRule
  readonly values?: Readonly<Record<string, string | number>>
}

type LinkRule =
  | 'AMOUNT_FORM'
  | 'AMOUNT_DECIMALS'
  | 'AMOUNT_WHOLE'
  | 'PLACE_MISSING'
  | 'PLACE_UNKNOWN'
  | 'REASON_LONG'
  | 'REASON_FORM'
  | 'REFERENCE_LONG'
  | 'METADATA_FORM'
  | 'EXPIRY'
  | 'RETURN_URL'
  | 'REFUSED_AMOUNT'
  | 'REFUSED'

/** What is wrong before the rules of providers are asked. */
export function formProblems(
  form: LinkForm,
  places: readonly string[],
  isPlaceNeeded: boolean,
): readonly LinkProblem[] {
  const found: LinkProblem[] = []
  if (form.amount !== '' && !new RegExp(AMOUNT_PATTERN).test(form.amount)) {
    found.push({ field: 'amount', rule: 'AMOUNT_FORM' })
  }
  if (form.place === '' && (form.amount !== '' || isPlaceNeeded)) {
    found.push({ field: 'place', rule: 'PLACE_MISSING' })
  }
  if (form.place !== '' && !places.includes(form.place)) {
    found.push({ field: 'place', rule: 'PLACE_UNKNOWN' })
  }
  return [...found, ...textProblems(form), ...expiryProblems(form)]
}

function textProblems({ kind, reason, reference, ...form }: LinkForm): LinkProblem[] {
  const found: LinkProblem[] = []
  if (kind === 'PAGE' && [...reason].length > PAGE_REASON_MAX) {
    found.push({ field: 'reason', rule: 'REASON_LONG', values: { max: PAGE_REASON_MAX } })
  }
  // The customer may see that of a checkout on the receipt.
  if (kind === 'CHECKOUT' && reason !== '' && !isReceiptText(reason)) {
    const { min, max } = RECEIPT_TEXT
    found.push({ field: 'reason', rule: 'REASON_FORM', values: { min, max } })
  }
  if ([...reference].length > REFERENCE_MAX) {
    found.push({ field: 'reference', rule: 'REFERENCE_LONG', values: { max: REFERENCE_MAX } })
  }
  const { nameMax, valueMax } = METADATA
  const [name, value] = [[...form.metadataName].length, [...form.metadataValue].length]
  if ((name === 0) !== (value === 0) || name > nameMax || value > valueMax) {
    found.push({ field: 'metadataName', rule: 'METADATA_FORM', values: { nameMax, valueMax } })
  }
  return found
}

function expiryProblems({ kind, expiresAfter }: LinkForm): LinkProblem[] {
  if (kind === 'PAGE' || expiresAfter === '') return []
  const { least, most } = EXPIRES_AFTER_MINUTES
  const minutes = /^\d{1,3}$/.test(expiresAfter) ? Number(expiresAfter) : 0
  if (minutes >= least && minutes <= most) return []
  return [{ field: 'expiresAfter', rule: 'EXPIRY', values: { least, most } }]
}

/** To which field a refusal of the rules belongs. */
export const refusedField = (code: FailureCode): 'amount' | 'place' =>
  code === 'AMOUNT_OUT_OF_BOUNDS' || code === 'INVALID_AMOUNT' ? 'amount' : 'place'

import type { OperationLimits, Provider } from '../../domain/provider.ts'
import { PAYMENT_NOT_APPROVED, type Story } from '../../domain/sandbox/stories.ts'

/**
 * How the simulated operator asks a customer. A question waits for its answer for a limited time;
 * the first verdict counts, wherever it comes from.
 */
export type AskedOn = 'PHONE' | 'PAGE'
export type Verdict = 'APPROVED' | 'DECLINED' | 'EXPIRED'

/** A phone in the sandbox that a person has set up. */
export type PhoneSetting = { readonly mode: PhoneMode; readonly story?: Story }
export const PHONE_MODES = ['auto', 'interactive'] as const
export type PhoneMode = (typeof PHONE_MODES)[number]

export type Approval = {
  readonly askedOn: AskedOn
  readonly shownAt: number | undefined
  readonly expiresAt: number
  readonly verdict: Verdict | undefined
  readonly decidedAt: number | undefined
}

const SECOND = 1000

/** How long the customer has to answer; afterwards the payment is not approved. */
export const WAITS_MS: Readonly<Record<AskedOn, number>> = {
  PHONE: 180 * SECOND,
  PAGE: 900 * SECOND,
}
/** A prompt that can be called back leaves the screen after this time, as on the street. */
export const ON_SCREEN_MS = 60 * SECOND
export const CODE_LIVES_MS = 900 * SECOND

/** Any other PIN and code is right, unless the phone decides which codes are. */
export const WRONG_PIN = '0000'
export const WRONG_CODE = '000000'
export const PIN_TRIES = 3

/** Whether a prompt can be seen and answered at this moment. */
export function isOnScreen(approval: Approval, isRevivable: boolean, now: number): boolean {
  const { shownAt, expiresAt, verdict } = approval
  if (verdict !== undefined || shownAt === undefined || expiresAt <= now) return false
  return !isRevivable || now < shownAt + ON_SCREEN_MS
}

/** What the operator says of an order once the customer has answered, counted from the answer. */
export const storyAfter = (verdict: Verdict, story: Story): Story =>
  verdict === 'APPROVED' ? story : PAYMENT_NOT_APPROVED

/** The terms of a deposit in a currency: how it is approved, and what is dialled for it. */
export function depositTerms(
  provider: Provider | undefined,
  currency: string,
): OperationLimits | undefined {
  return provider?.currencies.find((one) => one.currency === currency)?.operations.DEPOSIT
}

/** The codes that lead to a waiting prompt or make a one-time code; none where nothing is dialled. */
export function dialledFor(terms: OperationLimits | undefined): readonly string[] {
  const channels = terms?.instructions?.channels ?? []
  return channels.flatMap(({ variables, quickLink }) =>
    [variables.shortCode, quickLink].filter((code) => code !== undefined),
  )
}

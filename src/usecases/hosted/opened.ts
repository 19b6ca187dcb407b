import type { FormRefusal, PayForm } from './form.ts'

/**
 * What a link led to when it was opened. A request opens its link once and goes on from that one
 * reading. It may be out of date when Pay or Cancel is carried out: the statements that do so
 * decide, and of two at once one finds the link no longer open.
 */
export type Opened<View> = {
  readonly view: View
  pay(form: PayForm): Promise<PayResult>
  /** The customer does not want to pay; nothing happens while a payment runs, or after the end. */
  cancel(): Promise<void>
  /** The provider that a number most likely belongs to; a suggestion, never a choice. */
  predict(form: Pick<PayForm, 'country' | 'phoneNumber'>): string | undefined
  /** The provider that the customer has to be asked about before Pay; see `providerInQuestion`. */
  question(form: PayForm): string | undefined
  /** Resolves when there is something else to show than `view`, at the latest after `ms`. */
  waitForChange(ms: number): Promise<void>
}

/** What came of Pay. Everything but REFUSED leads back to the page, which shows what is. */
export type PayResult =
  | { readonly status: 'NOT_OPEN' | 'UNKNOWN' }
  /** With the proof for `openCheckout`, where the customer may try again. */
  | { readonly status: 'STARTED'; readonly payer?: string }
  | {
      readonly status: 'REFUSED'
      readonly refusals: readonly FormRefusal[]
      readonly predicted?: string
    }

/** A link that leads nowhere. */
export const UNKNOWN_LINK = {
  view: { screen: 'UNKNOWN' },
  pay: async () => ({ status: 'UNKNOWN' }),
  cancel: async () => {},
  predict: () => undefined,
  question: () => undefined,
  waitForChange: async () => {},
} as const satisfies Opened<{ readonly screen: 'UNKNOWN' }>

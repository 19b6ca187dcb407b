/** What texts of a payment may be, for programs and for people who type them. */

/** On a receipt: letters without accents, digits and spaces. */
export const RECEIPT_TEXT = { min: 4, max: 22, pattern: '^[a-zA-Z0-9 ]+$' } as const

export const REFERENCE_MAX = 100

export const METADATA = { entriesMax: 10, nameMax: 64, valueMax: 512 } as const

/** What a payment page says is paid for. */
export const PAGE_REASON_MAX = 50

export const isReceiptText = (text: string): boolean =>
  text.length >= RECEIPT_TEXT.min &&
  text.length <= RECEIPT_TEXT.max &&
  new RegExp(RECEIPT_TEXT.pattern).test(text)

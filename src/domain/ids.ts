/**
 * A payment has two names. `PaymentId` is the merchant's, unique for one merchant and kind only;
 * `PaymentKey` is ours, unique everywhere and ordered by time, by which ledger, events and callbacks
 * know the payment. The brands keep one from being used for the other.
 */
declare const brand: unique symbol
type Branded<Base, Name> = Base & { readonly [brand]: Name }

export type MerchantId = Branded<number, 'MerchantId'>
export type PaymentId = Branded<string, 'PaymentId'>
export type PaymentKey = Branded<string, 'PaymentKey'>
export type NodeId = Branded<number, 'NodeId'>

/** No node holds the row: anyone may claim it when it is due. */
export const UNHELD = 0 as NodeId

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Any UUID text names a payment in a path; identifiers are compared without regard to case. */
export function parsePaymentId(text: string): PaymentId | undefined {
  return UUID.test(text) ? (text.toLowerCase() as PaymentId) : undefined
}

const chosenUuid = (version: string): string =>
  `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-${version}[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`

/** Identifiers that merchants choose. Version 4 is the rule; a merchant may be allowed every one. */
export const UUID_V4_PATTERN = chosenUuid('4')
export const ANY_UUID_PATTERN = chosenUuid('[1-8]')

/** A UUID of version 7: 48 bits of milliseconds, then chance. `random` holds ten bytes or more. */
export function paymentKeyFrom(nowMs: number, random: Uint8Array): PaymentKey {
  const time = nowMs.toString(16).padStart(12, '0')
  let tail = ''
  for (let index = 0; index < 10; index += 1) {
    let byte = random[index] ?? 0
    if (index === 0) byte = (byte & 0x0f) | 0x70
    if (index === 2) byte = (byte & 0x3f) | 0x80
    tail += HEX[byte]
  }
  return `${time.slice(0, 8)}-${time.slice(8)}-${tail.slice(0, 4)}-${tail.slice(4, 8)}-${tail.slice(8)}` as PaymentKey
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

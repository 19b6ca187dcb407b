/**
 * A reference short enough to read out on the phone: ten letters and digits in two groups. It is
 * made of the first bits of a payment's key, which say when the payment was accepted, and eight bits
 * of chance, so a payment is found by it without an index.
 */
import type { PaymentKey } from '../ids.ts'

/** Without I, L, O and U, which are taken for others. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 10
const CHANCE_BITS = 8n

export function shortReference(key: PaymentKey): string {
  const digits = key.replaceAll('-', '')
  const time = BigInt(`0x${digits.slice(0, 12)}`)
  const chance = BigInt(`0x${digits.slice(-2)}`)
  let value = (time << CHANCE_BITS) | chance
  let text = ''
  for (let at = 0; at < LENGTH; at += 1) {
    text = (LETTERS[Number(value & 31n)] ?? '') + text
    value >>= 5n
  }
  return `${text.slice(0, 5)}-${text.slice(5)}`
}

type ReferenceParts = {
  readonly ms: number
  /** The last two digits of the key. */
  readonly tail: string
}

/** Undefined where the text is no such reference. People mix up letters that look alike. */
export function readShortReference(text: string): ReferenceParts | undefined {
  const plain = text
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  if (!/^[0-9A-HJKMNP-TV-Z]{10}$/.test(plain)) return undefined
  const value = [...plain].reduce((sum, letter) => sum * 32n + BigInt(LETTERS.indexOf(letter)), 0n)
  const tail = (value & 255n).toString(16).padStart(2, '0')
  return { ms: Number(value >> CHANCE_BITS), tail }
}

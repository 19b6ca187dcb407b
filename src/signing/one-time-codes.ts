/** Codes of an authenticator (RFC 6238): six digits, a new one every 30 seconds. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const STEP_MS = 30_000
const DIGITS = 6
/** Clocks of phones are off by a little: the code before and the one after are taken too. */
const STEPS_OFF = 1

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new key, as authenticators take it: base32. */
export const newCodeKey = (): string =>
  [...randomBytes(32)].map((byte) => LETTERS[byte % 32]).join('')

/** The address in the QR code that an authenticator reads. */
export function codeKeyUrl(key: string, email: string): string {
  const label = encodeURIComponent(`Malipo:${email}`)
  return `otpauth://totp/${label}?secret=${key}&issuer=Malipo&digits=${DIGITS}&period=30`
}

/** The step that a code belongs to; undefined where it is wrong, or as old as `afterStep`. */
export function stepOfCode(
  key: string,
  code: string,
  nowMs: number,
  afterStep = 0,
): number | undefined {
  const given = Buffer.from(code.replace(/\s/g, ''))
  const now = Math.floor(nowMs / STEP_MS)
  for (let step = now - STEPS_OFF; step <= now + STEPS_OFF; step += 1) {
    const expected = Buffer.from(codeAt(key, step))
    const isSame = given.length === expected.length && timingSafeEqual(given, expected)
    if (isSame && step > afterStep) return step
  }
  return undefined
}

export function codeAt(key: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', base32(key)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

function base32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => Math.max(0, LETTERS.indexOf(letter)).toString(2).padStart(5, '0'))
    .join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

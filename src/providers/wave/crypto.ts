/** How Wave signs its webhooks, and wants requests signed: the time directly before the raw body. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** `t=<seconds>,v1=<signature>`; a request without a body is signed with an empty one. */
export function signatureHeader(secret: string, nowMs: number, body: string): string {
  const time = String(Math.floor(nowMs / 1000))
  return `t=${time},v1=${signatureOf(secret, time, body)}`
}

/** While a secret is replaced, Wave signs with both: one that fits is enough. */
export function isSignedWith(secret: string, header: string, raw: Buffer): boolean {
  const parts = header.split(',').map((part) => part.trim())
  const time = parts.find((part) => part.startsWith('t='))?.slice(2)
  if (time === undefined) return false
  const expected = signatureOf(secret, time, raw)
  return parts
    .filter((part) => part.startsWith('v1='))
    .some((part) => isSameText(part.slice(3), expected))
}

/** In a time that reveals nothing about where they differ. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const signatureOf = (secret: string, time: string, body: string | Buffer): string =>
  createHmac('sha256', secret).update(time).update(body).digest('hex')

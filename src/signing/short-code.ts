/**
 * Short texts for links: letters and digits only, 131 bits of a keyed hash. They can be made again
 * from their subject by any node that has the secret, so a database need not hold them to show them.
 */
import { createHmac } from 'node:crypto'
import { keyFor } from './keys.ts'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = BigInt(LETTERS.length)
const LENGTH = 22

/** `purpose` keeps the codes of one use from being those of another. */
export function createShortCodes(secret: string, purpose: string): (subject: string) => string {
  const key = keyFor(secret, purpose)
  return (subject) => {
    let rest = BigInt(`0x${createHmac('sha256', key).update(subject).digest('hex')}`)
    let code = ''
    for (let at = 0; at < LENGTH; at += 1) {
      code += LETTERS[Number(rest % BASE)]
      rest /= BASE
    }
    return code
  }
}

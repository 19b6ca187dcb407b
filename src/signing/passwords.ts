/**
 * Passwords are stored as scrypt hashes, which take 128 MB of memory each: guessing on many
 * processors at once is dear. Few are made at a time, so that sign-ins cannot fill the memory.
 */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

type Cost = { readonly log2N: number; readonly r: number; readonly p: number }

const COST: Cost = { log2N: 17, r: 8, p: 1 }
const BYTES = 32
const AT_ONCE = 2
/** The next ones would wait longer than people do. */
const WAITING_MAX = 50

/** So many passwords wait to be hashed that another one is not taken. */
export class TooManyPasswords extends Error {}

export async function hashPassword(password: string, cost: Cost = COST): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  const { log2N, r, p } = cost
  return ['scrypt', log2N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Takes as long for people who do not exist: give `undefined` for them. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, log2N = '', r = '', p = '', salt = '', key = ''] = (stored ?? NOBODY).split('$')
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) }
  const expected = Buffer.from(key, 'base64url')
  const given = await derive(password, Buffer.from(salt, 'base64url'), cost)
  return timingSafeEqual(given, expected) && stored !== undefined
}

const NOBODY = `scrypt$${COST.log2N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`

let running = 0
const waiting: (() => void)[] = []

async function derive(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING_MAX) throw new TooManyPasswords()
    // One that ends passes its place on, so that none slips in between.
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  try {
    const N = 2 ** log2N
    const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r }
    return await new Promise((resolve, reject) => {
      scrypt(password.normalize('NFC'), salt, BYTES, options, (error, key) =>
        error === null ? resolve(key) : reject(error),
      )
    })
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

/** What several operators have in common on the wire: forms of references, numbers and amounts. */
import { type PaymentFailureCode, paymentFailure } from '../domain/failure.ts'
import { present } from '../domain/present.ts'
import type { OperationType } from '../domain/provider.ts'
import type { Catalog } from './catalog.ts'
import type { Outcome, ProviderOrder } from './connector.ts'
import type { Answer } from './operator.ts'

/** A member of a JSON value, wherever it may be missing on the way. */
export function member(value: unknown, ...path: readonly (string | number)[]): unknown {
  let at = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = Reflect.get(at, name)
  }
  return at ?? undefined
}

/** A text, or a number written as one; operators change between the two. */
export function textIn(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = member(value, ...path)
  if (typeof found === 'number') return String(found)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** A body as JSON; undefined where it is none. */
export function jsonOf(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    return undefined
  }
}

/** What a code of an operator means for a payment of this operation. */
export type Meaning =
  | PaymentFailureCode
  /** Credentials, float or settings of the account. */
  | 'OUR_FAULT'
  | 'PENDING'
  | 'UNKNOWN'

/** By operation, or the same for all. */
export type CodeTable = Readonly<
  Record<
    string,
    Meaning | Readonly<Partial<Record<OperationType, Meaning>> & { readonly other: Meaning }>
  >
>

export function meaningOf(
  table: CodeTable,
  code: string | undefined,
  operation: OperationType,
): Meaning | undefined {
  const row = code === undefined || !Object.hasOwn(table, code) ? undefined : table[code]
  return typeof row === 'object' ? (row[operation] ?? row.other) : row
}

/** A payment that the operator ended. */
export function ended(meaning: Meaning, message?: string): Outcome {
  if (meaning === 'PENDING') return { kind: 'PENDING' }
  if (meaning === 'UNKNOWN') return { kind: 'UNKNOWN', why: 'AMBIGUOUS' }
  const failure = paymentFailure(meaning === 'OUR_FAULT' ? 'UNSPECIFIED_FAILURE' : meaning)
  const blame = meaning === 'OUR_FAULT' ? ({ isOurFault: true } as const) : {}
  return { kind: 'FAILED', failure, ...blame, ...present({ message }) }
}

/** A request that the operator did not take; surely nothing was done. */
export function refused(meaning: PaymentFailureCode, message?: string): Outcome {
  return { kind: 'REFUSED', failure: paymentFailure(meaning), ...present({ message }) }
}

export function ourFault(message?: string): Outcome {
  const failure = paymentFailure('UNSPECIFIED_FAILURE')
  return { kind: 'REFUSED', failure, isOurFault: true, ...present({ message }) }
}

/** Where trying again by itself would lock the account: a PIN that is wrong. */
export const needingPerson = (outcome: Outcome): Outcome =>
  'isOurFault' in outcome && outcome.isOurFault ? { ...outcome, needsPerson: true } : outcome

/** A word that no table knows changes nothing, and somebody should read about it. */
export const puzzled = (word: string | undefined): Outcome => ({
  kind: 'PENDING',
  alert: `the operator says "${word ?? 'nothing'}", which is not a known status`,
})

/** A server error, or an answer without what it must have: it may have been executed. */
export const unclear = ({ status }: Answer): Outcome => ({
  kind: 'UNKNOWN',
  why: status >= 500 ? 'SERVER' : 'UNREADABLE',
})

/** Without the country code, as its people dial it. */
export function nationalNumber({ provider, phoneNumber }: ProviderOrder, catalog: Catalog): string {
  const { callingCode = '' } = catalog.find(provider) ?? {}
  return phoneNumber.startsWith(callingCode) ? phoneNumber.slice(callingCode.length) : phoneNumber
}

/** Letters, digits and spaces: everything else is refused by one operator or another. */
export function plainText(
  text: string | undefined,
  longest: number,
  otherwise = 'Payment',
): string {
  const plain = (text ?? '')
    .normalize('NFD')
    .replace(/[^a-zA-Z0-9 ]/g, '')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, longest)
    .trim()
  return plain === '' ? otherwise : plain
}

export const hex32 = (uuid: string): string => uuid.replaceAll('-', '')

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** 26 characters for the 128 bits of a UUID. */
export function base32(uuid: string): string {
  let bits = BigInt(`0x${hex32(uuid)}`)
  let text = ''
  for (let at = 0; at < 26; at += 1) {
    text = (BASE32[Number(bits & 31n)] ?? '') + text
    bits >>= 5n
  }
  return text
}

export const json = (value: unknown): string => JSON.stringify(value)

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

import { keyAt } from '../../domain/callbacks/replay.ts'
import { type CountedHours, HOUR_MS } from '../../domain/payments/hours.ts'

/** What people know of a payment `p`, each with a letter that says what it is. */
export const TERMS = `
  select 'n' || p.phone_number
  union all select 't' || p.provider_transaction_id where p.provider_transaction_id is not null
  union all select 'c' || (p.details->>'clientReferenceId') where p.details ? 'clientReferenceId'
  union all select 'm' || (m->>'value') from jsonb_array_elements(p.details->'metadata') m
    where p.details ? 'metadata'`

/** The same on every version of PostgreSQL; what was found by it is compared as a whole. */
export const hashOf = (text: string): string => `('x' || left(md5(${text}), 16))::bit(64)::bigint`

export type Known = {
  readonly phoneNumbers?: readonly string[] | undefined
  readonly transactionId?: string | undefined
  readonly clientReferenceId?: string | undefined
  readonly metadata?: readonly { readonly value: string }[] | undefined
}

/** The terms of what is the rarest, any of which a payment has to have; undefined: nothing is known. */
export function termsOf(known: Known): readonly string[] | undefined {
  const { phoneNumbers, transactionId, clientReferenceId, metadata = [] } = known
  const [value] = metadata
  if (transactionId !== undefined) return [`t${transactionId}`]
  if (clientReferenceId !== undefined) return [`c${clientReferenceId}`]
  if (value !== undefined) return [`m${value.value}`]
  return phoneNumbers?.map((number) => `n${number}`)
}

/** Where payments are looked through: what is not counted, as first keys and the keys after it. */
export function spansToLookThrough(hours: CountedHours | undefined): {
  readonly firsts: readonly string[]
  readonly nexts: readonly string[]
} {
  const open = hours?.openHours ?? []
  return {
    firsts: [keyAt(hours?.untilMs ?? 0), ...open.map(keyAt)],
    nexts: [LAST_KEY, ...open.map((hour) => keyAt(hour + HOUR_MS))],
  }
}

const LAST_KEY = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

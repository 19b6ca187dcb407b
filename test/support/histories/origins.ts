import assert from 'node:assert/strict'
import { type Body, ID_FIELDS } from '../../../harness/random/requests.ts'
import type { Generation, Kind } from '../../../harness/random/world.ts'
import { accountOf, type Findings } from './findings.ts'
import { type Entry, heard, type Told } from './journal.ts'

/** Where a payment comes from, as far as its client can know. */
type Owner = { readonly deposit: Body; readonly body: Body }

/** The split payments that exist and have this as their deposit or as one of their payouts. */
export function ownersOf(
  { merchant, kind, id, splits }: Entry,
  findings: Findings,
): readonly Owner[] {
  if (kind !== 'deposit' && kind !== 'payout') return []
  return [...splits].flatMap((splitId) => {
    const split = findings.record(merchant, 'splitPayment', splitId)
    if (split === undefined) return []
    const deposit = findings.record(merchant, 'deposit', splitId)
    assert.ok(deposit !== undefined, `the split payment ${splitId} has no deposit`)
    if (kind === 'deposit')
      return [{ deposit, body: { ...split, depositId: split.splitPaymentId } }]
    const parts = split.splits as readonly Body[]
    const body = parts.find((one) => String(one.payoutId).toLowerCase() === id.toLowerCase())
    return body === undefined ? [] : [{ deposit, body }]
  })
}

export const isDone = (record: Body): boolean => record.status === 'COMPLETED'

/** The split payment that this is a part of, and that has come so far as to begin it. */
export const beginnerOf = (entry: Entry, findings: Findings): Owner | undefined =>
  ownersOf(entry, findings).find(({ deposit }) => entry.kind === 'deposit' || isDone(deposit))

/** The requests that can have led to the record: one, unless answers were lost. */
export function originsOf(entry: Entry, record: Body, findings: Findings): readonly Told[] {
  const begun = beginnerOf(entry, findings)
  const cause =
    heard(entry, 'ACCEPTED')[0] ??
    (begun && { body: begun.body, said: 'ACCEPTED' as const, generation: 'v2' as const })
  const possible = cause === undefined ? heard(entry, 'UNKNOWN') : [cause]
  return possible.filter(({ body }) => fits(entry.kind, record, body))
}

/** The generations in which it can have been started: one, unless answers were lost. */
export const startedIn = (
  entry: Entry,
  record: Body,
  findings: Findings,
): ReadonlySet<Generation> =>
  new Set(originsOf(entry, record, findings).map(({ generation }) => generation))

/** The record says what was asked for, to the letter. */
function fits(kind: Kind, record: Body, body: Body): boolean {
  const isSameId = record[ID_FIELDS[kind]] === body[ID_FIELDS[kind]]
  if (kind === 'refund') {
    const isAmount = body.amount === undefined || record.amount === body.amount
    return isSameId && isAmount && record.depositId === body.depositId
  }
  const wanted = accountOf(body)
  const has = accountOf(record)
  return isSameId && record.amount === body.amount && has.phoneNumber === wanted.phoneNumber
}

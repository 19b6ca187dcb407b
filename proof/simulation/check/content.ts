import { isDeepStrictEqual } from 'node:util'
import { STATEMENT } from '../../../harness/random/generations.ts'
import { ID_FIELDS } from '../../../harness/random/requests.ts'
import type { Body, Generation } from '../world.ts'
import { checkEarlier } from './earlier.ts'
import { causesOf, type Facts, failureCodeOf, type Note, type Subject, unitsOf } from './facts.ts'

/** The record matches the request, in both generations, and the database. */
export function checkContent(subject: Subject, facts: Facts, note: Note): void {
  const { record = {}, row, kind } = subject
  const differences = causesOf(subject).map((cause) => differencesFrom(cause, subject, facts))
  const [fewest = ['everything']] = differences.toSorted((a, b) => a.length - b.length)
  if (fewest.length > 0) {
    note('content', `${fewest} is not as requested: ${JSON.stringify(record)}`)
  }
  for (const { reply, created } of subject.requests) {
    const hasTime = reply === 'ACCEPTED' || reply === 'DUPLICATE_IGNORED'
    if (hasTime && created !== record.created) {
      note('answers', `was created at ${record.created}, but an answer said ${created}`)
    }
  }
  if (kind === 'splitPayment' || row === undefined) return
  const shown = [record.status, failureCodeOf(record) ?? null, unitsOf(record.amount)]
  const stored = [row.state, row.failureCode, unitsOf(row.amount)]
  if (!isDeepStrictEqual(shown, stored))
    note('status', `is shown as ${shown}, but stored as ${stored}`)
  checkEarlier(subject, note)
}

type Cause = { readonly body: Body; readonly generation: Generation }

/** The fields in which a record differs from its request. */
function differencesFrom(cause: Cause, subject: Subject, facts: Facts): readonly string[] {
  const { body, generation } = cause
  const { record = {}, kind } = subject
  const always: Body = {
    [ID_FIELDS[kind]]: body[ID_FIELDS[kind]],
    clientReferenceId: generation === 'v1' ? undefined : body.clientReferenceId,
    metadata: metadataOf(body),
  }
  // What a request leaves out is chosen by the service, such as the rest of a deposit to refund.
  const { amount, currency, payer, recipient, sender } = body
  const ifGiven: Body = {
    ...{ amount, currency, payer, recipient, sender },
    customerMessage: messageOf(cause, subject, facts),
    depositId: kind === 'refund' ? body.depositId : undefined,
    splits: kind === 'splitPayment' ? body.splits : undefined,
  }
  const given = Object.entries(ifGiven).filter(([, value]) => value !== undefined)
  const wanted: Body = { ...always, ...Object.fromEntries(given) }
  const has: Body = { ...record, splits: partsOf(record) }
  return Object.keys(wanted).filter((name) => !isDeepStrictEqual(has[name], wanted[name]))
}

/** A list of names and values in a request, an object in a record. */
function metadataOf({ metadata }: Body): Body | undefined {
  return metadata === undefined ? undefined : Object.assign({}, ...(metadata as readonly Body[]))
}

/** A refund has the message of its deposit; the earlier generation requires one. */
function messageOf({ body, generation }: Cause, { merchant, kind }: Subject, facts: Facts) {
  if (kind === 'refund') {
    return facts.find(merchant, 'deposit', body.depositId)?.record?.customerMessage
  }
  return body.customerMessage ?? (generation === 'v1' ? STATEMENT : undefined)
}

/** The payouts of a split payment as requested. */
const partsOf = ({ splits = [] }: Body): readonly Body[] =>
  (splits as readonly Body[]).map(({ status: _, ...asked }) => asked)

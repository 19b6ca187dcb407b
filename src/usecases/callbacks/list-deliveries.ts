import { callbackBody, requestOfAttempt } from '../../callbacks/envelope.ts'
import type { Merchant } from '../../domain/accounts/merchant.ts'
import {
  type CallbackSubject,
  callbackUrlOf,
  SUBJECT_WORDS,
  type SubjectKind,
  subjectAsOf,
} from '../../domain/callbacks/callback-subject.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { findSubject } from '../../store/callbacks/callback-subjects.ts'
import {
  type AttemptRecord,
  type DeliveryRecord,
  findDeliveries,
  findLatestCallbacks,
  type LatestCallback,
} from '../../store/callbacks/deliveries.ts'
import type { LinkContext } from '../hosted/context.ts'

export type { LatestCallback }

export type DeliveredAttempt = AttemptRecord & {
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string
}
export type Delivery = Omit<DeliveryRecord, 'attempts'> & {
  readonly kind: SubjectKind
  /** Undefined where no address is set. */
  readonly endpoint: EndpointState | undefined
  /** Why nothing was sent, the last time that it was due. */
  readonly unsent: string | undefined
  readonly attempts: readonly DeliveredAttempt[]
}

/** FAILING is what this node found out by itself; PAUSED is known to all. */
export type EndpointState = {
  readonly url: string
  readonly state: 'ACTIVE' | 'FAILING' | 'PAUSED'
  readonly sinceMs?: number
}

/**
 * Every callback with every attempt, of whatever has that identifier: kinds are independent, so it
 * may be a deposit and a payout at once. Undefined when there is nothing of that name.
 */
export async function listDeliveries(
  ctx: LinkContext,
  merchant: Merchant,
  id: PaymentId,
): Promise<readonly Delivery[] | undefined> {
  const kinds = Object.keys(SUBJECT_WORDS) as SubjectKind[]
  const found = await Promise.all(kinds.map((kind) => findSubject(ctx.db, merchant.id, kind, id)))
  const subjects = found.filter((one) => one !== undefined)
  if (subjects.length === 0) return undefined
  const lists = await Promise.all(subjects.map((subject) => deliveriesOf(ctx, merchant, subject)))
  return lists.flat()
}

const LATEST = 10

/** What came of the callbacks of the latest payments, the latest first. */
export const listLatestDeliveries = (
  ctx: LinkContext,
  merchant: Merchant,
): Promise<readonly LatestCallback[]> => findLatestCallbacks(ctx.db, merchant.id, LATEST)

/** `shown` is what a reader may see of the subject; the headers are those that were sent. */
export async function deliveriesOf(
  ctx: LinkContext,
  merchant: Merchant,
  before: CallbackSubject,
  shown?: (subject: CallbackSubject) => CallbackSubject,
): Promise<readonly Delivery[]> {
  const deliveries = await findDeliveries(ctx.db, merchant.id, before.key)
  // Read after its attempts: what it was before may lack what they reported.
  const subject = (await findSubject(ctx.db, merchant.id, before.kind, before.id)) ?? before
  const endpoint = endpointOf(ctx, merchant, subject)
  return deliveries.map((delivery) => ({
    ...delivery,
    kind: subject.kind,
    endpoint,
    unsent: whyUnsent(delivery.attempts.at(-1)),
    attempts: delivery.attempts.filter(isSent).map((attempt, at) => {
      const reported = subjectAsOf(subject, delivery.state)
      const { ofCheckout } = ctx.hostedLinks
      const { headers, body } = requestOfAttempt(reported, attempt, ofCheckout)
      const requestBody = shown === undefined ? body : callbackBody(shown(reported), ofCheckout)
      return { ...attempt, attempt: at + 1, requestHeaders: headers, requestBody }
    }),
  }))
}

/** Also recorded is that it was due and there was no address. */
const isSent = ({ url }: AttemptRecord): boolean => url !== ''

const whyUnsent = (last: AttemptRecord | undefined): string | undefined =>
  last === undefined || isSent(last) ? undefined : (last.reason ?? undefined)

function endpointOf(
  ctx: LinkContext,
  merchant: Merchant,
  subject: CallbackSubject,
): EndpointState | undefined {
  const url = callbackUrlOf(subject, merchant) ?? ''
  if (url === '') return undefined
  const { kind } = subject
  const pausedMs = kind === 'statement' ? null : (merchant.callbackStates[kind]?.pausedMs ?? null)
  if (pausedMs !== null) return { url, state: 'PAUSED', sinceMs: pausedMs }
  const { openedAt } = ctx.work.breakerOf(merchant.id, url)
  return openedAt === undefined
    ? { url, state: 'ACTIVE' }
    : { url, state: 'FAILING', sinceMs: openedAt }
}

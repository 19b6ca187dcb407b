import type { AccountForm } from '../../domain/operators/account.ts'
import type { Operator } from '../operator.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** What Wave's live answers say; older ones say a day, so each session is taken at its word. */
export const SESSION_LIVES_MS = 30 * MINUTE

export const FORM: AccountForm = {
  operations: ['DEPOSIT', 'PAYOUT', 'REFUND'],
  settings: {},
  secrets: {
    apiKey: { needed: true },
    signingSecret: { needed: false },
    webhookSecret: { needed: true },
  },
}

/**
 * A session that is open after its end counts as unknown (`answers.ts`), so doubt is reported two
 * minutes after that end; the window for what is pending is only for sessions that name no end.
 * Payouts are repeated under the same Idempotency-Key and whole refunds are idempotent; sessions are
 * neither refused nor replayed.
 */
export const PROFILE: Operator['profile'] = {
  unknownWindowMs: 2 * MINUTE,
  pendingWindowMs: 24 * HOUR + 2 * MINUTE,
  refusesKnownReferences: ['PAYOUT', 'REFUND'],
  lookUpPausesMs: [
    ...times(8, 15 * SECOND),
    ...times(16, 30 * SECOND),
    ...times(22, MINUTE),
    // Webhooks are repeated for three days, and look-ups go on as long.
    HOUR,
  ],
  answersWithinMs: 30 * SECOND,
  limits: { atOnce: 32, perSecond: 50 },
}

function times(count: number, pauseMs: number): readonly number[] {
  return Array.from({ length: count }, () => pauseMs)
}

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  BULK_ROW_STATES,
  BULK_STATES,
  PROMISED_BULK_STATES,
} from '../../src/domain/bulk/bulk-payout.ts'
import { CALLBACK_STATUSES } from '../../src/domain/callbacks/callback.ts'
import { UNSENT } from '../../src/domain/callbacks/replay.ts'
import { CHECKOUT_STATES, isFinalCheckout } from '../../src/domain/hosted/checkout.ts'
import { LEDGER_EFFECTS } from '../../src/domain/payments/ledger.ts'
import {
  FINAL_STATES,
  isFinal,
  PAYMENT_KINDS,
  PAYMENT_STATES,
  UNSENT_STATES,
} from '../../src/domain/payments/payment-state.ts'
import { SPLIT_MACHINE } from '../../src/domain/payments/split-payment.ts'
import { AVAILABILITIES } from '../../src/domain/provider.ts'
import { EXPORT_STATES } from '../../src/domain/statements/export.ts'
import { STATEMENT_STATES } from '../../src/domain/statements/statement.ts'
import { PACKAGE_ROOT } from '../../src/package-root.ts'
import { LEDGER_CHECKS } from '../../src/store/verify/ledger.ts'

/** The schema after all migrations; another test compares it with what they make. */
const SCHEMA = readFileSync(join(PACKAGE_ROOT, 'schema.sql'), 'utf8')

/** The words in quotes that a constraint of the schema lists, in its order. */
function wordsOf(constraint: string): readonly string[] {
  const line = SCHEMA.split('\n').find((one) => one.includes(`constraint ${constraint} CHECK`))
  assert.ok(line !== undefined, constraint)
  return [...line.matchAll(/'(\w+)'::text/g)].map(([, word]) => word ?? '')
}

describe('a constraint of the schema says what the domain says:', () => {
  const openCheckouts = CHECKOUT_STATES.filter((state) => !isFinalCheckout(state))
  const constraints: readonly (readonly [name: string, words: readonly string[]])[] = [
    ['payments_check', FINAL_STATES],
    ['cases_reported_check', FINAL_STATES],
    ['checkouts_state_check', CHECKOUT_STATES],
    ['checkouts_check', openCheckouts.slice(0, 1)],
    ['checkouts_check1', openCheckouts],
    ['split_payments_state_check', Object.keys(SPLIT_MACHINE)],
    ['callbacks_status_check', CALLBACK_STATUSES],
    ['statements_state_check', STATEMENT_STATES],
    ['exports_state_check', EXPORT_STATES],
    ['bulk_payouts_state_check', BULK_STATES],
    ['bulk_payouts_check', PROMISED_BULK_STATES],
    ['bulk_payout_rows_state_check', BULK_ROW_STATES],
    ['provider_availability_status_check', AVAILABILITIES],
    ['money_is_never_overdrawn', ['wallet', 'reserve']],
  ]
  for (const [name, words] of constraints) {
    it(name, () => assert.deepEqual(wordsOf(name).toSorted(), [...words].toSorted()))
  }
})

/** An index of some rows serves a question that names the same words. */
it('callbacks that were not sent have an index of their own', () => {
  const index = SCHEMA.split('\n').find((one) => one.startsWith('CREATE INDEX callbacks_unsent '))
  const words = [...(index ?? '').matchAll(/'(\w+)'::text/g)].map(([, word]) => word)
  assert.deepEqual(words, UNSENT)
})

it('every kind of payment has the same final states', () => {
  for (const kind of PAYMENT_KINDS) {
    assert.deepEqual(
      PAYMENT_STATES.filter((state) => isFinal(kind, state)),
      FINAL_STATES,
    )
  }
})

it('what is not sent yet is what comes before PROCESSING', () => {
  assert.deepEqual(UNSENT_STATES, ['WAITING', 'ACCEPTED', 'ENQUEUED'])
})

it('the check of the books expects the movements that the ledger makes', () => {
  const check = LEDGER_CHECKS.find(({ name }) => name.startsWith('each payment moved its money'))
  const rows = [...(check?.question ?? '').matchAll(/\('(\w+)', '(\w+)', '(\w+)', '(\w+)'\)/g)]
  const expected = (side: string) =>
    Object.fromEntries(
      rows
        .filter((row) => row[1] === side)
        .map((row) => [row[2], { debit: row[3], credit: row[4] }]),
    )
  for (const kind of PAYMENT_KINDS) {
    assert.deepEqual(expected(kind === 'deposit' ? 'deposit' : 'out'), LEDGER_EFFECTS[kind], kind)
  }
})

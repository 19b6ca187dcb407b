import type { Told } from '../../proof/support/listener.ts'
import { nameOf } from '../../proof/support/names.ts'
import type { Ask } from '../../proof/support/shop.ts'

/** What the merchant wrote down, and the database of the node that did the work. */
export type History = {
  readonly databaseUrl: string
  readonly asks: Map<string, Ask>
  readonly told: Map<string, Told>
}

type Choice = (ask: Ask) => boolean
const PAID: Choice = (ask) =>
  ask.kind === 'deposit' && isInZambia(ask) && ask.ending === 'COMPLETED'
const FAILED: Choice = (ask) => ask.kind === 'deposit' && ask.ending === 'FAILED'
const PAYOUT: Choice = (ask) => ask.kind === 'payout' && ask.ending === 'COMPLETED'
const ON_A_PAGE: Choice = (ask) => ask.payments[0]?.provider === 'WAVE_SEN'
const SPLIT: Choice = (ask) => ask.kind === 'splitPayment' && ask.ending === 'COMPLETED'
const REFUND: Choice = (ask) => ask.kind === 'refund'
const isInZambia = (ask: Ask): boolean => ask.payments[0]?.currency === 'ZMW'

type Forgery = {
  readonly what: string
  readonly about: Choice
  /** Changes the database; $1 is the identifier. */
  readonly sql?: string
  /** Changes what the merchant wrote down. */
  readonly lie?: (ask: Ask, told: Told, copy: History) => void
  readonly says: RegExp
}

const OF_KEY = `(select key from payments where id = $1 and kind <> 'refund')`
const OF_ORDER = '(select provider_reference from payments where id = $1)'
const SOME_ID = '5c1c2f6e-7f43-4a43-8a30-9dcd1f4f0a11'
const copyOf = (table: string, changes: string, where: string): string =>
  `insert into ${table} select (jsonb_populate_record(one, '${changes}')).*
   from ${table} one where ${where}`

/** By the guarantee that each of them breaks: one for each thing that its verdict can report. */
export const FORGERIES: Readonly<Record<string, readonly Forgery[]>> = {
  'all work comes to its end': [
    {
      what: 'a payment has something left to do',
      about: PAID,
      sql: `update payments set state = 'PROCESSING', due_at = now() where id = $1`,
      says: /^deposit .* is PROCESSING$/,
    },
    {
      what: 'a callback has not been sent',
      about: PAID,
      sql: `update callbacks set status = 'PENDING', due_at = now() where payment_id = $1`,
      says: /^callback of deposit .* is PENDING$/,
    },
  ],
  'every answer is true: what was accepted is there, once': [
    {
      what: 'a payment was accepted twice',
      about: PAID,
      lie: (ask) => {
        ask.accepted = 2
      },
      says: /was ACCEPTED 2 times/,
    },
    {
      what: 'an accepted payment is lost',
      about: PAYOUT,
      sql: 'delete from payments where id = $1',
      says: /^payout .* was ACCEPTED and is not there/,
    },
    {
      what: 'a payment answered as a repeat is lost',
      about: PAID,
      sql: 'delete from payments where id = $1',
      lie: (ask) => {
        ask.accepted = 0
      },
      says: /was answered as known and is not there/,
    },
    {
      what: 'a sound request was refused',
      about: PAID,
      lie: (ask) => {
        ask.refusal = '400 {}'
      },
      says: /was refused: 400/,
    },
    {
      what: 'an error says that a payment was accepted',
      about: PAID,
      lie: (ask) => {
        ask.wrongError = '500 {"status":"ACCEPTED"}'
      },
      says: /failed in the wrong words: 500/,
    },
    {
      what: 'a request was never answered',
      about: PAID,
      lie: (ask) => {
        ask.isDoubtful = true
      },
      says: /got no answer/,
    },
  ],
  'each attempt of a callback is on record': [
    {
      what: 'an attempt is not on record',
      about: PAID,
      sql: `delete from callback_attempts where payment_key = ${OF_KEY}`,
      says: /1 attempts, on record are $/,
    },
    {
      what: 'a callback is delivered by an attempt that failed',
      about: PAID,
      sql: `update callback_attempts set http_status = 500 where payment_key = ${OF_KEY}`,
      says: /is delivered by no attempt/,
    },
    {
      what: 'an attempt was answered and never received',
      about: PAID,
      lie: (_, told) => {
        told.states.splice(0)
      },
      says: /0 received, 1 answered, 1 on record/,
    },
  ],
  'each payment has the sum and the number of its request': [
    {
      what: 'a deposit is over another sum',
      about: PAID,
      sql: 'update payments set amount = amount + 0.01 where id = $1',
      says: /^deposit .* is over \d+\.01 ZMW .* asked for was \d+ ZMW /,
    },
    {
      what: 'a payout goes to another number',
      about: PAYOUT,
      sql: `update payments set phone_number = '260763456788' where id = $1`,
      says: /^payout .* 260763456788, asked for was .* 26076\d{4}789$/,
    },
    {
      what: 'a refund is over another currency',
      about: REFUND,
      sql: `update payments set currency = 'KES' where id = $1`,
      says: /^refund .* KES .*, asked for was .* ZMW /,
    },
    {
      what: 'a part of a split payment is over another sum',
      about: SPLIT,
      sql: 'update payments set amount = amount + 1 where split_id = $1',
      says: /^payout .* asked for was/,
    },
    {
      what: 'a part of a split payment is lost',
      about: SPLIT,
      sql: `delete from payments where split_id = $1 and kind = 'payout'`,
      says: /^payout .* is over nothing, asked for was/,
    },
  ],
  'each payment has one final state, the operator’s': [
    {
      what: 'a payment has not ended',
      about: PAID,
      sql: `update payments set state = 'PROCESSING', due_at = now() where id = $1`,
      says: /^deposit .* is PROCESSING, 1 final states/,
    },
    {
      what: 'a payment has ended twice',
      about: PAID,
      sql: `insert into payment_events select merchant_id, key, 'FAILED', now() from payments
            where id = $1 and kind = 'deposit'`,
      says: /is COMPLETED, 2 final states/,
    },
    {
      what: 'the end of a payment is not in its time line',
      about: PAID,
      sql: `delete from payment_events where payment_key = ${OF_KEY} and state = 'COMPLETED'`,
      says: /is COMPLETED, 0 final states/,
    },
    {
      what: 'a payment that completed is kept as failed',
      about: PAYOUT,
      sql: `update payments set state = 'FAILED', failure_code = 'UNSPECIFIED_FAILURE' where id = $1`,
      says: /^payout .* is FAILED, the operator says COMPLETED/,
    },
    {
      what: 'a split payment ended otherwise than its parts',
      about: SPLIT,
      sql: `update split_payments set state = 'PAYOUT_FAILED' where id = $1`,
      says: /^splitPayment .* is PAYOUT_FAILED, the operator says COMPLETED/,
    },
    {
      what: 'a payment is there that nobody asked for',
      about: PAID,
      sql: copyOf('payments', `{"id": "${SOME_ID}"}`, 'id = $1'),
      says: /^deposit 5c1c2f6e.* nobody asked for it/,
    },
    {
      what: 'a split payment has a part that nobody asked for',
      about: SPLIT,
      sql: copyOf('payments', `{"id": "${SOME_ID}"}`, `split_id = $1 and kind = 'payout'`),
      says: /^payout 5c1c2f6e.* nobody asked for it/,
    },
  ],
  'the operator was asked once for each payment': [
    {
      what: 'an order was sent twice under one reference',
      about: PAYOUT,
      sql: `update sandbox_orders set asked = 2 where reference = ${OF_ORDER}`,
      says: /^payout .* is COMPLETED, asked for 2 times/,
    },
    {
      what: 'an order was sent twice under two references',
      about: PAYOUT,
      sql: copyOf('sandbox_orders', '{"reference": "another"}', `reference = ${OF_ORDER}`),
      says: /^the operator has another over \d+, we not/,
    },
    {
      what: 'a payment completed and the operator never heard of it',
      about: PAYOUT,
      sql: `delete from sandbox_orders where reference = ${OF_ORDER}`,
      says: /^payout .* is COMPLETED, asked for 0 times/,
    },
    {
      what: 'a payment failed and the operator never heard of it',
      about: FAILED,
      sql: `delete from sandbox_orders where reference = ${OF_ORDER}`,
      says: /^deposit .* is FAILED, asked for 0 times/,
    },
    {
      what: 'an order is over another sum',
      about: PAYOUT,
      sql: `update sandbox_orders set amount = amount * 2 where reference = ${OF_ORDER}`,
      says: /^payout .* is over .*, ordered was/,
    },
    {
      what: 'an order is for another number',
      about: PAYOUT,
      sql: `update sandbox_orders set phone_number = '260763456788' where reference = ${OF_ORDER}`,
      says: /^payout .* ordered was .* 260763456788/,
    },
  ],
  'each end was told and acknowledged, in order': [
    {
      what: 'a callback was sent while it was being sent',
      about: PAID,
      lie: (_, told) => {
        told.overlaps = 1
      },
      says: /was sent 1 times while it was being sent/,
    },
    {
      what: 'an end was never told',
      about: PAID,
      lie: (ask, _, { told }) => void told.delete(nameOf(ask.kind, ask.id)),
      says: /^nobody was told that deposit .* is COMPLETED/,
    },
    {
      what: 'an end arrived, and the answer to it was not sent',
      about: PAID,
      lie: (_, told) => void told.acknowledged.splice(0),
      says: /^nobody acknowledged that deposit .* is COMPLETED/,
    },
    {
      what: 'an end was acknowledged, and the service has given it up',
      about: PAID,
      sql: `update callbacks set status = 'GIVEN_UP' where payment_id = $1`,
      says: /^that deposit .* is COMPLETED was told, and is noted as GIVEN_UP/,
    },
    {
      what: 'the end of a split payment is owed to nobody',
      about: SPLIT,
      sql: `delete from callbacks where payment_id = $1 and kind = 'splitPayment'`,
      says: /^that splitPayment .* was told, and is noted as null/,
    },
    {
      what: 'a payment was told that is not there',
      about: PAID,
      lie: (_, told, copy) => void copy.told.set(nameOf('deposit', SOME_ID), told),
      says: /^deposit 5c1c2f6e.* was told as COMPLETED and is not there/,
    },
    {
      what: 'a state on the way was told after the end',
      about: ON_A_PAGE,
      lie: (_, told) => void told.states.push('PROCESSING'),
      says: /is COMPLETED and was told as .*COMPLETED, PROCESSING/,
    },
    {
      what: 'two ends were told',
      about: PAID,
      lie: (_, told) => void told.states.push('FAILED'),
      says: /is COMPLETED and was told as COMPLETED, FAILED/,
    },
    {
      what: 'another end was told than there was',
      about: FAILED,
      lie: (_, told) => void told.states.splice(0, 1, 'COMPLETED'),
      says: /is FAILED and was told as COMPLETED/,
    },
  ],
  'wallets hold what the callbacks add up to': [
    {
      what: 'a callback is over another sum',
      about: PAID,
      lie: (ask, told, copy) =>
        void copy.told.set(nameOf(ask.kind, ask.id), { ...told, amount: '1' }),
      says: /^the wallet ZMB ZMW gained/,
    },
    {
      what: 'a wallet holds more than it was given',
      about: PAID,
      sql: `update accounts set balance = balance + 0.01
            where type = 'wallet' and currency = 'KES' and $1::uuid is not null`,
      says: /^the wallet KEN KES gained/,
    },
    {
      what: 'money came into a wallet of which no callback speaks',
      about: PAID,
      sql: `update accounts set balance = balance + 1
            where type = 'wallet' and currency = 'RWF' and $1::uuid is not null`,
      says: /^the wallet RWA RWF gained 10000, the callbacks add up to 0/,
    },
    {
      what: 'a callback speaks of a wallet that is not there',
      about: PAID,
      lie: (ask, told, copy) =>
        void copy.told.set(nameOf(ask.kind, ask.id), { ...told, country: 'ATA' }),
      says: /^the wallet ATA ZMW gained 0/,
    },
  ],
  'the books are in order (malipo verify)': [
    {
      what: 'a transfer is lost',
      about: PAID,
      sql: `delete from transfers where key = ${OF_KEY}`,
      says: /: .*, /,
    },
  ],
}

import type { Received } from '../../proof/support/listener.ts'
import { nameOf } from '../../proof/support/names.ts'
import type { Ask } from '../../proof/support/shop.ts'

/** What the merchant recorded, and the database of the node that did the work. */
export type History = {
  readonly databaseUrl: string
  readonly asks: Map<string, Ask>
  readonly received: Map<string, Received>
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
  /** Changes what the merchant recorded. */
  readonly lie?: (ask: Ask, received: Received, copy: History) => void
  readonly says: RegExp
}

const OF_KEY = `(select key from payments where id = $1 and kind <> 'refund')`
const OF_ORDER = '(select provider_reference from payments where id = $1)'
const SOME_ID = '5c1c2f6e-7f43-4a43-8a30-9dcd1f4f0a11'
const copyOf = (table: string, changes: string, where: string): string =>
  `insert into ${table} select (jsonb_populate_record(one, '${changes}')).*
   from ${table} one where ${where}`

/** By the guarantee that they break: one for each finding that its verdict can report. */
export const FORGERIES: Readonly<Record<string, readonly Forgery[]>> = {
  'all work is completed': [
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
      says: /^callback of deposit .* is owed: attempts 1, node \d+, due /,
    },
  ],
  'every answer is true: what was accepted exists once': [
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
      says: /^payout .* was ACCEPTED but does not exist/,
    },
    {
      what: 'a payment answered as a repeat is lost',
      about: PAID,
      sql: 'delete from payments where id = $1',
      lie: (ask) => {
        ask.accepted = 0
      },
      says: /was answered as a repeat, but does not exist/,
    },
    {
      what: 'a valid request was refused',
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
      says: /failed with the wrong error: 500/,
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
  'each attempt of a callback is recorded': [
    {
      what: 'an attempt is not recorded',
      about: PAID,
      sql: `update callbacks set first_at = null where payment_key = ${OF_KEY}`,
      says: /1 attempts, but recorded are $/,
    },
    {
      what: 'a callback is delivered by an attempt that failed',
      about: PAID,
      sql: `update callbacks set first_http_status = 500 where payment_key = ${OF_KEY}`,
      says: /is delivered, but no attempt succeeded/,
    },
    {
      what: 'an attempt was answered and never received',
      about: PAID,
      lie: (_, received) => {
        received.states.splice(0)
      },
      says: /0 received, 1 answered, 1 recorded/,
    },
  ],
  'each payment has the amount and number of its request': [
    {
      what: 'a deposit has another amount',
      about: PAID,
      sql: 'update payments set amount = amount + 0.01 where id = $1',
      says: /^deposit .* is \d+\.01 ZMW .* requested was \d+ ZMW /,
    },
    {
      what: 'a payout goes to another number',
      about: PAYOUT,
      sql: `update payments set phone_number = '260763456788' where id = $1`,
      says: /^payout .* 260763456788, but requested was .* 26076\d{4}789$/,
    },
    {
      what: 'a refund is in another currency',
      about: REFUND,
      sql: `update payments set currency = 'KES' where id = $1`,
      says: /^refund .* KES .*, but requested was .* ZMW /,
    },
    {
      what: 'a part of a split payment has another amount',
      about: SPLIT,
      sql: 'update payments set amount = amount + 1 where split_id = $1',
      says: /^payout .* requested was/,
    },
    {
      what: 'a part of a split payment is lost',
      about: SPLIT,
      sql: `delete from payments where split_id = $1 and kind = 'payout'`,
      says: /^payout .* is nothing, but requested was/,
    },
  ],
  'each payment has one final state, the operator’s': [
    {
      what: 'a payment is not final',
      about: PAID,
      sql: `update payments set state = 'PROCESSING', due_at = now() where id = $1`,
      says: /^deposit .* is PROCESSING, 1 final states/,
    },
    {
      what: 'a payment has two final states',
      about: PAID,
      sql: `insert into transfers (merchant_id, key, payment_id, cause, debit, credit, amount, at)
            select merchant_id, key, payment_id, 'FAILED', debit, credit, amount, at from transfers
            where key = ${OF_KEY} and cause = 'COMPLETED'`,
      says: /is COMPLETED, 2 final states/,
    },
    {
      what: 'a payment that completed is stored as failed',
      about: PAYOUT,
      sql: `update payments set state = 'FAILED', failure_code = 'UNSPECIFIED_FAILURE' where id = $1`,
      says: /^payout .* is FAILED, the operator says COMPLETED/,
    },
    {
      what: 'a split payment does not match its parts',
      about: SPLIT,
      sql: `update split_payments set state = 'PAYOUT_FAILED' where id = $1`,
      says: /^splitPayment .* is PAYOUT_FAILED, the operator says COMPLETED/,
    },
    {
      what: 'a payment exists that nobody asked for',
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
  'the operator got one order for each payment': [
    {
      what: 'an order was sent twice under one reference',
      about: PAYOUT,
      sql: `update sandbox_orders set asked = 2 where reference = ${OF_ORDER}`,
      says: /^payout .* is COMPLETED, ordered 2 times/,
    },
    {
      what: 'an order was sent twice under two references',
      about: PAYOUT,
      sql: copyOf('sandbox_orders', '{"reference": "another"}', `reference = ${OF_ORDER}`),
      says: /^the operator has an order another of \d+ without a payment/,
    },
    {
      what: 'a payment completed, but the operator never got its order',
      about: PAYOUT,
      sql: `delete from sandbox_orders where reference = ${OF_ORDER}`,
      says: /^payout .* is COMPLETED, ordered 0 times/,
    },
    {
      what: 'a payment failed, but the operator never got its order',
      about: FAILED,
      sql: `delete from sandbox_orders where reference = ${OF_ORDER}`,
      says: /^deposit .* is FAILED, ordered 0 times/,
    },
    {
      what: 'an order has another amount',
      about: PAYOUT,
      sql: `update sandbox_orders set amount = amount * 2 where reference = ${OF_ORDER}`,
      says: /^payout .* is .*, but ordered was/,
    },
    {
      what: 'an order is for another number',
      about: PAYOUT,
      sql: `update sandbox_orders set phone_number = '260763456788' where reference = ${OF_ORDER}`,
      says: /^payout .* ordered was .* 260763456788/,
    },
  ],
  'each outcome was reported, acknowledged, in order': [
    {
      what: 'two callbacks of one payment overlapped',
      about: PAID,
      lie: (_, received) => {
        received.overlaps = 1
      },
      says: /had 1 callbacks while another was not answered yet/,
    },
    {
      what: 'an outcome was never sent',
      about: PAID,
      lie: (ask, _, { received }) => void received.delete(nameOf(ask.kind, ask.id)),
      says: /^deposit .* is COMPLETED, but no callback of that was received/,
    },
    {
      what: 'an outcome arrived, but was not acknowledged',
      about: PAID,
      lie: (_, received) => void received.acknowledged.splice(0),
      says: /^deposit .* is COMPLETED, but no callback of that was acknowledged/,
    },
    {
      what: 'an outcome was acknowledged, but the service has given up its callback',
      about: PAID,
      sql: `update callbacks set status = 'GIVEN_UP' where payment_id = $1`,
      says: /^deposit .* is COMPLETED, .* but the callback is stored as GIVEN_UP/,
    },
    {
      what: 'the outcome of a split payment has no callback',
      about: SPLIT,
      sql: `delete from callbacks where payment_id = $1 and kind = 'splitPayment'`,
      says: /^splitPayment .* but the callback is stored as null/,
    },
    {
      what: 'a callback is about a payment that does not exist',
      about: PAID,
      lie: (_, received, copy) => void copy.received.set(nameOf('deposit', SOME_ID), received),
      says: /^deposit 5c1c2f6e.* was received as COMPLETED, but does not exist/,
    },
    {
      what: 'an earlier state was sent after the final one',
      about: ON_A_PAGE,
      lie: (_, received) => void received.states.push('PROCESSING'),
      says: /is COMPLETED, but was received as .*COMPLETED, PROCESSING/,
    },
    {
      what: 'two final states were sent',
      about: PAID,
      lie: (_, received) => void received.states.push('FAILED'),
      says: /is COMPLETED, but was received as COMPLETED, FAILED/,
    },
    {
      what: 'the wrong outcome was sent',
      about: FAILED,
      lie: (_, received) => void received.states.splice(0, 1, 'COMPLETED'),
      says: /is FAILED, but was received as COMPLETED/,
    },
  ],
  'wallets hold what the callbacks add up to': [
    {
      what: 'a callback has another amount',
      about: PAID,
      lie: (ask, received, copy) =>
        void copy.received.set(nameOf(ask.kind, ask.id), { ...received, amount: '1' }),
      says: /^the wallet ZMB ZMW gained/,
    },
    {
      what: 'a wallet holds more than it received',
      about: PAID,
      sql: `update accounts set balance = balance + 0.01
            where type = 'wallet' and currency = 'KES' and $1::uuid is not null`,
      says: /^the wallet KEN KES gained/,
    },
    {
      what: 'a wallet gained money without a callback',
      about: PAID,
      sql: `update accounts set balance = balance + 1
            where type = 'wallet' and currency = 'RWF' and $1::uuid is not null`,
      says: /^the wallet RWA RWF gained 10000, but the callbacks add up to 0/,
    },
    {
      what: 'a callback is about a wallet that does not exist',
      about: PAID,
      lie: (ask, received, copy) =>
        void copy.received.set(nameOf(ask.kind, ask.id), { ...received, country: 'ATA' }),
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

import assert from 'node:assert/strict'
import { accountOf } from '../check/facts.ts'
import type { Asked } from '../evidence.ts'
import {
  type Answer,
  CLOSED,
  type Forgery,
  first,
  isAbout,
  isPlainEnd,
  LATER,
  NEW_ID,
  remove,
  renamed,
  reopened,
  resendOf,
  soonAfter,
  twoStates,
} from './tools.ts'

/** Answers, status checks and callbacks that a merchant should never get. */
export const FORGED_ANSWERS: readonly Forgery[] = [
  {
    what: 'a request was accepted twice',
    rule: 'answers',
    tamper: ({ asks }) => {
      asks.push(first(asks, ({ answer }) => (answer as Answer)?.status === 'ACCEPTED'))
    },
  },
  {
    what: 'no callback of a payment arrived',
    rule: 'complete',
    tamper: ({ callbacks }) => {
      const { body } = first(callbacks, ({ answered }) => answered === 200)
      const kept = callbacks.filter((one) => one.body !== body)
      callbacks.splice(0, callbacks.length, ...kept)
    },
  },
  {
    what: 'callbacks of a payment came in the wrong order',
    rule: 'order',
    tamper: ({ callbacks }) => {
      const [early, late] = twoStates(callbacks)
      callbacks.splice(late, 0, ...callbacks.splice(early, 1))
    },
  },
  {
    what: 'a callback differs from the status check',
    rule: 'same',
    tamper: ({ callbacks }) => {
      const callback = first(callbacks, ({ body }) => body.includes('"COMPLETED"'))
      const body = callback.body.replace(/("(?:amount|requestedAmount)":")/, '$19')
      callbacks[callbacks.indexOf(callback)] = { ...callback, body }
    },
  },
  {
    what: 'a callback was signed for another body',
    rule: 'signed',
    tamper: ({ callbacks }) => {
      const callback = first(callbacks, () => true)
      callbacks[callbacks.indexOf(callback)] = { ...callback, body: `${callback.body} ` }
    },
  },
  {
    what: 'a callback has the signature of another one',
    rule: 'signed',
    tamper: ({ callbacks }) => {
      const [one, other] = callbacks
      assert.ok(one !== undefined && other !== undefined)
      const { signature = '' } = other.headers
      callbacks[0] = { ...one, headers: { ...one.headers, signature } }
    },
  },
  {
    what: 'a valid request was rejected',
    rule: 'rejected',
    tamper: ({ asks, switches }) => {
      const isIt = ({ kind, generation, isBulk }: Asked): boolean =>
        kind === 'payout' && generation === 'v2' && !isBulk
      const asked = renamed(first(asks, isIt))
      switches.push(reopened(asked))
      asks.push({ ...asked, status: 200, answer: CLOSED })
    },
  },
  {
    what: 'a refund of a COMPLETED deposit was rejected',
    rule: 'rejected',
    tamper: ({ asks, callbacks }) => {
      const { merchant, body } = first(callbacks, isPlainEnd)
      const { depositId } = JSON.parse(body)
      const refund = { refundId: NEW_ID, depositId }
      const asked = { merchant, kind: 'refund', generation: 'v2', isBulk: false } as const
      const reason = { status: 'REJECTED', failureReason: { failureCode: 'INVALID_STATE' } }
      asks.push({ ...asked, ...LATER, bodies: [refund], status: 200, answer: reason })
    },
  },
  {
    what: 'a payment page was not created',
    rule: 'rejected',
    tamper: ({ pages }) => {
      pages.push({ ...first(pages, () => true), status: 200 })
    },
  },
  {
    what: 'a page refused a customer who could pay',
    rule: 'rejected',
    tamper: ({ asks, switches }) => {
      const pressed = renamed(first(asks, ({ isForm }) => isForm === true))
      switches.push(reopened(pressed))
      asks.push({ ...pressed, status: 200 })
    },
  },
  {
    what: 'a page expired too early',
    rule: 'rejected',
    tamper: ({ asks }) => {
      const pressed = renamed(first(asks, ({ isForm }) => isForm === true))
      asks.push({ ...pressed, status: 410 })
    },
  },
  {
    what: 'a resend of a final state was rejected',
    rule: 'rejected',
    tamper: ({ orders, callbacks }) => {
      orders.push(resendOf(first(callbacks, isPlainEnd), 'REJECTED'))
    },
  },
  {
    what: 'a queued payout could not be cancelled',
    rule: 'rejected',
    tamper: ({ asks, looks, orders, switches, records }) => {
      const { merchant, bodies } = first(
        asks,
        ({ kind, answer }) => kind === 'payout' && (answer as Answer)?.status === 'ACCEPTED',
      )
      const [body = {}] = bodies
      const about = { merchant, kind: 'payout', id: String(body.payoutId) } as const
      const { current } = first(records, (one) => isAbout(one, about))
      const { provider } = accountOf(body)
      const delayed = { provider, operation: 'PAYOUT', status: 'DELAYED', until: LATER.at }
      switches.push({ merchant, ...delayed, ...LATER })
      const record = { ...current, status: 'ENQUEUED' }
      looks.push({ ...about, generation: 'v2', ...soonAfter(2), record })
      orders.push({ ...about, what: 'cancel', at: LATER.at, ...soonAfter(4), reply: 'REJECTED' })
    },
  },
  {
    what: 'a resend was accepted, and nothing arrived',
    rule: 'complete',
    tamper: ({ orders, callbacks }) => {
      orders.push(resendOf(first(callbacks, isPlainEnd), 'ACCEPTED'))
    },
  },
  {
    what: 'a merchant was never answered',
    rule: 'answered',
    tamper: ({ asks }) => {
      const { status: _, answer: __, answered: ___, ...lost } = first(asks, () => true)
      asks.push({ ...lost, gaveUp: true })
    },
  },
  {
    what: 'no payment on a page ever completed',
    rule: 'alive',
    tamper: ({ asks, records }) => {
      const pressed = asks.filter(({ isForm }) => isForm === true)
      const names = new Set(pressed.map(({ bodies }) => bodies[0]?.depositId))
      for (const record of records) {
        if (record.current === null || !names.has(record.id)) continue
        record.current = { ...record.current, status: 'FAILED' }
      }
      const more = Array.from({ length: 30 }, (_, index) => renamed(pressed[0], index))
      asks.push(...more)
    },
  },
  {
    what: 'a deposit that leads to a page had no callback of that',
    rule: 'complete',
    tamper: ({ owed, records }) => {
      const page = first(owed, ({ kind, state }) => kind === 'deposit' && state === 'PROCESSING')
      const isIt = ({ kind, id, current }: (typeof records)[number]): boolean =>
        kind === 'deposit' && id.toLowerCase() === page.id.toLowerCase() && current !== null
      const record = first(records, isIt)
      const payer = record.current?.payer as { accountDetails: Record<string, string> }
      // A number without unasked messages: its callback of the page must not be missing.
      const accountDetails = { ...payer.accountDetails, phoneNumber: '221773456789' }
      record.current = { ...record.current, payer: { ...payer, accountDetails } }
      remove(owed, page)
    },
  },
  {
    what: 'a final payment is PROCESSING again',
    rule: 'answers',
    tamper: ({ looks, records }) => {
      const { current, ...about } = first(
        records,
        ({ kind, current }) => kind === 'payout' && current?.status === 'COMPLETED',
      )
      const { sent, answered } = LATER
      const look = { ...about, generation: 'v2' } as const
      looks.push({ ...look, sent, answered, record: current })
      const record = { ...current, status: 'PROCESSING' }
      looks.push({ ...look, sent: answered + 1, answered: answered + 2, record })
    },
  },
]

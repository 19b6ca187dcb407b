import assert from 'node:assert/strict'
import type { Evidence } from '../evidence.ts'
import { type Answer, type Forgery, first, isAbout, isDone, type Named, remove } from './tools.ts'

/** Payments, orders and balances that should never be stored so. */
export const FORGED_BOOKS: readonly Forgery[] = [
  {
    what: 'a payment is missing from the database',
    rule: 'missing',
    tamper: ({ payments }) => remove(payments, first(payments, isDone)),
  },
  {
    what: 'a payment is missing from the database and from the status check',
    rule: 'missing',
    tamper: ({ payments, records, asks }) => {
      const asked = first(asks, ({ answer }) => (answer as Answer)?.status === 'ACCEPTED')
      const id = String(Object.values(asked.bodies[0] ?? {})[0])
      const isIt = (one: Named): boolean => isAbout(one, { ...asked, id })
      first(records, isIt).current = null
      if (asked.kind !== 'splitPayment') remove(payments, first(payments, isIt))
    },
  },
  {
    what: 'a payment exists that nobody asked for',
    rule: 'unasked',
    tamper: ({ payments }) => {
      payments.push({ ...first(payments, isDone), id: '5c1c2f6e-7f43-4a43-8a30-9dcd1f4f0a11' })
    },
  },
  {
    what: 'the database has another state',
    rule: 'status',
    tamper: ({ payments }) => {
      first(payments, isDone).state = 'FAILED'
    },
  },
  {
    what: 'a failed payment is shown as COMPLETED',
    rule: 'operator',
    tamper: ({ records, payments }) => {
      const failed = first(
        records,
        ({ kind, current }) => kind !== 'splitPayment' && current?.status === 'FAILED',
      )
      const { failureReason: _, ...rest } = failed.current ?? {}
      failed.current = { ...rest, status: 'COMPLETED' }
      const row = first(payments, (one) => isAbout(one, failed))
      payments[payments.indexOf(row)] = { ...row, state: 'COMPLETED', failureCode: null }
    },
  },
  {
    what: 'the operator got one order twice',
    rule: 'twice',
    tamper: ({ book }) => {
      first(book, () => true).asked = 2
    },
  },
  {
    what: 'the operator has a second order under another reference',
    rule: 'twice',
    tamper: ({ book }) => {
      book.push({ ...first(book, () => true), reference: 'another' })
    },
  },
  {
    what: 'the operator lost an order that was paid',
    rule: 'operator',
    tamper: ({ book, payments }) => {
      const { reference } = first(payments, isDone)
      remove(
        book,
        first(book, (one) => one.reference === reference),
      )
    },
  },
  {
    what: 'a wallet has an extra cent',
    rule: 'money',
    tamper: ({ accounts }) => {
      const wallet = first(accounts, ({ account }) => account === 'wallet:ZMB:ZMW')
      wallet.balance = `${wallet.balance.split('.')[0]}.01`
    },
  },
  {
    what: 'the metadata of one payment is stored with another',
    rule: 'content',
    tamper: ({ records }) => {
      const [one, other] = records.filter(({ current }) => current?.metadata !== undefined)
      assert.ok(one !== undefined && other !== undefined)
      one.current = { ...one.current, metadata: other.current?.metadata }
    },
  },
  {
    what: 'a remittance has the sender of another',
    rule: 'content',
    tamper: ({ records }) => {
      const one = first(records, ({ current }) => current?.sender !== undefined)
      one.current = {
        ...one.current,
        sender: { ...(one.current?.sender ?? {}), senderDetails: {} },
      }
    },
  },
  {
    what: 'a split payment does not match its parts',
    rule: 'parts',
    tamper: ({ records }) => {
      const split = first(
        records,
        ({ kind, current }) => kind === 'splitPayment' && current !== null,
      )
      const isDone = split.current?.status === 'COMPLETED'
      split.current = { ...split.current, status: isDone ? 'PAYOUT_FAILED' : 'COMPLETED' }
    },
  },
  {
    what: 'more was refunded than was collected',
    rule: 'parts',
    tamper: ({ records }) => {
      const refund = first(records, isRefunded)
      refund.current = { ...refund.current, amount: '9999999' }
    },
  },
  {
    what: 'a wallet is below zero, although all adds up',
    rule: 'money',
    tamper: ({ merchants, accounts }) => {
      const lower = (one: { balance: string } | undefined): void => {
        if (one !== undefined) one.balance = String(Number(one.balance) - 10_000_000)
      }
      const isRwanda = ({ country }: { country: string }): boolean => country === 'RWA'
      lower(merchants[0]?.opening.find(isRwanda))
      lower(merchants[0]?.closing.find(isRwanda))
      lower(accounts.find((one) => one.merchant === 0 && one.account === 'wallet:RWA:RWF'))
    },
  },
  {
    what: 'an account is missing',
    rule: 'money',
    tamper: ({ accounts }) => {
      const isMoved = ({ type, balance }: Evidence['accounts'][number]): boolean =>
        type === 'float' && Number(balance) !== 0
      remove(accounts, first(accounts, isMoved))
    },
  },
  {
    what: 'a fee was charged that nobody owes',
    rule: 'money',
    tamper: ({ accounts }) => {
      accounts.push({ merchant: 0, account: 'fees:ZMW', type: 'fees', balance: '1' })
    },
  },
  {
    what: 'an order went to another provider',
    rule: 'operator',
    tamper: ({ book }) => {
      const order = first(book, () => true)
      book[book.indexOf(order)] = { ...order, provider: 'ZAMTEL_ZMB' }
    },
  },
  {
    what: 'a refund went through a different provider than its deposit',
    rule: 'parts',
    tamper: ({ records }) => {
      const refund = first(records, isRefunded)
      const { recipient } = refund.current as { recipient: { accountDetails: object } }
      const accountDetails = { ...recipient.accountDetails, provider: 'ZAMTEL_ZMB' }
      refund.current = { ...refund.current, recipient: { ...recipient, accountDetails } }
    },
  },
]

const isRefunded = ({ kind, current }: Evidence['records'][number]): boolean =>
  kind === 'refund' && current?.status === 'COMPLETED'

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { balanceOf, setBalance, switchPayouts } from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  legacyReaches,
  msisdn,
  STARTED,
  startLegacy,
  taken,
} from '../../../support/legacy-payments.ts'
import { assertShape, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const RECORD = {
  status: 'COMPLETED',
  amount: '15',
  currency: 'ZMW',
  country: 'ZMB',
  correspondent: 'MTN_MOMO_ZMB',
  recipient: msisdn('260763456789'),
  customerTimestamp: STARTED,
  statementDescription: 'Order 12345',
  created: SECONDS,
  receivedByRecipient: SECONDS,
  correspondentIds: { MTN_INIT: /^\S{8,}$/, MTN_FINAL: /^SBX[0-9A-F]{16}$/ },
}

it('a payout goes from request to callback, and the wallet shrinks', async () => {
  const { id: payoutId, ...answer } = await startLegacy(service, 'payout', { amount: '15.50' })
  assertLegacy(answer, 200, taken({ payoutId }, 'ACCEPTED', SECONDS))
  const record = await legacyReaches(service, 'payout', payoutId, 'COMPLETED')
  const { created } = answer.body
  assertShape(record, { payoutId, ...RECORD, amount: '15.50', created })
  await eventually(() => assert.equal(receiver.received.length, 1))
  assert.deepEqual(JSON.parse(receiver.received[0]?.body ?? ''), record)
  assert.equal(await balanceOf(service), '999984.50')
})

/** What a request carries beside what it must, and what the record shows of it. */
const OPTIONAL: readonly (readonly [what: string, sent: object, shown: object])[] = [
  ['a description of 22', { statementDescription: x(22) }, { statementDescription: x(22) }],
  ['the country', { country: 'ZMB' }, {}],
  ['null for what is optional', { country: null, metadata: null }, {}],
  ['empty text for what is optional', { country: '', metadata: '' }, {}],
  [
    'metadata that is personal and not',
    { metadata: [pair('a', '1', true), pair('b', '2', false), pair('c', '3')] },
    { metadata: { a: '1', b: '2', c: '3' } },
  ],
  ['ten entries of metadata', { metadata: tenPairs() }, { metadata: merged(tenPairs()) }],
  ['no entry of metadata', { metadata: [] }, {}],
  ['an amount with zeroes', { amount: '5.00' }, { amount: '5.00' }],
  ['an amount as a number', { amount: 15.5 }, { amount: '15.5' }],
  ['a whole amount as a number', { amount: 15 }, {}],
  ['a time in small letters', { customerTimestamp: at('t', 'z') }, time(at('t', 'z'))],
  [
    'a time with a fraction',
    { customerTimestamp: at('T', '.123-01:30') },
    time(at('T', '.123-01:30')),
  ],
]

describe('a payout is accepted and shown as it was sent, with', () => {
  for (const [what, sent, shown] of OPTIONAL) {
    it(what, async () => {
      const { id: payoutId, body } = await startLegacy(service, 'payout', { ...sent })
      assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
      const record = await legacyReaches(service, 'payout', payoutId, 'COMPLETED')
      assertShape(record, { payoutId, ...RECORD, ...shown })
    })
  }
})

it('a payout takes the last of the wallet', async () => {
  const before = await balanceOf(service)
  await setBalance(service, '15')
  const { id, body } = await startLegacy(service, 'payout')
  assert.equal(body.status, 'ACCEPTED')
  await legacyReaches(service, 'payout', id, 'COMPLETED')
  assert.equal(await balanceOf(service), '0.00')
  await setBalance(service, before)
})

it('a payout is ENQUEUED while the correspondent is DELAYED, and ends when it works', async () => {
  await switchPayouts(service, 'DELAYED')
  const { id: payoutId, ...answer } = await startLegacy(service, 'payout')
  assertLegacy(answer, 200, taken({ payoutId }, 'ENQUEUED', SECONDS))
  const waiting = await legacyReaches(service, 'payout', payoutId, 'ENQUEUED')
  const { receivedByRecipient, correspondentIds, ...rest } = RECORD
  const { created } = answer.body
  assertShape(waiting, { payoutId, ...rest, status: 'ENQUEUED', created })
  await switchPayouts(service, 'OPERATIONAL')
  const record = await legacyReaches(service, 'payout', payoutId, 'COMPLETED')
  assertShape(record, { payoutId, ...rest, created, receivedByRecipient, correspondentIds })
})

it('a payout is ACCEPTED while only deposits of the correspondent are delayed', async () => {
  const control = { provider: 'MTN_MOMO_ZMB', operationType: 'DEPOSIT' }
  await service.put('/sandbox/availability', { ...control, status: 'DELAYED' })
  const { id, body } = await startLegacy(service, 'payout')
  await service.put('/sandbox/availability', { ...control, status: 'OPERATIONAL' })
  assert.equal(body.status, 'ACCEPTED')
  await legacyReaches(service, 'payout', id, 'COMPLETED')
})

it('an identifier is echoed as sent, and found in either case', async () => {
  const payoutId = randomUUID().toUpperCase()
  const { body } = await startLegacy(service, 'payout', { payoutId })
  assert.deepEqual([body.status, body.payoutId], ['ACCEPTED', payoutId])
  for (const path of [payoutId, payoutId.toLowerCase()]) {
    assert.equal((await legacyReaches(service, 'payout', path, 'COMPLETED')).payoutId, payoutId)
  }
})

function at(separator: string, rest: string): string {
  return `2026-11-15${separator}10:14:00${rest}`
}

function time(customerTimestamp: string): object {
  return { customerTimestamp }
}

function pair(fieldName: string, fieldValue: string, isPII?: boolean) {
  return { fieldName, fieldValue, ...(isPII === undefined ? {} : { isPII }) }
}

function tenPairs() {
  return Array.from({ length: 10 }, (_, index) => pair(`name ${index}`, `value ${index}`))
}

function merged(pairs: readonly ReturnType<typeof pair>[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ fieldName, fieldValue }) => [fieldName, fieldValue]))
}

function x(length: number): string {
  return 'x'.repeat(length)
}

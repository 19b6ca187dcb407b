import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { balanceOf, setBalance } from '../../../../harness/payouts.ts'
import {
  completedDeposit,
  depositThatHangs,
  REFUND_FAILS,
  setAvailability,
} from '../../../../harness/refunds.ts'
import { payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  legacyBody,
  legacyReaches,
  startLegacy,
  taken,
} from '../../../support/legacy-payments.ts'

const service = await shareService()
after(service.stop)

const toFail = { payer: payer(REFUND_FAILS, 'MTN_MOMO_ZMB') }

/** The deposit, a first refund that is accepted, and a second one with its identifier. */
const REPEATS: readonly (readonly [
  what: string,
  deposit: object,
  first: object,
  second: object,
  ending: string,
])[] = [
  ['the same request', {}, {}, {}, 'COMPLETED'],
  ['the same amount as a number', {}, { amount: '15' }, { amount: 15 }, 'COMPLETED'],
  ['another amount', {}, { amount: '15' }, { amount: '16' }, 'COMPLETED'],
  ['an amount that would be refused', {}, { amount: '15' }, { amount: '101' }, 'COMPLETED'],
  ['a deposit that does not exist', {}, {}, { depositId: randomUUID() }, 'COMPLETED'],
  ['a first one that failed', toFail, {}, {}, 'FAILED'],
]

describe('a repeated identifier is a duplicate and changes nothing, with', () => {
  for (const [what, deposit, first, second, ending] of REPEATS) {
    it(what, async () => {
      const depositId = await completedDeposit(service, { ...deposit })
      const body = await legacyBody(service, 'refund', { depositId, ...first })
      const { refundId } = body
      const { created } = (await service.post('/refunds', body)).body
      const expected = taken({ refundId }, 'DUPLICATE_IGNORED', created)
      assertLegacy(await service.post('/refunds', { ...body, ...second }), 200, expected)
      const record = await legacyReaches(service, 'refund', refundId, ending)
      assertLegacy(await service.post('/refunds', { ...body, ...second }), 200, expected)
      assert.deepEqual(await legacyReaches(service, 'refund', refundId, ending), record)
    })
  }
})

it('a repeat while the refund is under way is a duplicate, not a second refund', async () => {
  const depositId = await depositThatHangs(service, '260763450001')
  const { id, body } = await startLegacy(service, 'refund', { depositId })
  await legacyReaches(service, 'refund', id, 'SUBMITTED')
  for (const refundId of [id, id.toUpperCase()]) {
    const answer = await service.post('/refunds', { refundId, depositId, amount: '1' })
    assertLegacy(answer, 200, taken({ refundId }, 'DUPLICATE_IGNORED', body.created))
  }
})

it('a repeat is a duplicate while the correspondent is closed or the wallet is empty', async () => {
  const depositId = await completedDeposit(service)
  const { id: refundId, body } = await startLegacy(service, 'refund', { depositId, amount: '1' })
  await legacyReaches(service, 'refund', refundId, 'COMPLETED')
  const full = await balanceOf(service)
  await setAvailability(service, 'REFUND', 'CLOSED')
  await setBalance(service, '0')
  const answer = await service.post('/refunds', { refundId, depositId, amount: '1' })
  await setBalance(service, full)
  await setAvailability(service, 'REFUND', 'OPERATIONAL')
  assertLegacy(answer, 200, taken({ refundId }, 'DUPLICATE_IGNORED', body.created))
})

it('of simultaneous requests with one identifier only one is refunded', async () => {
  const before = Number(await balanceOf(service))
  const depositId = await completedDeposit(service)
  const refundId = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.post('/refunds', { refundId, depositId })),
  )
  const statuses = answers.map((answer) => answer.body.status).toSorted()
  assert.deepEqual(statuses, ['ACCEPTED', ...Array(19).fill('DUPLICATE_IGNORED')])
  await legacyReaches(service, 'refund', refundId, 'COMPLETED')
  assert.equal(Number(await balanceOf(service)), before)
})

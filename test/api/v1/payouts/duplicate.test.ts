import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { balanceOf, setBalance, switchPayouts } from '../../../../harness/payouts.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  legacyPayout,
  legacyReaches,
  msisdn,
  taken,
} from '../../../support/legacy-payments.ts'

const service = await shareService()
after(service.stop)

/** A first request that is accepted, a second one with its identifier, and how the first ends. */
const REPEATS: readonly (readonly [what: string, first: object, second: object, ending: string])[] =
  [
    ['the same request', {}, {}, 'COMPLETED'],
    ['the same amount as a number', {}, { amount: 15 }, 'COMPLETED'],
    ['another amount', {}, { amount: '99' }, 'COMPLETED'],
    [
      'another recipient',
      {},
      { correspondent: 'AIRTEL_OAPI_ZMB', recipient: msisdn('260973456789') },
      'COMPLETED',
    ],
    ['an amount that would be refused', {}, { amount: '20001' }, 'COMPLETED'],
    ['a currency that would be refused', {}, { currency: 'KES' }, 'COMPLETED'],
    ['a country that would be refused', {}, { country: 'KEN' }, 'COMPLETED'],
    ['a number that would be refused', {}, { recipient: msisdn('1') }, 'COMPLETED'],
    ['a correspondent that would be refused', {}, { correspondent: 'NOBODY' }, 'COMPLETED'],
    ['a first one that failed', { recipient: msisdn('260763456119') }, {}, 'FAILED'],
    ['a first one that is still running', { recipient: msisdn('260763456129') }, {}, 'SUBMITTED'],
  ]

describe('a repeated identifier is a duplicate and changes nothing, with', () => {
  for (const [what, first, second, ending] of REPEATS) {
    it(what, async () => {
      const body = legacyPayout({ ...first })
      const { payoutId } = body
      const { created } = (await service.post('/payouts', body)).body
      const again = await service.post('/payouts', { ...body, ...second })
      assertLegacy(again, 200, taken({ payoutId }, 'DUPLICATE_IGNORED', created))
      const [record] = (await service.get(`/payouts/${payoutId}`)).body
      assert.deepEqual(
        [record.amount, record.recipient, record.created],
        [body.amount, body.recipient, created],
      )
      await legacyReaches(service, 'payout', payoutId, ending)
    })
  }
})

it('an identifier is case-insensitive, and echoed as sent', async () => {
  const body = legacyPayout()
  const { created } = (await service.post('/payouts', body)).body
  const payoutId = body.payoutId.toUpperCase()
  const answer = await service.post('/payouts', { ...body, payoutId })
  assertLegacy(answer, 200, taken({ payoutId }, 'DUPLICATE_IGNORED', created))
})

describe('a repeat is a duplicate', () => {
  it('while the correspondent is closed, and while it is enqueued', async () => {
    await switchPayouts(service, 'DELAYED')
    const body = legacyPayout()
    const { payoutId } = body
    const { status, created } = (await service.post('/payouts', body)).body
    assert.equal(status, 'ENQUEUED')
    const expected = taken({ payoutId }, 'DUPLICATE_IGNORED', created)
    assertLegacy(await service.post('/payouts', body), 200, expected)
    await switchPayouts(service, 'CLOSED')
    assertLegacy(await service.post('/payouts', body), 200, expected)
    await switchPayouts(service, 'OPERATIONAL')
    await legacyReaches(service, 'payout', payoutId, 'COMPLETED')
  })

  it('while the wallet is empty', async () => {
    const full = await balanceOf(service)
    const body = legacyPayout()
    const { payoutId } = body
    const { created } = (await service.post('/payouts', body)).body
    await legacyReaches(service, 'payout', payoutId, 'COMPLETED')
    await setBalance(service, '0')
    const answer = await service.post('/payouts', body)
    await setBalance(service, full)
    assertLegacy(answer, 200, taken({ payoutId }, 'DUPLICATE_IGNORED', created))
  })
})

it('of simultaneous requests with one identifier only one is paid', async () => {
  const before = Number(await balanceOf(service))
  const body = legacyPayout()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => {
      const payoutId = at % 2 === 0 ? body.payoutId : body.payoutId.toUpperCase()
      return service.post('/payouts', { ...body, payoutId })
    }),
  )
  const statuses = answers.map((answer) => answer.body.status).toSorted()
  assert.deepEqual(statuses, ['ACCEPTED', ...Array(19).fill('DUPLICATE_IGNORED')])
  await legacyReaches(service, 'payout', body.payoutId, 'COMPLETED')
  assert.equal(Number(await balanceOf(service)), before - 15)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { AIRTEL, balanceOf, setBalance, switchPayouts } from '../../../../harness/payouts.ts'
import type { Answer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  assertLegacyError,
  legacyPayout,
  legacyReaches,
  msisdn,
  rejected,
  taken,
} from '../../../support/legacy-payments.ts'

const service = await shareService()
after(service.stop)

type Body = ReturnType<typeof legacyPayout>
const bulk = (body: unknown): Promise<Answer> => service.post('/payouts/bulk', body)
const bodies = (count: number): Body[] => Array.from({ length: count }, () => legacyPayout())
const accepted = ({ payoutId }: Body) => taken({ payoutId })

describe('a bulk is answered entry by entry:', () => {
  for (const count of [1, 20]) {
    it(`${count} payouts`, async () => {
      const sent = bodies(count)
      assertLegacy(await bulk(sent), 200, sent.map(accepted))
      for (const { payoutId } of sent) {
        await legacyReaches(service, 'payout', payoutId, 'COMPLETED')
      }
    })
  }

  it('mixed outcomes are in the order of their entries', async () => {
    const [earlier] = bodies(1)
    const { created } = (await service.post('/payouts', earlier)).body
    await switchPayouts(service, 'CLOSED', AIRTEL)
    const airtel = { correspondent: AIRTEL, recipient: msisdn('260973456789') }
    const sent = [
      legacyPayout({ amount: '0' }),
      legacyPayout({ amount: 15.5, payoutId: randomUUID().toUpperCase() }),
      legacyPayout({ currency: 'KES' }),
      earlier,
      legacyPayout({ recipient: msisdn('1') }),
      legacyPayout(airtel),
      legacyPayout({ correspondent: 'NOBODY' }),
      legacyPayout({ amount: 5.555 }),
      legacyPayout({ recipient: msisdn('260763456119') }),
    ]
    const no = (at: number, code: string) =>
      rejected({ payoutId: sent[at].payoutId }, code, /^The .*\.$/s)
    const answer = await bulk(sent)
    await switchPayouts(service, 'OPERATIONAL', AIRTEL)
    assertLegacy(answer, 200, [
      no(0, 'AMOUNT_TOO_SMALL'),
      accepted(sent[1]),
      no(2, 'INVALID_CURRENCY'),
      taken({ payoutId: earlier.payoutId }, 'DUPLICATE_IGNORED', created),
      no(4, 'INVALID_RECIPIENT_FORMAT'),
      no(5, 'CORRESPONDENT_TEMPORARILY_UNAVAILABLE'),
      no(6, 'INVALID_CORRESPONDENT'),
      no(7, 'INVALID_AMOUNT'),
      accepted(sent[8]),
    ])
    await legacyReaches(service, 'payout', sent[1].payoutId, 'COMPLETED')
    await legacyReaches(service, 'payout', sent[8].payoutId, 'FAILED')
  })

  it('entries are ENQUEUED while the correspondent is DELAYED', async () => {
    await switchPayouts(service, 'DELAYED')
    const sent = bodies(3)
    const answer = await bulk(sent)
    assertLegacy(
      answer,
      200,
      sent.map(({ payoutId }) => taken({ payoutId }, 'ENQUEUED')),
    )
    for (const { payoutId } of sent) await legacyReaches(service, 'payout', payoutId, 'ENQUEUED')
    await switchPayouts(service, 'OPERATIONAL')
    for (const { payoutId } of sent) await legacyReaches(service, 'payout', payoutId, 'COMPLETED')
  })

  it('money is given to the entries in their order, the others are refused', async () => {
    const full = await balanceOf(service)
    await setBalance(service, '100')
    const sent = ['60', '60', '40', '1'].map((amount) => legacyPayout({ amount }))
    const short = (at: number) =>
      rejected({ payoutId: sent[at]?.payoutId }, 'BALANCE_INSUFFICIENT', /wallet/)
    const before = await stored()
    assertLegacy(await bulk(sent), 200, [accepted(sent[0]), short(1), accepted(sent[2]), short(3)])
    assert.equal(await stored(), before + 2)
    for (const at of [0, 2]) {
      await legacyReaches(service, 'payout', sent[at]?.payoutId, 'COMPLETED')
    }
    assert.equal(await balanceOf(service), '0.00')
    await setBalance(service, full)
  })

  it('one identifier twice: the second is a duplicate of the first', async () => {
    const [body] = bodies(1)
    const payoutId = body.payoutId.toUpperCase()
    const answer = await bulk([body, ...bodies(2), { ...body, payoutId, amount: '0' }])
    const { created } = answer.body[0]
    assert.deepEqual(answer.body[3], taken({ payoutId }, 'DUPLICATE_IGNORED', created))
    const record = await legacyReaches(service, 'payout', payoutId, 'COMPLETED')
    assert.equal(record.amount, '15')
  })
})

/** How the fourth entry is broken, and how the message names the place. */
const BROKEN: readonly (readonly [entry: unknown, names: string])[] = [
  [legacyPayout({ amount: '5.' }), '[3].amount'],
  [legacyPayout({ amount: 1e21 }), '[3].amount'],
  [legacyPayout({ currency: undefined }), '[3].currency'],
  [legacyPayout({ provider: 'MTN_MOMO_ZMB' }), '[3].provider'],
  [legacyPayout({ recipient: {} }), '[3].type'],
  [legacyPayout({ customerTimestamp: '2026-02-30T00:00:00Z' }), '[3].customerTimestamp'],
  [legacyPayout({ metadata: [{ fieldName: 'a' }] }), '[3].fieldValue'],
  [null, '[3]'],
  ['text', '[3]'],
  [[], '[3]'],
]

describe('one broken entry refuses the call with error code 1 and stores nothing:', () => {
  for (const [entry, names] of BROKEN) {
    it(`${names} of ${JSON.stringify(entry).slice(0, 12)}`, async () => {
      const before = await stored()
      const answer = await bulk([...bodies(3), entry, ...bodies(2)])
      const says = new RegExp(`'${names.replace(/[[\].]/g, '\\$&')}'`)
      assertLegacyError(service, answer, 400, says)
      assert.equal(await stored(), before)
    })
  }
})

/** Bodies that are no bulk. */
const NO_BULK: readonly (readonly [what: string, body: unknown, says: RegExp])[] = [
  ['no entry', [], /'body'.*1 to 20 payouts.*has 0/],
  ['21 entries', bodies(21), /'body'.*1 to 20 payouts.*has 21/],
  ['one deposit', legacyPayout(), /'body'.*an array of payouts/],
  ['null', 'null', /an array of payouts/],
  ['nothing', undefined, /could not be parsed/],
  ['half a list', '[{}', /could not be parsed/],
]

describe('400 with error code 1 for what is not a bulk:', () => {
  for (const [what, body, says] of NO_BULK) {
    it(what, async () => {
      const before = await stored()
      const answer = await bulk(body)
      assertLegacyError(service, answer, 400, says)
      assert.equal(await stored(), before)
    })
  }
})

async function stored(): Promise<number> {
  return (
    await service.database.query('select from payments where merchant_id = $1', [
      service.merchantId,
    ])
  ).length
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import type { Answer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  assertLegacyError,
  legacyDeposit,
  legacyReaches,
  msisdn,
  rejected,
  taken,
} from '../../../support/legacy-payments.ts'

const service = await shareService()
after(service.stop)

type Body = ReturnType<typeof legacyDeposit>
const bulk = (body: unknown): Promise<Answer> => service.post('/deposits/bulk', body)
const bodies = (count: number): Body[] => Array.from({ length: count }, () => legacyDeposit())
const accepted = ({ depositId }: Body) => taken({ depositId })

describe('a bulk is answered entry by entry:', () => {
  for (const count of [1, 20]) {
    it(`${count} deposits`, async () => {
      const sent = bodies(count)
      assertLegacy(await bulk(sent), 200, sent.map(accepted))
      for (const { depositId } of sent) {
        await legacyReaches(service, 'deposit', depositId, 'COMPLETED')
      }
    })
  }

  it('mixed outcomes are in the order of their entries', async () => {
    const [earlier] = bodies(1)
    const { created } = (await service.post('/deposits', earlier)).body
    const burkinabe = { amount: '100', currency: 'XOF', payer: msisdn('22607345678') }
    const sent = [
      legacyDeposit({ amount: '0' }),
      legacyDeposit({ amount: 15.5, depositId: randomUUID().toUpperCase() }),
      legacyDeposit({ currency: 'KES' }),
      earlier,
      legacyDeposit({ payer: msisdn('1') }),
      legacyDeposit({ ...burkinabe, correspondent: 'ORANGE_BFA' }),
      legacyDeposit({ correspondent: 'NOBODY' }),
      legacyDeposit({ amount: 5.555 }),
      legacyDeposit({ payer: msisdn('260763456039') }),
    ]
    const no = (at: number, code: string) =>
      rejected({ depositId: sent[at].depositId }, code, /^The .*\.$/s)
    assertLegacy(await bulk(sent), 200, [
      no(0, 'AMOUNT_TOO_SMALL'),
      accepted(sent[1]),
      no(2, 'INVALID_CURRENCY'),
      taken({ depositId: earlier.depositId }, 'DUPLICATE_IGNORED', created),
      no(4, 'INVALID_PAYER_FORMAT'),
      no(5, 'PARAMETER_INVALID'),
      no(6, 'INVALID_CORRESPONDENT'),
      no(7, 'INVALID_AMOUNT'),
      accepted(sent[8]),
    ])
    await legacyReaches(service, 'deposit', sent[1].depositId, 'COMPLETED')
    await legacyReaches(service, 'deposit', sent[8].depositId, 'FAILED')
  })

  it('one identifier twice: the second is a duplicate of the first', async () => {
    const [body] = bodies(1)
    const depositId = body.depositId.toUpperCase()
    const answer = await bulk([body, ...bodies(2), { ...body, depositId, amount: '0' }])
    const { created } = answer.body[0]
    assert.deepEqual(answer.body[3], taken({ depositId }, 'DUPLICATE_IGNORED', created))
    const record = await legacyReaches(service, 'deposit', depositId, 'COMPLETED')
    assert.equal(record.requestedAmount, '15')
  })
})

/** How the fourth entry is broken, and how the message names the place. */
const BROKEN: readonly (readonly [entry: unknown, names: string])[] = [
  [legacyDeposit({ amount: '5.' }), '[3].amount'],
  [legacyDeposit({ amount: 1e21 }), '[3].amount'],
  [legacyDeposit({ currency: undefined }), '[3].currency'],
  [legacyDeposit({ provider: 'MTN_MOMO_ZMB' }), '[3].provider'],
  [legacyDeposit({ payer: {} }), '[3].type'],
  [legacyDeposit({ customerTimestamp: '2026-02-30T00:00:00Z' }), '[3].customerTimestamp'],
  [legacyDeposit({ metadata: [{ fieldName: 'a' }] }), '[3].fieldValue'],
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
  ['no entry', [], /'body'.*1 to 20 deposits.*has 0/],
  ['21 entries', bodies(21), /'body'.*1 to 20 deposits.*has 21/],
  ['one deposit', legacyDeposit(), /'body'.*an array of deposits/],
  ['null', 'null', /an array of deposits/],
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

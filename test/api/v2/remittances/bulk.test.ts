import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../../../harness/receiver.ts'
import {
  recipient,
  remittanceBody,
  remittanceWith,
  remitterOf,
} from '../../../../harness/remittances.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { remittance: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})
const { remit, reaches } = remitterOf(service)

const bulk = (body: unknown) => service.post('/v2/remittances/bulk', body)
const several = (count: number) => Array.from({ length: count }, () => remittanceBody())
const accepted = ({ remittanceId }: { remittanceId: string }) => ({
  remittanceId,
  status: 'ACCEPTED',
  created: SECONDS,
})
const stored = async (): Promise<number> =>
  (
    await service.database.query('select id from payments where merchant_id = $1', [
      service.merchantId,
    ])
  ).length

describe('each entry is answered in its place and paid by itself, of', () => {
  for (const count of [1, 2, 20]) {
    it(`${count}`, async () => {
      const bodies = several(count)
      assertAnswer(await bulk(bodies), 200, bodies.map(accepted))
      for (const { remittanceId } of bodies) {
        const record = JSON.stringify(await reaches(remittanceId, 'COMPLETED'))
        await eventually(() =>
          assert.ok(
            receiver.received.some(({ body }) => body === record),
            'sent by itself',
          ),
        )
      }
    })
  }
})

it('some are accepted, others rejected, others known already', async () => {
  const known = remittanceBody()
  const { created } = (await service.post('/v2/remittances', known)).body
  const bodies = [
    remittanceBody({ amount: '0' }),
    remittanceBody(),
    known,
    remittanceBody({ currency: 'KES' }),
    remittanceBody({ recipient: recipient('1', 'NOBODY') }),
    remittanceBody({ remittanceId: remittanceBody().remittanceId.toUpperCase() }),
  ]
  const [small, good, , kes, nobody, upper] = bodies
  assertAnswer(await bulk(bodies), 200, [
    refused('AMOUNT_OUT_OF_BOUNDS', undefined, { remittanceId: small.remittanceId }),
    accepted(good),
    { remittanceId: known.remittanceId, status: 'DUPLICATE_IGNORED', created },
    refused('INVALID_CURRENCY', undefined, { remittanceId: kes.remittanceId }),
    refused('INVALID_PROVIDER', undefined, { remittanceId: nobody.remittanceId }),
    accepted(upper),
  ])
  await reaches(good.remittanceId, 'COMPLETED')
})

it('the same identifier twice: the first entry counts, whatever the case', async () => {
  for (let times = 0; times < 10; times += 1) {
    const first = remittanceBody({ amount: '11' })
    const second = { ...first, amount: '22', remittanceId: first.remittanceId.toUpperCase() }
    const { body } = await bulk([first, remittanceBody(), second])
    assert.deepEqual(
      [body[0].status, body[2].status, body[2].created],
      ['ACCEPTED', 'DUPLICATE_IGNORED', body[0].created],
    )
    assert.equal((await reaches(first.remittanceId, 'COMPLETED')).amount, '11')
  }
})

it('an entry that is refused does not use up its identifier for a later one', async () => {
  for (let times = 0; times < 20; times += 1) {
    const first = remittanceBody({ amount: '0' })
    const second = { ...first, amount: '22' }
    const { remittanceId } = first
    assertAnswer(await bulk([first, second]), 200, [
      refused('AMOUNT_OUT_OF_BOUNDS', undefined, { remittanceId }),
      accepted(second),
    ])
  }
})

it('a wallet that cannot pay them all pays the first ones', async () => {
  await service.put('/sandbox/wallets', { country: 'MWI', currency: 'MWK', balance: '250' })
  const bodies = Array.from({ length: 4 }, () =>
    remittanceBody({
      amount: '100',
      currency: 'MWK',
      recipient: recipient('265993456789', 'AIRTEL_MWI'),
    }),
  )
  assertAnswer(await bulk(bodies), 200, bodies.map(accepted))
  const ends = ['COMPLETED', 'COMPLETED', 'FAILED', 'FAILED']
  for (const [index, end] of ends.entries()) await reaches(bodies[index].remittanceId, end)
})

const entry = remittanceWith
const PERSON = 'sender.senderDetails'

/** A broken entry refuses the whole call, and is named with its place, counted from 0. */
const BROKEN: readonly (readonly [name: string, code: string, entries: readonly unknown[]])[] = [
  ['[0].amount', 'INVALID_PARAMETER', [entry('amount', 'x')]],
  ['[1].amount', 'MISSING_PARAMETER', [remittanceBody(), entry('amount', undefined)]],
  ['[19].lastName', 'MISSING_PARAMETER', [...several(19), entry(`${PERSON}.lastName`, null)]],
  [
    '[1].nationality',
    'INVALID_PARAMETER',
    [remittanceBody(), entry(`${PERSON}.nationality`, 'ZZZ')],
  ],
  ['[0].country', 'INVALID_PARAMETER', [entry(`${PERSON}.address.country`, 'ZZZ')]],
  ['[0].dateOfBirth', 'INVALID_PARAMETER', [entry(`${PERSON}.dateOfBirth`, '2023-02-29')]],
  ['[0].clientReferenceId', 'UNSUPPORTED_PARAMETER', [entry('clientReferenceId', 'INV-7')]],
  ['[0].metadata', 'DUPLICATE_METADATA_FIELD', [entry('metadata', [{ a: '1' }, { a: '2' }])]],
  ['[0].metadata[1]', 'INVALID_PARAMETER', [entry('metadata', [{ a: '1' }, 'b'])]],
  ['[0].remittanceId', 'MISSING_PARAMETER', [{}]],
  ["[0].$&$'", 'UNSUPPORTED_PARAMETER', [entry("$&$'", 1)]],
  ['[0].body', 'UNSUPPORTED_PARAMETER', [entry('body', 1)]],
  ['[0].body', 'INVALID_PARAMETER', [entry('metadata', [{ body: 7 }])]],
  ['[1]', 'INVALID_PARAMETER', [remittanceBody(), 'text']],
  ['[0]', 'INVALID_PARAMETER', [null]],
  ['[0]', 'INVALID_PARAMETER', [[remittanceBody()]]],
  ['body', 'INVALID_PARAMETER', []],
  ['body', 'INVALID_PARAMETER', several(21)],
]

describe('one broken entry refuses the whole call and stores nothing:', () => {
  for (const [name, code, entries] of BROKEN) {
    it(`'${name}': ${code}`, async () => {
      const before = await stored()
      const answer = await bulk(entries)
      assertAnswer(answer, 400, refused(code))
      const { failureMessage } = answer.body.failureReason
      assert.ok(failureMessage.startsWith(`The parameter '${name}' `), failureMessage)
      assert.equal(await stored(), before)
    })
  }
})

/** Bodies that are no list. */
const BODIES: readonly (readonly [body: string, code: string, says: RegExp])[] = [
  ['', 'INVALID_INPUT', /could not be parsed/],
  ['[', 'INVALID_INPUT', /could not be parsed/],
  [JSON.stringify(remittanceBody()), 'INVALID_PARAMETER', /'body'.*array of remittances/],
  ['"text"', 'INVALID_PARAMETER', /'body'.*array/],
  ['null', 'INVALID_PARAMETER', /'body'.*array/],
]

describe('400 without an identifier for the body', () => {
  for (const [body, code, says] of BODIES) {
    it(body.slice(0, 20) || '(empty)', async () => {
      assertAnswer(await bulk(body), 400, refused(code, says))
    })
  }
})

it('a call that is repeated as a whole pays nobody twice', async () => {
  const bodies = several(3)
  await bulk(bodies)
  const { body } = await bulk(bodies)
  assert.deepEqual(
    body.map((one: { status: string }) => one.status),
    Array(3).fill('DUPLICATE_IGNORED'),
  )
  const again = await remit({ remittanceId: bodies[1].remittanceId })
  assert.equal(again.body.status, 'DUPLICATE_IGNORED')
})

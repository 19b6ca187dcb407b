import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import {
  balanceOf,
  MTN,
  payout,
  payoutBody,
  reachesPayout,
  recipient,
  setBalance,
  switchPayouts,
} from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { type Answer, eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

type Body = ReturnType<typeof payoutBody>
const bulk = (body: unknown): Promise<Answer> => service.post('/v2/payouts/bulk', body)
const bodies = (count: number, changes = {}): Body[] =>
  Array.from({ length: count }, () => payoutBody(changes))
const accepted = ({ payoutId }: Body) => ({ payoutId, status: 'ACCEPTED', created: SECONDS })
const stored = async (): Promise<number> =>
  (
    await service.database.query('select from payments where merchant_id = $1', [
      service.merchantId,
    ])
  ).length

describe('a bulk is answered entry by entry:', () => {
  for (const count of [1, 2, 20]) {
    it(`${count} payouts, each with its own callback`, async () => {
      const before = Number(await balanceOf(service))
      const sent = bodies(count)
      assertAnswer(await bulk(sent), 200, sent.map(accepted))
      const records = await Promise.all(
        sent.map(({ payoutId }) => reachesPayout(service, payoutId, 'COMPLETED')),
      )
      assert.equal(Number(await balanceOf(service)), before - 15 * count)
      await eventually(() => {
        const received = new Map(
          receiver.received.map(({ body }) => [JSON.parse(body).payoutId, JSON.parse(body)]),
        )
        for (const record of records) assert.deepEqual(received.get(record.payoutId), record)
      })
    })
  }

  it('mixed outcomes are in the order of their entries', async () => {
    const earlier = payoutBody()
    const { created } = (await service.post('/v2/payouts', earlier)).body
    await switchPayouts(service, 'CLOSED', 'AIRTEL_OAPI_ZMB')
    const airtel = payoutBody({ recipient: recipient('260973456789', 'AIRTEL_OAPI_ZMB') })
    const sent = [
      payoutBody({ amount: '0' }),
      payoutBody({ payoutId: randomUUID().toUpperCase() }),
      payoutBody({ currency: 'KES' }),
      earlier,
      payoutBody({ recipient: recipient('1', MTN) }),
      airtel,
      payoutBody({ recipient: recipient('1', 'NOBODY') }),
      payoutBody({ amount: '5.555' }),
      payoutBody({ recipient: recipient('260763456119', MTN) }),
    ]
    const answer = await bulk(sent)
    await switchPayouts(service, 'OPERATIONAL', 'AIRTEL_OAPI_ZMB')
    const rejected = (at: number, code: string) =>
      refused(code, /./, { payoutId: sent[at]?.payoutId })
    assertAnswer(answer, 200, [
      rejected(0, 'AMOUNT_OUT_OF_BOUNDS'),
      accepted(sent[1]),
      rejected(2, 'INVALID_CURRENCY'),
      { payoutId: earlier.payoutId, status: 'DUPLICATE_IGNORED', created },
      rejected(4, 'INVALID_PHONE_NUMBER'),
      rejected(5, 'PROVIDER_TEMPORARILY_UNAVAILABLE'),
      rejected(6, 'INVALID_PROVIDER'),
      rejected(7, 'INVALID_AMOUNT'),
      accepted(sent[8]),
    ])
    await reachesPayout(service, sent[1].payoutId, 'COMPLETED')
    await reachesPayout(service, sent[8].payoutId, 'FAILED')
  })

  it('the same bulk again is all duplicates', async () => {
    const sent = bodies(20)
    const first = await bulk(sent)
    const again = await bulk(sent.toReversed())
    const expected = first.body.toReversed().map((one: object) => ({
      ...one,
      status: 'DUPLICATE_IGNORED',
    }))
    assertAnswer(again, 200, expected)
  })

  it('null and empty text in what is optional count as absent, in every entry', async () => {
    const empty = { customerMessage: '', clientReferenceId: null, metadata: null }
    const sent = bodies(3, empty)
    assertAnswer(await bulk(sent), 200, sent.map(accepted))
  })

  it('entries are enqueued while the provider is DELAYED', async () => {
    await switchPayouts(service, 'DELAYED')
    const sent = bodies(3)
    assertAnswer(await bulk(sent), 200, sent.map(accepted))
    for (const { payoutId } of sent) await reachesPayout(service, payoutId, 'ENQUEUED')
    await switchPayouts(service, 'OPERATIONAL')
    for (const { payoutId } of sent) await reachesPayout(service, payoutId, 'COMPLETED')
  })

  it('money is given to the entries in their order', async () => {
    const before = await balanceOf(service)
    await setBalance(service, '100')
    const sent = ['60', '60', '40', '1'].map((amount) => payoutBody({ amount }))
    assertAnswer(await bulk(sent), 200, sent.map(accepted))
    const states = ['COMPLETED', 'FAILED', 'COMPLETED', 'FAILED']
    for (const [at, { payoutId }] of sent.entries()) {
      await reachesPayout(service, payoutId, states[at] ?? '')
    }
    assert.equal(await balanceOf(service), '0.00')
    await setBalance(service, before)
  })
})

/** Two entries with one identifier: how the second differs, and the answers to both. */
const TWICE: readonly (readonly [what: string, first: object, second: object, string[]])[] = [
  ['the same', {}, {}, ['ACCEPTED', 'DUPLICATE_IGNORED']],
  ['another amount', {}, { amount: '20' }, ['ACCEPTED', 'DUPLICATE_IGNORED']],
  [
    'money of another wallet',
    {},
    { amount: '50', currency: 'RWF', recipient: recipient('250783456789', 'MTN_MOMO_RWA') },
    ['ACCEPTED', 'DUPLICATE_IGNORED'],
  ],
  ['what would be refused', {}, { amount: '0' }, ['ACCEPTED', 'DUPLICATE_IGNORED']],
  ['what is not refused', { amount: '0' }, {}, ['REJECTED', 'ACCEPTED']],
  ['refused twice', { amount: '0' }, { currency: 'KES' }, ['REJECTED', 'REJECTED']],
]

describe('one identifier twice in a call: the second is a duplicate of the first, with', () => {
  for (const [what, first, second, statuses] of TWICE) {
    it(what, async () => {
      const payoutId = randomUUID()
      const { body } = await bulk([
        ...bodies(3),
        payoutBody({ payoutId, ...first }),
        ...bodies(3),
        payoutBody({ payoutId: payoutId.toUpperCase(), ...second }),
      ])
      const both = [body[3], body[7]]
      assert.deepEqual(
        both.map((one) => [one.payoutId, one.status]),
        [
          [payoutId, statuses[0]],
          [payoutId.toUpperCase(), statuses[1]],
        ],
      )
      if (statuses[0] === 'ACCEPTED') {
        assert.equal(both[1].created, both[0].created)
        assert.equal((await reachesPayout(service, payoutId, 'COMPLETED')).amount, '15')
      }
    })
  }

  it('twenty times: one is accepted, and it is the first', async () => {
    const before = Number(await balanceOf(service))
    const body = payoutBody()
    const answer = await bulk(Array(20).fill(body))
    const statuses = answer.body.map((one: { status: string }) => one.status)
    assert.deepEqual(statuses, ['ACCEPTED', ...Array(19).fill('DUPLICATE_IGNORED')])
    await reachesPayout(service, body.payoutId, 'COMPLETED')
    assert.equal(Number(await balanceOf(service)), before - 15)
  })
})

const details = (accountDetails: unknown) => ({ recipient: { type: 'MMO', accountDetails } })

/** How an entry is broken, the code, and how the message names the place. */
const BROKEN: readonly (readonly [change: unknown, code: string, names: string])[] = [
  [{ amount: 'x' }, 'INVALID_PARAMETER', '[3].amount'],
  [{ amount: 15 }, 'INVALID_PARAMETER', '[3].amount'],
  [{ amount: undefined }, 'MISSING_PARAMETER', '[3].amount'],
  [{ currency: null }, 'MISSING_PARAMETER', '[3].currency'],
  [{ payoutId: 'order-17' }, 'INVALID_PARAMETER', '[3].payoutId'],
  [{ payoutId: '' }, 'INVALID_PARAMETER', '[3].payoutId'],
  [{ amnt: '1' }, 'UNSUPPORTED_PARAMETER', '[3].amnt'],
  [{ recipient: {} }, 'MISSING_PARAMETER', '[3].type'],
  [details({ provider: MTN }), 'MISSING_PARAMETER', '[3].phoneNumber'],
  [details({ phoneNumber: '+260', provider: MTN }), 'INVALID_PARAMETER', '[3].phoneNumber'],
  [details({ phoneNumber: '260', provider: 'mtn' }), 'INVALID_PARAMETER', '[3].provider'],
  [{ customerMessage: 'abc' }, 'INVALID_PARAMETER', '[3].customerMessage'],
  [{ metadata: [{ a: '1' }, 'b'] }, 'INVALID_PARAMETER', '[3].metadata[1]'],
  [{ metadata: [{ a: '1' }, { a: '2' }] }, 'DUPLICATE_METADATA_FIELD', '[3].metadata'],
]

describe('one broken entry refuses the call, names the place and stores nothing:', () => {
  for (const [change, code, names] of BROKEN) {
    it(`${names} ${JSON.stringify(change)}`, () => refuses([change], code, names))
  }

  for (const entry of [null, 'text', 7, [], [payoutBody()]]) {
    it(`an entry that is ${JSON.stringify(entry)?.slice(0, 20)}`, async () => {
      const before = await stored()
      const answer = await bulk([...bodies(3), entry, ...bodies(2)])
      assertAnswer(answer, 400, refused('INVALID_PARAMETER', /'\[3\]'.*an object/))
      assert.equal(await stored(), before)
    })
  }

  it('of several broken entries the first is named', () =>
    refuses([{ amount: 'x' }, { amnt: 1 }], 'INVALID_PARAMETER', '[3].amount'))
})

/** Bodies that are no bulk. */
const NO_BULK: readonly (readonly [what: string, body: unknown, code: string, says: RegExp])[] = [
  ['no entry', [], 'INVALID_PARAMETER', /'body'.*1 to 20 payouts.*has 0/],
  ['21 entries', bodies(21), 'INVALID_PARAMETER', /'body'.*1 to 20 payouts.*has 21/],
  ['a thousand entries', Array(1000).fill({}), 'INVALID_PARAMETER', /has 1000/],
  ['one payout', payoutBody(), 'INVALID_PARAMETER', /'body'.*an array of payouts/],
  ['a list inside', { payouts: bodies(2) }, 'INVALID_PARAMETER', /an array of payouts/],
  ['null', 'null', 'INVALID_PARAMETER', /an array of payouts/],
  ['a text', '"payouts"', 'INVALID_PARAMETER', /an array of payouts/],
  ['nothing', undefined, 'INVALID_INPUT', /could not be parsed/],
  ['half a list', '[{}', 'INVALID_INPUT', /could not be parsed/],
]

describe('400 for what is not a bulk, as one object without identifier:', () => {
  for (const [what, body, code, says] of NO_BULK) {
    it(what, async () => {
      const before = await stored()
      assertAnswer(await bulk(body), 400, refused(code, says))
      assert.equal(await stored(), before)
    })
  }
})

it('a payout of a bulk is an ordinary one: found, repeated and resent by itself', async () => {
  const [first] = bodies(2)
  const { body } = await bulk([first, payoutBody()])
  const record = await reachesPayout(service, first.payoutId, 'COMPLETED')
  assert.equal(record.created, body[0].created)
  const again = await payout(service, first)
  assert.deepEqual([again.body.status, again.body.created], ['DUPLICATE_IGNORED', record.created])
  const resent = await service.post(`/v2/payouts/resend-callback/${first.payoutId}`)
  assert.equal(resent.body.status, 'ACCEPTED')
})

async function refuses(changes: unknown[], code: string, names: string): Promise<void> {
  const before = await stored()
  const broken = changes.map((change) => payoutBody(change as Record<string, unknown>))
  const quoted = new RegExp(`'${names.replace(/[[\].]/g, '\\$&')}'`)
  assertAnswer(await bulk([...bodies(3), ...broken]), 400, refused(code, quoted))
  assert.equal(await stored(), before)
}

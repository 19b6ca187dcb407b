import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { payout, reachesPayout } from '../../../../harness/payouts.ts'
import { payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { part, split, splitBody, splitReaches, storedOf } from '../../../../harness/splits.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)

const x = (length: number): string => 'x'.repeat(length)
type Change = Readonly<Record<string, unknown>>
const one = (change: object) => ({ splits: [part('1'), { ...part('1'), ...change }] })
const to = (recipient: unknown) => one({ recipient })

/** A required field that is not there; `null` is the same as absent. */
const MISSING: readonly (readonly [name: string, change: Change])[] = [
  ...['splitPaymentId', 'amount', 'currency', 'payer', 'splits'].flatMap((name) => [
    [name, { [name]: undefined }] as const,
    [name, { [name]: null }] as const,
  ]),
  ...['payoutId', 'amount', 'recipient'].flatMap((name) => [
    [name, one({ [name]: undefined })] as const,
    [name, one({ [name]: null })] as const,
  ]),
  ['type', to({})],
  ['accountDetails', to({ type: 'MMO' })],
  ['phoneNumber', to({ type: 'MMO', accountDetails: {} })],
  ['provider', to({ type: 'MMO', accountDetails: { phoneNumber: '260763456789' } })],
  [
    'preAuthorisationCode',
    {
      amount: '200',
      currency: 'XOF',
      payer: payer('22607345678', 'ORANGE_BFA'),
      splits: [part('100', '22602345678', 'MOOV_BFA')],
    },
  ],
]

/** A field that is not known, at each level. */
const UNKNOWN: readonly (readonly [name: string, change: Change])[] = [
  ['amnt', { amnt: '15' }],
  ['depositId', { depositId: randomUUID() }],
  ['recipient', { recipient: {} }],
  ['payouts', { payouts: [] }],
  ['currency', one({ currency: 'ZMW' })],
  ['customerMessage', one({ customerMessage: 'Order' })],
  ['address', to({ ...payer('260763456789', 'MTN_MOMO_ZMB'), address: {} })],
]

/** A value that cannot be right, whatever the providers. */
const INVALID: readonly (readonly [name: string, changes: readonly Change[]])[] = [
  [
    'splitPaymentId',
    ['', 'order-17', 'f4401bd2-1568-1140-bf2d-eb77d2b2b639', 17].map((splitPaymentId) => ({
      splitPaymentId,
    })),
  ],
  ['amount', ['', '-1', '01', '5.', '1e3', 15, ['15']].map((amount) => ({ amount }))],
  ['amount', ['', '-1', '01', '5.', '1e3', 15, ['15']].map((amount) => one({ amount }))],
  ['currency', ['', 'zmw', 'ZM', 894].map((currency) => ({ currency }))],
  [
    'payer',
    ['', 7, [], [payer('260763456789', 'MTN_MOMO_ZMB')]].map((wrong) => ({ payer: wrong })),
  ],
  ['splits', ['', 7, {}, part('1'), [], Array.from({ length: 21 }, () => part('1'))].map(splits)],
  [
    'splits[1]',
    [
      [part('1'), 'x'],
      [part('1'), null],
      [part('1'), [part('1')]],
    ].map(splits),
  ],
  [
    'payoutId',
    ['', 'order-17', 'f4401bd2-1568-1140-bf2d-eb77d2b2b639', 17].map((payoutId) =>
      one({ payoutId }),
    ),
  ],
  ['recipient', ['', 7, []].map(to)],
  ['type', ['', 'MSISDN', 7].map((type) => to({ ...payer('1', 'A'), type }))],
  ['phoneNumber', ['', '+260763456789', 7].map((number) => to(payer(number as string, 'A')))],
  ['provider', ['', 'mtn', 7].map((provider) => to(payer('1', provider as string)))],
  ['customerMessage', ['abc', x(23), 'a_b_c', 7].map((customerMessage) => ({ customerMessage }))],
  ['clientReferenceId', [x(101), 7].map((clientReferenceId) => ({ clientReferenceId }))],
  ['preAuthorisationCode', [x(37), 1234].map((code) => ({ preAuthorisationCode: code }))],
  ['metadata', [{ metadata: 'text' }, { metadata: [{}] }]],
]

async function refuses(change: Change, code: string, says: RegExp): Promise<void> {
  const body: Record<string, unknown> = splitBody(change)
  const id = typeof body.splitPaymentId === 'string' ? { splitPaymentId: body.splitPaymentId } : {}
  const before = await storedOf(service)
  assertAnswer(await service.post('/v2/split-payments', body), 400, refused(code, says, id))
  assert.deepEqual(await storedOf(service), before)
}

const named = (name: string): RegExp => new RegExp(`'${name.replace(/[[\]]/g, '\\$&')}'`)
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length})` : text
}

describe('400 MISSING_PARAMETER names the field:', () => {
  for (const [name, change] of MISSING) {
    it(`${name} in ${shown(Object.keys(change))}`, () =>
      refuses(change, 'MISSING_PARAMETER', named(name)))
  }
})

describe('400 UNSUPPORTED_PARAMETER names the field:', () => {
  for (const [name, change] of UNKNOWN) {
    it(`'${name}' in ${Object.keys(change)}`, () =>
      refuses(change, 'UNSUPPORTED_PARAMETER', named(name)))
  }
})

describe('400 INVALID_PARAMETER names the field:', () => {
  for (const [name, changes] of INVALID) {
    for (const [at, change] of changes.entries()) {
      it(`${name}, case ${at} in ${Object.keys(change)}`, () =>
        refuses(change, 'INVALID_PARAMETER', named(name)))
    }
  }
})

it('400 DUPLICATE_METADATA_FIELD names the metadata', () =>
  refuses({ metadata: [{ a: '1' }, { a: '2' }] }, 'DUPLICATE_METADATA_FIELD', /'metadata'.*'a'/))

describe('400 INVALID_INPUT holds no identifier, for', () => {
  for (const body of ['{', '', '{"splitPaymentId":"a","splitPaymentId":"a"}']) {
    it(shown(body), async () => {
      const answer = await service.post('/v2/split-payments', body)
      assertAnswer(answer, 400, refused('INVALID_INPUT'))
    })
  }
})

describe('400 INVALID_PARAMETER names payoutId and stores nothing, for an identifier that', () => {
  const taken = (payoutId: string) => [part('1'), { ...part('1'), payoutId }, part('1')]
  const says = (payoutId: string) => new RegExp(`'payoutId'.*'${payoutId}'`, 'i')

  it('is twice in the request, whatever the case', async () => {
    const payoutId = randomUUID()
    for (const second of [payoutId, payoutId.toUpperCase()]) {
      const splits = [{ ...part('1'), payoutId }, part('1'), { ...part('1'), payoutId: second }]
      await refuses({ splits }, 'INVALID_PARAMETER', /'payoutId'.*more than once/)
    }
  })

  it('is that of an ordinary payout, which goes on as it was', async () => {
    const ordinary = part('10')
    await payout(service, { ...ordinary })
    const record = await reachesPayout(service, ordinary.payoutId, 'COMPLETED')
    for (const payoutId of [ordinary.payoutId, ordinary.payoutId.toUpperCase()]) {
      await refuses({ splits: taken(payoutId) }, 'INVALID_PARAMETER', says(payoutId))
    }
    assert.deepEqual(await reachesPayout(service, ordinary.payoutId, 'COMPLETED'), record)
  })

  for (const [state, number] of [
    ['COMPLETED', '260763456789'],
    ['PROCESSING', '260763456129'],
  ] as const) {
    it(`is that of a payout in another split payment, which is ${state}`, async () => {
      const other = await split(service, { payer: payer(number, 'MTN_MOMO_ZMB') })
      const record = await splitReaches(service, other.id, state)
      const payoutId = other.parts[1]?.payoutId ?? ''
      await refuses({ splits: taken(payoutId) }, 'INVALID_PARAMETER', says(payoutId))
      assert.deepEqual(await splitReaches(service, other.id, state), record)
    })
  }

  it('is taken: the others of the request stay free, and so does that of the whole', async () => {
    const ordinary = part('10')
    await payout(service, { ...ordinary })
    await reachesPayout(service, ordinary.payoutId, 'COMPLETED')
    const body = splitBody()
    const wrong = { ...body, splits: [...body.splits, ordinary] }
    assert.equal((await service.post('/v2/split-payments', wrong)).status, 400)
    assert.equal((await service.post('/v2/split-payments', body)).body.status, 'ACCEPTED')
    await splitReaches(service, body.splitPaymentId, 'COMPLETED')
  })
})

it('400 INVALID_PARAMETER names splitPaymentId, for that of an ordinary deposit', async () => {
  const { id: splitPaymentId } = await service.deposit()
  const record = await service.reaches(splitPaymentId, 'COMPLETED')
  await refuses({ splitPaymentId }, 'INVALID_PARAMETER', /'splitPaymentId'.*deposit/)
  assert.deepEqual(await service.reaches(splitPaymentId, 'COMPLETED'), record)
})

describe('400 for a status check with', () => {
  for (const id of ['order-17', 'f4401bd2-1568-4140-bf2d-eb77d2b2b63', '%20']) {
    it(`${shown(id)} names splitPaymentId`, async () => {
      const expected = refused('INVALID_PARAMETER', /'splitPaymentId'.*must be a UUID, such as/)
      assertAnswer(await service.get(`/v2/split-payments/${id}`), 400, expected)
    })
  }
})

function splits(value: unknown): Change {
  return { splits: value }
}

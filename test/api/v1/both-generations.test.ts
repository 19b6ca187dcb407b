import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { payoutBody, setBalance } from '../../../harness/payouts.ts'
import { startReceiver } from '../../../harness/receiver.ts'
import { completedDeposit, refundBody } from '../../../harness/refunds.ts'
import { depositBody, eventually, payer } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import {
  assertLegacy,
  LEGACY_KINDS,
  type LegacyKind,
  legacyBody,
  legacyReaches,
  msisdn,
  STARTED,
  startLegacy,
  taken,
} from '../../support/legacy-payments.ts'
import { assertAnswer, assertShape, SECONDS } from '../../support/shapes.ts'

/** One engine, two languages: what is started in one generation is seen and repeated in the other. */
const service = await shareService()
const receiver = await startReceiver()
const { url } = receiver
await service.put('/sandbox/callbacks', { deposit: url, payout: url, refund: url })
after(async () => {
  await service.stop()
  await receiver.close()
})

type Generation = 'v1' | 'v2'
const GENERATIONS: readonly Generation[] = ['v1', 'v2']
const idField = (kind: LegacyKind): string => `${kind}Id`
const pathOf = (generation: Generation, kind: LegacyKind): string =>
  generation === 'v1' ? `/${kind}s` : `/v2/${kind}s`

const METADATA = {
  v1: [
    { fieldName: 'orderId', fieldValue: 'ORD-1' },
    { fieldName: 'mail', fieldValue: 'a@b.c', isPII: true },
  ],
  v2: [{ orderId: 'ORD-1' }, { mail: 'a@b.c', isPII: true }],
}
const SHOWN = { metadata: { orderId: 'ORD-1', mail: 'a@b.c' } }

// biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
type Json = any

/** The same payment as each generation asks for it; a refund is of a deposit of 100 ZMW. */
async function requestOf(generation: Generation, kind: LegacyKind, changes = {}): Promise<Json> {
  const metadata = METADATA[generation]
  if (generation === 'v1') return legacyBody(service, kind, { metadata, ...changes })
  if (kind === 'deposit') return depositBody({ metadata, ...changes })
  if (kind === 'payout') return payoutBody({ metadata, ...changes })
  return refundBody(await completedDeposit(service), { metadata, ...changes })
}

async function started(generation: Generation, kind: LegacyKind): Promise<Json> {
  const request = await requestOf(generation, kind)
  const { body } = await service.post(pathOf(generation, kind), request)
  assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
  const id = request[idField(kind)]
  await legacyReaches(service, kind, id, 'COMPLETED')
  return { id, request, created: body.created }
}

async function recordIn(generation: Generation, kind: LegacyKind, id: string): Promise<Json> {
  const { body } = await service.get(`${pathOf(generation, kind)}/${id}`)
  return generation === 'v1' ? body[0] : body.data
}

const callbacksOf = (kind: LegacyKind, id: string): Json[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter((body) => body[idField(kind)] === id)

const NUMBER = '260763456789'
const RECEIPT = /^SBX[0-9A-F]{16}$/

/** The record of a completed payment in each generation, but for its times and its message. */
const RECORDS: Readonly<Record<Generation, Readonly<Record<LegacyKind, object>>>> = {
  v1: {
    deposit: {
      ...v1Record(),
      requestedAmount: '15',
      depositedAmount: '15',
      payer: msisdn(NUMBER),
      respondedByPayer: SECONDS,
    },
    payout: { ...v1Record(), amount: '15', ...received() },
    refund: { ...v1Record(), amount: '100', ...received() },
  },
  v2: {
    deposit: { ...v2Record(), amount: '15', payer: payer(NUMBER, 'MTN_MOMO_ZMB') },
    payout: { ...v2Record(), amount: '15', recipient: payer(NUMBER, 'MTN_MOMO_ZMB') },
    refund: { ...v2Record(), amount: '100', recipient: payer(NUMBER, 'MTN_MOMO_ZMB') },
  },
}

function v1Record(): object {
  const correspondentIds = { MTN_INIT: /^\S{8,}$/, MTN_FINAL: RECEIPT }
  return { ...v2Money(), correspondent: 'MTN_MOMO_ZMB', correspondentIds }
}

function v2Record(): object {
  return { ...v2Money(), providerTransactionId: RECEIPT }
}

function v2Money(): object {
  return { status: 'COMPLETED', currency: 'ZMW', country: 'ZMB', ...SHOWN }
}

function received(): object {
  return { recipient: msisdn(NUMBER), receivedByRecipient: SECONDS }
}

for (const kind of LEGACY_KINDS) {
  describe(`a ${kind}`, () => {
    for (const generation of GENERATIONS) {
      const other = generation === 'v1' ? 'v2' : 'v1'

      it(`started in ${generation} is seen in both, in the terms of each`, async () => {
        const { id, request, created } = await started(generation, kind)
        // A refund has no message and no time of its own; nor has a request of v2 a time.
        const message = request.statementDescription ?? 'Demo Merchant'
        assertShape(await recordIn('v1', kind, id), {
          [idField(kind)]: id,
          ...RECORDS.v1[kind],
          created,
          customerTimestamp: request.customerTimestamp === undefined ? created : STARTED,
          statementDescription: message,
        })
        assertShape(await recordIn('v2', kind, id), {
          [idField(kind)]: id,
          ...(kind === 'refund' ? { depositId: request.depositId } : {}),
          ...RECORDS.v2[kind],
          created,
          customerMessage: message,
        })
      })

      it(`started in ${generation} is sent in ${generation}, whichever generation asks for a resend`, async () => {
        const { id } = await started(generation, kind)
        const record = await recordIn(generation, kind, id)
        await eventually(() => assert.deepEqual(callbacksOf(kind, id), [record]))
        const v1 = await service.post(`/${kind}s/resend-callback`, { [idField(kind)]: id })
        assertLegacy(v1, 200, { [idField(kind)]: id, status: 'ACCEPTED' })
        await eventually(() => assert.equal(callbacksOf(kind, id).length, 2))
        const v2 = await service.post(`/v2/${kind}s/resend-callback/${id}`)
        assertAnswer(v2, 200, { [idField(kind)]: id, status: 'ACCEPTED' })
        await eventually(() => assert.equal(callbacksOf(kind, id).length, 3))
        assert.deepEqual(callbacksOf(kind, id), [record, record, record])
      })

      it(`started in ${generation} is a duplicate in ${other}, and stays as it was`, async () => {
        const { id, created } = await started(generation, kind)
        const before = await recordIn(generation, kind, id)
        const again = await requestOf(other, kind, { [idField(kind)]: id, amount: '16' })
        const answer = await service.post(pathOf(other, kind), again)
        assertAnswer(answer, 200, taken({ [idField(kind)]: id }, 'DUPLICATE_IGNORED', created))
        assert.deepEqual(await recordIn(generation, kind, id), before)
      })
    }

    it('asked for in both at once is started once', async () => {
      const v1 = await requestOf('v1', kind)
      const id = v1[idField(kind)]
      const same = kind === 'refund' ? { depositId: v1.depositId } : {}
      const v2 = { ...(await requestOf('v2', kind, { [idField(kind)]: id })), ...same }
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => service.post(pathOf('v1', kind), v1)),
        ...Array.from({ length: 5 }, () => service.post(pathOf('v2', kind), v2)),
      ])
      const statuses = answers.map(({ body }) => body.status).toSorted()
      assert.deepEqual(statuses, ['ACCEPTED', ...Array(9).fill('DUPLICATE_IGNORED')])
      await legacyReaches(service, kind, id, 'COMPLETED')
    })
  })
}

/** Payments that ended badly, started in the current generation. */
describe('the failure of a payment of the current generation has the terms of this one:', () => {
  it('an empty wallet is BALANCE_INSUFFICIENT', async () => {
    await setBalance(service, '0')
    const body = payoutBody()
    await service.post('/v2/payouts', body)
    const record = await legacyReaches(service, 'payout', body.payoutId, 'FAILED')
    await setBalance(service, '1000000')
    assert.equal(record.failureReason.failureCode, 'BALANCE_INSUFFICIENT')
    assert.equal(record.correspondentIds, undefined)
  })

  it('no reason is OTHER_ERROR, and UNSPECIFIED_FAILURE in its own', async () => {
    const body = depositBody({ payer: payer('260763456069', 'MTN_MOMO_ZMB') })
    await service.post('/v2/deposits', body)
    const record = await legacyReaches(service, 'deposit', body.depositId, 'FAILED')
    assert.equal(record.failureReason.failureCode, 'OTHER_ERROR')
    const { failureReason } = await recordIn('v2', 'deposit', body.depositId)
    assert.equal(failureReason.failureCode, 'UNSPECIFIED_FAILURE')
  })
})

it('a deposit of this generation that failed without a reason says so in the other', async () => {
  const { id } = await startLegacy(service, 'deposit', { payer: msisdn('260763456069') })
  const { failureReason } = await service.reaches(id, 'FAILED')
  assert.equal((failureReason as Json).failureCode, 'UNSPECIFIED_FAILURE')
  await eventually(() => {
    const [callback] = callbacksOf('deposit', id)
    assert.equal(callback?.failureReason.failureCode, 'OTHER_ERROR')
  })
})

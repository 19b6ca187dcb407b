import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { createPawaPayClient, type RequestOptions } from 'pawapay-sdk'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { earlierError } from '../support/earlier-generation.ts'
import {
  type LegacyKind,
  legacyBody,
  legacyDeposit,
  legacyPayout,
  legacyReaches,
  msisdn,
  rejected,
  startLegacy,
  taken,
} from '../support/legacy-payments.ts'
import { assertShape, SECONDS } from '../support/shapes.ts'

/**
 * A client that merchants use, in its earlier generation, driven with nothing changed but the
 * address: it knows that of the original service alone, but hands the options of a call to axios.
 */
const service = await shareService()
const receiver = await startReceiver()
const { url } = receiver
await service.put('/sandbox/callbacks', { deposit: url, payout: url, refund: url })
const delayed = { provider: 'AIRTEL_OAPI_ZMB', operationType: 'PAYOUT', status: 'DELAYED' }
await service.put('/sandbox/availability', delayed)
after(async () => {
  await service.stop()
  await receiver.close()
})

type Options = RequestOptions & { readonly baseURL: string; readonly proxy: false }
const options: Options = { baseURL: service.url, proxy: false }
const at = { options }
const client = createPawaPayClient(service.token, { apiVersion: 'v1', environment: 'sandbox' })

type Result = {
  readonly success: boolean
  readonly status?: number
  readonly data?: unknown
  readonly error?: unknown
}
type Call = keyof typeof client

function answered(result: Result, data: unknown): void {
  const { success, status } = result
  assertShape({ success, status, data: result.data }, { success: true, status: 200, data })
}

/** A payment that has come to its end, and the fields of its record that every kind has. */
async function finished(kind: LegacyKind): Promise<string> {
  const { id } = await startLegacy(service, kind)
  await legacyReaches(service, kind, id, 'COMPLETED')
  return id
}

const WAITS = { correspondent: 'AIRTEL_OAPI_ZMB', recipient: msisdn('260973456789') }
const MTN = {
  currency: 'ZMW',
  country: 'ZMB',
  correspondent: 'MTN_MOMO_ZMB',
  customerTimestamp: /^2026-11-15T/,
  created: SECONDS,
  correspondentIds: { MTN_INIT: /./, MTN_FINAL: /./ },
}

async function resent(kind: LegacyKind, ask: (id: string) => Promise<Result>): Promise<void> {
  const id = await finished(kind)
  answered(await ask(id), { [`${kind}Id`]: id, status: 'ACCEPTED' })
  const received = () =>
    receiver.received.filter(({ body }) => JSON.parse(body)[`${kind}Id`] === id)
  await eventually(() => assert.equal(received().length, 2))
}

/** The calls that the package makes as the API has them. */
const RIGHT: Readonly<Partial<Record<Call, () => Promise<void>>>> = {
  requestPayPage: async () => {
    const { status, data } = await client.requestPayPage(payPage(), at)
    assert.equal(status, 201)
    const page = await fetch((data as { redirectUrl: string }).redirectUrl)
    assert.match(await page.text(), /15\.00\s*ZMW/)
  },
  requestDeposit: async () => {
    const body = legacyDeposit({ metadata: [{ fieldName: 'orderId', fieldValue: 'ORD-1' }] })
    const { depositId } = body
    answered(await client.requestDeposit(body, at), taken({ depositId }))
    answered(await client.requestDeposit(body, at), taken({ depositId }, 'DUPLICATE_IGNORED'))
  },
  checkDepositStatus: async () => {
    const depositId = await finished('deposit')
    answered(await client.checkDepositStatus(depositId, at), [
      {
        depositId,
        status: 'COMPLETED',
        requestedAmount: '15',
        depositedAmount: '15',
        ...MTN,
        payer: msisdn('260763456789'),
        statementDescription: 'Order 12345',
        respondedByPayer: SECONDS,
      },
    ])
    answered(await client.checkDepositStatus(randomUUID(), at), [])
  },
  resendDepositCallback: () => resent('deposit', (id) => client.resendDepositCallback(id, at)),
  requestPayout: async () => {
    // The types of the package call the recipient a text; the API, and it, take an object.
    const body = legacyPayout()
    const { payoutId } = body
    answered(await client.requestPayout(body, at), taken({ payoutId }))
    const waiting = legacyPayout(WAITS)
    const answer = await client.requestPayout(waiting, at)
    answered(answer, taken({ payoutId: waiting.payoutId }, 'ENQUEUED'))
  },
  checkPayoutStatus: async () => {
    const payoutId = await finished('payout')
    answered(await client.checkPayoutStatus(payoutId, at), [
      {
        payoutId,
        status: 'COMPLETED',
        amount: '15',
        ...MTN,
        recipient: msisdn('260763456789'),
        statementDescription: 'Order 12345',
        receivedByRecipient: SECONDS,
      },
    ])
  },
  resendPayoutCallback: () => resent('payout', (id) => client.resendPayoutCallback(id, at)),
  cancelEnqueuedPayout: async () => {
    const { id: payoutId } = await startLegacy(service, 'payout', WAITS)
    await legacyReaches(service, 'payout', payoutId, 'ENQUEUED')
    answered(await client.cancelEnqueuedPayout(payoutId, at), { payoutId, status: 'ACCEPTED' })
    const { failureReason } = await legacyReaches(service, 'payout', payoutId, 'FAILED')
    assert.equal(failureReason.failureCode, 'MANUALLY_CANCELLED')
    const again = await client.cancelEnqueuedPayout(payoutId, at)
    answered(again, { payoutId, status: 'REJECTED', rejectionReason: /not.*ENQUEUED/i })
  },
  initiateBulkPayout: async () => {
    const bodies = [legacyPayout(), legacyPayout(WAITS), legacyPayout({ amount: '0' })]
    const [one, two, three] = bodies.map(({ payoutId }) => ({ payoutId }))
    answered(await client.initiateBulkPayout(bodies, at), [
      taken(one ?? {}),
      taken(two ?? {}, 'ENQUEUED'),
      rejected(three ?? {}, 'AMOUNT_TOO_SMALL', /more than '1'/),
    ])
  },
  initiateRefund: async () => {
    const body = await legacyBody(service, 'refund', { amount: '5' })
    answered(await client.initiateRefund(body, at), taken({ refundId: body.refundId }))
  },
  checkRefundStatus: async () => {
    const refundId = await finished('refund')
    answered(await client.checkRefundStatus(refundId, at), [
      {
        refundId,
        status: 'COMPLETED',
        amount: /^100/,
        ...MTN,
        customerTimestamp: SECONDS,
        recipient: msisdn('260763456789'),
        statementDescription: 'Demo Merchant',
        receivedByRecipient: SECONDS,
      },
    ])
  },
  // It asks at /refund/resend-callback, which is served as well.
  resendRefundCallback: () => resent('refund', (id) => client.resendRefundCallback(id, at)),
  getWalletBalances: async () => {
    const { success, data } = await client.getWalletBalances(at)
    assert.ok(success)
    assert.equal(data?.balances.length, 21)
  },
  getWalletBalancesByCountry: async () => {
    const balances = [{ country: 'KEN', balance: '1000000.00', currency: 'KES', mno: '' }]
    answered(await client.getWalletBalancesByCountry('KEN', at), { balances })
  },
  getActiveConfiguration: async () => {
    const { success, data } = await client.getActiveConfiguration(at)
    assert.ok(success)
    assert.equal(data?.merchantName, 'Demo Merchant')
    assert.match(JSON.stringify(data), /"correspondent":"MTN_MOMO_ZMB","currency":"ZMW"/)
  },
  getProviderAvailability: async () => {
    const { success, data } = await client.getProviderAvailability(at)
    assert.ok(success)
    const text = JSON.stringify(data)
    assert.match(text, /"AIRTEL_OAPI_ZMB".*?"operationType":"PAYOUT","status":"DELAYED"/)
  },
  // It sends a body with a GET.
  getProviderPrediction: async () => {
    const answer = await client.getProviderPrediction('+260 763 456 789', at)
    const msisdn = '260763456789'
    answered(answer, { country: 'ZMB', operator: 'MTN', correspondent: 'MTN_MOMO_ZMB', msisdn })
  },
  // It asks at /public-key/https, which is served as well.
  getPublicKeys: async () => {
    const key = /^-----BEGIN PUBLIC KEY-----/
    answered(await client.getPublicKeys(at), [{ id: 'HTTP_EC_P256_KEY:1', key }])
  },
}

const payPage = () => ({
  depositId: randomUUID(),
  returnUrl: 'https://shop.example/back',
  statementDescription: 'Order 12345',
  amount: '15',
  msisdn: '260763456789',
  language: 'EN',
  country: 'ZMB',
  reason: 'Ticket',
})

describe('pawapay-sdk 1.0.3, earlier generation, gets what it asks for:', () => {
  for (const [call, drive] of Object.entries(RIGHT)) it(call, drive)

  it('a refusal, with the reason in its data or in its error', async () => {
    const body = legacyDeposit({ amount: '0' })
    const { depositId } = body
    const small = rejected({ depositId }, 'AMOUNT_TOO_SMALL', /more than '1'/)
    answered(await client.requestDeposit(body, at), small)
    const broken = await client.requestDeposit(legacyDeposit({ amount: 'x' }), at)
    const { success, status, error } = broken
    const refusal = { success: false, status: 400, error: earlierError(1, /'amount'/) }
    assertShape({ success, status, error }, refusal)
    const nobody = createPawaPayClient('nobody', { apiVersion: 'v1', environment: 'sandbox' })
    const { error: unknown } = await nobody.getActiveConfiguration(at)
    assertShape(unknown, earlierError(2))
  })
})

it('every call of the package is driven', () => {
  assert.deepEqual(Object.keys(RIGHT).toSorted(), Object.keys(client).toSorted())
})

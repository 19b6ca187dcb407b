import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { createPawaPayClient, type RequestOptions } from 'pawapay-sdk'
import { delayPayingOut, setAllCallbacks, start } from '../../harness/every-kind.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { SENDER } from '../../harness/remittances.ts'
import { eventually } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { dayFromNow } from '../../harness/statements.ts'
import { assertShape, refused, SECONDS, UUID } from '../support/shapes.ts'

/**
 * A client that merchants use, from the registry, driven with nothing changed but the address: it
 * knows that of the original service alone, but hands the options of a call on to axios.
 */
const service = await shareService()
const receiver = await startReceiver()
await setAllCallbacks(service, receiver.url)
await delayPayingOut(service)
after(async () => {
  await service.stop()
  await receiver.close()
})

type Options = RequestOptions & { readonly baseURL: string; readonly proxy: false }
const options: Options = { baseURL: `${service.url}/v2`, proxy: false }
const at = { options }
const client = createPawaPayClient(service.token, { apiVersion: 'v2', environment: 'sandbox' })

type Result = { readonly success: boolean; readonly status?: number; readonly data?: unknown }
type Call = keyof typeof client

const wallet = (phoneNumber: string, provider: string) => ({
  type: 'MMO' as const,
  accountDetails: { phoneNumber, provider },
})
const MTN = wallet('260763456789', 'MTN_MOMO_ZMB')
const DELAYED = wallet('260973456789', 'AIRTEL_OAPI_ZMB')
/** The types of the package ask for every field; who has nothing to say sends nothing. */
const BARE = { clientReferenceId: '', customerMessage: '', metadata: [] }
const MONEY = { amount: '15', currency: 'ZMW' }

const deposit = () => ({ depositId: randomUUID(), ...MONEY, payer: MTN, metadata: [] })
const payout = (recipient = MTN) => ({ payoutId: randomUUID(), ...MONEY, recipient, ...BARE })
const refund = async () => ({
  refundId: randomUUID(),
  depositId: (await start(service, 'deposit')).id,
  ...MONEY,
  ...BARE,
})
const remittance = (to = MTN) => ({
  remittanceId: randomUUID(),
  ...MONEY,
  sender: SENDER,
  recipient: { ...to, recipientDetails: { firstName: 'Chanda', lastName: 'Mwale' } },
  customerMessage: 'Order 12345',
  metadata: [{ orderId: 'ORD-1' }],
})
const statement = () => ({
  wallet: { country: 'ZMB', currency: 'ZMW', provider: '' },
  callbackUrl: receiver.url,
  startDate: dayFromNow(-1),
  endDate: dayFromNow(1),
  compressed: false,
})

function answered(result: Result, data: unknown): void {
  const { success, status } = result
  assertShape({ success, status, data: result.data }, { success: true, status: 200, data })
}

/** A refund asks for no message, so its type has none to leave empty. */
function withoutMessage<T extends { customerMessage: string }>({ customerMessage: _, ...rest }: T) {
  return rest
}

const created = SECONDS
const accepted = (id: object) => ({ ...id, status: 'ACCEPTED', created })

/** Asks until the payment is in the state, and compares what the client makes of it. */
async function found(ask: () => Promise<Result>, data: Record<string, unknown>): Promise<void> {
  await eventually(async () => {
    const result = await ask()
    const { data: received } = result.data as { data: Record<string, unknown> }
    const names = Object.keys(data)
    const seen = Object.fromEntries(names.map((name) => [name, received[name]]))
    answered(
      { ...result, data: { ...(result.data as object), data: seen } },
      { status: 'FOUND', data },
    )
  })
}

/** The calls that the package makes as the API asks for them. */
const RIGHT: Readonly<Partial<Record<Call, () => Promise<void>>>> = {
  requestPayPage: async () => {
    const { status, data } = await client.requestPayPage(payPage(), at)
    assert.equal(status, 201)
    const page = await fetch((data as { redirectUrl: string }).redirectUrl)
    assert.match(await page.text(), /15\.00\s*ZMW/)
  },
  requestDeposit: async () => {
    const body = deposit()
    const { depositId } = body
    const first = await client.requestDeposit(body, at)
    answered(first, { ...accepted({ depositId }), nextStep: 'FINAL_STATUS' })
    const again = await client.requestDeposit(body, at)
    answered(again, { depositId, status: 'DUPLICATE_IGNORED', created })
  },
  checkDepositStatus: async () => {
    const { id: depositId } = await start(service, 'deposit')
    const data = { depositId, status: 'COMPLETED', ...MONEY, payer: MTN, created }
    await found(() => client.checkDepositStatus(depositId, at), data)
    answered(await client.checkDepositStatus(randomUUID(), at), { status: 'NOT_FOUND' })
  },
  resendDepositCallback: async () => {
    const { id: depositId } = await start(service, 'deposit')
    answered(await client.resendDepositCallback(depositId, at), { depositId, status: 'ACCEPTED' })
    await sentTwice(depositId)
  },
  requestPayout: async () => {
    const body = payout()
    answered(await client.requestPayout(body, at), accepted({ payoutId: body.payoutId }))
  },
  checkPayoutStatus: async () => {
    const { id: payoutId } = await start(service, 'payout')
    const data = { payoutId, status: 'COMPLETED', ...MONEY, recipient: MTN, created }
    await found(() => client.checkPayoutStatus(payoutId, at), data)
  },
  initiateBulkPayout: async () => {
    const bodies = [payout(), payout(DELAYED)]
    const expected = bodies.map(({ payoutId }) => accepted({ payoutId }))
    answered(await client.initiateBulkPayout(bodies, at), expected)
  },
  initiateRefund: async () => {
    const body = withoutMessage(await refund())
    answered(await client.initiateRefund(body, at), accepted({ refundId: body.refundId }))
  },
  checkRefundStatus: async () => {
    const { id: refundId } = await start(service, 'refund')
    const data = { refundId, status: 'COMPLETED', ...MONEY, recipient: MTN, created }
    await found(() => client.checkRefundStatus(refundId, at), data)
  },
  resendRefundCallback: async () => {
    const { id: refundId } = await start(service, 'refund')
    answered(await client.resendRefundCallback(refundId, at), { refundId, status: 'ACCEPTED' })
    await sentTwice(refundId)
  },
  initiateRemittance: async () => {
    const body = remittance()
    const { remittanceId } = body
    answered(await client.initiateRemittance(body, at), accepted({ remittanceId }))
  },
  checkRemittanceStatus: async () => {
    const body = remittance()
    const { remittanceId, sender, recipient } = body
    await client.initiateRemittance(body, at)
    const data = { remittanceId, status: 'COMPLETED', ...MONEY, sender, recipient, created }
    await found(() => client.checkRemittanceStatus(remittanceId, at), data)
  },
  resendRemittanceCallback: async () => {
    const { id: remittanceId } = await start(service, 'remittance')
    const answer = await client.resendRemittanceCallback(remittanceId, at)
    answered(answer, { remittanceId, status: 'ACCEPTED' })
    await sentTwice(remittanceId)
  },
  cancelEnqueuedRemittance: async () => {
    const { id: remittanceId } = await start(service, 'remittance', 'OPEN')
    const answer = await client.cancelEnqueuedRemittance(remittanceId, at)
    answered(answer, { remittanceId, status: 'ACCEPTED' })
    await found(() => client.checkRemittanceStatus(remittanceId, at), { status: 'FAILED' })
  },
  getWalletBalances: async () => {
    const { data } = await client.getWalletBalances(at)
    const zambia = data?.balances.find(({ country }) => country === 'ZMB')
    const balance = /^\d+\.\d\d$/
    assertShape(zambia, { country: 'ZMB', balance, currency: 'ZMW', provider: '' })
  },
  requestStatement: async () => {
    const answer = await client.requestStatement(statement(), at)
    answered(answer, accepted({ statementId: UUID }))
  },
  getStatementStatus: async () => {
    const { data } = await client.requestStatement(statement(), at)
    const statementId = data !== undefined && 'statementId' in data ? data.statementId : ''
    const wanted = { statementId, status: 'COMPLETED', downloadUrl: /^http/, created }
    await found(() => client.getStatementStatus(statementId, at), wanted)
  },
  getActiveConfiguration: async () => {
    const { success, data } = await client.getActiveConfiguration(at)
    assert.ok(success)
    const zambia = data?.countries.find(({ country }) => country === 'ZMB')
    const mtn = zambia?.providers.find(({ provider }) => provider === 'MTN_MOMO_ZMB')
    assert.deepEqual([data?.companyName, mtn?.currencies[0]?.currency], ['Demo Merchant', 'ZMW'])
  },
  getProviderAvailability: async () => {
    const { success, data } = await client.getProviderAvailability(at)
    assert.ok(success)
    assert.match(JSON.stringify(data), /"provider":"MTN_MOMO_ZMB".*"DEPOSIT":"OPERATIONAL"/)
  },
  getProviderPrediction: async () => {
    const answer = await client.getProviderPrediction('+260 763 456 789', at)
    const { phoneNumber, provider } = MTN.accountDetails
    answered(answer, { country: 'ZMB', provider, phoneNumber })
  },
  getPublicKeys: async () => {
    const key = /^-----BEGIN PUBLIC KEY-----/
    answered(await client.getPublicKeys(at), [{ id: 'HTTP_EC_P256_KEY:1', key }])
  },
}

/**
 * The calls that it makes in a way that the API does not have, or not yet, with the reason. They
 * are refused in the shape that the client understands, and what they are about stays as it is.
 */
const WRONG: readonly (readonly [call: Call, why: string, status: number, ask: Ask])[] = [
  [
    'cancelEnqueuedPayout',
    'sends DELETE, where the API has POST /v2/payouts/fail-enqueued/{payoutId}',
    405,
    async () => {
      const { id } = await start(service, 'payout', 'OPEN')
      const answer = await client.cancelEnqueuedPayout(id, at)
      await found(() => client.checkPayoutStatus(id, at), { status: 'ENQUEUED' })
      return answer
    },
  ],
  [
    'resendPayoutCallback',
    'asks /payouts/{payoutId}/resend-callback, where the API has /payouts/resend-callback/{payoutId}',
    404,
    async () => client.resendPayoutCallback((await start(service, 'payout')).id, at),
  ],
]
type Ask = () => Promise<Result & { readonly error?: unknown }>

const payPage = () => ({
  depositId: randomUUID(),
  returnUrl: 'https://shop.example/back',
  customerMessage: 'Order 12345',
  amountDetails: MONEY,
  phoneNumber: '260763456789',
  language: 'EN',
  country: 'ZMB',
  reason: 'Ticket',
  metadata: [],
})

describe('pawapay-sdk 1.0.3 gets from this service what it asks for:', () => {
  for (const [call, drive] of Object.entries(RIGHT)) it(call, drive)

  it('a refusal, with the reason in its error', async () => {
    const { depositId, ...rest } = deposit()
    const rejected = await client.requestDeposit({ depositId, ...rest, amount: '0' }, at)
    assert.equal((rejected.data as { status: string }).status, 'REJECTED')
    const broken = await client.requestDeposit({ depositId, ...rest, amount: 'x' }, at)
    assert.deepEqual([broken.success, broken.status], [false, 400])
    assert.match(JSON.stringify(broken.error), /"failureCode":"INVALID_PARAMETER"/)
  })
})

describe('pawapay-sdk 1.0.3 is refused cleanly:', () => {
  for (const [call, why, expected, ask] of WRONG) {
    it(`${call}: ${why}`, async () => {
      const { success, status, error } = await ask()
      const code = expected === 405 ? 'INVALID_INPUT' : 'NOT_FOUND'
      const refusal = { success: false, status: expected, error: refused(code) }
      assertShape({ success, status, error }, refusal)
    })
  }
})

it('every call of the package is in one of the two tables', () => {
  const driven = [...Object.keys(RIGHT), ...WRONG.map(([call]) => call)]
  assert.deepEqual(driven.toSorted(), Object.keys(client).toSorted())
})

async function sentTwice(id: string): Promise<void> {
  const received = () => receiver.received.filter(({ body }) => body.includes(id))
  await eventually(() => assert.equal(received().length, 2))
}

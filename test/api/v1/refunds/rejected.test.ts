import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant, type TestMerchant } from '../../../../harness/merchant.ts'
import { balanceOf, setBalance } from '../../../../harness/payouts.ts'
import {
  completedDeposit,
  depositThatHangs,
  refunded,
  setAvailability,
} from '../../../../harness/refunds.ts'
import { eventually, payer } from '../../../../harness/service.ts'
import { counted, shareService } from '../../../../harness/share.ts'
import { enableProvider } from '../../../../src/store/accounts/merchants.ts'
import { announceChange } from '../../../../src/store/cluster/service-state.ts'
import {
  assertLegacy,
  legacyDeposit,
  legacyReaches,
  msisdn,
  rejected,
  startLegacy,
} from '../../../support/legacy-payments.ts'

const service = await shareService()
after(service.stop)

const LIMITS = /more than '1' and less than '20000'.*correspondent 'MTN_MOMO_ZMB'/

/** Refuses with 200 and leaves nothing behind, however often it is asked. */
async function refuses(depositId: string, change: object, code: string, says: RegExp) {
  const refundId = randomUUID()
  const before = await refunds()
  for (let times = 0; times < 2; times += 1) {
    const answer = await service.post('/refunds', { refundId, depositId, ...change })
    assertLegacy(answer, 200, rejected({ refundId }, code, says))
  }
  assertLegacy(await service.get(`/refunds/${refundId}`), 200, [])
  assert.equal(await refunds(), before)
}

/** What is asked of a deposit of 100 ZMW, the code of its refusal, and what the message names. */
const REFUSALS: readonly (readonly [what: string, change: object, code: string, says: RegExp])[] = [
  ['three decimals', { amount: '5.555' }, 'INVALID_AMOUNT', /'5.555'.*at most 2 decimal/],
  ['three decimals, a number', { amount: 5.555 }, 'INVALID_AMOUNT', /'5.555'/],
  ['zero', { amount: '0' }, 'AMOUNT_TOO_SMALL', LIMITS],
  ['less than the least', { amount: 0.5 }, 'AMOUNT_TOO_SMALL', LIMITS],
  ['more than the deposit', { amount: '100.01' }, 'AMOUNT_TOO_LARGE', /'100.01'.*'100.00'/],
  ['more, a number', { amount: 100.01 }, 'AMOUNT_TOO_LARGE', /'100.01'.*'100.00'/],
  ['far more', { amount: '999999999999999999' }, 'AMOUNT_TOO_LARGE', /'100.00'/],
]

describe('a well-formed request is answered with 200 and REJECTED, for', () => {
  for (const [what, change, code, says] of REFUSALS) {
    it(`${what}: ${code}`, async () => refuses(await completedDeposit(service), change, code, says))
  }

  it('decimals where the correspondent takes none: INVALID_AMOUNT', async () => {
    const rwandan = { currency: 'RWF', payer: payer('250783456789', 'MTN_MOMO_RWA') }
    const depositId = await completedDeposit(service, rwandan)
    await refuses(depositId, { amount: '5.50' }, 'INVALID_AMOUNT', /'5.50'.*whole amounts/)
  })

  it('less than the correspondent sends, all of it: AMOUNT_TOO_SMALL', async () => {
    const kenyan = { amount: '5', currency: 'KES', payer: payer('254703456789', 'MPESA_KEN') }
    const depositId = await completedDeposit(service, kenyan)
    await refuses(depositId, {}, 'AMOUNT_TOO_SMALL', /more than '10'.*correspondent 'MPESA_KEN'/)
  })
})

describe('DEPOSIT_NOT_FOUND for', () => {
  it('a deposit that does not exist', async () => {
    const depositId = randomUUID()
    await refuses(depositId, {}, 'DEPOSIT_NOT_FOUND', new RegExp(`No deposit .*'${depositId}'`))
  })

  it('the identifier of a payout', async () => {
    const { id } = await startLegacy(service, 'payout')
    await legacyReaches(service, 'payout', id, 'COMPLETED')
    await refuses(id, {}, 'DEPOSIT_NOT_FOUND', /deposit/)
  })

  it('the deposit of another merchant', async () => {
    const other = await addMerchant(service)
    const body = { refundId: randomUUID(), depositId: await completedDeposit(service) }
    const { refundId } = body
    assertLegacy(
      await other.call('POST', '/refunds', body),
      200,
      rejected({ refundId }, 'DEPOSIT_NOT_FOUND', /^No deposit/),
    )
  })
})

describe('DEPOSIT_NOT_COMPLETED for', () => {
  it('a deposit that is under way, in the terms of this generation', async () => {
    const { id } = await startLegacy(service, 'deposit', { payer: msisdn('260763456129') })
    await legacyReaches(service, 'deposit', id, 'SUBMITTED')
    await refuses(id, {}, 'DEPOSIT_NOT_COMPLETED', /has not finished processing: it is SUBMITTED/)
  })

  it('a deposit that failed', async () => {
    const { id } = await startLegacy(service, 'deposit', { payer: msisdn('260763456039') })
    await legacyReaches(service, 'deposit', id, 'FAILED')
    await refuses(id, {}, 'DEPOSIT_NOT_COMPLETED', /is FAILED/)
  })
})

describe('of a deposit with earlier refunds', () => {
  it('no more is given than is left: AMOUNT_TOO_LARGE names the rest', async () => {
    const depositId = await completedDeposit(service)
    await refunded(service, depositId, { amount: '40.50' })
    await refuses(depositId, { amount: '59.51' }, 'AMOUNT_TOO_LARGE', /at most '59.50'/)
  })

  for (const change of [{}, { amount: '1' }, { amount: '5.555' }, { amount: '101' }]) {
    it(`nothing is left: ALREADY_REFUNDED for ${JSON.stringify(change)}`, async () => {
      const depositId = await completedDeposit(service)
      const { id } = await startLegacy(service, 'refund', { depositId })
      await legacyReaches(service, 'refund', id, 'COMPLETED')
      await refuses(depositId, change, 'ALREADY_REFUNDED', new RegExp(depositId))
    })
  }

  it('one is under way: IN_PROGRESS', async () => {
    const depositId = await depositThatHangs(service, '260763450002')
    const { id } = await startLegacy(service, 'refund', { depositId, amount: '10' })
    await refuses(depositId, {}, 'IN_PROGRESS', /under way/)
    await legacyReaches(service, 'refund', id, 'SUBMITTED')
    await refuses(depositId, { amount: '1' }, 'IN_PROGRESS', /under way/)
  })
})

it('CORRESPONDENT_TEMPORARILY_UNAVAILABLE while it is CLOSED, and accepted when open', async () => {
  const depositId = await completedDeposit(service)
  await setAvailability(service, 'REFUND', 'CLOSED')
  const says = /correspondent 'MTN_MOMO_ZMB'.*availability/
  await refuses(depositId, {}, 'CORRESPONDENT_TEMPORARILY_UNAVAILABLE', says)
  await setAvailability(service, 'REFUND', 'OPERATIONAL')
  const { id, body } = await startLegacy(service, 'refund', { depositId })
  assert.equal(body.status, 'ACCEPTED')
  await legacyReaches(service, 'refund', id, 'COMPLETED')
})

it('BALANCE_INSUFFICIENT when the wallet was emptied; nothing is stored or moved', async () => {
  const depositId = await completedDeposit(service)
  const full = await balanceOf(service)
  await setBalance(service, '99.99')
  const before = await counted(service)
  await refuses(depositId, {}, 'BALANCE_INSUFFICIENT', /wallet/)
  assert.deepEqual([await counted(service), await balanceOf(service)], [before, '99.99'])
  await setBalance(service, full)
  const { id, body } = await startLegacy(service, 'refund', { depositId })
  assert.equal(body.status, 'ACCEPTED')
  await legacyReaches(service, 'refund', id, 'COMPLETED')
})

describe('REFUNDS_NOT_ALLOWED with 200 for an account', () => {
  async function refusesTo(merchant: TestMerchant, change: () => Promise<unknown>) {
    const { depositId, ...rest } = legacyDeposit()
    await merchant.call('POST', '/deposits', { depositId, ...rest })
    await eventually(async () => {
      const { body } = await merchant.call('GET', `/deposits/${depositId}`)
      assert.equal(body[0]?.status, 'COMPLETED')
    })
    await change()
    await announceChange(service.database)
    const conf = async () => (await merchant.call('GET', '/active-conf')).body
    await eventually(async () => {
      const listed = JSON.stringify(await conf())
      assert.ok(!/MTN_MOMO_ZMB.*"operationType":"REFUND"/.test(listed))
    })
    const refundId = randomUUID()
    assertLegacy(
      await merchant.call('POST', '/refunds', { refundId, depositId }),
      200,
      rejected({ refundId }, 'REFUNDS_NOT_ALLOWED', /correspondent 'MTN_MOMO_ZMB'/),
    )
    assertLegacy(await merchant.call('GET', `/refunds/${refundId}`), 200, [])
  }

  it('on which refunds are not enabled', async () => {
    const merchant = await addMerchant(service, { providers: ['MTN_MOMO_ZMB'] })
    const { id } = merchant
    await refusesTo(merchant, () =>
      enableProvider(service.database, id, 'MTN_MOMO_ZMB', ['DEPOSIT', 'PAYOUT']),
    )
  })

  it('that has lost the correspondent altogether', async () => {
    const merchant = await addMerchant(service, { providers: ['MTN_MOMO_ZMB'] })
    await refusesTo(merchant, () =>
      service.database.query('delete from merchant_providers where merchant_id = $1', [
        merchant.id,
      ]),
    )
  })
})

it('a refused identifier is not used up', async () => {
  const refundId = randomUUID().toUpperCase()
  const depositId = await completedDeposit(service)
  const first = await startLegacy(service, 'refund', { refundId, depositId, amount: '0' })
  const second = await startLegacy(service, 'refund', { refundId, depositId })
  assert.deepEqual([first.body.status, second.body.status], ['REJECTED', 'ACCEPTED'])
  await legacyReaches(service, 'refund', refundId, 'COMPLETED')
})

async function refunds(): Promise<number> {
  return (
    await service.database.query(
      `select from payments where merchant_id = $1 and kind = 'refund'`,
      [service.merchantId],
    )
  ).length
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import {
  completedDeposit,
  depositThatHangs,
  refund,
  refundBody,
  refunded,
  refundReaches,
  setAvailability,
} from '../../../../harness/refunds.ts'
import { payer } from '../../../../harness/service.ts'
import { counted, shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { refund: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const LIMITS = /more than '1' and less than '20000'.*'MTN_MOMO_ZMB'/

/** Refuses with 200 and leaves nothing behind, however often it is asked. */
async function refuses(
  depositId: string,
  change: Record<string, unknown>,
  code: string,
  says: RegExp,
): Promise<void> {
  const body = refundBody(depositId, change)
  const { refundId } = body
  for (let times = 0; times < 2; times += 1) {
    const answer = await service.post('/v2/refunds', body)
    assertAnswer(answer, 200, refused(code, says, { refundId }))
  }
  assertAnswer(await service.get(`/v2/refunds/${refundId}`), 200, { status: 'NOT_FOUND' })
}

/** What is asked of a deposit of 100 ZMW, the code of its refusal, and what the message names. */
const REFUSALS: readonly (readonly [what: string, change: object, code: string, says: RegExp])[] = [
  ['more than the deposit', { amount: '100.01' }, 'AMOUNT_TOO_LARGE', /'100.01'.*'100.00'/],
  ['far more than the deposit', { amount: '999999999999999999' }, 'AMOUNT_TOO_LARGE', /'100.00'/],
  ['another currency', { currency: 'KES' }, 'INVALID_CURRENCY', /'KES'.*'ZMW'/],
  [
    'an amount in another currency',
    { amount: '5', currency: 'USD' },
    'INVALID_CURRENCY',
    /'USD'.*'ZMW'/,
  ],
  [
    'too large an amount in another currency',
    { amount: '2000', currency: 'KES' },
    'INVALID_CURRENCY',
    /'KES'.*'ZMW'/,
  ],
  ['three decimals', { amount: '5.555' }, 'INVALID_AMOUNT', /'5.555'.*at most 2 decimal/],
  ['four decimals', { amount: '5.0001' }, 'INVALID_AMOUNT', /'5.0001'/],
  ['zero', { amount: '0' }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  ['zero with decimals', { amount: '0.00' }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  ['too little', { amount: '0.99' }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
]

describe('a well-formed request is answered with 200 and REJECTED, for', () => {
  for (const [what, change, code, says] of REFUSALS) {
    it(`${what}: ${code}`, async () =>
      refuses(await completedDeposit(service), { ...change }, code, says))
  }

  it('decimals where the provider takes none: INVALID_AMOUNT', async () => {
    const depositId = await completedDeposit(service, {
      currency: 'RWF',
      payer: payer('250783456789', 'MTN_MOMO_RWA'),
    })
    await refuses(depositId, { amount: '5.50' }, 'INVALID_AMOUNT', /'5.50'.*whole amounts/)
  })

  it('less than the provider pays out, although it accepts such deposits: AMOUNT_OUT_OF_BOUNDS', async () => {
    const depositId = await completedDeposit(service, {
      amount: '5',
      currency: 'KES',
      payer: payer('254703456789', 'MPESA_KEN'),
    })
    await refuses(depositId, {}, 'AMOUNT_OUT_OF_BOUNDS', /more than '10'.*'MPESA_KEN'/)
  })
})

describe('a deposit that cannot be refunded:', () => {
  it('NOT_FOUND for one that does not exist', async () => {
    const depositId = randomUUID()
    await refuses(depositId, {}, 'NOT_FOUND', new RegExp(`No deposit .*'${depositId}'`))
  })

  it('NOT_FOUND for one of another merchant, in the very same words', async () => {
    const other = await addMerchant(service)
    const depositId = await completedDeposit(service)
    const body = refundBody(depositId)
    const foreign = await other.call('POST', '/v2/refunds', body)
    const { refundId } = body
    const says = new RegExp(`^No deposit with the id '${depositId}' was found\\.$`)
    assertAnswer(foreign, 200, refused('NOT_FOUND', says, { refundId }))
    assert.equal((await refunded(service, depositId)).amount, '100')
  })

  it('NOT_FOUND for the identifier of a payout or of a refund', async () => {
    const { refundId } = await refunded(service, await completedDeposit(service))
    await refuses(String(refundId), {}, 'NOT_FOUND', /deposit/)
  })

  it('INVALID_STATE for one that is processing', async () => {
    const { id } = await service.deposit({ payer: payer('260763456129', 'MTN_MOMO_ZMB') })
    await service.reaches(id, 'PROCESSING')
    await refuses(id, {}, 'INVALID_STATE', new RegExp(`'${id}' has not finished.*PROCESSING`))
  })

  it('INVALID_STATE for one that failed', async () => {
    const { id } = await service.deposit({ payer: payer('260763456039', 'MTN_MOMO_ZMB') })
    await service.reaches(id, 'FAILED')
    await refuses(id, {}, 'INVALID_STATE', new RegExp(`'${id}' is FAILED`))
  })
})

describe('of a deposit with earlier refunds', () => {
  it('no more is given than is left: AMOUNT_TOO_LARGE names the rest', async () => {
    const depositId = await completedDeposit(service)
    await refunded(service, depositId, { amount: '20' })
    await refunded(service, depositId, { amount: '20.50' })
    await refuses(depositId, { amount: '59.51' }, 'AMOUNT_TOO_LARGE', /at most '59.50'/)
    assert.equal((await refunded(service, depositId, { amount: '59.50' })).amount, '59.50')
  })

  it('a rest that is below the least amount stays: AMOUNT_OUT_OF_BOUNDS', async () => {
    const depositId = await completedDeposit(service)
    await refunded(service, depositId, { amount: '99.50' })
    await refuses(depositId, {}, 'AMOUNT_OUT_OF_BOUNDS', LIMITS)
  })

  for (const change of [
    {},
    { amount: '1' },
    { amount: '100' },
    { amount: '0' },
    { amount: '5.555' },
  ]) {
    it(`nothing is left: DEPOSIT_ALREADY_REFUNDED for ${JSON.stringify(change)}`, async () => {
      const depositId = await completedDeposit(service)
      await refunded(service, depositId)
      await refuses(depositId, change, 'DEPOSIT_ALREADY_REFUNDED', new RegExp(depositId))
    })
  }

  for (const change of [{}, { amount: '1' }, { amount: '101' }]) {
    it(`one is under way: REFUND_IN_PROGRESS for ${JSON.stringify(change)}`, async () => {
      const depositId = await depositThatHangs(service, '260763450002')
      const { id } = await refund(service, depositId, { amount: '10' })
      await refuses(
        depositId,
        change,
        'REFUND_IN_PROGRESS',
        new RegExp(`'${depositId}'.*under way`),
      )
      await refundReaches(service, id, 'PROCESSING')
      await refuses(depositId, change, 'REFUND_IN_PROGRESS', /under way/)
      await service.put('/sandbox/phones/260763450002', { script: [] })
    })
  }

  it('one is enqueued: REFUND_IN_PROGRESS', async () => {
    const depositId = await completedDeposit(service)
    await setAvailability(service, 'REFUND', 'DELAYED')
    const { id } = await refund(service, depositId, { amount: '10' })
    await refundReaches(service, id, 'ENQUEUED')
    await refuses(depositId, { amount: '10' }, 'REFUND_IN_PROGRESS', /under way/)
    await setAvailability(service, 'REFUND', 'OPERATIONAL')
    await refundReaches(service, id, 'COMPLETED')
    assert.equal((await refunded(service, depositId)).amount, '90.00')
  })
})

describe('a provider that is', () => {
  it('CLOSED takes no refund, and takes it when it is open again', async () => {
    const body = refundBody(await completedDeposit(service))
    await setAvailability(service, 'REFUND', 'CLOSED')
    const { refundId } = body
    const says = /'MTN_MOMO_ZMB'.*availability/
    assertAnswer(
      await service.post('/v2/refunds', body),
      200,
      refused('PROVIDER_TEMPORARILY_UNAVAILABLE', says, { refundId }),
    )
    await setAvailability(service, 'REFUND', 'OPERATIONAL')
    assert.equal((await service.post('/v2/refunds', body)).body.status, 'ACCEPTED')
    await refundReaches(service, refundId, 'COMPLETED')
  })

  it('CLOSED for deposits and payouts takes refunds', async () => {
    const depositId = await completedDeposit(service)
    for (const operation of ['DEPOSIT', 'PAYOUT']) {
      await setAvailability(service, operation, 'CLOSED')
    }
    await refunded(service, depositId)
    for (const operation of ['DEPOSIT', 'PAYOUT']) {
      await setAvailability(service, operation, 'OPERATIONAL')
    }
  })
})

it('a refused identifier is not used up, and is echoed as sent', async () => {
  const depositId = await completedDeposit(service)
  const refundId = randomUUID().toUpperCase()
  const first = await refund(service, depositId, { refundId, amount: '0' })
  assert.deepEqual([first.body.refundId, first.body.status], [refundId, 'REJECTED'])
  const second = await refund(service, depositId, { refundId })
  assert.deepEqual([second.body.refundId, second.body.status], [refundId, 'ACCEPTED'])
  await refundReaches(service, refundId, 'COMPLETED')
})

it('refused requests store, hold and send nothing', async () => {
  const depositId = await completedDeposit(service)
  const state = () => counted(service)
  const before = await state()
  await Promise.all(REFUSALS.map(([, change]) => refund(service, depositId, { ...change })))
  assert.deepEqual(await state(), before)
})

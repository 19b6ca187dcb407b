import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { reachesOperator } from '../../../../harness/operator.ts'
import { balanceOf, payout, reachesPayout } from '../../../../harness/payouts.ts'
import { answersOf, setAvailability } from '../../../../harness/refunds.ts'
import { eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  DEPOSIT_FAILS,
  PAYOUT_FAILS,
  part,
  type Split,
  split,
  splitBody,
  splitReaches,
} from '../../../../harness/splits.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
after(service.stop)

const from = (phoneNumber: string) => ({ payer: payer(phoneNumber, 'MTN_MOMO_ZMB') })

/** The whole answer to a status check, with the states of the payouts one by one. */
async function assertFound(
  { id, parts, body }: Split,
  status: string,
  states: readonly string[],
  more: object,
): Promise<void> {
  assertAnswer(await service.get(`/v2/split-payments/${id}`), 200, {
    status: 'FOUND',
    data: {
      splitPaymentId: id,
      depositId: id,
      status,
      amount: '100',
      currency: 'ZMW',
      country: 'ZMB',
      splits: parts.map((one, at) => ({ ...one, status: states[at] })),
      customerMessage: 'Demo Merchant',
      created: body.created,
      ...more,
    },
  })
}

const DONE = { ...from('260763456789'), providerTransactionId: /^SBX[0-9A-F]{16}$/ }

async function assertNoPayouts({ parts }: Split): Promise<void> {
  for (const { payoutId } of parts) {
    const found = await service.get(`/v2/payouts/${payoutId}`)
    assertAnswer(found, 200, { status: 'NOT_FOUND' })
  }
}

async function assertReserved({ body, parts }: Split): Promise<void> {
  for (const part of parts) {
    assertAnswer(await service.get(`/v2/payouts/${part.payoutId}`), 200, {
      status: 'FOUND',
      data: {
        ...part,
        status: 'ACCEPTED',
        currency: 'ZMW',
        country: 'ZMB',
        customerMessage: 'Demo Merchant',
        created: body.created,
      },
    })
  }
}

describe('before the deposit completes', () => {
  it('every call shows its payouts as ACCEPTED', async () => {
    const one = await split(service, from('260763456129'))
    await splitReaches(service, one.id, 'PROCESSING')
    await assertFound(one, 'PROCESSING', ['ACCEPTED', 'ACCEPTED'], from('260763456129'))
    await assertReserved(one)
    const payoutId = one.parts[0]?.payoutId ?? ''
    for (const call of ['resend-callback', 'fail-enqueued']) {
      const answer = await service.post(`/v2/payouts/${call}/${payoutId}`)
      assertAnswer(answer, 200, refused('INVALID_STATE', /it is ACCEPTED/, { payoutId }))
    }
    assert.equal((await service.get(`/payouts/${payoutId}`)).body[0].status, 'ACCEPTED')
    const deliveries = await service.get(`/sandbox/deliveries?paymentId=${payoutId}`)
    assertAnswer(deliveries, 200, [])
  })

  it('no operator is asked to pay, and no money is held; afterwards both happen', async () => {
    const number = '260763450001'
    await answersOf(service, number, [
      { afterSeconds: 0, answer: 'pending' },
      { afterSeconds: 600, answer: 'done' },
    ])
    const before = Number(await balanceOf(service))
    const one = await split(service, {
      ...from(number),
      splits: [part('60', '260763456129'), part('30')],
    })
    await reachesOperator(service, one.id)
    const asked = `select o.phone_number from sandbox_orders o join payments p
      on p.merchant_id = o.merchant_id and p.provider_reference = o.reference
      where p.split_id = $1 and p.kind = 'payout'`
    assert.deepEqual(await service.database.query(asked, [one.id]), [])
    // The clock of the tests runs on by itself: some of it is left for what follows.
    await service.advance(580)
    await splitReaches(service, one.id, 'PROCESSING')
    await assertReserved(one)
    assert.equal(Number(await balanceOf(service)), before)
    await service.advance(20)
    await service.reaches(one.id, 'COMPLETED')
    await reachesPayout(service, one.parts[1]?.payoutId ?? '', 'COMPLETED')
    await reachesPayout(service, one.parts[0]?.payoutId ?? '', 'PROCESSING')
    await assertFound(one, 'PROCESSING', ['PROCESSING', 'COMPLETED'], {
      ...DONE,
      ...from(number),
    })
    assert.equal(Number(await balanceOf(service)), before + 10)
  })

  it('IN_RECONCILIATION while the outcome of the deposit is unknown', async () => {
    const number = '260763450002'
    await answersOf(service, number, [{ afterSeconds: 0, answer: 'silent' }])
    const one = await split(service, from(number))
    await eventually(async () => {
      await service.advance(5)
      const { data } = (await service.get(`/v2/split-payments/${one.id}`)).body
      assert.equal(data.status, 'IN_RECONCILIATION')
    })
    await assertFound(one, 'IN_RECONCILIATION', ['ACCEPTED', 'ACCEPTED'], from(number))
    await assertReserved(one)
  })
})

describe('when it is over', () => {
  it('COMPLETED: collected and all paid out', async () => {
    const one = await split(service)
    await splitReaches(service, one.id, 'COMPLETED')
    await assertFound(one, 'COMPLETED', ['COMPLETED', 'COMPLETED'], DONE)
  })

  it('PAYOUT_FAILED: collected, and the money of what failed stays in the wallet', async () => {
    const before = Number(await balanceOf(service))
    const splits = [part('20', PAYOUT_FAILS), part('30'), part('40', '260763456079')]
    const one = await split(service, { splits })
    await splitReaches(service, one.id, 'PAYOUT_FAILED')
    await assertFound(one, 'PAYOUT_FAILED', ['FAILED', 'COMPLETED', 'FAILED'], DONE)
    const { failureReason } = await reachesPayout(service, splits[2]?.payoutId ?? '', 'FAILED')
    assert.equal((failureReason as { failureCode: string }).failureCode, 'RECIPIENT_NOT_FOUND')
    assert.equal(Number(await balanceOf(service)), before + 70)
  })

  it('PAYOUT_FAILED: all of them failed', async () => {
    const one = await split(service, { splits: [part('20', PAYOUT_FAILS)] })
    await splitReaches(service, one.id, 'PAYOUT_FAILED')
    await assertFound(one, 'PAYOUT_FAILED', ['FAILED'], DONE)
  })

  it('FAILED: nothing was collected, no payout was made, their identifiers are free', async () => {
    const before = await balanceOf(service)
    const one = await split(service, from(DEPOSIT_FAILS))
    await splitReaches(service, one.id, 'FAILED')
    const failureReason = {
      failureCode: 'PAYMENT_NOT_APPROVED',
      failureMessage: 'The customer did not approve the payment.',
    }
    const more = { ...from(DEPOSIT_FAILS), failureReason }
    await assertFound(one, 'FAILED', ['FAILED', 'FAILED'], more)
    await assertNoPayouts(one)
    assert.equal(await balanceOf(service), before)
    const [first, second] = one.parts
    assert.equal((await payout(service, { ...first })).body.status, 'ACCEPTED')
    await reachesPayout(service, first?.payoutId ?? '', 'COMPLETED')
    const other = await split(service, { splits: [second] })
    await splitReaches(service, other.id, 'COMPLETED')
    // What others do under these identifiers is not part of it.
    await assertFound(one, 'FAILED', ['FAILED', 'FAILED'], more)
  })

  it('an operator that reports the deposit twice starts the payouts once', async () => {
    const number = '260763450004'
    await answersOf(service, number, [{ afterSeconds: 0, answer: 'duplicate' }])
    const one = await split(service, from(number))
    await splitReaches(service, one.id, 'COMPLETED')
    const events = `select e.state from payment_events e join payments p
      on p.merchant_id = e.merchant_id and p.key = e.payment_key
      where p.split_id = $1 and p.kind = 'payout' and e.state = 'ACCEPTED'`
    assert.equal((await service.database.query(events, [one.id])).length, 2)
  })

  it('an operator that contradicts its refusal does not start the payouts', async () => {
    const number = '260763450005'
    const failureCode = 'PAYMENT_NOT_APPROVED'
    await answersOf(service, number, [{ afterSeconds: 0, answer: 'contradict', failureCode }])
    const one = await split(service, from(number))
    await eventually(async () => {
      const rows = await service.database.query(
        'select reported from cases where payment_id = $1',
        [one.id],
      )
      assert.deepEqual(rows, [{ reported: 'COMPLETED' }])
    })
    await splitReaches(service, one.id, 'FAILED')
    await assertNoPayouts(one)
  })

  it('a payout with an unknown outcome: IN_RECONCILIATION, then the outcome', async () => {
    const number = '260763450003'
    await answersOf(service, number, [
      { afterSeconds: 0, answer: 'silent' },
      { afterSeconds: 100_000, answer: 'done' },
    ])
    const one = await split(service, { splits: [part('20', number), part('30')] })
    await reachesPayout(service, one.parts[0]?.payoutId ?? '', 'PROCESSING')
    await reachesPayout(service, one.parts[1]?.payoutId ?? '', 'COMPLETED')
    await eventually(async () => {
      await service.advance(5)
      const { data } = (await service.get(`/v2/split-payments/${one.id}`)).body
      assert.equal(data.status, 'IN_RECONCILIATION')
    })
    await assertFound(one, 'IN_RECONCILIATION', ['IN_RECONCILIATION', 'COMPLETED'], DONE)
    await service.advance(100_000)
    await splitReaches(service, one.id, 'COMPLETED')
  })
})

describe('payouts by a provider that is DELAYED', () => {
  const airtel = (amount: string) => part(amount, '260973456789', 'AIRTEL_OAPI_ZMB')
  const enqueued = async (): Promise<Split> => {
    await setAvailability(service, 'PAYOUT', 'DELAYED', 'AIRTEL_OAPI_ZMB')
    const one = await split(service, { splits: [airtel('20'), part('30'), airtel('40')] })
    assert.equal(one.body.status, 'ACCEPTED')
    await reachesPayout(service, one.parts[0]?.payoutId ?? '', 'ENQUEUED')
    await reachesPayout(service, one.parts[1]?.payoutId ?? '', 'COMPLETED')
    await reachesPayout(service, one.parts[2]?.payoutId ?? '', 'ENQUEUED')
    await assertFound(one, 'PROCESSING', ['ENQUEUED', 'COMPLETED', 'ENQUEUED'], DONE)
    return one
  }
  const open = () => setAvailability(service, 'PAYOUT', 'OPERATIONAL', 'AIRTEL_OAPI_ZMB')

  it('are enqueued, and paid when it works again', async () => {
    const one = await enqueued()
    await open()
    await splitReaches(service, one.id, 'COMPLETED')
  })

  it('can be cancelled one by one, which makes it PAYOUT_FAILED', async () => {
    const before = Number(await balanceOf(service))
    const one = await enqueued()
    const payoutId = one.parts[0]?.payoutId ?? ''
    const answer = await service.post(`/v2/payouts/fail-enqueued/${payoutId}`)
    assertAnswer(answer, 200, { payoutId, status: 'ACCEPTED' })
    await assertFound(one, 'PROCESSING', ['FAILED', 'COMPLETED', 'ENQUEUED'], DONE)
    await open()
    await splitReaches(service, one.id, 'PAYOUT_FAILED')
    await assertFound(one, 'PAYOUT_FAILED', ['FAILED', 'COMPLETED', 'COMPLETED'], DONE)
    assert.equal(Number(await balanceOf(service)), before + 30)
  })

  it('cancelling the last one ends it', async () => {
    const one = await enqueued()
    for (const at of [0, 2]) {
      await service.post(`/v2/payouts/fail-enqueued/${one.parts[at]?.payoutId}`)
    }
    await assertFound(one, 'PAYOUT_FAILED', ['FAILED', 'COMPLETED', 'FAILED'], DONE)
    await open()
  })
})

describe('NOT_FOUND has no data, for', () => {
  const unknown = async (id: string): Promise<void> => {
    assertAnswer(await service.get(`/v2/split-payments/${id}`), 200, { status: 'NOT_FOUND' })
  }
  for (const id of [randomUUID(), '00000000-0000-0000-0000-000000000000']) {
    it(`an unknown one: ${id.slice(-4)}`, () => unknown(id))
  }

  it('an ordinary deposit', async () => unknown((await service.deposit()).id))

  it('a payout of a split payment', async () =>
    unknown((await split(service)).parts[0]?.payoutId ?? ''))

  it('one of another merchant', async () => {
    const other = await addMerchant(service)
    const body = splitBody()
    await other.call('POST', '/v2/split-payments', body)
    await unknown(body.splitPaymentId)
  })
})

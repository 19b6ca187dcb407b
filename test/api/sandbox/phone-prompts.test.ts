import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../harness/merchant.ts'
import { reachesOperator } from '../../../harness/operator.ts'
import { payoutBody, reachesPayout, recipient } from '../../../harness/payouts.ts'
import { failureCodeOf, phoneOf, takenPhone } from '../../../harness/phones.ts'
import { completedDeposit, refunded } from '../../../harness/refunds.ts'
import { payer, startService } from '../../../harness/service.ts'
import { readPhone, waitForPhone } from '../../../src/usecases/sandbox/phone.ts'
import {
  assertAnswer,
  assertEmpty,
  assertShape,
  MILLISECONDS,
  reason,
} from '../../support/shapes.ts'

// Of its own: the clock is not put back while other merchants wait for something.
const service = await startService()
after(service.stop)

/** A number that nobody has used yet, of MTN in Zambia. */
let used = 0
const fresh = (): string => {
  used += 1
  return `2607611${String(used).padStart(5, '0')}`
}

const fails = async (id: string, code: string): Promise<void> => {
  assert.equal(failureCodeOf(await service.reaches(id, 'FAILED')), code)
}

describe('a phone shows', () => {
  it('nothing but how it behaves, when nobody has used it', async () => {
    const number = fresh()
    assertAnswer(await service.get(`/sandbox/phones/${number}`), 200, {
      msisdn: number,
      mode: 'auto',
      script: [],
      prompts: [],
      messages: [],
    })
  })

  it('the script as it was set, in order of time', async () => {
    const phone = phoneOf(service, fresh())
    const script = [
      { afterSeconds: 0, answer: 'pending' },
      { afterSeconds: 1.5, answer: 'silent' },
      { afterSeconds: 20, answer: 'contradict' },
      { afterSeconds: 30, answer: 'duplicate', failureCode: 'PAYER_NOT_FOUND' },
      { afterSeconds: 40, answer: 'failed', failureCode: 'UNSPECIFIED_FAILURE' },
    ]
    assertEmpty(await phone.set({ mode: 'interactive', script: script.toReversed() }))
    const { mode, script: shown } = await phone.look()
    assert.deepEqual([mode, shown], ['interactive', script])
    assertEmpty(await phone.set({}))
    const reset = await phone.look()
    assert.deepEqual([reset.mode, reset.script], ['auto', []])
  })

  it('a payment that waits, with its identifier as sent', async () => {
    const phone = await takenPhone(service, fresh())
    const depositId = randomUUID().toUpperCase()
    await phone.pays({ depositId, amount: '7.50' })
    assertShape(await phone.prompt(), {
      id: /^[0-9a-f-]{36}$/,
      depositId,
      amount: '7.50',
      currency: 'ZMW',
      payee: /^\S.*$/,
      provider: 'MTN_MOMO_ZMB',
      providerName: 'MTN MoMo',
      reference: depositId.slice(-8),
      expiresAt: MILLISECONDS,
    })
  })

  it('the message to the customer as its reference', async () => {
    const phone = await takenPhone(service, fresh())
    await phone.pays({ customerMessage: 'Order 1042' })
    assert.equal((await phone.prompt()).reference, 'Order 1042')
  })

  it('nothing of the same number of another merchant', async () => {
    const phone = await takenPhone(service, fresh())
    await phone.pays()
    await phone.prompt()
    const other = await addMerchant(service)
    const path = `/sandbox/phones/${phone.number}`
    const { body } = await other.call('GET', path)
    assert.deepEqual([body.mode, body.prompts], ['auto', []])
    const answer = await other.call('POST', `${path}/actions`, { action: 'approve' })
    assert.equal(answer.status, 404)
    await phone.prompt()
  })
})

describe('a deposit that waits for the phone', () => {
  it('is completed when it is approved, and a receipt comes with its transaction', async () => {
    const phone = await takenPhone(service, fresh())
    const id = await phone.pays()
    const { payee } = await phone.prompt()
    assertAnswer(await phone.act({ action: 'approve', pin: '1234' }), 200, {
      message: `You approved the payment of ZMW 15 to ${payee}.`,
    })
    const { providerTransactionId } = await service.reaches(id, 'COMPLETED')
    const { prompts, messages } = await phone.look()
    assertShape(
      { prompts, messages },
      {
        prompts: [],
        messages: [
          {
            at: MILLISECONDS,
            text: `You paid ZMW 15 to ${payee}. Transaction ${providerTransactionId}.`,
          },
        ],
      },
    )
  })

  it('is not approved when it is declined', async () => {
    const phone = await takenPhone(service, fresh())
    const id = await phone.pays()
    await phone.prompt()
    assert.equal((await phone.act({ action: 'decline' })).status, 200)
    await fails(id, 'PAYMENT_NOT_APPROVED')
    assert.match((await phone.look()).messages[0].text, /was not made/)
  })

  it('is not approved after the third wrong PIN', async () => {
    const phone = await takenPhone(service, fresh())
    const id = await phone.pays()
    await phone.prompt()
    await service.reaches(id, 'PROCESSING')
    const wrong = { action: 'approve', pin: '0000' }
    assert.match((await phone.act(wrong)).body.message, /2 tries/)
    assert.match((await phone.act(wrong)).body.message, /one try/)
    assert.equal((await service.get(`/v2/deposits/${id}`)).body.data.status, 'PROCESSING')
    assert.match((await phone.act(wrong)).body.message, /too often/)
    await fails(id, 'PAYMENT_NOT_APPROVED')
  })

  it('is completed by a right PIN after two wrong ones', async () => {
    const phone = await takenPhone(service, fresh())
    const id = await phone.pays()
    await phone.prompt()
    for (const pin of ['0000', '0000', '4711']) await phone.act({ action: 'approve', pin })
    await service.reaches(id, 'COMPLETED')
  })

  it('waits for the phone whatever the number says by itself', async () => {
    const phone = await takenPhone(service, '260763456049')
    const id = await phone.pays()
    await phone.prompt()
    await phone.act({ action: 'approve' })
    await service.reaches(id, 'COMPLETED')
  })

  it('is not approved when nobody answers in time, and cannot be approved then', async () => {
    const phone = await takenPhone(service, fresh())
    const id = await phone.pays()
    const { expiresAt } = await phone.prompt()
    const { body } = await service.get('/sandbox/clock')
    await service.advance((Date.parse(expiresAt) - Date.parse(body.now)) / 1000 + 1)
    assertAnswer(await phone.act({ action: 'approve' }), 404, reason('NOT_FOUND'))
    await fails(id, 'PAYMENT_NOT_APPROVED')
  })

  it('ends once: who approves again reads that there is nothing to approve', async () => {
    const phone = await takenPhone(service, fresh())
    const id = await phone.pays()
    await phone.prompt()
    assert.equal((await phone.act({ action: 'approve' })).status, 200)
    for (const action of ['approve', 'decline']) {
      assertAnswer(await phone.act({ action }), 404, reason('NOT_FOUND', /^No payment waits/))
    }
    await service.reaches(id, 'COMPLETED')
  })

  it('rejects a second one while it waits; afterwards the phone is free', async () => {
    const phone = await takenPhone(service, fresh())
    const first = await phone.pays()
    await phone.prompt()
    await fails(await phone.pays(), 'PAYMENT_IN_PROGRESS')
    assert.match(
      (await phone.look()).messages[0].text,
      /^Your payment of ZMW 15 to .+ was not made: another payment waits on this phone\.$/,
    )
    assert.equal((await phone.prompt()).depositId, first)
    await phone.act({ action: 'approve' })
    await service.reaches(first, 'COMPLETED')
    const third = await phone.pays()
    assert.equal((await phone.prompt()).depositId, third)
  })

  it('does not stand in the way once its time is over', async () => {
    const phone = await takenPhone(service, fresh())
    const first = await phone.pays()
    await phone.prompt()
    await service.advance(200)
    const second = await phone.pays()
    assert.equal((await phone.prompt()).depositId, second)
    await fails(first, 'PAYMENT_NOT_APPROVED')
  })

  it('is gone after the clock was put back, and the phone can be taken again', async () => {
    const number = fresh()
    const phone = await takenPhone(service, number)
    await service.advance(86_400)
    await phone.pays()
    await phone.prompt()
    assert.equal((await service.post('/sandbox/clock/reset')).status, 200)
    const again = await takenPhone(service, number)
    const id = await again.pays()
    assert.equal((await again.prompt()).depositId, id)
    await again.act({ action: 'approve' })
    await service.reaches(id, 'COMPLETED')
  })

  it('that was approved and scripted follows the script from the approval on', async () => {
    const phone = phoneOf(service, fresh())
    const script = [
      { afterSeconds: 0, answer: 'pending' },
      { afterSeconds: 90, answer: 'failed', failureCode: 'INSUFFICIENT_BALANCE' },
    ]
    await phone.set({ mode: 'interactive', script })
    const id = await phone.pays()
    await phone.prompt()
    await service.reaches(id, 'PROCESSING')
    await service.advance(35)
    assert.equal((await phone.act({ action: 'approve' })).status, 200)
    // More than the script says since the beginning, and less since the approval.
    await service.advance(70)
    assert.equal((await service.get(`/v2/deposits/${id}`)).body.data.status, 'PROCESSING')
    await service.advance(20)
    await fails(id, 'INSUFFICIENT_BALANCE')
  })

  it('keeps the mode with which it began', async () => {
    const phone = await takenPhone(service, fresh())
    const id = await phone.pays()
    await phone.prompt()
    await phone.set({ mode: 'auto' })
    await phone.act({ action: 'approve' })
    await service.reaches(id, 'COMPLETED')
    await service.reaches(await phone.pays(), 'COMPLETED')
  })
})

describe('a prompt', () => {
  it('that can be called back leaves the screen and comes back by dialling', async () => {
    const phone = await takenPhone(service, fresh())
    const id = await phone.pays()
    const { expiresAt } = await phone.prompt()
    await service.advance(61)
    assert.deepEqual((await phone.look()).prompts, [])
    assertAnswer(await phone.act({ action: 'approve' }), 404, reason('NOT_FOUND', /Dial \*115#/))
    assert.match((await phone.act({ action: 'dial', code: '*115#' })).body.message, /^Pay ZMW 15/)
    assert.equal((await phone.prompt()).expiresAt, expiresAt)
    await phone.act({ action: 'approve' })
    await service.reaches(id, 'COMPLETED')
  })

  it('that cannot be called back stays until its time is over', async () => {
    const phone = await takenPhone(service, '254711000001', 'MPESA_KEN')
    const id = await phone.pays({ currency: 'KES' })
    await phone.prompt()
    await service.advance(150)
    await phone.prompt()
    await phone.act({ action: 'approve' })
    await service.reaches(id, 'COMPLETED')
  })

  it('of a provider without prompts of its own comes only by dialling', async () => {
    const phone = await takenPhone(service, '22602345001', 'MOOV_BFA')
    const id = await phone.pays({ amount: '100', currency: 'XOF' })
    await reachesOperator(service, id)
    assert.deepEqual((await phone.look()).prompts, [])
    assert.equal((await phone.act({ action: 'approve' })).status, 404)
    assert.equal((await phone.act({ action: 'dial', code: '*555*6#' })).status, 200)
    await phone.prompt()
    await phone.act({ action: 'approve' })
    await service.reaches(id, 'COMPLETED')
  })

  it('comes by the quick link as by the short code', async () => {
    const phone = await takenPhone(service, '256781000001', 'MTN_MOMO_UGA')
    const id = await phone.pays({ amount: '500', currency: 'UGX' })
    await phone.prompt()
    await service.advance(61)
    assert.equal((await phone.act({ action: 'dial', code: '*165*8*3*1#' })).status, 200)
    assert.equal((await phone.prompt()).depositId, id)
  })
})

it('incoming money is shown on the phone, for payouts and for refunds', async () => {
  const phone = phoneOf(service, fresh())
  await phone.set({ mode: 'interactive' })
  const payout = payoutBody({ recipient: recipient(phone.number, 'MTN_MOMO_ZMB') })
  await service.post('/v2/payouts', payout)
  const { providerTransactionId } = await reachesPayout(service, payout.payoutId, 'COMPLETED')
  const { messages } = await phone.look()
  assert.equal(messages.length, 1)
  assert.match(messages[0].text, /^You received ZMW 15 from .+\. Transaction SBX\w+\.$/)
  assert.ok(messages[0].text.includes(providerTransactionId))

  await phone.set({ mode: 'auto' })
  const deposit = await completedDeposit(service, { payer: payer(phone.number, 'MTN_MOMO_ZMB') })
  await refunded(service, deposit, { amount: '40' })
  const texts = (await phone.look()).messages.map(({ text }: { text: string }) => text)
  assertShape(texts, [/^You received ZMW 15 /, /^You paid ZMW 100 /, /^You got ZMW 40 back from /])
})

it('a request that waits for a phone is answered when it changes, or when the time is over', async () => {
  const phone = await takenPhone(service, fresh())
  const { ctx } = service.node
  const merchant = (await ctx.merchants.byToken(service.token))?.merchant
  assert.ok(merchant !== undefined)
  const { version } = await readPhone(ctx, merchant, phone.number)
  const same = await waitForPhone(ctx, merchant, phone.number, version, 300)
  assert.equal(same.version, version)
  const waiting = [1, 2, 3].map(() => waitForPhone(ctx, merchant, phone.number, version, 20_000))
  const id = await phone.pays()
  for (const view of await Promise.all(waiting)) assert.equal(view.prompts[0]?.depositId, id)
})

/** What cannot be done with a phone. */
const REFUSED: readonly (readonly [number: string, body: unknown, code: string, says: RegExp])[] = [
  ['abc', { action: 'approve' }, 'INVALID_PARAMETER', /'msisdn'/],
  ['1', {}, 'MISSING_PARAMETER', /'action'/],
  ['1', { action: 'ignore' }, 'INVALID_PARAMETER', /'action'/],
  ['2'.repeat(300), { action: 'approve' }, 'INVALID_PARAMETER', /'msisdn'.*1 to 32 digits/],
  ['1', { action: 'approve', pin: '12' }, 'INVALID_PARAMETER', /'pin'.*four to six digits/],
  ['1', { action: 'approve', pin: 'abcd' }, 'INVALID_PARAMETER', /'pin'.*four to six digits/],
  ['1', { action: 'approve', pin: 1234 }, 'INVALID_PARAMETER', /'pin'/],
  ['1', { action: 'decline', pin: '1234' }, 'INVALID_PARAMETER', /'pin'.*'approve'/],
  ['1', { action: 'approve', code: '*1#' }, 'INVALID_PARAMETER', /'code'.*'dial'/],
  ['1', { action: 'dial' }, 'MISSING_PARAMETER', /'code'/],
  ['260761100000', { action: 'dial', code: '*1#' }, 'INVALID_PARAMETER', /'code'.*\*115#/],
  ['1', { action: 'dial', code: '*115#' }, 'INVALID_PARAMETER', /'code'.*nobody/],
  ['1', { action: 'approve', phone: '1' }, 'UNSUPPORTED_PARAMETER', /'phone'/],
]

describe('400 for what nobody can do with a phone:', () => {
  for (const [number, body, code, says] of REFUSED) {
    it(`${number.slice(0, 40)} ${JSON.stringify(body)}`, async () => {
      const answer = await service.post(`/sandbox/phones/${number}/actions`, body)
      assertAnswer(answer, 400, reason(code, says))
    })
  }
})

it('a code that leads to payments says so when none waits', async () => {
  const { status, body } = await phoneOf(service, fresh()).act({ action: 'dial', code: '*115#' })
  assert.deepEqual([status, body], [200, { message: 'No payment waits for your approval.' }])
})

it('a number that nobody has taken over answers by itself and keeps nothing', async () => {
  const number = fresh()
  const { id } = await service.deposit({ payer: payer(number, 'MTN_MOMO_ZMB') })
  await service.reaches(id, 'COMPLETED')
  const rows = await service.database.query(
    'select 1 from sandbox_orders where phone_number = $1 and payment_id is null and story is null',
    [number],
  )
  assert.equal(rows.length, 1)
})

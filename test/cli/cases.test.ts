import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, payer, startService } from '../../harness/service.ts'
import { paymentFailure } from '../../src/domain/failure.ts'
import type { MerchantId, PaymentId } from '../../src/domain/ids.ts'
import { readNotification } from '../../src/usecases/payments/read-notification.ts'
import { openCommandLine } from './command-line.ts'

const service = await startService()
const commandLine = openCommandLine()
const settings = { DATABASE_URL: service.databaseUrl }
after(async () => {
  await service.stop()
  await commandLine.close()
})

const NUMBER = '260763456222'
const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const malipo = (...args: string[]) => commandLine.run([...args, '--json'], settings)
const UNSPECIFIED = 'UNSPECIFIED_FAILURE'
const sayWhy = ['--by', 'night desk', '--note', 'seen in the operator file']

async function balance(): Promise<number> {
  const { body } = await service.get('/v2/wallet-balances?country=ZMB')
  return Number(body.balances[0].balance)
}

/** A payment about which the operator says first this, then the opposite; answers its case. */
async function contradicted(kind: 'deposit' | 'payout', first: 'COMPLETED' | 'FAILED') {
  const failureCode = first === 'FAILED' ? { failureCode: 'UNSPECIFIED_FAILURE' } : {}
  await service.put(`/sandbox/phones/${NUMBER}`, {
    script: [{ afterSeconds: 0, answer: 'contradict', ...failureCode }],
  })
  const id = randomUUID()
  const account = payer(NUMBER, 'MTN_MOMO_ZMB')
  const party = kind === 'deposit' ? { payer: account } : { recipient: account }
  const body = { [`${kind}Id`]: id, amount: '40', currency: 'ZMW', ...party }
  assert.equal((await service.post(`/v2/${kind}s`, body)).body.status, 'ACCEPTED')
  const found = await eventually(async () => {
    const cases = JSON.parse((await malipo('case', 'list')).stdout)
    const mine = cases.find((one: { payment: string }) => one.payment === id)
    assert.ok(mine !== undefined)
    return mine
  })
  assert.equal((await service.get(`/v2/${kind}s/${id}`)).body.data.status, first)
  return { id, ...found }
}

describe('an operator that contradicts itself', () => {
  for (const kind of ['deposit', 'payout'] as const) {
    for (const first of ['COMPLETED', 'FAILED'] as const) {
      it(`${kind} ${first}, then the opposite: corrected, the money is where it really is`, async () => {
        const start = await balance()
        const { id, ...found } = await contradicted(kind, first)
        const opposite = first === 'COMPLETED' ? 'FAILED' : 'COMPLETED'
        const { merchant, cause, kind: about, reported } = found
        assert.deepEqual(
          [merchant, cause, about, reported],
          ['demo', 'CONTRADICTION', kind, opposite],
        )
        const { code } = await malipo('case', 'resolve', found.case, '--correct', ...sayWhy)
        assert.equal(code, 0)
        const sign = kind === 'deposit' ? 1 : -1
        assert.equal((await balance()) - start, opposite === 'COMPLETED' ? sign * 40 : 0)
        assert.equal((await service.get(`/v2/${kind}s/${id}`)).body.data.status, first)
        const [row] = await service.database.query(
          'select resolution, resolved_by, note from cases where payment_id = $1',
          [id],
        )
        assert.deepEqual(row, {
          resolution: 'CORRECTED',
          resolved_by: 'night desk',
          note: 'seen in the operator file',
        })
      })
    }
  }

  it('dismissed, nothing is moved', async () => {
    const { case: key } = await contradicted('deposit', 'COMPLETED')
    const before = await balance()
    const { code, stdout } = await malipo('case', 'resolve', key, '--dismiss', ...sayWhy)
    assert.equal(code, 0)
    assert.deepEqual(JSON.parse(stdout), { case: key, resolution: 'DISMISSED' })
    assert.equal(await balance(), before)
  })

  it('is closed once: a second time there is nothing to close', async () => {
    const { case: key } = await contradicted('deposit', 'FAILED')
    assert.equal((await malipo('case', 'resolve', key, '--correct', ...sayWhy)).code, 0)
    const again = await malipo('case', 'resolve', key, '--correct', ...sayWhy)
    assert.equal(again.code, 2)
    assert.match(again.stderr, /no open case/)
  })

  it('cannot take more out of a wallet than it holds', async () => {
    const { case: key } = await contradicted('deposit', 'COMPLETED')
    await service.put('/sandbox/wallets', { country: 'ZMB', currency: 'ZMW', balance: '39' })
    const short = await malipo('case', 'resolve', key, '--correct', ...sayWhy)
    assert.equal(short.code, 2)
    assert.match(short.stderr, /wallet:ZMB:ZMW holds less than the payment/)
    assert.equal(await balance(), 39)
    await service.put('/sandbox/wallets', { country: 'ZMB', currency: 'ZMW', balance: '100' })
    assert.equal((await malipo('case', 'resolve', key, '--correct', ...sayWhy)).code, 0)
    assert.equal(await balance(), 60)
  })
})

/** Asks for a refund of all that is left; answers what became of the request. */
async function refund(depositId: string) {
  const refundId = randomUUID()
  const { body } = await service.post('/v2/refunds', { refundId, depositId })
  const { failureCode, failureMessage: message } = body.failureReason ?? {}
  return { refundId, outcome: failureCode ?? body.status, message }
}

describe('money of a deposit leaves the wallet once', () => {
  it('a deposit in dispute is not refunded, nor one that was corrected to FAILED', async () => {
    await service.put('/sandbox/wallets', { country: 'ZMB', currency: 'ZMW', balance: '1000' })
    const { id, case: key } = await contradicted('deposit', 'COMPLETED')
    assert.equal((await refund(id)).outcome, 'INVALID_STATE')
    assert.equal((await malipo('case', 'resolve', key, '--correct', ...sayWhy)).code, 0)
    assert.equal((await refund(id)).outcome, 'INVALID_STATE')
    assert.equal(await balance(), 1000)
  })

  it('a deposit whose case was dismissed is refunded like any other', async () => {
    const { id, case: key } = await contradicted('deposit', 'COMPLETED')
    assert.equal((await malipo('case', 'resolve', key, '--dismiss', ...sayWhy)).code, 0)
    await service.put(`/sandbox/phones/${NUMBER}`, {})
    assert.equal((await refund(id)).outcome, 'ACCEPTED')
  })

  it('a deposit that was refunded before the operator contradicted itself is not corrected', async () => {
    const script = [
      { afterSeconds: 0, answer: 'done' },
      { afterSeconds: 60, answer: 'contradict' },
    ]
    await service.put(`/sandbox/phones/${NUMBER}`, { script })
    const { id } = await service.deposit({ payer: payer(NUMBER, 'MTN_MOMO_ZMB') })
    await service.reaches(id, 'COMPLETED')
    await service.put(`/sandbox/phones/${NUMBER}`, {})
    const { refundId, outcome } = await refund(id)
    assert.equal(outcome, 'ACCEPTED')
    await refundReaches(refundId, 'COMPLETED')
    const key = await disputed(id)
    const before = await balance()
    const { code, stderr } = await resolve(key, '--correct')
    assert.equal(code, 2)
    assert.match(stderr, /was refunded/)
    assert.equal(await balance(), before)
    assert.equal((await resolve(key, '--dismiss')).code, 0)
  })
})

/** The operator first calls the refund FAILED, and a minute later says the opposite. */
async function disputedRefund(depositId: string) {
  await service.put(`/sandbox/phones/${NUMBER}`, {
    script: [
      { afterSeconds: 0, answer: 'failed', failureCode: 'UNSPECIFIED_FAILURE' },
      { afterSeconds: 60, answer: 'contradict', failureCode: 'UNSPECIFIED_FAILURE' },
    ],
  })
  const { refundId, outcome } = await refund(depositId)
  assert.equal(outcome, 'ACCEPTED')
  await refundReaches(refundId, 'FAILED')
  return { isDisputed: () => disputed(refundId) }
}

/** Moves the clock until the operator has contradicted itself; returns the case. */
async function disputed(id: string): Promise<string> {
  await service.advance(61)
  return caseOf(id)
}

const caseOf = (id: string): Promise<string> =>
  eventually(async () => {
    const cases = JSON.parse((await malipo('case', 'list')).stdout)
    const mine = cases.find((one: { payment: string }) => one.payment === id)
    assert.ok(mine !== undefined)
    return mine.case
  })

const refundReaches = (refundId: string, status: string): Promise<void> =>
  eventually(async () => {
    const { body } = await service.get(`/v2/refunds/${refundId}`)
    assert.equal(body.data.status, status)
  })

const resolve = (key: string, word: '--correct' | '--dismiss') =>
  malipo('case', 'resolve', key, word, ...sayWhy)

async function deposited(): Promise<string> {
  await service.put(`/sandbox/phones/${NUMBER}`, {})
  const { id } = await service.deposit({ payer: payer(NUMBER, 'MTN_MOMO_ZMB') })
  await service.reaches(id, 'COMPLETED')
  return id
}

describe('a refund that failed and was paid after all', { timeout: 540_000 }, () => {
  it('counts as under way while nobody has decided, and as paid when corrected', async () => {
    const depositId = await deposited()
    const { isDisputed } = await disputedRefund(depositId)
    const key = await isDisputed()
    const disputed =
      /contradicts itself about whether an earlier refund was paid\. Ask the operator/
    const refused = await refund(depositId)
    assert.equal(refused.outcome, 'REFUND_IN_PROGRESS')
    assert.match(refused.message, disputed)
    const { body } = await service.post('/refunds', { refundId: randomUUID(), depositId })
    assert.match(JSON.stringify(body), disputed)
    assert.equal((await resolve(key, '--correct')).code, 0)
    assert.equal((await refund(depositId)).outcome, 'DEPOSIT_ALREADY_REFUNDED')
  })

  it('counts for nothing when its case was dismissed', async () => {
    const depositId = await deposited()
    const { isDisputed } = await disputedRefund(depositId)
    assert.equal((await resolve(await isDisputed(), '--dismiss')).code, 0)
    await service.put(`/sandbox/phones/${NUMBER}`, {})
    assert.equal((await refund(depositId)).outcome, 'ACCEPTED')
  })

  it('is not corrected where another one has been paid meanwhile', async () => {
    const depositId = await deposited()
    const { isDisputed } = await disputedRefund(depositId)
    await service.put(`/sandbox/phones/${NUMBER}`, {})
    const second = await refund(depositId)
    assert.equal(second.outcome, 'ACCEPTED')
    await refundReaches(second.refundId, 'COMPLETED')
    const key = await isDisputed()
    const { code, stderr } = await resolve(key, '--correct')
    assert.equal(code, 2)
    assert.match(stderr, /would exceed it/)
    assert.equal((await resolve(key, '--dismiss')).code, 0)
  })
})

it('a deposit that failed is refunded once it was corrected', async () => {
  const { id, case: key } = await contradicted('deposit', 'FAILED')
  assert.equal((await refund(id)).outcome, 'INVALID_STATE')
  assert.equal((await resolve(key, '--correct')).code, 0)
  await service.put(`/sandbox/phones/${NUMBER}`, {})
  const { refundId, outcome } = await refund(id)
  assert.equal(outcome, 'ACCEPTED')
  await refundReaches(refundId, 'COMPLETED')
})

it('a further contradiction after a closed case opens another one', async () => {
  await service.put('/sandbox/wallets', { country: 'ZMB', currency: 'ZMW', balance: '1000' })
  const { id, case: key } = await contradicted('deposit', 'COMPLETED')
  assert.equal((await resolve(key, '--correct')).code, 0)
  const report = async (word: 'DONE' | 'FAILED') => {
    const [row] = await service.database.query<{ reference: string }>(
      'select provider_reference as reference from payments where id = $1',
      [id],
    )
    const outcome =
      word === 'DONE'
        ? ({ kind: 'DONE' } as const)
        : ({ kind: 'FAILED', failure: paymentFailure('UNSPECIFIED_FAILURE') } as const)
    await readNotification(service.node.ctx, QUIET, {
      merchantId: 1 as MerchantId,
      kind: 'deposit',
      paymentId: id as PaymentId,
      reference: String(row?.reference),
      outcomes: [outcome],
    })
  }
  // Its last answer again opens no case.
  await report('FAILED')
  assert.equal((await resolve(key, '--correct')).code, 2)
  await report('DONE')
  assert.equal((await refund(id)).outcome, 'INVALID_STATE')
  assert.equal((await resolve(key, '--correct')).code, 0)
  assert.equal(await balance(), 1040)
  assert.equal((await refund(id)).outcome, 'ACCEPTED')
})

/** A payment of which the operator says nothing until it is in doubt; answers its case. */
async function unknown(kind: 'deposit' | 'payout') {
  await service.put(`/sandbox/phones/${NUMBER}`, {
    script: [{ afterSeconds: 0, answer: 'silent' }],
  })
  const id = randomUUID()
  const account = payer(NUMBER, 'MTN_MOMO_ZMB')
  const party = kind === 'deposit' ? { payer: account } : { recipient: account }
  const body = { [`${kind}Id`]: id, amount: '40', currency: 'ZMW', ...party }
  assert.equal((await service.post(`/v2/${kind}s`, body)).body.status, 'ACCEPTED')
  await eventually(async () => {
    await service.advance(30)
    const { status } = (await service.get(`/v2/${kind}s/${id}`)).body.data
    assert.equal(status, 'IN_RECONCILIATION')
  })
  const cases = JSON.parse((await malipo('case', 'list')).stdout)
  const found = cases.find((one: { payment: string }) => one.payment === id)
  assert.equal(found.cause, 'UNKNOWN_OUTCOME')
  return { id, key: found.case }
}

describe('an outcome that no operator will ever report', { timeout: 540_000 }, () => {
  for (const kind of ['deposit', 'payout'] as const) {
    for (const [word, state] of [
      ['--paid', 'COMPLETED'],
      ['--not-paid', 'FAILED'],
    ] as const) {
      it(`${kind}: ${word} ends it as the operator would, with money and callback`, async () => {
        const receiver = await startReceiver()
        await service.put('/sandbox/callbacks', { [kind]: receiver.url })
        await service.put('/sandbox/wallets', { country: 'ZMB', currency: 'ZMW', balance: '500' })
        const { id, key } = await unknown(kind)
        const paid = word === '--paid' ? ['--transaction', 'MP1'] : []
        const { code, stderr } = await malipo('case', 'resolve', key, word, ...paid, ...sayWhy)
        assert.equal(code, 0, stderr)
        const { data } = (await service.get(`/v2/${kind}s/${id}`)).body
        assert.equal(data.status, state)
        assert.equal(data.providerTransactionId, word === '--paid' ? 'MP1' : undefined)
        assert.equal(data.failureReason?.failureCode, word === '--paid' ? undefined : UNSPECIFIED)
        const moved = kind === 'deposit' ? 40 : -40
        assert.equal(await balance(), 500 + (word === '--paid' ? moved : 0))
        await eventually(() => {
          assert.deepEqual(
            receiver.received.map((one) => JSON.parse(one.body)),
            [data],
          )
        })
        const [row] = await service.database.query(
          'select resolution, resolved_by, note from cases where payment_id = $1',
          [id],
        )
        assert.deepEqual(Object.values(row ?? {}), [state, 'night desk', sayWhy[3]])
        const story = await commandLine.run(['payment', 'show', id], settings)
        assert.match(story.stdout, new RegExp(`case closed: ${state} by night desk\\s+seen in the`))
        const again = await malipo('case', 'resolve', key, word, ...sayWhy)
        assert.match(again.stderr, /no open case/)
        await receiver.close()
      })
    }
  }

  it('is decided once, by the first: two people and the operator', async () => {
    await service.put('/sandbox/wallets', { country: 'ZMB', currency: 'ZMW', balance: '500' })
    const { id, key } = await unknown('deposit')
    const answers = await Promise.all([
      malipo('case', 'resolve', key, '--paid', ...sayWhy),
      malipo('case', 'resolve', key, '--not-paid', ...sayWhy),
    ])
    assert.deepEqual(answers.map(({ code }) => code).toSorted(), [0, 2])
    const { status } = (await service.get(`/v2/deposits/${id}`)).body.data
    assert.equal(status, answers[0]?.code === 0 ? 'COMPLETED' : 'FAILED')
    assert.equal(await balance(), answers[0]?.code === 0 ? 540 : 500)
  })

  it('takes no word that belongs to a contradiction, and the other way round', async () => {
    const { key } = await unknown('deposit')
    const wrong = await malipo('case', 'resolve', key, '--correct', ...sayWhy)
    assert.equal(wrong.code, 2)
    assert.match(wrong.stderr, /of the cause UNKNOWN_OUTCOME: give --paid or --not-paid/)
    const { case: other } = await contradicted('deposit', 'COMPLETED')
    const mixed = await malipo('case', 'resolve', other, '--paid', ...sayWhy)
    assert.match(mixed.stderr, /of the cause CONTRADICTION: give --correct or --dismiss/)
  })
})

describe('refuses', () => {
  const nobody = randomUUID()
  for (const [what, args, message] of [
    ['no word', [nobody, ...sayWhy], /Give one: --paid or --not-paid .* --correct or --dismiss/],
    ['two words', [nobody, '--correct', '--paid', ...sayWhy], /Give one/],
    [
      'a transaction of what was not paid',
      [nobody, '--not-paid', '--transaction', 'T1', ...sayWhy],
      /--paid alone/,
    ],
    ['nobody', [nobody, '--correct', '--note', 'x'], /--by/],
    ['no reason', [nobody, '--dismiss', '--by', 'x'], /--note/],
    ['a case that is none', ['nonsense', '--dismiss', ...sayWhy], /not the name of a case/],
    ['an unknown case', [nobody, '--dismiss', ...sayWhy], /no open case/],
  ] as const) {
    it(what, async () => {
      const { code, stderr } = await malipo('case', 'resolve', ...args)
      assert.equal(code, 2)
      assert.match(stderr, message)
    })
  }
})

it('open cases are in the metrics with the age of the oldest', async () => {
  await contradicted('payout', 'COMPLETED')
  await service.advance(500)
  const { body } = await service.get('/metrics')
  const value = (name: string): number =>
    Number(new RegExp(`^${name}\\{cause="CONTRADICTION"\\} (\\S+)$`, 'm').exec(body)?.[1])
  assert.ok(value('malipo_cases_open') >= 1)
  assert.ok(value('malipo_case_age_seconds') >= 500)
})

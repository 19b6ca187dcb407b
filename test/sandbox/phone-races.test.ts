import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { reachesOperator } from '../../harness/operator.ts'
import { failureCodeOf, phoneOf, takenPhone } from '../../harness/phones.ts'
import { eventually, startService } from '../../harness/service.ts'

const one = await startService()
const two = await one.addNode({ MALIPO_SANDBOX_TOKEN: one.token })
after(async () => {
  await two.stop()
  await one.stop()
})

const ROUNDS = 12
let used = 0
const fresh = (): string => {
  used += 1
  return `2607612${String(used).padStart(5, '0')}`
}

describe('two people at one phone, through two nodes', () => {
  it('approve and decline at the same moment: one of them counts', async () => {
    const counted = { approve: 0, decline: 0 }
    for (let round = 0; round < ROUNDS; round += 1) {
      const phone = await takenPhone(one, fresh())
      const id = await phone.pays()
      await phone.prompt()
      const hands = [phone, phoneOf(two, phone.number)]
      const actions = (round % 2 === 0 ? ['approve', 'decline'] : ['decline', 'approve']) as (
        | 'approve'
        | 'decline'
      )[]
      const answers = await Promise.all(
        hands.map((hand, index) => hand.act({ action: actions[index] })),
      )
      const winners = actions.filter((_, index) => answers[index]?.status === 200)
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404])
      const [winner = 'approve'] = winners
      counted[winner] += 1
      const record = await one.reaches(id, winner === 'approve' ? 'COMPLETED' : 'FAILED')
      const code = winner === 'approve' ? undefined : 'PAYMENT_NOT_APPROVED'
      assert.equal(failureCodeOf(record), code)
    }
    assert.equal(counted.approve + counted.decline, ROUNDS)
  })

  it('approve at the same moment: it is approved once', async () => {
    const phone = await takenPhone(one, fresh())
    const id = await phone.pays()
    await phone.prompt()
    const hands = [phone, phoneOf(two, phone.number), phone, phoneOf(two, phone.number)]
    const answers = await Promise.all(hands.map((hand) => hand.act({ action: 'approve' })))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404, 404, 404])
    await one.reaches(id, 'COMPLETED')
    assert.equal((await phone.look()).messages.length, 1)
  })

  it('enter a wrong PIN at the same moment: each try counts', async () => {
    const phone = await takenPhone(one, fresh())
    const id = await phone.pays()
    await phone.prompt()
    const hands = [phone, phoneOf(two, phone.number), phone]
    await Promise.all(hands.map((hand) => hand.act({ action: 'approve', pin: '0000' })))
    assert.equal(failureCodeOf(await one.reaches(id, 'FAILED')), 'PAYMENT_NOT_APPROVED')
  })
})

it('many deposits on one phone at once: one of them is asked about, through any node', async () => {
  const phone = await takenPhone(one, fresh())
  const other = phoneOf(two, phone.number)
  await eventually(async () => assert.equal((await other.look()).mode, 'interactive'))
  const ids = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => (n % 2 ? phone : other).pays()))
  const { depositId } = await phone.prompt()
  for (const id of ids.filter((one) => one !== depositId)) {
    assert.equal(failureCodeOf(await one.reaches(id, 'FAILED')), 'PAYMENT_IN_PROGRESS')
  }
  await other.act({ action: 'approve' })
  await one.reaches(depositId, 'COMPLETED')
})

it('a deposit accepted by one node is approved through the other', async () => {
  const phone = await takenPhone(one, fresh())
  const other = phoneOf(two, phone.number)
  const id = await phone.pays()
  await other.prompt()
  assert.equal((await other.act({ action: 'approve' })).status, 200)
  await two.reaches(id, 'COMPLETED')
})

it('answering and expiring at the same moment: one verdict, and the deposit follows it', async () => {
  for (let round = 0; round < 6; round += 1) {
    const kenyan = await takenPhone(one, `2547110001${String(round).padStart(2, '0')}`, 'MPESA_KEN')
    const id = await kenyan.pays({ currency: 'KES' })
    const { expiresAt } = await kenyan.prompt()
    const { now } = (await one.get('/sandbox/clock')).body
    const rest = (Date.parse(expiresAt) - Date.parse(now)) / 1000
    const [, answer] = await Promise.all([
      one.advance(rest),
      phoneOf(two, kenyan.number).act({ action: 'approve' }),
    ])
    await one.advance(1)
    await one.reaches(id, answer.status === 200 ? 'COMPLETED' : 'FAILED')
  }
})

it('a reset while a payment waits clears the phone, and it can be used again', async () => {
  const phone = await takenPhone(one, fresh())
  const id = await phone.pays()
  await phone.prompt()
  assert.equal((await one.post('/sandbox/reset')).status, 204)
  const seen = await phone.look()
  assert.deepEqual([seen.mode, seen.prompts, seen.messages], ['auto', [], []])
  assert.equal((await phone.act({ action: 'approve' })).status, 404)
  assert.equal((await one.get(`/v2/deposits/${id}`)).body.status, 'NOT_FOUND')
  await phone.set({ mode: 'interactive' })
  const next = await phone.pays()
  assert.equal((await phone.prompt()).depositId, next)
})

it('resets in the middle of deposits leave no question behind', async () => {
  for (let round = 0; round < 5; round += 1) {
    const phone = await takenPhone(one, fresh())
    const other = phoneOf(two, phone.number)
    await Promise.all([phone.pays(), one.post('/sandbox/reset'), other.pays()])
    await phone.set({ mode: 'interactive' })
    await eventually(async () => {
      const rows = await one.database.query(
        `select from sandbox_approvals a left join payments p
           on p.merchant_id = a.merchant_id and p.provider_reference = a.reference
         where a.verdict is null and p.id is null`,
      )
      assert.equal(rows.length, 0)
    })
  }
})

it('a script in which the operator contradicts itself also runs after an approval', async () => {
  const phone = phoneOf(one, fresh())
  await phone.set({
    mode: 'interactive',
    script: [{ afterSeconds: 5, answer: 'contradict' }],
  })
  const id = await phone.pays()
  await reachesOperator(one, id)
  await phone.prompt()
  await phone.act({ action: 'approve' })
  await one.advance(5)
  await one.reaches(id, 'COMPLETED')
  await eventually(async () => {
    const rows = await one.database.query(`select from cases where cause = 'CONTRADICTION'`)
    assert.equal(rows.length, 1)
  })
})

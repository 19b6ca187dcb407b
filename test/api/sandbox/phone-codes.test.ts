import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { failureCodeOf, phoneOf, type TestPhone, takenPhone } from '../../../harness/phones.ts'
import { startReceiver } from '../../../harness/receiver.ts'
import { eventually, payer } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { assertAnswer, refused } from '../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})

const DIALLED = { action: 'dial', code: '*144*4*6#' }
const MONEY = { amount: '100', currency: 'XOF' }

let used = 0
const fresh = (): string => {
  used += 1
  return `226071${String(used).padStart(5, '0')}`
}

const makes = async (phone: TestPhone): Promise<string> => {
  const answer = await phone.act(DIALLED)
  assertAnswer(answer, 200, { message: /^Your one-time code is \d{6}\./, code: /^[1-9]\d{5}$/ })
  return answer.body.code
}
const paysWith = (phone: TestPhone, preAuthorisationCode: string): Promise<string> =>
  phone.pays({ ...MONEY, preAuthorisationCode })
const fails = async (id: string): Promise<void> => {
  assert.equal(failureCodeOf(await service.reaches(id, 'FAILED')), 'PAYMENT_NOT_APPROVED')
}

describe('a phone that answers by itself accepts', () => {
  for (const code of ['1234', '482913', 'x'.repeat(36)]) {
    it(`any code, like ${code.slice(0, 6)} with ${code.length} characters`, async () => {
      const id = await paysWith(phoneOf(service, fresh(), 'ORANGE_BFA'), code)
      await service.reaches(id, 'COMPLETED')
    })
  }
  for (const code of ['000000', '123']) {
    it(`not the code ${code}`, async () => {
      await fails(await paysWith(phoneOf(service, fresh(), 'ORANGE_BFA'), code))
    })
  }
  it('the code that it generated', async () => {
    const phone = phoneOf(service, fresh(), 'ORANGE_BFA')
    await service.reaches(await paysWith(phone, await makes(phone)), 'COMPLETED')
  })
})

describe('a phone that waits for a person accepts', () => {
  it('the code that it generated, once', async () => {
    const phone = await takenPhone(service, fresh(), 'ORANGE_BFA')
    const code = await makes(phone)
    await service.reaches(await paysWith(phone, code), 'COMPLETED')
    await fails(await paysWith(phone, code))
    assert.deepEqual(
      (await phone.look()).messages.map(({ text }: { text: string }) => text.slice(0, 8)),
      ['You paid', 'Your pay'],
    )
  })

  it('no code that it did not generate', async () => {
    const phone = await takenPhone(service, fresh(), 'ORANGE_BFA')
    const code = await makes(phone)
    for (const other of ['123456', '000000', `${code}0`]) await fails(await paysWith(phone, other))
    await service.reaches(await paysWith(phone, code), 'COMPLETED')
  })

  it('no code that another phone generated', async () => {
    const phone = await takenPhone(service, fresh(), 'ORANGE_BFA')
    const other = await takenPhone(service, fresh(), 'ORANGE_BFA')
    await fails(await paysWith(phone, await makes(other)))
  })

  it('a code for 15 minutes', async () => {
    const phone = await takenPhone(service, fresh(), 'ORANGE_BFA')
    const [early, late] = [await makes(phone), await makes(phone)]
    await service.advance(14 * 60)
    await service.reaches(await paysWith(phone, early), 'COMPLETED')
    await service.advance(61)
    await fails(await paysWith(phone, late))
  })

  it('one code for one of many payments at the same moment', async () => {
    const phone = await takenPhone(service, fresh(), 'ORANGE_BFA')
    const code = await makes(phone)
    const ids = await Promise.all([1, 2, 3, 4, 5].map(() => paysWith(phone, code)))
    const ends = await Promise.all(
      ids.map((id) =>
        eventually(async () => {
          const { status } = (await service.get(`/v2/deposits/${id}`)).body.data
          assert.match(status, /^(COMPLETED|FAILED)$/)
          return status
        }),
      ),
    )
    assert.equal(ends.filter((status) => status === 'COMPLETED').length, 1)
  })
})

it('a deposit without a code is refused, and no payment is made', async () => {
  const { id, ...answer } = await service.deposit({
    ...MONEY,
    payer: payer(fresh(), 'ORANGE_BFA'),
  })
  const says = refused('MISSING_PARAMETER', /'preAuthorisationCode'/, { depositId: id })
  assertAnswer(answer, 400, says)
  assert.equal((await service.get(`/v2/deposits/${id}`)).body.status, 'NOT_FOUND')
})

it('a code is in no log line, record, callback, delivery or row once it is used', async () => {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  const phone = await takenPhone(service, fresh(), 'ORANGE_BFA')
  const code = await makes(phone)
  const id = await paysWith(phone, code)
  const record = await service.reaches(id, 'COMPLETED')
  await eventually(() => assert.equal(receiver.received.length, 1))
  await fails(await paysWith(phone, code))
  await eventually(() => assert.equal(receiver.received.length, 2))
  const tables = ['payments', 'sandbox_orders', 'sandbox_codes', 'sandbox_approvals', 'callbacks']
  const rows = await Promise.all(
    tables.map((table) => service.database.query(`select to_jsonb(t) as row from ${table} t`)),
  )
  const deliveries = (await service.get(`/sandbox/deliveries?paymentId=${id}`)).body
  // Six digits inside of an identifier are not the code.
  const standing = new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`)
  for (const [what, text] of Object.entries({
    record,
    deliveries,
    rows,
    phone: await phone.look(),
    received: receiver.received,
    log: service.logLines,
  })) {
    assert.doesNotMatch(JSON.stringify(text), standing, what)
  }
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { IS_PROOF } from '../../harness/scale.ts'
import { eventually, payer } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { endingOf } from '../../src/domain/sandbox/stories.ts'
import { assertAnswer, refused } from '../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { deposit: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

type Listed = { phoneNumber: string; v2Status: string; v2FailureCode: string | null }
type Entry = {
  provider: string
  prefix: string
  currencies: { currency: string; operations: { DEPOSIT?: { min: string; authType?: string } } }[]
  phone: { nationalNumberLengths: number[] }
  testNumbers: { DEPOSIT?: Listed[] }
}
const catalog: readonly Entry[] = JSON.parse(readFileSync('catalog/providers.json', 'utf8'))

/** A deposit of the least amount that the provider takes, with a code where it asks for one. */
async function depositOf(entry: Entry, phoneNumber: string, more: object = {}): Promise<string> {
  const [offer] = entry.currencies
  const { id, body } = await service.deposit({
    amount: offer?.operations.DEPOSIT?.min,
    currency: offer?.currency,
    payer: payer(phoneNumber, entry.provider),
    ...(offer?.operations.DEPOSIT?.authType === 'PREAUTH' ? { preAuthorisationCode: '1234' } : {}),
    ...more,
  })
  assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
  return id
}

async function endsAs(id: string, status: string, code: string | null): Promise<void> {
  const record = await service.reaches(id, status)
  const { failureReason } = record as { failureReason?: { failureCode: string } }
  assert.equal(failureReason?.failureCode, code ?? undefined)
  assert.equal('providerTransactionId' in record, status === 'COMPLETED')
}

describe('every test number of the catalogue ends as listed:', () => {
  const listed = catalog.flatMap((entry) =>
    (entry.testNumbers.DEPOSIT ?? []).map((number) => ({ entry, number })),
  )
  /** In `npm test` each end is reached once in each way to pay, and every number is looked up in memory. */
  const ends = new Set<string>()
  const paid = listed.filter(({ entry, number: { v2Status, v2FailureCode } }) => {
    const authType = entry.currencies[0]?.operations.DEPOSIT?.authType
    const end = [authType, v2Status, v2FailureCode].join()
    const isNew = !ends.has(end)
    ends.add(end)
    return IS_PROOF || isNew
  })
  const { find } = service.node.ctx.providers.catalog
  const ids = new Map<Listed, string>()
  before(async () => {
    await Promise.all(
      paid.map(async ({ entry, number }) => {
        ids.set(number, await depositOf(entry, number.phoneNumber))
      }),
    )
  })

  it('there are 176 of them, for all providers but two', () => {
    assert.equal(listed.length, 176)
    const without = catalog.filter((one) => (one.testNumbers.DEPOSIT ?? []).length === 0)
    assert.deepEqual(
      without.map((one) => one.provider),
      ['WAVE_CIV', 'VODACOM_MOZ'],
    )
  })

  it('in the table that decides', () => {
    for (const { entry, number } of listed) {
      const { phoneNumber, v2Status, v2FailureCode } = number
      const end = v2FailureCode ?? (v2Status === 'FAILED' ? 'UNSPECIFIED_FAILURE' : v2Status)
      const found = endingOf(phoneNumber, find(entry.provider), 'DEPOSIT')
      assert.equal(found, end, `${entry.provider} ${phoneNumber}`)
    }
  })

  for (const { entry, number } of paid) {
    const { phoneNumber, v2Status, v2FailureCode } = number
    // A listed failure with an unknown code counts as one without a reason.
    const code = v2FailureCode ?? (v2Status === 'FAILED' ? 'UNSPECIFIED_FAILURE' : null)
    it(`${entry.provider} ${phoneNumber}: ${v2Status} ${code ?? ''}`.trim(), async () => {
      await endsAs(ids.get(number) ?? '', v2Status, code)
    })
  }

  it('those that stay PROCESSING do so for days, and no callback is sent for them', async () => {
    const stuck = paid.filter(({ number }) => number.v2Status === 'PROCESSING')
    assert.ok(stuck.length >= (IS_PROOF ? 30 : 1))
    for (const seconds of [61, 3600, 3 * 86_400]) await service.advance(seconds)
    // A payment made after the clock was moved shows that the node has caught up with it.
    const settled = await service.deposit()
    await service.reaches(settled.id, 'COMPLETED')
    for (const { number } of stuck) {
      const id = ids.get(number) ?? ''
      assert.equal((await service.get(`/v2/deposits/${id}`)).body.data.status, 'PROCESSING')
      assert.deepEqual((await service.get(`/sandbox/deliveries?paymentId=${id}`)).body, [])
    }
  })

  it('the outcome of each of the others is sent once', async () => {
    const final = paid.filter(({ number }) => number.v2Status !== 'PROCESSING')
    const bodies = () => receiver.received.map((one) => JSON.parse(one.body))
    // Deposits of a provider with its own page have another callback with its address.
    const received = (): string[] =>
      bodies()
        .filter(({ status }) => status !== 'PROCESSING')
        .map(({ depositId }) => depositId)
    for (const { number } of final) {
      const id = ids.get(number) ?? ''
      await eventually(() => assert.equal(received().filter((one) => one === id).length, 1))
    }
  })

  /** In `npm test` the first listed number of each such provider. */
  const severalCurrencies = () => {
    const all = listed.filter((one) => one.entry.currencies.length > 1)
    return all.filter(
      (one, at) => IS_PROOF || all.findIndex((other) => other.entry === one.entry) === at,
    )
  }

  it('in each currency of a provider with several', async () => {
    for (const { entry, number } of severalCurrencies()) {
      for (const { currency, operations } of entry.currencies.slice(1)) {
        const amount = operations.DEPOSIT?.min
        const id = await depositOf(entry, number.phoneNumber, { currency, amount })
        await endsAs(id, number.v2Status, number.v2FailureCode)
      }
    }
  })
})

/** The last three digits of a number that no table names. */
const GENERAL: readonly (readonly [ending: string, status: string, code: string | null])[] = [
  ['789', 'COMPLETED', null],
  ['019', 'FAILED', 'PAYER_LIMIT_REACHED'],
  ['029', 'FAILED', 'PAYER_NOT_FOUND'],
  ['039', 'FAILED', 'PAYMENT_NOT_APPROVED'],
  ['049', 'FAILED', 'INSUFFICIENT_BALANCE'],
  ['059', 'FAILED', 'TRANSACTION_ALREADY_IN_PROCESS'],
  ['069', 'FAILED', 'UNSPECIFIED_FAILURE'],
  ['129', 'PROCESSING', null],
  ['000', 'COMPLETED', null],
  ['089', 'COMPLETED', null],
  ['099', 'COMPLETED', null],
  ['119', 'COMPLETED', null],
  ['678', 'COMPLETED', null],
  ['130', 'COMPLETED', null],
]

describe('any other number ends by its last three digits, else COMPLETED:', () => {
  const { find } = service.node.ctx.providers.catalog

  for (const [index, [ending, status, code]] of GENERAL.entries()) {
    it(`…${ending}: ${status} ${code ?? ''}`.trim(), async () => {
      for (const entry of catalog) {
        const found = endingOf(unlisted(entry, ending), find(entry.provider), 'DEPOSIT')
        assert.equal(found, code ?? status, entry.provider)
      }
      // The way from there to the record is the same for all providers; each has its turn.
      const some = catalog.filter((_, at) => at % GENERAL.length === index)
      await Promise.all(
        some.map(async (entry) =>
          endsAs(await depositOf(entry, unlisted(entry, ending)), status, code),
        ),
      )
    })
  }
})

describe('a number outside the number plan', () => {
  const outside = catalog.flatMap((entry) =>
    (entry.testNumbers.DEPOSIT ?? [])
      .filter(({ phoneNumber }) => !fitsPlan(entry, phoneNumber))
      .map(({ phoneNumber }) => ({ entry, phoneNumber })),
  )

  it('is taken where the table lists it', () => assert.ok(outside.length > 0))

  for (const { entry, phoneNumber } of outside) {
    it(`${entry.provider} ${phoneNumber}: and the next number is refused`, async () => {
      await depositOf(entry, phoneNumber)
      const next = `${phoneNumber.slice(0, -1)}${(Number(phoneNumber.at(-1)) + 1) % 10}`
      const [offer] = entry.currencies
      const { id: depositId, ...answer } = await service.deposit({
        amount: offer?.operations.DEPOSIT?.min,
        currency: offer?.currency,
        payer: payer(next, entry.provider),
      })
      assertAnswer(answer, 200, refused('INVALID_PHONE_NUMBER', /./, { depositId }))
    })
  }
})

/** One-time codes of a provider that asks for one. */
const CODES: readonly (readonly [code: string, status: string, failure: string | null])[] = [
  ['1234', 'COMPLETED', null],
  ['0000', 'COMPLETED', null],
  ['00000', 'COMPLETED', null],
  ['0000000', 'COMPLETED', null],
  ['123456', 'COMPLETED', null],
  ['abcd-EFGH', 'COMPLETED', null],
  ['x'.repeat(36), 'COMPLETED', null],
  ['000000', 'FAILED', 'PAYMENT_NOT_APPROVED'],
  ['123', 'FAILED', 'PAYMENT_NOT_APPROVED'],
  ['1', 'FAILED', 'PAYMENT_NOT_APPROVED'],
]

describe('a one-time code:', () => {
  const orange = catalog.find((entry) => entry.provider === 'ORANGE_BFA')
  assert.ok(orange !== undefined)
  const good = '22607345678'

  for (const [code, status, failure] of CODES) {
    it(`${code} ends as ${status}`, async () => {
      await endsAs(await depositOf(orange, good, { preAuthorisationCode: code }), status, failure)
    })
  }

  it('a right code does not save a number that fails', async () => {
    await endsAs(await depositOf(orange, '22607345148'), 'FAILED', 'PAYMENT_NOT_APPROVED')
  })

  it('a wrong code fails a number that would never finish', async () => {
    const id = await depositOf(orange, '22607345128', { preAuthorisationCode: '000000' })
    await endsAs(id, 'FAILED', 'PAYMENT_NOT_APPROVED')
  })

  it('one that the provider does not ask for changes nothing', async () => {
    const moov = catalog.find((entry) => entry.provider === 'MOOV_BFA')
    assert.ok(moov !== undefined)
    const id = await depositOf(moov, '22602345678', { preAuthorisationCode: '000000' })
    await endsAs(id, 'COMPLETED', null)
  })

  for (const [what, preAuthorisationCode, code] of [
    ['none', undefined, 'MISSING_PARAMETER'],
    ['null', null, 'MISSING_PARAMETER'],
    ['an empty one', '', 'MISSING_PARAMETER'],
    ['one of 37 characters', 'x'.repeat(37), 'INVALID_PARAMETER'],
    ['a number', 1234, 'INVALID_PARAMETER'],
  ] as const) {
    it(`${what} is 400 ${code}`, async () => {
      const { id: depositId, ...answer } = await service.deposit({
        amount: '100',
        currency: 'XOF',
        payer: payer(good, 'ORANGE_BFA'),
        preAuthorisationCode,
      })
      assertAnswer(answer, 400, refused(code, /'preAuthorisationCode'/, { depositId }))
    })
  }
})

/** A number of the right length with this ending, that the provider's table does not name. */
function unlisted(entry: Entry, ending: string): string {
  const listed = new Set(
    Object.values(entry.testNumbers)
      .flat()
      .map((one) => one.phoneNumber),
  )
  const length = entry.phone.nationalNumberLengths[0] ?? 9
  for (const fill of ['9', '8', '7']) {
    const number = entry.prefix + fill.repeat(length - 3) + ending
    if (!listed.has(number)) return number
  }
  throw new Error(`no free number for ${entry.provider}`)
}

function fitsPlan({ prefix, phone }: Entry, number: string): boolean {
  const rest = number.length - prefix.length
  return number.startsWith(prefix) && phone.nationalNumberLengths.includes(rest)
}

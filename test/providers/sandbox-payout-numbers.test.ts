import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { payout, reachesPayout, recipient } from '../../harness/payouts.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { IS_PROOF } from '../../harness/scale.ts'
import { eventually } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { endingOf } from '../../src/domain/sandbox/stories.ts'
import { assertAnswer, refused } from '../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

type Listed = { phoneNumber: string; v2Status: string; v2FailureCode: string | null }
type Entry = {
  provider: string
  prefix: string
  currencies: { currency: string; operations: { PAYOUT?: { min: string } } }[]
  phone: { nationalNumberLengths: number[] }
  testNumbers: { DEPOSIT?: Listed[]; PAYOUT?: Listed[] }
}
const catalog: readonly Entry[] = JSON.parse(readFileSync('catalog/providers.json', 'utf8'))

/** A payout of the least amount that the provider takes. */
async function payoutOf(entry: Entry, phoneNumber: string, more: object = {}): Promise<string> {
  const [offer] = entry.currencies
  const { id, body } = await payout(service, {
    amount: offer?.operations.PAYOUT?.min,
    currency: offer?.currency,
    recipient: recipient(phoneNumber, entry.provider),
    ...more,
  })
  assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
  return id
}

async function endsAs(id: string, status: string, code: string | null): Promise<void> {
  const record = await reachesPayout(service, id, status)
  assert.equal(record.failureReason?.failureCode, code ?? undefined)
  assert.equal('providerTransactionId' in record, status === 'COMPLETED')
}

describe('every payout number of the catalogue ends as listed:', () => {
  const listed = catalog.flatMap((entry) =>
    (entry.testNumbers.PAYOUT ?? []).map((number) => ({ entry, number })),
  )
  /** In `npm test` each end is reached once, and every number is looked up in memory. */
  const ends = new Set<string>()
  const paid = listed.filter(({ number: { v2Status, v2FailureCode } }) => {
    const end = [v2Status, v2FailureCode].join()
    const isNew = !ends.has(end)
    ends.add(end)
    return IS_PROOF || isNew
  })
  const { find } = service.node.ctx.providers.catalog
  const ids = new Map<Listed, string>()
  before(async () => {
    await Promise.all(
      paid.map(async ({ entry, number }) => {
        ids.set(number, await payoutOf(entry, number.phoneNumber))
      }),
    )
  })

  it('there are 130 of them, for 33 providers', () => {
    assert.equal(listed.length, 130)
    assert.equal(new Set(listed.map(({ entry }) => entry.provider)).size, 33)
  })

  it('in the table that decides', () => {
    for (const { entry, number } of listed) {
      const { phoneNumber, v2Status, v2FailureCode } = number
      const end = v2FailureCode ?? (v2Status === 'FAILED' ? 'UNSPECIFIED_FAILURE' : v2Status)
      const found = endingOf(phoneNumber, find(entry.provider), 'PAYOUT')
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
    assert.ok(stuck.length >= (IS_PROOF ? 25 : 1))
    for (const seconds of [61, 3600, 3 * 86_400]) await service.advance(seconds)
    // A payment made after the clock was moved shows that the node has caught up with it.
    const settled = await payout(service)
    await reachesPayout(service, settled.id, 'COMPLETED')
    for (const { number } of stuck) {
      const id = ids.get(number) ?? ''
      assert.equal((await service.get(`/v2/payouts/${id}`)).body.data.status, 'PROCESSING')
      assert.deepEqual((await service.get(`/sandbox/deliveries?paymentId=${id}`)).body, [])
    }
  })

  it('each of the others is sent once', async () => {
    const final = paid.filter(({ number }) => number.v2Status !== 'PROCESSING')
    const received = (): string[] => receiver.received.map((one) => JSON.parse(one.body).payoutId)
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
        const amount = operations.PAYOUT?.min
        const id = await payoutOf(entry, number.phoneNumber, { currency, amount })
        await endsAs(id, number.v2Status, number.v2FailureCode)
      }
    }
  })
})

/** The last three digits of a number that no table names; those of deposits mean nothing here. */
const GENERAL: readonly (readonly [ending: string, status: string, code: string | null])[] = [
  ['789', 'COMPLETED', null],
  ['089', 'FAILED', 'RECIPIENT_NOT_FOUND'],
  ['099', 'FAILED', 'WALLET_LIMIT_REACHED'],
  ['109', 'FAILED', 'RECIPIENT_LIMIT_REACHED'],
  ['119', 'FAILED', 'UNSPECIFIED_FAILURE'],
  ['129', 'PROCESSING', null],
  ['000', 'COMPLETED', null],
  ['019', 'COMPLETED', null],
  ['039', 'COMPLETED', null],
  ['049', 'COMPLETED', null],
  ['079', 'COMPLETED', null],
]

describe('any other number ends by its last three digits, else COMPLETED:', () => {
  const { find } = service.node.ctx.providers.catalog

  for (const [index, [ending, status, code]] of GENERAL.entries()) {
    it(`…${ending}: ${status} ${code ?? ''}`.trim(), async () => {
      for (const entry of catalog) {
        const found = endingOf(unlisted(entry, ending), find(entry.provider), 'PAYOUT')
        assert.equal(found, code ?? status, entry.provider)
      }
      // The way from there to the record is the same for all providers; each has its turn.
      const some = catalog.filter((_, at) => at % GENERAL.length === index)
      await Promise.all(
        some.map(async (entry) =>
          endsAs(await payoutOf(entry, unlisted(entry, ending)), status, code),
        ),
      )
    })
  }
})

describe('a number outside the number plan', () => {
  const outside = catalog.flatMap((entry) =>
    Object.values(entry.testNumbers)
      .flat()
      .filter(({ phoneNumber }) => !fitsPlan(entry, phoneNumber))
      .map(({ phoneNumber }) => ({ entry, phoneNumber })),
  )

  it('is taken where a table lists it, be it that of deposits', () => assert.ok(outside.length > 0))

  for (const { entry, phoneNumber } of outside) {
    it(`${entry.provider} ${phoneNumber}: and the next number is refused`, async () => {
      await payoutOf(entry, phoneNumber)
      const next = `${phoneNumber.slice(0, -1)}${(Number(phoneNumber.at(-1)) + 1) % 10}`
      const [offer] = entry.currencies
      const { id: payoutId, ...answer } = await payout(service, {
        amount: offer?.operations.PAYOUT?.min,
        currency: offer?.currency,
        recipient: recipient(next, entry.provider),
      })
      assertAnswer(answer, 200, refused('INVALID_PHONE_NUMBER', /./, { payoutId }))
    })
  }
})

describe('a script on a number overrides what its table says:', () => {
  for (const [answer, status, code] of [
    ['done', 'COMPLETED', null],
    ['failed', 'FAILED', 'RECIPIENT_LIMIT_REACHED'],
  ] as const) {
    it(answer, async () => {
      const step = { afterSeconds: 0, answer, ...(code === null ? {} : { failureCode: code }) }
      await service.put('/sandbox/phones/260763456119', { script: [step] })
      const { id } = await payout(service, { recipient: recipient('260763456119', 'MTN_MOMO_ZMB') })
      await endsAs(id, status, code)
    })
  }
})

/** A number of the right length with this ending, that the provider's tables do not name. */
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

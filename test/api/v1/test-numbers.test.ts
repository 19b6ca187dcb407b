import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { IS_PROOF } from '../../../harness/scale.ts'
import { shareService } from '../../../harness/share.ts'
import { legacyReaches, msisdn, startLegacy } from '../../support/legacy-payments.ts'

const service = await shareService()
after(service.stop)

type TestNumber = {
  readonly phoneNumber: string
  readonly v1Status: string
  readonly v1FailureCode: string | null
  readonly v2Status: string
  readonly v2FailureCode: string | null
}
type Entry = {
  readonly provider: string
  readonly currencies: readonly {
    readonly currency: string
    readonly operations: Record<string, { readonly min: string; readonly authType?: string }>
  }[]
  readonly testNumbers: Record<string, readonly TestNumber[]>
}

const CATALOG: readonly Entry[] = JSON.parse(readFileSync('catalog/providers.json', 'utf8'))

/** The least amount that the provider takes, in each of its currencies. */
function bodiesFor(entry: Entry, operation: string, phoneNumber: string): object[] {
  return entry.currencies.map(({ currency, operations }) => ({
    amount: operations[operation]?.min,
    currency,
    correspondent: entry.provider,
    [operation === 'DEPOSIT' ? 'payer' : 'recipient']: msisdn(phoneNumber),
    ...(operations[operation]?.authType === 'PREAUTH' ? { preAuthorisationCode: '123456' } : {}),
  }))
}

let tried = 0

/**
 * In `npm test` each pair of ends of the two generations is reached once, with a page and without.
 * `providers/sandbox-numbers` has the current end of every number; the proof tries them all.
 */
const reached = new Set<string>()
function isTried(operation: string, entry: Entry, number: TestNumber): boolean {
  const { v1Status, v1FailureCode, v2Status, v2FailureCode } = number
  const end = [operation, hasPage(entry), v1Status, v1FailureCode, v2Status, v2FailureCode].join()
  if (reached.has(end)) return IS_PROOF
  reached.add(end)
  return true
}

for (const [operation, kind] of [
  ['DEPOSIT', 'deposit'],
  ['PAYOUT', 'payout'],
] as const) {
  describe(`every ${kind} of a test number ends as the catalogue says:`, () => {
    for (const entry of CATALOG) {
      const all = entry.testNumbers[operation] ?? []
      const numbers = all.filter((one) => isTried(operation, entry, one))
      if (numbers.length === 0) continue

      it(entry.provider, async () => {
        const cases = numbers.flatMap((number) =>
          bodiesFor(entry, operation, number.phoneNumber).map((body) => ({ number, body })),
        )
        tried += cases.length
        await Promise.all(cases.map(({ number, body }) => tries(kind, entry, number, body)))
      })
    }
  })
}

it('there were numbers to try', () => assert.ok(tried > (IS_PROOF ? 300 : 10)))

async function tries(
  kind: 'deposit' | 'payout',
  entry: Entry,
  number: TestNumber,
  request: object,
): Promise<void> {
  const { id, body } = await startLegacy(service, kind, { ...request })
  if (kind === 'deposit' && hasPage(entry)) {
    assert.equal(body.rejectionReason?.rejectionCode, 'INVALID_CORRESPONDENT')
    return
  }
  assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
  const record = await legacyReaches(service, kind, id, number.v1Status)
  assert.equal(record.failureReason?.failureCode, codeOf(number), number.phoneNumber)
}

/** The earlier generation cannot send the customer to the page of the operator. */
function hasPage({ currencies }: Entry): boolean {
  return currencies.some(({ operations }) => operations.DEPOSIT?.authType === 'REDIRECT_AUTH')
}

/** A failure for which the catalogue has no code is one without a reason. */
function codeOf({ v1Status, v1FailureCode }: TestNumber): string | undefined {
  return v1Status === 'FAILED' ? (v1FailureCode ?? 'OTHER_ERROR') : undefined
}

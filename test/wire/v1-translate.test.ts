import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import fc from 'fast-check'
import { completedDeposit } from '../../harness/refunds.ts'
import { IS_PROOF } from '../../harness/scale.ts'
import { type Answer, eventually, payer, startService } from '../../harness/service.ts'
import { toCurrentCalls } from '../../src/wire/v1/translate.ts'
import { legacyDeposit, legacyPayout, msisdn } from '../support/legacy-payments.ts'
import { anyAmount, anyDeposit, anyId, anyMetadata, anyPayout } from './earlier-requests.ts'

/**
 * The promise of the way out: whatever a request of the earlier generation does, its translation
 * does the same. Requests are made by chance; a failure prints the seed that makes it again.
 */
const service = await startService()
after(service.stop)
for (const [provider, operationType, status] of [
  ['ZAMTEL_ZMB', 'PAYOUT', 'DELAYED'],
  ['ZAMTEL_ZMB', 'REFUND', 'DELAYED'],
  ['AIRTEL_OAPI_ZMB', 'DEPOSIT', 'CLOSED'],
  ['AIRTEL_OAPI_ZMB', 'PAYOUT', 'CLOSED'],
]) {
  await service.put('/sandbox/availability', { provider, operationType, status })
}

// biome-ignore lint/suspicious/noExplicitAny: requests and answers are inspected freely
type Json = any
/** By chance, besides one of each outcome. */
const numRuns = IS_PROOF ? 30 : 8

/** What the rules of the earlier generation call what the current one says. */
const WORDS: Readonly<Record<string, string | readonly string[]>> = {
  INVALID_PROVIDER: 'INVALID_CORRESPONDENT',
  PROVIDER_TEMPORARILY_UNAVAILABLE: 'CORRESPONDENT_TEMPORARILY_UNAVAILABLE',
  INVALID_PHONE_NUMBER: ['INVALID_PAYER_FORMAT', 'INVALID_RECIPIENT_FORMAT'],
  AMOUNT_OUT_OF_BOUNDS: ['AMOUNT_TOO_SMALL', 'AMOUNT_TOO_LARGE'],
  MISSING_PARAMETER: 'PARAMETER_INVALID',
  NOT_FOUND: 'DEPOSIT_NOT_FOUND',
  INVALID_STATE: 'DEPOSIT_NOT_COMPLETED',
  DEPOSIT_ALREADY_REFUNDED: 'ALREADY_REFUNDED',
}

/** How the payments of a test ended, and why they were refused. */
const outcomes = new Set<string>()

/** Sends the request, and its translation with another identifier; both must do the same. */
async function assertSame(kind: string, request: Json, changes: Json = {}): Promise<void> {
  const idField = `${kind}Id`
  // A failure is made smaller by trying requests that look alike: each needs a name of its own.
  const body = { ...request, [idField]: newId(request[idField]) }
  const [call, ...more] = toCurrentCalls(structuredClone(body))
  assert.ok(call !== undefined && more.length === 0)
  assert.equal(call.path, `/v2/${kind}s`)
  const translated = { ...(call.body as Json), ...changes }
  assert.equal(translated[idField], body[idField])
  translated[idField] = randomUUID()
  const earlier = await service.post(`/${kind}s`, body)
  const current = await service.post(call.path, translated)
  assert.equal(earlier.status, 200, JSON.stringify(earlier.body))
  assert.equal(earlier.body[idField], body[idField])
  if (earlier.body.status === 'REJECTED') {
    return assertSameRefusal(earlier.body.rejectionReason, current.body, [body, translated])
  }
  assert.match(earlier.body.status, /^(ACCEPTED|ENQUEUED)$/)
  assert.equal(current.body.status, 'ACCEPTED', JSON.stringify(current.body))
  assert.deepEqual(await kept(body[idField]), await kept(translated[idField]))
  await eventually(async () => {
    const ask = (id: string) => service.get(`/v2/${kind}s/${id}`)
    const record = recordOf(await ask(body[idField]), idField)
    assert.deepEqual(record, recordOf(await ask(translated[idField]), idField))
    assert.ok(isSettled(record), JSON.stringify(record))
    outcomes.add(record.failureReason?.failureCode ?? record.status)
  })
}

/** A new identifier with capital letters where the other has them. */
const newId = (like: string): string =>
  [...randomUUID()]
    .map((letter, at) => (/[A-F]/.test(like[at] ?? '') ? letter.toUpperCase() : letter))
    .join('')

/** What no record shows: which metadata is personal data. */
async function kept(id: string): Promise<unknown> {
  const rows = await service.database.query(
    "select details->'metadata' as metadata from payments where id = $1",
    [id],
  )
  assert.equal(rows.length, 1)
  return rows
}

function assertSameRefusal(
  { rejectionCode, rejectionMessage }: Json,
  { status, failureReason }: Json,
  requests: readonly Json[],
): void {
  const { failureCode, failureMessage } = failureReason
  assert.equal(status, 'REJECTED')
  assert.ok([WORDS[failureCode] ?? failureCode].flat().includes(rejectionCode), failureCode)
  // A message may name the deposit that a refund is of.
  const [message, wanted] = [rejectionMessage, failureMessage].map((one: string) =>
    requests.reduce(
      (text, { depositId = '-' }) => text.replaceAll(depositId.toLowerCase(), 'the deposit'),
      one.toLowerCase().replaceAll(/\bprovider\b/g, 'correspondent'),
    ),
  )
  assert.equal(message, wanted)
  outcomes.add(rejectionCode)
}

/** Without what two payments never have in common. */
function recordOf({ body }: Answer, idField: string): Json {
  assert.equal(body.status, 'FOUND')
  const { created: _, providerTransactionId, ...rest } = body.data
  // The identifier of the payment itself, and of the deposit that a refund is of.
  for (const name of [idField, 'depositId']) delete rest[name]
  return { ...rest, hasTransactionId: providerTransactionId !== undefined }
}

function isSettled({ status, payer: from, recipient }: Json): boolean {
  const { phoneNumber, provider } = (from ?? recipient).accountDetails
  if (status === 'PROCESSING') return phoneNumber.endsWith('129')
  return status === 'ENQUEUED' ? provider === 'ZAMTEL_ZMB' : status !== 'ACCEPTED'
}

function assertOutcomes(...wanted: readonly string[]): void {
  assert.deepEqual(
    wanted.filter((one) => !outcomes.has(one)),
    [],
    `among ${[...outcomes].join(' ')}`,
  )
  outcomes.clear()
}

/** One of each, so that chance cannot leave an outcome out. */
const ONE_OF_EACH = [
  { amount: 15 },
  { amount: 0.5 },
  { amount: 20_001 },
  { amount: 5.555 },
  { currency: 'USD' },
  { correspondent: 'NOBODY_ZMB' },
  { correspondent: 'AIRTEL_OAPI_ZMB' },
]
const REFUSALS = [
  'AMOUNT_TOO_SMALL',
  'AMOUNT_TOO_LARGE',
  'INVALID_AMOUNT',
  'INVALID_CURRENCY',
  'INVALID_CORRESPONDENT',
  'CORRESPONDENT_TEMPORARILY_UNAVAILABLE',
]

it('any deposit: its translation leads to the same payment, or to the same refusal', async () => {
  const accounts = [msisdn('260763'), msisdn('260763456049'), msisdn('260763456129')]
  const code = { correspondent: 'ORANGE_BFA', currency: 'XOF', amount: '500' }
  const examples = [
    ...ONE_OF_EACH,
    ...accounts.map((account) => ({ payer: account })),
    { ...code, payer: msisdn('22607345678') },
    { ...code, payer: msisdn('22607345678'), preAuthorisationCode: '1234' },
  ].map((changes): [Json] => [legacyDeposit(changes)])
  const same = fc.asyncProperty(anyDeposit, (body) => assertSame('deposit', body))
  await fc.assert(same, { numRuns: examples.length + numRuns, examples })
  assertOutcomes('COMPLETED', 'PROCESSING', 'INSUFFICIENT_BALANCE', ...REFUSALS)
})

it('any payout: its translation leads to the same payment, or to the same refusal', async () => {
  const accounts = [msisdn('260763'), msisdn('260763456099'), msisdn('260763456129')]
  const waits = { correspondent: 'ZAMTEL_ZMB', recipient: msisdn('260953456704') }
  const examples = [
    ...ONE_OF_EACH,
    ...accounts.map((account) => ({ recipient: account })),
    waits,
  ].map((changes): [Json] => [legacyPayout(changes)])
  const same = fc.asyncProperty(anyPayout, (body) => assertSame('payout', body))
  await fc.assert(same, { numRuns: examples.length + numRuns, examples })
  const ends = ['COMPLETED', 'PROCESSING', 'ENQUEUED', 'WALLET_LIMIT_REACHED']
  assertOutcomes(...ends, 'INVALID_RECIPIENT_FORMAT', ...REFUSALS)
})

it('any refund: its translation leads to the same payment, or to the same refusal', async () => {
  const completed = () => completedDeposit(service)
  const failed = async () => {
    const { id } = await service.deposit({ payer: payer('260763456049', 'MTN_MOMO_ZMB') })
    await service.reaches(id, 'FAILED')
    return id
  }
  const nobody = randomUUID()
  const DEPOSITS = { completed, failed, unknown: async () => nobody }
  const anyRefund = fc.record({
    refundId: anyId,
    of: fc.constantFrom<keyof typeof DEPOSITS>('completed', 'completed', 'failed', 'unknown'),
    isUpperCase: fc.boolean(),
    amount: fc.oneof(anyAmount, fc.constantFrom(undefined, null, '', '100', '99.99')),
    metadata: anyMetadata,
  })
  const like = (changes: object): [Json] => [
    { refundId: randomUUID(), of: 'completed', isUpperCase: false, ...changes },
  ]
  const examples = [
    like({ amount: undefined }),
    like({ amount: '40' }),
    like({ amount: 100.01, isUpperCase: true }),
    like({ amount: 0.5 }),
    like({ amount: '5.555' }),
    like({ of: 'failed' }),
    like({ of: 'unknown' }),
  ]
  const same = fc.asyncProperty(anyRefund, async ({ of, isUpperCase, ...rest }) => {
    const [depositId = '', twin] = await Promise.all([DEPOSITS[of](), DEPOSITS[of]()])
    const body = { ...rest, depositId: isUpperCase ? depositId.toUpperCase() : depositId }
    await assertSame('refund', body, { depositId: isUpperCase ? twin?.toUpperCase() : twin })
  })
  await fc.assert(same, { numRuns: examples.length + numRuns, examples })
  assertOutcomes(
    'COMPLETED',
    'AMOUNT_TOO_LARGE',
    'AMOUNT_TOO_SMALL',
    'INVALID_AMOUNT',
    'DEPOSIT_NOT_FOUND',
    'DEPOSIT_NOT_COMPLETED',
  )
})

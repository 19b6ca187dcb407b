import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { payer } from '../../harness/service.ts'
import { RequestFault } from '../../src/wire/fault.ts'
import { LegacyDepositRequest } from '../../src/wire/v1/deposits.ts'
import { FIELD_RULES, rulesOf, WIDGET_CALL } from '../../src/wire/v1/migration.ts'
import { LegacyPayoutRequest } from '../../src/wire/v1/payouts.ts'
import { LegacyRefundRequest } from '../../src/wire/v1/refunds.ts'
import { LegacyPredictionRequest } from '../../src/wire/v1/toolkit.ts'
import { toCurrentCalls } from '../../src/wire/v1/translate.ts'
import { LegacyWidgetRequest } from '../../src/wire/v1/widget.ts'
import { DepositRequest } from '../../src/wire/v2/deposits.ts'
import { PaymentPageRequest } from '../../src/wire/v2/payment-page.ts'
import { PayoutRequest } from '../../src/wire/v2/payouts.ts'
import { PredictionRequest } from '../../src/wire/v2/prediction.ts'
import { RefundRequest } from '../../src/wire/v2/refunds.ts'
import { legacyDeposit, legacyPayout, msisdn } from '../support/legacy-payments.ts'

// biome-ignore lint/suspicious/noExplicitAny: schemas and bodies are inspected freely
type Json = any

/** Every field with its way from the top, and the one value it may have, where there is one. */
function fieldsOf(schema: Json, way = ''): Map<string, unknown> {
  const found = new Map<string, unknown>()
  for (const [name, child] of Object.entries<Json>((schema.items ?? schema).properties ?? {})) {
    const path = way === '' ? name : `${way}.${name}`
    found.set(path, child.const)
    for (const [inner, value] of fieldsOf(child, path)) found.set(inner, value)
  }
  return found
}

describe('every field that the current generation does not have has a rule:', () => {
  const used = new Set<string>()
  for (const [name, earlier, current] of [
    ['deposit', LegacyDepositRequest, DepositRequest],
    ['payout', LegacyPayoutRequest, PayoutRequest],
    ['refund', LegacyRefundRequest, RefundRequest],
    ['prediction', LegacyPredictionRequest, PredictionRequest],
  ] as const) {
    it(name, () => {
      const now = fieldsOf(current)
      const changed = [...fieldsOf(earlier)]
        .filter(([field, value]) => !now.has(field) || now.get(field) !== value)
        .map(([field]) => field)
      assert.ok(changed.length > 0 || name === 'refund')
      const ruled = new Set(FIELD_RULES.map(({ field }) => field))
      assert.deepEqual(
        changed.filter((field) => !ruled.has(field)),
        [],
      )
      for (const field of changed) used.add(field)
    })
  }

  it('and there is no rule for anything else, but for numbers as amounts', () => {
    const rules = FIELD_RULES.map(({ field }) => field).filter((field) => field !== 'amount')
    assert.deepEqual(rules.toSorted(), [...used].toSorted())
  })
})

it('every field of a widget session that a payment page does not have has a rule, and no other', () => {
  const now = fieldsOf(PaymentPageRequest)
  const changed = [...fieldsOf(LegacyWidgetRequest).keys()].filter((field) => !now.has(field))
  const rules = rulesOf(WIDGET_CALL).map(({ field }) => field)
  const used = new Set(rules.filter((field) => fieldsOf(LegacyWidgetRequest).has(field)))
  assert.deepEqual([...used].toSorted(), changed.toSorted())
})

it('the rules say what the table of the specification says', () => {
  const ruleOf = (field: string) => FIELD_RULES.find((one) => one.field === field)?.rule
  for (const [field, rule] of [
    ['correspondent', /^becomes provider, inside accountDetails/],
    ['payer.type', /^MSISDN becomes MMO$/],
    ['recipient.type', /^MSISDN becomes MMO$/],
    ['payer.address', /^becomes payer\.accountDetails$/],
    ['recipient.address', /^becomes recipient\.accountDetails$/],
    ['payer.address.value', /^becomes payer\.accountDetails\.phoneNumber$/],
    ['recipient.address.value', /^becomes recipient\.accountDetails\.phoneNumber$/],
    ['customerTimestamp', /^is removed/],
    ['statementDescription', /^becomes customerMessage$/],
    ['metadata.fieldName', /<name>: <value>/],
    ['metadata.fieldValue', /<name>: <value>/],
    ['msisdn', /^becomes phoneNumber$/],
  ] as const) {
    assert.match(ruleOf(field) ?? '', rule)
  }
})

const id = randomUUID()
const UPPER = id.toUpperCase()

it('a whole deposit is translated to the last field', () => {
  const metadata = [
    { fieldName: 'orderId', fieldValue: 'ORD-1' },
    { fieldName: 'mail', fieldValue: 'a@b.c', isPII: true },
    { fieldName: 'note', fieldValue: 'x', isPII: false },
  ]
  const body = legacyDeposit({ depositId: UPPER, amount: 15.5, country: 'ZMB', metadata })
  assert.deepEqual(toCurrentCalls({ ...body, preAuthorisationCode: '1234' }), [
    {
      method: 'POST',
      path: '/v2/deposits',
      body: {
        depositId: UPPER,
        amount: '15.5',
        currency: 'ZMW',
        payer: payer('260763456789', 'MTN_MOMO_ZMB'),
        preAuthorisationCode: '1234',
        customerMessage: 'Order 12345',
        metadata: [{ orderId: 'ORD-1' }, { mail: 'a@b.c', isPII: true }, { note: 'x' }],
      },
    },
  ])
})

const post = (path: string, body?: unknown) => ({
  method: 'POST',
  path,
  ...(body === undefined ? {} : { body }),
})
const money = { amount: '15', currency: 'ZMW', customerMessage: 'Order 12345' }
const MTN = payer('260763456789', 'MTN_MOMO_ZMB')
const paid = { payoutId: id, ...money, recipient: MTN }
const collected = { depositId: id, ...money, payer: MTN }

/** Bodies of the earlier generation, and the calls that take their place. */
const CALLS: readonly (readonly [what: string, body: unknown, calls: readonly object[]])[] = [
  ['a payout', legacyPayout({ payoutId: id }), [post('/v2/payouts', paid)]],
  [
    'a refund',
    { refundId: id, depositId: UPPER, amount: '5' },
    [post('/v2/refunds', { refundId: id, depositId: UPPER, amount: '5' })],
  ],
  [
    'a refund of everything',
    { refundId: id, depositId: UPPER, amount: null },
    [post('/v2/refunds', { refundId: id, depositId: UPPER })],
  ],
  ['a prediction', { msisdn: '+260 7' }, [post('/v2/predict-provider', { phoneNumber: '+260 7' })]],
  [
    'several payouts',
    [legacyPayout({ payoutId: id }), legacyPayout({ payoutId: id, amount: 7 })],
    [post('/v2/payouts/bulk', [paid, { ...paid, amount: '7' }])],
  ],
  ['one payout in a list', [legacyPayout({ payoutId: id })], [post('/v2/payouts/bulk', [paid])]],
  [
    'several deposits',
    [legacyDeposit({ depositId: id }), legacyDeposit({ depositId: id, amount: 7 })],
    [post('/v2/deposits', collected), post('/v2/deposits', { ...collected, amount: '7' })],
  ],
  ['a resend of a deposit', { depositId: id }, [post(`/v2/deposits/resend-callback/${id}`)]],
  ['a resend of a refund', { refundId: UPPER }, [post(`/v2/refunds/resend-callback/${UPPER}`)]],
  [
    'a resend or a cancellation of a payout, which look alike',
    { payoutId: id },
    [
      {
        ...post(`/v2/payouts/resend-callback/${id}`),
        when: 'it was sent to /payouts/resend-callback',
      },
      { ...post(`/v2/payouts/fail-enqueued/${id}`), when: 'it was sent to /payouts/fail-enqueued' },
    ],
  ],
]

describe('the calls that take the place of', () => {
  for (const [what, body, calls] of CALLS) {
    it(what, () => {
      assert.deepEqual(toCurrentCalls(structuredClone(body)), calls)
    })
  }
})

it('a widget session becomes a payment page; its currency has to be filled in', () => {
  const session = { depositId: id, returnUrl: 'https://shop.example/back' }
  const page = (body: object) => [post('/v2/paymentpage', body)]
  assert.deepEqual(toCurrentCalls({ ...session }), page(session))
  const whole = {
    ...session,
    statementDescription: 'Order 12345',
    amount: 15.5,
    msisdn: '260763456789',
    language: 'FR',
    country: 'ZMB',
    reason: 'Ticket',
    metadata: [{ fieldName: 'orderId', fieldValue: 'ORD-1', isPII: true }],
  }
  const [call] = toCurrentCalls(whole)
  assert.deepEqual(
    [call],
    page({
      ...session,
      amountDetails: { amount: '15.5', currency: '<currency>' },
      phoneNumber: '260763456789',
      language: 'FR',
      country: 'ZMB',
      reason: 'Ticket',
      customerMessage: 'Order 12345',
      metadata: [{ orderId: 'ORD-1', isPII: true }],
    }),
  )
})

const isPII = [{ fieldName: 'isPII', fieldValue: 'x' }]
const twice = [
  { fieldName: 'a', fieldValue: '1' },
  { fieldName: 'a', fieldValue: '2' },
]

/** What has no translation, and what is said about it. */
const PROBLEMS: readonly (readonly [what: string, body: unknown, says: RegExp])[] = [
  ['nothing', null, /'body'.*an object or a list/],
  ['a text', 'x', /'body'.*an object or a list/],
  ['an empty object', {}, /none of refundId, payoutId, depositId and msisdn/],
  ['a request of the current generation', { phoneNumber: '2' }, /none of refundId/],
  ['a name that every object has', { constructor: id }, /none of refundId/],
  ['an empty list', [], /a list holds deposits or payouts/],
  ['a list of texts', ['x'], /'body'.*an object or a list/],
  ['a list of predictions', [{ msisdn: '2' }], /a list holds deposits or payouts/],
  ['a list in a list', [[legacyPayout()]], /a list holds deposits or payouts/],
  ['a mixed list', [legacyPayout(), legacyDeposit()], /'\[1\]\.depositId' is not known/],
  ['too long a list', Array(21).fill(legacyPayout()), /1 to 20 payouts, and has 21/],
  ['a broken entry', [legacyDeposit(), legacyDeposit({ amount: 'x' })], /'\[1\]\.amount'/],
  ['an entry that is none', [legacyDeposit(), 7], /'\[1\]' is not valid: it must be an object/],
  ['a missing field', { ...legacyDeposit(), currency: undefined }, /'currency' is required/],
  ['an unknown field', legacyPayout({ colour: 'red' }), /'colour' is not known/],
  ['a payer of the current generation', legacyDeposit({ payer: MTN }), /'accountDetails' is not/],
  ['a number of the wrong form', legacyDeposit({ payer: msisdn('+260') }), /'value'/],
  ['an identifier to resend that is none', { depositId: 'x' }, /'depositId'.*UUID/],
  ['one that is a number', { payoutId: 5 }, /'payoutId'.*UUID/],
  ['one that is null', { refundId: null }, /'refundId'.*UUID/],
  ['a metadata name twice', legacyDeposit({ metadata: twice }), /'a' more than once/],
  ['the name isPII', legacyPayout({ metadata: isPII }), /'metadata'.*cannot use 'isPII' as a name/],
  ['the name isPII in a list', [legacyPayout({ metadata: isPII })], /'\[0\]\.metadata'.*'isPII'/],
]

describe('there is no translation for', () => {
  for (const [what, body, says] of PROBLEMS) {
    it(what, () => {
      assert.throws(
        () => toCurrentCalls(structuredClone(body)),
        (error: unknown) => {
          assert.ok(error instanceof RequestFault)
          assert.match(error.message, says)
          return true
        },
      )
    })
  }
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { pageBody } from '../../../../harness/hosted.ts'
import { addMerchant, addToken, callerWith } from '../../../../harness/merchant.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)
const PATH = '/v2/paymentpage'
const x = (length: number): string => 'x'.repeat(length)
type Change = Readonly<Record<string, unknown>>

async function refuses(change: Change, code: string, name: string): Promise<void> {
  const body = pageBody(change)
  const id = typeof body.depositId === 'string' ? { depositId: body.depositId } : {}
  const answer = await service.post(PATH, body)
  assertAnswer(answer, 400, refused(code, new RegExp(`'${name}'`), id))
  const sessions = await service.database.query(
    'select from page_sessions where merchant_id = $1',
    [service.merchantId],
  )
  assert.equal(sessions.length, 0)
}

describe('400 MISSING_PARAMETER names the field:', () => {
  for (const [name, change] of [
    ['depositId', { depositId: undefined }],
    ['returnUrl', { returnUrl: null }],
    ['amount', { amountDetails: { currency: 'ZMW' } }],
    ['currency', { amountDetails: { amount: '15' } }],
  ] as const) {
    it(name, () => refuses(change, 'MISSING_PARAMETER', name))
  }
})

describe('400 UNSUPPORTED_PARAMETER names the field:', () => {
  for (const name of [
    'msisdn',
    'amount',
    'currency',
    'statementDescription',
    'clientReferenceId',
  ]) {
    it(name, () => refuses({ [name]: '15' }, 'UNSUPPORTED_PARAMETER', name))
  }
})

const INVALID: Readonly<Record<string, readonly unknown[]>> = {
  depositId: ['', 'order-17', 'f4401bd2-1568-1140-bf2d-eb77d2b2b639', 17],
  returnUrl: [
    '',
    'shop.example/thanks',
    '/thanks',
    'ftp://shop.example',
    'javascript:alert(1)',
    'https://shop.example/a b',
    'https://shop.example/\r\nX: y',
    `https://shop.example/${x(2048)}`,
    17,
  ],
  customerMessage: ['abc', x(23), 'a_b_c', 7],
  amountDetails: ['15', 15, []],
  phoneNumber: ['+260763456789', '0763 456 789', 7],
  language: ['en', 'DE', 7],
  country: ['zmb', 'ZM', 'FRA', 'ZZZ', 7],
  reason: [x(51), 7],
  metadata: ['text', [{}], Array.from({ length: 11 }, (_, at) => ({ [`n${at}`]: 'v' }))],
}

describe('400 INVALID_PARAMETER names the field:', () => {
  for (const [name, values] of Object.entries(INVALID)) {
    for (const value of values) {
      it(`${name} as ${JSON.stringify(value).slice(0, 60)}`, () =>
        refuses({ [name]: value }, 'INVALID_PARAMETER', name))
    }
  }
  for (const amount of ['', '-1', '01', '5.', '1e3', 15]) {
    it(`amount as ${JSON.stringify(amount)}`, () =>
      refuses({ amountDetails: { amount, currency: 'ZMW' } }, 'INVALID_PARAMETER', 'amount'))
  }
})

it('400 DUPLICATE_METADATA_FIELD names the metadata', () =>
  refuses({ metadata: [{ a: '1' }, { a: '2' }] }, 'DUPLICATE_METADATA_FIELD', 'metadata'))

it('400 INVALID_INPUT holds no identifier', async () => {
  assertAnswer(await service.post(PATH, '{'), 400, refused('INVALID_INPUT'))
})

it('401 AUTHENTICATION_ERROR names the identifier', async () => {
  const body = pageBody()
  const answer = await service.post(PATH, body, { authorization: 'Bearer nobody' })
  const { depositId } = body
  assertAnswer(answer, 401, refused('AUTHENTICATION_ERROR', undefined, { depositId }))
})

it('403 AUTHORISATION_ERROR for a token without the scope payment-page', async () => {
  const merchant = await addMerchant(service)
  for (const [scope, status] of [
    ['payment-page', 201],
    ['payment-page:read', 403],
    ['deposits', 403],
    ['checkouts', 403],
  ] as const) {
    const { call } = callerWith(service, await addToken(service, merchant.id, [scope]))
    const body = pageBody()
    const answer = await call('POST', PATH, body)
    if (status === 201) assert.equal(answer.status, 201)
    else {
      const says = /lacks the scope 'payment-page'/
      const { depositId } = body
      assertAnswer(answer, 403, refused('AUTHORISATION_ERROR', says, { depositId }))
    }
  }
})

it('403 DEPOSITS_NOT_ALLOWED for an account that can take no deposit at all', async () => {
  const merchant = await addMerchant(service, { providers: [] })
  const body = pageBody()
  const answer = await merchant.call('POST', PATH, body)
  const { depositId } = body
  assertAnswer(answer, 403, refused('DEPOSITS_NOT_ALLOWED', undefined, { depositId }))
})

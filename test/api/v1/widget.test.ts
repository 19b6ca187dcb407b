import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { form, PAYS } from '../../../harness/hosted.ts'
import { addMerchant } from '../../../harness/merchant.ts'
import { startReceiver } from '../../../harness/receiver.ts'
import { type Answer, eventually } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { assertDeprecated, earlierError } from '../../support/earlier-generation.ts'
import { legacyReaches, rejected } from '../../support/legacy-payments.ts'
import { assertAnswer } from '../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { deposit: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})
const { hosted } = service.node
const PATH = '/v1/widget/sessions'
const LINK = { redirectUrl: new RegExp(`^${service.url}/pay/[0-9A-Za-z]{22}$`) }

// biome-ignore lint/suspicious/noExplicitAny: requests are changed freely by tests
const widget = (changes: object = {}): any => ({
  depositId: randomUUID(),
  returnUrl: 'https://shop.example/thanks',
  ...changes,
})

async function ask(body: object, status: number, expected: object): Promise<Answer> {
  const answer = await service.post(PATH, body)
  assertAnswer(answer, status, expected)
  assertDeprecated(answer, '/v2/paymentpage')
  return answer
}

const tokenOf = ({ body }: Answer): string => body.redirectUrl.split('/').at(-1)

describe('201 with the address of the page, for', () => {
  for (const [what, changes] of [
    ['what is required', {}],
    ['an amount in a country', { amount: '15', country: 'ZMB' }],
    ['an amount that is a number', { amount: 15.5, country: 'ZMB' }],
    [
      'everything',
      {
        statementDescription: 'Order 12345',
        amount: '15',
        msisdn: PAYS,
        language: 'FR',
        country: 'ZMB',
        reason: 'Ticket',
        metadata: [{ fieldName: 'orderId', fieldValue: 'ORD-1' }],
      },
    ],
  ] as const) {
    it(what, async () => {
      await ask(widget(changes), 201, LINK)
    })
  }
})

it('the deposit is one of the earlier generation, and so is its callback', async () => {
  const body = widget({
    statementDescription: 'Order 12345',
    amount: '15',
    country: 'ZMB',
    metadata: [{ fieldName: 'orderId', fieldValue: 'ORD-1' }],
  })
  const token = tokenOf(await ask(body, 201, LINK))
  assert.deepEqual(await hosted.payOnPage(token, form()), { status: 'STARTED' })
  await legacyReaches(service, 'deposit', body.depositId, 'COMPLETED')
  const { body: found } = await service.get(`/deposits/${body.depositId}`)
  const { requestedAmount, currency, statementDescription, metadata } = found[0]
  assert.deepEqual(
    [requestedAmount, currency, statementDescription, metadata],
    ['15', 'ZMW', 'Order 12345', { orderId: 'ORD-1' }],
  )
  await eventually(() => {
    const received = receiver.received.map((one) => JSON.parse(one.body))
    assert.deepEqual(
      received.filter(({ depositId }) => depositId === body.depositId),
      found,
    )
  })
})

it('an amount is in the first currency of the country', async () => {
  const token = tokenOf(await ask(widget({ amount: '2000', country: 'COD' }), 201, LINK))
  const view = await hosted.openPage(token)
  assert.ok(view.screen === 'DETAILS')
  const currencies = view.choices.flatMap(({ providers }) =>
    providers.flatMap((one) => one.currencies.map(({ currency, amount }) => [currency, amount])),
  )
  for (const one of currencies) assert.deepEqual(one, ['CDF', '2000'])
})

it('a provider that sends the customer to its own page can be used here', async () => {
  const token = tokenOf(await ask(widget({ amount: '500', country: 'SEN' }), 201, LINK))
  const typed = { phoneNumber: '221773456789', provider: 'WAVE_SEN' }
  assert.deepEqual(await hosted.payOnPage(token, typed), { status: 'STARTED' })
})

describe('200 REJECTED with a code of the earlier generation, for', () => {
  for (const [code, says, changes] of [
    ['INVALID_COUNTRY', /'FRA'/, { country: 'FRA' }],
    ['INVALID_COUNTRY', /'FRA'/, { country: 'FRA', amount: '15' }],
    ['INVALID_PAYER_FORMAT', /'254703456789'/, { country: 'ZMB', msisdn: '254703456789' }],
    ['INVALID_AMOUNT', /'5.555'/, { country: 'ZMB', amount: '5.555' }],
    ['AMOUNT_TOO_LARGE', /'20000'/, { country: 'ZMB', amount: '20001' }],
    ['AMOUNT_TOO_SMALL', /'1'/, { country: 'ZMB', amount: '0.5' }],
  ] as const) {
    it(`${code} with ${JSON.stringify(changes)}`, async () => {
      const body = widget(changes)
      await ask(body, 200, rejected({ depositId: body.depositId }, code, says))
    })
  }

  it('DEPOSITS_NOT_ALLOWED', async () => {
    const { call } = await addMerchant(service, { providers: [] })
    const body = widget()
    const answer = await call('POST', PATH, body)
    const { depositId } = body
    assertAnswer(
      answer,
      200,
      rejected(
        { depositId },
        'DEPOSITS_NOT_ALLOWED',
        /^No correspondent that this service reaches takes a DEPOSIT/,
      ),
    )
  })
})

it('200 DUPLICATE_IGNORED when the identifier is a deposit already', async () => {
  const { id: depositId } = await service.deposit()
  await ask(widget({ depositId }), 200, { depositId, status: 'DUPLICATE_IGNORED' })
})

describe('400 with error code 1 names the field:', () => {
  for (const [name, changes] of [
    ['depositId', { depositId: undefined }],
    ['depositId', { depositId: 'x' }],
    ['returnUrl', { returnUrl: null }],
    ['returnUrl', { returnUrl: 'shop.example' }],
    ['country', { amount: '15' }],
    ['country', { country: 'zmb' }],
    ['amount', { amount: '5.', country: 'ZMB' }],
    ['msisdn', { msisdn: '+260763456789' }],
    ['language', { language: 'en' }],
    ['reason', { reason: 'x'.repeat(51) }],
    ['statementDescription', { statementDescription: 'abc' }],
    ['phoneNumber', { phoneNumber: PAYS }],
    ['amountDetails', { amountDetails: {} }],
    ['metadata', { metadata: [{ orderId: '1' }] }],
  ] as const) {
    it(`${name} in ${JSON.stringify(changes).slice(0, 50)}`, async () => {
      const says = name === 'metadata' ? /'orderId'/ : new RegExp(`'${name}'`)
      await ask(widget(changes), 400, earlierError(1, says))
    })
  }
})

it('it is counted among the calls that have a successor, with the fields that change', async () => {
  const { call } = await addMerchant(service)
  await call('POST', PATH, widget({ amount: '15', country: 'ZMB', msisdn: PAYS, reason: 'x' }))
  const { body } = await call('GET', '/sandbox/migration')
  const [{ method, path, count, replacement }] = body.calls
  assert.deepEqual([method, path, count, replacement], ['POST', PATH, 1, 'POST /v2/paymentpage'])
  assert.deepEqual(
    body.fields.map(({ field, rule }: Record<string, string>) => [field, rule]),
    [
      ['amount', 'moves into amountDetails, as a text in quotes and with its currency'],
      ['msisdn', 'becomes phoneNumber'],
    ],
  )
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { form, page, pageBody } from '../../../../harness/hosted.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, reason, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)
const PATH = '/v2/paymentpage'
const LINK = new RegExp(`^${service.url}/pay/[0-9A-Za-z]{22}$`)

/** Requests that make a page. */
const GOOD: readonly (readonly [what: string, changes: object])[] = [
  ['a fixed amount in a country', {}],
  ['nothing but what is required', { country: undefined, amountDetails: undefined }],
  ['an amount without a country', { country: undefined }],
  ['a number', { phoneNumber: '260763456789' }],
  ['a number without a country', { country: undefined, phoneNumber: '260763456789' }],
  [
    'everything',
    {
      customerMessage: 'Order 12345',
      phoneNumber: '260763456789',
      language: 'FR',
      reason: 'é'.repeat(50),
      metadata: [{ orderId: '1' }, { mail: 'a@b.c', isPII: true }],
    },
  ],
  ['null and empty text for what is optional', { language: null, reason: '', phoneNumber: null }],
  ['an address over http, in the sandbox', { returnUrl: 'http://127.0.0.1:3000/back' }],
]

describe('201 with the address of the page, for', () => {
  for (const [what, changes] of GOOD) {
    it(what, async () => {
      assertAnswer(await service.post(PATH, pageBody(changes)), 201, { redirectUrl: LINK })
    })
  }
})

it('the customer returns to an app whose scheme the merchant allows', async () => {
  const body = pageBody({ returnUrl: 'myapp://thanks' })
  assert.equal((await service.post(PATH, body)).status, 400)
  const allow = (schemes: unknown) => service.put('/sandbox/return-schemes', { schemes })
  assert.equal((await allow(['myapp', 'http'])).status, 204)
  const { status, body: made } = await service.post(PATH, body)
  assert.equal(status, 201)
  const shown = await (await fetch(made.redirectUrl)).text()
  assert.match(shown, /href="myapp:\/\/thanks\?depositId=/)
  assert.equal((await service.post(PATH, pageBody({ returnUrl: 'http://a.example' }))).status, 201)
  const refusal = await allow(['other', 'data'])
  assertAnswer(refusal, 400, reason('INVALID_PARAMETER', /'schemes' is not valid: "data" cannot/))
  assert.equal((await allow([])).status, 204)
  assert.equal((await service.post(PATH, pageBody({ returnUrl: 'myapp://x' }))).status, 400)
})

describe('200 REJECTED as a deposit is, and no page, for', () => {
  const cases: readonly (readonly [code: string, says: RegExp, changes: object])[] = [
    [
      'INVALID_CURRENCY',
      /'EUR'.*in 'ZMB'|'EUR'/,
      {
        amountDetails: { amount: '15', currency: 'EUR' },
      },
    ],
    [
      'INVALID_CURRENCY',
      /'EUR'/,
      {
        country: undefined,
        amountDetails: { amount: '15', currency: 'EUR' },
      },
    ],
    ['INVALID_PHONE_NUMBER', /'254703456789'/, { phoneNumber: '254703456789' }],
    [
      'INVALID_PHONE_NUMBER',
      /'260763456789'.*'RWF'/,
      {
        country: undefined,
        phoneNumber: '260763456789',
        amountDetails: { amount: '1500', currency: 'RWF' },
      },
    ],
    [
      'INVALID_AMOUNT',
      /'15.555'.*decimal/,
      { amountDetails: { amount: '15.555', currency: 'ZMW' } },
    ],
    [
      'AMOUNT_OUT_OF_BOUNDS',
      /more than '1' and less than '20000'.*'[A-Z_]+'/,
      {
        amountDetails: { amount: '20001', currency: 'ZMW' },
      },
    ],
    [
      'AMOUNT_OUT_OF_BOUNDS',
      /more than '1' and less than '20000'/,
      {
        amountDetails: { amount: '0.5', currency: 'ZMW' },
      },
    ],
  ]
  for (const [code, says, changes] of cases) {
    it(`${code} with ${JSON.stringify(changes)}`, async () => {
      const body = pageBody(changes)
      const id = { depositId: body.depositId }
      assertAnswer(await service.post(PATH, body), 200, refused(code, says, id))
    })
  }
})

it('a provider that is closed does not stop the page: it may be open when the customer comes', async () => {
  for (const provider of ['MTN_MOMO_ZMB', 'AIRTEL_OAPI_ZMB', 'ZAMTEL_ZMB']) {
    const control = { provider, operationType: 'DEPOSIT', status: 'CLOSED' }
    await service.put('/sandbox/availability', control)
  }
  const { token } = await page(service)
  const view = await service.node.hosted.openPage(token)
  assert.ok(view.screen === 'DETAILS')
  assert.ok(view.choices[0]?.providers.every(({ isAvailable }) => !isAvailable))
  await service.post('/sandbox/reset')
})

it('200 DUPLICATE_IGNORED when the identifier is a deposit already, however it came about', async () => {
  const { id } = await service.deposit()
  const { id: paid, token } = await page(service)
  await service.node.hosted.payOnPage(token, form())
  for (const depositId of [id, paid, id.toUpperCase()]) {
    for (const changes of [{}, { amountDetails: { amount: '99999999', currency: 'EUR' } }]) {
      const answer = await service.post(PATH, pageBody({ depositId, ...changes }))
      assertAnswer(answer, 200, { depositId, status: 'DUPLICATE_IGNORED' })
    }
  }
})

it('a second session before Pay gives another link to the same payment', async () => {
  const { id, token } = await page(service)
  const again = await page(service, { depositId: id })
  assert.notEqual(again.token, token)
  await service.node.hosted.payOnPage(again.token, form())
  await service.reaches(id, 'COMPLETED')
  assert.equal((await service.node.hosted.openPage(token)).screen, 'ENDED')
})

it('the identifier of a refused request can be used again', async () => {
  const depositId = randomUUID()
  const wrong = { amount: '15', currency: 'EUR' }
  await service.post(PATH, pageBody({ depositId, amountDetails: wrong }))
  assert.equal((await service.post(PATH, pageBody({ depositId }))).status, 201)
})

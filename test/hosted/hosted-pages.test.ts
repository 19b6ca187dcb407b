import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import {
  checkout,
  FAILS,
  form,
  PAYS,
  page,
  pageBody,
  recordOf,
  STAYS,
} from '../../harness/hosted.ts'
import { addMerchant } from '../../harness/merchant.ts'
import { eventually } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { checkoutVersion } from '../../src/domain/hosted/checkout.ts'
import { pageVersion } from '../../src/domain/hosted/page-session.ts'
import type { PaymentId } from '../../src/domain/ids.ts'
import { findPayment } from '../../src/store/payments/payments.ts'
import { suspendMerchant } from '../../src/usecases/accounts/manage-merchants.ts'
import { createChangeWatch } from '../../src/usecases/hosted/change-watch.ts'
import type { PayForm } from '../../src/usecases/hosted/form.ts'

const service = await shareService()
const second = await service.addNode()
after(async () => {
  await second.stop()
  await service.stop()
})
const { hosted } = service.node
const depositsOf = async (id: string) =>
  service.database.query<{ phone_number: string; amount: string; details: object }>(
    'select phone_number, amount, details from payments where id = $1',
    [id],
  )

describe('a Payment Page', () => {
  it('has no deposit until Pay, then the one with the identifier of the merchant', async () => {
    const { id, token } = await page(service, {
      customerMessage: 'Order 12345',
      reason: 'Ticket',
      language: 'FR',
      metadata: [{ orderId: 'ORD-1' }],
    })
    assert.equal((await service.get(`/v2/deposits/${id}`)).body.status, 'NOT_FOUND')
    const view = await hosted.openPage(token)
    assert.ok(view.screen === 'DETAILS')
    assert.deepEqual(
      [view.merchant, view.reason, view.language, view.fixed, view.version],
      ['Demo Merchant', 'Ticket', 'fr', { country: 'ZMB' }, 'NONE'],
    )
    const [zambia, ...others] = view.choices
    assert.deepEqual(others, [])
    assert.deepEqual(
      [zambia?.country, zambia?.callingCode, zambia?.flag],
      ['ZMB', '260', '/assets/flags/zmb.svg'],
    )
    assert.deepEqual(zambia?.providers[1], {
      provider: 'MTN_MOMO_ZMB',
      name: 'MTN MoMo',
      logo: '/assets/logos/mtn.png',
      authType: 'PROVIDER_AUTH',
      pinPrompt: 'AUTOMATIC',
      pinPromptRevivable: true,
      instructions:
        service.node.ctx.providers.catalog.find('MTN_MOMO_ZMB')?.currencies[0]?.operations.DEPOSIT
          ?.instructions,
      isAvailable: true,
      currencies: [
        { currency: 'ZMW', symbol: 'ZK', min: '1', max: '20000', decimals: 2, amount: '15' },
      ],
    })
    assert.deepEqual(await hosted.payOnPage(token, form()), { status: 'STARTED' })
    const record = await service.reaches(id, 'COMPLETED')
    assert.deepEqual(
      [record.amount, record.customerMessage, record.metadata],
      ['15', 'Order 12345', { orderId: 'ORD-1' }],
    )
    const ended = await hosted.openPage(token)
    assert.ok(ended.screen === 'ENDED')
    assert.deepEqual(
      [ended.payment.state, ended.payment.maskedNumber, ended.payment.symbol],
      ['COMPLETED', '+260 76 *** *789', 'ZK'],
    )
    assert.equal(ended.returnAddress, `https://shop.example/thanks?order=7&depositId=${id}#top`)
  })

  it('a deposit that fails is the end of it', async () => {
    const { id, token } = await page(service)
    await hosted.payOnPage(token, form(FAILS))
    await service.reaches(id, 'FAILED')
    const view = await hosted.openPage(token)
    assert.ok(view.screen === 'ENDED')
    assert.equal(view.payment.failureCode, 'PAYMENT_NOT_APPROVED')
    assert.deepEqual(await hosted.payOnPage(token, form()), { status: 'NOT_OPEN' })
  })

  it('Pay from many tabs, two links and two nodes at once: one deposit', async () => {
    const { id, token } = await page(service)
    const again = await page(second, { depositId: id })
    assert.notEqual(again.token, token)
    const pays = Array.from({ length: 12 }, (_, at) =>
      at % 2 === 0
        ? hosted.payOnPage(token, form(STAYS))
        : second.node.hosted.payOnPage(again.token, form(STAYS)),
    )
    const started = (await Promise.all(pays)).filter(({ status }) => status === 'STARTED')
    assert.equal(started.length, 1)
    assert.equal((await depositsOf(id)).length, 1)
    for (const one of [token, again.token]) {
      assert.equal((await hosted.openPage(one)).screen, 'RUNNING')
    }
  })

  it('takes nothing from the form that the merchant fixed', async () => {
    const { id, token } = await page(service, { phoneNumber: FAILS })
    const forged = { country: 'KEN', phoneNumber: PAYS, amount: '1', currency: 'USD' }
    const paid = await hosted.payOnPage(token, { ...form(), ...forged })
    assert.deepEqual(paid, { status: 'STARTED' })
    const [deposit] = await depositsOf(id)
    assert.deepEqual([deposit?.phone_number, deposit?.amount], [FAILS, '15'])
    await service.reaches(id, 'FAILED')
  })

  it('offers nothing any more when the account is suspended, and shows what was paid', async () => {
    const closing = await addMerchant(service)
    const made = async () => {
      const { body } = await closing.call('POST', '/v2/paymentpage', pageBody())
      return body.redirectUrl.split('/').at(-1)
    }
    const [open, paid] = [await made(), await made()]
    assert.deepEqual(await hosted.payOnPage(paid, form()), { status: 'STARTED' })
    await service.database.inTransaction((tx) => suspendMerchant(tx, closing.id, Date.now()))
    await eventually(async () => {
      const view = await hosted.openPage(open)
      assert.ok(view.screen === 'DETAILS')
      assert.deepEqual(view.choices, [])
    })
    assert.deepEqual(await hosted.payOnPage(open, form()), {
      status: 'REFUSED',
      refusals: [{ field: 'provider', rule: 'NOT_OFFERED' }],
    })
    await eventually(async () => assert.equal((await hosted.openPage(paid)).screen, 'ENDED'))
  })

  it('an unknown link is unknown, whatever is asked of it', async () => {
    for (const token of ['', 'x', '0'.repeat(22), `${(await page(service)).token}x`]) {
      assert.deepEqual(await hosted.openPage(token), { screen: 'UNKNOWN' })
      assert.deepEqual(await hosted.payOnPage(token, form()), { status: 'UNKNOWN' })
      assert.deepEqual(await hosted.openCheckout(token), { screen: 'UNKNOWN' })
      assert.deepEqual(await hosted.payOnCheckout(token, form()), { status: 'UNKNOWN' })
      await hosted.cancelCheckout(token)
      await hosted.waitForChange({ page: token }, '', 60_000)
      assert.equal(await hosted.predict({ checkout: token }, {}), undefined)
    }
  })

  it('neither its link nor that of a checkout is in the database', async () => {
    const { token } = await page(service)
    const { code } = await checkout(service)
    for (const text of [token, code]) {
      assert.match(text, /^[0-9A-Za-z]{22}$/)
      for (const table of ['page_sessions', 'checkouts', 'payments']) {
        const rows = await service.database.query(
          `select from ${table} t where t::text like '%' || $1 || '%'`,
          [text],
        )
        assert.equal(rows.length, 0, table)
      }
    }
  })
})

describe('a number can be typed in any spelling:', () => {
  for (const typed of [
    '260763456789',
    '+260 763 456 789',
    '+260-763-456789',
    '00260763456789',
    '0763 456 789',
    '763456789',
    '+260 (0) 763 456 789',
    '０７６３４５６７８９',
  ]) {
    it(typed, async () => {
      const { id, token } = await page(service)
      assert.deepEqual(await hosted.payOnPage(token, form(typed)), { status: 'STARTED' })
      assert.equal((await depositsOf(id))[0]?.phone_number, '260763456789')
    })
  }
})

const LIMITS = { currency: 'ZMW', min: '1', max: '20000', decimals: 2 }

/** What is refused, and the answer that the page gets. */
const REFUSED: readonly (readonly [what: string, form: PayForm, refusals: readonly object[]])[] = [
  [
    'nothing filled in',
    {},
    [
      { field: 'phoneNumber', rule: 'MISSING' },
      { field: 'provider', rule: 'MISSING' },
      { field: 'amount', rule: 'MISSING' },
    ],
  ],
  ['no number', form(' ', { amount: '15' }), [{ field: 'phoneNumber', rule: 'MISSING' }]],
  ['half a number', form('12345', { amount: '15' }), [{ field: 'phoneNumber', rule: 'INVALID' }]],
  [
    'a number of another country',
    form('254703456789', { amount: '15' }),
    [{ field: 'phoneNumber', rule: 'INVALID' }],
  ],
  [
    'a provider of another country',
    form(PAYS, { provider: 'MPESA_KEN', amount: '15' }),
    [{ field: 'provider', rule: 'NOT_OFFERED' }],
  ],
  [
    'an unreadable amount',
    form(PAYS, { amount: 'ten' }),
    [{ field: 'amount', rule: 'INVALID', limits: LIMITS }],
  ],
  [
    'an amount that means two things',
    form(PAYS, { amount: '1,000' }),
    [{ field: 'amount', rule: 'INVALID', limits: LIMITS }],
  ],
  [
    'too little',
    form(PAYS, { amount: '0,5' }),
    [{ field: 'amount', rule: 'TOO_SMALL', providerName: 'MTN MoMo', limits: LIMITS }],
  ],
  [
    'too much',
    form(PAYS, { amount: '20 000.01' }),
    [{ field: 'amount', rule: 'TOO_LARGE', providerName: 'MTN MoMo', limits: LIMITS }],
  ],
  [
    'a code that is too long',
    form(PAYS, { amount: '15', preAuthorisationCode: '1'.repeat(37) }),
    [{ field: 'preAuthorisationCode', rule: 'TOO_LONG' }],
  ],
]

describe('a form is refused field by field, and nothing is created:', () => {
  for (const [what, typed, refusals] of REFUSED) {
    it(what, async () => {
      const { id, token } = await page(service, { amountDetails: undefined })
      const result = await hosted.payOnPage(token, typed)
      assert.ok(result.status === 'REFUSED')
      assert.deepEqual(result.refusals, refusals)
      assert.deepEqual(await depositsOf(id), [])
      assert.equal((await hosted.openPage(token)).screen, 'DETAILS')
    })
  }

  it('decimals where the provider takes none', async () => {
    const { token } = await page(service, { country: 'RWA', amountDetails: undefined })
    const typed = { phoneNumber: '250783456789', provider: 'MTN_MOMO_RWA', amount: '100.50' }
    assert.deepEqual(await hosted.payOnPage(token, typed), {
      status: 'REFUSED',
      refusals: [
        {
          field: 'amount',
          rule: 'TOO_MANY_DECIMALS',
          providerName: 'MTN MoMo',
          limits: { currency: 'RWF', min: '5', max: '2000000', decimals: 0 },
        },
      ],
    })
  })

  it('no one-time code where the provider asks for one; then it goes on', async () => {
    const { id, token } = await page(service, {
      country: 'BFA',
      amountDetails: { amount: '200', currency: 'XOF' },
    })
    const typed = { phoneNumber: '22607345678', provider: 'ORANGE_BFA' }
    assert.deepEqual(await hosted.payOnPage(token, typed), {
      status: 'REFUSED',
      refusals: [{ field: 'preAuthorisationCode', rule: 'MISSING' }],
    })
    const again = { ...typed, preAuthorisationCode: ' 123456 ' }
    assert.deepEqual(await hosted.payOnPage(token, again), { status: 'STARTED' })
    await service.reaches(id, 'COMPLETED')
  })

  it('a country is asked for where there are several and the number does not say it', async () => {
    const { token } = await page(service, { country: undefined, amountDetails: undefined })
    const local = { phoneNumber: '0763456789', provider: 'MTN_MOMO_ZMB', amount: '15' }
    assert.deepEqual(await hosted.payOnPage(token, local), {
      status: 'REFUSED',
      refusals: [{ field: 'country', rule: 'MISSING' }],
    })
    assert.deepEqual(await hosted.payOnPage(token, { ...local, country: 'FRA' }), {
      status: 'REFUSED',
      refusals: [{ field: 'country', rule: 'NOT_OFFERED' }],
    })
    assert.deepEqual(await hosted.payOnPage(token, { ...local, phoneNumber: '+260763456789' }), {
      status: 'STARTED',
    })
  })
})

describe('the provider', () => {
  it('is suggested by the number and never chosen by it', async () => {
    const { id, token } = await page(service)
    const missing = await hosted.payOnPage(token, { phoneNumber: '0973 456 789' })
    assert.deepEqual(missing, {
      status: 'REFUSED',
      refusals: [{ field: 'provider', rule: 'MISSING' }],
      predicted: 'AIRTEL_OAPI_ZMB',
    })
    const suggested = await hosted.predict({ page: token }, { phoneNumber: '0763456789' })
    assert.equal(suggested, 'MTN_MOMO_ZMB')
    const chosen = { phoneNumber: '260763456789', provider: 'ZAMTEL_ZMB' }
    assert.deepEqual(await hosted.payOnPage(token, chosen), { status: 'STARTED' })
    const { body } = await service.get(`/v2/deposits/${id}`)
    assert.equal(body.data.payer.accountDetails.provider, 'ZAMTEL_ZMB')
  })

  it('with two currencies takes the chosen one, or the first', async () => {
    const fixed = { country: 'COD', amountDetails: undefined }
    for (const [currency, expected] of [
      [undefined, 'CDF'],
      ['USD', 'USD'],
    ]) {
      const { id, token } = await page(service, fixed)
      const typed = { phoneNumber: '243973456789', provider: 'AIRTEL_COD', amount: '150', currency }
      assert.deepEqual(await hosted.payOnPage(token, typed), { status: 'STARTED' })
      assert.equal((await service.get(`/v2/deposits/${id}`)).body.data.currency, expected)
    }
  })
})

describe('waiting for a change', { timeout: 540_000 }, () => {
  const LONG = 600_000

  it('ends when this node, or another one, changes the payment', async () => {
    for (const other of [hosted, second.node.hosted]) {
      const { id, token } = await page(service)
      const { code } = await checkout(service)
      const opened = await hosted.openCheckout(code)
      assert.ok(opened.screen === 'DETAILS')
      const waits = [
        hosted.waitForChange({ page: token }, 'NONE', LONG),
        hosted.waitForChange({ checkout: code }, opened.version, LONG),
      ]
      assert.deepEqual(await other.payOnPage(token, form()), { status: 'STARTED' })
      await other.cancelCheckout(code)
      await Promise.all(waits)
      await service.reaches(id, 'COMPLETED')
    }
  })

  it('ends at once where the page shows something old, and at its time else', async () => {
    const { token } = await page(service)
    await hosted.waitForChange({ page: token }, 'PROCESSING', LONG)
    await hosted.waitForChange({ page: token }, 'NONE', 1)
  })

  it('goes on while a payment is taken up, which looks the same', async () => {
    const one = await checkout(service)
    assert.equal((await hosted.payOnCheckout(one.code, form(STAYS))).status, 'STARTED')
    const merchant = (await service.node.ctx.merchants.byToken(service.token))?.merchant
    assert.ok(merchant !== undefined)
    const { id: merchantId } = merchant
    const deposit = await eventually(async () => {
      const { deposit: sent } = await recordOf(service, one.id)
      const found = await findPayment(service.database, merchantId, 'deposit', sent.depositId)
      assert.equal(found?.state, 'PROCESSING')
      return found
    })
    const early = { state: 'ACCEPTED' } as const
    const watch = createChangeWatch(service.database)
    const checkoutId = one.id as string as PaymentId
    for (const [watched, version] of [
      [{ kind: 'deposit', merchantId, id: deposit.id }, pageVersion(early)],
      [{ kind: 'checkout', merchantId, id: checkoutId }, checkoutVersion('PROCESSING', 1, early)],
    ] as const) {
      let isOver = false
      const wait = watch.wait(watched, version, LONG).then(() => {
        isOver = true
      })
      watch.notify(deposit)
      await setImmediate()
      assert.equal(isOver, false, watched.kind)
      watch.notify({ ...deposit, state: 'COMPLETED' })
      await wait
    }
  })

  it('of two thousand customers is one question to the database', async () => {
    const asked: number[] = []
    const watch = createChangeWatch({
      query: (text, values = [], name) => {
        asked.push(String(values[2]).split(',').length)
        return service.database.query(text, values, name)
      },
    })
    const merchantId = (await service.node.ctx.merchants.byToken(service.token))?.merchant.id
    assert.ok(merchantId !== undefined)
    const ids = Array.from({ length: 2000 }, () => randomUUID() as string as PaymentId)
    const waits = ids.map((id) => watch.wait({ kind: 'deposit', merchantId, id }, 'NONE', LONG))
    await service.deposit({ depositId: ids[1000] })
    await waits[1000]
    assert.ok(asked.length > 0)
    for (const count of asked) assert.equal(count, 2000)
    watch.stop()
    await Promise.all(waits)
  })
})

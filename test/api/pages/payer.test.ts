import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { checkout, FAILS, failOnce, form, PAYS, page, recordOf } from '../../../harness/hosted.ts'
import { textOf } from '../../../harness/sandbox-page.ts'
import { eventually } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import type { PaymentKey } from '../../../src/domain/ids.ts'
import { shortReference } from '../../../src/domain/payments/short-reference.ts'
import { PAY_WORDS } from '../../../src/web/pay/words.ts'
import { fill } from '../../../src/web/words.ts'

/** What a customer reads, screen by screen, without a browser. */
const service = await shareService()
after(service.stop)

const open = (path: string) => fetch(service.url + path, { redirect: 'manual' })
const send = (path: string, fields: Record<string, string>) =>
  fetch(service.url + path, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
  })
const html = async (path: string): Promise<string> => (await open(path)).text()
const text = async (path: string): Promise<string> =>
  textOf(await html(path)).replaceAll(/[^\S\n]/g, ' ')

describe('a number that the merchant gave', () => {
  const accountDetails = { phoneNumber: PAYS }

  it('says which provider it is: preselected, on a page and on a checkout', async () => {
    const { token } = await page(service, { phoneNumber: PAYS })
    assert.match(await html(`/pay/${token}`), /value="MTN_MOMO_ZMB" checked/)
    for (const allowCustomerToOverride of [true, false]) {
      const payer = { type: 'MMO', accountDetails: { ...accountDetails, allowCustomerToOverride } }
      const { code } = await checkout(service, { payer })
      assert.match(await html(`/checkout/${code}`), /value="MTN_MOMO_ZMB" checked/)
    }
    const { token: free } = await page(service)
    assert.doesNotMatch(await html(`/pay/${free}`), / checked/)
  })

  it('is asked about once if the customer chooses another provider', async () => {
    const { id, token } = await page(service, { phoneNumber: PAYS })
    const payer = {
      type: 'MMO',
      accountDetails: { ...accountDetails, allowCustomerToOverride: false },
    }
    const { code } = await checkout(service, { payer })
    const words = PAY_WORDS.en
    const asked = { number: '+260 763 456 789', predicted: 'MTN MoMo' }
    for (const path of [`/pay/${token}`, `/checkout/${code}`]) {
      // What is sent in place of a fixed number is not read, and not shown.
      const fields = { provider: 'AIRTEL_OAPI_ZMB', phoneNumber: '260973456789' }
      const answer = await send(`${path}?lang=en`, fields)
      assert.equal(answer.status, 200, path)
      const seen = textOf(await answer.text()).replaceAll(/\s+/g, ' ')
      assert.ok(seen.includes(fill(words.providerDiffers, asked)), seen)
      assert.ok(seen.includes(words.changeProvider) && !seen.includes(words.changeDetails), seen)
    }
    const kept = { provider: 'AIRTEL_OAPI_ZMB', payWith: 'AIRTEL_OAPI_ZMB' }
    assert.equal((await send(`/pay/${token}`, kept)).status, 303)
    const { payer: paid } = await service.reaches(id, 'COMPLETED')
    assert.deepEqual(paid, {
      type: 'MMO',
      accountDetails: { phoneNumber: PAYS, provider: 'AIRTEL_OAPI_ZMB' },
    })
  })
})

it('an amount that neither wallet takes is corrected before the wallet is asked about', async () => {
  const sent = async (country: string, fields: Record<string, string>, lang: 'en' | 'fr') => {
    const { token } = await page(service, { country, amountDetails: undefined })
    const answer = await send(`/pay/${token}?lang=${lang}`, fields)
    const body = await answer.text()
    const seen = textOf(body).replaceAll(/\s+/g, ' ')
    return { status: answer.status, seen, asks: body.includes('name="payWith"') }
  }
  const zambia = { phoneNumber: '0763456789', provider: 'AIRTEL_OAPI_ZMB' }
  for (const [amount, problem] of [
    ['99999', /must be between 1\.00 and 20,000\.00 ZMW/],
    ['0.5', /must be between 1\.00 and 20,000\.00 ZMW/],
    ['', new RegExp(PAY_WORDS.en.amountMissing)],
  ] as const) {
    const { status, seen, asks } = await sent('ZMB', { ...zambia, amount }, 'en')
    assert.deepEqual([status, asks], [422, false], amount)
    assert.match(seen, problem)
  }
  const cameroon = { phoneNumber: '653456789', provider: 'ORANGE_CMR' }
  const decimals = await sent('CMR', { ...cameroon, amount: '10,5' }, 'fr')
  assert.deepEqual([decimals.status, decimals.asks], [422, false])
  assert.match(decimals.seen, /Orange Money n’accepte que des montants entiers/)
  // MTN takes as much; Orange does not.
  const some = await sent('CMR', { ...cameroon, amount: '700000' }, 'fr')
  assert.deepEqual([some.status, some.asks], [200, true], some.seen)
})

it('a wallet has the name that its customers use, and money the decimals that it takes', async () => {
  const { token } = await page(service, { country: 'KEN', amountDetails: undefined })
  const seen = await text(`/pay/${token}?lang=en`)
  assert.match(seen, /M-PESA\n/)
  assert.doesNotMatch(seen, /Safaricom/)
  assert.match(seen, /Between 1 and 250,000 KES/)
  const fixed = { country: 'KEN', amountDetails: { amount: '1500', currency: 'KES' } }
  const { token: other } = await page(service, fixed)
  assert.match(await text(`/pay/${other}?lang=fr`), /\n1.500 KES\n/)
})

it('no country is chosen before the customer has; without one it is asked for again', async () => {
  const path = `/pay/${(await page(service, { country: undefined, amountDetails: undefined })).token}`
  for (const lang of ['en', 'fr'] as const) {
    const words = PAY_WORDS[lang]
    const first = await html(`${path}?lang=${lang}`)
    assert.match(
      first,
      new RegExp(`<select[^>]*><option value(?:="")?>${words.countryMissing}</option>`),
    )
    assert.doesNotMatch(first, /<option[^>]* selected|role="alert"/)
    const again = await html(`${path}?lang=${lang}&chosen=1&country=`)
    assert.match(again, new RegExp(`<title>${words.error}`))
    assert.match(again, new RegExp(`<a href="#country">${words.countryMissing}</a>`))
    assert.doesNotMatch(await html(`${path}?lang=${lang}&country=`), /role="alert"/)
  }
})

/** What the dashboard calls the payment, and customers read out. */
async function referenceOf(id: string): Promise<string> {
  const [payment] = await service.database.query<{ key: PaymentKey }>(
    'select key from payments where id = $1',
    [id],
  )
  assert.ok(payment !== undefined)
  return shortReference(payment.key)
}

describe('after the payment', () => {
  it('the receipt says what was paid for, and is a file to keep', async () => {
    const { id, token } = await page(service, { reason: 'Order 1042' })
    assert.equal((await service.node.hosted.payOnPage(token, form())).status, 'STARTED')
    await service.reaches(id, 'COMPLETED')
    assert.match(await text(`/pay/${token}?lang=en`), /\nFor\nOrder 1042\n/)
    const file = await open(`/pay/${token}?lang=fr&receipt=1`)
    assert.match(
      file.headers.get('content-disposition') ?? '',
      /^attachment; filename="receipt\.html"/,
    )
    const kept = await file.text()
    const reference = await referenceOf(id)
    assert.match(
      textOf(kept),
      new RegExp(`${PAY_WORDS.fr.paidHeading}[^]*Order 1042[^]*\\n${reference}\\n`),
    )
    assert.doesNotMatch(kept, /<a |<script/)
  })

  it('there is no receipt for what was not paid', async () => {
    const { token } = await page(service)
    assert.equal((await open(`/pay/${token}?receipt=1`)).headers.get('content-disposition'), null)
  })

  it('only the end of a checkout leads back by itself', async () => {
    for (const returnMethod of ['INSTANT', 'COUNTDOWN']) {
      const one = await checkout(service, { returnMethod })
      await failOnce(service, one)
      const failed = await open(`/checkout/${one.code}?lang=en&wait=1`)
      assert.equal(failed.status, 200)
      const seen = await failed.text()
      assert.ok(seen.includes(PAY_WORDS.en.tryAgain) && seen.includes('id="return"'), seen)
      assert.doesNotMatch(seen, /id="leaving"/)
      await service.node.hosted.cancelCheckout(one.code)
      const over = await open(`/checkout/${one.code}?lang=en&wait=1`)
      assert.equal(over.status, returnMethod === 'INSTANT' ? 303 : 200)
    }
  })

  /** Answers a number whose payments fail. */
  async function failsWith(failureCode: string, ending: string): Promise<string> {
    const number = FAILS.replace(/039$/, ending)
    const script = [{ afterSeconds: 0, answer: 'failed', failureCode }]
    await service.put(`/sandbox/phones/${number}`, { mode: 'auto', script })
    return number
  }

  it('an attempt whose outcome was not seen is not called unpaid, and stays on the screen', async () => {
    const number = await failsWith('UNKNOWN_ERROR', '991')
    const { id, token } = await page(service)
    await service.node.hosted.payOnPage(token, form(number))
    await service.reaches(id, 'FAILED')
    const seen = await text(`/pay/${token}?lang=en`)
    assert.ok(seen.includes(PAY_WORDS.en.failUnseen), seen)
    assert.ok(seen.includes(await referenceOf(id)), seen)
    assert.ok(!seen.includes(PAY_WORDS.en.failedHeading), seen)
    // The customer needs the reference.
    assert.doesNotMatch(await html(`/pay/${token}?wait=1`), /id="leaving"|<script/)
  })

  it('the advice is something that the customer can do', async () => {
    const number = await failsWith('PAYER_NOT_FOUND', '992')
    const { id, token } = await page(service)
    await service.node.hosted.payOnPage(token, form(number))
    await service.reaches(id, 'FAILED')
    const over = await text(`/pay/${token}?lang=en`)
    assert.match(
      over,
      /no MTN MoMo wallet with this number\. To try again, return to Demo Merchant/,
    )
    assert.doesNotMatch(over, /Check|Choose/)
    const fixed = { phoneNumber: number, allowCustomerToOverride: false }
    for (const [accountDetails, advice] of [
      [undefined, 'Check the number or choose another provider. '],
      [fixed, 'Choose another provider. '],
      [{ provider: 'MTN_MOMO_ZMB', allowCustomerToOverride: false }, 'Check the number. '],
      [{ ...fixed, provider: 'MTN_MOMO_ZMB' }, ''],
    ] as const) {
      const payer = accountDetails && { type: 'MMO', accountDetails }
      const one = await checkout(service, { payer })
      await service.node.hosted.payOnCheckout(one.code, form(number))
      await eventually(async () => {
        assert.equal((await recordOf(service, one.id)).depositStatus, 'FAILED')
      })
      const seen = await text(`/checkout/${one.code}?lang=en`)
      assert.ok(seen.includes(`with this number. ${advice}You have not been charged.`), seen)
    }
  })
})

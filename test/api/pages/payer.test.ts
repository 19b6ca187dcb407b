import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { checkout, FAILS, failOnce, form, PAYS, page } from '../../../harness/hosted.ts'
import { textOf } from '../../../harness/sandbox-page.ts'
import { shareService } from '../../../harness/share.ts'
import { PAY_WORDS } from '../../../src/web/pay/words.ts'

/** What a customer reads, screen by screen, without a browser. */
const service = await shareService()
after(service.stop)

const open = (path: string) => fetch(service.url + path, { redirect: 'manual' })
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
    assert.match(textOf(kept), new RegExp(`${PAY_WORDS.fr.paidHeading}[^]*Order 1042[^]*${id}`))
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

  it('an attempt whose outcome was not seen is not called unpaid', async () => {
    const number = FAILS.replace(/039$/, '991')
    const script = [{ afterSeconds: 0, answer: 'failed', failureCode: 'UNKNOWN_ERROR' }]
    await service.put(`/sandbox/phones/${number}`, { mode: 'auto', script })
    const { id, token } = await page(service)
    await service.node.hosted.payOnPage(token, form(number))
    await service.reaches(id, 'FAILED')
    const seen = await text(`/pay/${token}?lang=en`)
    assert.ok(seen.includes(PAY_WORDS.en.failUnseen) && seen.includes(id.slice(0, 8)), seen)
    assert.ok(!seen.includes(PAY_WORDS.en.failedHeading), seen)
  })
})

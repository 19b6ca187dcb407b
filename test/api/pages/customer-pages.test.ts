import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import {
  checkout,
  FAILS,
  form,
  PAYS,
  page,
  pageBody,
  recordOf,
  STAYS,
} from '../../../harness/hosted.ts'
import { reachesOperator } from '../../../harness/operator.ts'
import { eventually, startService } from '../../../harness/service.ts'
import {
  FAILURE_CODES,
  isPaymentFailureCode,
  PAYMENT_FAILURE_MESSAGES,
} from '../../../src/domain/failure.ts'
import { FAILURE_WORDS, PAY_WORDS } from '../../../src/web/pay/words.ts'
import { fill } from '../../../src/web/words.ts'

const service = await startService()
after(service.stop)

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.url + path, { redirect: 'manual', headers })

const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(service.url + path, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    headers,
  })

const PAYER = { accountDetails: { provider: '' } }
const WALLET = { phoneNumber: PAYS, provider: 'MTN_MOMO_ZMB' }

/** As it reads, without marks. */
const textOf = (html: string): string =>
  html
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&amp;', '&')

describe('A-9: every way in which a deposit can fail', () => {
  const codes = Object.keys(FAILURE_CODES).filter(isPaymentFailureCode)
  for (const code of codes) {
    it(code, async () => {
      const number = `2607634590${String(codes.indexOf(code)).padStart(2, '0')}`
      const steps = [{ afterSeconds: 0, answer: 'failed', failureCode: code }]
      await service.put(`/sandbox/phones/${number}`, { mode: 'auto', script: steps })
      const { id, token } = await page(service)
      assert.equal((await service.node.hosted.payOnPage(token, form(number))).status, 'STARTED')
      const deposit = await service.reaches(id, 'FAILED')
      const { failureMessage } = deposit.failureReason as { failureMessage: string }
      assert.equal(failureMessage, PAYMENT_FAILURE_MESSAGES[code])
      for (const lang of ['en', 'fr'] as const) {
        const text = textOf(await (await open(`/pay/${token}?lang=${lang}`)).text())
        const expected = PAY_WORDS[lang][FAILURE_WORDS[code]]
          .replace('{provider}', 'MTN MoMo')
          .replace('{currency}', 'ZMW')
        assert.ok(text.includes(expected), text)
        assert.ok(!text.includes(failureMessage))
        // If the outcome is unknown, the page must not claim one.
        assert.equal(text.includes(PAY_WORDS[lang].notCharged), code !== 'UNKNOWN_ERROR', text)
        assert.equal(text.includes(PAY_WORDS[lang].unseenHeading), code === 'UNKNOWN_ERROR')
      }
    })
  }
})

describe('forms', () => {
  it('lead back to the page itself with 303', async () => {
    const { token } = await page(service)
    const answer = await send(`/pay/${token}?lang=fr`, { ...WALLET, do: 'pay' })
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.get('location'), `/pay/${token}?wait=0&lang=fr`)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  })

  it('come back with 422 when something is wrong', async () => {
    const { token } = await page(service)
    const answer = await send(`/pay/${token}`, { ...WALLET, phoneNumber: '1' })
    assert.equal(answer.status, 422)
  })

  it('with a provider that the number contradicts come back as a question, not as an error', async () => {
    const { id, token } = await page(service)
    const other = { ...WALLET, provider: 'AIRTEL_OAPI_ZMB' }
    for (const lang of ['en', 'fr'] as const) {
      const answer = await send(`/pay/${token}?lang=${lang}`, other)
      assert.equal(answer.status, 200)
      const html = await answer.text()
      const words = PAY_WORDS[lang]
      const question = fill(words.providerDiffers, { predicted: 'MTN MoMo', number: PAYS })
      assert.ok(textOf(html).includes(question), html)
      assert.ok(!html.includes(words.error) && !/aria-invalid="|class="error"/.test(html), html)
      for (const [provider, name] of [
        ['MTN_MOMO_ZMB', 'MTN MoMo'],
        ['AIRTEL_OAPI_ZMB', 'Airtel Money'],
      ]) {
        const label = fill(words.payWith, { provider: name ?? '' })
        assert.match(html, new RegExp(`name="payWith" value="${provider}">${label}</button>`))
      }
    }
    const asking = { ...other, asking: 'yes', do: 'language' }
    const french = await (await send(`/pay/${token}?lang=fr`, asking)).text()
    assert.ok(french.includes(PAY_WORDS.fr.askHeading), french)
    const edit = await (await send(`/pay/${token}`, { ...asking, do: 'edit' })).text()
    assert.match(edit, /value="AIRTEL_OAPI_ZMB" checked/)
    await send(`/pay/${token}`, { ...other, payWith: 'MTN_MOMO_ZMB' })
    const { payer } = await service.reaches(id, 'COMPLETED')
    assert.deepEqual((payer as typeof PAYER).accountDetails.provider, 'MTN_MOMO_ZMB')
  })

  it('from another site do nothing', async () => {
    for (const origin of ['https://elsewhere.example', 'null', 'http://127.0.0.1:1']) {
      const { id, token } = await page(service)
      assert.equal((await send(`/pay/${token}`, WALLET, { origin })).status, 403, origin)
      assert.equal((await service.get(`/v2/deposits/${id}`)).body.status, 'NOT_FOUND')
    }
    const { id, token } = await page(service)
    assert.equal((await send(`/pay/${token}`, WALLET, { origin: service.url })).status, 303)
    await service.reaches(id, 'COMPLETED')
  })

  it('cannot cancel a payment that runs', async () => {
    const { id, code } = await checkout(service)
    await send(`/checkout/${code}`, { ...WALLET, phoneNumber: STAYS })
    assert.equal((await send(`/checkout/${code}`, { do: 'cancel' })).status, 303)
    assert.equal((await service.get(`/v2/checkouts/${id}`)).body.data.status, 'PROCESSING')
  })

  it('take amounts as the page writes them, and say what is wrong with others', async () => {
    const FREE = { amountDetails: undefined }
    const problemWith = async (amount: string, lang: string): Promise<string> => {
      const { token } = await page(service, FREE)
      const answer = await send(`/pay/${token}?lang=${lang}`, { ...WALLET, amount })
      return textOf(await answer.text()).replaceAll(/\s/g, ' ')
    }
    for (const amount of ['99999999999999999999999', '1000000000000000000', '20,001.00']) {
      assert.match(await problemWith(amount, 'en'), /between 1\.00 and 20,000\.00 ZMW/)
    }
    assert.match(
      await problemWith('15.555', 'en'),
      /MTN MoMo takes at most 2 decimals, between 1\.00 and 20/,
    )
    assert.match(
      await problemWith('15,5555', 'fr'),
      /MTN MoMo accepte au plus 2 décimales, entre 1,00 et 20/,
    )
    assert.match(await problemWith('1,500', 'en'), /in digits, like 1500 or 15\.50/)
    for (const [lang, amount] of [
      ['en', '1,500.50'],
      ['fr', '1\u202f500,50'],
    ] as const) {
      const { id, token } = await page(service, FREE)
      await send(`/pay/${token}?lang=${lang}`, { ...WALLET, amount })
      assert.equal((await service.reaches(id, 'COMPLETED')).amount, '1500.50')
    }
    // Of which provider the limits are is not known yet; what is missing is said.
    const { token } = await page(service, FREE)
    const open = { phoneNumber: PAYS, amount: '99999999999999999999999' }
    const text = textOf(await (await send(`/pay/${token}`, open)).text())
    assert.doesNotMatch(text, /between {2}and|must be between/)
  })

  it('are shown again as text, whatever was typed', async () => {
    const { token } = await page(service)
    const typed = '"><script>alert(1)</script>'
    const html = await (await send(`/pay/${token}`, { ...WALLET, phoneNumber: typed })).text()
    assert.ok(!html.includes(typed))
    assert.ok(html.includes('&quot;>&lt;script>'))
  })
})

describe('a wallet that the merchant suggests', () => {
  const TWO = {
    countries: ['ZMB', 'RWA'],
    amounts: [
      { country: 'ZMB', currency: 'ZMW', amount: '15' },
      { country: 'RWA', currency: 'RWF', amount: '1500' },
    ],
  }
  const suggested = async (accountDetails: object, changes: object = TWO): Promise<string> => {
    const payer = {
      type: 'MMO',
      accountDetails: { ...accountDetails, allowCustomerToOverride: true },
    }
    return `/checkout/${(await checkout(service, { ...changes, payer })).code}`
  }
  const read = async (path: string): Promise<string> => (await open(path)).text()

  it('begins the form in its country, and leaves the others to choose', async () => {
    for (const wallet of [{ provider: 'MTN_MOMO_ZMB' }, { phoneNumber: PAYS }]) {
      const path = await suggested(wallet)
      const begins = await read(path)
      assert.match(textOf(begins), /15\.00\sZMW/)
      assert.match(begins, /href="\?country="/)
      const other = await read(`${path}?country=RWA`)
      assert.match(textOf(other), /1,500\sRWF/)
      assert.doesNotMatch(other, /763456789|MTN_MOMO_ZMB/)
    }
    const provider = await read(await suggested({ provider: 'MTN_MOMO_ZMB' }))
    assert.match(provider, /value="MTN_MOMO_ZMB" checked/)
  })

  it('is not shown where it cannot pay', async () => {
    const [, amount] = TWO.amounts
    const rwanda = { countries: ['RWA'], amounts: [amount] }
    const html = await read(await suggested({ phoneNumber: PAYS }, rwanda))
    assert.match(html, /name="phoneNumber"/)
    assert.ok(!html.includes(PAYS.slice(3)))
  })
})

describe('a provider of one-time codes', () => {
  const BFA = { country: 'BFA', amountDetails: { amount: '2500', currency: 'XOF' } }
  const ORANGE = { phoneNumber: '22607345678', provider: 'ORANGE_BFA' }
  const CODES = {
    countries: ['BFA'],
    amounts: [{ country: 'BFA', currency: 'XOF', amount: '2500' }],
  }
  const words = PAY_WORDS.en

  it('processes the payment by itself: nobody is asked for a PIN', async () => {
    const phoneNumber = '22607345670'
    const steps = [{ afterSeconds: 0, answer: 'pending' }]
    await service.put(`/sandbox/phones/${phoneNumber}`, { mode: 'auto', script: steps })
    const { id, token } = await page(service, BFA)
    await send(`/pay/${token}`, { ...ORANGE, phoneNumber, preAuthorisationCode: '483920' })
    await service.reaches(id, 'PROCESSING')
    for (const seconds of [0, 95]) {
      await service.advance(seconds)
      const html = await (await open(`/pay/${token}`)).text()
      assert.match(html, new RegExp(`<title>${words.processHeading}</title>`))
      const text = textOf(html)
      assert.ok(text.includes(words.processHeading) && text.includes('+226 07 *** *670'), text)
      assert.doesNotMatch(text.replace(words.neverPin, ''), /PIN|Approve/)
    }
  })

  it('says of a wrong code that it is one, also where the payment is over', async () => {
    const { id, token } = await page(service, BFA)
    await send(`/pay/${token}`, { ...ORANGE, preAuthorisationCode: '000000' })
    await service.reaches(id, 'FAILED')
    const text = textOf(await (await open(`/pay/${token}`)).text())
    assert.ok(text.includes(words.failCode.replace('{name}', 'Demo Merchant')), text)
    assert.ok(!text.includes(words.failNotApproved))
  })

  it('lets the customer leave before the code is sent', async () => {
    const { id, token } = await page(service, BFA)
    const onPage = await (await send(`/pay/${token}`, ORANGE)).text()
    assert.ok(textOf(onPage).includes(words.codeHeading))
    assert.ok(onPage.includes(`href="https://shop.example/thanks?order=7&amp;depositId=${id}#top"`))
    const one = await checkout(service, CODES)
    const onCheckout = await (await send(`/checkout/${one.code}`, ORANGE)).text()
    assert.match(onCheckout, /<button[^>]*value="cancel"/)
  })

  it('keeps a typed code in the other language, and drops one that was sent', async () => {
    const { token } = await page(service, BFA)
    const typed = { ...ORANGE, preAuthorisationCode: '48' }
    const other = await (await send(`/pay/${token}?lang=fr`, { ...typed, do: 'language' })).text()
    assert.ok(textOf(other).includes(PAY_WORDS.fr.codeHeading))
    assert.match(other, /name="preAuthorisationCode"[^>]*value="48"/)
    const tooLong = { ...ORANGE, preAuthorisationCode: '48'.repeat(20) }
    const refused = await (await send(`/pay/${token}`, { ...tooLong, do: 'pay' })).text()
    assert.ok(!refused.includes('4848'))
  })
})

describe('the number of a failed attempt', () => {
  const CODES = {
    countries: ['BFA'],
    amounts: [{ country: 'BFA', currency: 'XOF', amount: '2500' }],
  }
  const FULL = /(?:763456039|07345678)(?!\d)/
  const digitsIn = (html: string): string => html.replaceAll(/(\d)\s(?=\d)/g, '$1')

  /** Pays with a number that fails; answers the link, and what the browser was given to keep. */
  async function failed(fields: Record<string, string>, changes = {}) {
    const { id, code } = await checkout(service, changes)
    const path = `/checkout/${code}`
    const answer = await send(path, fields)
    assert.equal(answer.status, 303)
    await eventually(async () => {
      assert.equal((await recordOf(service, id)).depositStatus, 'FAILED')
    })
    const given = answer.headers.get('set-cookie') ?? ''
    return { path, given, cookie: given.split(';')[0] ?? '' }
  }

  it('is in the form again for the browser that sent it, and for no other', async () => {
    const one = await failed({ ...WALLET, phoneNumber: FAILS })
    const other = await failed({ ...WALLET, phoneNumber: FAILS })
    const again = `${one.path}?again=1`
    const own = await (await open(again, { cookie: `lang=en; ${one.cookie}` })).text()
    assert.match(own, /name="phoneNumber"[^>]*value="763456039"/)
    for (const cookie of ['', other.cookie, `${one.cookie}A`, 'payer=']) {
      const html = await (await open(again, { cookie })).text()
      assert.doesNotMatch(digitsIn(html), FULL, cookie)
      assert.match(html, /value="MTN_MOMO_ZMB" checked/)
    }
    assert.doesNotMatch(one.given, FULL)
    assert.match(one.given, /^payer=[\w-]+; Path=\/checkout\/\w+; Max-Age=3600; HttpOnly; /)
    assert.match(one.given, /; SameSite=Lax$/)
  })

  it('goes along with a new one-time code only in the browser that sent it', async () => {
    const wrong = { provider: 'ORANGE_BFA', preAuthorisationCode: '000000' }
    const { path, cookie } = await failed({ ...wrong, phoneNumber: '07345678' }, CODES)
    const own = await (await open(path, { cookie })).text()
    assert.match(own, /type="hidden" name="phoneNumber"/)
    assert.ok(textOf(own).includes(PAY_WORDS.en.codeWrong))
    const html = await (await open(path)).text()
    assert.doesNotMatch(digitsIn(html), FULL)
    const text = textOf(html)
    assert.ok(text.includes(PAY_WORDS.en.codeWrong) && text.includes(PAY_WORDS.en.tryAgain), text)
  })

  it('is masked where the merchant fixed it', async () => {
    const accountDetails = { phoneNumber: FAILS, allowCustomerToOverride: false }
    const { path, cookie } = await failed(WALLET, { payer: { type: 'MMO', accountDetails } })
    const html = await (await open(`${path}?again=1`, { cookie })).text()
    assert.doesNotMatch(digitsIn(html), FULL)
    assert.ok(html.includes('+260 76 *** *039'))
  })
})

describe('pages', () => {
  it('keep to the strictest rules a browser knows', async () => {
    const { token } = await page(service)
    const { headers } = await open(`/pay/${token}`)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(
      policy,
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; /,
    )
    for (const rule of ["connect-src 'self'", "form-action 'self'", "frame-ancestors 'none'"]) {
      assert.ok(policy.includes(rule), rule)
    }
    assert.ok(policy.includes("base-uri 'none'") && policy.includes("img-src 'self' data:"))
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('x-robots-tag'), 'noindex')
    assert.equal(headers.get('content-encoding'), 'gzip')
  })

  it('unknown links are 404 and name no merchant', async () => {
    for (const path of ['/pay/nobody', '/checkout/nobody', '/pay/%0d%0aset-cookie:x?lang=fr']) {
      const answer = await open(path)
      assert.equal(answer.status, 404, path)
      assert.ok(!(await answer.text()).includes('Demo Merchant'))
    }
  })

  it('of links that were cut or damaged are for people too, and repeat nothing of them', async () => {
    const { token } = await page(service)
    const damaged = [
      '/pay',
      '/pay/',
      '/checkout',
      '//checkout//',
      `/pay/${token}/zzz`,
      `/pay/${token}/provider`,
      '/pay/%ff',
      `/pay/${'x'.repeat(5000)}`,
    ]
    for (const [at, path] of damaged.entries()) {
      for (const lang of ['en', 'fr'] as const) {
        const answer = await open(`${path}?lang=${lang}`)
        assert.equal(answer.status, 404, path)
        const html = await answer.text()
        assert.ok(html.includes(PAY_WORDS[lang].unknownHeading), path)
        assert.ok(!html.includes(token) && !html.includes('xxxx'), `${at}`)
        assert.equal(answer.headers.get('cache-control'), 'no-store')
        assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
      }
    }
    assert.equal((await open('/payments')).headers.get('content-type'), 'application/json')
    const large = { ...WALLET, amount: 'x'.repeat(2_000_000) }
    const answer = await send(`/pay/${token}`, large, { 'accept-language': 'fr' })
    assert.equal(answer.status, 413)
    const html = await answer.text()
    assert.ok(html.includes(PAY_WORDS.fr.oversize) && !html.includes('xxxx'), html)
  })

  it('show what is paid, for what and until when, before a country is chosen', async () => {
    const text = async (path: string): Promise<string> =>
      textOf(await (await open(`${path}?lang=en`)).text()).replaceAll(/\s/g, ' ')
    const everywhere = { country: undefined, reason: 'Ticket to the match' }
    const francs = { amountDetails: { amount: '2500', currency: 'XOF' } }
    const one = await page(service, { ...everywhere, ...francs })
    const same = await text(`/pay/${one.token}`)
    assert.match(same, /Where is your mobile money account\?/)
    assert.equal(same.match(/2,500 XOF/g)?.length, 1, same)
    assert.match(same, /Ticket to the match.*Time left to pay: 15 min/)
    const { code } = await checkout(service, {
      countries: ['ZMB', 'COD'],
      amounts: [
        { country: 'ZMB', currency: 'ZMW', amount: '15' },
        { country: 'COD', currency: 'CDF', amount: '2000' },
        { country: 'COD', currency: 'USD', amount: '2' },
      ],
      reason: { en: 'Order 12345' },
    })
    const each = await text(`/checkout/${code}`)
    assert.match(each, /Zambia: 15\.00 ZMW/)
    assert.match(each, /Congo[^:]*: 2,000 CDF or 2\.00 USD/)
    assert.match(each, /Order 12345.*Time left to pay: 15 min/)
    const free = await page(service, { ...everywhere, amountDetails: undefined })
    assert.match(await text(`/pay/${free.token}`), /Ticket to the match.*Time left to pay: 15 min/)
  })

  it('can be cancelled before a country is chosen', async () => {
    const { id, code } = await checkout(service, { countries: undefined, amounts: undefined })
    const html = await (await open(`/checkout/${code}`)).text()
    assert.match(html, /<form method="post"[^>]*><button[^>]*value="cancel"/)
    assert.equal((await send(`/checkout/${code}`, { do: 'cancel' })).status, 303)
    assert.equal((await recordOf(service, id)).status, 'CANCELLED')
  })

  it('hold a request until there is something new to show', async () => {
    const number = '260763459998'
    const steps = [
      { afterSeconds: 0, answer: 'pending' },
      { afterSeconds: 60, answer: 'done' },
    ]
    await service.put(`/sandbox/phones/${number}`, { mode: 'auto', script: steps })
    const { id, token } = await page(service)
    await send(`/pay/${token}`, { ...WALLET, phoneNumber: number })
    await reachesOperator(service, id)
    const state = async (query: string) => (await open(`/pay/${token}/status${query}`)).json()
    const { mark, isOver } = await state('')
    assert.deepEqual([mark, isOver], ['PROCESSING-waiting', false])
    const held = state(`?wait=25&v=${mark}`)
    await service.advance(60)
    assert.equal((await held).isOver, true)
    assert.equal((await state(`?wait=25&v=${mark}`)).mark, 'COMPLETED-paid')
  })

  it('ask again at once after a change, and later if the request was not held', async () => {
    const { id, token } = await page(service)
    await send(`/pay/${token}`, { ...WALLET, phoneNumber: STAYS })
    await service.reaches(id, 'PROCESSING')
    const state = async (query: string) => (await open(`/pay/${token}/status${query}`)).json()
    // A look that took long is followed by a shorter pause.
    const { mark } = await eventually(async () => {
      const now = await state('')
      assert.equal(now.pause, 5)
      return now
    })
    const next = await state('?wait=25&v=PROCESSING-slow')
    assert.deepEqual([next.mark, next.isOver], [mark, false])
    assert.ok(next.pause < 1, `${next.pause}`)
  })

  it('say the merchant’s language, unless the customer chose another', async () => {
    const { token } = await page(service, { language: 'FR' })
    const lang = async (path: string, headers = {}) =>
      /<html lang="(\w+)"/.exec(await (await open(path, headers)).text())?.[1]
    assert.equal(await lang(`/pay/${token}`, { 'accept-language': 'en' }), 'fr')
    assert.equal(await lang(`/pay/${token}`, { cookie: 'lang=en' }), 'en')
    assert.equal(await lang(`/pay/${token}?lang=en`), 'en')
    const plain = await page(service)
    assert.equal(await lang(`/pay/${plain.token}`, { 'accept-language': 'fr-SN,fr' }), 'fr')
    assert.equal(await lang(`/pay/${plain.token}`, { 'accept-language': 'sw' }), 'en')
  })

  it('hold nothing of the merchant’s metadata', async () => {
    const body = pageBody({ metadata: [{ orderId: 'ORD-1' }], customerMessage: 'Receipt text' })
    const { body: answer } = await service.post('/v2/paymentpage', body)
    const html = await (await fetch(answer.redirectUrl)).text()
    assert.ok(!html.includes('ORD-1') && !html.includes(service.token))
  })
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { checkout, checkoutReaches, form } from '../../../harness/hosted.ts'
import { reachesOperator } from '../../../harness/operator.ts'
import { payoutBody } from '../../../harness/payouts.ts'
import { phoneOf, takenPhone } from '../../../harness/phones.ts'
import { startReceiver } from '../../../harness/receiver.ts'
import { cookieOf, visitorOf } from '../../../harness/sandbox-page.ts'
import { eventually } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { CALLBACK_KINDS } from '../../../src/domain/accounts/merchant.ts'
import { SANDBOX_WORDS } from '../../../src/web/sandbox/words.ts'
import { fill } from '../../../src/web/words.ts'

const FIRST = '260761234567'

/** `/sandbox` without a browser: what its pages say, and what their forms do. */
const service = await shareService('moving clock')
after(service.stop)
const visitor = await visitorOf(service)

/** A number that nobody has used yet, of MTN in Zambia. */
let used = 0
const fresh = (): string => {
  used += 1
  return `2607622${String(used).padStart(5, '0')}`
}

it('a payment request names its reference and the provider as customers know it', async () => {
  const phone = await takenPhone(service, fresh())
  await phone.pays({ customerMessage: 'Order 1042' })
  await phone.prompt()
  const page = await visitor.text(`/sandbox?phone=${phone.number}&lang=en`)
  assert.match(page, /\nReference: Order 1042\nMTN MoMo\. Waits until/)
  const french = await visitor.text(`/sandbox?phone=${phone.number}&lang=fr&tab=wallet`)
  assert.match(french, /\nRéférence\u00a0: Order 1042\nMTN MoMo\. Attend/)
  assert.doesNotMatch(
    french.slice(french.indexOf('Référence'), french.indexOf('*115#')),
    /MTN_MOMO/,
  )
})

describe('the list of test numbers has selected', () => {
  const selected = async (query: string) =>
    /<option selected value="(\d+)"|<option value="(\d+)" selected/
      .exec((await visitor.html(`/sandbox?lang=en${query}`)).split('id="listed"')[1] ?? '')
      ?.slice(1)
      .find((one) => one !== undefined)

  it('the number to take first, not that of the examples', async () => {
    assert.equal(await selected(''), FIRST)
    assert.equal(await selected('&phone=254713456789&operator=MTN_MOMO_ZMB'), FIRST)
  })

  it('the number in hand, also where no table has it', async () => {
    const number = fresh()
    assert.equal(await selected(`&phone=${number}`), number)
    assert.equal(await selected('&phone=260763456789'), '260763456789')
  })
})

describe('a number that is none, whatever characters it has, leads back to the page:', () => {
  const ACTS = {
    approve: { pin: '1234' },
    decline: { do: 'approve', refuse: 'yes' },
    dial: { code: '*115#' },
    take: {},
    auto: {},
    preset: { preset: 'instant' },
  }
  for (const [name, fields] of Object.entries(ACTS)) {
    it(name, async () => {
      const answer = await fetch(`${service.url}/sandbox/acts`, {
        method: 'POST',
        headers: { cookie: await cookieOf(service) },
        body: new URLSearchParams({ do: name, number: '2607634\u0000', ...fields }),
        redirect: 'manual',
      })
      assert.equal(answer.status, 303, await answer.text())
    })
  }
})

describe('a payment that waits off the screen', () => {
  it('is named with the code that brings it back, in both languages', async () => {
    const phone = await takenPhone(service, fresh())
    const depositId = await phone.pays()
    const { payee } = await phone.prompt()
    assert.equal((await phone.look()).offScreen, undefined)
    await service.advance(61)
    const { prompts, offScreen } = await phone.look()
    assert.deepEqual(prompts, [])
    assert.deepEqual([offScreen.depositId, offScreen.codes], [depositId, ['*115#']])
    const page = await visitor.text(`/sandbox?phone=${phone.number}&lang=en`)
    assert.ok(
      page.includes(`to ${payee} is waiting but not on the screen: dial *115# to see it.`),
      page,
    )
    assert.ok(!page.includes(SANDBOX_WORDS.en.nothing))
    const french = await visitor.text(`/sandbox?phone=${phone.number}&lang=fr`)
    assert.match(
      french,
      /attend, mais n’est pas à l’écran\u00a0: composez le \*115# pour l’afficher\./,
    )
    assert.ok(!french.includes(SANDBOX_WORDS.fr.nothing))
    await phone.act({ action: 'dial', code: '*115#' })
    const revived = await phone.look()
    assert.deepEqual([revived.prompts.length, revived.offScreen], [1, undefined])
    await phone.act({ action: 'decline' })
    await service.reaches(depositId, 'FAILED')
    const after = await phone.look()
    assert.equal(after.offScreen, undefined)
  })

  it('is named also where the provider shows nothing until it is dialled', async () => {
    const phone = await takenPhone(service, '22602345002', 'MOOV_BFA')
    await reachesOperator(service, await phone.pays({ amount: '100', currency: 'XOF' }))
    assert.match(await visitor.text(`/sandbox?phone=${phone.number}&lang=en`), /dial \*555\*6# to/)
  })
})

describe('the shop says how its number answers now', () => {
  const phone = phoneOf(service, FIRST)
  const says = async (key: 'shopHint' | 'shopHintTaken' | 'shopHintScripted') => {
    for (const lang of ['en', 'fr'] as const) {
      const page = await visitor.text(`/sandbox/shop?lang=${lang}`)
      assert.ok(page.includes(fill(SANDBOX_WORDS[lang][key], { number: FIRST })), page)
    }
    return visitor.html('/sandbox/shop?lang=en')
  }

  it('by itself, and offers to take it', async () => {
    assert.match(await says('shopHint'), /name="do" value="take"/)
  })

  it('on the phone when it is taken, and leads there', async () => {
    await phone.set({ mode: 'interactive' })
    const html = await says('shopHintTaken')
    assert.ok(html.includes(`href="/sandbox?lang=en&amp;phone=${FIRST}"`), html)
    assert.doesNotMatch(html, /name="do" value="take"/)
  })

  it('by what was chosen for it', async () => {
    await phone.set({ script: [{ afterSeconds: 0, answer: 'failed' }] })
    assert.match(await says('shopHintScripted'), /name="do" value="take"/)
    await phone.set({})
    await says('shopHint')
  })
})

it('the shop leads back to a checkout that is not over', async () => {
  const { id, code } = await checkout(service)
  const back = (lang: 'en' | 'fr') =>
    visitor.html(`/sandbox/shop/back?lang=${lang}&checkoutId=${id}&checkoutCode=forged`)
  for (const lang of ['en', 'fr'] as const) {
    const html = await back(lang)
    assert.ok(html.includes(SANDBOX_WORDS[lang].stillOpen), html)
    const link = `<a href="/checkout/${code}?lang=${lang}">${SANDBOX_WORDS[lang].goOnPaying}</a>`
    assert.ok(html.includes(link), html)
  }
  await service.node.hosted.cancelCheckout(code)
  const html = await back('en')
  assert.ok(html.includes(SANDBOX_WORDS.en.notPaid) && !html.includes('/checkout/'), html)
})

it('the shop leads on to the last checkout that was started there, while it is open', async () => {
  const session = await cookieOf(service)
  const shop = async (cookie: string, lang = 'en') =>
    (await fetch(`${service.url}/sandbox/shop?lang=${lang}`, { headers: { cookie } })).text()
  const { headers } = await fetch(`${service.url}/sandbox/shop?lang=en`, {
    method: 'POST',
    headers: { cookie: session },
    body: new URLSearchParams({ by: 'checkout' }),
    redirect: 'manual',
  })
  const link = headers.get('location') ?? ''
  const [order = ''] = (headers.get('set-cookie') ?? '').split(';')
  const kept = `${session}; ${order}`
  for (const lang of ['en', 'fr'] as const) {
    const { goOnPaying, shopOrder } = SANDBOX_WORDS[lang]
    const html = await shop(kept, lang)
    assert.ok(html.includes(`<a href="${link}?lang=${lang}">${goOnPaying}</a>`), html)
    assert.ok(html.includes(shopOrder), html)
  }
  assert.doesNotMatch(await shop(session), /\/checkout\//)
  const [, id = ''] = order.split('=')
  await service.node.hosted.payOnCheckout(link.replace('/checkout/', ''), form())
  await checkoutReaches(service, id, 'COMPLETED')
  assert.doesNotMatch(await shop(kept), /\/checkout\//)
  // One way of writing money, in the shop and after it.
  const back = await visitor.text(`/sandbox/shop/back?lang=en&checkoutId=${id}`)
  assert.match(back, /\n15\.00\sZMW\n/)
})

describe('the card of callbacks', () => {
  const page = (lang = 'en') => visitor.text(`/sandbox?lang=${lang}&panel=callbacks`)

  it('says what is wrong with an address, as the API does, and keeps it', async () => {
    assert.ok((await page()).includes(SANDBOX_WORDS.en.callbacksNone))
    const { body } = await service.put('/sandbox/callbacks', { deposit: 'ftp://a.example' })
    const shown = await visitor.act({ do: 'callbacks', url: 'ftp://a.example' })
    const [, problem = ''] = /^The address was not saved\. (.+)\.$/m.exec(shown) ?? []
    assert.match(problem, /^The URL/)
    const asPart = `is not valid: ${problem.replace('The', 'the')}.`
    assert.ok(JSON.stringify(body).includes(asPart), `${shown} ${problem}`)
    assert.ok((await page()).includes(SANDBOX_WORDS.en.callbacksNone))
  })

  it('offers an address for all kinds only where all have the same', async () => {
    const field = async () =>
      /<input id="callback-url"[^>]*>/.exec(await visitor.html('/sandbox?panel=callbacks'))?.[0]
    const url = 'http://127.0.0.1:9/deposits'
    await service.put('/sandbox/callbacks', { deposit: url, payout: 'http://127.0.0.1:9/payouts' })
    assert.doesNotMatch(String(await field()), /127\.0\.0\.1/)
    await visitor.act({ do: 'callbacks', url })
    assert.ok(String(await field()).includes(`value="${url}"`))
    await visitor.act({ do: 'callbacks', remove: 'yes' })
  })

  it('sets one address for all kinds, shows the deliveries, and removes it', async () => {
    const receiver = await startReceiver()
    assert.match(
      await visitor.act({ do: 'callbacks', url: receiver.url }, 'fr'),
      new RegExp(SANDBOX_WORDS.fr.flash_CALLBACKS_SET),
    )
    assert.equal((await page()).split(`\n${receiver.url}\n`).length - 1, CALLBACK_KINDS.length)
    const earlier = await checkout(service)
    const { id } = await service.deposit()
    await eventually(async () => {
      const seen = await page()
      const line = `deposit COMPLETED: delivered${id}\n.+ UTC, HTTP 200\n`
      assert.match(seen, new RegExp(line))
    })
    await service.node.hosted.cancelCheckout(earlier.code)
    await eventually(async () =>
      assert.match(await page(), /checkout CANCELLED: delivered.*deposit COMPLETED: delivered/s),
    )
    await service.put('/sandbox/receiver', { fails: true })
    const payout = payoutBody()
    await service.post('/v2/payouts', payout)
    const failed = await eventually(async () => {
      const seen = await page()
      assert.match(
        seen,
        new RegExp(`payout COMPLETED: will be retried${payout.payoutId}\n.+, HTTP 500\n`),
      )
      return seen
    })
    assert.ok(failed.indexOf('payout COMPLETED') < failed.indexOf('deposit COMPLETED'))
    assert.match(await page('fr'), /payout COMPLETED: nouvel essai prévu/)
    for (let count = 0; count < 12; count += 1) await service.deposit()
    await eventually(async () => {
      const shown = (await page()).match(/\n(?:deposit|payout) COMPLETED: /g) ?? []
      assert.equal(shown.length, 10)
    })
    await service.put('/sandbox/receiver', { fails: false })
    await visitor.act({ do: 'callbacks', remove: 'yes' })
    assert.ok((await page()).includes(SANDBOX_WORDS.en.callbacksNone))
    await receiver.close()
  })
})

it('the operator tab names providers and writes money as people do', async () => {
  const page = (lang: string) => visitor.text(`/sandbox?lang=${lang}&panel=operator`)
  const closed = { provider: 'MTN_MOMO_ZMB', operation: 'DEPOSIT', status: 'CLOSED' }
  const closing = await visitor.act({ do: 'availability', ...closed })
  assert.match(closing, /\nMTN MoMo, Zambia, DEPOSIT: CLOSED\.\n/)
  assert.match(
    await visitor.act({ do: 'wallet', wallet: 'ZMB ZMW', balance: '1001000' }, 'fr'),
    /\nLe portefeuille contient maintenant 1\u202f001\u202f000,00\u00a0ZMW\.\n/,
  )
  const english = await page('en')
  assert.match(english, /\nMTN MoMo, Zambia, DEPOSIT: CLOSED\n/)
  assert.match(english, /\nZambia: 1,001,000\.00\u00a0ZMW\n/)
  assert.match(english, /\nBack to 1,000,000\.00\u00a0ZMW Zambia\n/)
  const french = await page('fr')
  assert.match(french, /\nMTN MoMo, Zambie, DEPOSIT\s: CLOSED\n/)
  assert.match(french, /\nZambie\s: 1\u202f001\u202f000,00\u00a0ZMW\n/)
  for (const text of [closing, english, french])
    assert.doesNotMatch(text, /[A-Z]_[A-Z]{3}\b|\b\d{7}\b/)
  await visitor.act({ do: 'availability', ...closed, status: 'OPERATIONAL' })
  await visitor.act({ do: 'wallet', wallet: 'ZMB ZMW', balance: '1000000' })
})

type Listed = { phoneNumber: string; v2Status: string; v2FailureCode?: string | null }

it('the table of numbers has each one of the catalogue with how it ends', async () => {
  const page = await visitor.text('/sandbox/numbers?lang=en')
  for (const { provider, testNumbers } of JSON.parse(
    readFileSync('catalog/providers.json', 'utf8'),
  )) {
    const rows = page.slice(page.indexOf(` ${provider}\n`))
    const endIn = (column: number, number: string): string | undefined =>
      rows.slice(rows.indexOf(`\n${number}\n`)).split('\n')[column]
    for (const [column, operation] of [
      [2, 'DEPOSIT'],
      [3, 'PAYOUT'],
    ] as const) {
      for (const { phoneNumber, v2Status, v2FailureCode } of (testNumbers[operation] ??
        []) as Listed[]) {
        const failed = v2FailureCode ?? 'UNSPECIFIED_FAILURE'
        const ends = { COMPLETED: 'COMPLETED', PROCESSING: 'stays PROCESSING', FAILED: failed }
        assert.equal(endIn(column, phoneNumber), ends[v2Status as keyof typeof ends], phoneNumber)
      }
    }
  }
  assert.match(page, /\n049\nINSUFFICIENT_BALANCE\nCOMPLETED\n/)
  assert.match(await visitor.text('/sandbox/numbers?lang=fr'), /\n129\nreste PROCESSING\n/)
})

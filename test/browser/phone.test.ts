import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { startBrowser, VIEWPORTS } from '../../harness/browser.ts'
import { reachesOperator } from '../../harness/operator.ts'
import { failureCodeOf, phoneOf } from '../../harness/phones.ts'
import { cookieOf } from '../../harness/sandbox-page.ts'
import { eventually, startService } from '../../harness/service.ts'
import { PRESET_NAMES, type PresetName } from '../../src/usecases/sandbox/phone-presets.ts'
import { SANDBOX_WORDS } from '../../src/web/sandbox/words.ts'
import { violations } from '../support/accessibility.ts'
import { WALKED, walk } from '../support/keyboard.ts'

/** The developer's side of the sandbox: S-1 to S-7. */
const NUMBER = '260763456789'
const words = SANDBOX_WORDS.en

// biome-ignore lint/suspicious/noExplicitAny: runs inside the page
type Inside = any

const service = await startService()
const browser = await startBrowser()
after(async () => {
  await browser.close()
  await service.stop()
})

const PRESET_FAILURES: Partial<Record<PresetName, string>> = {
  declines: 'PAYMENT_NOT_APPROVED',
  poor: 'INSUFFICIENT_BALANCE',
  limit: 'PAYER_LIMIT_REACHED',
  stranger: 'PAYER_NOT_FOUND',
  busy: 'PAYMENT_IN_PROGRESS',
  trouble: 'UNSPECIFIED_FAILURE',
}

type Developer = { readonly context: BrowserContext; readonly tab: Page }

async function developer(hasScript = true, lang: 'en' | 'fr' = 'en'): Promise<Developer> {
  const context = await browser.newContext({
    viewport: VIEWPORTS.desktop,
    locale: lang === 'en' ? 'en-GB' : 'fr-FR',
    javaScriptEnabled: hasScript,
  })
  const tab = await context.newPage()
  tab.setDefaultTimeout(60_000)
  return { context, tab }
}

async function signIn({ tab }: Developer, lang: 'en' | 'fr' = 'en'): Promise<void> {
  await tab.goto(`${service.url}/sandbox?lang=${lang}`)
  await tab.locator('#token').fill(service.token)
  await press(tab, SANDBOX_WORDS[lang].signIn)
  await heading(tab, SANDBOX_WORDS[lang].heading)
}

const heading = (tab: Page, name: string): Promise<void> =>
  tab.getByRole('heading', { level: 1, name, exact: true }).waitFor()

const press = async (tab: Page, name: string): Promise<void> => {
  const button = tab.locator('main').getByRole('button', { name, exact: true }).first()
  await Promise.all([tab.waitForEvent('load'), button.click()])
}

/** A number of its own for each test; from here on no ending decides anything. */
let last = 260763450200
const freshNumber = (): string => {
  last += 1
  return String(last)
}

async function take(tab: Page, number: string): Promise<void> {
  await tab.locator('#typed').fill(number)
  await press(tab, words.take)
  await tab.getByText(words.flash_TAKEN).waitFor()
}

/** With script the handset changes by itself; without, somebody looks again. */
async function seesPrompt(tab: Page, hasScript: boolean): Promise<void> {
  if (hasScript) return tab.locator('#pin').waitFor()
  await eventually(async () => {
    const link = tab.getByRole('link', { name: words.lookAgain })
    await Promise.all([tab.waitForEvent('load'), link.click()])
    assert.equal(await tab.locator('#pin').count(), 1)
  })
}

async function seesMessage(tab: Page, text: string, hasScript: boolean): Promise<void> {
  const message = tab.locator('.messages').getByText(text)
  if (hasScript) return message.first().waitFor()
  await eventually(async () => {
    await tab.reload()
    assert.ok((await message.count()) > 0)
  })
}

describe('the door', () => {
  it('opens with the API token, and stays open', async () => {
    const one = await developer()
    await signIn(one)
    const [session] = (await one.context.cookies(`${service.url}/sandbox`)).filter(
      ({ name }) => name === 'malipo_sandbox',
    )
    assert.equal(session?.httpOnly, true)
    assert.equal(session?.sameSite, 'Strict')
    await one.tab.goto(`${service.url}/sandbox`)
    await heading(one.tab, words.heading)
    await press(one.tab, words.signOut)
    await heading(one.tab, words.signInHeading)
    await one.context.close()
  })

  it('leads on to the shop where the way was to', async () => {
    const { tab, context } = await developer()
    await tab.goto(`${service.url}/sandbox/shop`)
    await tab.locator('#token').fill(service.token)
    await press(tab, words.signIn)
    await heading(tab, words.shopHeading)
    await context.close()
  })

  it('says what is wrong with a token, and does not repeat it', async () => {
    const { tab, context } = await developer()
    await tab.goto(`${service.url}/sandbox`)
    await tab.locator('#token').fill('mlp_sbx_not-a-token-of-this-service')
    await press(tab, words.signIn)
    await tab.getByText(words.tokenWrong).waitFor()
    assert.ok((await tab.title()).startsWith('Error: '))
    assert.ok(!(await tab.content()).includes('not-a-token-of-this-service'))
    await press(tab, words.signIn)
    await tab.getByText(words.tokenMissing).waitFor()
    await context.close()
  })

  it('opens once with the link of the start', async () => {
    const { sandboxLink = '' } = service.node
    const both = await Promise.all([1, 2].map(() => fetch(sandboxLink, { redirect: 'manual' })))
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [303, 401])
    const cookies = both.map(({ headers }) => headers.get('set-cookie') ?? '')
    assert.match(
      cookies.join(''),
      /^malipo_sandbox=\S+; Path=\/sandbox; Max-Age=86400; HttpOnly; SameSite=Strict$/,
    )
  })

  it('lets no forged session in, nor one of a token that was revoked', async () => {
    const look = async (cookie: string) =>
      (await fetch(`${service.url}/sandbox/live/${NUMBER}`, { headers: { cookie } })).status
    const cookie = await cookieOf(service)
    assert.equal(await look(cookie), 200)
    assert.equal(await look(`${cookie.slice(0, -2)}AA`), 401)
    assert.equal(await look('malipo_sandbox=1.x.y'), 401)
    const revoke = (at: string) =>
      service.database.query(`update api_tokens set revoked_at = ${at}`)
    await revoke('now()')
    assert.equal(await look(cookie), 401)
    await revoke('null')
  })

  it('does nothing for a form of another site', async () => {
    const one = await developer()
    await signIn(one)
    const cookies = await one.context.cookies(`${service.url}/sandbox`)
    const number = freshNumber()
    await fetch(`${service.url}/sandbox/acts`, {
      method: 'POST',
      headers: {
        origin: 'https://elsewhere.example',
        cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      },
      body: new URLSearchParams({ do: 'take', number }),
      redirect: 'manual',
    })
    assert.equal((await phoneOf(service, number).look()).mode, 'auto')
    await one.context.close()
  })
})

for (const hasScript of [true, false]) {
  describe(`the phone, ${hasScript ? 'with script' : 'without script'}`, () => {
    it('shows a payment; approved, it completes, and the receipt has its transaction id', async () => {
      const one = await developer(hasScript)
      await signIn(one)
      const number = freshNumber()
      await take(one.tab, number)
      await one.tab.getByText(words.nothing).waitFor()
      const id = await phoneOf(service, number).pays({ amount: '27' })
      await seesPrompt(one.tab, hasScript)
      assert.match(await one.tab.locator('.ask').innerText(), /27\.00\sZMW to Demo Merchant/)
      await one.tab.locator('#pin').fill('1234')
      await press(one.tab, words.approve)
      await one.tab.getByText(words.flash_APPROVED).waitFor()
      const { providerTransactionId } = await service.reaches(id, 'COMPLETED')
      await seesMessage(one.tab, `Transaction ${providerTransactionId}.`, hasScript)
      await one.context.close()
    })

    it('refuses a payment', async () => {
      const one = await developer(hasScript)
      await signIn(one)
      const number = freshNumber()
      await take(one.tab, number)
      const id = await phoneOf(service, number).pays()
      await seesPrompt(one.tab, hasScript)
      await press(one.tab, words.refuse)
      const { failureReason } = await service.reaches(id, 'FAILED')
      assert.equal((failureReason as Inside).failureCode, 'PAYMENT_NOT_APPROVED')
      await seesMessage(one.tab, 'was not made', hasScript)
      await one.context.close()
    })

    it('wants a PIN, counts wrong ones, and declines after three', async () => {
      const one = await developer(hasScript)
      await signIn(one)
      const number = freshNumber()
      await take(one.tab, number)
      const id = await phoneOf(service, number).pays()
      await seesPrompt(one.tab, hasScript)
      await press(one.tab, words.approve)
      await one.tab.getByText(words.flash_PIN_MISSING).waitFor()
      for (const left of ['2', '1']) {
        await one.tab.locator('#pin').fill('0000')
        await press(one.tab, words.approve)
        await one.tab.getByText(words.flash_WRONG_PIN.replace('{left}', left)).waitFor()
        assert.ok((await one.tab.title()).startsWith('Error: '))
      }
      await one.tab.locator('#pin').fill('0000')
      await press(one.tab, words.approve)
      await service.reaches(id, 'FAILED')
      await one.context.close()
    })

    it('buys in the shop by Payment Page and by Checkout, with the phone beside', async () => {
      for (const way of [words.byPage, words.byCheckout]) {
        const one = await developer(hasScript)
        await signIn(one)
        await one.tab.goto(`${service.url}/sandbox/shop?lang=en`)
        const number = freshNumber()
        const phone = await one.context.newPage()
        await phone.goto(`${service.url}/sandbox?lang=en`)
        await take(phone, number)
        await press(one.tab, way)
        await one.tab.locator('[name=phoneNumber]').fill(number.slice(3))
        await one.tab.locator('[name=provider][value=MTN_MOMO_ZMB]').check()
        await one.tab.locator('button[value=pay]').click()
        await seesPrompt(phone, hasScript)
        await phone.locator('#pin').fill('1234')
        await press(phone, words.approve)
        // A tab behind another draws no frames on some machines, and a click waits for two.
        await one.tab.bringToFront()
        await eventually(async () => {
          const link = one.tab.getByRole('link', { name: /Return to|Look again|Check again/ })
          if (!one.tab.url().includes('/sandbox/shop/back')) {
            await link.first().click({ timeout: 5000 })
          }
          assert.ok(one.tab.url().includes('/sandbox/shop/back'), one.tab.url())
        }, 120_000)
        await one.tab.getByText(words.paid).waitFor()
        await one.tab.locator('main').getByText('COMPLETED').first().waitFor()
        await one.context.close()
      }
    })
  })
}

describe('what the operator and the world do', () => {
  it('every preset decides how the next payment ends', async () => {
    const session = await cookieOf(service)
    const cases = () => service.database.query("select from cases where cause = 'CONTRADICTION'")
    const pays = async (preset: PresetName) => {
      const number = freshNumber()
      await fetch(`${service.url}/sandbox/acts`, {
        method: 'POST',
        headers: { cookie: session },
        body: new URLSearchParams({ do: 'preset', preset, number }),
        redirect: 'manual',
      })
      return phoneOf(service, number).pays()
    }
    const ids = new Map<PresetName, string>()
    for (const name of PRESET_NAMES) ids.set(name, await pays(name))
    const ends = async (name: PresetName, status: string) =>
      failureCodeOf(await service.reaches(ids.get(name) ?? '', status))
    for (const [name, code] of Object.entries(PRESET_FAILURES)) {
      assert.equal(await ends(name as PresetName, 'FAILED'), code, name)
    }
    for (const name of ['tables', 'completes', 'duplicate', 'contradict'] as const) {
      await ends(name, 'COMPLETED')
    }
    await eventually(async () => assert.equal((await cases()).length, 1))
    const unsure = ['silent', 'late', 'lateFailure'] as const
    for (const name of unsure) await reachesOperator(service, ids.get(name) ?? '')
    await service.advance(70)
    await Promise.all(unsure.map((name) => ends(name, 'IN_RECONCILIATION')))
    await service.advance(3600)
    await ends('late', 'COMPLETED')
    assert.equal(await ends('lateFailure', 'FAILED'), 'UNSPECIFIED_FAILURE')
    await ends('silent', 'IN_RECONCILIATION')
    await service.post('/sandbox/clock/reset')
  })

  it('a preset shows that it is set', async () => {
    const one = await developer()
    await signIn(one)
    await take(one.tab, freshNumber())
    await press(one.tab, words.preset_poor)
    const set = one.tab.locator('[aria-pressed=true]')
    assert.equal(await set.innerText(), `${words.preset_poor} (${words.presetNow})`)
    await one.context.close()
  })

  it('a payment is approved in the app of the wallet, where its provider asks', async () => {
    const french = SANDBOX_WORDS.fr
    const one = await developer(true, 'fr')
    await signIn(one, 'fr')
    const wallet = phoneOf(service, '221773456001', 'WAVE_SEN')
    await wallet.set({ mode: 'interactive' })
    await one.tab.goto(`${service.url}/sandbox?lang=fr&phone=${wallet.number}`)
    await one.tab.getByRole('link', { name: french.tab_wallet }).click()
    await one.tab.getByText(french.noEntries).waitFor()
    const id = await wallet.pays({ amount: '2500', currency: 'XOF' })
    await one.tab.locator('.entry').getByText(french.entry_ASKS).waitFor()
    await press(one.tab, french.approve)
    await one.tab.getByText(french.flash_APPROVED).waitFor()
    const { providerTransactionId } = await service.reaches(id, 'COMPLETED')
    await one.tab.locator('.messages').getByText(String(providerTransactionId)).waitFor()
    assert.match(await one.tab.locator('.entry').innerText(), /Payé\s+−2\s500\sXOF/)
    // The receipt comes in the language of the page; the API speaks English.
    await one.tab.getByRole('link', { name: french.tab_messages }).click()
    await one.tab.getByText('Vous avez payé 2500\u00a0XOF à Demo Merchant.').waitFor()
    assert.match((await wallet.look()).messages[0].text, /^You paid XOF 2500 to Demo Merchant/)
    await one.context.close()
  })

  it('dialling makes a one-time code, and says when nobody answers', async () => {
    const one = await developer()
    await signIn(one)
    await take(one.tab, '22607345678')
    assert.match(await one.tab.locator('.dialler').innerText(), /\*144\*4\*6#/)
    await one.tab.locator('#code').fill('*144*4*6#')
    await press(one.tab, words.dialButton)
    assert.match(
      await one.tab.locator('.notice[role=status]').innerText(),
      /one-time code is \d{6}/,
    )
    await one.tab.locator('#code').fill('*1#')
    await press(one.tab, words.dialButton)
    await one.tab.getByText(words.flash_UNKNOWN_CODE).waitFor()
    await one.context.close()
  })

  it('refuses a number that no provider has, and keeps it in the field', async () => {
    const one = await developer()
    await signIn(one)
    await one.tab.locator('#typed').fill('12345')
    await press(one.tab, words.take)
    await one.tab.getByText(words.flash_NUMBER).waitFor()
    assert.equal(await one.tab.locator('#typed').inputValue(), '12345')
    await one.context.close()
  })

  it('a link opens the phone on another device, once', async () => {
    const one = await developer()
    await signIn(one)
    await take(one.tab, freshNumber())
    await press(one.tab, words.deviceButton)
    await one.tab.locator('.device svg').waitFor()
    const link = await one.tab.locator('.device a').innerText()
    const other = await developer()
    await other.tab.goto(link)
    await other.tab.locator('#handset').waitFor()
    assert.equal(await other.tab.locator('#controls').count(), 0)
    const third = await developer()
    await third.tab.goto(link)
    await third.tab.getByText(words.linkUsed).waitFor()
    for (const { context } of [one, other, third]) await context.close()
  })

  it('every control shows what is, and has a way back', async () => {
    const one = await developer(false)
    const { tab } = one
    await signIn(one)
    await tab.locator('#provider').selectOption('MTN_MOMO_ZMB')
    const card = (id: string) => tab.locator(`section[aria-labelledby=${id}]`)
    const set = (id: string, name: string) =>
      Promise.all([
        tab.waitForEvent('load'),
        card(id).getByRole('button', { name }).first().click(),
      ])
    await set('availability', words.set)
    assert.match(await card('availability').innerText(), /MTN_MOMO_ZMB, DEPOSIT: CLOSED/)
    assert.equal((await service.deposit()).body.status, 'REJECTED')
    await set('availability', words.back)
    const { id, body } = await service.deposit()
    assert.equal(body.status, 'ACCEPTED')
    // It changes the wallet, which the next lines set.
    await service.reaches(id, 'COMPLETED')

    await tab.locator('#wallet').selectOption('ZMB ZMW')
    await tab.locator('#balance').fill('x')
    await set('wallets', words.set)
    await tab.getByText(words.flash_BALANCE).waitFor()
    await tab.locator('#wallet').selectOption('ZMB ZMW')
    await tab.locator('#balance').fill('12.50')
    await set('wallets', words.set)
    assert.match(await card('wallets').innerText(), /ZMB ZMW: 12\.5/)

    await set('clock', words.hour)
    assert.match(await card('clock').innerText(), /1 hour ahead/)
    assert.match(await tab.locator('.notice.warn').innerText(), /the clock is 1 hour ahead/)
    await card('clock').locator('summary').click()
    await set('clock', words.clockReset)
    await tab.getByText(words.clockReal).waitFor()

    await set('receiver', words.receiverBreak)
    assert.match(await tab.locator('.notice.warn').innerText(), /the callback receiver fails/)
    await set('receiver', words.receiverMend)
    await tab.getByText(words.receiverWorks).waitFor()
    await set('receiver', words.receiverBreak)

    await tab.locator('summary').click()
    await set('reset', words.resetButton)
    await tab.getByText(words.flash_RESET).waitFor()
    assert.equal(await tab.locator('.notice.warn').count(), 0)
    await one.context.close()
  })

  it('the tour goes away for good', async () => {
    const one = await developer(false)
    await signIn(one)
    await press(one.tab, words.tourDone)
    await one.tab.goto(`${service.url}/sandbox`)
    assert.equal(await one.tab.locator('.tour').count(), 0)
    await one.context.close()
  })
})

/** Each page as a developer may meet it. */
const PAGES: Readonly<Record<string, (one: Developer, lang: 'en' | 'fr') => Promise<unknown>>> = {
  'sign-in': ({ tab }, lang) => tab.goto(`${service.url}/sandbox?lang=${lang}`),
  'sign-in-wrong': async ({ tab }, lang) => {
    await tab.goto(`${service.url}/sandbox?lang=${lang}`)
    await press(tab, SANDBOX_WORDS[lang].signIn)
  },
  'no-phone': (one, lang) => signIn(one, lang),
  prompt: async (one, lang) => {
    await signIn(one, lang)
    const number = freshNumber()
    const phone = phoneOf(service, number)
    await service.reaches(await phone.pays(), 'COMPLETED')
    await phone.set({ mode: 'interactive' })
    await phone.pays()
    await phone.prompt()
    await one.tab.goto(`${service.url}/sandbox?lang=${lang}&phone=${number}`)
    await press(one.tab, SANDBOX_WORDS[lang].approve)
  },
  device: async (one, lang) => {
    await signIn(one, lang)
    await one.tab.goto(`${service.url}/sandbox?lang=${lang}&phone=${NUMBER}`)
    await press(one.tab, SANDBOX_WORDS[lang].deviceButton)
  },
  'wallet-app': async (one, lang) => {
    await signIn(one, lang)
    const number = lang === 'en' ? '221773456002' : '221773456003'
    const phone = phoneOf(service, number, 'WAVE_SEN')
    await phone.set({})
    await service.reaches(await phone.pays({ amount: '900', currency: 'XOF' }), 'COMPLETED')
    await phone.set({ mode: 'interactive' })
    const id = await phone.pays({ amount: '2500', currency: 'XOF' })
    await service.reaches(id, 'PROCESSING')
    await one.tab.goto(`${service.url}/sandbox?lang=${lang}&phone=${number}&tab=wallet`)
    await one.tab.locator('.entry').getByText(SANDBOX_WORDS[lang].entry_ASKS).waitFor()
  },
  'wallet-page': async ({ tab }, lang) => {
    const phone = phoneOf(service, lang === 'en' ? '221773456004' : '221773456005', 'WAVE_SEN')
    await phone.set({ mode: 'interactive' })
    const id = await phone.pays({ amount: '2500', currency: 'XOF' })
    const { authorizationUrl } = await eventually(async () => {
      const record = await service.reaches(id, 'PROCESSING')
      assert.ok(record.authorizationUrl)
      return record
    })
    await tab.goto(`${authorizationUrl}?lang=${lang}`)
  },
  alone: async (one, lang) => {
    await signIn(one, lang)
    await one.tab.goto(`${service.url}/sandbox?lang=${lang}&phone=${NUMBER}&view=phone`)
  },
  callbacks: async (one, lang) => {
    await signIn(one, lang)
    await service.put('/sandbox/receiver', { fails: true })
    await service.put('/sandbox/callbacks', { deposit: `${service.url}/receiver` })
    await service.reaches((await service.deposit()).id, 'COMPLETED')
    await eventually(async () => {
      await one.tab.goto(`${service.url}/sandbox?lang=${lang}`)
      assert.ok((await one.tab.locator('.delivery').getByText('500', { exact: true }).count()) > 0)
    })
    await one.tab.locator('.delivery summary').first().click()
    await service.put('/sandbox/callbacks', { deposit: null })
    await service.put('/sandbox/receiver', { fails: false })
  },
  numbers: async (one, lang) => {
    await signIn(one, lang)
    await one.tab.goto(`${service.url}/sandbox/numbers?lang=${lang}`)
    await one.tab.locator('summary').last().click()
  },
  shop: async (one, lang) => {
    await signIn(one, lang)
    await one.tab.goto(`${service.url}/sandbox/shop?lang=${lang}`)
  },
  'shop-back': async (one, lang) => {
    await signIn(one, lang)
    const { id } = await service.deposit()
    await service.reaches(id, 'COMPLETED')
    await one.tab.goto(`${service.url}/sandbox/shop/back?lang=${lang}&depositId=${id}`)
  },
}

it('the phone is taken and answered by keyboard alone', async () => {
  const { tab, context } = await developer()
  const { keyboard } = tab
  const to = async (selector: string): Promise<void> => {
    for (let count = 0; count < 100; count += 1) {
      if (await tab.locator(selector).evaluate((one: Inside) => one.matches(':focus'))) return
      await keyboard.press('Tab')
    }
    assert.fail(`${selector} cannot be reached`)
  }
  const loads = (key: string) => Promise.all([tab.waitForEvent('load'), keyboard.press(key)])
  await tab.goto(`${service.url}/sandbox?lang=en`)
  await to('#token')
  await keyboard.type(service.token)
  await loads('Enter')
  const number = freshNumber()
  await to('#typed')
  await keyboard.type(number)
  await loads('Enter')
  await tab.getByText(words.flash_TAKEN).waitFor()
  const refused = await phoneOf(service, number).pays()
  await tab.locator('#pin').waitFor()
  await to('#refuse')
  await loads('Space')
  await service.reaches(refused, 'FAILED')
  const paid = await phoneOf(service, number).pays()
  await tab.locator('#pin').waitFor()
  await to('#pin')
  await keyboard.type('1234')
  await loads('Enter')
  await service.reaches(paid, 'COMPLETED')
  await to('#tab-wallet')
  await keyboard.press('Enter')
  await tab.locator('.entry').getByText(words.entryPaid).waitFor()
  await to('#listed')
  await keyboard.press('ArrowDown')
  await to('summary')
  await keyboard.press('Space')
  assert.equal(await tab.locator('details[open]').count(), 1)
  await keyboard.press('Enter')
  assert.equal(await tab.locator('details[open]').count(), 0)
  await context.close()
})

describe('every page is accessible, fits, and speaks one language', () => {
  for (const [name, open] of Object.entries(PAGES)) {
    for (const lang of ['en', 'fr'] as const) {
      it(`${name}, ${lang}`, async () => {
        const one = await developer(true, lang)
        const complaints: string[] = []
        one.tab.on('console', (line) => {
          if (/Content Security Policy/i.test(line.text())) complaints.push(line.text())
        })
        await open(one, lang)
        for (const viewport of [VIEWPORTS.phone, VIEWPORTS.desktop]) {
          await one.tab.setViewportSize(viewport)
          const where = `${viewport.width}`
          assert.deepEqual(await violations(one.tab), [], where)
          assert.deepEqual(await tooWideOrSmall(one.tab), [], where)
          await picture(one.tab, `${name}-${lang}-${where}`)
        }
        if (lang === 'en') assert.deepEqual(await walk(one.tab), WALKED)
        const own = new Set<string>(Object.values(SANDBOX_WORDS[lang]))
        const text = await one.tab.locator('main').innerText()
        const foreign = Object.values(SANDBOX_WORDS[lang === 'en' ? 'fr' : 'en']).filter(
          (sentence) => sentence.length > 8 && !own.has(sentence) && text.includes(sentence),
        )
        assert.deepEqual(foreign, [])
        assert.deepEqual(complaints, [])
        await one.context.close()
      })
    }
  }
})

/** What reaches beyond the side of the window, and controls that are hard to hit. */
const tooWideOrSmall = (tab: Page): Promise<readonly string[]> =>
  tab.evaluate(() => {
    const { document, innerWidth } = globalThis as Inside
    const isWide = document.documentElement.scrollWidth > innerWidth
    const small = [...document.querySelectorAll('main a, main button, main input, main select')]
      .filter((one: Inside) => one.checkVisibility() && one.type !== 'hidden')
      .filter((one: Inside) => one.getBoundingClientRect().height < 24)
      .map((one: Inside) => one.outerHTML)
    return isWide ? [`wider than ${innerWidth}`, ...small] : small
  })

/** For whoever wants to look: MALIPO_TEST_PICTURES names a folder. */
async function picture(tab: Page, name: string): Promise<void> {
  const folder = process.env.MALIPO_TEST_PICTURES
  if (folder !== undefined) await tab.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

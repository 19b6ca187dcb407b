import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { renderPay } from '../src/web/pay/render.tsx'
import { markOf } from '../src/web/pay/visit.ts'
import { checkout, checkoutReaches, FAILS, failOnce, form, PAYS, page, STAYS } from './hosted.ts'
import { takenPhone } from './phones.ts'
import { eventually, type Service } from './service.ts'

/** Every screen that a customer can see, and how to make a sandbox show it. */
type ScreenCase = {
  readonly name: string
  readonly open: (service: Service) => Promise<Opened>
}

type Opened = {
  /** Shows the screen in the language; the page may be opened any number of times. */
  readonly visit: (page: Page, lang: 'en' | 'fr') => Promise<void>
  readonly done?: () => Promise<unknown>
}

/** A link that shows the screen by itself. */
const at = (service: Service, path: string, query = ''): Opened => ({
  visit: async (tab, lang) => {
    await tab.goto(`${service.url}${path}?lang=${lang}${query}`)
  },
})

/** As in the first moments after Pay: help that opens by itself would disturb the picture. */
const withHelpLater = ({ visit }: Opened): Opened => ({
  visit: async (tab, lang) => {
    await tab.route(/\/pay\/[^/]+$/, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/data-after="\d+"/, 'data-after="3600"')
      await route.fulfill({ response, body })
    })
    await visit(tab, lang)
    assert.equal(await tab.locator('[data-after="3600"]').count(), 1)
  },
})

const availability = (service: Service, provider: string, status: string) =>
  service.put('/sandbox/availability', { provider, operationType: 'DEPOSIT', status })

const ZAMBIAN = ['AIRTEL_OAPI_ZMB', 'MTN_MOMO_ZMB', 'ZAMTEL_ZMB'] as const

async function started(service: Service, phoneNumber: string, changes = {}): Promise<string> {
  const { token, id } = await page(service, changes)
  const paid = await service.node.hosted.payOnPage(token, form(phoneNumber))
  assert.deepEqual(paid, { status: 'STARTED' })
  const isRunning = phoneNumber === STAYS
  const status = isRunning ? 'PROCESSING' : phoneNumber === PAYS ? 'COMPLETED' : 'FAILED'
  await service.reaches(id, status)
  return token
}

/** In Burkina Faso and Senegal, for the two other ways to approve. */
const CODES = {
  countries: ['BFA'],
  amounts: [{ country: 'BFA', currency: 'XOF', amount: '2500' }],
}
const REDIRECTS = { country: 'SEN', amountDetails: { amount: '2500', currency: 'XOF' } }

export const SCREENS: readonly ScreenCase[] = [
  {
    name: 'C-1 details',
    open: async (service) =>
      at(service, `/pay/${(await page(service, { reason: 'Order 1042' })).token}`),
  },
  {
    name: 'C-1 free amount',
    open: async (service) => {
      const { token } = await page(service, { amountDetails: undefined })
      return at(service, `/pay/${token}`)
    },
  },
  {
    name: 'C-1 all fixed',
    open: async (service) =>
      at(service, `/pay/${(await page(service, { phoneNumber: PAYS })).token}`),
  },
  {
    name: 'C-1 choose country',
    open: async (service) => {
      const { code } = await checkout(service, {
        countries: ['ZMB', 'COD'],
        amounts: [
          { country: 'ZMB', currency: 'ZMW', amount: '15' },
          { country: 'COD', currency: 'CDF', amount: '2000' },
          { country: 'COD', currency: 'USD', amount: '2' },
        ],
        reason: { en: 'Order 12345', fr: 'Commande 12345' },
      })
      return at(service, `/checkout/${code}`)
    },
  },
  {
    name: 'C-1 two currencies',
    open: async (service) => {
      const { token } = await page(service, { country: 'COD', amountDetails: undefined })
      return at(service, `/pay/${token}`)
    },
  },
  {
    name: 'C-1 errors',
    open: async (service) => {
      const { token } = await page(service, { amountDetails: undefined })
      return filled(service, `/pay/${token}`, { phoneNumber: '12345', amount: 'x' })
    },
  },
  {
    name: 'C-1 one provider closed',
    open: async (service) => {
      await availability(service, ZAMBIAN[0], 'CLOSED')
      const { code } = await checkout(service)
      return {
        ...at(service, `/checkout/${code}`),
        done: () => availability(service, ZAMBIAN[0], 'OPERATIONAL'),
      }
    },
  },
  {
    name: 'C-1 contradiction',
    open: async (service) => {
      const { code } = await checkout(service)
      return filled(service, `/checkout/${code}`, {
        phoneNumber: '763456789',
        provider: ZAMBIAN[0],
      })
    },
  },
  { name: 'C-1 pressed at the limit', open: shed },
  {
    name: 'C-2 one-time code',
    open: async (service) => {
      const { code } = await checkout(service, CODES)
      return filled(service, `/checkout/${code}`, {
        phoneNumber: '07345678',
        provider: 'ORANGE_BFA',
        asked: 'ORANGE_BFA',
      })
    },
  },
  {
    name: 'C-2 wrong code',
    open: async (service) => {
      const { code, id } = await checkout(service, CODES)
      const wrong = { phoneNumber: '22607345678', provider: 'ORANGE_BFA', country: 'BFA' }
      const paid = await service.node.hosted.payOnCheckout(code, {
        ...wrong,
        preAuthorisationCode: '000000',
      })
      assert.ok(paid.status === 'STARTED' && paid.payer !== undefined)
      const cookie = { name: 'payer', value: paid.payer, url: service.url }
      await checkoutReaches(service, id, 'WAITING_PAYMENT')
      return {
        visit: async (tab, lang) => {
          await tab.context().addCookies([cookie])
          await tab.goto(`${service.url}/checkout/${code}?lang=${lang}`)
        },
      }
    },
  },
  {
    name: 'C-3 waiting',
    open: async (service) => withHelpLater(at(service, `/pay/${await started(service, STAYS)}`)),
  },
  {
    name: 'C-3 dial first',
    open: async (service) => {
      const { token, id } = await page(service, { country: 'CIV', amountDetails: undefined })
      const wallet = { provider: 'MTN_MOMO_CIV', amount: '2500', phoneNumber: '2250503456129' }
      assert.deepEqual(await service.node.hosted.payOnPage(token, wallet), { status: 'STARTED' })
      await service.reaches(id, 'PROCESSING')
      return at(service, `/pay/${token}`)
    },
  },
  {
    name: 'C-3 slow',
    open: async (service) => {
      const token = await started(service, STAYS)
      await service.advance(95)
      return at(service, `/pay/${token}`)
    },
  },
  {
    name: 'C-3 processing a code',
    open: async (service) => {
      const { token, id } = await page(service, { country: 'BFA', amountDetails: undefined })
      const phoneNumber = '22607345670'
      const script = [{ afterSeconds: 0, answer: 'pending' }]
      await service.put(`/sandbox/phones/${phoneNumber}`, { mode: 'auto', script })
      const wallet = { provider: 'ORANGE_BFA', amount: '2500', phoneNumber }
      const paid = await service.node.hosted.payOnPage(token, {
        ...wallet,
        preAuthorisationCode: '483920',
      })
      assert.deepEqual(paid, { status: 'STARTED' })
      await service.reaches(id, 'PROCESSING')
      return at(service, `/pay/${token}`)
    },
  },
  { name: 'C-4 preparing', open: withoutAddress },
  {
    name: 'C-4 go to provider',
    open: async (service) => at(service, `/pay/${await redirected(service)}`),
  },
  {
    name: 'C-5 paid',
    open: async (service) =>
      at(service, `/pay/${await started(service, PAYS, { reason: 'Order 1042' })}`),
  },
  {
    name: 'C-5 paid, returning',
    open: async (service) => at(service, `/pay/${await started(service, PAYS)}`, '&wait=0'),
  },
  {
    name: 'C-6 not paid',
    open: async (service) => at(service, `/pay/${await started(service, FAILS)}`),
  },
  {
    name: 'C-6 try again',
    open: async (service) => {
      const one = await checkout(service, { returnMethod: 'CUSTOMER_ACTION' })
      await failOnce(service, one)
      return at(service, `/checkout/${one.code}`)
    },
  },
  {
    name: 'C-6 outcome not seen',
    open: async (service) => {
      const number = '260763459901'
      const script = [{ afterSeconds: 0, answer: 'failed', failureCode: 'UNKNOWN_ERROR' }]
      await service.put(`/sandbox/phones/${number}`, { mode: 'auto', script })
      const { code, id } = await checkout(service, { returnMethod: 'CUSTOMER_ACTION' })
      assert.equal((await service.node.hosted.payOnCheckout(code, form(number))).status, 'STARTED')
      await eventually(async () => {
        const { body } = await service.get(`/v2/checkouts/${id}`)
        assert.equal(body.data.depositStatus, 'FAILED')
      })
      return at(service, `/checkout/${code}`)
    },
  },
  {
    name: 'C-7 being confirmed',
    open: async (service) => {
      const token = await started(service, STAYS)
      await service.advance(185)
      return at(service, `/pay/${token}`)
    },
  },
  {
    name: 'C-8 expired',
    open: async (service) => {
      const { token } = await page(service)
      await service.advance(15 * 60)
      return at(service, `/pay/${token}`)
    },
  },
  {
    name: 'C-9 all closed',
    open: async (service) => {
      const { code } = await checkout(service)
      for (const provider of ZAMBIAN) await availability(service, provider, 'CLOSED')
      const done = async () => {
        for (const provider of ZAMBIAN) await availability(service, provider, 'OPERATIONAL')
      }
      return { ...at(service, `/checkout/${code}`), done }
    },
  },
  {
    name: 'C-10 cancelled',
    open: async (service) => {
      const { code, id } = await checkout(service, { returnMethod: 'CUSTOMER_ACTION' })
      await service.node.hosted.cancelCheckout(code)
      await checkoutReaches(service, id, 'CANCELLED')
      return at(service, `/checkout/${code}`)
    },
  },
  { name: 'C-11 unknown link', open: async (service) => at(service, '/pay/nobody-knows-this') },
  {
    name: 'C-12 problem',
    open: async (service) => {
      const { token } = await page(service)
      const { database } = service
      await database.query('alter table page_sessions rename to page_sessions_gone')
      const done = () => database.query('alter table page_sessions_gone rename to page_sessions')
      return { ...at(service, `/pay/${token}`), done }
    },
  },
]

/** Fills fields by their names and presses Pay. */
function filled(service: Service, path: string, fields: Readonly<Record<string, string>>): Opened {
  return {
    visit: async (tab, lang) => {
      await tab.goto(`${service.url}${path}?lang=${lang}`)
      for (const [name, value] of Object.entries(fields)) {
        const field = tab.locator(`[name=${name}]`)
        if (name === 'provider') await tab.locator(`[name=provider][value=${value}]`).check()
        else if ((await field.count()) > 0) await field.fill(value)
      }
      await press(tab)
      const holds = tab.locator(`button[name=payWith][value="${fields.asked}"]`)
      if (fields.asked !== undefined && (await holds.count()) > 0) {
        await Promise.all([tab.waitForEvent('load'), holds.click()])
      }
    },
  }
}

export async function press(tab: Page): Promise<void> {
  await Promise.all([tab.waitForEvent('load'), tab.locator('button[value=pay]').click()])
}

/** While one payment waits, a phone accepts no other. */
let phones = 0

async function redirected(service: Service): Promise<string> {
  phones += 1
  const number = `2217734561${String(phones).padStart(2, '0')}`
  await takenPhone(service, number)
  const { token, id } = await page(service, REDIRECTS)
  const wallet = { provider: 'WAVE_SEN', phoneNumber: number }
  assert.deepEqual(await service.node.hosted.payOnPage(token, wallet), { status: 'STARTED' })
  await eventually(async () => {
    const { data } = (await service.get(`/v2/deposits/${id}`)).body
    assert.ok(data.authorizationUrl)
  })
  return token
}

/** The form as returned while the service sheds new payments, which needs a flood. */
async function shed(service: Service): Promise<Opened> {
  const { token } = await page(service)
  const view = await service.node.hosted.openPage(token)
  return {
    visit: async (tab, lang) => {
      const visit = { lang, now: service.node.ctx.clock.now(), isSandbox: true } as const
      const typed = { form: form('763456789'), refusals: [], isBusy: true }
      const { html, headers, status } = renderPay(view, { ...visit, ...ON_PAGE }, typed)
      const address = `${service.url}/pay/busy`
      await tab.route(`${address}*`, (route) => route.fulfill({ status, headers, body: html }))
      await tab.goto(address)
    },
  }
}

const ON_PAGE = { kind: 'page', isLive: false, wantsForm: false } as const

/** The page before the provider has sent the address of its page: a short moment. */
async function withoutAddress(service: Service): Promise<Opened> {
  const token = await redirected(service)
  const view = await service.node.hosted.openPage(token)
  assert.ok(view.screen === 'RUNNING')
  const { authorizationUrl: _, ...payment } = view.payment
  const early = { ...view, payment }
  return {
    visit: async (tab, lang) => {
      const visit = { lang, now: payment.createdAt, isSandbox: true } as const
      const { html, headers, status } = renderPay(early, { ...visit, ...ON_PAGE })
      const address = `${service.url}/pay/early`
      const state = { mark: markOf(early, { ...visit, ...ON_PAGE }), isOver: false, pause: 60 }
      await tab.route(`${address}/status*`, (route) => route.fulfill({ json: state }))
      await tab.route(`${address}*`, (route) => route.fulfill({ status, headers, body: html }))
      await tab.goto(address)
    },
  }
}

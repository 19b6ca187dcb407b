import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { VIEWPORTS } from '../../harness/browser.ts'
import { reachesOperator } from '../../harness/operator.ts'
import { failureCodeOf, phoneOf } from '../../harness/phones.ts'
import { cookieOf } from '../../harness/sandbox-page.ts'
import { itOnAllPages } from '../../harness/scale.ts'
import { eventually } from '../../harness/service.ts'
import { PRESET_NAMES, type PresetName } from '../../src/usecases/sandbox/phone-presets.ts'
import type { Panel } from '../../src/web/sandbox/view.ts'
import { SANDBOX_WORDS } from '../../src/web/sandbox/words.ts'
import { developer, freshNumber, press, take, visitor, words } from './developer.ts'
import { service } from './rig.ts'

const PRESET_FAILURES: Partial<Record<PresetName, string>> = {
  declines: 'PAYMENT_NOT_APPROVED',
  poor: 'INSUFFICIENT_BALANCE',
  limit: 'PAYER_LIMIT_REACHED',
  stranger: 'PAYER_NOT_FOUND',
  busy: 'PAYMENT_IN_PROGRESS',
  trouble: 'UNSPECIFIED_FAILURE',
}

const SANDBOX = `${service.url}/sandbox?lang=en`
const toPanel = (tab: Page, panel: Panel) =>
  Promise.all([tab.waitForEvent('load'), tab.locator(`#panel-${panel}`).click()])

/** Whether the full stop of the notice begins a line. Runs inside the page. */
function lastSignStandsAlone(): boolean {
  // biome-ignore lint/suspicious/noExplicitAny: runs inside the page
  const { document } = globalThis as any
  const notice = document.querySelector('.notice.warn')
  const range = document.createRange()
  range.selectNodeContents(notice.lastChild)
  const words = [...notice.querySelectorAll('a')].at(-1).getClientRects()
  return range.getBoundingClientRect().top > [...words].at(-1).bottom - 4
}

describe('what the operator and the world do', () => {
  // Other suites move it on.
  before(() => service.post('/sandbox/clock/reset'))

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

  itOnAllPages('a preset shows that it is set', async () => {
    const one = await developer()
    await take(one.tab, freshNumber())
    await toPanel(one.tab, 'operator')
    await press(one.tab, words.preset_poor)
    const set = one.tab.locator('[aria-pressed=true]')
    assert.equal(await set.innerText(), `${words.preset_poor} (${words.presetNow})`)
  })

  itOnAllPages(
    'a payment is approved in the app of the wallet, where its provider asks',
    async () => {
      const french = SANDBOX_WORDS.fr
      const one = await developer(true, 'fr')
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
      await one.tab.getByText('Vous avez payé 2\u202f500\u00a0XOF à Demo Merchant.').waitFor()
      assert.match((await wallet.look()).messages[0].text, /^You paid XOF 2500 to Demo Merchant/)
    },
  )

  itOnAllPages('dialling makes a one-time code, and says when nobody answers', async () => {
    const one = await developer()
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
  })

  itOnAllPages('refuses a number that no provider has, and keeps it in the field', async () => {
    const one = await developer()
    await one.tab.goto(SANDBOX)
    await one.tab.locator('#typed').fill('12345')
    await press(one.tab, words.take)
    await one.tab.getByText(words.flash_NUMBER).waitFor()
    assert.equal(await one.tab.locator('#typed').inputValue(), '12345')
  })

  itOnAllPages('a link opens the phone on another device, once', async () => {
    const one = await developer()
    await take(one.tab, freshNumber())
    await press(one.tab, words.deviceButton)
    await one.tab.locator('.device svg').waitFor()
    const link = await one.tab.locator('.device a').innerText()
    const other = await visitor()
    await other.tab.goto(link)
    await other.tab.locator('#handset').waitFor()
    assert.equal(await other.tab.locator('#panel').count(), 0)
    const third = await visitor()
    await third.tab.goto(link)
    await third.tab.getByText(words.linkUsed).waitFor()
    for (const { context } of [other, third]) await context.close()
  })

  itOnAllPages('every control shows what is, and has a way back', async () => {
    const one = await developer(false)
    const { tab } = one
    await tab.goto(`${SANDBOX}&panel=operator`)
    await tab.locator('#provider').selectOption('MTN_MOMO_ZMB')
    const card = (id: string) => tab.locator(`section[aria-labelledby=${id}]`)
    const set = (id: string, name: string) =>
      Promise.all([
        tab.waitForEvent('load'),
        card(id).getByRole('button', { name }).first().click(),
      ])
    await set('availability', words.set)
    assert.match(await card('availability').innerText(), /MTN MoMo, Zambia, DEPOSIT: CLOSED/)
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
    assert.match(await card('wallets').innerText(), /Zambia: 12\.50\sZMW/)

    await toPanel(tab, 'clock')
    await set('clock', words.hour)
    assert.match(await card('clock').innerText(), /1 hour ahead/)
    assert.match(await tab.locator('.notice.warn').innerText(), /the clock is 1 hour ahead/)
    await card('clock').locator('summary').click()
    await set('clock', words.clockReset)
    await tab.getByText(words.clockReal).waitFor()

    await toPanel(tab, 'callbacks')
    await set('receiver', words.receiverBreak)
    assert.match(await tab.locator('.notice.warn').innerText(), /the callback receiver fails/)
    await set('receiver', words.receiverMend)
    await tab.getByText(words.receiverWorks).waitFor()
    await set('receiver', words.receiverBreak)

    await toPanel(tab, 'clock')
    await card('reset').locator('summary').click()
    await set('reset', words.resetButton)
    await tab.getByText(words.flash_RESET).waitFor()
    assert.equal(await tab.locator('.notice.warn').count(), 0)
  })

  itOnAllPages(
    'the handset is whole beside the controls, with a request and what was wrong with it',
    async () => {
      const one = await developer()
      await one.tab.setViewportSize({ width: 1280, height: 900 })
      const number = freshNumber()
      await take(one.tab, number)
      await phoneOf(service, number).pays()
      await one.tab.locator('#pin').waitFor()
      await press(one.tab, words.approve)
      await one.tab.getByText(words.flash_PIN_MISSING).waitFor()
      const box = await one.tab.locator('#handset').boundingBox()
      assert.ok(box !== null && box.y > 0 && box.y + box.height <= 900, JSON.stringify(box))
      assert.equal(await one.tab.locator('.help ol').isVisible(), false)

      await service.advance(93_784)
      await take(one.tab, number)
      await one.tab.locator('.notice.warn').waitFor()
      const lower = await one.tab.locator('#handset').boundingBox()
      assert.ok(lower !== null && lower.y + lower.height <= 900, JSON.stringify(lower))

      await one.tab.setViewportSize({ width: 360, height: 640 })
      await one.tab.goto(`${service.url}/sandbox?lang=fr`)
      assert.equal(await one.tab.evaluate(lastSignStandsAlone), false)
      await one.tab.setViewportSize(VIEWPORTS.desktop)
      await service.post('/sandbox/clock/reset')
    },
  )

  itOnAllPages('a number is chosen by its country and operator', async () => {
    const one = await developer(false)
    await one.tab.goto(SANDBOX)
    await one.tab.locator('#operator').selectOption('MPESA_KEN')
    await press(one.tab, words.showNumbers)
    assert.match(await one.tab.locator('#listed').innerText(), /^254/)
    await press(one.tab, words.take)
    await one.tab.locator('#handset').getByText('M-PESA, Kenya').waitFor()
  })
})

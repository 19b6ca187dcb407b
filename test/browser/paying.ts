import assert from 'node:assert/strict'
import { type Customer, filled, forCustomers, linkNamed } from '../../harness/customer.ts'
import {
  checkout,
  checkoutReaches,
  FAILS,
  PAYS,
  page,
  pageBody,
  recordOf,
  STAYS,
} from '../../harness/hosted.ts'
import { takenPhone } from '../../harness/phones.ts'
import { LOOKS_AT_ALL } from '../../harness/scale.ts'
import { eventually } from '../../harness/service.ts'
import { browser, service } from './rig.ts'

/** The acceptance rows of the customers' pages that are about a form and what comes of it. */
const MTN = 'MTN_MOMO_ZMB'
const journeys = (
  name: string,
  journey: (one: Customer) => Promise<void>,
  scripts?: readonly boolean[],
) => forCustomers(browser, service, name, journey, scripts)
/** For these, in `npm test`, A-1 and A-12 stand, and the tests of the same forms without a browser. */
const onAllPages: typeof journeys = LOOKS_AT_ALL ? journeys : () => {}

const depositOf = async (id: string) => (await service.get(`/v2/deposits/${id}`)).body
const national = (number: string): string => number.slice(3)

journeys('A-1: pay, approve, see it, return with the deposit id and nothing else', async (one) => {
  const number = `2607634500${one.lang === 'en' ? 1 : 2}${one.hasScript ? 1 : 2}`
  const phone = await takenPhone(service, number)
  const { id, token } = await page(service)
  await one.open(`/pay/${token}`)
  assert.equal((await depositOf(id)).status, 'NOT_FOUND')
  await one.fill('phoneNumber', national(number))
  await one.choose(MTN)
  await one.pay()
  await one.sees('waitHeading')
  await phone.prompt()
  const approve = () => phone.act({ action: 'approve' })
  if (one.hasScript) await approve()
  else await Promise.all([linkNamed(one.tab, one.words.check).click(), approve()])
  await one.sees('paidHeading')
  const name = filled(one.words.returnTo, { name: 'Demo Merchant' })
  const button = one.hasScript ? one.words.returnNow : name
  await linkNamed(one.tab, button).click()
  await one.tab.waitForURL(`https://shop.example/thanks?order=7&depositId=${id}#top`)
})

const LOCKS = [
  {},
  { amountDetails: undefined },
  { phoneNumber: PAYS },
  { phoneNumber: PAYS, amountDetails: undefined },
] as const

onAllPages('A-2: what the merchant fixed is text, and a forged field is ignored', async (one) => {
  for (const lock of LOCKS) {
    const { id, token } = await page(service, lock)
    await one.open(`/pay/${token}`)
    const isFixed = { amount: !('amountDetails' in lock), phoneNumber: 'phoneNumber' in lock }
    for (const [field, fixed] of Object.entries(isFixed)) {
      assert.equal(await one.tab.locator(`[name=${field}]`).count(), fixed ? 0 : 1, field)
    }
    assert.equal(await one.tab.locator('input:disabled').count(), 0)
    const text = await one.main()
    assert.ok(text.includes(one.lang === 'en' ? 'Zambia' : 'Zambie'))
    if (isFixed.phoneNumber) assert.ok(text.includes('+260 763 456 789'))
    // A number of which nobody can choose another says which provider it is.
    const chosen = await one.tab.locator(`[value=${MTN}]`).isChecked()
    assert.equal(chosen, isFixed.phoneNumber)
    const forged = { amount: '1', currency: 'USD', country: 'KEN', phoneNumber: FAILS }
    const body = new URLSearchParams({ ...forged, provider: MTN })
    const answer = await fetch(`${service.url}/pay/${token}`, { method: 'POST', body })
    assert.equal(answer.status, 200)
    const { data: deposit } = await depositOf(id)
    assert.equal(deposit.amount, isFixed.amount ? '15' : '1')
    assert.equal(deposit.currency, 'ZMW')
    assert.equal(deposit.payer.accountDetails.phoneNumber, isFixed.phoneNumber ? PAYS : FAILS)
  }
})

const SPELLINGS = {
  en: ['0763 456 789', '+260-763-456789'],
  fr: ['763456789', '０７６３４５６７８９'],
} as const

onAllPages('A-3: one wallet however its number is typed; a wrong one comes back', async (one) => {
  // Each customer spells it differently.
  const spelling = SPELLINGS[one.lang][one.hasScript ? 0 : 1]
  const good = await page(service)
  await one.open(`/pay/${good.token}`)
  await one.fill('phoneNumber', spelling)
  await one.choose(MTN)
  await one.pay()
  const deposit = await service.reaches(good.id, 'COMPLETED')
  assert.deepEqual(deposit.payer, {
    type: 'MMO',
    accountDetails: { phoneNumber: PAYS, provider: MTN },
  })
  const { id, token } = await page(service)
  await one.open(`/pay/${token}`)
  await one.fill('phoneNumber', '12345')
  await one.choose(MTN)
  await one.pay()
  assert.ok((await one.tab.title()).startsWith(one.words.error))
  const summary = one.tab.locator('main > :first-child')
  assert.equal(await summary.getAttribute('role'), 'alert')
  // The browser gives it the focus with the first frame that it draws.
  await one.tab.locator('main > :first-child:focus').waitFor()
  assert.equal(await one.tab.locator('[name=phoneNumber]').inputValue(), '12345')
  assert.equal(await one.tab.locator(`[value=${MTN}]`).isChecked(), true)
  const country = one.lang === 'en' ? 'Zambia' : 'Zambie'
  const suggestion = filled(one.words.numberInvalid, { country, example: '+260 973 456 789' })
  await linkNamed(one.tab, suggestion).click()
  await one.tab.locator('[name=phoneNumber]:focus').waitFor()
  assert.equal((await depositOf(id)).status, 'NOT_FOUND')
})

onAllPages('A-4: a free amount, as people there write it, within the limits', async (one) => {
  const { id, token } = await page(service, { amountDetails: undefined, phoneNumber: PAYS })
  const errorFor = async (amount: string): Promise<string> => {
    await one.fill('amount', amount)
    await one.choose(MTN)
    await one.pay()
    return one.tab.locator('#amount-error').innerText()
  }
  const limits = one.lang === 'en' ? '1.00 and 20,000.00 ZMW' : '1,00 et 20 000,00 ZMW'
  const names = (text: string): void => {
    assert.ok(text.replaceAll(/\s/g, ' ').includes(limits), text)
  }
  await one.open(`/pay/${token}`)
  names(await errorFor('0.5'))
  names(await errorFor('20001'))
  assert.equal(await one.tab.locator('[name=amount]').inputValue(), '20001')
  await one.fill('amount', one.lang === 'en' ? '15.5' : '15,5')
  await one.pay()
  assert.equal((await service.reaches(id, 'COMPLETED')).amount, '15.5')

  const whole = await page(service, { amountDetails: undefined, country: 'CMR' })
  await one.open(`/pay/${whole.token}`)
  await one.fill('phoneNumber', '653456789')
  await one.choose('MTN_MOMO_CMR')
  await one.fill('amount', '15,5')
  await one.pay()
  const text = await one.tab.locator('#amount-error').innerText()
  assert.ok(text.includes('MTN MoMo') && /1 (?:and|et) 1.000.000\sXAF/.test(text), text)
  assert.equal((await depositOf(whole.id)).status, 'NOT_FOUND')
})

onAllPages(
  'A-5: a provider that closed meanwhile is named, and the others are left',
  async (one) => {
    const { id, token } = await page(service)
    await one.open(`/pay/${token}`)
    await one.fill('phoneNumber', national(PAYS))
    await one.choose(MTN)
    const closed = { provider: MTN, operationType: 'DEPOSIT' }
    await service.put('/sandbox/availability', { ...closed, status: 'CLOSED' })
    await one.pay()
    const text = filled(one.words.providerClosed, { provider: 'MTN MoMo' })
    assert.equal(await linkNamed(one.tab, text).count(), 1)
    assert.equal(await one.tab.locator(`[value=${MTN}]`).isDisabled(), true)
    assert.equal(await one.tab.locator('[name=provider]:enabled').count(), 2)
    assert.equal(await one.tab.locator('[name=phoneNumber]').inputValue(), national(PAYS))
    assert.equal((await depositOf(id)).status, 'NOT_FOUND')
    await service.put('/sandbox/availability', { ...closed, status: 'OPERATIONAL' })
  },
)

const WITH_CODE = {
  countries: ['BFA'],
  amounts: [{ country: 'BFA', currency: 'XOF', amount: '2500' }],
  returnMethod: 'CUSTOMER_ACTION',
}

onAllPages('A-7: a wrong one-time code: named, emptied, the rest is kept', async (one) => {
  const { id, code } = await checkout(service, WITH_CODE)
  await one.open(`/checkout/${code}`)
  await one.fill('phoneNumber', '07345678')
  await one.choose('ORANGE_BFA')
  await one.pay()
  await one.sees('codeHeading')
  assert.ok(!(await one.tab.title()).startsWith(one.words.error))
  assert.equal(await one.tab.locator('.dial').getAttribute('href'), 'tel:*144*4*6%23')
  await one.fill('preAuthorisationCode', '000000')
  await one.pay()
  await eventually(async () => assert.equal((await recordOf(service, id)).depositStatus, 'FAILED'))
  await one.open(`/checkout/${code}`)
  const wrong = `${one.words.codeWrong} ${one.words.notCharged}`
  assert.equal(await linkNamed(one.tab, wrong).count(), 1)
  assert.equal(await one.tab.locator('#preAuthorisationCode').inputValue(), '')
  await one.fill('preAuthorisationCode', '483920')
  await one.pay()
  const { deposit } = await checkoutReaches(service, id, 'COMPLETED')
  assert.equal(deposit.payer.accountDetails.phoneNumber, '22607345678')
  await one.open(`/checkout/${code}`)
  await one.sees('paidHeading')
  assert.ok(!one.tab.url().includes('483920'))
  assert.ok(service.logLines.every((line) => !/483920|000000"/.test(line)))
})

onAllPages(
  'A-11: an expired link says so with 410; an open page passing expiry too',
  async (one) => {
    const { id, token } = await page(service)
    await one.open(`/pay/${token}`)
    await one.fill('phoneNumber', national(PAYS))
    await one.choose(MTN)
    await service.advance(15 * 60)
    await one.pay()
    await one.sees('expiredHeading')
    assert.equal((await depositOf(id)).status, 'NOT_FOUND')
    const again = await one.open(`/pay/${token}`)
    assert.equal(again?.status(), 410)
    await linkNamed(one.tab, filled(one.words.returnTo, { name: 'Demo Merchant' })).click()
    await one.tab.waitForURL(`https://shop.example/thanks?order=7&depositId=${id}#top`)
  },
)

journeys('A-12: fail, fail, success on one checkout; the form begins filled', async (one) => {
  const { id, code } = await checkout(service, { returnMethod: 'CUSTOMER_ACTION' })
  await one.open(`/checkout/${code}`)
  for (const [at, number] of [FAILS, FAILS, PAYS].entries()) {
    await one.fill('phoneNumber', national(number))
    await one.choose(MTN)
    await one.pay()
    if (number === PAYS) break
    await eventually(async () => {
      const { depositStatus, depositsHistory } = await recordOf(service, id)
      assert.deepEqual([depositStatus, depositsHistory.length], ['FAILED', at + 1])
    })
    await one.open(`/checkout/${code}`)
    assert.ok((await one.main()).includes(one.words.failNotApproved))
    await linkNamed(one.tab, one.words.tryAgain).click()
    await one.tab.locator('[name=phoneNumber]').waitFor()
    assert.equal(await one.tab.locator('[name=phoneNumber]').inputValue(), national(FAILS))
    assert.equal(await one.tab.locator(`[value=${MTN}]`).isChecked(), true)
  }
  const { depositsHistory } = await checkoutReaches(service, id, 'COMPLETED')
  assert.deepEqual(
    depositsHistory.map(({ status }: { status: string }) => status),
    ['FAILED', 'FAILED', 'COMPLETED'],
  )
})

onAllPages('A-15: the other language keeps what was typed, and stays chosen', async (one) => {
  const other = one.lang === 'en' ? 'fr' : 'en'
  const language = one.lang.toUpperCase()
  const { token } = await page(service, { language, amountDetails: undefined })
  await one.open(`/pay/${token}`)
  assert.equal(await one.tab.locator('html').getAttribute('lang'), one.lang)
  await one.fill('amount', '22')
  await one.fill('phoneNumber', '0763')
  await one.choose(MTN)
  await Promise.all([one.tab.waitForEvent('load'), one.tab.locator('.language').click()])
  assert.equal(await one.tab.locator('html').getAttribute('lang'), other)
  assert.equal(await one.tab.locator('[name=amount]').inputValue(), '22')
  assert.equal(await one.tab.locator('[name=phoneNumber]').inputValue(), '0763')
  assert.equal(await one.tab.locator(`[value=${MTN}]`).isChecked(), true)
  await one.fill('phoneNumber', national(STAYS))
  await one.pay()
  assert.equal(await one.tab.locator('html').getAttribute('lang'), other)
  await one.open(`/pay/${token}`)
  assert.equal(await one.tab.locator('html').getAttribute('lang'), other)
})

onAllPages('A-17: after Pay no page holds the number, the metadata or a token', async (one) => {
  const metadata = [{ orderId: 'ORD-774411' }]
  const body = pageBody({ metadata })
  const { body: answer } = await service.post('/v2/paymentpage', body)
  const path = new URL(answer.redirectUrl).pathname
  await one.open(path)
  await one.fill('phoneNumber', national(STAYS))
  await one.choose(MTN)
  await one.pay()
  await one.sees('waitHeading')
  const source = await one.tab.content()
  assert.ok(source.includes('+260 76 *** *129'))
  for (const secret of [national(STAYS), 'ORD-774411', service.token]) {
    assert.ok(!source.includes(secret), secret)
  }
})

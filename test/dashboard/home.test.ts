import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { addMerchant } from '../../harness/merchant.ts'
import { advanceUntil } from '../../harness/operator.ts'
import { remittanceBody } from '../../harness/remittances.ts'
import { IS_PROOF } from '../../harness/scale.ts'
import { eventually, payer, startService } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { hourOf } from '../../src/domain/payments/hours.ts'
import { countHours } from '../../src/store/payments/hours.ts'
import { rateText } from '../../src/web/dashboard/home/links.tsx'

const service = await startService()
after(() => service.stop())

const MTN = (ending: string) => payer(`260763456${ending}`, 'MTN_MOMO_ZMB')
const MPESA = payer('254708663158', 'MPESA_KEN')

async function post(path: string, body: object): Promise<void> {
  const answer = await service.post(path, body)
  assert.equal(answer.body.status, 'ACCEPTED', JSON.stringify(answer.body))
}
const payout = (amount: string, recipient: object, currency = 'ZMW') =>
  post('/v2/payouts', { payoutId: randomUUID(), amount, currency, recipient })

/** Four days with payments of every kind, in two countries, of every outcome. */
async function someDays(): Promise<void> {
  // Whenever the test runs, its last hour is not at midnight.
  const { body } = await service.get('/sandbox/clock')
  const noon = Date.parse(`${String(body.now).slice(0, 10)}T12:00:00Z`) + 86_400_000
  await service.advance((noon - Date.parse(body.now)) / 1000)
  for (const day of [1, 2, 3, 4]) {
    for (const ending of ['789', '789', '049', '039', '069'].slice(0, day + 1)) {
      await service.deposit({ payer: MTN(ending), amount: String(10 * day) })
    }
    await service.deposit({ payer: MPESA, amount: '700', currency: 'KES' })
    await payout('30', MTN('089'))
    await payout('20', MTN('789'))
    const { id } = await service.deposit({ amount: '44' })
    await service.reaches(id, 'COMPLETED')
    await post('/v2/refunds', { refundId: randomUUID(), depositId: id, amount: '4' })
    await post('/v2/remittances', remittanceBody())
    await service.advance(86_400)
  }
  await service.deposit({ payer: MTN('129') })
  await service.put('/sandbox/availability', {
    provider: 'AIRTEL_OAPI_ZMB',
    operationType: 'PAYOUT',
    status: 'DELAYED',
  })
  await payout('12', payer('260973456789', 'AIRTEL_OAPI_ZMB'))
  await service.put('/sandbox/phones/260763456333', {
    script: [{ afterSeconds: 0, answer: 'silent' }],
  })
  const silent = await service.deposit({ payer: MTN('333') })
  await advanceUntil(service, silent.id, 'IN_RECONCILIATION')
  await eventually(async () => {
    const open = await service.database.query<{ state: string }>(
      `select state from payments where due_at is not null order by state`,
    )
    assert.deepEqual(
      open.map(({ state }) => state),
      ['ENQUEUED', 'IN_RECONCILIATION', 'PROCESSING'],
    )
  })
}
await someDays()

/** Numbers that are links, and where they lead. */
function numbersIn(html: string): { href: string; count: number }[] {
  const found = html.matchAll(
    /<a href="(\/dashboard\/[a-z-]+\?[^"]*)">([\d,\s\u202f\u00a0]+)<\/a>/g,
  )
  return [...found].map(([, href = '', text = '']) => ({
    href: href.replaceAll('&amp;', '&'),
    count: Number(text.replaceAll(/\D/g, '')),
  }))
}

/** How many payments a list says it has. */
function countIn(html: string): number {
  if (/No [a-z ]+ (?:match|yet)\./.test(html)) return 0
  const [, text = ''] = /Newest first\. ([\d,]+) payments?\./.exec(html) ?? []
  return Number(text.replaceAll(',', ''))
}

/** Each number is that of the list to which it leads; a list is asked for once. */
async function assertListed(
  visitor: Awaited<ReturnType<typeof signedIn>>,
  numbers: readonly { readonly href: string; readonly count: number }[],
): Promise<void> {
  const lists = new Map<string, number>()
  for (const { href, count } of numbers) {
    const listed = lists.get(href) ?? countIn((await visitor.get(href)).text)
    lists.set(href, listed)
    assert.equal(count, listed, href)
  }
}

/** In `npm test` all that count something, and of those that are zero the first ones. */
const ZEROS = IS_PROOF ? Number.POSITIVE_INFINITY : 5
function someOf<T extends { readonly href: string; readonly count: number }>(
  numbers: readonly T[],
): readonly T[] {
  const zeros = new Set(numbers.filter(({ count }) => count === 0).map(({ href }) => href))
  const left = new Set([...zeros].slice(0, ZEROS))
  return numbers.filter(({ href, count }) => count > 0 || left.has(href))
}

const everyPage = ['today', '7d', '30d'].flatMap((range) =>
  ['deposits', 'payouts'].map((kind) => `/dashboard?range=${range}&kind=${kind}`),
)
const pages = IS_PROOF ? everyPage : ['/dashboard?range=7d&kind=deposits']

for (const path of [...pages, '/dashboard?range=7d&country=KEN']) {
  it(`every number leads to a list that counts the same: ${path}`, async () => {
    const owner = await signedIn(service)
    const page = await owner.get(path)
    assert.equal(page.status, 200)
    const numbers = numbersIn(page.text).filter(({ href }) => !href.includes('/callbacks'))
    assert.ok(numbers.length > 10, page.text)
    await assertListed(owner, someOf(numbers))
    assert.ok(path.includes('KEN') || numbers.some(({ count }) => count > 1))
  })
}

it('shows the same whether hours were counted already or not', async () => {
  const owner = await signedIn(service)
  const figures = async () => {
    const { text } = await owner.get('/dashboard?range=30d')
    return numbersIn(text).map(({ href, count }) => [href.replace(/to=[^&]*/, ''), count])
  }
  const before = await figures()
  const { body } = await service.get('/sandbox/clock')
  const end = () => hourOf(Date.parse(body.now))
  const countSome = () =>
    service.database.inTransaction((tx) => countHours(tx, 1 as MerchantId, end))
  while (await countSome());
  const counted = await service.database.query('select from payment_hours')
  assert.ok(counted.length > 10)
  assert.deepEqual(await figures(), before)
})

it('rounds rates, and says 100 % of all and 0 % of none alone', () => {
  const shown = [46 / 54, 48 / 49, 29 / 30, 1999 / 2000, 1 / 5000, 1, 0]
  const expected = ['85.2%', '98%', '96.7%', '99.9%', '0.1%', '100%', '0%']
  assert.deepEqual(
    shown.map((rate) => rateText({ lang: 'en' }, rate)),
    expected,
  )
})

it('gives the rate of success, and the one without failures of customers', async () => {
  const owner = await signedIn(service)
  const { text } = await owner.get('/dashboard?range=7d')
  const rows = await service.database.query<{ state: string; code: string | null }>(
    `select state, failure_code as code from payments where kind = 'deposit' and due_at is null`,
  )
  const completed = rows.filter(({ state }) => state === 'COMPLETED').length
  const others = rows.filter(({ code }) => code === 'UNSPECIFIED_FAILURE').length
  const percent = (of: number): string => `${Math.round((completed / of) * 1000) / 10}%`
  assert.notEqual(others, 0)
  const card = /<h3>Deposits<\/h3>.*?<\/article>/s.exec(text)?.[0] ?? ''
  assert.ok(card.includes(`<dd>${percent(rows.length)}</dd>`), card)
  assert.ok(card.includes(`<dd>${percent(completed + others)}</dd>`), card)
  assert.match(text, /UNSPECIFIED_FAILURE/)
  assert.match(text, /Customer or recipient/)
})

it('says what waits: the queue, outcomes that are unknown, callbacks that failed', async () => {
  const { text } = await (await signedIn(service)).get('/dashboard')
  const stuck = numbersIn(text).filter(({ href }) => !href.includes('from='))
  assert.deepEqual(Object.fromEntries(stuck.map(({ href, count }) => [href, count])), {
    '/dashboard/payouts?status=ENQUEUED': 1,
    '/dashboard/payouts?status=IN_RECONCILIATION': 0,
    '/dashboard/deposits?status=IN_RECONCILIATION': 1,
    '/dashboard/callbacks?result=FAILED': 0,
  })
  const lines = async (lang: string): Promise<readonly string[]> => {
    const page = (await (await signedIn(service)).get(`/dashboard?lang=${lang}`)).text
    const [list = ''] = /<ul class="counted">.*?<\/ul>/s.exec(page) ?? []
    return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, line = '']) =>
      line.replaceAll(/<[^>]+>/g, '').replaceAll('\u00a0', ' '),
    )
  }
  assert.deepEqual(await lines('en'), [
    '1 payout in the queue, until the provider works again',
    '1 deposit whose outcome the provider has not reported',
    '0 payouts whose outcome the provider has not reported',
    '0 callbacks that were not delivered and are not tried any more',
  ])
  assert.deepEqual(await lines('fr'), [
    '1 versement en file d’attente, jusqu’au retour de l’opérateur',
    '1 dépôt dont l’opérateur n’a pas communiqué l’issue',
    '0 versement dont l’opérateur n’a pas communiqué l’issue',
    '0 callback non remis et abandonné',
  ])
  assert.match(text, /<a href="\/dashboard\/providers\?country=ZMB">Zambia<\/a>.*?1 delayed/s)
})

it('warns of a wallet that covers less than a day of payments out', async () => {
  const owner = await signedIn(service)
  const low = async () => ((await owner.get('/dashboard')).text.match(/class="low"/g) ?? []).length
  assert.equal(await low(), 0)
  const wallet = { country: 'ZMB', currency: 'ZMW' }
  await service.put('/sandbox/wallets', { ...wallet, balance: '15' })
  assert.equal(await low(), 1)
  await service.put('/sandbox/wallets', { ...wallet, balance: '1000000' })
})

it('shows balances and callbacks only to those who may see them', async () => {
  for (const [role, hasBalances, hasCallbacks] of [
    ['finance', true, false],
    ['operations', false, true],
    ['support', false, true],
  ] as const) {
    const { text } = await (await signedIn(service, role)).get('/dashboard')
    assert.equal(text.includes('id="balances"'), hasBalances, role)
    assert.equal(text.includes('/dashboard/callbacks?result=FAILED'), hasCallbacks, role)
  }
})

it('counts only the countries to which a person is limited', async () => {
  const limited = await signedIn(service, 'admin', { countries: ['KEN'] })
  const { text } = await limited.get('/dashboard?range=30d')
  assert.match(text, /<h3>Deposits<\/h3><p class="large"><a href="[^"]*">4<\/a>/)
  for (const other of ['ZMW', 'Zambia', 'IN_RECONCILIATION">1']) {
    assert.ok(!text.includes(other), other)
  }
  const counted = numbersIn(text).filter(({ href }) => !href.includes('/callbacks'))
  assert.ok(counted.length > 10)
  await assertListed(limited, someOf(counted))
  assert.equal((await limited.get('/dashboard?country=ZMB')).status, 404)
  assert.equal((await limited.get('/dashboard?country=XXX')).status, 404)
})

it('each chart has a table that says the same, and nothing is styled inline', async () => {
  const owner = await signedIn(service)
  for (const lang of ['en', 'fr']) {
    const { text } = await owner.get(`/dashboard?range=30d&lang=${lang}`)
    const figures = [...text.matchAll(/<figure>.*?<\/figure>/gs)].map(([figure]) => figure)
    assert.ok(figures.length >= 3)
    for (const figure of figures) {
      assert.match(figure, /<svg class="chart"[^>]* role="img" aria-labelledby="[\w-]+"><title id=/)
      assert.match(figure, /<details><summary>[^<]+<\/summary><div class="scroll"><table/)
      assert.equal(figure.match(/<th scope="row"/g)?.length, 30)
    }
    assert.doesNotMatch(text, /\sstyle="/)
    assert.equal(text.includes('Volume and count'), lang === 'en')
  }
})

const DAYS_FOLLOWED = 6

it('days begin where the person is', async () => {
  const owner = await signedIn(service)
  await service.database.query(`update users set time_zone = 'Asia/Kathmandu' where user_id = $1`, [
    owner.userId,
  ])
  const { text } = await owner.get('/dashboard?range=7d')
  const numbers = numbersIn(text).filter(({ href }) => href.includes('from='))
  assert.ok(numbers.every(({ href }) => /from=[^&]*T18%3A15%3A00/.test(href)))
  const some = numbers.filter(({ count }) => count > 0)
  assert.notEqual(some.length, 0)
  // Where the days of the others begin is in their addresses.
  await assertListed(owner, IS_PROOF ? some : some.slice(-DAYS_FOLLOWED))
})

it('says so where there is nothing yet, and shows the way out', async () => {
  const { id: merchantId } = await addMerchant(service, { name: 'New' })
  const owner = await signedIn(service, 'owner', { merchantId })
  const today = await owner.get('/dashboard')
  assert.match(today.text, /No payments in this time\./)
  assert.match(today.text, /href="\/dashboard\?range=30d&amp;kind=deposits"/)
})

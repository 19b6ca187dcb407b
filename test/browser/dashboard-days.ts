/** Three people and what they do with the dashboard on an ordinary day: see docs/dashboard.md. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { signedIn } from '../../harness/dashboard.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { itOnAllPages } from '../../harness/scale.ts'
import { clientOf, eventually, payer } from '../../harness/service.ts'
import type { Role } from '../../src/domain/people/roles.ts'
import { hashPassword } from '../../src/signing/passwords.ts'
import { changeUser } from '../../src/store/people/users.ts'
import { mailedCode } from '../people/people.ts'
import { browser, service } from './rig.ts'

const receiver = await startReceiver()
after(() => receiver.close())
await service.put('/sandbox/callbacks', { deposit: receiver.url })

const PASSWORD = 'tall giraffes drink slowly'
const passwordHash = await hashPassword(PASSWORD, { log2N: 10, r: 8, p: 1 })

/** Signs in with e-mail, password and the code that comes by mail, as people do. */
async function signIn(role: Role): Promise<Page> {
  const { email, userId } = await signedIn(service, role)
  await changeUser(service.database, userId, { passwordHash })
  const context = await browser.newContext({ acceptDownloads: true })
  context.setDefaultTimeout(120_000)
  const tab = await context.newPage()
  await tab.goto(`${service.url}/dashboard/deposits?lang=en`)
  await tab.getByLabel('E-mail').fill(email)
  await tab.getByLabel('Password').fill(PASSWORD)
  await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
  await tab.getByRole('heading', { level: 1, name: 'Look at your mail' }).waitFor()
  await tab.getByLabel('Code').fill(await mailedCode(service, email, 0))
  await tab.getByRole('button', { name: 'Continue', exact: true }).click()
  await tab.getByRole('heading', { level: 1, name: 'Deposits' }).waitFor()
  return tab
}

async function searchFor(tab: Page, text: string): Promise<void> {
  await tab.keyboard.press('/')
  await tab.keyboard.type(text)
  await tab.keyboard.press('Enter')
}

const paid = await service.deposit({
  amount: '40',
  clientReferenceId: 'INV-2041',
  metadata: [{ orderId: 'ORD-2041' }, { mail: 'somebody@example.com', isPII: true }],
  payer: payer('260763456789', 'MTN_MOMO_ZMB'),
})
const failed = await service.deposit({
  metadata: [{ orderId: 'ORD-2042' }],
  payer: payer('260763456039', 'MTN_MOMO_ZMB'),
})
await service.reaches(paid.id, 'COMPLETED')
await service.reaches(failed.id, 'FAILED')

describe('a support agent', () => {
  itOnAllPages('answers "where is my money?" with one search', async () => {
    const tab = await signIn('support')
    await searchFor(tab, 'ORD-2042')
    await tab.waitForURL(`**/deposits/${failed.id}`)
    await tab.getByText('PAYMENT_NOT_APPROVED').first().waitFor()
    await searchFor(tab, '0763 456 039')
    await tab.locator(`a[href$="${failed.id}"]`).waitFor()

    await searchFor(tab, 'INV-2041')
    await tab.waitForURL(`**/deposits/${paid.id}`)
    assert.equal(await tab.getByText('somebody@example.com').count(), 0)
    await tab.getByRole('button', { name: 'Show personal data' }).click()
    await tab.getByText('somebody@example.com').first().waitFor()

    const before = receiver.received.length
    await tab.goto(`${service.url}/dashboard/deposits/${paid.id}`)
    await tab.getByRole('button', { name: 'Send the callback again' }).click()
    await tab.getByText('The callback will be sent again.').waitFor()
    await eventually(() => assert.ok(receiver.received.length > before))

    // Money is not theirs to move, nor to see.
    assert.equal(await tab.getByRole('button', { name: 'Refund' }).count(), 0)
    const answer = await tab.goto(`${service.url}/dashboard/statements`)
    assert.equal(answer?.status(), 403)
    await tab.context().close()
  })
})

describe('a finance person', () => {
  it('checks the day, gives money back, and proves the balance', async () => {
    const tab = await signIn('finance')
    await tab.goto(`${service.url}/dashboard`)
    const card = tab.locator('.figure', { hasText: 'Deposits' }).first()
    const counted = Number((await card.locator('.large').innerText()).replace(/\D/g, ''))
    await card.locator('.large a').click()
    await tab.getByRole('heading', { level: 1, name: 'Deposits' }).waitFor()
    assert.match(
      await tab.locator('caption').first().innerText(),
      new RegExp(`\\b${counted} payments`),
    )

    await searchFor(tab, 'INV-2041')
    await tab.waitForURL(`**/deposits/${paid.id}`)
    await tab.getByLabel('Amount (ZMW)').fill('15')
    await tab.getByRole('button', { name: 'Refund' }).click()
    await tab.getByRole('heading', { name: 'Check the refund' }).waitFor()
    await tab.getByRole('button', { name: 'Refund 15.00' }).click()
    await tab.getByText('The refund is accepted.').waitFor()
    await eventually(async () => {
      await tab.reload()
      assert.ok(await tab.getByText('Up to 25.00').isVisible())
    })

    await tab.goto(`${service.url}/dashboard/statements?wallet=ZMB-ZMW`)
    const [download] = await Promise.all([
      tab.waitForEvent('download'),
      tab.locator('a[href*="statements.csv"]').first().click(),
    ])
    const [head = '', ...lines] = (await readFile(await download.path(), 'utf8')).split('\r\n')
    const columns = head.split(',')
    const refunds = lines.filter((line) => line.split(',')[columns.indexOf('type')] === 'REFUND')
    assert.ok(refunds.length > 0)
    await tab.context().close()
  })

  itOnAllPages('pays many people from a file, which somebody else approves', async () => {
    const maker = await signIn('operations')
    await maker.goto(`${service.url}/dashboard/bulk-payouts`)
    await maker
      .getByLabel('Or paste the rows')
      .fill('phoneNumber,amount,currency\n260763456789,5,ZMW\n260763456789,6,ZMW\n')
    await maker.getByRole('button', { name: 'Upload and check' }).click()
    await maker.getByText('All 2 rows are right.').waitFor()
    await maker.getByRole('button', { name: /submit/i }).click()
    await maker.getByText('Needs approval').first().waitFor()
    const address = maker.url()

    const checker = await signIn('finance')
    await checker.goto(address)
    await checker
      .getByRole('button', { name: /approve/i })
      .first()
      .click()
    await eventually(async () => {
      await checker.goto(address)
      assert.ok(await checker.getByText('Done').first().isVisible())
    })
    const rows = await service.database.query(
      `select amount::text from payments where details->>'source' = 'BULK' and state = 'COMPLETED'
       order by amount`,
    )
    assert.deepEqual(rows, [{ amount: '5' }, { amount: '6' }])
    await maker.context().close()
    await checker.context().close()
  })
})

describe('a developer', () => {
  itOnAllPages('makes a token, sees what it asked, and tests where callbacks go', async () => {
    const tab = await signIn('developer')
    await tab.goto(`${service.url}/dashboard/tokens`)
    await tab.getByLabel('Name', { exact: true }).fill('Shop')
    await tab.getByLabel('toolkit: read').check()
    await tab.getByRole('button', { name: 'Create the token' }).click()
    await tab.getByText('Your new token').waitFor()
    const token = /mlp_sbx_[\w-]+/.exec(await tab.locator('main').innerText())?.[0] ?? ''
    const shop = clientOf(service.url, token)
    assert.equal((await shop.deposit()).status, 403, 'no more than was ticked')

    await eventually(async () => {
      await tab.goto(`${service.url}/dashboard/requests?path=/v2/deposits`)
      assert.ok(await tab.getByText('403').first().isVisible())
    })
    assert.ok(!(await tab.content()).includes(token))

    await tab.goto(`${service.url}/dashboard/callback-urls/deposit`)
    await tab.getByRole('button', { name: 'Send a test' }).click()
    await tab.getByText('200').first().waitFor()
    assert.ok(receiver.received.length > 0)

    await tab.goto(`${service.url}/dashboard/callbacks`)
    await tab.locator('tbody a').first().click()
    await tab.getByText('Signature-Input').first().waitFor()
    await tab.context().close()
  })
})

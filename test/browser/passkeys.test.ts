import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import { startBrowser } from '../../harness/browser.ts'
import { startService } from '../../harness/service.ts'
import { mailedCode, mailsTo, PASSWORD, personWithPassword } from '../people/people.ts'
import { freePorts } from '../support/ports.ts'

// Browsers know passkeys for names only, so the service goes by the name of this machine.
const port = await freePorts()
const url = `http://localhost:${port}`
const service = await startService({ PORT: String(port), MALIPO_PUBLIC_URL: url })
const browser = await startBrowser()
after(async () => {
  await browser.close()
  await service.stop()
})

const { database } = service

type Device = {
  readonly page: Page
  readonly cdp: CDPSession
  readonly authenticatorId: string
  setVerified(isVerified: boolean): Promise<void>
}

/** A browser with an authenticator of its own, which agrees to everything. */
async function openDevice(): Promise<Device> {
  const context = await browser.newContext()
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const setVerified = async (isUserVerified: boolean): Promise<void> => {
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  }
  return { page, cdp, authenticatorId, setVerified }
}

async function enter(page: Page, email: string): Promise<void> {
  const { length } = await mailsTo(service, email)
  await page.goto(`${url}/sign-in`)
  await page.fill('[name=email]', email)
  await page.fill('[name=password]', PASSWORD)
  await page.click('main button.main')
  await page.waitForSelector('#code')
  if ((await page.locator('form[data-passkey]').count()) > 0) return
  await page.fill('#code', await mailedCode(service, email, length))
  await page.click('main button.main')
  await page.waitForURL(/\/dashboard$/)
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto(`${url}/dashboard/account`)
  await page.fill('[name=passkey-name]', name)
  await page.click('form[data-passkey] button')
  await page.waitForSelector('h1:has-text("Your recovery codes"), .notice:has-text("passkey")')
}

const signOut = (page: Page) => page.context().clearCookies()

it('a passkey is added, named, used instead of a password, and removed', async () => {
  const { email, userId } = await personWithPassword(service)
  const { page } = await openDevice()
  await enter(page, email)
  await addPasskey(page, 'Phone of Amina')
  assert.equal(await page.locator('ul.codes li').count(), 10, 'with the codes for when it is lost')
  await page.goto(`${url}/dashboard/account`)
  await page.fill('table input[name=name]', 'Laptop')
  await page.click('button:has-text("Rename")')
  await page.waitForSelector('.notice:has-text("new name")')
  await signOut(page)
  await page.goto(`${url}/sign-in?next=/dashboard/account`)
  await page.click('form[data-passkey] button')
  await page.waitForURL(`${url}/dashboard/account`)
  assert.equal(await page.inputValue('table input[name=name]'), 'Laptop')
  await page.click('button[aria-label="Remove Laptop"]')
  await page.waitForSelector('.notice:has-text("removed")')
  const left = await database.query('select from passkeys where user_id = $1', [userId])
  assert.equal(left.length, 0)
  const entries = await database.query<{ action: string }>(
    'select action from audit_entries where actor = $1 order by number',
    [email],
  )
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['signed in', 'passkey added', 'passkey named', 'signed in', 'passkey removed'],
  )
  await signOut(page)
  await page.goto(`${url}/sign-in`)
  await page.click('form[data-passkey] button')
  await page.waitForSelector('text=E-mail or password is not right')
})

it('a passkey is a second factor after the password, and before a sensitive change', async () => {
  const { email, userId } = await personWithPassword(service)
  const { page } = await openDevice()
  await enter(page, email)
  await addPasskey(page, 'Key')
  await signOut(page)
  await enter(page, email)
  await page.waitForSelector('h1:has-text("Enter your code")')
  assert.equal((await page.request.get(`${url}/dashboard`, { maxRedirects: 0 })).status(), 303)
  await page.click('form[data-passkey] button')
  await page.waitForURL(`${url}/dashboard`)
  await database.query(
    `update user_sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1`,
    [userId],
  )
  await page.goto(`${url}/dashboard/team`)
  await page.fill('#email', 'by-passkey@example.com')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.waitForSelector('h1:has-text("Is it you?")')
  await page.click('form[data-passkey] button')
  await page.waitForSelector('.notice:has-text("by-passkey@example.com is invited")')
})

it('alone it needs more than a touch of the device', async () => {
  const { email } = await personWithPassword(service)
  const { page, setVerified } = await openDevice()
  await enter(page, email)
  await addPasskey(page, 'Key')
  await signOut(page)
  await page.goto(`${url}/sign-in`)
  // As a page would that was changed on its way: it asks for less.
  await page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('form[data-passkey]')
    if (form?.dataset.passkey === undefined) throw new Error('no form')
    const asked = JSON.parse(form.dataset.passkey)
    form.dataset.passkey = JSON.stringify({ ...asked, userVerification: 'discouraged' })
  })
  await setVerified(false)
  await page.click('form[data-passkey] button')
  await page.waitForSelector('text=E-mail or password is not right')
})

it('what a passkey signed counts once, for what it was asked', async () => {
  const { email } = await personWithPassword(service)
  const { page } = await openDevice()
  await enter(page, email)
  await addPasskey(page, 'Key')
  await signOut(page)
  await page.goto(`${url}/sign-in`)
  const sent = page.waitForRequest((request) => request.url().includes('/sign-in/passkey'))
  await page.click('form[data-passkey] button')
  const form = (await sent).postData() ?? ''
  await page.waitForURL(`${url}/dashboard`)
  const post = (path: string, body: string | URLSearchParams) =>
    fetch(url + path, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
      redirect: 'manual',
    })
  assert.equal((await post('/sign-in/passkey', form)).status, 401, 'a second time')
  const half = await post('/sign-in', new URLSearchParams({ email, password: PASSWORD }))
  const cookie = half.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const code = new URLSearchParams(form).get('passkey') ?? ''
  const second = await fetch(`${url}/sign-in`, {
    method: 'POST',
    headers: { origin: url, cookie },
    body: new URLSearchParams({ code }),
    redirect: 'manual',
  })
  assert.equal(second.status, 401, 'as a second factor')
  for (const broken of [
    '',
    '{',
    '{}',
    '[]',
    'null',
    '{"id":1}',
    code.replace('"id":"', '"id":"A'),
  ]) {
    const body = new URLSearchParams({ passkey: broken })
    assert.equal((await post('/sign-in/passkey', body)).status, 401, broken.slice(0, 20))
  }
})

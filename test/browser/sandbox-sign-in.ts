import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { phoneOf } from '../../harness/phones.ts'
import { cookieOf } from '../../harness/sandbox-page.ts'
import { itOnAllPages } from '../../harness/scale.ts'
import { freshNumber, heading, press, visitor, words } from './developer.ts'
import { service } from './rig.ts'

const NUMBER = '260763456789'

async function signIn(tab: Page): Promise<void> {
  await tab.goto(`${service.url}/sandbox?lang=en`)
  await tab.locator('#token').fill(service.token)
  await press(tab, words.signIn)
  await heading(tab, words.heading)
}

describe('signing in', () => {
  itOnAllPages('opens with the API token, and stays open', async () => {
    const one = await visitor()
    await signIn(one.tab)
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

  itOnAllPages('leads on to the shop where the way was to', async () => {
    const { tab, context } = await visitor()
    await tab.goto(`${service.url}/sandbox/shop`)
    await tab.locator('#token').fill(service.token)
    await press(tab, words.signIn)
    await heading(tab, words.shopHeading)
    await context.close()
  })

  itOnAllPages('says what is wrong with a token, and does not repeat it', async () => {
    const { tab, context } = await visitor()
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
    // Not at the end, where bits of the last letter mean nothing.
    const other = cookie.at(-5) === 'A' ? 'B' : 'A'
    assert.equal(await look(cookie.slice(0, -5) + other + cookie.slice(-4)), 401)
    assert.equal(await look('malipo_sandbox=1.x.y'), 401)
    const revoke = (at: string) =>
      service.database.query(`update api_tokens set revoked_at = ${at}`)
    await revoke('now()')
    assert.equal(await look(cookie), 401)
    await revoke('null')
  })

  it('does nothing for a form of another site', async () => {
    const number = freshNumber()
    await fetch(`${service.url}/sandbox/acts`, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.example', cookie: await cookieOf(service) },
      body: new URLSearchParams({ do: 'take', number }),
      redirect: 'manual',
    })
    assert.equal((await phoneOf(service, number).look()).mode, 'auto')
  })
})

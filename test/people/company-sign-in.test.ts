import assert from 'node:assert/strict'
import { after, beforeEach, it } from 'node:test'
import { startService } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { seal } from '../../src/signing/keys.ts'
import { putCompanySignIn } from '../../src/store/people/company-sign-in.ts'
import { putMembership } from '../../src/store/people/users.ts'
import { createMerchant } from '../../src/usecases/accounts/manage-merchants.ts'
import { formIn, type Jar, openJar } from '../support/cookie-jar.ts'
import { startOpenIdProvider } from '../support/openid-provider.ts'
import { personWithPassword } from './people.ts'

const service = await startService()
const provider = await startOpenIdProvider()
after(async () => {
  await service.stop()
  await provider.close()
})

const { database, url } = service
const { secretKey } = service.node.ctx.people
await putCompanySignIn(
  database,
  {
    merchantId: 1 as MerchantId,
    issuer: provider.issuer,
    clientId: provider.clientId,
    sealedClientSecret: seal(secretKey, provider.clientSecret),
    domains: ['example.com'],
  },
  Date.now(),
)
const other = await createMerchant(database, {
  slug: 'other',
  name: 'Other',
  providers: [],
  now: 1,
})

beforeEach(() => {
  provider.claims = {}
  provider.forge = undefined
})

/** From the first page to the answer of the provider, as links and redirects lead. */
async function comeBack(jar: Jar, email: string, next = '/dashboard'): Promise<string> {
  const led = await jar.post('/sign-in/company', { email, next })
  const page = await jar.get(led.location ?? '')
  const go = /href="(\/sign-in\/company\/go\?[^"]+)"/.exec(page.text)?.[1] ?? ''
  const away = await jar.get(go.replaceAll('&amp;', '&'))
  assert.equal(away.status, 303)
  assert.ok(away.location?.startsWith(`${provider.issuer}/authorize?`), away.location ?? '')
  const back = await fetch(away.location ?? '', { redirect: 'manual' })
  return back.headers.get('location') ?? ''
}

const confirmed = (email: string) => ({ email, email_verified: true })

it('leads people of the domain to their provider, and back in', async () => {
  const { email } = await personWithPassword(service, 'finance')
  provider.claims = confirmed(email.toUpperCase())
  const jar = openJar(url)
  const entered = await jar.get(await comeBack(jar, email, '/dashboard/account'))
  assert.deepEqual([entered.status, entered.location], [303, '/dashboard/account'])
  assert.equal((await jar.get('/dashboard')).status, 200)
  const query = provider.asked.at(-1)
  assert.equal(query?.get('code_challenge_method'), 'S256')
  assert.equal(query?.get('redirect_uri'), `${url}/sign-in/company/answer`)
  assert.equal(query?.get('response_type'), 'code')
})

it('says nothing about which people exist', async () => {
  const jar = openJar(url)
  const { email } = await personWithPassword(service)
  const pages = await Promise.all(
    [email, 'nobody-there@example.com'].map(async (one) => {
      const led = await jar.post('/sign-in/company', { email: one })
      return (await jar.get(led.location ?? '')).text
    }),
  )
  assert.equal(pages[0], pages[1])
  const none = await jar.post('/sign-in/company', { email: 'somebody@elsewhere.example' })
  const page = await jar.get(none.location ?? '')
  assert.equal(page.status, 404)
  assert.match(page.text, /No company has set this up/)
})

it('takes verified e-mails of members only', async () => {
  const { email } = await personWithPassword(service)
  const stranger = await personWithPassword(service, 'owner', [other ?? 0])
  const refused = [
    [{ email, email_verified: false }, /did not confirm who you are/],
    [{ email }, /did not confirm who you are/],
    [{}, /did not confirm who you are/],
    [confirmed('not-invited@example.com'), /not on the team/],
    [confirmed(stranger.email), /not on the team/],
  ] as const
  for (const [claims, words] of refused) {
    provider.claims = claims
    const jar = openJar(url)
    const answer = await jar.get(await comeBack(jar, email))
    assert.equal(answer.status, 403)
    assert.match(answer.text, words)
    assert.equal(jar.cookies.has('malipo_session'), false)
  }
})

it('a way back that did not begin in this browser, or is old, or is used twice, leads nowhere', async () => {
  const { email } = await personWithPassword(service)
  provider.claims = confirmed(email)
  const jar = openJar(url)
  const back = await comeBack(jar, email)
  const elsewhere = openJar(url)
  assert.equal((await elsewhere.get(back)).status, 403, 'another browser')
  await comeBack(elsewhere, email)
  assert.equal((await elsewhere.get(back)).status, 403, 'the state of another way')
  const kept = jar.cookies.get('malipo_company') ?? ''
  jar.cookies.set('malipo_company', `${kept.slice(0, -4)}AAAA`)
  assert.equal((await jar.get(back)).status, 403, 'a changed cookie')
  jar.cookies.set('malipo_company', kept)
  assert.equal((await jar.get(back)).status, 303)
  jar.cookies.set('malipo_company', kept)
  assert.equal((await jar.get(back)).status, 403, 'the code counts once')
})

it('refuses tokens that the provider did not sign, or that are meant for others', async () => {
  const { email } = await personWithPassword(service)
  const bad: readonly [object, ((token: string) => string)?][] = [
    [{}, (token) => token.replace(/[^.]+$/, (signature) => signature.split('').reverse().join(''))],
    [{ aud: 'somebody-else' }],
    [{ iss: 'http://127.0.0.1:1' }],
    [{ nonce: 'another' }],
    [{ exp: 1 }],
  ]
  for (const [claims, forge] of bad) {
    provider.claims = { ...confirmed(email), ...claims }
    provider.forge = forge
    const jar = openJar(url)
    assert.equal((await jar.get(await comeBack(jar, email))).status, 403, JSON.stringify(claims))
  }
})

it('the provider of one merchant opens that merchant alone, and no account', async () => {
  const { email, userId } = await personWithPassword(service, 'owner', [1, other ?? 0])
  await putMembership(database, {
    merchantId: (other ?? 0) as MerchantId,
    userId,
    role: 'owner',
    countries: [],
    now: Date.now(),
  })
  provider.claims = confirmed(email)
  const jar = openJar(url)
  await jar.get(await comeBack(jar, email))
  const shown = await jar.get('/dashboard/account')
  assert.equal(shown.status, 200)
  assert.doesNotMatch(shown.text, /Other/)
  assert.match(shown.text, /You signed in with your company/)
  const form = formIn(shown.text)
  await jar.post('/dashboard/merchant', { form, merchant: 'other' })
  assert.doesNotMatch((await jar.get('/dashboard')).text, /· Other<\/title>/)
  for (const path of ['password', 'password-link', 'authenticator', 'recovery-codes', 'passkeys']) {
    const answer = await jar.post(`/dashboard/account/${path}`, { form })
    assert.equal(answer.status, 403, path)
  }
})

it('asks the provider again before a sensitive change', async () => {
  const { email, userId } = await personWithPassword(service)
  provider.claims = confirmed(email)
  const jar = openJar(url)
  await jar.get(await comeBack(jar, email))
  await database.query(
    `update user_sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1`,
    [userId],
  )
  const form = formIn((await jar.get('/dashboard')).text)
  const invited = { form, email: 'by-company@example.com', role: 'support' }
  const asked = await jar.post('/dashboard/team/invite', invited)
  const again = /href="(\/sign-in\/company\/go\?[^"]+)"/.exec(asked.text)?.[1] ?? ''
  const away = await jar.get(again.replaceAll('&amp;', '&'))
  assert.equal(new URL(away.location ?? '').searchParams.get('prompt'), 'login')
  const back = await fetch(away.location ?? '', { redirect: 'manual' })
  await jar.get(back.headers.get('location') ?? '')
  const fresh = formIn((await jar.get('/dashboard')).text)
  assert.equal((await jar.post('/dashboard/team/invite', { ...invited, form: fresh })).status, 303)
})

it('says so when the provider cannot be reached', async () => {
  await putCompanySignIn(
    database,
    {
      merchantId: (other ?? 0) as MerchantId,
      issuer: 'http://127.0.0.1:9',
      clientId: 'x',
      sealedClientSecret: seal(secretKey, 'x'),
      domains: ['unreachable.example'],
    },
    Date.now(),
  )
  const answer = await openJar(url).get(`/sign-in/company/go?merchant=${other}`)
  assert.equal(answer.status, 502)
  assert.match(answer.text, /cannot be reached/)
})

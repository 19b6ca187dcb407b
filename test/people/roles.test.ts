import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import { type Shown, signedIn, type Visitor } from '../../harness/dashboard.ts'
import { IS_PROOF, itInProofs } from '../../harness/scale.ts'
import { shareService } from '../../harness/share.ts'
import { may, ROLES, type Role } from '../../src/domain/people/roles.ts'
import { DASHBOARD_ROUTES } from '../../src/web/dashboard/routes.ts'
import type { DashboardRoute } from '../../src/web/dashboard/visit.ts'

const service = await shareService()
after(() => service.stop())
const { merchantId } = service
const FORM = 'application/x-www-form-urlencoded'
const { id } = await service.deposit({ clientReferenceId: 'only-for-some' })

const filled = (path: string): string =>
  path.replace(/:\w+/g, path.includes('deposits') ? id : randomUUID())

const isAllowed = (role: Role, { permission }: DashboardRoute): boolean =>
  permission === 'anyone' || may(role, permission)

const PAGES = DASHBOARD_ROUTES.filter(({ method }) => method === undefined)
const visitors = new Map(
  await Promise.all(
    ROLES.map(async (role) => [role, await signedIn(service, role, { merchantId })] as const),
  ),
)
const visitorOf = (role: Role): Visitor => visitors.get(role) ?? assert.fail(role)

/** Every page, as the owner sees it, who sees all of them. */
const seen = new Map<string, Shown>()
for (const { path } of PAGES) seen.set(path, await visitorOf('owner').get(filled(path)))

it('the owner sees every page', () => {
  assert.ok(PAGES.length > 20)
  for (const [path, { status }] of seen) {
    assert.ok([200, 204, 303, 404].includes(status), `${path}: ${status}`)
  }
})

for (const role of ROLES) {
  describe(`somebody with the role ${role}`, () => {
    it('is turned away from the pages and forms of other roles by one that says so', async () => {
      const visitor = visitorOf(role)
      for (const route of DASHBOARD_ROUTES.filter((one) => !isAllowed(role, one))) {
        const address = filled(route.path)
        const isForm = route.method === 'POST'
        const { status, text } = await (isForm ? visitor.post(address) : visitor.get(address))
        assert.equal(status, 403, `${route.method ?? 'GET'} ${route.path}`)
        assert.doesNotMatch(text, /only-for-some/)
      }
    })

    itInProofs('sees the pages of the role', async () => {
      for (const { path } of PAGES.filter((route) => isAllowed(role, route))) {
        const { status } = await visitorOf(role).get(filled(path))
        assert.ok([200, 204, 303, 404].includes(status), `${path}: ${status}`)
      }
    })

    it('has a menu without a dead end', async () => {
      const { text } = await visitorOf(role).get('/dashboard')
      const links = [...text.matchAll(/href="(\/dashboard[^"?#]*)"/g)].map(([, href]) => href ?? '')
      assert.ok(links.length > 4)
      for (const href of new Set(links)) {
        // With a parameter, it leads to something that was made, and not from the menu.
        const route = PAGES.find(({ path }) => path === href)
        assert.ok(route !== undefined && isAllowed(role, route), href)
        // What the owner sees shows that it is there; others are let in by the same guard.
        const { status } = IS_PROOF ? await visitorOf(role).get(href) : (seen.get(href) ?? {})
        assert.equal(status, 200, href)
      }
    })
  })
}

it('every page is light, kept by nobody, framed by nobody, and runs no foreign script', () => {
  let count = 0
  for (const [path, { status, headers, text }] of seen) {
    if (path.includes('.csv')) continue
    if (status !== 200 || headers.get('content-type')?.startsWith('text/html') !== true) continue
    count += 1
    const weight = gzipSync(text).length
    assert.ok(weight <= 60_000, `${path}: ${weight} bytes`)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/, path)
    assert.doesNotMatch(policy, /unsafe|\*|https?:/, path)
    if (!path.includes('preview')) assert.match(policy, /frame-ancestors 'none'/, path)
    assert.equal(headers.get('cache-control'), 'no-store', path)
    assert.doesNotMatch(text, / on[a-z]+="| style="|javascript:|src="(?!data:|\/)/, path)
  }
  assert.ok(count > 15, `${count} pages`)
})

it('without a session every page and every form leads to the sign-in', async () => {
  for (const { path, method } of DASHBOARD_ROUTES) {
    const { statusCode, headers, body } = await request(service.url + filled(path), {
      ...(method === 'POST'
        ? { method, headers: { 'content-type': FORM }, body: 'form=x' }
        : { method: 'GET' }),
    })
    await body.dump()
    assert.equal(statusCode, 303, `${method ?? 'GET'} ${path}`)
    assert.match(String(headers.location), /^\/sign-in/, `${method ?? 'GET'} ${path}`)
  }
})

describe('a form', () => {
  const changing = DASHBOARD_ROUTES.filter(({ method }) => method === 'POST')
  it('without its token, with another one, or from another site is refused', async () => {
    const visitor = visitorOf('owner')
    const other = await signedIn(service, 'owner', { merchantId })
    const token = /name="form" value="([^"]+)"/.exec((await other.get('/dashboard')).text)?.[1]
    for (const { path } of changing) {
      const address = filled(path)
      assert.equal((await visitor.post(address, { form: '' })).status, 403, path)
      if (!IS_PROOF && path !== changing[0]?.path) continue
      assert.equal((await visitor.post(address, { form: token ?? '' })).status, 403, path)
    }
    const own = /name="form" value="([^"]+)"/.exec((await visitor.get('/dashboard')).text)?.[1]
    const foreign = await fetch(`${service.url}/dashboard/merchant`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: visitor.cookie, origin: 'https://example.org' },
      body: new URLSearchParams({ form: own ?? '' }),
    })
    assert.equal(foreign.status, 403)
  })
})

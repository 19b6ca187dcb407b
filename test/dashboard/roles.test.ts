import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { signedIn } from '../../harness/dashboard.ts'
import { IS_PROOF } from '../../harness/scale.ts'
import { shareService } from '../../harness/share.ts'
import { may, ROLES } from '../../src/domain/people/roles.ts'
import { DASHBOARD_ROUTES } from '../../src/web/dashboard/routes.ts'

const service = await shareService()
after(() => service.stop())
const { merchantId } = service
const { id } = await service.deposit({ clientReferenceId: 'only-for-some' })

const filled = (path: string): string =>
  path.replace(/:\w+/g, path.includes('deposits') ? id : randomUUID())

/** Whose pages are all looked at. */
const SEES_ALL = IS_PROOF ? ROLES : ROLES.slice(0, 1)

for (const role of ROLES) {
  describe(`somebody with the role ${role}`, () => {
    it('sees the pages of the role, and of all others a page that says so', async () => {
      const visitor = await signedIn(service, role, { merchantId })
      for (const { path, permission, method } of DASHBOARD_ROUTES) {
        const isAllowed = permission === 'anyone' || may(role, permission)
        if (method === 'POST' && isAllowed) continue
        // Those of the menu are followed below, by every role.
        if (isAllowed && !SEES_ALL.includes(role)) continue
        const address = filled(path)
        const answer = await (method === 'POST' ? visitor.post(address) : visitor.get(address))
        const { status, text } = answer
        if (isAllowed) assert.ok([200, 204, 303, 404].includes(status), `${path}: ${status}`)
        else assert.equal(status, 403, `${method ?? 'GET'} ${path}`)
        if (!isAllowed) assert.doesNotMatch(text, /only-for-some/)
      }
    })

    it('follows every link of the menu without a dead end', async () => {
      const visitor = await signedIn(service, role, { merchantId })
      const { text } = await visitor.get('/dashboard')
      const links = [...text.matchAll(/href="(\/dashboard[^"?#]*)"/g)].map(([, href]) => href ?? '')
      assert.ok(links.length > 4)
      for (const href of new Set(links)) {
        assert.equal((await visitor.get(href)).status, 200, href)
      }
    })
  })
}

it('every page is light, kept by nobody, framed by nobody, and runs no foreign script', async () => {
  const visitor = await signedIn(service, 'owner', { merchantId })
  const pages = DASHBOARD_ROUTES.filter(
    ({ method, path }) => method === undefined && !path.includes('.csv'),
  )
  for (const { path } of pages) {
    const { status, headers, text } = await visitor.get(filled(path))
    if (status !== 200 || headers.get('content-type')?.startsWith('text/html') !== true) continue
    const weight = gzipSync(text).length
    assert.ok(weight <= 60_000, `${path}: ${weight} bytes`)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/, path)
    assert.doesNotMatch(policy, /unsafe|\*|https?:/, path)
    if (!path.includes('preview')) assert.match(policy, /frame-ancestors 'none'/, path)
    assert.equal(headers.get('cache-control'), 'no-store', path)
    assert.doesNotMatch(text, / on[a-z]+="| style="|javascript:|src="(?!data:|\/)/, path)
  }
})

describe('a request without a session', () => {
  for (const { path, method } of DASHBOARD_ROUTES) {
    it(`${method ?? 'GET'} ${path} leads to the sign-in`, async () => {
      const answer = await fetch(service.url + filled(path), {
        redirect: 'manual',
        ...(method === 'POST' ? { method, body: new URLSearchParams({ form: 'x' }) } : {}),
      })
      assert.equal(answer.status, 303)
      assert.match(answer.headers.get('location') ?? '', /^\/sign-in/)
    })
  }
})

describe('a form', () => {
  const changing = DASHBOARD_ROUTES.filter(({ method }) => method === 'POST')
  it('without its token, with another one, or from another site is refused', async () => {
    const visitor = await signedIn(service, 'owner', { merchantId })
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

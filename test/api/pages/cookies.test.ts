import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { checkout, PAYS } from '../../../harness/hosted.ts'
import { type Service, startService } from '../../../harness/service.ts'

const plain = await startService()
const secured = await startService({ MALIPO_PUBLIC_URL: 'https://pay.example' })
after(async () => {
  await plain.stop()
  await secured.stop()
})

const visit = (service: Service, path: string, form?: Record<string, string>) =>
  fetch(service.url + path, {
    redirect: 'manual',
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  })

it('a program that only looks at a link with HEAD does not use it up', async () => {
  const code = await plain.node.sandboxSessions.inviteHolder(plain.token)
  const link = `${plain.url}/sandbox/enter/${code}`
  for (const _ of [1, 2]) {
    const { status, headers } = await fetch(link, { method: 'HEAD', redirect: 'manual' })
    assert.deepEqual([status, headers.get('set-cookie')], [200, null])
  }
  const first = await visit(plain, `/sandbox/enter/${code}`)
  assert.equal(first.status, 303)
  assert.match(first.headers.get('set-cookie') ?? '', /HttpOnly/)
  assert.equal((await visit(plain, `/sandbox/enter/${code}`)).status, 401)
})

/** The pages that set a cookie, and who may send it along. */
const PAGES = {
  'the session of the sandbox': {
    open: (service: Service) => visit(service, '/sandbox/sign-in', { token: service.token }),
    sameSite: 'Strict',
  },
  'the language of a hosted page': {
    open: async (service: Service) => {
      const { code } = await checkout(service)
      return visit(service, `/checkout/${code}?lang=fr`)
    },
    sameSite: 'Lax',
  },
  'the payer of a checkout': {
    open: async (service: Service) => {
      const { code } = await checkout(service)
      const form = { phoneNumber: PAYS, provider: 'MTN_MOMO_ZMB' }
      return visit(service, `/checkout/${code}`, form)
    },
    sameSite: 'Lax',
  },
} as const

const attributesOf = (answer: Response): readonly string[] =>
  (answer.headers.get('set-cookie') ?? '').split('; ').slice(1)

for (const [cookie, { open, sameSite }] of Object.entries(PAGES)) {
  describe(cookie, () => {
    it(`is kept from scripts and is SameSite=${sameSite}`, async () => {
      const attributes = attributesOf(await open(plain))
      assert.ok(attributes.includes('HttpOnly'), attributes.join())
      assert.ok(attributes.includes(`SameSite=${sameSite}`), attributes.join())
    })

    it('goes over https alone where the service is reached by https', async () => {
      assert.ok(!attributesOf(await open(plain)).includes('Secure'))
      assert.ok(attributesOf(await open(secured)).includes('Secure'))
    })
  })
}

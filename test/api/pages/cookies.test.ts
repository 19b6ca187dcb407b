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

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { checkout, FAILS, failOnce, form, page, STAYS } from '../../../harness/hosted.ts'
import { startService } from '../../../harness/service.ts'

const service = await startService()
after(service.stop)

const READS_OF_A_LINK = ['find-page-session', 'find-checkout-by-code']

/** How often a link was looked up in the database while `work` ran. */
async function readsDuring(work: () => Promise<unknown>): Promise<number> {
  const { database } = service
  const { query } = database
  let reads = 0
  database.query = (text, values, name) => {
    if (READS_OF_A_LINK.includes(name ?? '')) reads += 1
    return query(text, values, name)
  }
  await work().finally(() => {
    database.query = query
  })
  return reads
}

async function send(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(service.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
}

const wallet = (phoneNumber: string): Record<string, string> => ({
  ...(form(phoneNumber) as Record<string, string>),
  country: 'ZMB',
})

describe('one request of a customer reads its link once:', () => {
  const places = [
    { name: 'Payment Page', open: async () => `/pay/${(await page(service)).token}` },
    { name: 'checkout', open: async () => `/checkout/${(await checkout(service)).code}` },
  ]
  for (const { name, open } of places) {
    it(`${name}: Pay that starts a deposit`, async () => {
      const path = await open()
      const reads = await readsDuring(async () => {
        const response = await send(path, wallet(STAYS))
        assert.equal(response.status, 303)
      })
      assert.equal(reads, 1)
      const html = await (await fetch(service.url + path)).text()
      assert.match(html, /id="live"/)
    })

    it(`${name}: Pay that is refused`, async () => {
      const path = await open()
      const reads = await readsDuring(async () => {
        const response = await send(path, { ...wallet('12'), asked: 'MTN_MOMO_ZMB' })
        assert.equal(response.status, 422)
        assert.match(await response.text(), /aria-invalid/)
      })
      assert.equal(reads, 1)
    })

    it(`${name}: Pay with a number of another provider, which is asked back`, async () => {
      const path = await open()
      const reads = await readsDuring(async () => {
        const response = await send(path, { ...wallet(STAYS), provider: 'AIRTEL_OAPI_ZMB' })
        assert.equal(response.status, 200)
        assert.match(await response.text(), /name="payWith"/)
      })
      assert.equal(reads, 1)
    })

    it(`${name}: the provider of a typed number`, async () => {
      const path = await open()
      const reads = await readsDuring(async () => {
        const response = await send(`${path}/provider`, { phoneNumber: STAYS, country: 'ZMB' })
        assert.deepEqual(await response.json(), { provider: 'MTN_MOMO_ZMB' })
      })
      assert.equal(reads, 1)
    })
  }

  it('checkout: Pay after a failed attempt', async () => {
    const one = await checkout(service)
    await failOnce(service, one)
    const reads = await readsDuring(async () => {
      const response = await send(`/checkout/${one.code}`, wallet(FAILS))
      assert.equal(response.status, 303)
    })
    assert.equal(reads, 1)
  })

  it('checkout: Cancel', async () => {
    const { code } = await checkout(service)
    const reads = await readsDuring(async () => {
      const response = await send(`/checkout/${code}`, { do: 'cancel' })
      assert.equal(response.status, 303)
    })
    assert.equal(reads, 1)
  })

  it('a page that waits for the next state reads its link before the wait and after it', async () => {
    const { token } = await page(service)
    await send(`/pay/${token}`, wallet(STAYS))
    const reads = await readsDuring(async () => {
      await fetch(`${service.url}/pay/${token}/status?wait=0.05`)
    })
    assert.equal(reads, 2)
  })
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { encode } from 'uqr'
import { failureCodeOf, phoneOf, type TestPhone, takenPhone } from '../../../harness/phones.ts'
import { startReceiver } from '../../../harness/receiver.ts'
import { eventually, payer } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { part, split, splitReaches } from '../../../harness/splits.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})
await service.put('/sandbox/callbacks', { deposit: receiver.url })

// biome-ignore lint/suspicious/noExplicitAny: records are inspected freely
type Json = any

let used = 0
const fresh = (): string => {
  used += 1
  return `2217810${String(used).padStart(5, '0')}`
}
const MONEY = { amount: '100', currency: 'XOF' }
const URLS = { successfulUrl: 'https://shop.example/ok?a=1', failedUrl: 'http://127.0.0.1:3000/no' }

const recordOf = async (id: string): Promise<Json> =>
  (await service.get(`/v2/deposits/${id}`)).body.data
const callbacksOf = (id: string): Json[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter((one) => one.depositId === id)

/** The address of the page, as a merchant learns it. */
const pageOf = (id: string): Promise<string> =>
  eventually(async () => {
    const { nextStep, authorizationUrl } = await recordOf(id)
    assert.equal(nextStep, 'REDIRECT_TO_AUTH_URL')
    return authorizationUrl
  })

/** What a browser without a token gets. */
async function visit(url: string, method = 'GET', language = 'en') {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { 'accept-language': language },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const taken = (): Promise<TestPhone> => takenPhone(service, fresh(), 'WAVE_SEN')

describe('a number that answers by itself', () => {
  it('sends the address once and then the outcome, without a visit', async () => {
    const id = await phoneOf(service, fresh(), 'WAVE_SEN').pays({ ...MONEY, ...URLS })
    const record = await service.reaches(id, 'COMPLETED')
    assert.deepEqual([record.nextStep, record.authorizationUrl], ['FINAL_STATUS', undefined])
    await eventually(() => assert.equal(callbacksOf(id).length, 2))
    const [first, last] = callbacksOf(id)
    assert.deepEqual([first.status, first.nextStep], ['PROCESSING', 'REDIRECT_TO_AUTH_URL'])
    assert.match(first.authorizationUrl, /^http.*\/sandbox\/wallet\/[\w-]{60,}$/)
    assert.deepEqual([first.successfulUrl, first.failedUrl], Object.values(URLS))
    assert.deepEqual(last, record)
  })

  it('ends as the number says, in Côte d’Ivoire as in Senegal', async () => {
    const wave = phoneOf(service, '2250734567049', 'WAVE_CIV')
    const id = await wave.pays({ ...MONEY, ...URLS })
    assert.equal(failureCodeOf(await service.reaches(id, 'FAILED')), 'INSUFFICIENT_BALANCE')
    await eventually(() => assert.equal(callbacksOf(id).length, 2))
    const page = callbacksOf(id)[0].authorizationUrl
    const { status, headers } = await visit(page)
    assert.deepEqual([status, headers.get('location')], [303, URLS.failedUrl])
  })

  it('shows a visitor that it takes a moment, and lets nobody decide', async () => {
    const phone = phoneOf(service, fresh(), 'WAVE_SEN')
    await phone.set({ script: [{ afterSeconds: 60, answer: 'done' }] })
    const id = await phone.pays({ ...MONEY, ...URLS })
    const page = await pageOf(id)
    const busy = await visit(page)
    assert.deepEqual([busy.status, busy.headers.get('refresh')], [200, '1'])
    assert.ok(!busy.text.includes('<form'))
    assert.equal((await visit(`${page}/refuse`, 'POST')).status, 303)
    await service.advance(60)
    await service.reaches(id, 'COMPLETED')
    assert.equal((await visit(page)).headers.get('location'), URLS.successfulUrl)
  })
})

describe('a number that waits for a person', () => {
  it('waits for the page, in record and callback, and for nothing else', async () => {
    const phone = await taken()
    const id = await phone.pays({ ...MONEY, ...URLS })
    const page = await pageOf(id)
    await eventually(() => assert.equal(callbacksOf(id).length, 1))
    assert.deepEqual(callbacksOf(id)[0], await recordOf(id))
    assert.deepEqual((await phone.look()).prompts, [])
    await service.advance(600)
    assert.equal((await recordOf(id)).status, 'PROCESSING')
    assert.equal((await visit(page)).status, 200)
  })

  for (const [button, status, code, end] of [
    ['approve', 'COMPLETED', undefined, URLS.successfulUrl],
    ['refuse', 'FAILED', 'PAYMENT_NOT_APPROVED', URLS.failedUrl],
  ] as const) {
    it(`${button}: the customer ends where the merchant asked, the deposit as ${status}`, async () => {
      const id = await (await taken()).pays({ ...MONEY, ...URLS })
      const page = await pageOf(id)
      const answer = await visit(`${page}/${button}`, 'POST')
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, end])
      assert.equal(failureCodeOf(await service.reaches(id, status)), code)
      await eventually(() => assert.equal(callbacksOf(id).length, 2))
      assert.deepEqual(
        callbacksOf(id).map((one) => [one.status, one.nextStep]),
        [
          ['PROCESSING', 'REDIRECT_TO_AUTH_URL'],
          [status, 'FINAL_STATUS'],
        ],
      )
      const again = await visit(`${page}/${button === 'approve' ? 'refuse' : 'approve'}`, 'POST')
      assert.deepEqual([again.status, again.headers.get('location')], [303, end])
      assert.equal((await recordOf(id)).status, status)
    })

    it(`${button}: an app of the merchant is opened, and the browser may do so`, async () => {
      await service.put('/sandbox/return-schemes', { schemes: ['myapp'] })
      const app = { successfulUrl: 'myapp://approve', failedUrl: 'myapp://refuse' }
      const page = await pageOf(await (await taken()).pays({ ...MONEY, ...app }))
      const policy = (await visit(page)).headers.get('content-security-policy') ?? ''
      assert.match(policy, /form-action 'self' myapp:;/)
      const { headers } = await visit(`${page}/${button}`, 'POST')
      assert.equal(headers.get('location'), `myapp://${button}`)
    })

    it(`${button}: without addresses the customer ends on the page itself`, async () => {
      const id = await (await taken()).pays(MONEY)
      const page = await pageOf(id)
      const answer = await visit(`${page}/${button}?lang=fr`, 'POST')
      const path = new URL(page).pathname
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, `${path}?lang=fr`])
      const { status: shown, text } = await visit(`${service.url}${path}?lang=fr`)
      assert.equal(shown, 200)
      assert.match(text, button === 'approve' ? /Paiement validé/ : /Paiement non effectué/)
      await service.reaches(id, status)
    })
  }

  it('can be opened on another phone by the code on the page, while it waits', async () => {
    const id = await (await taken()).pays(MONEY)
    const page = await pageOf(id)
    const drawn = (text: string): string[] =>
      [...text.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`).toSorted()
    const { data } = encode(page, { border: 2 })
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `${x} ${y}` : [])))
    const open = await visit(page, 'GET', 'fr')
    assert.match(open.text, /Scannez ce code/)
    assert.deepEqual(drawn(open.text), dark.toSorted())
    await visit(`${page}/refuse`, 'POST')
    assert.deepEqual(drawn((await visit(page)).text), [])
  })

  it('is not approved when the page is left alone, and the page says so', async () => {
    const id = await (await taken()).pays(MONEY)
    const page = await pageOf(id)
    await service.advance(901)
    assert.equal((await visit(`${page}/approve`, 'POST')).status, 303)
    const { failureReason } = await service.reaches(id, 'FAILED')
    assert.equal((failureReason as Json).failureCode, 'PAYMENT_NOT_APPROVED')
    assert.match((await visit(page)).text, /Not paid/)
  })

  it('may have several pages open at once', async () => {
    const phone = await taken()
    const [first, second] = [await phone.pays(MONEY), await phone.pays(MONEY)]
    await visit(`${await pageOf(second)}/approve`, 'POST')
    await visit(`${await pageOf(first)}/refuse`, 'POST')
    await service.reaches(first, 'FAILED')
    await service.reaches(second, 'COMPLETED')
  })
})

it('the deposit of a split payment is approved on the page as well', async () => {
  const phone = await taken()
  const { id, body } = await split(service, {
    ...MONEY,
    payer: payer(phone.number, 'WAVE_SEN'),
    splits: [part('60', '221773456789', 'ORANGE_SEN')],
  })
  assert.equal(body.status, 'ACCEPTED')
  await visit(`${await pageOf(id)}/approve`, 'POST')
  await splitReaches(service, id, 'COMPLETED')
})

it('the page needs no script and no token, and loads nothing', async () => {
  const id = await (await taken()).pays({ ...MONEY, ...URLS })
  const page = await pageOf(id)
  for (const lang of ['en', 'fr']) {
    const { status, headers, text } = await visit(page, 'GET', lang)
    assert.equal(status, 200)
    assert.ok(text.startsWith(`<!doctype html><html lang="${lang}"`))
    assert.doesNotMatch(text, /<script|<img|<link[^>]+href="http/)
    assert.match(text, /100\sXOF/)
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.doesNotMatch(policy, /script-src|unsafe/)
    // Browsers block the way back to the merchant after a form otherwise.
    assert.match(
      policy,
      /form-action 'self' https:\/\/shop\.example http:\/\/127\.0\.0\.1:3000(;|$)/,
    )
    assert.equal(headers.get('cache-control'), 'no-store')
  }
})

it('a link that was changed, made up or belongs to a wiped payment leads nowhere', async () => {
  const id = await (await taken()).pays(MONEY)
  const page = await pageOf(id)
  const changed = page.replace(/.(.{50})$/, (all, rest) => (all[0] === 'A' ? 'B' : 'A') + rest)
  for (const url of [changed, `${page}A`, `${service.url}/sandbox/wallet/abc`]) {
    assert.equal((await visit(url)).status, 404)
    assert.equal((await visit(`${url}/approve`, 'POST')).status, 404)
  }
  assert.equal((await visit(page, 'PUT')).status, 405)
  assert.equal((await service.post('/sandbox/reset')).status, 204)
  assert.equal((await visit(page)).status, 404)
})

describe('the callback with the address', () => {
  /** So that nothing is tried again before the clock is moved on. */
  const failWithPause = () =>
    receiver.answer((response) => response.writeHead(500, { 'retry-after': '600' }).end())
  /** When the next attempt is due has been written down as well. */
  const areTriedOnce = (id: string, ...states: readonly string[]): Promise<void> =>
    eventually(async () => {
      const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
      assert.deepEqual(
        body.map((one: Json) => [one.status, one.attempts.length]),
        states.map((state) => [state, 1]),
      )
    })

  it('is not sent any more once the outcome was sent', async () => {
    failWithPause()
    const id = await (await taken()).pays(MONEY)
    const page = await pageOf(id)
    await areTriedOnce(id, 'PROCESSING')
    await visit(`${page}/approve`, 'POST')
    await service.reaches(id, 'COMPLETED')
    await areTriedOnce(id, 'PROCESSING', 'COMPLETED')
    receiver.answer(200)
    await service.advance(601)
    await eventually(async () => {
      const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
      assert.deepEqual(
        body.map((one: Json) => [one.status, one.delivery]),
        [
          ['PROCESSING', 'GIVEN_UP'],
          ['COMPLETED', 'DELIVERED'],
        ],
      )
      assert.match(body[0].reason, /reported meanwhile/)
      assert.equal(JSON.parse(body[0].attempts[0].requestBody).status, 'PROCESSING')
    })
    assert.deepEqual(
      callbacksOf(id).map((one) => one.status),
      ['PROCESSING', 'COMPLETED', 'COMPLETED'],
    )
  })

  it('is sent again while the payment waits, with the same words', async () => {
    failWithPause()
    const id = await (await taken()).pays(MONEY)
    await pageOf(id)
    await areTriedOnce(id, 'PROCESSING')
    receiver.answer(200)
    await service.advance(601)
    await eventually(() => assert.equal(callbacksOf(id).length, 2))
    assert.deepEqual(callbacksOf(id)[0], callbacksOf(id)[1])
  })

  it('is not owed where no address is set; the record has it all the same', async () => {
    await service.put('/sandbox/callbacks', { deposit: null })
    const id = await (await taken()).pays(MONEY)
    await pageOf(id)
    assert.deepEqual((await service.get(`/sandbox/deliveries?paymentId=${id}`)).body, [])
    await service.put('/sandbox/callbacks', { deposit: receiver.url })
  })
})

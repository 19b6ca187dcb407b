import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addToken } from '../../harness/merchant.ts'
import { NEVER_ENDS } from '../../harness/remittances.ts'
import { depositBody, eventually, payer } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import {
  AuthorisationError,
  ConnectionError,
  createClient,
  NotFoundError,
  RequestError,
  ServiceError,
  WaitError,
} from '../../src/sdk/client/client.ts'
import {
  answerWith,
  cutAfterReceipt,
  cutBeforeReceipt,
  type Fault,
  startFaultyProxy,
} from '../support/faulty-proxy.ts'

/** What `malipo/client` does, over a network that can be made to fail. */
const service = await shareService()
const proxy = await startFaultyProxy(service.url)
const client = createClient({ baseUrl: proxy.url, token: service.token })
after(async () => {
  await proxy.close()
  await service.stop()
})

/** The requests that carried the identifier in their body, as the service or the proxy got them. */
const sentFor = (id: string): readonly string[] =>
  proxy.seen.filter(({ body }) => body.includes(id)).map(({ line }) => line)

const countOf = async (id: string): Promise<number> => {
  const [row] = await service.database.query(
    'select count(*)::int as count from payments where merchant_id = $1 and id = $2',
    [service.merchantId, id],
  )
  return (row as { count: number }).count
}

describe('a payment', () => {
  it('is initiated, awaited and read', async () => {
    const request = depositBody()
    const answer = await client.deposits.initiate(request)
    assert.equal(answer.status, 'ACCEPTED')
    // Typed: an answer that is not a refusal has the time of its acceptance.
    assert.ok(Date.parse(answer.created) > 0)
    const deposit = await client.deposits.waitForFinal(request.depositId)
    assert.equal(deposit.status, 'COMPLETED')
    assert.deepEqual(await client.deposits.get(request.depositId), deposit)
    const again = await client.deposits.initiate(request)
    assert.equal(again.status, 'DUPLICATE_IGNORED')
    assert.ok(Date.parse(again.created) > 0)
  })

  it('that the service refuses is an answer, whatever the reason', async () => {
    const CASES = [
      [{ amount: '0.001' }, 'INVALID_AMOUNT'],
      [{ amount: '-1' }, 'INVALID_PARAMETER'],
      [{ depositId: 'one' }, 'INVALID_PARAMETER'],
    ] as const
    for (const [changes, code] of CASES) {
      const request = depositBody(changes)
      const answer = await client.deposits.initiate(request)
      assert.ok(answer.status === 'REJECTED')
      assert.equal(answer.failureReason.failureCode, code)
      assert.equal(answer.depositId, request.depositId)
    }
    const missing = await client.deposits.resendCallback(randomUUID())
    assert.ok(missing.status === 'REJECTED')
    assert.equal(missing.failureReason.failureCode, 'NOT_FOUND')
  })

  it('that failed is final as well', async () => {
    const request = depositBody({ payer: payer('260763456049', 'MTN_MOMO_ZMB') })
    await client.deposits.initiate(request)
    const { status, failureReason } = await client.deposits.waitForFinal(request.depositId)
    assert.equal(status, 'FAILED')
    assert.equal(failureReason?.failureCode, 'INSUFFICIENT_BALANCE')
  })

  it('that does not exist is undefined, and is not waited for', async () => {
    assert.equal(await client.deposits.get(randomUUID()), undefined)
    await assert.rejects(client.deposits.waitForFinal(randomUUID()), NotFoundError)
    await assert.rejects(client.deposits.get('no-identifier'), (error: unknown) => {
      assert.ok(error instanceof RequestError)
      assert.equal(error.httpStatus, 400)
      assert.equal(error.failureReason?.failureCode, 'INVALID_PARAMETER')
      return true
    })
  })

  it('that does not end in time is reported as it was seen last', async () => {
    const request = depositBody({ payer: payer(NEVER_ENDS, 'MTN_MOMO_ZMB') })
    await client.deposits.initiate(request)
    let withinMs = 500
    await eventually(async () => {
      // Long enough for one look, on however slow a machine.
      withinMs *= 2
      const waiting = client.deposits.waitForFinal(request.depositId, { withinMs })
      const error = await waiting.catch((thrown: unknown) => thrown)
      assert.ok(error instanceof WaitError)
      const last = error.last as { depositId: string; status: string } | undefined
      assert.equal(last?.depositId, request.depositId)
      assert.notEqual(last?.status, 'COMPLETED')
    })
  })

  it('is waited for until the caller gives up', async () => {
    const request = depositBody({ payer: payer(NEVER_ENDS, 'MTN_MOMO_ZMB') })
    await client.deposits.initiate(request)
    const controller = new AbortController()
    const waiting = client.deposits.waitForFinal(request.depositId, { signal: controller.signal })
    const reason = new Error('the customer left')
    controller.abort(reason)
    await assert.rejects(waiting, reason)
  })
})

describe('a request that fails on its way', () => {
  const FAULTS: readonly (readonly [what: string, faults: readonly Fault[], status: string])[] = [
    ['is cut off after its receipt', [cutAfterReceipt], 'DUPLICATE_IGNORED'],
    ['is cut off before its receipt, twice', [cutBeforeReceipt, cutBeforeReceipt], 'ACCEPTED'],
    ['meets a service at its limit', [answerWith(503, { 'retry-after': '1' })], 'ACCEPTED'],
    [
      'meets a limit of a proxy',
      [answerWith(429, { 'retry-after': '0' }, 'slow down')],
      'ACCEPTED',
    ],
    ['meets a proxy without a service', [answerWith(502, {}, '<h1>Bad gateway</h1>')], 'ACCEPTED'],
    ['fails in several ways', [cutAfterReceipt, answerWith(500)], 'DUPLICATE_IGNORED'],
  ]
  for (const [what, faults, status] of FAULTS) {
    it(`is repeated with the same identifier, and starts one payment: it ${what}`, async () => {
      const request = depositBody()
      proxy.next(...faults)
      const answer = await client.deposits.initiate(request)
      assert.equal(answer.status, status)
      assert.equal(sentFor(request.depositId).length, faults.length + 1)
      assert.equal(await countOf(request.depositId), 1)
      const [first, ...others] = proxy.seen.filter(({ body }) => body.includes(request.depositId))
      for (const other of others) assert.equal(other.body, first?.body)
    })
  }

  it('is reported with the number of attempts when none is left', async () => {
    const impatient = createClient({ baseUrl: proxy.url, token: service.token, retries: 1 })
    proxy.next(cutBeforeReceipt, cutBeforeReceipt)
    await assert.rejects(impatient.deposits.initiate(depositBody()), (error: unknown) => {
      assert.ok(error instanceof ConnectionError)
      assert.equal(error.attempts, 2)
      return true
    })
    proxy.next(answerWith(503), answerWith(503, { 'retry-after': '7' }))
    await assert.rejects(impatient.deposits.initiate(depositBody()), (error: unknown) => {
      assert.ok(error instanceof ServiceError)
      assert.deepEqual([error.httpStatus, error.retryAfterMs], [503, 7000])
      return true
    })
  })

  it('is not repeated for a service that asks for more than a minute', async () => {
    const request = depositBody()
    proxy.next(answerWith(503, { 'retry-after': '3600' }))
    await assert.rejects(client.deposits.initiate(request), ServiceError)
    assert.equal(sentFor(request.depositId).length, 1)
  })

  it('is not repeated where that could do something twice', async () => {
    const statement = {
      wallet: { country: 'ZMB', currency: 'ZMW' },
      callbackUrl: `https://shop.example/${randomUUID()}`,
      startDate: '2026-11-01T00:00:00',
      endDate: '2026-11-02T00:00:00',
    }
    proxy.next(cutAfterReceipt)
    await assert.rejects(client.statements.request(statement), ConnectionError)
    assert.equal(sentFor(statement.callbackUrl).length, 1)
    proxy.next(answerWith(503))
    const { status } = await client.statements.request(statement)
    assert.equal(status, 'ACCEPTED')
    assert.equal(sentFor(statement.callbackUrl).length, 3)
  })

  it('takes no longer than allowed, and ends when the caller gives up', async () => {
    const hurried = createClient({ baseUrl: proxy.url, token: service.token, retries: 0 })
    const silence: Fault = () => {}
    proxy.next(silence)
    await assert.rejects(
      hurried.deposits.get(randomUUID(), { timeoutMs: 50 }),
      (error: unknown) => error instanceof ConnectionError && /timeout/.test(error.message),
    )
    const controller = new AbortController()
    const reason = new Error('enough')
    proxy.next(() => controller.abort(reason))
    const { signal } = controller
    await assert.rejects(client.deposits.get(randomUUID(), { signal }), reason)
    await assert.rejects(client.deposits.get(randomUUID(), { signal }), reason)
  })

  it('goes nowhere else when it is redirected', async () => {
    proxy.next(answerWith(302, { location: 'https://elsewhere.example/' }, ''))
    await assert.rejects(
      client.deposits.get(randomUUID()),
      (error: unknown) => error instanceof ServiceError && error.httpStatus === 302,
    )
  })
})

it('waiting goes on while the service cannot be reached', async () => {
  const once = createClient({ baseUrl: proxy.url, token: service.token, retries: 0 })
  const request = depositBody()
  await once.deposits.initiate(request)
  proxy.next(cutBeforeReceipt, answerWith(503))
  const { status } = await once.deposits.waitForFinal(request.depositId)
  assert.equal(status, 'COMPLETED')
})

it('a token that is wrong, or may not do this, is an error and is tried once', async () => {
  const reader = await addToken(service, service.merchantId, ['deposits:read'])
  for (const [token, httpStatus, code] of [
    ['mlp_sbx_nobody', 401, 'AUTHENTICATION_ERROR'],
    [reader, 403, 'AUTHORISATION_ERROR'],
  ] as const) {
    const request = depositBody()
    const stranger = createClient({ baseUrl: proxy.url, token })
    await assert.rejects(stranger.deposits.initiate(request), (error: unknown) => {
      assert.ok(error instanceof AuthorisationError)
      assert.equal(error.httpStatus, httpStatus)
      assert.equal(error.failureReason?.failureCode, code)
      return true
    })
    assert.equal(sentFor(request.depositId).length, 1)
    assert.equal(await countOf(request.depositId), 0)
  }
  assert.throws(() => createClient({ baseUrl: proxy.url, token: '' }), TypeError)
  assert.throws(() => createClient({ baseUrl: 'pay.example', token: 'x' }), TypeError)
})

it('callbacks are read page by page, and nothing is missed between pages', async () => {
  const feed = { address: 'http://localhost:3000/callbacks', follow: false }
  const wanted: string[] = []
  const { cursor: start } = (await service.get(`/callbacks/feed?address=${feed.address}`)).body
  for (const _ of [1, 2, 3]) {
    const request = depositBody()
    wanted.push(request.depositId)
    await client.deposits.initiate(request)
    await client.deposits.waitForFinal(request.depositId)
  }
  const seen: string[] = []
  let after = start
  // Stopped and taken up again at a cursor, as a program that was restarted does.
  for await (const { id, cursor } of client.callbacks.feed({ ...feed, after, follow: true })) {
    seen.push(id)
    after = cursor
    break
  }
  // The feed shows a callback once none that was owed earlier can follow: a moment later.
  for await (const { id } of client.callbacks.feed({ ...feed, after, follow: true })) {
    seen.push(id)
    if (wanted.every((one) => seen.includes(one))) break
  }
  assert.deepEqual(
    seen.filter((id) => wanted.includes(id)),
    wanted,
  )
  const controller = new AbortController()
  const following = client.callbacks.feed({ ...feed, follow: true, signal: controller.signal })
  const next = following.next()
  const reason = new Error('closing')
  controller.abort(reason)
  await assert.rejects(next, reason)
})

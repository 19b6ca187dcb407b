import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { addMerchant } from '../../harness/merchant.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'

const service = await shareService()
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})
const { merchantId, database } = service
const developer = await signedIn(service, 'developer', { merchantId })
const PAGE = '/dashboard/callback-urls'

const rowOf = async (kind: string): Promise<string> =>
  (await developer.get(PAGE)).text.split('<tr>').find((one) => one.includes(`${PAGE}/${kind}"`)) ??
  ''

describe('callback URLs', () => {
  it('hold for all countries: people who are limited to some see them and change none', async () => {
    const limited = await signedIn(service, 'admin', { merchantId, countries: ['UGA'] })
    for (const path of [PAGE, `${PAGE}/deposit`]) {
      const answer = await limited.post(path, { url: 'https://example.com/taken' })
      assert.equal(answer.status, 403)
      assert.match(answer.text, /limited to Uganda\. An owner or admin of/)
      const { status, text } = await limited.get(path)
      assert.equal(status, 200)
      assert.match(text, /limited to Uganda\. An owner or admin of/)
      assert.doesNotMatch(text, /name="url"|\/test"|\/resume"/)
    }
    for (const act of ['resume', 'test']) {
      assert.equal((await limited.post(`${PAGE}/deposit/${act}`)).status, 403, act)
    }
    assert.match(await rowOf('deposit'), /Not set/)
  })

  it('are set one by one, or all at once, and removed', async () => {
    assert.match(await rowOf('deposit'), /Not set/)
    const one = await developer.post(`${PAGE}/deposit`, { url: receiver.url })
    assert.equal(one.status, 303)
    assert.match(await rowOf('deposit'), /Active/)
    assert.match(await rowOf('payout'), /Not set/)
    await developer.post(PAGE, { url: `${receiver.url}/all` })
    assert.match(await rowOf('checkout'), /\/callbacks\/all/)
    await developer.post(`${PAGE}/checkout`, { url: '' })
    assert.match(await rowOf('checkout'), /Not set/)
  })

  it('that cannot be used are refused with the reason, and what was typed stays', async () => {
    const answer = await developer.post(`${PAGE}/deposit`, { url: 'ftp://example.com/x' })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /must start with https: or http:/)
    assert.match(answer.text, /value="ftp:\/\/example.com\/x"/)
    const metadata = await developer.post(PAGE, { url: 'http://169.254.169.254/latest' })
    assert.equal(metadata.status, 400)
  })

  it('show when their receiver last took a callback', async () => {
    await developer.post(`${PAGE}/deposit`, { url: receiver.url })
    assert.match(await rowOf('deposit'), /None yet/)
    await service.deposit()
    await eventually(async () => assert.match(await rowOf('deposit'), /<time /))
  })

  it('are tested with a signed event, and the page shows status and body', async () => {
    await developer.post(`${PAGE}/payout`, { url: `${receiver.url}/test` })
    const answer = await developer.post(`${PAGE}/payout/test`)
    assert.equal(answer.status, 200)
    assert.match(answer.text, /200 after \d+ ms/)
    assert.match(answer.text, />noted</)
    const sent = receiver.received.find(({ path }) => path === '/callbacks/test')
    assert.ok(sent !== undefined)
    assert.ok(sent.headers.signature !== undefined && sent.headers['content-digest'] !== undefined)
    const body = JSON.parse(sent.body)
    assert.equal(body.status, 'FAILED')
    assert.equal((await service.get(`/v2/payouts/${body.payoutId}`)).body.status, 'NOT_FOUND')
    receiver.answer((response) => void response.writeHead(500).end('<b>broken</b>'))
    const failed = await developer.post(`${PAGE}/payout/test`)
    assert.match(failed.text, /answered 500/)
    assert.match(failed.text, /&lt;b>broken/)
    receiver.answer(200)
  })

  it('that nobody answers show the reason', async () => {
    await developer.post(`${PAGE}/refund`, { url: 'http://127.0.0.1:9/nobody' })
    const answer = await developer.post(`${PAGE}/refund/test`)
    assert.match(answer.text, /No answer came/)
  })

  it('that are paused say so, and go on when they are resumed', async () => {
    const url = `${receiver.url}/paused`
    await developer.post(`${PAGE}/deposit`, { url })
    receiver.answer(410)
    await service.deposit()
    await eventually(async () => assert.match(await rowOf('deposit'), /Paused/))
    receiver.answer(200)
    const before = receiver.received.length
    const resumed = await developer.post(`${PAGE}/deposit/resume`)
    assert.equal(resumed.status, 303)
    assert.match(await rowOf('deposit'), /Active/)
    await eventually(() => assert.ok(receiver.received.length > before))
    await developer.post(`${PAGE}/deposit/resume`)
  })

  it('ask again who it is before a change, once ten minutes have gone by', async () => {
    const visitor = await signedIn(service, 'developer', { merchantId })
    await database.query(
      `update user_sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1`,
      [visitor.userId],
    )
    for (const path of [PAGE, `${PAGE}/splitPayment`]) {
      const answer = await visitor.post(path, { url: 'https://example.com/elsewhere' })
      assert.match(answer.text, /Is it you\?/, path)
    }
    assert.doesNotMatch((await developer.get(PAGE)).text, /elsewhere/)
  })

  it('leave an entry in the audit log for every change', async () => {
    const visitor = await signedIn(service, 'developer', { merchantId })
    await visitor.post(`${PAGE}/remittance`, { url: receiver.url })
    await visitor.post(`${PAGE}/remittance/test`)
    const entries = await database.query<{ action: string; before: object; after: object }>(
      'select action, before, after from audit_entries where merchant_id = $1 and actor = $2',
      [merchantId, visitor.email],
    )
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['signed in', 'callback URL changed', 'callback test sent'],
    )
    assert.deepEqual(entries[1]?.after, { remittance: receiver.url })
  })

  it('of an unknown kind are not found', async () => {
    assert.equal((await developer.get(`${PAGE}/statement`)).status, 404)
  })
})

it('in production callback URLs need https and an address that is not private', async () => {
  const production = await startService({
    MALIPO_ENV: 'production',
    MALIPO_SECRET_KEY: 'a secret for this test, long enough for production',
    // The helper sets it for the sandbox; empty is the same as absent.
    MALIPO_SANDBOX_DELAY_MS: '',
  })
  try {
    const { id } = await addMerchant(production)
    const visitor = await signedIn(production, 'owner', { merchantId: id })
    const wrong = [
      ['http://example.com/x', /Use https:/],
      ['https://10.0.0.1/x', /private address/],
      ['https://localhost/x', /private address/],
    ] as const
    for (const [url, reason] of wrong) {
      const answer = await visitor.post(`${PAGE}/deposit`, { url })
      assert.equal(answer.status, 400)
      assert.match(answer.text, reason)
    }
    const good = await visitor.post(`${PAGE}/deposit`, { url: 'https://example.com/x' })
    assert.equal(good.status, 303)
  } finally {
    await production.stop()
  }
})

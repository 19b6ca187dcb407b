import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'

const sandbox = await startService()
const resolve = async () => {
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
}
const production = await startService(
  {
    MALIPO_ENV: 'production',
    MALIPO_SECRET_KEY: 'a secret for this test, long enough for production',
    // The helper sets it for the sandbox; empty is the same as absent.
    MALIPO_SANDBOX_DELAY_MS: '',
  },
  { resolve },
)
const receiver = await startReceiver()
after(async () => {
  await sandbox.stop()
  await production.stop()
  await receiver.close()
})

const METADATA = [
  'http://169.254.169.254/latest/meta-data',
  'http://[fd00:ec2::254]/latest',
  'http://[::ffff:169.254.169.254]/',
  'http://0xa9fea9fe/',
]
const INSIDE = [
  'https://127.0.0.1/callbacks',
  'https://localhost/callbacks',
  'https://10.1.2.3/callbacks',
  'https://192.168.0.10/callbacks',
  'https://172.16.9.9/callbacks',
  'https://[::1]/callbacks',
  'https://[fd12:3456::1]/callbacks',
  'https://2130706433/callbacks',
]

describe('the sandbox', { timeout: 240_000 }, () => {
  for (const url of METADATA) {
    it(`refuses ${url} with 400, names the field and changes nothing`, async () => {
      await sandbox.put('/sandbox/callbacks', { deposit: receiver.url })
      const { status, body } = await sandbox.put('/sandbox/callbacks', { deposit: url })
      assert.equal(status, 400)
      assert.equal(body.failureReason.failureCode, 'INVALID_PARAMETER')
      assert.match(body.failureReason.failureMessage, /'?deposit'?/)
      const { id } = await sandbox.deposit()
      await eventually(() => {
        assert.ok(receiver.received.some((one) => JSON.parse(one.body).depositId === id))
      })
    })
  }

  for (const url of ['ftp://example.com/', 'not an address', 'http://user:secret@127.0.0.1/']) {
    it(`refuses ${url}, which is not an address for callbacks`, async () => {
      const { status, body } = await sandbox.put('/sandbox/callbacks', { deposit: url })
      assert.equal(status, 400)
      assert.match(body.failureReason.failureMessage, /'?deposit'?/)
    })
  }
})

describe('production', { timeout: 240_000 }, () => {
  for (const url of [...INSIDE, ...METADATA, 'http://merchant.example/callbacks']) {
    it(`sends nothing to ${url} and says why`, async () => {
      const attempt = await attemptOf(await oweCallbackTo(url))
      assert.equal(attempt.http_status, null)
      assert.match(attempt.reason, /address|private|loopback|https|refused|allowed/i)
    })
  }

  it('has no sandbox controls', async () => {
    for (const path of ['/sandbox/callbacks', '/sandbox/receiver']) {
      assert.equal((await production.put(path, {})).status, 404)
    }
  })

  it('never answers in place of a receiver', async () => {
    const attempt = await attemptOf(await oweCallbackTo('https://shop.example/callbacks'))
    assert.equal(attempt.http_status, null)
    assert.match(attempt.reason, /the name does not resolve/)
  })
})

const attemptOf = (id: string) =>
  eventually(async () => {
    const [row] = await production.database.query<{ reason: string; http_status: number }>(
      `select a.reason, a.http_status from kept_attempts a
       join payments p on p.key = a.payment_key where p.id = $1`,
      [id],
    )
    assert.ok(row !== undefined)
    return row
  })

/** A payment that has failed, and a merchant whose settings somehow got past every check. */
async function oweCallbackTo(url: string): Promise<string> {
  const [id, key] = [randomUUID(), randomUUID()]
  const slug = `m${key.slice(0, 8)}`
  await production.database.query(
    `with merchant as (
       insert into merchants (slug, name, created_at, receiver_fails)
       values ($1, $1, now(), true) returning merchant_id
     ), address as (
       insert into callback_urls (merchant_id, kind, url)
       select merchant_id, 'deposit', $2 from merchant
     ), payment as (
       insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
         country, provider, phone_number, state, holder, failure_code, failure_message, ended_at)
       select merchant_id, 'deposit', $3::uuid, $4::uuid, 'v2', now(), 15, 'ZMW', 'ZMB',
         'MTN_MOMO_ZMB', '260763456789', 'FAILED', 0, 'PAYMENT_NOT_APPROVED', 'No.', now()
       from merchant
     )
     insert into callbacks (merchant_id, payment_key, state, kind, payment_id, created_at, status,
       holder, due_at, round_started_at, tries, attempts, resend)
     select merchant_id, $4::uuid, 'FAILED', 'deposit', $3::uuid, now(), 'PENDING', 0, now(),
       now(), 0, 0, false from merchant`,
    [slug, url, id, key],
  )
  return id
}

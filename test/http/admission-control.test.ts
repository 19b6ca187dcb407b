import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { after, describe, it } from 'node:test'
import { checkout, checkoutReaches, page, recordOf } from '../../harness/hosted.ts'
import { addMerchant } from '../../harness/merchant.ts'
import { connectTo } from '../../harness/process.ts'
import { depositBody, eventually, startService } from '../../harness/service.ts'
import { makeKey } from '../../harness/signers.ts'
import type { Payment } from '../../src/domain/payments/payment.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { findPayment } from '../../src/store/payments/payments.ts'
import { PAY_WORDS } from '../../src/web/pay/words.ts'
import { pipeline } from '../support/pipeline.ts'
import { assertSigned, give, postSigned } from '../support/signed-service.ts'

const service = await startService()
const other = await addMerchant(service, { slug: 'quiet' })
after(() => service.stop())

/** No deposit, and almost as large as may be. */
const LARGE = JSON.stringify({ text: 'x'.repeat(1_000_000) })
/** All that the node uses for requests. */
const CONNECTIONS = 12
/** More than may wait for a write, beyond the groups that are being written. */
const TOO_MANY = 4096 + 2 * 256 + 100

describe('more deposits than can be written', { timeout: 540_000 }, () => {
  it('are shed with 503 and Retry-After, store nothing, and later ones are accepted', async () => {
    const { ctx } = service.node
    const [{ id: known }, blocker] = await Promise.all([
      service.deposit(),
      connectTo(service.databaseUrl),
    ])
    await service.reaches(known, 'COMPLETED')
    const key = makeKey('shop:1', 'ecdsa-p256-sha256')
    await give(service, [key])
    const customer = await openPages()
    // The disk stands still while requests keep coming.
    await blocker.query('begin')
    await blocker.query('lock table payments in exclusive mode')
    const payment = await samplePayment()
    const waiting = Array.from({ length: TOO_MANY }, () =>
      ctx.writes.accept.add({ payment: { ...payment, key: ctx.newKey() }, holder: ctx.node.id() }),
    )
    await eventually(() => assert.ok(ctx.writes.accept.waiting() > 4096))

    const body = depositBody()
    const shed = await service.post('/v2/deposits', body)
    assert.equal(shed.status, 503)
    assert.match(shed.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal(shed.body.status, undefined)
    assert.equal(shed.body.failureReason.failureCode, 'UNKNOWN_ERROR')
    const signed = await postSigned(service, key)
    assert.equal(signed.status, 503)
    await assertSigned(service, signed)
    await customer.isShed()
    // What is not a new payment is served as before.
    assert.equal((await service.get(`/v2/deposits/${known}`)).body.data.status, 'COMPLETED')
    assert.equal((await service.get('/livez')).status, 200)

    await blocker.query('rollback')
    await blocker.end()
    assert.ok((await Promise.all(waiting)).every(({ isNew }) => !isNew))
    assert.equal((await service.get(`/v2/deposits/${body.depositId}`)).body.status, 'NOT_FOUND')
    const again = await service.post('/v2/deposits', body)
    assert.equal(again.body.status, 'ACCEPTED')
    await service.reaches(body.depositId, 'COMPLETED')
    await customer.paysAfterAll()
  })
})

/** Customers who press Pay meanwhile: on a Payment Page, on a checkout, and with a one-time code. */
async function openPages() {
  const one = await page(service)
  const two = await checkout(service)
  const coded = await checkout(service, {
    countries: ['BFA'],
    amounts: [{ country: 'BFA', currency: 'XOF', amount: '2500' }],
  })
  const wallet = { phoneNumber: '763 456 789', provider: 'MTN_MOMO_ZMB', asked: 'MTN_MOMO_ZMB' }
  const codeWallet = { phoneNumber: '07345678', provider: 'ORANGE_BFA', asked: 'ORANGE_BFA' }
  const forms = [
    [`/pay/${one.token}`, wallet],
    [`/checkout/${two.code}`, wallet],
    [`/checkout/${coded.code}`, { ...codeWallet, preAuthorisationCode: '482913' }],
  ] as const
  const press = (path: string, fields: Record<string, string>) =>
    fetch(service.url + path, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, do: 'pay' }),
      redirect: 'manual',
    })
  return {
    isShed: async () => {
      for (const [path, fields] of forms) {
        for (const lang of ['en', 'fr'] as const) {
          const answer = await press(`${path}?lang=${lang}`, fields)
          assert.equal(answer.status, 503)
          assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
          const html = await answer.text()
          const words = PAY_WORDS[lang]
          assert.ok(html.includes(`<title>${words.error}`))
          assert.ok(html.includes(words.busy) && html.includes('value="pay"'))
          // The next press sends all of it again, and nothing is asked twice.
          for (const [name, value] of Object.entries(fields)) {
            assert.match(html, new RegExp(`name="${name}"[^>]*value="${value}"`), name)
          }
        }
      }
      assert.equal((await service.get(`/v2/deposits/${one.id}`)).body.status, 'NOT_FOUND')
      assert.deepEqual((await recordOf(service, two.id)).depositsHistory, [])
    },
    paysAfterAll: async () => {
      for (const [path, fields] of forms) assert.equal((await press(path, fields)).status, 303)
      await service.reaches(one.id, 'COMPLETED')
      for (const { id } of [two, coded]) await checkoutReaches(service, id, 'COMPLETED')
    },
  }
}

describe('a merchant who sends more than can be written', { timeout: 540_000 }, () => {
  it('is shed, and others are served before its waiting requests', async () => {
    const { ctx } = service.node
    const [{ id: known }, blocker] = await Promise.all([
      service.deposit(),
      connectTo(service.databaseUrl),
    ])
    await service.reaches(known, 'COMPLETED')
    await blocker.query('begin')
    await blocker.query('lock table payments in exclusive mode')
    const payment = await samplePayment()
    let settled = 0
    // Half of what may wait, beyond the groups that are being written.
    const waiting = Array.from({ length: 2048 + 2 * 256 + 10 }, async () => {
      const added = { payment: { ...payment, key: ctx.newKey() }, holder: ctx.node.id() }
      await ctx.writes.accept.add(added)
      settled += 1
    })
    await eventually(() => assert.ok(ctx.writes.accept.waiting() > 2048))
    assert.equal((await service.post('/v2/deposits', depositBody())).status, 503)
    const body = depositBody()
    const served = other.call('POST', '/v2/deposits', body).then((answer) => ({
      answer,
      before: settled,
    }))
    await eventually(() => assert.equal(ctx.writes.accept.waitingOf(other.id), 1))
    await blocker.query('rollback')
    await blocker.end()
    const { answer, before } = await served
    assert.equal(answer.body.status, 'ACCEPTED')
    assert.ok(before < waiting.length, `${before} of ${waiting.length} came first`)
    await Promise.all(waiting)
    const again = await service.deposit()
    assert.equal(again.body.status, 'ACCEPTED')
    await service.reaches(again.id, 'COMPLETED')
  })
})

describe('a merchant who asks for more at once than one may', { timeout: 540_000 }, () => {
  it('is shed with 503 and Retry-After, and others are served', async (test) => {
    for (const { call } of [service, other]) {
      assert.equal((await call('GET', '/v2/active-conf')).status, 200)
    }
    const blocker = await connectTo(service.databaseUrl)
    test.after(() => blocker.end())
    await blocker.query('begin')
    await blocker.query('lock table payments in access exclusive mode')
    // Not a look-up: one that is let in would wait for the table.
    const large = () => service.post('/v2/deposits', LARGE)
    const floods: ReturnType<typeof pipeline>[] = []
    // Once, unless the node forgets the token meanwhile, which then counts as a stranger's.
    while ((await large()).status !== 503 && floods.length < 5) {
      // As many as a connection has under way at once, on many connections; four are too many.
      const flood = pipeline(service, 4, `GET /v2/deposits/${randomUUID()}`, 257)
      floods.push(flood)
      await eventually(() => assert.ok(flood.answered() >= 4))
    }
    // What is shed takes no room for bodies any more: these are more than a merchant has of it.
    for (let sent = 0; sent < 40; sent += 1) {
      const shed = await large()
      if (shed.status === 400) continue
      assert.equal(shed.status, 503)
      assert.match(shed.headers.get('retry-after') ?? '', /^\d+$/)
      assert.match(shed.body.failureReason.failureMessage, /at its limit/)
      assert.equal(shed.body.failureReason.failureCode, 'UNKNOWN_ERROR')
    }
    assert.equal((await other.call('GET', '/v2/active-conf')).status, 200)
    // A merchant that asks later, and little, does not wait for all of it.
    const served = other.call('GET', `/v2/deposits/${randomUUID()}`)
    await blocker.query('rollback')
    assert.equal((await served).body.status, 'NOT_FOUND')
    const answered = floods.reduce((sum, flood) => sum + flood.answered(), 0)
    assert.ok(answered < 1028 * floods.length, 'all of the flood came first')
    for (const flood of floods) assert.equal(await flood.ended, 1028)
    assert.equal((await service.get('/v2/active-conf')).status, 200)
    assert.equal((await large()).status, 400)
  })
})

describe('bodies that are announced and never sent', { timeout: 540_000 }, () => {
  it('count against the limit from the beginning, and leave room for other merchants', async (test) => {
    const large = () => service.post('/v2/deposits', LARGE)
    assert.equal((await large()).status, 400)
    const head =
      `POST /v2/deposits HTTP/1.1\r\nHost: 127.0.0.1:${service.node.port}\r\n` +
      `Authorization: Bearer ${service.token}\r\nContent-Length: ${LARGE.length}\r\n\r\n`
    const sockets = Array.from({ length: 20 }, () => connect(service.node.port, '127.0.0.1'))
    const leave = (): void => {
      for (const socket of sockets) socket.destroy()
    }
    test.after(leave)
    // A byte each: what they hold is what they said that they would send.
    for (const socket of sockets) socket.on('error', () => {}).write(`${head}{`)
    await eventually(async () => {
      const refused = await large()
      assert.equal(refused.status, 503)
      assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    })
    assert.equal((await other.call('POST', '/v2/deposits', { text: LARGE })).status, 400)
    leave()
    await eventually(async () => assert.equal((await large()).status, 400))
  })
})

describe('requests that hold every connection to the database', { timeout: 540_000 }, () => {
  it('do not keep the node from reporting that it is alive', async () => {
    const watcher = openDatabase({ connectionString: service.databaseUrl }, 1)
    // On a machine that stands still for a while it may have joined again, and counts from new.
    for (let round = 1; !(await beatsWhileAllAreHeld(watcher)); round += 1) {
      assert.ok(round < 5, 'it joined again in every round')
    }
    await watcher.close()
  })
})

/** False where the node left and joined again meanwhile. */
async function beatsWhileAllAreHeld(watcher: Database): Promise<boolean> {
  const { id } = service.node.ctx.node
  const beatsOf = async (node: number): Promise<number | undefined> => {
    const [row] = await watcher.query<{ beat: string }>(
      'select beat from nodes where node_id = $1',
      [node],
    )
    return row === undefined ? undefined : Number(row.beat)
  }
  const me = await eventually(async () => {
    const joined = id()
    assert.ok((await beatsOf(joined)) !== undefined)
    return joined
  })
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let begun = 0
  const hold = (): Promise<void> => {
    begun += 1
    return held
  }
  const holding = Array.from({ length: CONNECTIONS }, () => service.database.inTransaction(hold))
  try {
    await eventually(() => assert.equal(begun, CONNECTIONS))
    const before = await beatsOf(me)
    if (before === undefined) return false
    return await eventually(async () => {
      const now = await beatsOf(me)
      if (now === undefined || id() !== me) return false
      assert.ok(now >= before + 2)
      return true
    })
  } finally {
    letGo()
    await Promise.all(holding)
  }
}

/** A repeat of what exists: it takes its place in the queue and changes nothing. */
async function samplePayment(): Promise<Payment> {
  const [row] = await service.database.query<Pick<Payment, 'merchantId' | 'id'>>(
    'select merchant_id as "merchantId", id from payments limit 1',
  )
  assert.ok(row !== undefined)
  const found = await findPayment(service.database, row.merchantId, 'deposit', row.id)
  assert.ok(found !== undefined)
  // Remembered repeats are answered without the queue.
  service.node.ctx.writes.accept.forget()
  return found
}

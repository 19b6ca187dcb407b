import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { sandboxCache } from '../../harness/data-folder.ts'
import { IS_PROOF, itInProofs } from '../../harness/scale.ts'
import { depositBody, eventually, payer } from '../../harness/service.ts'
import { startMalipo } from '../../src/sdk/testing.ts'
import { isAlive } from '../../src/store/embedded/lock.ts'
import { type Ended, runScript } from '../support/run-script.ts'

/** What the package gives to test suites: docs/testing.md. */
const CUSTOMER = '260763456789'
const XDG_CACHE_HOME = await sandboxCache()
const TOKEN = 'the-token-of-these-tests'
const malipo = await startMalipo({
  waitMs: 120_000,
  env: { XDG_CACHE_HOME, MALIPO_SANDBOX_TOKEN: TOKEN },
})
after(() => malipo.close())

const TIMEOUT = { timeout: 540_000 }

async function call(method: string, path: string, body?: object): Promise<string> {
  const response = await fetch(malipo.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${malipo.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return response.text()
}

async function deposit(phoneNumber: string, changes: object = {}): Promise<string> {
  const body = depositBody({ payer: payer(phoneNumber, 'MTN_MOMO_ZMB'), ...changes })
  const answer = await call('POST', '/v2/deposits', body)
  assert.equal(JSON.parse(answer).status, 'ACCEPTED', answer)
  return body.depositId
}

type Delivery = { readonly attempts: readonly { readonly url: string }[] }

/** The first callback of a payment, once it was sent. */
const deliveryOf = (paymentId: string): Promise<Delivery> =>
  eventually(async () => {
    const [first] = JSON.parse(await call('GET', `/sandbox/deliveries?paymentId=${paymentId}`))
    assert.ok(first?.attempts.length > 0)
    return first
  })

describe('phone', TIMEOUT, () => {
  it('approves as soon as there is something to approve, and only then is it paid', async () => {
    const phone = malipo.phone(CUSTOMER)
    const approved = phone.approve('1234')
    const depositId = await deposit(CUSTOMER)
    assert.match(await approved, /You approved the payment of ZMW/)
    const body = await malipo.callbacks.next({ depositId })
    assert.equal(body.status, 'COMPLETED')
    assert.match((await phone.messages()).at(-1)?.text ?? '', /You paid ZMW/)
  })

  it('counts for a payment that the next line starts, with every new number', async () => {
    for (const last of [1, 2, 3, 4, 5]) {
      const number = `26076345600${last}`
      const phone = malipo.phone(number)
      const depositId = await deposit(number)
      await phone.decline()
      const { failureReason } = await malipo.callbacks.next({ depositId })
      assert.equal(failureReason?.failureCode, 'PAYMENT_NOT_APPROVED')
    }
  })

  it('declines at the third wrong PIN, and keeps a script that was set', async () => {
    const number = '260763457000'
    const script = [{ afterSeconds: 0, answer: 'failed', failureCode: 'PAYER_LIMIT_REACHED' }]
    await call('PUT', `/sandbox/phones/${number}`, { script })
    const phone = malipo.phone(number)
    const CASES = [
      [['0000', '0000', '0000'], /too often/, 'PAYMENT_NOT_APPROVED'],
      [['0000', '4711'], /You approved/, 'PAYER_LIMIT_REACHED'],
    ] as const
    for (const [pins, says, code] of CASES) {
      const depositId = await deposit(number)
      const replies: string[] = []
      for (const pin of pins) replies.push(await phone.approve(pin))
      assert.match(replies.at(-1) ?? '', says)
      const { failureReason } = await malipo.callbacks.next({ depositId })
      assert.equal(failureReason?.failureCode, code)
    }
  })

  it('dials where the operator shows its request only then', async () => {
    const number = '22602345678'
    const phone = malipo.phone(number)
    const order = { payer: payer(number, 'MOOV_BFA'), currency: 'XOF', amount: '100' }
    const depositId = await deposit(number, order)
    await phone.approve()
    assert.equal((await malipo.callbacks.next({ depositId })).status, 'COMPLETED')
  })

  it('says what is wrong with a number', () => {
    assert.throws(() => malipo.phone('260-76'), /phone\(260-76\): .*digits/)
  })
})

describe('callbacks', TIMEOUT, () => {
  it('are handed out once, also those that came before; all() has them all', async () => {
    const depositId = await deposit('260763456049')
    const isIt = (body: { readonly depositId?: string }): boolean => body.depositId === depositId
    await eventually(() => assert.ok(malipo.callbacks.all().some(isIt)))
    const { failureReason } = await malipo.callbacks.next(isIt)
    assert.equal(failureReason?.failureCode, 'INSUFFICIENT_BALANCE')
    const again = malipo.callbacks.next({ depositId }, 50)
    await assert.rejects(again, ({ message }: Error) => {
      assert.match(message, /^No callback with \{"depositId":.*\} came within 50 ms\./)
      assert.match(message, new RegExp(`These have come.*: .*depositId ${depositId} FAILED`))
      return true
    })
    assert.ok(malipo.callbacks.all().some(isIt))
  })

  it('count only with the signature of the service', async () => {
    const { attempts } = await deliveryOf(await deposit('260763456111'))
    const depositId = randomUUID()
    const { status } = await fetch(attempts[0]?.url ?? '', {
      method: 'POST',
      body: JSON.stringify({ depositId, status: 'COMPLETED' }),
    })
    assert.equal(status, 401)
    await assert.rejects(malipo.callbacks.next({ depositId }, 50), /Refused: .*is not signed/)
  })

  it('that failed come again when the clock is moved ahead', async () => {
    await call('PUT', '/sandbox/receiver', { fails: true })
    const depositId = await deposit('260763456029')
    await deliveryOf(depositId)
    await call('PUT', '/sandbox/receiver', { fails: false })
    await malipo.clock.advance(3600)
    assert.equal((await malipo.callbacks.next({ depositId })).status, 'FAILED')
  })
})

describe('the service', TIMEOUT, () => {
  it('takes its settings from env', () => {
    assert.equal(malipo.token, TOKEN)
  })

  it('is refused with a reason that helps', async () => {
    const REFUSED: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{ DATABASE_URL: 'postgres://x' }, /env has DATABASE_URL. The kit brings its own/],
      [{ MALIPO_SANDBOX_DELAY_MS: 'soon' }, /did not start: MALIPO_SANDBOX_DELAY_MS must be/],
      [{ MALIPO_MAX_CONNECTION: '5' }, /MALIPO_MAX_CONNECTION is not .* MALIPO_MAX_CONNECTIONS\?/],
      [{ malipo_log_level: 'info' }, /malipo_log_level is not .* MALIPO_LOG_LEVEL\?/],
    ]
    // Names that are no setting are in test/node/config.test.ts, too.
    const tried = IS_PROOF ? REFUSED : REFUSED.slice(0, 2)
    for (const [env, says] of tried) await assert.rejects(startMalipo({ env }), says)
  })

  /** A test suite in CommonJS, in a process of its own, which must end by itself. */
  const suite = (body: string): Promise<Ended> =>
    runScript(
      `require('malipo/testing').startMalipo().then(async (malipo) => {${body}})`,
      { XDG_CACHE_HOME },
      'commonjs',
    )

  itInProofs('that hangs keeps no test suite from ending, and ends when it can', async () => {
    const { code, stdout, stderr } = await suite(`
      process.kill(malipo.pid, 'SIGSTOP')
      malipo.callbacks.next({}, 1).catch(({ message }) => console.log(malipo.pid, message))`)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /None has come/)
    const pid = Number.parseInt(stdout, 10)
    process.kill(pid, 'SIGCONT')
    await eventually(() => assert.ok(!isAlive(pid)))
  })

  it('that was lost is reported at once; close() can be called again and again', async () => {
    const { code, stdout, stderr } = await suite(`
      const waiting = malipo.callbacks.next({}, 600_000).catch(({ message }) => message)
      process.kill(malipo.pid, 'SIGKILL')
      console.log(await waiting)
      try { malipo.phone('260763456789') } catch ({ message }) { console.log(message) }
      await Promise.all([malipo.close(), malipo.close()])
      await malipo.close()
      console.log('closed')`)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^The sandbox has ended \(SIGKILL\)\.\n.*SIGKILL.*\nclosed\n$/)
  })
})

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addMerchant } from '../../harness/merchant.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { IS_PROOF, itInProofs } from '../../harness/scale.ts'
import { depositBody, eventually, startService } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { openCommandLine } from './command-line.ts'

/** `malipo listen` and `malipo trigger`, against a running service with no callback address set. */
const service = await startService()
const receiver = await startReceiver()
const commandLine = openCommandLine()
const folder = mkdtempSync(join(tmpdir(), 'malipo-listen-'))
const running = new Set<ChildProcess>()
after(async () => {
  for (const child of running) child.kill('SIGKILL')
  await service.stop()
  await receiver.close()
  await commandLine.close()
  rmSync(folder, { recursive: true })
})

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

type Listening = { printed(): readonly Record<string, unknown>[]; end(): Promise<void> }

/** A listener as a process of its own; ended by kill -9, as by a closed lid or a crash. */
async function startListening(
  cursor: string,
  to = receiver.url,
  token = service.token,
): Promise<Listening> {
  const args = ['--forward-to', to, '--service', service.url, '--cursor', join(folder, cursor)]
  const child = spawn(process.execPath, ['bin/malipo.mjs', 'listen', ...args, '--json'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: folder, MALIPO_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const printed = () =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  await eventually(() => assert.ok(printed().length > 0), 90_000)
  return {
    printed,
    end: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
      running.delete(child)
    },
  }
}

/** From when on callbacks are kept for the listener. */
const isListening = (merchantId = 1 as MerchantId) =>
  eventually(async () => {
    const rows = await service.database.query('select from listeners where merchant_id = $1', [
      merchantId,
    ])
    assert.equal(rows.length, 1)
    assert.equal((await service.node.ctx.merchants.byId(merchantId))?.hasListener, true)
  })

const received = (id: string, to = receiver): number =>
  to.received.filter(({ body }) => body.includes(`"${id}"`)).length

const malipo = (...args: string[]) =>
  commandLine.run([...args, '--service', service.url, '--token', service.token])

/** Callbacks that a client missed while it was gone. */
const MISSED = IS_PROOF ? 30 : 12
/** Deposits whose transactions overlap. */
const AT_ONCE = IS_PROOF ? 200 : 60

// Each forwards to a receiver of its own.
describe('malipo listen', { concurrency: 3, timeout: 540_000 }, () => {
  it('forwards, verified, without an address set; killed, it goes on and loses nothing', async () => {
    const near = await startReceiver()
    const listening = await startListening('first', near.url)
    await isListening()
    const { id } = await service.deposit()
    await eventually(() => assert.equal(received(id, near), 1))
    const line = await eventually(() => {
      const found = listening.printed().find((one) => one.id === id)
      assert.ok(found !== undefined)
      return found
    })
    const { ms: _, ...facts } = line
    const expected = { kind: 'deposit', id, status: 'COMPLETED', answer: 200, verified: true }
    assert.deepEqual(facts, expected)
    const body = await eventually(async () => {
      const found = (await service.get(`/sandbox/deliveries?paymentId=${id}`)).body
      assert.equal(found[0].delivery, 'NO_ADDRESS')
      return found
    })
    assert.match(body[0].reason, /no callback address is set/)
    assert.deepEqual(body[0].attempts, [])
    assert.ok(!('endpoint' in body[0]))
    const none = await commandLine.run(['callbacks', 'list', '--kind', 'statement'], {
      DATABASE_URL: service.databaseUrl,
    })
    assert.match(none.stdout, /neither delivered .* nor .* NO_ADDRESS/)
    const listed = await commandLine.run(['callbacks', 'list', '--status', 'NO_ADDRESS'], {
      DATABASE_URL: service.databaseUrl,
    })
    assert.match(listed.stdout, new RegExp(`${id} .* NO_ADDRESS +0 `))
    await service.post(`/v2/deposits/resend-callback/${id}`)
    await eventually(() => assert.equal(received(id, near), 2))

    // Killed, it goes on where it was.
    await listening.end()
    const missed = await Promise.all(Array.from({ length: MISSED }, () => service.deposit()))
    for (const { id } of missed) await service.reaches(id, 'COMPLETED')
    const again = await startListening('first', near.url)
    await eventually(() => {
      for (const { id } of missed) assert.ok(received(id, near) >= 1, `${id} is missing`)
    })
    await again.end()

    const other = await addMerchant(service, { slug: 'other' })
    // A cursor is of one account.
    const args = ['--forward-to', near.url, '--cursor', join(folder, 'first')]
    const options = ['--service', service.url, '--token', other.token]
    const { stderr, code } = await commandLine.run(['listen', ...args, ...options])
    assert.match(stderr, /'after'.*another account.*leave it out/s)
    assert.match(stderr, /How far it came is in .*first/)
    assert.equal(code, 2)
    await near.close()
  })

  itInProofs(
    'waits for a receiver that is not there yet, and signs again for each try',
    async () => {
      let isThere = false
      const signatures: string[] = []
      const late = createServer((request, response) => {
        signatures.push(String(request.headers.signature))
        if (isThere) response.writeHead(200).end()
        else request.socket.destroy()
      }).listen(0, '127.0.0.1')
      await once(late, 'listening')
      const { port } = late.address() as AddressInfo
      const shop = await addMerchant(service, { slug: 'late' })
      const address = `http://localhost:${port}/callbacks`
      const listening = await startListening('third', address, shop.token)
      await isListening(shop.id)
      const deposit = depositBody()
      assert.equal((await shop.call('POST', '/v2/deposits', deposit)).body.status, 'ACCEPTED')
      await eventually(() => assert.ok(signatures.length >= 2))
      assert.ok(listening.printed().some((one) => 'waiting' in one))
      isThere = true
      const line = await eventually(() => {
        const found = listening.printed().find((one) => one.id === deposit.depositId)
        assert.ok(found !== undefined)
        return found
      })
      assert.deepEqual([line.answer, line.verified], [200, true])
      assert.equal(new Set(signatures).size, signatures.length, 'a signature was used twice')
      await listening.end()
      late.close()
    },
  )

  it('says what it needs', async () => {
    const without = await commandLine.run(['listen', '--forward-to', 'localhost:1'])
    assert.match(without.stderr, /An API token is needed/)
    assert.match((await malipo('listen')).stderr, /--forward-to http/)
    assert.equal((await malipo('listen')).code, 2)
  })
})

describe('the feed', () => {
  const feed = (query: string) => service.get(`/callbacks/feed?${query}`)
  const ADDRESS = `address=${encodeURIComponent('http://127.0.0.1:9/x')}`

  it('misses nothing while transactions overlap', async () => {
    const { body: start } = await feed(ADDRESS)
    await isListening()
    const ids: string[] = []
    let cursor = start.cursor
    const seen: string[] = []
    const read = async () => {
      const { body } = await feed(`${ADDRESS}&after=${cursor}`)
      cursor = body.cursor
      seen.push(...body.callbacks.map((one: { id: string }) => one.id))
    }
    const writing = Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        ids.push((await service.deposit()).id)
      }),
    )
    const reading = (async () => {
      while (seen.length < AT_ONCE) await read()
    })()
    await writing
    await reading
    assert.deepEqual(seen.toSorted(), ids.toSorted())
  })

  it('sends each state as it was, also an earlier one when the final state is known by now', async () => {
    const { body: start } = await feed(ADDRESS)
    await isListening()
    const payer = {
      type: 'MMO',
      accountDetails: { phoneNumber: '221773456789', provider: 'WAVE_SEN' },
    }
    const { id } = await service.deposit({ amount: '100', currency: 'XOF', payer })
    await service.reaches(id, 'COMPLETED')
    const received = await eventually(async () => {
      const { body } = await feed(`${ADDRESS}&after=${start.cursor}`)
      const mine = body.callbacks.filter((one: { id: string }) => one.id === id)
      assert.equal(mine.length, 2)
      return mine as { status: string; body: string }[]
    })
    const states = ['PROCESSING', 'COMPLETED']
    assert.deepEqual(received.map(({ status }) => status).toSorted(), states.toSorted())
    for (const one of received) assert.equal(JSON.parse(one.body).status, one.status)
  })

  it('takes no cursor of another database, or one that is ahead of this', async () => {
    const [database, merchant, transaction, ...rest] = (await feed(ADDRESS)).body.cursor.split('.')
    const FOREIGN = [
      [[randomUUID(), merchant, transaction], /another database/],
      [[database, '2', transaction], /another account/],
      [[database, merchant, '9999999999999999999'], /ahead of this database/],
    ] as const
    for (const [parts, says] of FOREIGN) {
      const answer = await feed(`${ADDRESS}&after=${[...parts, ...rest].join('.')}`)
      assert.equal(answer.status, 400)
      assert.match(answer.body.failureReason.failureMessage, says)
    }
  })

  const REFUSED: readonly (readonly [query: string, says: RegExp])[] = [
    ['', /'address'/],
    ['address=nowhere', /'address'/],
    // A signature for a public address could be replayed to someone else's receiver.
    ['address=https://shop.example/callbacks', /'address'.*your own machine/],
    ['address=http://127.0.0.1.shop.example/', /'address'.*your own machine/],
    ['address=http://10.0.0.1/', /'address'.*your own machine/],
    [`${ADDRESS}&after=abc`, /'after'/],
    [`${ADDRESS}&wait=26`, /'wait'.*25/],
    [`${ADDRESS}&wait=-1`, /'wait'/],
  ]
  for (const [query, says] of REFUSED) {
    it(`400 for "${query}"`, async () => {
      const answer = await feed(query)
      assert.equal(answer.status, 400)
      assert.match(JSON.stringify(answer.body), says)
    })
  }
})

describe('malipo trigger', { timeout: 540_000 }, () => {
  const EVENTS: readonly (readonly [args: string[], says: RegExp])[] = [
    [['deposit.completed'], /^deposit \S+ COMPLETED\n$/],
    [['deposit.failed'], /^deposit \S+ FAILED \(UNSPECIFIED_FAILURE\)\n$/],
    [
      ['deposit.failed', '--failure-code', 'INSUFFICIENT_BALANCE'],
      /FAILED \(INSUFFICIENT_BALANCE\)/,
    ],
    [['payout.completed'], /^payout \S+ COMPLETED\n$/],
    [['payout.failed'], /FAILED \(UNSPECIFIED_FAILURE\)/],
    [['refund.completed'], /^refund \S+ COMPLETED\n$/],
    [['refund.failed'], /^refund \S+ FAILED \(UNSPECIFIED_FAILURE\)\n$/],
    [['remittance.completed'], /^remittance \S+ COMPLETED\n$/],
    [['remittance.failed'], /^remittance \S+ FAILED \(UNSPECIFIED_FAILURE\)\n$/],
    [['split-payment.completed'], /^split-payment \S+ COMPLETED\n$/],
    [['split-payment.failed'], /^split-payment \S+ FAILED/],
  ]
  for (const [args, says] of EVENTS) {
    it(args.join(' '), async () => {
      assert.match((await malipo('trigger', ...args)).stdout, says)
    })
  }

  it('says by its exit code that a payment had another outcome', async () => {
    const poor = await addMerchant(service, { slug: 'poor' })
    const empty = { country: 'ZMB', currency: 'ZMW', balance: '0' }
    assert.equal((await poor.call('PUT', '/sandbox/wallets', empty)).status, 204)
    const args = ['--service', service.url, '--token', poor.token]
    const { stdout, code } = await commandLine.run(['trigger', 'payout.completed', ...args])
    assert.match(stdout, /FAILED \(PAWAPAY_WALLET_OUT_OF_FUNDS\)/)
    assert.equal(code, 1)
  })

  it('says after a while which phone has to approve the payment', async () => {
    const shop = await addMerchant(service, { slug: 'taken' })
    const phone = '/sandbox/phones/260760000789'
    assert.equal((await shop.call('PUT', phone, { mode: 'interactive' })).status, 204)
    const args = ['trigger', 'deposit.completed', '--service', service.url]
    const child = spawn(process.execPath, ['bin/malipo.mjs', ...args], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: folder, MALIPO_TOKEN: shop.token },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    const ended = once(child, 'exit')
    const [result, words] = [textOf(child.stdout), once(child.stderr, 'data')]
    assert.match(String(await words), /^waiting for approval on 260760000789 … \(answer at http/)
    await eventually(async () => {
      const approved = await shop.call('POST', `${phone}/actions`, { action: 'approve' })
      assert.equal(approved.status, 200)
    })
    assert.match(await result, /^deposit \S+ COMPLETED\n$/)
    assert.deepEqual((await ended)[0], 0)
    running.delete(child)
  })

  it('takes no reason to fail for one that completes', async () => {
    const args = ['deposit.completed', '--failure-code', 'PAYER_NOT_FOUND']
    const { stderr, code } = await malipo('trigger', ...args)
    assert.match(stderr, /--failure-code does not go with deposit.completed/)
    assert.equal(code, 2)
  })

  it('moves no money where there is some', async () => {
    const live = createServer((_, response) => {
      response.writeHead(404).end('{}')
    }).listen(0, '127.0.0.1')
    await once(live, 'listening')
    const { port } = live.address() as AddressInfo
    const args = ['--service', `http://127.0.0.1:${port}`, '--token', 'any']
    const { stderr, code } = await commandLine.run(['trigger', 'payout.completed', ...args])
    assert.match(stderr, /is not a sandbox/)
    assert.equal(code, 2)
    live.close()
  })

  it('names the events it knows', async () => {
    const { stderr, code } = await malipo('trigger', 'deposit.lost')
    assert.match(stderr, /"deposit.lost" is none of deposit.completed, deposit.failed/)
    assert.equal(code, 2)
  })
})

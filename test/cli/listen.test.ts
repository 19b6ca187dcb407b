import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startReceiver } from '../support/receiver.ts'
import { eventually, startService } from '../support/service.ts'
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

type Listening = { said(): readonly Record<string, unknown>[]; end(): Promise<void> }

/** A listener as a process of its own; ended by kill -9, as by a closed lid or a crash. */
async function startListening(cursor: string, to = receiver.url): Promise<Listening> {
  const args = ['--forward-to', to, '--service', service.url, '--cursor', join(folder, cursor)]
  const child = spawn(process.execPath, ['bin/malipo.mjs', 'listen', ...args, '--json'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: folder, MALIPO_TOKEN: service.token },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const said = () =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  await eventually(() => assert.ok(said().length > 0))
  return {
    said,
    end: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
      running.delete(child)
    },
  }
}

/** From when on callbacks are kept for the listener. */
const isHeard = () =>
  eventually(async () => {
    const rows = await service.database.query('select from listeners')
    assert.equal(rows.length, 1)
    assert.equal((await service.node.ctx.merchants.byId(1 as never))?.hasListener, true)
  })

const told = (id: string): number =>
  receiver.received.filter(({ body }) => body.includes(`"${id}"`)).length

const malipo = (...args: string[]) =>
  commandLine.run([...args, '--service', service.url, '--token', service.token])

describe('malipo listen', { timeout: 120_000 }, () => {
  it('hands callbacks on, verified, though no address is set', async () => {
    const listening = await startListening('first')
    await isHeard()
    const { id } = await service.deposit()
    await eventually(() => assert.equal(told(id), 1))
    const line = await eventually(() => {
      const found = listening.said().find((one) => one.id === id)
      assert.ok(found !== undefined)
      return found
    })
    const { ms: _, ...facts } = line
    const expected = { kind: 'deposit', id, status: 'COMPLETED', answer: 200, verified: true }
    assert.deepEqual(facts, expected)
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
    assert.equal(body[0].delivery, 'DELIVERED')
    await listening.end()
  })

  it('goes on where it was killed, and loses nothing that came meanwhile', async () => {
    const before = await startListening('second')
    await isHeard()
    const first = await service.deposit()
    await eventually(() => assert.equal(told(first.id), 1))
    await before.end()
    const missed = await Promise.all(Array.from({ length: 30 }, () => service.deposit()))
    for (const { id } of missed) await service.reaches(id, 'COMPLETED')
    const again = await startListening('second')
    await eventually(() => {
      for (const { id } of missed) assert.ok(told(id) >= 1, `${id} is missing`)
    })
    await again.end()
  })

  it('waits for a receiver that is not there yet', async () => {
    const late = await startReceiver()
    await late.close()
    const listening = await startListening('third', late.url)
    await isHeard()
    const { id } = await service.deposit()
    await eventually(() => {
      assert.ok(listening.said().some((one) => one.id === id && 'waiting' in one))
    })
    await listening.end()
    const found = await startListening('third', receiver.url)
    await eventually(() => assert.ok(told(id) >= 1))
    await found.end()
  })

  it('hears a callback again when it is sent again', async () => {
    const listening = await startListening('fourth')
    await isHeard()
    const { id } = await service.deposit()
    await eventually(() => assert.equal(told(id), 1))
    await service.post(`/v2/deposits/resend-callback/${id}`)
    await eventually(() => assert.equal(told(id), 2))
    await listening.end()
  })

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
    await isHeard()
    const ids: string[] = []
    let cursor = start.cursor
    const seen: string[] = []
    const read = async () => {
      const { body } = await feed(`${ADDRESS}&after=${cursor}`)
      cursor = body.cursor
      seen.push(...body.callbacks.map((one: { id: string }) => one.id))
    }
    const writing = Promise.all(
      Array.from({ length: 200 }, async () => {
        ids.push((await service.deposit()).id)
      }),
    )
    const reading = (async () => {
      while (seen.length < 200) await read()
    })()
    await writing
    await reading
    assert.deepEqual(seen.toSorted(), ids.toSorted())
  })

  const REFUSED: readonly (readonly [query: string, says: RegExp])[] = [
    ['', /'address'/],
    ['address=nowhere', /'address'/],
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

describe('malipo trigger', { timeout: 60_000 }, () => {
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

  it('names the events it knows', async () => {
    const { stderr, code } = await malipo('trigger', 'deposit.lost')
    assert.match(stderr, /"deposit.lost" is none of deposit.completed, deposit.failed/)
    assert.equal(code, 2)
  })
})

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { COLLECTION, collectionText } from '../../harness/generate/postman.ts'
import { eventually } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { createClient } from '../../src/sdk/client/client.ts'
import { ROOT } from '../node/program.ts'
import { cutAfterReceipt, startFaultyProxy } from '../support/faulty-proxy.ts'
import { freePorts } from '../support/ports.ts'

/**
 * The programs in `examples`, run as their first lines say. Where a runtime is missing, its example is
 * left out, and that is printed. Those that compile for seconds run in "npm run proof -- examples".
 */
const IS_PROOF = process.env.MALIPO_EVERY_EXAMPLE !== undefined

const service = await shareService()
const proxy = await startFaultyProxy(service.url)
const client = createClient({ baseUrl: service.url, token: service.token })
const folder = mkdtempSync(join(tmpdir(), 'malipo-examples-'))
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await proxy.close()
  await service.stop()
})

type Language = {
  readonly name: string
  /** Commands that must be here. */
  readonly needs: readonly string[]
  /** What makes programs of the sources. */
  readonly build?: readonly string[]
  readonly pay: readonly string[]
  readonly receive: (port: number) => readonly string[]
  readonly isSlow?: true
}

const go = (name: string): string => join(folder, name)
const LANGUAGES: readonly Language[] = [
  {
    name: 'node',
    needs: [],
    pay: [process.execPath, 'examples/node/pay.mjs'],
    receive: () => [process.execPath, 'examples/node/receiver.mjs'],
  },
  {
    name: 'bun',
    needs: ['bun'],
    pay: ['bun', 'examples/node/pay.mjs'],
    receive: () => ['bun', 'examples/node/receiver.mjs'],
    isSlow: true,
  },
  {
    name: 'deno',
    needs: ['deno'],
    pay: ['deno', 'run', '-A', 'examples/node/pay.mjs'],
    receive: () => ['deno', 'run', '-A', 'examples/node/receiver.mjs'],
    isSlow: true,
  },
  {
    name: 'python',
    needs: ['python3', 'openssl'],
    pay: ['python3', 'examples/python/pay.py'],
    receive: () => ['python3', 'examples/python/receiver.py'],
  },
  {
    name: 'php',
    needs: ['php'],
    pay: ['php', 'examples/php/pay.php'],
    receive: (port) => ['php', '-S', `127.0.0.1:${port}`, 'examples/php/receiver.php'],
  },
  {
    name: 'go',
    needs: ['go'],
    build: ['sh', '-c', 'cd examples/go && go build -o "$0" ./...', folder],
    pay: [go('pay')],
    receive: () => [go('receiver')],
    isSlow: true,
  },
  {
    name: 'java',
    needs: ['java', 'javac'],
    pay: ['java', 'examples/java/Pay.java'],
    receive: () => ['java', 'examples/java/Receiver.java'],
    isSlow: true,
  },
]

const isHere = (command: string): boolean => {
  const { status } = spawnSync('sh', ['-c', `command -v ${command}`])
  return status === 0
}

/** Why something is not run here; it is printed, because a test that is left out looks like a pass. */
function reasonToSkip(name: string, needs: readonly string[], isSlow = false): string | false {
  if (isSlow && !IS_PROOF) return `${name}: see "npm run proof -- examples"`
  const missing = needs.filter((command) => !isHere(command))
  if (missing.length === 0) return false
  const reason = `${name} is left out: there is no ${missing.join(' and no ')} here`
  process.stderr.write(`test/clients/examples: ${reason}\n`)
  return reason
}

type Running = {
  readonly output: () => string
  readonly ended: Promise<number | null>
  stop(): Promise<void>
}

function run([command = '', ...args]: readonly string[], env: Record<string, string>): Running {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    output: () => output,
    ended,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}

const KINDS = ['deposits', 'refunds', 'payouts'] as const

for (const { name, needs, build, pay, receive, isSlow } of LANGUAGES) {
  describe(`the example in ${name}`, { skip: reasonToSkip(name, needs, isSlow) }, () => {
    before(async () => {
      if (build === undefined) return
      const program = run(build, {})
      assert.equal(await program.ended, 0, program.output())
    })

    it('collects, refunds and pays out, and a lost answer starts no second payment', async () => {
      // Others run beside it: only what carries its own identifiers counts.
      proxy.next(cutAfterReceipt)
      const program = run(pay, { MALIPO_URL: proxy.url, MALIPO_TOKEN: service.token })
      assert.equal(await program.ended, 0, program.output())
      const lines = [...program.output().matchAll(/^(deposit|refund|payout) (\S+) COMPLETED$/gm)]
      assert.deepEqual(
        lines.map(([, kind]) => `${kind}s`),
        KINDS,
        program.output(),
      )
      for (const [, kind, id = ''] of lines) {
        const methods = client[`${kind}s` as (typeof KINDS)[number]]
        assert.equal((await methods.get(id))?.status, 'COMPLETED')
        const posts = proxy.seen.filter(
          ({ line, body }) => line === `POST /v2/${kind}s` && body.includes(id),
        )
        assert.equal(posts.length, kind === 'deposit' ? 2 : 1)
        assert.equal(new Set(posts.map(({ body }) => body)).size, 1)
      }
    })

    it('takes callbacks of the service, and no others', async () => {
      const { callbackUrl, program } = await listening(receive)
      try {
        await service.put('/sandbox/callbacks', { deposit: callbackUrl })
        const { cursor: after } = (await service.get(`/callbacks/feed?address=${callbackUrl}`)).body
        const { id } = await service.deposit()
        await eventually(() => assert.match(program.output(), new RegExp(`verified.*${id}`)))
        const fed = client.callbacks.feed({ address: callbackUrl, after })
        const { value } = await fed.next()
        assert.ok(value !== undefined)
        const { headers, body } = value
        const post = async (change: { headers?: Record<string, string>; body?: string }) => {
          const sent = {
            method: 'POST',
            headers: { ...headers, ...change.headers },
            body: change.body ?? body,
          }
          return (await fetch(callbackUrl, sent)).status
        }
        assert.equal(await post({}), 200)
        assert.equal(await post({ body: body.replace('COMPLETED', 'FAILED') }), 401)
        assert.equal(await post({ headers: { 'Signature-Date': '2020-01-01T00:00:00.000Z' } }), 401)
        const input = headers['Signature-Input'] ?? ''
        const later = input.replace(/expires=\d+/, 'expires=4102444800')
        assert.notEqual(later, input)
        assert.equal(await post({ headers: { 'Signature-Input': later } }), 401)
        const stranger = { method: 'POST', body: JSON.stringify({ depositId: id }) }
        assert.equal((await fetch(callbackUrl, stranger)).status, 401)
        assert.match(program.output(), /refused/)
      } finally {
        await program.stop()
      }
    })
  })
}

/** A receiver that answers; on another port if the first one is taken meanwhile. */
async function listening(
  receive: Language['receive'],
  tries = 5,
): Promise<{ callbackUrl: string; program: Running }> {
  const port = await freePorts()
  const callbackUrl = `http://127.0.0.1:${port}/callbacks`
  const program = run(receive(port), {
    ...{ MALIPO_URL: service.url, MALIPO_TOKEN: service.token },
    ...{ PORT: String(port), CALLBACK_URL: callbackUrl },
  })
  let isOver = false
  void program.ended.then(() => {
    isOver = true
  })
  try {
    await eventually(async () => {
      if (isOver) return
      await fetch(callbackUrl, { method: 'POST', body: '{}' })
    })
    assert.ok(!isOver, program.output())
    return { callbackUrl, program }
  } catch (error) {
    await program.stop()
    if (tries > 1 && /in use/i.test(program.output())) return listening(receive, tries - 1)
    throw error
  }
}

describe('the collection for Postman', () => {
  it('is made from the document; "npm run postman" writes it again', async () => {
    const { body: document } = await service.get('/openapi.json')
    assert.equal(readFileSync(join(ROOT, COLLECTION), 'utf8'), collectionText(document))
  })

  it('takes nothing for an answer but what was asked for, and leaves no address behind', () => {
    const { item } = JSON.parse(readFileSync(join(ROOT, COLLECTION), 'utf8'))
    type Item = { name: string; request: { method: string; url: { raw: string }; body: Json } }
    type Json = { raw: string }
    const all: readonly Item[] = item.flatMap((folder: { item: readonly Item[] }) => folder.item)
    const takes404 = all.filter((one) => /oneOf\(\[[^\]]*404/.test(JSON.stringify(one)))
    assert.deepEqual(
      takes404.map(({ request }) => request.url.raw.replace(/.*phones.\d+/, '')),
      ['/actions'],
    )
    const last = all.slice(-3).map(({ request }) => request.url.raw.replace('{{MALIPO_URL}}', ''))
    assert.deepEqual(last, ['/sandbox/clock/reset', '/sandbox/reset', '/sandbox/callbacks'])
    const set = JSON.parse(all.at(-1)?.request.body.raw ?? '')
    assert.ok('deposit' in set)
    assert.deepEqual(new Set(Object.values(set)), new Set([null]))
  })

  /** Fetched when it is needed: it brings 150 packages, which no other test uses. */
  const NEWMAN = ['npx', '--yes', 'newman@6.2.2']
  const skip = IS_PROOF ? false : 'see "npm run proof -- examples"'
  it('can be run as a whole', { skip }, async () => {
    const version = run([...NEWMAN, '--version'], {})
    assert.equal(await version.ended, 0, version.output())
    const variables = [`MALIPO_URL=${service.url}`, `MALIPO_TOKEN=${service.token}`]
    const options = variables.flatMap((one) => ['--env-var', one])
    const program = run([...NEWMAN, 'run', COLLECTION, '--color', 'off', ...options], {})
    assert.equal(await program.ended, 0, program.output())
    process.stderr.write(`${program.output().slice(program.output().indexOf('┌'))}\n`)
    const left = await service.database.query(
      `select url from callback_urls where url like '%127.0.0.1:3000%'`,
    )
    assert.deepEqual(left, [])
  })
})

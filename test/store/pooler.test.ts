import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { after, before, describe, it, type TestContext } from 'node:test'
import { onServer, type Postgres, startPostgres } from '../../proof/support/postgres.ts'
import { readConfig } from '../../src/node/config.ts'
import { connect } from '../../src/node/connect.ts'
import type { Log } from '../../src/usecases/context.ts'

describe('a pooler between a node and PostgreSQL', { timeout: 540_000 }, () => {
  let server: Postgres
  before(async () => {
    server = await startPostgres({ fsync: 'off', jit: 'on' })
  })
  after(() => server.remove())

  /** As a node does at its start; answers what it warned of. */
  async function warningsOf(t: TestContext, port: number): Promise<readonly object[]> {
    const warnings: object[] = []
    const quiet = () => {}
    const warn = (facts: object) => void warnings.push(facts)
    const log: Log = { debug: quiet, info: quiet, error: quiet, warn }
    const url = server.url.replace(/:\d+\//, `:${port}/`)
    const { close } = await connect(readConfig({ DATABASE_URL: url }), 'own', log)
    t.after(close)
    return warnings
  }

  it('that refuses the settings of connections is named, and where the way out is', async (t) => {
    const port = await pooler(t, (socket) => socket.end(REFUSED))
    await assert.rejects(
      warningsOf(t, port),
      /unsupported startup parameter: options\. A pooler .*docs\/operating\/database\.md/,
    )
  })

  it('that drops the settings is warned of, unless the role has them', async (t) => {
    const port = await pooler(t, (socket, startup) => {
      const behind = dial(server.port, '127.0.0.1')
      behind.write(withoutOptions(startup))
      socket.pipe(behind).pipe(socket)
      behind.on('error', () => socket.destroy())
      socket.on('error', () => behind.destroy())
    })
    const settings = [
      'enable_seqscan = off',
      'enable_hashjoin = off',
      'enable_mergejoin = off',
      'jit = off',
      'idle_in_transaction_session_timeout = 10s',
    ]
    assert.deepEqual(await warningsOf(t, server.port), [])
    assert.deepEqual(await warningsOf(t, port), [{ missing: settings }])
    const user = new URL(server.url).username
    for (const setting of settings) {
      const [name, value] = setting.split(' = ')
      await onServer(server.port, 'postgres', (client) =>
        client.query(`alter role ${user} set ${name} = '${value}'`),
      )
    }
    assert.deepEqual(await warningsOf(t, port), [])
  })
})

/** Accepts connections on its own port, and passes on the first message of each. */
async function pooler(
  t: TestContext,
  take: (socket: Socket, startup: Buffer) => void,
): Promise<number> {
  const listening = createServer((socket) => {
    socket.once('data', (startup: Buffer) => take(socket, startup))
  })
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  t.after(() => listening.close())
  return (listening.address() as AddressInfo).port
}

/** Length, version, then names and values, each with a zero at its end, and one more zero. */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(8).toString().split('\0').slice(0, -2)
  const kept = words.filter((_, at) => words[at - (at % 2)] !== 'options')
  assert.equal(kept.length, words.length - 2)
  const body = Buffer.from(`${kept.join('\0')}\0\0`)
  const head = Buffer.from(startup.subarray(0, 8))
  head.writeInt32BE(8 + body.length)
  return Buffer.concat([head, body])
}

const REFUSAL = 'SFATAL\0C08P01\0Munsupported startup parameter: options\0\0'
const LENGTH = Buffer.alloc(4)
LENGTH.writeInt32BE(4 + REFUSAL.length)
const REFUSED = Buffer.concat([Buffer.from('E'), LENGTH, Buffer.from(REFUSAL)])

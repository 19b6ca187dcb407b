import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net'
import { after, describe, it } from 'node:test'
import { eventually } from '../../harness/service.ts'
import { fill } from '../../proof/hostile/connection-attacks.ts'
import {
  type Asked,
  latencyFault,
  latencyOf,
  watchOtherMerchant,
} from '../../proof/hostile/other-merchant.ts'

const closings: (() => void)[] = []
after(() => {
  for (const close of closings) close()
})

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closings.push(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Answers at once, except while it holds. */
async function stalling() {
  const held: ServerResponse[] = []
  const seen = { holds: false, most: 0, connections: 0 }
  const server = createServer((request, response) => {
    request.resume()
    held.push(response)
    seen.most = Math.max(seen.most, held.length)
    if (!seen.holds) release()
  })
  server.on('connection', () => {
    seen.connections += 1
  })
  const release = (): void => {
    seen.holds = false
    for (const response of held.splice(0)) response.end('{}')
  }
  closings.push(() => server.closeAllConnections())
  return { port: await portOf(server), seen, release }
}

describe('the other merchant', () => {
  it('sends on a fixed schedule, so that a stall delays all requests that fall into it', async () => {
    const { port, seen, release } = await stalling()
    const watch = watchOtherMerchant(port, 'T', { graceMs: 120_000 })
    await eventually(() => assert.ok(watch.asked.length > 100))
    seen.holds = true
    const held = watch.asked.length + 250
    // They come on schedule, so the first of them has waited for long when the last comes.
    await eventually(() => assert.ok(watch.asked.length > held))
    release()
    await eventually(() => {
      assert.ok(watch.asked.slice(0, held).every(({ endedAt }) => endedAt < Infinity))
    })
    await watch.stop()
    const late = watch.asked.filter(({ sentAt, endedAt }) => endedAt - sentAt > 100)
    assert.ok(late.length > 50, `${late.length} were late`)
    const latency = latencyOf(watch.asked)
    assert.ok(latency.p99Ms > 300, `p99 ${latency.p99Ms}`)
    assert.equal(latency.refused, 0)
    assert.match(latencyFault(latency, 250) ?? '', /^p99 above 250 ms$/)
  })

  it('has at most 512 requests in flight, and those never answered count as refused', async () => {
    const { port, seen } = await stalling()
    seen.holds = true
    const watch = watchOtherMerchant(port, 'T', { graceMs: 50 })
    await eventually(() => assert.equal(seen.most, 512))
    await eventually(() => assert.ok(watch.asked.length > 600))
    await watch.stop()
    assert.equal(seen.most, 512)
    const latency = latencyOf(watch.asked)
    assert.ok(latency.requests > 512, `${latency.requests} planned`)
    assert.deepEqual([latency.refused, latency.p99Ms], [latency.requests, Infinity])
    assert.match(latencyFault(latency, 250) ?? '', /^\d+ of \d+ refused$/)
  })

  it('keeps its connections, and opens new ones now and then if asked to', async () => {
    const { port, seen } = await stalling()
    const watch = watchOtherMerchant(port, 'T', { newEvery: 10, keeps: 4 })
    // Requests that a stall brings at once get a connection each; later ones need none.
    await eventually(() => {
      const answered = watch.asked.filter(({ endedAt }) => endedAt < Infinity).length
      assert.ok(answered > 250 && answered > seen.connections, `${answered} answered`)
    })
    await watch.stop()
    const fresh = Math.floor(watch.asked.length / 10)
    const { connections } = seen
    // How many more depends on how busy the machine is.
    assert.ok(connections > fresh && connections < watch.asked.length, `${connections}`)
  })

  it('with too few answers has no latency to report', () => {
    assert.match(latencyFault(latencyOf([]), 250) ?? '', /^0 answers are too few for a p99$/)
    assert.match(
      latencyFault(latencyOf(asked(100)), 250) ?? '',
      /^100 answers are too few for a p99$/,
    )
    assert.equal(latencyFault(latencyOf(asked(1000)), 250), undefined)
    assert.match(latencyFault(latencyOf(asked(1000, 300)), 250) ?? '', /^p99 above/)
  })
})

/** Evenly over five seconds, each answered after `ms`. */
const asked = (count: number, ms = 1): readonly Asked[] =>
  Array.from({ length: count }, (_, at) => {
    const sentAt = (at * 5000) / count
    return { sentAt, endedAt: sentAt + ms, isRefused: false }
  })

it('silent connections fill a service up to its limit, and are opened again', async () => {
  const server = createPlainServer((socket) => socket.on('error', () => {}))
  server.maxConnections = 50
  const port = await portOf(server)
  // On a machine that stalls for that long, nothing is opened again.
  await eventually(async () => {
    const { most, opened, closed } = await fill(port, 55, 0.5)
    assert.ok(most >= 50, `${most} at once`)
    assert.ok(closed > 0 && opened > 55, `${opened} opened, ${closed} closed`)
  })
})

import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net'
import { after, describe, it } from 'node:test'
import { eventually } from '../../harness/service.ts'
import { type Asked, fareFault, fareOf, watchNeighbour } from '../../proof/hostile/neighbour.ts'
import { fill } from '../../proof/hostile/sieges.ts'

const closings: (() => void)[] = []
after(() => {
  for (const close of closings) close()
})

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closings.push(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Answers at once, but for what comes while it holds. */
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
  it('asks by the clock, so that a stall is felt by all that came into it', async () => {
    const { port, seen, release } = await stalling()
    const watch = watchNeighbour(port, 'T')
    await eventually(() => assert.ok(watch.asked.length > 100))
    seen.holds = true
    const held = watch.asked.length + 250
    // They come by the clock, so that the first of them has waited for long when the last comes.
    await eventually(() => assert.ok(watch.asked.length > held))
    release()
    await eventually(() => {
      assert.ok(watch.asked.slice(0, held).every(({ endedAt }) => endedAt < Infinity))
    })
    await watch.stop()
    const late = watch.asked.filter(({ sentAt, endedAt }) => endedAt - sentAt > 100)
    assert.ok(late.length > 50, `${late.length} were late`)
    const fare = fareOf(watch.asked)
    assert.ok(fare.p99Ms > 300, `p99 ${fare.p99Ms}`)
    assert.equal(fare.refused, 0)
    assert.match(fareFault(fare, 250) ?? '', /^p99 beyond 250 ms$/)
  })

  it('has so many requests under way at most, and those never answered are refused', async () => {
    const { port, seen } = await stalling()
    seen.holds = true
    const watch = watchNeighbour(port, 'T', { graceMs: 50 })
    await eventually(() => assert.equal(seen.most, 512))
    await eventually(() => assert.ok(watch.asked.length > 600))
    await watch.stop()
    assert.equal(seen.most, 512)
    const fare = fareOf(watch.asked)
    assert.ok(fare.requests > 512, `${fare.requests} planned`)
    assert.deepEqual([fare.refused, fare.p99Ms], [fare.requests, Infinity])
    assert.match(fareFault(fare, 250) ?? '', /^\d+ of \d+ refused$/)
  })

  it('keeps its connections, and opens new ones now and then where it shall', async () => {
    const { port, seen } = await stalling()
    const watch = watchNeighbour(port, 'T', { newEvery: 10, keeps: 4 })
    // Those that a stall brings at once have a connection each; what follows needs none.
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

  it('of whom nothing is known did not fare well', () => {
    assert.match(fareFault(fareOf([]), 250) ?? '', /^0 answers are too few to tell$/)
    assert.match(fareFault(fareOf(asked(100)), 250) ?? '', /^100 answers are too few to tell$/)
    assert.equal(fareFault(fareOf(asked(1000)), 250), undefined)
    assert.match(fareFault(fareOf(asked(1000, 300)), 250) ?? '', /^p99 beyond/)
  })
})

/** Evenly over five seconds, each answered after so long. */
const asked = (count: number, ms = 1): readonly Asked[] =>
  Array.from({ length: count }, (_, at) => {
    const sentAt = (at * 5000) / count
    return { sentAt, endedAt: sentAt + ms, isRefused: false }
  })

it('silent connections fill a service up to its limit, and come again', async () => {
  const server = createPlainServer((socket) => socket.on('error', () => {}))
  server.maxConnections = 50
  const port = await portOf(server)
  // A machine that stands still for as long as one takes lets nothing come again.
  await eventually(async () => {
    const { most, opened, closed } = await fill(port, 55, 0.5)
    assert.ok(most >= 50, `${most} at once`)
    assert.ok(closed > 0 && opened > 55, `${opened} opened, ${closed} closed`)
  })
})

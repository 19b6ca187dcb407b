import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../harness/service.ts'
import type { Sent } from '../../src/outbound/exchange.ts'
import { createOriginPools } from '../../src/outbound/origin-pools.ts'
import { createSender, type Sender, type SenderOptions } from '../../src/outbound/request.ts'
import { startEncrypted, startReceiver, startTcp, unusedPort } from './receivers.ts'

const HEADERS = { 'Content-Type': 'application/json', 'Signature-Date': '2026-01-02T03:04:05Z' }
const BODY = '{"payer":"Aïssatou"}'

function senderFor(t: TestContext, options: Partial<SenderOptions> = {}): Sender {
  const sender = createSender({
    policy: { allowPrivate: true, httpsOnly: false },
    connectionsPerOrigin: 4,
    totalTimeoutMs: 5000,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ...options,
  })
  t.after(() => sender.close())
  return sender
}

function failure(sent: Sent): string {
  assert.equal(sent.kind, 'failed', JSON.stringify(sent))
  return sent.kind === 'failed' ? sent.reason : ''
}

function answer(sent: Sent): Extract<Sent, { kind: 'answered' }> {
  assert.ok(sent.kind === 'answered', JSON.stringify(sent))
  return sent
}

describe('a post', () => {
  it('arrives with path, query, headers and body, and its answer comes back', async (t) => {
    const seen: Record<string, unknown> = {}
    const url = await startReceiver(t, async (request, response) => {
      const chunks = await request.toArray()
      Object.assign(seen, { method: request.method, url: request.url, ...request.headers })
      Object.assign(seen, { body: Buffer.concat(chunks).toString() })
      response.writeHead(503, { 'Retry-After': '30', 'Content-Type': 'text/plain', 'X-Other': 'x' })
      response.end('später')
    })
    const sent = answer(await senderFor(t).post(url, HEADERS, BODY))
    assert.equal(sent.status, 503)
    assert.equal(sent.body, 'später')
    assert.deepEqual(sent.headers, { contentType: 'text/plain', retryAfter: '30' })
    assert.equal(seen.method, 'POST')
    assert.equal(seen.url, '/hooks?kind=deposit')
    assert.equal(seen.host, url.host)
    assert.equal(seen['signature-date'], HEADERS['Signature-Date'])
    assert.equal(seen['content-length'], String(Buffer.byteLength(BODY)))
    assert.equal(seen.body, BODY)
  })

  it('reaches a name at the address that was vetted', async (t) => {
    const url = await startReceiver(t, (_, response) => response.end('here'))
    const named = new URL(`http://merchant.example:${url.port}/`)
    assert.equal(answer(await senderFor(t).post(named, HEADERS, BODY)).body, 'here')
  })

  it('arrives encrypted, by address and by name, where the certificate is trusted', async (t) => {
    const { url, certificate } = await startEncrypted(t, async (request, response) => {
      response.end(Buffer.concat(await request.toArray()))
    })
    const policy = { allowPrivate: true, httpsOnly: true }
    const sender = senderFor(t, { policy, ca: certificate })
    for (const host of ['127.0.0.1', 'localhost']) {
      const receiver = new URL(`https://${host}:${url.port}/`)
      const sent = answer(await sender.post(receiver, HEADERS, BODY))
      assert.equal(sent.status, 200)
      assert.equal(sent.body, BODY)
    }
  })

  it('does not follow a redirect', async (t) => {
    let visits = 0
    const elsewhere = await startReceiver(t, (_, response) => {
      visits += 1
      response.end()
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await startReceiver(t, (_, response) => {
        response.writeHead(status, { Location: elsewhere.href }).end()
      })
      const sent = answer(await senderFor(t).post(url, HEADERS, BODY))
      assert.equal(sent.status, status)
      assert.equal(sent.headers.location, elsewhere.href)
    }
    assert.equal(visits, 0)
  })

  it('uses one connection for posts that follow each other', async (t) => {
    const ports = new Set<number | undefined>()
    const url = await startReceiver(t, (request, response) => {
      ports.add(request.socket.remotePort)
      response.end('ok')
    })
    const sender = senderFor(t, { connectionsPerOrigin: 1 })
    for (let round = 0; round < 5; round += 1) answer(await sender.post(url, HEADERS, BODY))
    assert.equal(ports.size, 1)
  })

  it('opens no more connections to an origin than allowed', async (t) => {
    const ports = new Set<number | undefined>()
    const url = await startReceiver(t, (request, response) => {
      ports.add(request.socket.remotePort)
      response.end('ok')
    })
    const sender = senderFor(t, { connectionsPerOrigin: 3 })
    const posts = Array.from({ length: 60 }, () => sender.post(url, HEADERS, BODY))
    for (const sent of await Promise.all(posts)) assert.equal(answer(sent).status, 200)
    assert.ok(ports.size <= 3)
  })
})

describe('an answer', () => {
  it('is cut at the limit without half a character, and its connection is given up', async (t) => {
    const ports = new Set<number | undefined>()
    const url = await startReceiver(t, (request, response) => {
      ports.add(request.socket.remotePort)
      response.write('é'.repeat(30))
      const more = setInterval(() => response.write('x'.repeat(65_536)), 1)
      response.on('close', () => clearInterval(more))
    })
    const sender = senderFor(t, { maxBodyBytes: 51 })
    for (let round = 0; round < 2; round += 1) {
      const sent = answer(await sender.post(url, HEADERS, BODY))
      assert.equal(sent.status, 200)
      assert.equal(sent.body, 'é'.repeat(25))
    }
    assert.equal(ports.size, 2)
  })

  it('of exactly the limit is whole, and its connection is kept', async (t) => {
    const ports = new Set<number | undefined>()
    const url = await startReceiver(t, (request, response) => {
      ports.add(request.socket.remotePort)
      response.end('x'.repeat(51))
    })
    const sender = senderFor(t, { maxBodyBytes: 51, connectionsPerOrigin: 1 })
    for (let round = 0; round < 2; round += 1) {
      assert.equal(answer(await sender.post(url, HEADERS, BODY)).body, 'x'.repeat(51))
    }
    assert.equal(ports.size, 1)
  })

  it('that is not text becomes text that can be stored', async (t) => {
    const url = await startReceiver(t, (_, response) => response.end(Buffer.from([0, 0xff, 65])))
    assert.equal(answer(await senderFor(t).post(url, HEADERS, BODY)).body, '\ufffd\ufffdA')
  })

  it('may follow any number of 100 (continue), asked for or not, on one connection', async (t) => {
    const sockets = new Set<unknown>()
    const url = await startReceiver(t, (request, response) => {
      sockets.add(request.socket)
      response.writeContinue()
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.writeContinue()
      response.end('done')
    })
    const sender = senderFor(t, { connectionsPerOrigin: 1 })
    for (let count = 0; count < 3; count += 1) {
      const sent = answer(await sender.post(url, HEADERS, BODY))
      assert.deepEqual([sent.status, sent.body], [200, 'done'])
    }
    assert.equal(sockets.size, 1)
  })

  it('may come in the smallest pieces, with a 100 ahead and one in its text', async (t) => {
    const text = 'HTTP/1.1 100 Continue\r\n\r\n'
    const whole = `${text}HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`
    const url = await startTcp(t, (socket) => {
      socket.setNoDelay(true)
      socket.once('data', async () => {
        for (const letter of whole) await new Promise((done) => socket.write(letter, done))
      })
    })
    const sent = answer(await senderFor(t).post(url, HEADERS, BODY))
    assert.deepEqual([sent.status, sent.body], [200, text])
  })

  it('may follow early hints', async (t) => {
    const url = await startReceiver(t, (_, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' })
      response.writeHead(202).end('later')
    })
    const sent = answer(await senderFor(t).post(url, HEADERS, BODY))
    assert.equal(sent.status, 202)
    assert.equal(sent.body, 'later')
  })
})

/** Within this the slowest machine reaches a receiver on it. */
const REACHED_MS = 5000

describe('a receiver', () => {
  it('that never answers is given up at the deadline', async (t) => {
    const url = await startReceiver(t, () => undefined)
    const sent = await senderFor(t, { totalTimeoutMs: REACHED_MS }).post(url, HEADERS, BODY)
    assert.equal(failure(sent), 'no answer within 5 s')
  })

  it('that drips its body is cut off at the deadline', async (t) => {
    let wasCut: (() => void) | undefined
    const cut = new Promise<void>((done) => {
      wasCut = done
    })
    const url = await startReceiver(t, (_, response) => {
      const drip = setInterval(() => response.write('.'), 5)
      response.on('close', () => {
        clearInterval(drip)
        wasCut?.()
      })
    })
    const sent = await senderFor(t, { totalTimeoutMs: REACHED_MS }).post(url, HEADERS, BODY)
    assert.equal(failure(sent), 'no complete answer within 5 s')
    await cut
  })

  it('that drips its headers is cut off at the deadline', async (t) => {
    const url = await startTcp(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('X-Drip: 1\r\n'), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const sent = await senderFor(t, { totalTimeoutMs: REACHED_MS }).post(url, HEADERS, BODY)
    assert.equal(failure(sent), 'no answer within 5 s')
  })

  it('that hangs keeps what waits behind it from being sent late', async (t) => {
    let visits = 0
    const url = await startReceiver(t, () => {
      visits += 1
    })
    const sender = senderFor(t, { connectionsPerOrigin: 1, totalTimeoutMs: REACHED_MS })
    const posts = Array.from({ length: 4 }, () => sender.post(url, HEADERS, BODY))
    await eventually(() => assert.equal(visits, 1))
    // All deadlines pass at once, so that none of them leaves a moment to the next.
    const passed = performance.now() + REACHED_MS + 100
    while (performance.now() < passed);
    const reasons = (await Promise.all(posts)).map(failure)
    assert.equal(reasons[0], 'no answer within 5 s')
    for (const reason of reasons.slice(1)) assert.match(reason, /^no free connection within 5 s/)
    await sender.close()
    assert.equal(visits, 1)
  })

  it('that recovers is served again', async (t) => {
    let visits = 0
    const url = await startReceiver(t, (_, response) => {
      visits += 1
      if (visits > 1) response.end('back')
    })
    const sender = senderFor(t, { connectionsPerOrigin: 1, totalTimeoutMs: REACHED_MS })
    failure(await sender.post(url, HEADERS, BODY))
    assert.equal(answer(await sender.post(url, HEADERS, BODY)).body, 'back')
  })

  it('that resets the connection is reported so', async (t) => {
    const url = await startTcp(t, (socket) => socket.once('data', () => socket.resetAndDestroy()))
    assert.equal(failure(await senderFor(t).post(url, HEADERS, BODY)), 'connection reset')
  })

  it('that switches to another protocol is reported so', async (t) => {
    for (const headers of ['', 'Connection: upgrade\r\nUpgrade: websocket\r\n']) {
      const url = await startTcp(t, (socket) => {
        socket.once('data', () => socket.write(`HTTP/1.1 101 Switching\r\n${headers}\r\n`))
      })
      const reason = failure(await senderFor(t).post(url, HEADERS, BODY))
      assert.match(reason, /^the receiver answered with 101 \(switching protocols\)/)
    }
  })

  it('that closes without an answer, or within one, is reported so', async (t) => {
    const unfinished = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'
    for (const text of ['', unfinished]) {
      const url = await startTcp(t, (socket) => socket.once('data', () => socket.end(text)))
      const reason = failure(await senderFor(t).post(url, HEADERS, BODY))
      assert.match(reason, /closed the connection|another length/)
    }
  })

  it('that refuses connections is reported so', async (t) => {
    const url = new URL(`http://127.0.0.1:${await unusedPort()}/`)
    const sender = senderFor(t, { connectionsPerOrigin: 2 })
    const posts = Array.from({ length: 8 }, () => sender.post(url, HEADERS, BODY))
    for (const sent of await Promise.all(posts)) assert.equal(failure(sent), 'connection refused')
  })

  it('that does not speak HTTP is reported so', async (t) => {
    const url = await startTcp(t, (socket) => socket.once('data', () => socket.end('SSH-2.0\r\n')))
    assert.match(failure(await senderFor(t).post(url, HEADERS, BODY)), /not valid HTTP/)
  })

  it('that sends endless headers is stopped', async (t) => {
    const url = await startTcp(t, (socket) => {
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(200_000)}`))
    })
    assert.match(failure(await senderFor(t).post(url, HEADERS, BODY)), /headers.*too long/)
  })

  it('with a certificate of an unknown authority is not trusted', async (t) => {
    const { url } = await startEncrypted(t, (_, response) => response.end())
    const reason = failure(await senderFor(t).post(url, HEADERS, BODY))
    assert.match(reason, /^the certificate is not trusted: self-signed certificate/)
  })

  it('is not trusted either where the environment says that certificates do not count', async (t) => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    t.after(() => {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    })
    const { url } = await startEncrypted(t, (_, response) => response.end())
    const reason = failure(await senderFor(t).post(url, HEADERS, BODY))
    assert.match(reason, /^the certificate is not trusted: self-signed certificate/)
  })

  it('that does not encrypt where https is asked for is reported so', async (t) => {
    const plain = await startReceiver(t, (_, response) => response.end())
    const url = new URL(`https://127.0.0.1:${plain.port}/`)
    assert.match(failure(await senderFor(t).post(url, HEADERS, BODY)), /^no encrypted connection: /)
  })
})

describe('a name', () => {
  it('that does not resolve is reported so', async (t) => {
    const resolve = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    }
    const sent = await senderFor(t, { resolve }).post(named(80), HEADERS, BODY)
    assert.equal(failure(sent), 'the name does not resolve')
  })

  it('whose resolver hangs is given up with the connection', async (t) => {
    const resolve = () => new Promise<never>(() => undefined)
    const sender = senderFor(t, { resolve, connectTimeoutMs: 100 })
    const reason = failure(await sender.post(named(80), HEADERS, BODY))
    assert.match(reason, /^no connection within 0.1 s$|^the name does not resolve: /)
  })

  it('that resolves to a private address is refused, and nothing is connected to', async (t) => {
    let visits = 0
    const url = await startTcp(t, () => {
      visits += 1
    })
    const policy = { allowPrivate: false, httpsOnly: false }
    const sender = senderFor(t, { policy })
    const reason = failure(await sender.post(named(Number(url.port)), HEADERS, BODY))
    assert.match(
      reason,
      /^address refused: merchant.example resolves to 127.0.0.1, which is a loop/,
    )
    const literal = failure(await sender.post(url, HEADERS, BODY))
    assert.match(literal, /^address refused: 127.0.0.1 is a loopback address/)
    assert.equal(visits, 0)
  })

  it('is not called without encryption where https is demanded', async (t) => {
    const sender = senderFor(t, { policy: { allowPrivate: true, httpsOnly: true } })
    assert.match(failure(await sender.post(named(80), HEADERS, BODY)), /^address refused: .*https:/)
  })
})

describe('a sender', () => {
  it('answers what is under way before it closes, and then takes nothing more', async (t) => {
    const url = await startReceiver(t, (_, response) => {
      setTimeout(() => response.end('done'), 50)
    })
    const sender = senderFor(t)
    const post = sender.post(url, HEADERS, BODY)
    await sender.close()
    assert.equal(answer(await post).body, 'done')
    const later = await sender.post(url, HEADERS, BODY)
    assert.equal(failure(later), 'the service is shutting down')
  })

  it('turns a header that cannot be sent into a failure', async (t) => {
    const url = await startReceiver(t, (_, response) => response.end())
    failure(await senderFor(t).post(url, { 'X-Bad': 'a\nb' }, BODY))
  })
})

describe('the pools', () => {
  const options = {
    policy: { allowPrivate: true, httpsOnly: false },
    connectionsPerOrigin: 1,
    connectTimeoutMs: 100,
  }

  it('are at most as many as allowed, the longest idle going first, never a busy one', async () => {
    const pools = createOriginPools(options, { maxPools: 2, idleMs: 60_000 })
    const take = (port: number) => {
      const taken = pools.take(new URL(`http://127.0.0.1:${port}/`))
      assert.ok(taken.ok)
      return taken
    }
    const busy = take(1001)
    take(1002).release()
    take(1003).release()
    assert.equal(pools.size(), 2)
    assert.equal(take(1001).pool, busy.pool)
    await pools.close()
    assert.ok(busy.pool.destroyed)
    assert.equal(pools.size(), 0)
  })

  it('are closed after a time without work', async () => {
    const pools = createOriginPools(options, { maxPools: 2, idleMs: 10 })
    const taken = pools.take(new URL('http://127.0.0.1:1001/'))
    assert.ok(taken.ok)
    taken.release()
    while (pools.size() > 0) await new Promise((done) => setTimeout(done, 5))
    assert.ok(taken.pool.closed || taken.pool.destroyed)
    await pools.close()
  })
})

function named(port: number): URL {
  return new URL(`http://merchant.example:${port}/`)
}

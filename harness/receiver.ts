import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OPEN_CALLBACKS } from './open-callbacks.ts'
import { eventually, type Service } from './service.ts'

/** A merchant's server: a real one, which keeps what it receives and answers as configured. */
export type Received = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Receiver = {
  readonly url: string
  readonly received: readonly Received[]
  /** How to answer from now on; a function may also leave the request hanging. */
  answer(how: number | ((response: ServerResponse) => void)): void
  close(): Promise<void>
}

/** Fails with Retry-After of an hour: no retry comes before a test moves the clock. */
export const failForAnHour = (response: ServerResponse): void => {
  response.writeHead(503, { 'retry-after': '3600' }).end()
}

/** Moves the clock until no callback of the service is waiting to be sent. */
export const allAreSent = (service: Pick<Service, 'advance' | 'database'>): Promise<void> =>
  eventually(async () => {
    await service.advance(600)
    const [left] = await service.database.query(
      `select ((select count(*) from ${OPEN_CALLBACKS})
         + (select count(*) from callbacks where status = 'PAUSED'))::int as count`,
    )
    assert.deepEqual(left, { count: 0 })
  })

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let how: number | ((response: ServerResponse) => void) = 200
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      received.push({ method, path: url, headers, body })
      if (typeof how === 'function') how(response)
      else response.writeHead(how).end('noted')
    })
  })
  // Never closed for being idle: the sender may be writing to it at that very moment.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/callbacks`,
    received,
    answer: (next) => {
      how = next
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

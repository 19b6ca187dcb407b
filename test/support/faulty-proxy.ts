import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { request } from 'undici'

/** What came back from the service for a request that was let through. */
export type Passed = {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** What happens to one request instead of its being passed on and answered. */
export type Fault = (
  response: ServerResponse,
  /** Lets the service have it. */
  pass: () => Promise<Passed>,
) => Promise<void> | void

type FaultyProxy = {
  readonly url: string
  /** Requests as they came, in order. */
  readonly seen: readonly {
    readonly line: string
    readonly body: string
    readonly headers: IncomingMessage['headers']
  }[]
  /** One for each of the next requests that is no look-up of keys; then all is well again. */
  next(...faults: readonly Fault[]): void
  close(): Promise<void>
}

/** The service has it, and the connection ends before its answer arrives. */
export const cutAfterReceipt: Fault = async (response, pass) => {
  await pass()
  response.destroy()
}

/** The connection ends before the service has it. */
export const cutBeforeReceipt: Fault = (response) => {
  response.destroy()
}

export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = '{}'): Fault =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }

/** The service has it, and its answer arrives changed. */
export const changed =
  (change: (passed: Passed) => Passed): Fault =>
  async (response, pass) => {
    const { status, headers, body } = change(await pass())
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
  }

/** Stands between a client and the service: what it does not spoil it passes on as it is. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const faults: Fault[] = []
  const seen: { line: string; body: string; headers: IncomingMessage['headers'] }[] = []
  const untouched: Fault = changed((passed) => passed)
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = incoming
    const body = (await buffer(incoming)).toString()
    seen.push({ line: `${method} ${url}`, body, headers })
    const pass = () => passOn(target + url, method, headers, body)
    const fault = url.includes('public-key') ? untouched : (faults.shift() ?? untouched)
    await fault(response, pass)
  }
  const server = createServer((incoming, response) => {
    // A client that hung up meanwhile must not end the tests.
    handle(incoming, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    next: (...more) => {
      faults.push(...more)
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'http2-settings',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

/** With the Host of the proxy, which is the one that was signed. */
async function passOn(
  url: string,
  method: string,
  headers: IncomingMessage['headers'],
  body: string,
): Promise<Passed> {
  const own = Object.entries(headers).filter(([name]) => !OF_ONE_CONNECTION.has(name))
  const answer = await request(url, {
    method: method as 'GET',
    headers: Object.fromEntries(own),
    ...(body === '' ? {} : { body }),
  })
  const back = Object.entries(answer.headers).filter(([name]) => !OF_ONE_CONNECTION.has(name))
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(back) as Record<string, string>,
    body: await answer.body.text(),
  }
}

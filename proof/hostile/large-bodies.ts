import { randomUUID } from 'node:crypto'

/** Requests that cost a node far more than their sender. */

/** As many fields as fit, each with a name of its own. */
const FIELDS = JSON.stringify(
  Object.fromEntries(Array.from({ length: 78_000 }, (_, at) => [`k${at.toString(36)}`, 1])),
)
const FORM = 'a&'.repeat(500_000)
const MIB = 1024 * 1024
/** The service closes such a connection after its answers; so many are sent at once. */
const VIEWS = 1000

export type Costly = {
  readonly attack: string
  readonly connections: number
  readonly bytes: Buffer
  /** With which status the service answers. */
  readonly wanted: string
}

/** `token` is one that is valid, `link` the address of a payment page. */
export function costlyRequests(port: number, token: string, link: string): readonly Costly[] {
  const host = `Host: 127.0.0.1:${port}\r\nConnection: close\r\n`
  const auth = `Authorization: Bearer ${token}\r\n`
  const post = (path: string, headers: string, body: string): Buffer =>
    Buffer.from(
      `POST ${path} HTTP/1.1\r\n${host}${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
    )
  const view = `GET ${link} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
  return [
    {
      attack: 'bodies of 78,000 fields without a token',
      connections: 120,
      bytes: post('/v2/deposits', '', FIELDS),
      wanted: '401',
    },
    {
      attack: 'bodies of 78,000 fields with a token',
      connections: 40,
      bytes: post('/v2/deposits', auth, FIELDS),
      wanted: '400',
    },
    {
      attack: 'forms of 1 MB to a payment page',
      connections: 40,
      bytes: post(link, '', FORM),
      wanted: '413',
    },
    {
      attack: '1,000 views of a payment page on one connection',
      connections: 4,
      bytes: Buffer.from(view.repeat(VIEWS)),
      wanted: '200',
    },
  ]
}

/** Most of a body of 1 MiB, for connections that never send the rest. */
export const unfinishedBody = (port: number, token: string): string =>
  `POST /v2/deposits HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n` +
  `Content-Length: ${MIB}\r\n\r\n${' '.repeat(MIB - 1000)}`

/** The path of a new payment page. */
export async function payPageAt({ port, token }: { port: number; token: string }): Promise<string> {
  const body = { depositId: randomUUID(), returnUrl: 'https://shop.example/', country: 'ZMB' }
  const answer = await fetch(`http://127.0.0.1:${port}/v2/paymentpage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  const { redirectUrl } = (await answer.json()) as { redirectUrl: string }
  return new URL(redirectUrl).pathname
}

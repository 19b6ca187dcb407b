import { randomUUID } from 'node:crypto'
import type { AttackJob } from './attack-program.ts'

/** Requests that cost a node far more than their sender. */

/** As many fields as fit, each with a different name. */
const FIELDS = JSON.stringify(
  Object.fromEntries(Array.from({ length: 78_000 }, (_, at) => [`k${at.toString(36)}`, 1])),
)
const FORM = 'a&'.repeat(500_000)
const MIB = 1024 * 1024
/** The service closes such a connection after its answers; this many are sent at once. */
const VIEWS = 1000

export type Attack = {
  readonly name: string
  readonly how: Exclude<AttackJob['how'], 'fill'>
  readonly count: number
  readonly seconds?: number
  readonly bytes: string | Buffer
  /** The statuses with which the service may answer. */
  readonly wanted: readonly string[]
}

/** `token` is a valid one, `link` the address of a payment page. */
export function costlyRequests(port: number, token: string, link: string): readonly Attack[] {
  const host = `Host: 127.0.0.1:${port}\r\nConnection: close\r\n`
  const auth = `Authorization: Bearer ${token}\r\n`
  const post = (path: string, headers: string, body: string): Buffer =>
    Buffer.from(
      `POST ${path} HTTP/1.1\r\n${host}${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
    )
  const view = `GET ${link} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
  return [
    {
      name: 'bodies of 78,000 fields without a token',
      how: 'wave',
      count: 120,
      bytes: post('/v2/deposits', '', FIELDS),
      wanted: ['401'],
    },
    {
      name: 'bodies of 78,000 fields with a token',
      how: 'wave',
      count: 40,
      bytes: post('/v2/deposits', auth, FIELDS),
      wanted: ['400', '503'],
    },
    {
      name: 'forms of 1 MB to a payment page',
      how: 'wave',
      count: 40,
      bytes: post(link, '', FORM),
      wanted: ['413'],
    },
    {
      name: '1,000 views of a payment page on one connection',
      how: 'wave',
      count: 4,
      bytes: Buffer.from(view.repeat(VIEWS)),
      wanted: ['200'],
    },
    {
      name: 'bodies without an end',
      how: 'idle',
      count: 1000,
      bytes: unfinishedBody(port, token),
      wanted: ['503'],
    },
  ]
}

/** Most of a body of 1 MiB, for connections that never send the rest. */
const unfinishedBody = (port: number, token: string): string =>
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

import { connect, type Socket } from 'node:net'

/**
 * A keep-alive HTTP/1.1 connection that sends one request at a time and reads nothing but what it
 * needs, so that the load generator uses as little processor time as possible.
 */
type Connection = {
  send(request: string): Promise<string>
  close(): void
}

export async function openConnection(port: number): Promise<Connection> {
  const socket = await connected(port)
  let pending: { resolve: (text: string) => void; reject: (error: Error) => void } | undefined
  let buffered = ''

  socket.on('data', (chunk: string) => {
    buffered = buffered === '' ? chunk : buffered + chunk
    const headEnd = buffered.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const lengthAt = buffered.indexOf('content-length: ')
    const length =
      lengthAt < 0 || lengthAt > headEnd ? 0 : Number.parseInt(buffered.slice(lengthAt + 16), 10)
    if (buffered.length < headEnd + 4 + length) return
    const answer = buffered
    buffered = ''
    pending?.resolve(answer)
  })
  const fail = (error?: Error): void => pending?.reject(error ?? new Error('connection closed'))
  socket.on('error', fail)
  socket.on('close', () => fail())

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject }
        socket.write(request, 'latin1')
      }),
    close: () => socket.destroy(),
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.setEncoding('latin1')
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}

export type PostedKind = 'deposit' | 'payout'

/** The payment that every measure posts: with the fields a merchant usually sends. */
export function paymentRequest(port: number, token: string, kind: PostedKind, id: string): string {
  const party = kind === 'deposit' ? 'payer' : 'recipient'
  const body =
    `{"${kind}Id":"${id}","amount":"15","currency":"ZMW","${party}":{"type":"MMO","accountDetails":` +
    '{"phoneNumber":"260763456789","provider":"MTN_MOMO_ZMB"}},"customerMessage":"Order 12345",' +
    '"clientReferenceId":"INV-123456","metadata":[{"orderId":"ORD-123456789"}]}'
  return (
    `POST /v2/${kind}s HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}

export function getRequest(port: number, token: string, path: string): string {
  return (
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` + `Authorization: Bearer ${token}\r\n\r\n`
  )
}

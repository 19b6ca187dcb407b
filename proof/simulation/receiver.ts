import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Behaviour } from './acts.ts'
import type { CallbackSeen } from './evidence.ts'

/** The merchants' servers: each keeps all that arrives, and answers according to its behaviour. */
export type Receivers = {
  readonly callbacks: readonly CallbackSeen[]
  url(merchant: number, kind: string): string
  behave(merchant: number, behaviour: Behaviour): void
  close(): Promise<void>
}

export async function startReceivers(): Promise<Receivers> {
  const callbacks: CallbackSeen[] = []
  const behaviours = new Map<number, Behaviour>()
  const hanging = new Map<number, Set<ServerResponse>>()

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const [, merchant = '', kind = ''] = /^\/(\d+)\/(\w+)$/.exec(path) ?? []
      const seen: CallbackSeen = {
        merchant: Number(merchant),
        kind,
        at: Date.now(),
        method,
        path,
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, String(value)]),
        ),
        body: Buffer.concat(chunks).toString('utf8'),
      }
      callbacks.push(seen)
      void answer(seen, response)
    })
  })

  async function answer(seen: CallbackSeen, response: ServerResponse): Promise<void> {
    const say = (status: number): void => {
      seen.answered = status
      response.writeHead(status).end()
    }
    switch (behaviours.get(seen.merchant) ?? 'is well') {
      case 'is well':
        return say(200)
      case 'fails':
        return say(500)
      case 'resets':
        return void response.destroy()
      case 'is slow':
        await sleep(300)
        return say(200)
      // Every other one is recorded, but its connection is reset.
      case 'is unsteady':
        return callbacks.length % 2 === 0 ? say(200) : void response.destroy()
      case 'hangs': {
        const open = hanging.get(seen.merchant) ?? new Set()
        hanging.set(seen.merchant, open.add(response))
      }
    }
  }
  const letGo = (merchant: number): void => {
    for (const response of hanging.get(merchant) ?? []) response.destroy()
    hanging.delete(merchant)
  }

  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    callbacks,
    url: (merchant, kind) => `http://127.0.0.1:${port}/${merchant}/${kind}`,
    behave: (merchant, behaviour) => {
      behaviours.set(merchant, behaviour)
      if (behaviour !== 'hangs') letGo(merchant)
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

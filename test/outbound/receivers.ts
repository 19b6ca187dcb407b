/** Real receivers on the loopback interface, each closed when its test ends. */
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import type { TestContext } from 'node:test'
import { freePorts } from '../support/ports.ts'
import { makeSelfSigned } from './self-signed.ts'

export async function startReceiver(t: TestContext, listener: RequestListener): Promise<URL> {
  const server = createHttpServer(listener)
  // Never closed for being idle: the sender may be writing to it at that very moment.
  server.keepAliveTimeout = 0
  closeAfter(t, server)
  return new URL(`http://127.0.0.1:${await listen(server)}/hooks?kind=deposit`)
}

/** Trusted only by those who are given its certificate. */
export async function startEncrypted(
  t: TestContext,
  listener: RequestListener,
): Promise<{ readonly url: URL; readonly certificate: string }> {
  const { key, certificate } = makeSelfSigned()
  const server = createHttpsServer({ key, cert: certificate }, listener)
  server.keepAliveTimeout = 0
  server.on('tlsClientError', () => undefined)
  closeAfter(t, server)
  return { url: new URL(`https://127.0.0.1:${await listen(server)}/`), certificate }
}

/** For receivers that do not speak proper HTTP. */
export async function startTcp(t: TestContext, onSocket: (socket: Socket) => void): Promise<URL> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    onSocket(socket)
  })
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return new URL(`http://127.0.0.1:${await listen(server)}/`)
}

/** A port on which nothing listens. */
export const unusedPort = (): Promise<number> => freePorts()

function listen(server: TcpServer): Promise<number> {
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port))
  })
}

function closeAfter(t: TestContext, server: Pick<Server, 'close' | 'closeAllConnections'>): void {
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
}

import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from './config.ts'

/** Before anything else is touched: a node that cannot listen must not change the database. */
export async function checkPort(config: Config): Promise<void> {
  const { host, port } = config
  if (port === 0) return
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
  } catch (error) {
    throw listenProblem(error as NodeJS.ErrnoException, config)
  }
  server.close()
  await once(server, 'close')
}

/** What can be done depends on how the node was started. */
class PortInUse extends Error {
  readonly port: number
  constructor({ host, port }: Config) {
    super(`Port ${port} on ${host} is in use by another program.`)
    this.port = port
  }
}

/** The same error with a way out, if it is about a port in use. */
export const withWayOut = (error: unknown, wayOut: (port: number) => string): unknown =>
  error instanceof PortInUse ? new Error(`${error.message} ${wayOut(error.port)}`) : error

export function listenProblem(error: NodeJS.ErrnoException, config: Config): Error {
  const { host, port } = config
  if (error.code === 'EADDRINUSE') return new PortInUse(config)
  if (error.code === 'EACCES') {
    return new Error(`Port ${port} may not be used by this user. Choose one above 1023.`)
  }
  if (error.code === 'ENOTFOUND' || error.code === 'EADDRNOTAVAIL') {
    return new Error(
      `MALIPO_HOST is "${host}", which is not an address of this machine. ` +
        'Use 127.0.0.1 for this machine alone, or 0.0.0.0 for every network.',
    )
  }
  if (error.syscall !== 'listen') return error
  return new Error(
    `Cannot listen on ${host}:${port}: ${error.message}. Check MALIPO_HOST and PORT.`,
  )
}

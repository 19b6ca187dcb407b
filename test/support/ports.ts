import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * The first of several free ports in a row. Below the ephemeral ones of the system: other
 * tests would get one of these before it is used.
 */
export async function freePorts(count = 1): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const first = randomInt(20_000, 30_000)
    const ports = Array.from({ length: count }, (_, at) => first + at)
    const taken = await Promise.allSettled(ports.map(listenOn))
    for (const one of taken) if (one.status === 'fulfilled') await one.value.close()
    if (taken.every(({ status }) => status === 'fulfilled')) return first
  }
  throw new Error(`no ${count} free ports in a row`)
}

/** Another program that has taken a port. */
export function listenOn(port: number): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        close: () => new Promise((done) => server.close(() => done())),
      })
    })
  })
}

import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Connections that do nothing useful, and what the service did about them. */
export type Siege = {
  readonly opened: number
  /** Ended by the service. */
  readonly closed: number
  /** Among these, answered with a status first. */
  readonly statuses: Readonly<Record<string, number>>
}

type Attacker = {
  readonly socket: Socket
  text: string
  isClosed: boolean
}

async function attackers(port: number, count: number, first: string): Promise<readonly Attacker[]> {
  const all: Attacker[] = []
  for (let opened = 0; opened < count; opened += 1) {
    const socket = connect({ port, host: '127.0.0.1' })
    const attacker: Attacker = { socket, text: '', isClosed: false }
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      attacker.text += attacker.text.length < 1000 ? chunk.toString('latin1') : ''
    })
    socket.on('close', () => {
      attacker.isClosed = true
    })
    socket.on('connect', () => socket.write(first))
    all.push(attacker)
    // Not faster than the queue of new connections takes them.
    if (opened % 100 === 99) await pause(20)
  }
  return all
}

function reportOn(all: readonly Attacker[]): Siege {
  const statuses: Record<string, number> = {}
  for (const { text } of all) {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
    if (status !== undefined) statuses[status] = (statuses[status] ?? 0) + 1
  }
  const report = { opened: all.length, closed: all.filter((one) => one.isClosed).length, statuses }
  for (const { socket } of all) socket.destroy()
  return report
}

/** Sends `first` on each connection and then a byte every second, as slowly as it can. */
export async function dribble(
  port: number,
  count: number,
  seconds: number,
  first: string,
): Promise<Siege> {
  const all = await attackers(port, count, first)
  for (let second = 0; second < seconds; second += 1) {
    await pause(1000)
    for (const { socket, isClosed } of all) if (!isClosed) socket.write('x')
  }
  return reportOn(all)
}

/** Sends `first` on each connection, and then nothing. */
export async function idle(
  port: number,
  count: number,
  seconds: number,
  first: string,
): Promise<Siege> {
  const all = await attackers(port, count, first)
  await pause(seconds * 1000)
  return reportOn(all)
}

/** The same bytes on one new connection after the other, by so many at once. */
export async function hammer(
  port: number,
  workers: number,
  seconds: number,
  bytes: string,
): Promise<Siege> {
  const endsAt = performance.now() + seconds * 1000
  const reports = await Promise.all(
    Array.from({ length: workers }, async () => {
      const all: Siege[] = []
      while (performance.now() < endsAt) {
        const [one] = await attackers(port, 1, bytes)
        while (one !== undefined && !one.isClosed) await pause(2)
        all.push(reportOn(one === undefined ? [] : [one]))
      }
      return all
    }),
  )
  return reports.flat().reduce(sum, { opened: 0, closed: 0, statuses: {} })
}

function sum(one: Siege, other: Siege): Siege {
  const statuses = { ...one.statuses }
  for (const [name, count] of Object.entries(other.statuses)) {
    statuses[name] = (statuses[name] ?? 0) + count
  }
  return { opened: one.opened + other.opened, closed: one.closed + other.closed, statuses }
}

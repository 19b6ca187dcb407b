import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** The connections of an attack, and what the service did about them. */
export type AttackReport = {
  readonly opened: number
  /** Those that were closed, or open for long enough that an answer was due. */
  readonly due: number
  /** Closed by the service. */
  readonly closed: number
  /** Those that were answered, by status. */
  readonly statuses: Readonly<Record<string, number>>
}

type Attacker = {
  readonly socket: Socket
  text: string
  isClosed: boolean
}

function attack(port: number, first: string | Buffer, onClosed = (): void => {}): Attacker {
  const socket = connect({ port, host: '127.0.0.1' })
  const attacker: Attacker = { socket, text: '', isClosed: false }
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    attacker.text += attacker.text.length < 1000 ? chunk.toString('latin1') : ''
  })
  socket.on('close', () => {
    attacker.isClosed = true
    onClosed()
  })
  // Written before the connection is up, so that the bytes sent later follow it.
  if (first.length > 0) socket.write(first)
  return attacker
}

async function attackers(count: number, open: () => Attacker): Promise<readonly Attacker[]> {
  const all: Attacker[] = []
  for (let at = 0; at < count; at += 1) {
    all.push(open())
    // Not faster than the listen queue takes them.
    if (at % 100 === 99) await pause(20)
  }
  return all
}

function reportOn(all: readonly Attacker[], due = all.length): AttackReport {
  const statuses: Record<string, number> = {}
  for (const { text } of all) {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
    if (status !== undefined) statuses[status] = (statuses[status] ?? 0) + 1
  }
  const closed = all.filter((one) => one.isClosed).length
  const report = { opened: all.length, due, closed, statuses }
  for (const { socket } of all) socket.destroy()
  return report
}

/** How often a closed connection is opened again: no endless loop where all are refused at once. */
const RETURNS_MOST = 3

/**
 * Sends `first` on each connection and then one byte a second. A connection that the service closes
 * is opened again at once, so that the attack never pauses.
 */
export async function dribble(
  port: number,
  count: number,
  seconds: number,
  first: Buffer,
): Promise<AttackReport> {
  const returned: Attacker[] = []
  let isOver = false
  const open = (returns: number): Attacker =>
    attack(port, first, () => {
      if (!isOver && returns < RETURNS_MOST) returned.push(open(returns + 1))
    })
  const initial = await attackers(count, () => open(0))
  for (let second = 0; second < seconds; second += 1) {
    await pause(1000)
    for (const { socket, isClosed } of [...initial, ...returned]) if (!isClosed) socket.write('x')
  }
  isOver = true
  // Those opened again a moment ago need not have been answered yet.
  const due = count + returned.filter(({ isClosed }) => isClosed).length
  return reportOn([...initial, ...returned], due)
}

/** Sends `first` on each connection, and then nothing. */
export async function idle(
  port: number,
  count: number,
  seconds: number,
  first: Buffer,
): Promise<AttackReport> {
  const all = await attackers(count, () => attack(port, first))
  await pause(seconds * 1000)
  return reportOn(all)
}

const PACE_MS = 20
/** As fast as the listen queue takes them, until there are enough. */
const FILLING = 100
/** Afterwards slower: the attack is the number of connections, not the opening of them. */
const REFILLING = 10

/** Keeps `count` silent connections open: each one that is closed is replaced. */
export async function fill(
  port: number,
  count: number,
  seconds: number,
): Promise<AttackReport & { readonly most: number }> {
  const all: Attacker[] = []
  const endsAt = performance.now() + seconds * 1000
  let most = 0
  while (performance.now() < endsAt) {
    const open = all.filter(({ isClosed }) => !isClosed)
    // Those that are still connecting do not count.
    most = Math.max(most, open.filter(({ socket }) => !socket.connecting).length)
    const pace = all.length < count ? FILLING : REFILLING
    for (let left = Math.min(pace, count - open.length); left > 0; left -= 1) {
      all.push(attack(port, ''))
    }
    await pause(PACE_MS)
  }
  return { ...reportOn(all), most }
}

/** Each worker sends the same bytes on one new connection after the other. */
export async function hammer(
  port: number,
  workers: number,
  seconds: number,
  bytes: Buffer,
): Promise<AttackReport> {
  const endsAt = performance.now() + seconds * 1000
  const reports = await Promise.all(
    Array.from({ length: workers }, async () => {
      const all: AttackReport[] = []
      while (performance.now() < endsAt) {
        const one = attack(port, bytes)
        while (!one.isClosed) await pause(2)
        all.push(reportOn([one]))
      }
      return all
    }),
  )
  return reports.flat().reduce(sum, { opened: 0, due: 0, closed: 0, statuses: {} })
}

const LAST_BYTE_AFTER_MS = 200
const ANSWERED_WITHIN_MS = 10_000

/** The same bytes on many connections, all last bytes at the same moment; until time is up. */
export async function wave(
  port: number,
  count: number,
  seconds: number,
  bytes: Buffer,
): Promise<AttackReport> {
  const endsAt = performance.now() + seconds * 1000
  let total: AttackReport = { opened: 0, due: 0, closed: 0, statuses: {} }
  while (performance.now() < endsAt) {
    const all = Array.from({ length: count }, () => attack(port, bytes.subarray(0, -1)))
    await pause(LAST_BYTE_AFTER_MS)
    for (const { socket, isClosed } of all) if (!isClosed) socket.write(bytes.subarray(-1))
    const deadline = performance.now() + ANSWERED_WITHIN_MS
    while (all.some(({ isClosed }) => !isClosed) && performance.now() < deadline) await pause(20)
    total = sum(total, reportOn(all))
  }
  return total
}

function sum(one: AttackReport, other: AttackReport): AttackReport {
  const statuses = { ...one.statuses }
  for (const [name, count] of Object.entries(other.statuses)) {
    statuses[name] = (statuses[name] ?? 0) + count
  }
  return {
    opened: one.opened + other.opened,
    due: one.due + other.due,
    closed: one.closed + other.closed,
    statuses,
  }
}

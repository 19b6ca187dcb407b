import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/**
 * The network between a node and its database, which a test may cut at a chosen place. Statements
 * are known by the names under which they are prepared.
 */
export type DatabaseLink = {
  /** For DATABASE_URL: leads to the same database through the link. */
  readonly url: string
  /** How often the statement was sent. */
  sent(statement: string): number
  /** The next time, the database executes it, and the connection breaks before the answer. */
  loseAnswerTo(statement: string): Promise<void>
  /** The next time, the connection breaks before the database receives it. */
  loseRequestOf(statement: string): Promise<void>
  /** The next time, the answer stays on the way until it is let through. */
  holdAnswerTo(statement: string): Held
  /** Every time until it is let through, the answer stays on the way. */
  holdAnswersTo(statement: string): Held
  /** The next time, the statement itself stays on the way until it is let through. */
  holdRequestOf(statement: string): Held
  /** Every time until it is let through, the statement itself stays on the way. */
  holdRequestsOf(statement: string): Held
  /** Every time from now on, right before the statement goes on to the database. */
  watch(statement: string, seen: () => void): void
  /** From now on nothing gets through in either direction, and neither side is notified. */
  swallow(): void
  /** The network is back; what was swallowed is lost. */
  recover(): void
  /** Every connection breaks, and what is held on it is lost; new ones come through. */
  cut(): void
  close(): Promise<void>
}

type Held = { readonly reached: Promise<void>; letThrough(): void }

type Trap = {
  readonly statement: string
  readonly kind:
    | 'lose'
    | 'loseRequest'
    | 'holdAnswer'
    | 'holdAnswers'
    | 'holdRequest'
    | 'holdRequests'
  readonly reached: () => void
  readonly letThrough: Promise<void>
}

export async function startDatabaseLink(databaseUrl: string): Promise<DatabaseLink> {
  const target = new URL(databaseUrl)
  const counts = new Map<string, number>()
  const watchers = new Map<string, () => void>()
  const sockets = new Set<Socket>()
  let traps: Trap[] = []
  let isSilent = false
  const remove = (trap: Trap): void => {
    traps = traps.filter((one) => one !== trap)
  }

  const server = createServer({ noDelay: true }, (near) => {
    const far = connectTo(target)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    const statementsIn = createStatementReader()
    let toFar: Promise<unknown> = Promise.resolve()
    let toNear: Promise<unknown> = Promise.resolve()
    let answerTrap: Trap | undefined
    const breakOff = (): void => {
      near.destroy()
      far.destroy()
    }

    near.on('data', (chunk) => {
      if (isSilent) return undefined
      for (const statement of statementsIn(chunk)) {
        counts.set(statement, (counts.get(statement) ?? 0) + 1)
        watchers.get(statement)?.()
        const trap = traps.find((one) => one.statement === statement)
        if (trap === undefined) continue
        if (trap.kind !== 'holdAnswers' && trap.kind !== 'holdRequests') remove(trap)
        if (trap.kind === 'loseRequest') {
          trap.reached()
          return breakOff()
        }
        if (trap.kind === 'holdRequest' || trap.kind === 'holdRequests') {
          trap.reached()
          toFar = toFar.then(() => trap.letThrough)
        } else {
          answerTrap = trap
        }
      }
      toFar = toFar.then(() => far.write(chunk))
      return undefined
    })
    far.on('data', (chunk) => {
      if (isSilent) return undefined
      const trap = answerTrap
      if (trap !== undefined) {
        answerTrap = undefined
        trap.reached()
        if (trap.kind === 'lose') return breakOff()
        toNear = toNear.then(() => trap.letThrough)
      }
      toNear = toNear.then(() => near.write(chunk))
      return undefined
    })
    near.on('close', breakOff)
    far.on('close', breakOff)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const set = (statement: string, kind: Trap['kind']): Held => {
    const reached = createGate()
    const through = createGate()
    const trap = { statement, kind, reached: reached.open, letThrough: through.opened }
    traps.push(trap)
    const letThrough = (): void => {
      remove(trap)
      through.open()
    }
    return { reached: reached.opened, letThrough }
  }
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const { port } = server.address() as AddressInfo
  return {
    url: `postgresql://${target.username}@127.0.0.1:${port}${target.pathname}`,
    sent: (statement) => counts.get(statement) ?? 0,
    loseAnswerTo: (statement) => set(statement, 'lose').reached,
    loseRequestOf: (statement) => set(statement, 'loseRequest').reached,
    holdAnswerTo: (statement) => set(statement, 'holdAnswer'),
    holdAnswersTo: (statement) => set(statement, 'holdAnswers'),
    holdRequestOf: (statement) => set(statement, 'holdRequest'),
    holdRequestsOf: (statement) => set(statement, 'holdRequests'),
    watch: (statement, seen) => {
      watchers.set(statement, seen)
    },
    swallow: () => {
      isSilent = true
    },
    recover: () => {
      isSilent = false
    },
    cut,
    close: async () => {
      server.close()
      cut()
    },
  }
}

function createGate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** The server of the tests has no port, only a socket in a folder. */
function connectTo(target: URL): Socket {
  const folder = target.searchParams.get('host')
  const port = target.searchParams.get('port') ?? target.port
  if (folder === null) return createConnection(Number(port), target.hostname)
  return createConnection(`${folder}/.s.PGSQL.${port}`)
}

/**
 * Every use of a prepared statement begins with a Bind message that names it. A message may arrive
 * in pieces; it counts with its last one.
 */
function createStatementReader(): (chunk: Buffer) => string[] {
  let rest: Buffer = Buffer.alloc(0)
  // The first message of a connection has no type.
  let header = 0
  return (chunk) => {
    const names: string[] = []
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= header + 4) {
      const end = header + rest.readInt32BE(header)
      if (rest.length < end) break
      if (header === 1 && rest[0] === 'B'.charCodeAt(0)) {
        const portalEnd = rest.indexOf(0, 5)
        names.push(rest.toString('latin1', portalEnd + 1, rest.indexOf(0, portalEnd + 1)))
      }
      rest = rest.subarray(end)
      header = 1
    }
    return names
  }
}

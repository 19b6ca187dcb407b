import { Socket } from 'node:net'
import pg from 'pg'
import { LIMITS } from '../../domain/timing.ts'

/**
 * The servers behind one address. Usually one; with replication a primary and its standbys, of
 * which any may be promoted. Only the one that takes writes is used, for reading too. It is looked for
 * whenever a connection is opened, so a node finds a promoted standby by itself.
 */
export type Servers = {
  query(query: pg.QueryConfig): Promise<pg.QueryResult>
  connect(): Promise<pg.PoolClient>
  /** The one that took writes last. */
  preferred(): pg.ClientConfig
  /**
   * Breaks every connection and looks at the next server first: a machine that is gone does not say
   * so. False where there is no other, for then waiting is all that helps.
   */
  turnAway(): boolean
  end(): Promise<void>
}

const ADDRESS = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/is

/** `postgres://user@a:5432,b:5432/malipo` names two servers with the same account and database. */
export function serversIn(url: string): readonly string[] {
  const [, before = '', hosts = '', after = ''] = ADDRESS.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [url]
}

const NEAR = /^(localhost|127\.[\d.]+|\[?::1\]?|\/.*)?$/

/** Those that are on other machines, as far as their names show. */
export const serversAfar = (url: string): readonly string[] =>
  serversIn(url)
    .map((server) => new URL(server))
    .map(({ hostname, host, searchParams }) => ({
      name: searchParams.get('host') ?? hostname,
      given: searchParams.get('host') ?? host,
    }))
    .filter(({ name }) => !NEAR.test(name))
    .map(({ given }) => given)

export function openServers(servers: readonly pg.ClientConfig[], options: pg.PoolConfig): Servers {
  const isAlone = servers.length === 1
  const sockets = new Set<Socket>()
  const stream = (): Socket => {
    const socket = new Socket()
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  }
  const pools = servers.map((server) => new pg.Pool({ ...server, ...options, onConnect, stream }))
  let preferred = 0
  let turns = 0
  const openedAt = servers.map(() => Number.NEGATIVE_INFINITY)
  pools.forEach((pool, server) => {
    // A lost idle connection is not an event of its own: the next query opens another.
    pool.on('error', ignore)
    pool.on('connect', (client) => {
      // For life: one that breaks between two hands has nobody else who listens, which would end the
      // process. Its next user gets the error.
      client.on('error', ignore)
      openedAt[server] = performance.now()
    })
  })
  const next = (server: number): number => (server + 1) % pools.length
  const poolAt = (server: number): pg.Pool => pools[server] as pg.Pool

  /** Nothing has been sent yet, so trying the next one is safe. */
  async function connect(): Promise<pg.PoolClient> {
    for (let tries = 1; ; tries += 1) {
      const [server, turn] = [preferred, turns]
      try {
        return await poolAt(server).connect()
      } catch (error) {
        // One that was broken by turning away says nothing about its server.
        if (preferred === server && turn === turns) preferred = next(server)
        if (tries >= pools.length) throw error
      }
    }
  }

  return {
    connect,
    query: (query) => (isAlone ? poolAt(0).query(query) : queryOn(connect, query)),
    preferred: () => servers[preferred] as pg.ClientConfig,
    turnAway: () => {
      if (isAlone) return false
      turns += 1
      // The one that is silent may have been left already, when it could not be connected to.
      const isNew = performance.now() - (openedAt[preferred] ?? 0) < LIMITS.serverIsNewForMs
      if (!isNew) preferred = next(preferred)
      for (const socket of sockets) socket.destroy()
      return true
    },
    end: async () => {
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}

const ignore = (): void => {}

/** As the pool does it by itself, where there is only one. */
async function queryOn(
  connect: () => Promise<pg.PoolClient>,
  query: pg.QueryConfig,
): Promise<pg.QueryResult> {
  const client = await connect()
  try {
    const result = await client.query(query)
    client.release()
    return result
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}

/**
 * A standby takes no writes. Behind one address it may be a former primary, to which a proxy still
 * leads: it shows what was never confirmed, and will be undone.
 */
async function onConnect(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('select pg_is_in_recovery() as follows')
  if (rows[0]?.follows === true) throw new Error('the server is a standby and takes no writes')
}

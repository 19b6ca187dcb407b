import type { IncomingMessage, ServerResponse } from 'node:http'
import { CONNECTIONS } from '../domain/client-timing.ts'
import type { MerchantId } from '../domain/ids.ts'
import type { Limiter } from './admission-control.ts'
import { createBodyBuffers, sizeFor } from './body-buffers.ts'

/** What a caller with a valid token may send. */
export const BODY_LIMIT = 1024 * 1024
/** What an operator may send to the address that it was given. */
export const OPERATOR_BODY_LIMIT = 256 * 1024
/** What a form may hold, and what is read of a caller without a valid token. */
export const SMALL_BODY_LIMIT = 16 * 1024
/** All bodies that are held at once, by node. */
export const BODIES_MAX = 32 * 1024 * 1024
/** What a piece costs beside its bytes: a client may send each byte by itself. */
const PIECE_COST = 256

/** Why a body was not read, for the client. */
export class BodyRefused extends Error {
  readonly statusCode: 413 | 503

  constructor(statusCode: 413 | 503, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

/** True where the headers promise a body that is small enough for any caller, or none. */
export function hasSmallBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  return Number(headers['content-length'] ?? 0) <= SMALL_BODY_LIMIT
}

export type BodyLimit = keyof typeof SIZES

type BodyOptions = {
  readonly limit: BodyLimit
  readonly merchantId: MerchantId | undefined
  readonly room: Limiter
}

/** A large body takes its part of the room until it is released; its memory is then used again. */
type BodyRead = (error: Error | null, body?: Buffer, release?: () => void) => void

/**
 * Reads a whole body. Bodies count against the room that all of them share while they arrive, and a
 * large one until its request is over. One that says how long it is has its room from the beginning:
 * many that fit only in part would all be read, and none be used.
 */
export function readBody(
  request: IncomingMessage,
  { limit, merchantId, room }: BodyOptions,
  done: BodyRead,
): void {
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > limit) {
    done(tooLarge(limit))
    return
  }
  // A client that left while its request waited causes no further event.
  if (request.destroyed && !request.readableEnded) {
    done(goneAway())
    return
  }
  const isLarge = length > SMALL_BODY_LIMIT
  let held = isLarge ? sizeFor(length) : length
  if (!room.enter(merchantId, held)) {
    done(noRoom())
    return
  }
  const pieces: Buffer[] = []
  let size = 0
  let whole: Buffer | undefined

  const settle = (error: Error | null, body?: Buffer): void => {
    request.off('data', take).off('end', end).off('error', settle).off('close', leave)
    const release = (): void => {
      room.leave(merchantId, held)
      if (isLarge && whole !== undefined) buffers.give(whole)
    }
    if (error === null && size > SMALL_BODY_LIMIT) {
      done(null, body, release)
    } else {
      release()
      done(error, body)
    }
  }
  const take = (piece: Buffer): void => {
    size += piece.length
    if (length > 0) {
      // Copied as it comes: thousands of small pieces would take far more than their bytes.
      if (isLarge) whole ??= buffers.take(length)
      else if (size < length) whole ??= Buffer.allocUnsafeSlow(length)
      if (whole === undefined) pieces.push(piece)
      else piece.copy(whole, size - piece.length)
      return
    }
    pieces.push(piece)
    const more = Math.max(0, size + pieces.length * PIECE_COST - held)
    if (size > limit) settle(tooLarge(limit))
    else if (room.enter(merchantId, more)) held += more
    else settle(noRoom())
  }
  const end = (): void => {
    if (whole !== undefined) settle(null, whole.subarray(0, size))
    else settle(null, pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))
  }
  const leave = (): void => settle(goneAway())
  request.on('data', take).on('end', end).on('error', settle).on('close', leave)
  expectant.get(request)?.()
}

const buffers = createBodyBuffers(BODIES_MAX)

const goneAway = (): Error => Object.assign(new Error('the client left'), { code: 'ECONNRESET' })

/** Requests whose client waits for 100 Continue before it sends the body. */
const expectant = new WeakMap<IncomingMessage, () => void>()

/**
 * 100 Continue is sent when the body is read. If the answer comes without it, the connection is
 * closed afterwards: the body may follow or not.
 */
export function expectsContinue(request: IncomingMessage, response: ServerResponse): void {
  const { shouldKeepAlive } = response
  response.shouldKeepAlive = false
  expectant.set(request, () => {
    expectant.delete(request)
    response.shouldKeepAlive = shouldKeepAlive
    response.writeContinue()
  })
}

/** What is read of a body that nobody needs, so that the answer reaches the client. */
const DROPPED_MAX = 16 * BODY_LIMIT
/** Clients that send without reading answers must not keep the node busy: so many pieces at a time. */
const DROPPED_AT_ONCE = 4

const dropping: IncomingMessage[] = []
let dropTimer: NodeJS.Timeout | undefined

function dropSome(): void {
  for (const request of dropping.splice(0, DROPPED_AT_ONCE)) request.resume()
  if (dropping.length > 0) return
  clearInterval(dropTimer)
  dropTimer = undefined
}

/** Reads and drops what is left of a body, slowly. To be called before the answer is sent. */
export function dropRest(request: IncomingMessage): void {
  if (request.complete) return
  let size = 0
  request.on('data', (piece: Buffer) => {
    size += piece.length
    if (size > DROPPED_MAX) {
      request.socket.destroy()
      return
    }
    request.pause()
    dropping.push(request)
    dropTimer ??= setInterval(dropSome, CONNECTIONS.dropsEveryMs)
  })
}

const SIZES = {
  [BODY_LIMIT]: '1 MiB',
  [OPERATOR_BODY_LIMIT]: '256 KiB',
  [SMALL_BODY_LIMIT]: '16 KiB',
} as const

const tooLarge = (limit: BodyOptions['limit']): BodyRefused =>
  new BodyRefused(413, `The request body is larger than ${SIZES[limit]}.`)

const noRoom = (): BodyRefused =>
  new BodyRefused(503, 'Too many large requests are arriving at once. Try again shortly.')

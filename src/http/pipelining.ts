import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Requests of one connection that are worked on at once; a client may send more without waiting. */
const AT_ONCE = 4
/** Requests of one connection that may wait. One that sends more is closed after its answers. */
const WAITING_MAX = 100

type Handler = (request: IncomingMessage, response: ServerResponse) => void

type Waiting = readonly [request: IncomingMessage, response: ServerResponse]

type Line = { running: number; readonly waiting: Waiting[]; isFull: boolean }

/** Answers requests that a client sends without waiting for answers a few at a time. */
export function limitPipelining(handler: Handler): Handler {
  const lines = new WeakMap<Duplex, Line>()

  const begin = (line: Line, [request, response]: Waiting): void => {
    line.running += 1
    response.once('close', () => {
      line.running -= 1
      if (request.socket.destroyed) return
      const next = line.waiting.shift()
      if (next !== undefined) begin(line, next)
      else if (line.isFull && line.running === 0) request.socket.destroySoon()
    })
    handler(request, response)
  }

  return (request, response) => {
    let line = lines.get(request.socket)
    if (line === undefined) {
      line = { running: 0, waiting: [], isFull: false }
      lines.set(request.socket, line)
    }
    if (line.isFull) return
    if (line.running < AT_ONCE) begin(line, [request, response])
    else if (line.waiting.length < WAITING_MAX) line.waiting.push([request, response])
    else line.isFull = true
  }
}

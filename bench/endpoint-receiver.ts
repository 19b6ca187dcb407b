import { createServer, type Socket } from 'node:net'

/**
 * A hundred endpoints in one process: `/e/0` to `/e/99`. After the start message it reports when all
 * endpoints but the first have received their last callback; the first one may hang meanwhile.
 */
export type Storm = { readonly expected: number; readonly hangs: boolean }
export type StormEnd = { readonly perSecond: number }

const ACKNOWLEDGED = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
const FAILED = 'HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n'
let storm: Storm = { expected: 0, hangs: false }
let arrived = 0
let firstAt = 0
const held: Socket[] = []

const server = createServer({ noDelay: true }, (socket) => {
  let buffered = ''
  socket.setEncoding('latin1')
  socket.on('error', () => {})
  socket.on('data', (chunk: string) => {
    buffered += chunk
    const headEnd = buffered.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const length = Number(/content-length: (\d+)/i.exec(buffered.slice(0, headEnd))?.[1] ?? 0)
    if (buffered.length < headEnd + 4 + length) return
    const isFirst = buffered.startsWith('POST /e/0 ')
    buffered = ''
    if (!isFirst) count()
    if (isFirst && storm.hangs) held.push(socket)
    else socket.write(ACKNOWLEDGED)
  })
})

function count(): void {
  const now = performance.now()
  if (arrived === 0) firstAt = now
  arrived += 1
  if (arrived !== storm.expected) return
  const end: StormEnd = { perSecond: arrived / ((now - firstAt) / 1000) }
  process.send?.(end)
}

process.on('message', (next: Storm) => {
  storm = next
  arrived = 0
  if (!storm.hangs) for (const socket of held.splice(0)) socket.write(FAILED)
})
const port = Number(process.argv[2])
server.listen(port, '127.0.0.1', () => process.send?.({ perSecond: 0 } satisfies StormEnd))

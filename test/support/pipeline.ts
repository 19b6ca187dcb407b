import { connect } from 'node:net'
import type { Service } from '../../harness/service.ts'

/** Many requests, all sent at once, on each of several connections. */
export function pipeline(
  { node, token }: Service,
  count: number,
  firstLine: string,
  connections = 1,
) {
  const host = `127.0.0.1:${node.port}`
  const head = `${firstLine} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  let answered = 0
  const read = async (): Promise<void> => {
    const socket = connect(node.port, '127.0.0.1')
    socket.write(head.repeat(count))
    let own = 0
    for await (const chunk of socket) {
      const more = String(chunk).split('HTTP/1.1 ').length - 1
      own += more
      answered += more
      if (own >= count) break
    }
  }
  const all = Promise.all(Array.from({ length: connections }, read))
  return { answered: () => answered, ended: all.then(() => answered) }
}

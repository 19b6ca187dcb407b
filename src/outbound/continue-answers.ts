/**
 * A client must expect a 100 (continue) that it did not ask for, and skip it (RFC 9110, 15.2). undici
 * skips every other interim answer but takes this one for a broken connection. So the socket it is
 * given reads a 100 as a 102.
 */
import type { Duplex } from 'node:stream'

export function readingContinue<Socket extends Duplex>(socket: Socket): Socket {
  const { read, write } = socket
  let answer = startOfAnswer()
  socket.read = (size) => {
    const chunk: unknown = read.call(socket, size)
    if (chunk instanceof Buffer) follow(answer, chunk)
    return chunk
  }
  // One request is under way at a time: what is read after it was written begins its answer.
  socket.write = (...request: unknown[]): boolean => {
    answer = startOfAnswer()
    return Reflect.apply(write, socket, request)
  }
  return socket
}

/** How far an answer was read; pieces end anywhere. */
type Reading = {
  part: 'STATUS' | 'INTERIM_HEADERS' | 'FINAL'
  /** Characters of the status line that were read. */
  letters: number
  tens: number
  /** Ends of lines with nothing between them. */
  lineEnds: number
}

const startOfAnswer = (): Reading => ({ part: 'STATUS', letters: 0, tens: 0, lineEnds: 0 })

const HUNDREDS_AT = 'HTTP/1.1 '.length
const [TENS_AT, UNITS_AT] = [HUNDREDS_AT + 1, HUNDREDS_AT + 2]
const [CR, LF, ZERO, ONE, TWO] = [0x0d, 0x0a, 0x30, 0x31, 0x32]

function follow(answer: Reading, chunk: Buffer): void {
  for (let at = 0; at < chunk.length && answer.part !== 'FINAL'; at += 1) {
    const byte = chunk[at] ?? 0
    if (answer.part === 'STATUS') {
      if (readStatus(answer, byte) === 100) chunk[at] = TWO
    } else if (byte === LF) {
      answer.lineEnds += 1
      if (answer.lineEnds === 2) Object.assign(answer, startOfAnswer())
    } else if (byte !== CR) {
      answer.lineEnds = 0
    }
  }
}

/** Answers 100 at the last digit of one. */
function readStatus(answer: Reading, byte: number): 100 | undefined {
  // Empty lines ahead of an answer are forgiven.
  if (answer.letters === 0 && (byte === CR || byte === LF)) return undefined
  const at = answer.letters
  answer.letters += 1
  if (at === HUNDREDS_AT && byte !== ONE) answer.part = 'FINAL'
  if (at === TENS_AT) answer.tens = byte
  if (at !== UNITS_AT) return undefined
  answer.part = 'INTERIM_HEADERS'
  return answer.tens === ZERO && byte === ZERO ? 100 : undefined
}

import { gzipSync } from 'node:zlib'
import type { Chance } from '../../harness/random/chance.ts'

/** The body with wrong bytes; its declared length is always right. */
export function bytesOf(text: string, dice: Chance): Buffer {
  const bytes = Buffer.from(text)
  switch (dice.below(12)) {
    case 0:
      return Buffer.alloc(0)
    case 1:
      return bytes.subarray(0, dice.below(bytes.length))
    case 2:
      return Buffer.concat([bytes, bytes])
    case 3:
      return Buffer.from(`\ufeff${text}`)
    case 4:
      return Buffer.from(text, 'utf16le')
    case 5:
      return gzipSync(bytes)
    case 6:
      return noise(dice)
    case 7:
      return Buffer.from(' \n\t'.repeat(dice.pick([1, 100, 5000])))
    case 8:
      return Buffer.concat([bytes, Buffer.from([0])])
    case 9:
      // Now and then larger than the limit.
      return Buffer.from(text.padEnd(dice.oneIn(40) ? 1_048_577 : 20_000))
    default:
      return flipped(bytes, dice)
  }
}

function flipped(bytes: Buffer, dice: Chance): Buffer {
  const copy = Buffer.from(bytes)
  for (let count = dice.between(1, 6); count > 0; count -= 1) {
    copy[dice.below(copy.length)] = dice.below(256)
  }
  return copy
}

const noise = (dice: Chance): Buffer =>
  Buffer.from(Array.from({ length: dice.between(1, 200) }, () => dice.below(256)))

/**
 * Malformed requests, in the pieces in which they are sent: broken lines and lengths, invalid
 * chunks, nested requests, half a request.
 */
export function brokenBytes(head: string, body: Buffer, dice: Chance): readonly Buffer[] {
  const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
  const without = head.replace(/Content-Length: \d+\r\n/, '').slice(0, -2)
  const whole = Buffer.concat([latin(head), body])
  const length = (value: string): Buffer[] => [
    latin(`${without}Content-Length: ${value}\r\n\r\n`),
    body,
  ]
  const chunked = (chunks: string): Buffer[] => [
    latin(`${without}Transfer-Encoding: chunked\r\n\r\n${chunks}`),
  ]
  const good = `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n0\r\n\r\n`
  const ways: readonly (() => Buffer[])[] = [
    () => [noise(dice)],
    () => [flipped(whole, dice)],
    () => [whole.subarray(0, dice.below(whole.length))],
    () =>
      length(
        dice.pick(['-1', '+2', '0x10', '1e3', '', ' ', '2, 2', '99999999999999999999', 'two']),
      ),
    () => length(String(body.length + dice.between(1, 500))),
    () => length(String(dice.below(body.length + 1))),
    () => [latin(head.replace('\r\n\r\n', '\r\nContent-Length: 7\r\n\r\n')), body],
    () => [latin(head.replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n')), latin(good)],
    () => chunked(good),
    () =>
      chunked(
        good.replace(
          '\r\n',
          dice.pick([';x=y\r\n', ' \r\n', '\n', '\r', `;${'x'.repeat(20_000)}\r\n`]),
        ),
      ),
    () =>
      chunked(
        `${dice.pick(['zz', '-1', 'ffffffffffffffffff', '', '0x2'])}\r\n${body.toString('latin1')}\r\n0\r\n\r\n`,
      ),
    () => chunked(`${good.slice(0, -2)}X-Trailer: ${'y'.repeat(dice.pick([1, 20_000]))}\r\n\r\n`),
    () => [
      latin(
        head.replace('HTTP/1.1', dice.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'HTTX/1.1', ''])),
      ),
    ],
    () => [latin(head.replaceAll('\r\n', dice.pick(['\n', '\r', '\r\r\n', '\r\n ']))), body],
    () => [
      latin(head.replace(/Host: .*\r\n/, dice.pick(['', 'Host: \r\n', 'Host: a\r\nHost: b\r\n']))),
      body,
    ],
    () => [
      latin(head.replace('\r\n', `\r\n${'X-Many: 1\r\n'.repeat(dice.pick([100, 1500]))}`)),
      body,
    ],
    () => [
      latin(head.replace('\r\n', `\r\nX-Long: ${'x'.repeat(dice.pick([15_000, 20_000]))}\r\n`)),
      body,
    ],
    () => [
      latin(
        head.replace(
          /^\S+ \S+/,
          dice.pick([
            'GET http://elsewhere.example/v2/deposits',
            'OPTIONS *',
            'CONNECT a:1',
            'GET \xff',
            'G\x00T /',
            'GET  /v2',
          ]),
        ),
      ),
      body,
    ],
    () => [
      latin(head.replace('\r\n', `\r\nExpect: ${dice.pick(['100-continue', 'x'])}\r\n`)),
      body,
    ],
    () => [
      latin(head.replace('\r\n', '\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n')),
      body,
    ],
    () => [latin('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), noise(dice)],
    () => [Buffer.concat([whole, noise(dice)])],
    () => [Buffer.concat([whole, whole, whole])],
    () => [...Array.from(whole.subarray(0, 40), (byte) => Buffer.from([byte])), whole.subarray(40)],
  ]
  return dice.pick(ways)()
}

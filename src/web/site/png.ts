import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const BYTES_PER_PIXEL = 4

export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

/** A square picture with 8 bits for each of red, green, blue and opacity. */
export function encodePng(size: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 6], 8)
  // Each line begins with the number of its filter: none.
  const lineLength = 1 + size * BYTES_PER_PIXEL
  const lines = Buffer.alloc(size * lineLength)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      lines.set(colourAt(x, y), y * lineLength + 1 + x * BYTES_PER_PIXEL)
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

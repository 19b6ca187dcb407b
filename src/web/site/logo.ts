import { LETTER_HEIGHT, type Segment, segmentsOf, widthOf } from './logo-letters.ts'
import { type Colour, encodePng } from './png.ts'

/**
 * A tile with the initials of an operator. The operators' own logos are trademarks that we may not
 * hand out; this one is ours, and tells neighbours in a list apart.
 */
const SIZE = 96
const CORNER = 20
const TEXT_WIDTH = 70
const TEXT_HEIGHT = 44
/** Half the width of a line, against the size of the letters. */
const PEN = 0.58

/** Dark enough for white letters to be read on. */
const COLOURS = [
  [31, 78, 121],
  [96, 61, 120],
  [0, 98, 92],
  [140, 69, 32],
  [58, 96, 52],
  [122, 45, 73],
  [71, 82, 94],
] as const

export function drawLogo(displayName: string): Buffer {
  const text = initialsOf(displayName)
  const scale = Math.min(TEXT_WIDTH / widthOf(text), TEXT_HEIGHT / LETTER_HEIGHT)
  const left = (SIZE - widthOf(text) * scale) / 2
  const top = (SIZE - LETTER_HEIGHT * scale) / 2
  const lines = segmentsOf(text).map(({ x1, y1, x2, y2 }) => ({
    x1: left + x1 * scale,
    y1: top + y1 * scale,
    x2: left + x2 * scale,
    y2: top + y2 * scale,
  }))
  const ground = colourOf(displayName)
  return encodePng(SIZE, (column, row): Colour => {
    const x = column + 0.5
    const y = row + 0.5
    const ink = coverage(nearest(lines, x, y) - PEN * scale)
    const mix = (part: number): number => Math.round(part + (255 - part) * ink)
    const [red, green, blue] = ground
    return [mix(red), mix(green), mix(blue), Math.round(255 * coverage(outside(x, y)))]
  })
}

/** Names in capitals are short and known as they are; of others, the beginning of each word. */
export function initialsOf(displayName: string): string {
  if (/^[A-Z]{2,3}$/.test(displayName)) return displayName
  const words = displayName.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return words
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
    .slice(0, 3)
}

/** The same name has the same colour on every node and after every start. */
export function colourOf(displayName: string): (typeof COLOURS)[number] {
  let sum = 0
  for (const letter of displayName) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
  return COLOURS[sum % COLOURS.length] ?? COLOURS[0]
}

/** Half a pixel of transition at an edge, so that it looks smooth. */
const coverage = (depth: number): number => Math.min(1, Math.max(0, 0.5 - depth))

/** How far a point lies outside the rounded tile; negative inside. */
function outside(x: number, y: number): number {
  const beyond = (at: number): number => Math.max(0, Math.abs(at - SIZE / 2) - (SIZE / 2 - CORNER))
  return Math.hypot(beyond(x), beyond(y)) - CORNER
}

function nearest(lines: readonly Segment[], x: number, y: number): number {
  let least = SIZE
  for (const line of lines) least = Math.min(least, distance(line, x, y))
  return least
}

function distance({ x1, y1, x2, y2 }: Segment, x: number, y: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const along = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)
  const part = Math.min(1, Math.max(0, along))
  return Math.hypot(x - x1 - part * dx, y - y1 - part * dy)
}

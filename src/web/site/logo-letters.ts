/**
 * Capital letters as strokes of a round pen, on a grid of 4 by 6: each pair of digits is a point,
 * x then y from the top left, and a bar lifts the pen.
 */
const LETTERS: Readonly<Record<string, string>> = {
  A: '06 20 46|14 34',
  B: '00 06 36 45 44 33 03|33 42 41 30 00',
  C: '41 30 10 01 05 16 36 45',
  D: '00 06 26 44 42 20 00',
  E: '40 00 06 46|03 33',
  F: '40 00 06|03 33',
  G: '41 30 10 01 05 16 36 45 43 23',
  H: '00 06|40 46|03 43',
  I: '20 26',
  J: '40 45 36 16 05',
  K: '00 06|40 03 46',
  L: '00 06 46',
  M: '06 00 24 40 46',
  N: '06 00 46 40',
  O: '10 30 41 45 36 16 05 01 10',
  P: '06 00 30 41 42 33 03',
  Q: '10 30 41 45 36 16 05 01 10|34 46',
  R: '06 00 30 41 42 33 03|23 46',
  S: '41 30 10 01 02 13 33 44 45 36 16 05',
  T: '00 40|20 26',
  U: '00 05 16 36 45 40',
  V: '00 26 40',
  W: '00 16 22 36 40',
  X: '00 46|40 06',
  Y: '00 23 40|23 26',
  Z: '00 40 06 46',
}

export type Segment = {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

export const LETTER_HEIGHT = 6
const LETTER_WIDTH = 4
const GAP = 2

export const widthOf = (text: string): number => text.length * (LETTER_WIDTH + GAP) - GAP

/** The lines of a short text, in units of the grid; a character without a drawing stays blank. */
export function segmentsOf(text: string): readonly Segment[] {
  return [...text].flatMap((letter, index) => {
    const shift = index * (LETTER_WIDTH + GAP)
    return (LETTERS[letter] ?? '').split('|').flatMap((stroke) => {
      const points = stroke.split(' ').map(([x, y]) => ({ x: shift + Number(x), y: Number(y) }))
      return points.slice(1).flatMap((to, at) => {
        const from = points[at]
        return from === undefined ? [] : [{ x1: from.x, y1: from.y, x2: to.x, y2: to.y }]
      })
    })
  })
}

/** Colours as `#rrggbb`, and how well one can be read on another (WCAG 2.2). */

type Rgb = readonly [red: number, green: number, blue: number]

const WHITE = '#ffffff'
const BLACK = '#000000'
/** What text needs at least. */
export const CONTRAST_MIN = 4.5

/** Undefined for what is no colour; a short spelling is made long. */
export function readColour(text: string): string | undefined {
  const [, digits = ''] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(text.trim().toLowerCase()) ?? []
  if (digits === '') return undefined
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`
}

const rgbOf = (colour: string): Rgb => [
  Number.parseInt(colour.slice(1, 3), 16),
  Number.parseInt(colour.slice(3, 5), 16),
  Number.parseInt(colour.slice(5, 7), 16),
]

const hex = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const linear = (part: number): number => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function luminance(colour: string): number {
  const [red, green, blue] = rgbOf(colour)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** `share` of the first one, the rest of the other. */
export function mixed(one: string, other: string, share: number): string {
  const [first, second] = [rgbOf(one), rgbOf(other)]
  const part = (at: 0 | 1 | 2): number => first[at] * share + second[at] * (1 - share)
  return hex([part(0), part(1), part(2)])
}

const STEPS = 256

/** The same colour, darker or lighter, as little as is needed to be read on all of these. */
export function nearestOn(
  colour: string,
  grounds: readonly string[],
  towards: 'darker' | 'lighter',
): string {
  const end = towards === 'darker' ? BLACK : WHITE
  for (let step = 0; step <= STEPS; step += 1) {
    const candidate = mixed(colour, end, 1 - step / STEPS)
    if (grounds.every((ground) => contrast(candidate, ground) >= CONTRAST_MIN)) return candidate
  }
  return end
}

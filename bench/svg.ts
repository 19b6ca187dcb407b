/** The few shapes that the charts are drawn with. Text stays text; colours follow the reader. */
const STYLE = `
  .page { fill: #ffffff }
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .heading { font-weight: 600 }
  .title { font-size: 16px; font-weight: 600 }
  .quiet { fill: #59636e }
  .grid { stroke: #d1d9e0; stroke-width: 1 }
  .limit { stroke: #9a3412; stroke-width: 2 }
  .one { fill: #0b6e99; stroke: #0b6e99 }
  .other { fill: #8c959f; stroke: #8c959f }
  .path { fill: none; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 }
    text { fill: #e6edf3 }
    .quiet { fill: #9198a1 }
    .grid { stroke: #3d444d }
    .limit { stroke: #f0883e }
    .one { fill: #4fb3dc; stroke: #4fb3dc }
    .other { fill: #768390; stroke: #768390 }
    .path { fill: none }
  }`

export const WIDTH = 760

type Picture = {
  readonly title: string
  /** All that the picture shows, in words. */
  readonly description: string
  readonly height: number
  readonly shapes: readonly string[]
}

export function svg({ title, description, height, shapes }: Picture): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(description)}</desc>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="page" width="${WIDTH}" height="${height}"/>`,
    text(16, 28, title, { class: 'title' }),
    ...shapes,
    '</svg>\n',
  ].join('\n')
}

type Manner = { readonly class?: string; readonly anchor?: 'middle' | 'end' }

export function text(x: number, y: number, content: string, manner: Manner = {}): string {
  const look = manner.class === undefined ? '' : ` class="${manner.class}"`
  const anchor = manner.anchor === undefined ? '' : ` text-anchor="${manner.anchor}"`
  return `<text x="${at(x)}" y="${at(y)}"${look}${anchor}>${escaped(content)}</text>`
}

export const bar = (x: number, y: number, width: number, height: number, look: string): string =>
  `<rect class="${look}" stroke="none" x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}"/>`

export const line = (x1: number, y1: number, x2: number, y2: number, look: string): string =>
  `<line class="${look}" x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}"/>`

export const dot = (x: number, y: number, look: string): string =>
  `<circle class="${look}" cx="${at(x)}" cy="${at(y)}" r="4"/>`

export const path = (points: readonly (readonly [number, number])[], look: string): string =>
  `<polyline class="${look} path" points="${points.map(([x, y]) => `${at(x)},${at(y)}`).join(' ')}"/>`

/** From zero in round steps, up to at least the largest value. */
export function ticks(largest: number): readonly number[] {
  const rough = Math.max(largest, 1e-9) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const count = Math.ceil(largest / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(6)))
}

const at = (value: number): string => String(Math.round(value * 10) / 10)

const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

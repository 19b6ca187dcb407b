import type { Figure, Row, Run } from './results.ts'

/** Figures as people read them, in the table and in the charts alike. */
export function amount({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  if (unit === '/s') return `${whole(value)}/s`
  if (unit === 'ms') return `${Number(value.toPrecision(3))} ms`
  if (unit === 's') return `${value.toFixed(2)} s`
  return `${whole(value)} ${unit}`
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en')

const named = (figure: Figure): string =>
  figure.name === '' ? amount(figure) : `${figure.name} ${amount(figure)}`

/** Figures at several sizes are listed size by size. */
export function figuresOf({ figures, remark }: Row): string {
  const sizes = [...new Set(figures.map(({ at }) => at))]
  const parts = sizes.map((size) => {
    const texts = figures.filter(({ at }) => at === size).map(named)
    return size === undefined ? texts.join(', ') : `${payments(size)}: ${texts.join(', ')}`
  })
  return [parts.join('; '), ...(remark === undefined ? [] : [remark])].join(', ')
}

export const besideOf = ({ beside }: Row): string =>
  beside === undefined ? '–' : `${amount(beside)} ${beside.name}`

export const payments = (count: number): string =>
  count >= 1e6 ? `${count / 1e6} million` : `${count / 1000} thousand`

/** One sentence for each run that figures come from. */
export function runLines(runs: readonly Run[]): readonly string[] {
  const lines = runs.map(({ date, version, machine, node, flushesPerSecond }) => {
    const flushes =
      flushesPerSecond === undefined
        ? 'disk flushes not noted'
        : `${whole(flushesPerSecond)} disk flushes per second`
    return `- ${date}, ${version}: ${machine}, Node ${node}, ${flushes}.`
  })
  return [...new Set(lines)]
}

/** Lines of a log for people. */

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof LEVELS)[number]

export type Shown = { readonly level: Level | undefined; readonly json: boolean }

/** Undefined where it is not to be shown. What is no line of a log is shown as it is. */
export function shownLine(line: string, { level, json }: Shown): string | undefined {
  const facts = factsOf(line)
  if (facts === undefined) return json || line.trim() === '' ? undefined : plain(line)
  const { level: own = '', time = '', msg = '', ...rest } = facts
  if (level !== undefined && rank(own) < rank(level)) return undefined
  if (json) return line
  const more = Object.entries(rest).map(([name, value]) => `${name}=${valueText(value)}`)
  const at = String(time).replace('T', ' ').replace(/Z$/, '')
  return plain([at, String(own).toUpperCase().padEnd(5), msg, ...more].join('  ').trimEnd())
}

const rank = (level: unknown): number => LEVELS.indexOf(level as Level)

type Facts = Readonly<Record<string, unknown>>

function factsOf(line: string): Facts | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const facts = JSON.parse(line) as Facts
    return typeof facts.level === 'string' ? facts : undefined
  } catch {
    return undefined
  }
}

const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:-]+$/.test(value) ? value : JSON.stringify(value)

/** What others sent may be meant for the terminal of the reader. */
const plain = (line: string): string => line.replaceAll(/\p{Cc}/gu, '\ufffd')

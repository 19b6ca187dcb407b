/** One thing that was looked at: what is there, or what is wrong and the way out. */
export type Check = { readonly name: string; readonly ok: boolean; readonly message: string }

export const good = (name: string, message: string): Check => ({ name, ok: true, message })
export const bad = (name: string, message: string): Check => ({ name, ok: false, message })

/** What throws is a finding as well: its message says what is wrong. */
export async function tried(
  name: string,
  look: () => Check | readonly Check[] | Promise<Check | readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    return [await look()].flat()
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    return [bad(name, message || code || String(error))]
  }
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const size = bytes / 1000 ** power
  return `${size >= 10 || power === 0 ? Math.round(size) : size.toFixed(1)} ${UNITS[power]}`
}

export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} minutes`
  return ms < 172_800_000
    ? `${Math.round(ms / 3_600_000)} hours`
    : `${Math.round(ms / DAY_MS)} days`
}

export const DAY_MS = 86_400_000

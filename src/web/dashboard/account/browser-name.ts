import { fill } from '../../words.ts'
import type { AccountWords } from './words.ts'

/** The first that fits: browsers call themselves by the names of others too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** A browser in words, such as "Firefox on Android". */
export function browserName(agent: string, words: AccountWords): string {
  const nameIn = (list: typeof BROWSERS): string | undefined =>
    list.find(([form]) => form.test(agent))?.[1]
  const browser = nameIn(BROWSERS) ?? words.unknownBrowser
  const system = nameIn(SYSTEMS)
  return system === undefined ? browser : fill(words.browserOn, { browser, system })
}

import { invalid } from '../wire/fault.ts'

/** An optional query parameter: empty text is the same as absent, given twice is a mistake. */
export function queryText(
  query: Readonly<Record<string, unknown>>,
  name: string,
  pattern: RegExp,
  expected: string,
): string | undefined {
  const value = query[name]
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string' || !pattern.test(value)) throw invalid(name, expected)
  return value
}

/**
 * Columns of a group write as PostgreSQL array literals. Joining is native and quick; quoting is
 * done only where a value may hold anything.
 */

/** For numbers, identifiers and codes: values whose form leaves nothing to quote. */
export function plain<T>(
  items: readonly T[],
  read: (item: T) => string | number | boolean | undefined,
): string {
  let text = '{'
  for (let at = 0; at < items.length; at += 1) {
    if (at > 0) text += ','
    text += read(items[at] as T) ?? 'NULL'
  }
  return `${text}}`
}

/** For texts that others wrote. */
export function quoted<T>(items: readonly T[], read: (item: T) => string | undefined): string {
  let text = '{'
  for (let at = 0; at < items.length; at += 1) {
    if (at > 0) text += ','
    const value = read(items[at] as T)
    text += value === undefined ? 'NULL' : `"${escaped(value)}"`
  }
  return `${text}}`
}

/** Few texts have anything to escape, and looking is quicker than replacing. */
const escaped = (text: string): string =>
  text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text

/** For objects: one JSON array, taken apart by the database. */
export function objects<T>(items: readonly T[], read: (item: T) => object): string {
  let text = '['
  for (let at = 0; at < items.length; at += 1) {
    if (at > 0) text += ','
    text += JSON.stringify(read(items[at] as T))
  }
  return `${text}]`
}

/** Members that may be absent, some of them: what has no value is left out instead of being undefined. */
type Present<T> = { -readonly [K in keyof T]?: NonNullable<T[K]> }

/** The same while it is being made. */
export type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/**
 * The members that have a value. `null`, as the database writes it, counts as none. A condition stays
 * where the value is not what is tested, and on the hot path, where nothing is spread.
 */
export function present<T extends object>(members: T): Present<T> {
  const kept: Present<T> = {}
  for (const name in members) {
    const value = members[name]
    if (value !== undefined && value !== null) kept[name] = value
  }
  return kept
}

/** Turns a value into another, if there is one. */
export function ifGiven<V, R>(value: V | null | undefined, turn: (value: V) => R): R | undefined {
  return value === undefined || value === null ? undefined : turn(value)
}

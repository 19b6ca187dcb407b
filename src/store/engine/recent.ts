/**
 * Remembers about the last so many entries. Two maps take turns: when the young one is full it
 * becomes the old one, and what was in the old one is forgotten.
 */
type Recent<T> = {
  get(key: string): T | undefined
  set(key: string, value: T): void
}

export function createRecent<T>(atLeast: number): Recent<T> {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set: (key, value) => {
      if (young.size >= atLeast) {
        old = young
        young = new Map()
      }
      young.set(key, value)
    },
  }
}

/**
 * Makes each value once, by its name. Others choose the names, and they must not fill the memory: when
 * `max` values are kept, all are forgotten. What a value is made from is in its name.
 */
export function remember<Value extends object | string, From = void>(
  max: number,
  make: (name: string, from: From) => Value,
): (name: string, from: From) => Value {
  const kept = new Map<string, Value>()
  return (name, from) => {
    const known = kept.get(name)
    if (known !== undefined) return known
    const made = make(name, from)
    if (kept.size >= max) kept.clear()
    kept.set(name, made)
    return made
  }
}

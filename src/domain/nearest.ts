/** Longer texts are no slip of the keyboard. */
const LONGEST = 64

/** The name that a mistyped one most likely stands for; undefined where none is like it. */
export function nearest(typed: string, names: Iterable<string>): string | undefined {
  if (typed.length > LONGEST) return undefined
  const text = typed.toUpperCase()
  let best: { readonly name: string; readonly changes: number } | undefined
  for (const name of names) {
    const changes = changesBetween(text, name.toUpperCase())
    const isLike = changes < Math.max(text.length, name.length) / 2
    if (isLike && changes < (best?.changes ?? Number.POSITIVE_INFINITY)) best = { name, changes }
  }
  return best?.name
}

/** How many letters are added, left out or replaced. */
export function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1]
    for (const [at, another] of [...other].entries()) {
      const [above = 0, before = 0, diagonal = 0] = [row[at + 1], next[at], row[at]]
      next.push(Math.min(above + 1, before + 1, diagonal + (letter === another ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** For what only a bug in this program can break; never for anything a caller sent. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`)
}

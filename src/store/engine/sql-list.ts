/** Words of our own as a list in a statement, as in `state in (…)`. Never for what others wrote. */
export const sqlList = (words: readonly string[]): string =>
  words.map((word) => `'${word}'`).join(', ')

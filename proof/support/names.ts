/** Asks are known by kind and identifier: the deposit of a split payment has its identifier. */
export const nameOf = (kind: string, id: string): string => `${kind} ${id}`

import { FIRST_KEY } from '../../domain/callbacks/replay.ts'

/**
 * Said by each statement that reads rows by their keys, and true of every row. The indexes of lists serve
 * no statement without it: see `migrations/0039_most_selective_first.sql`.
 */
export const LISTED = (row: string): string => `${row}.key > '${FIRST_KEY}'`

import { FORGED_ANSWERS } from './answers.ts'
import { FORGED_BOOKS } from './books.ts'
import { FORGED_CASES } from './cases.ts'
import { FORGED_CHECKOUTS } from './checkouts.ts'

/** Every fault that can be planted into the evidence of a run. */
export const FORGERIES = [...FORGED_ANSWERS, ...FORGED_BOOKS, ...FORGED_CASES, ...FORGED_CHECKOUTS]

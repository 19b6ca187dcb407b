import { FORGED_CHECKOUTS } from './customers.ts'
import { FORGED_DOUBTS } from './doubted.ts'
import { FORGED_BOOKS } from './kept.ts'
import { FORGED_ANSWERS } from './told.ts'

/** Every fault that can be planted into the evidence of a run. */
export const FORGERIES = [...FORGED_ANSWERS, ...FORGED_BOOKS, ...FORGED_DOUBTS, ...FORGED_CHECKOUTS]

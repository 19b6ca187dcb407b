import { it } from 'node:test'

const NOT_HERE = (() => {}) as unknown as typeof it

/**
 * Whether this is `npm run proof -- pages`, which looks at every page in every language, size and theme,
 * with axe, and lets every customer go every way.
 */
export const LOOKS_AT_ALL = process.env.MALIPO_EVERY_CUSTOMER === '1'

/** A test in a browser for which, in `npm test`, another one of its file stands. */
export const itOnAllPages = LOOKS_AT_ALL ? it : NOT_HERE

/**
 * Whether this is `npm run proof -- slow`. It runs the files `*.proof.ts`; one that imports a file of
 * tests runs all of that file, also what `npm test` leaves out.
 */
export const IS_PROOF = process.env.MALIPO_TEST_SUFFIX === '.proof.ts'

/** A test that is too slow for `npm test`, where another one of its file stands for it. */
export const itInProofs = IS_PROOF ? it : NOT_HERE

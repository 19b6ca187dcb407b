// Proofs that are written as tests: those too long for npm test, and tests at a larger scale.
const PROOFS = {
  slow: { files: 'test', setting: ['MALIPO_TEST_SUFFIX', '.proof.ts'] },
  pages: { files: 'test/browser', setting: ['MALIPO_EVERY_CUSTOMER', '1'] },
  examples: { files: 'test/clients/examples', setting: ['MALIPO_EVERY_EXAMPLE', '1'] },
  signatures: { files: 'test/api/signatures/fuzz', setting: ['MALIPO_FUZZ_TIMES', '20'] },
}

const [name, ...options] = process.argv.slice(2)
const { files, setting } = PROOFS[name]
process.env[setting[0]] = setting[1]
if (options[0] === '--seed') process.env.MALIPO_SEED = options[1]
process.argv.splice(2, Number.POSITIVE_INFINITY, files)
await import('./test.mjs')

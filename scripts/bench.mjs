// npm run bench; npm run bench -- --help says what else there is.
import { buildIfNeeded } from './build.mjs'

buildIfNeeded()
await import('../dist/bench/run.js')

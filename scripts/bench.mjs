// npm run bench [-- --quick] [-- P1]
import { buildIfNeeded } from './build.mjs'

buildIfNeeded()
await import('../dist/bench/run.js')

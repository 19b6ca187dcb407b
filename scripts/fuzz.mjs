// npm run fuzz -- --requests 1000000 --seed 7 [--only 1234]
import { buildIfNeeded } from './build.mjs'

buildIfNeeded()
await import('../dist/proof/hostile/fuzz-run.js')

// npm run crash -- --kills 1000 [--seed N] [--nodes N] [--without-durability]
import { buildIfNeeded } from './build.mjs'

buildIfNeeded()
await import('../dist/proof/crash/run.js')

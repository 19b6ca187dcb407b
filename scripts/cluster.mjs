// npm run cluster [-- --rounds N] [-- --seed N] [-- --asynchronous]
import { buildIfNeeded } from './build.mjs'

buildIfNeeded()
await import('../dist/proof/cluster/run.js')

// npm run hostile [-- --quick]
import { buildIfNeeded } from './build.mjs'

buildIfNeeded()
await import('../dist/proof/hostile/hostile-run.js')

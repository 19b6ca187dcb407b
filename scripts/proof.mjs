// npm run proof [-- name … [options]]; npm run proof -- --help lists them.
import { buildIfNeeded } from './build.mjs'

buildIfNeeded()
await import('../dist/proof/main.js')

// npm run simulate -- [--seed N] [--hours H]
import { buildIfNeeded } from './build.mjs'

buildIfNeeded()
await import('../dist/proof/simulation/main.js')

/** npm run proof -- operators */
import { helpOf } from '../proofs.ts'
import { readOptions } from '../support/options.ts'
import {
  duration,
  endOnSignals,
  followProgress,
  reportChecked,
  say,
  sayVerdicts,
} from '../support/report.ts'
import { runStorm } from './storm.ts'

const { numbers } = readOptions(helpOf('operators'), {
  numbers: { kills: 100, seed: Math.floor(Math.random() * 2 ** 31) },
  switches: [],
})
const { kills, seed } = numbers

endOnSignals()
say(`${kills} kills of nodes and operators, seed ${seed}`)
const startedAt = performance.now()
const { verdicts, asks, toll } = await runStorm(kills, seed, followProgress)
say(
  `\n${toll.nodes} kills of nodes, ${toll.operators} of operators, ${asks.length} payments asked for\n`,
)
const holds = sayVerdicts(verdicts)
reportChecked(`${toll.nodes + toll.operators} kills, ${asks.length} payments`)
const words = holds ? 'Nothing was paid twice or lost.' : 'Something was paid twice or lost.'
say(`\n${words} Seed ${seed}, ${duration(performance.now() - startedAt)}.`)
process.exit(holds ? 0 : 1)

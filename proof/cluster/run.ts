/** npm run proof -- cluster: three nodes in trouble, and a primary that dies while its standby takes over. */
import { resolve } from 'node:path'
import { ROOT } from '../../harness/process.ts'
import { helpOf } from '../proofs.ts'
import { readOptions } from '../support/options.ts'
import { duration, endOnSignals, reportChecked, say, sayVerdicts } from '../support/report.ts'
import { failover } from './failover.ts'
import { frozenNode } from './frozen-node.ts'
import { rollingUpgrade } from './rolling-upgrade.ts'
import { meetingOf } from './versions.ts'

const { numbers, switches, texts } = readOptions(helpOf('cluster'), {
  numbers: { rounds: 4, seed: Math.floor(Math.random() * 2 ** 31) },
  switches: ['asynchronous'],
  texts: ['from'],
})
const { rounds, seed } = numbers
const isSynchronous = !switches.has('asynchronous')
const startedAt = performance.now()
let holds = true
endOnSignals()

if (texts.from !== undefined) {
  const older = resolve(texts.from)
  say(`Three nodes of the version in ${older}, replaced by this one under load; seed ${seed}`)
  say(meetingOf(older, ROOT))
  holds = sayVerdicts(await rollingUpgrade(seed, older))
  end()
}
if (isSynchronous) {
  say(`Three nodes, one killed, one frozen and thawed; seed ${seed}`)
  holds = sayVerdicts(await frozenNode(seed)) && holds
}
for (let round = 1; round <= rounds; round += 1) {
  const manner = isSynchronous ? 'a synchronous' : 'an ASYNCHRONOUS'
  const death = round % 2 === 1 ? 'killed' : 'silent'
  say(`\nPrimary ${death}, ${manner} standby, round ${round} of ${rounds}; seed ${seed + round}`)
  const verdicts = await failover({ seed: seed + round, death, synchronous: isSynchronous })
  holds = sayVerdicts(verdicts) && holds
}
end()

function end(): never {
  const what = texts.from === undefined ? `${rounds} deaths of a primary` : 'a rolling upgrade'
  reportChecked(isSynchronous && texts.from === undefined ? `a frozen node, ${what}` : what)
  const words = holds
    ? 'Nothing was lost, doubled or left unsent.'
    : 'Something was lost, doubled or left unsent.'
  say(`\n${words} Seed ${seed}, ${duration(performance.now() - startedAt)}.`)
  process.exit(holds ? 0 : 1)
}

/** npm run cluster: three nodes in trouble, and a primary that dies while its standby takes over. */
import { resolve } from 'node:path'
import { ROOT } from '../../harness/process.ts'
import { readOptions } from '../support/options.ts'
import { duration, say, sayVerdicts } from '../support/report.ts'
import { failover } from './failover.ts'
import { frozenNode } from './frozen-node.ts'
import { rollingUpgrade } from './rolling-upgrade.ts'
import { meetingOf } from './versions.ts'

const HELP = `npm run cluster -- [options]

Three nodes on one PostgreSQL under mixed load: one is killed, one frozen past its lease and thawed.
Then PostgreSQL with a standby: the primary is killed, every second time it falls silent instead,
the standby is promoted, and the nodes have to find it by themselves. Nothing may be missing,
doubled or untold.

  --rounds N       how often a primary dies, each time in a cluster of its own (4)
  --seed N         the same moments again, as far as processes allow (random)
  --asynchronous   the primary does not wait for its standby, which is cut off two seconds before
                   the primary dies: losses must then be reported, and the end is with code 1
  --from FOLDER    an upgrade instead, without a moment of rest: three nodes of the version in FOLDER
                   (a checkout with npm ci done) are replaced by this one, one after the other
  --help           this text`

const { numbers, switches, texts } = readOptions(HELP, {
  numbers: { rounds: 4, seed: Math.floor(Math.random() * 2 ** 31) },
  switches: ['asynchronous'],
  texts: ['from'],
})
const { rounds, seed } = numbers
const isSynchronous = !switches.has('asynchronous')
const startedAt = performance.now()
let holds = true

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
  const words = holds ? 'Nothing was lost, doubled or left untold.' : 'The word was not kept.'
  say(`\n${words} Seed ${seed}, ${duration(performance.now() - startedAt)}.`)
  process.exit(holds ? 0 : 1)
}

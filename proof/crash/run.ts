/** npm run proof -- crash */
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
import { createStorm } from './storm.ts'

/** Commits are confirmed while they are in memory, and written up to ten seconds later. */
const WITHOUT_DURABILITY = {
  synchronous_commit: 'off',
  wal_writer_delay: '10s',
  wal_writer_flush_after: '1GB',
  wal_buffers: '64MB',
}

const { numbers, switches } = readOptions(helpOf('crash'), {
  numbers: { kills: 100, nodes: 3, seed: Math.floor(Math.random() * 2 ** 31) },
  switches: ['without-durability'],
})
const { kills, nodes, seed } = numbers
const isDurable = !switches.has('without-durability')

endOnSignals()
say(
  `${kills} kills, ${nodes} nodes, seed ${seed}` +
    `${isDurable ? '' : ', WITHOUT DURABILITY: losses are expected'}`,
)
const startedAt = performance.now()
const settings = isDurable ? {} : WITHOUT_DURABILITY
const storm = await createStorm({ kills, nodes, seed, settings })
const progress = followProgress(storm.progress)
const outcome = await storm.run(() => {
  progress.stop()
  say('The kills are over; waiting until no work is left')
})
const { payments, accepted, callbacks } = outcome
say(
  `\n${outcome.summary}\n${payments} payments requested, ${accepted} accepted, ` +
    `${callbacks} callbacks received\n\n${outcome.recoveries}\n`,
)
const holds = sayVerdicts(outcome.verdicts)
reportChecked(`${outcome.kills} kills, ${payments} payments, ${callbacks} callbacks`)
const words = holds
  ? 'Nothing was lost, doubled or left unsent.'
  : 'Something was lost, doubled or left unsent.'
say(`\n${words} Seed ${seed}, ${duration(performance.now() - startedAt)}.`)
process.exit(holds ? 0 : 1)

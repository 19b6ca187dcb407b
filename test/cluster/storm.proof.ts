import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createStorm } from '../../proof/crash/storm.ts'

/**
 * Payments of every kind in both generations over two nodes, which are killed, and over a database
 * that is killed under them. `npm run proof -- crash` does the same for longer.
 */
const SEED = 3

it('nodes and a database killed under load lose nothing, double nothing and send all callbacks', {
  timeout: 540_000,
}, async () => {
  const storm = await createStorm({
    seed: SEED,
    nodes: 2,
    kills: 5,
    databaseKills: 2,
    acceptedBetween: 15,
  })
  const { verdicts, kills, accepted } = await storm.run(() => {})
  assert.deepEqual(
    verdicts.flatMap(({ guarantee, findings }) => findings.map((one) => `${guarantee}: ${one}`)),
    [],
    `npm run proof -- crash --kills 5 --nodes 2 --seed ${SEED}`,
  )
  assert.ok(kills >= 5 && accepted >= 45, `${kills} kills, ${accepted} payments accepted`)
})

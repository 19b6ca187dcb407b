import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, it } from 'node:test'
import { fuzz } from '../../proof/hostile/fuzz.ts'
import { prepareStage } from '../../proof/hostile/stage.ts'
import { startService } from '../support/service.ts'

/** `MALIPO_SEED=… node scripts/test.mjs test/hostile/fuzz` sends the same again. */
const seed = Number(process.env.MALIPO_SEED ?? randomInt(2 ** 31))
process.stderr.write(`test/hostile/fuzz: MALIPO_SEED=${seed}\n`)

const service = await startService({ MALIPO_LOG_LEVEL: 'silent' })
const stage = await prepareStage({ port: service.node.port, databaseUrl: service.databaseUrl })
after(async () => {
  await stage.close()
  await service.stop()
})

it('hostile requests get the error of their generation, and leave nothing behind', {
  timeout: 120_000,
}, async () => {
  const { faults, accepted, statuses } = await fuzz(stage, { requests: 3000, seed })
  assert.deepEqual(faults, [])
  // It would prove nothing if all were refused, or none.
  assert.ok(accepted > 100, `${accepted} accepted`)
  const refused = [...statuses].filter(([name]) => / 4\d\d$/.test(name))
  assert.ok(refused.reduce((sum, [, count]) => sum + count, 0) > 500)
})

it('a change that nobody was told of is found', async () => {
  const { merchantId, database } = stage
  let meddling: Promise<unknown> | undefined
  const { faults } = await fuzz(stage, {
    requests: 50,
    seed,
    // It has looked around, and begins.
    onProgress: () => {
      meddling = database.query(
        `insert into callback_urls (merchant_id, kind, url) values ($1, 'deposit', 'http://[::1]')`,
        [merchantId],
      )
    },
  })
  await meddling
  assert.match(faults.map(({ what }) => what).join(), /^callback_urls has changed: 0 rows/)
})

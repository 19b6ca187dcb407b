import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { startService } from '../../harness/service.ts'
import { fuzz } from '../../proof/fuzz/fuzz.ts'
import { changesIn, printsOf, watchesOf } from '../../proof/fuzz/traces.ts'
import { prepareStage } from '../../proof/hostile/stage.ts'

/** `npm run proof -- fuzz` sends many more, and others. */
const seed = 1001
const REQUESTS = 3000

const service = await startService({ MALIPO_LOG_LEVEL: 'silent' })
const stage = await prepareStage({ port: service.node.port, databaseUrl: service.databaseUrl })
after(async () => {
  await stage.close()
  await service.stop()
})

it('hostile requests get the error of their generation, and leave nothing behind', {
  timeout: 240_000,
}, async () => {
  const { faults, accepted, paid, statuses, controls } = await fuzz(stage, {
    requests: REQUESTS,
    seed,
  })
  assert.deepEqual(faults, [])
  // It would prove nothing if all were refused, or none.
  assert.ok(accepted > 20, `${accepted} accepted`)
  assert.ok(paid > 0, `${paid} paid on pages`)
  const refused = [...statuses].filter(([name]) => / 4\d\d$/.test(name))
  assert.ok(refused.reduce((sum, [, count]) => sum + count, 0) > 100)
  assert.ok(controls.refused > 5, `${controls.refused} controls refused`)
  assert.ok(controls.changed > 0, `${controls.changed} controls changed something`)
})

const { merchantId, signedMerchantId, powerlessMerchantId, world } = stage

/** Each is done behind the back of the service, and must be found. */
const MEDDLING: readonly (readonly [sql: string, values: readonly unknown[], finding: RegExp])[] = [
  [
    `insert into callback_urls (merchant_id, kind, url) values ($1, 'deposit', 'http://[::1]')`,
    [merchantId],
    /^callback_urls has changed: 0 rows/m,
  ],
  [
    `update payments set details = '{"clientReferenceId":"x"}' where kind = 'payout' and id = $1`,
    [world.finished.payout[0]],
    /^payments that are over has changed/m,
  ],
  [
    `insert into listeners (merchant_id, asked_at) values ($1, now())`,
    [powerlessMerchantId],
    /^listeners of a merchant without rights has changed: 0 rows/m,
  ],
  [
    `update sandbox_orders set received_at = received_at - interval '1 ms' where merchant_id = $1`,
    [powerlessMerchantId],
    /^sandbox_orders of a merchant without rights has changed/m,
  ],
  [
    `insert into sandbox_codes values ($1, '260763456789', '1', now(), now())`,
    [signedMerchantId],
    /^sandbox_codes without a signature has changed: 0 rows/m,
  ],
  [
    `insert into page_sessions
     select merchant_id, gen_random_uuid(), '\\x00', gen_random_uuid(), '', generation, created_at,
       expires_at, terms
     from page_sessions where merchant_id = $1 limit 1`,
    [merchantId],
    /^page\/00 is stored, but was answered with nothing/m,
  ],
]

it('a change without an accepted request is found', async () => {
  let meddling: Promise<unknown> | undefined
  // Before it takes the second snapshot.
  const settled = async (): Promise<void> => {
    await meddling
    await stage.settled()
  }
  const { faults } = await fuzz(
    { ...stage, settled },
    {
      requests: 50,
      seed,
      // It has taken the first snapshot, and begins.
      onProgress: () => {
        meddling = Promise.all(
          MEDDLING.map(([sql, values]) => stage.database.query(sql, [...values])),
        )
      },
    },
  )
  const found = faults.map(({ what }) => what).join('\n')
  for (const [, , finding] of MEDDLING) assert.match(found, finding)
  assert.equal(faults.length, MEDDLING.length, found)
})

it('every change of a merchant that no request caused is seen', async () => {
  const { merchantId: id } = stage.lone
  const watches = await watchesOf(stage.database, id)
  const meddling: readonly (readonly [finding: RegExp, sql: string])[] = [
    [
      /^sandbox_phones has/,
      `insert into sandbox_phones (merchant_id, phone_number) values (${id}, '1')`,
    ],
    [/^merchant_keys has/, `insert into merchant_keys values (${id}, 'k', 'pem', now())`],
    [/^merchants has/, `update merchants set name = 'other' where merchant_id = ${id}`],
    [
      /^api_tokens has/,
      `update api_tokens set scopes = '{*}', label = 'x' where merchant_id = ${id}`,
    ],
    [/^the test clock has/, 'update service_state set clock_offset_ms = clock_offset_ms + 1'],
  ]
  for (const [finding, sql] of meddling) {
    const before = await printsOf(stage.database, watches)
    await stage.database.query(sql)
    assert.match(changesIn(before, await printsOf(stage.database, watches)).join(), finding)
  }
})

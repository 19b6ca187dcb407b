import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { startService } from '../../../../harness/service.ts'
import {
  assertLegacyError,
  legacyDeposit,
  legacyReaches,
} from '../../../support/legacy-payments.ts'

const service = await startService()
after(service.stop)

const MIB = 1024 * 1024

/** A deposit followed by white space, so that the whole has the size. */
const padded = (size: number): string => JSON.stringify(legacyDeposit()).padEnd(size)

it('a body of exactly 1 MiB is read', async () => {
  const { status, body } = await service.post('/deposits', padded(MIB))
  assert.deepEqual([status, body.status], [200, 'ACCEPTED'])
  await legacyReaches(service, 'deposit', body.depositId, 'COMPLETED')
})

it('one byte more is 413 with error code 1, whoever sends it', async () => {
  for (const headers of [{}, { authorization: 'Bearer nobody' }]) {
    const answer = await service.post('/deposits', padded(MIB + 1), headers)
    assertLegacyError(service, answer, 413, /larger than 1 MiB/)
  }
})

it('of what was too large nothing was stored', async () => {
  assert.equal((await service.database.query('select id from payments')).length, 1)
})

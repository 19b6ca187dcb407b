import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type Answer, eventually, startService } from '../../../harness/service.ts'
import { assertDeprecated } from '../../support/earlier-generation.ts'
import { LEGACY_CALLS, nameOf } from '../../support/legacy-calls.ts'
import { assertLegacyError, legacyBody, legacyReaches } from '../../support/legacy-payments.ts'

const service = await startService()
after(service.stop)

describe('500 with error code 0 tells nothing of the inside, and its id is in the log:', () => {
  for (const call of LEGACY_CALLS) {
    it(nameOf(call), async () => {
      const { method, path, body } = call
      const answer = await withoutPayments(() => service.call(method, path, body))
      assertLegacyError(service, answer, 500, /^Something went wrong on our side\..*status/)
      assertDeprecated(answer, call.successor)
    })
  }
})

for (const kind of ['deposit', 'payout', 'refund'] as const) {
  it(`a ${kind} that was answered with 500 and not stored is accepted afterwards`, async () => {
    const body = await legacyBody(service, kind)
    const answer = await withoutPayments(() => service.post(`/${kind}s`, body))
    assertLegacyError(service, answer, 500, /went wrong/)
    await eventually(async () => {
      const { status } = (await service.post(`/${kind}s`, body)).body
      assert.equal(status, 'ACCEPTED')
    })
    await legacyReaches(service, kind, body[`${kind}Id`], 'COMPLETED')
  })
}

/** Takes the table away for the time of one call. */
async function withoutPayments(work: () => Promise<Answer>): Promise<Answer> {
  await service.database.query('alter table payments rename to payments_away')
  try {
    return await work()
  } finally {
    await service.database.query('alter table payments_away rename to payments')
  }
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import { startService } from '../../../../harness/service.ts'
import { statementBody } from '../../../../harness/statements.ts'
import { assertAnswer, reason, refused } from '../../../support/shapes.ts'

const service = await startService()
after(service.stop)

it('without a valid token no statement is made and none is shown', async () => {
  for (const authorization of ['', 'Bearer nobody', `Basic ${service.token}`]) {
    const asked = await service.post('/v2/statements', statementBody(), { authorization })
    assertAnswer(asked, 401, reason('AUTHENTICATION_ERROR'))
    const checked = await service.get(`/v2/statements/${randomUUID()}`, { authorization })
    assertAnswer(checked, 401, refused('AUTHENTICATION_ERROR'))
  }
  assert.deepEqual(await service.database.query('select id from statements'), [])
})

it('the token comes before the body', async () => {
  const answer = await service.post('/v2/statements', '{', { authorization: 'Bearer nobody' })
  assertAnswer(answer, 401, reason('AUTHENTICATION_ERROR'))
})

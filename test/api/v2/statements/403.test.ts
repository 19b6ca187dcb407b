import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../../harness/merchant.ts'
import { eventually, startService } from '../../../../harness/service.ts'
import { statementBody } from '../../../../harness/statements.ts'
import type { Scope } from '../../../../src/domain/accounts/token.ts'
import { suspendMerchant } from '../../../../src/usecases/accounts/manage-merchants.ts'
import { assertAnswer, reason, refused } from '../../../support/shapes.ts'

const service = await startService()
after(service.stop)
const merchant = await addMerchant(service, { slug: 'scoped' })

/** What each scope permits: to ask for a statement, and to look at one. */
const SCOPES: readonly (readonly [scopes: readonly Scope[], ask: boolean, look: boolean])[] = [
  [['*'], true, true],
  [['finances'], true, true],
  [['finances:read'], false, true],
  [['deposits', 'payouts', 'toolkit', 'sandbox'], false, false],
  [[], false, false],
]

describe('a token with the scopes', () => {
  for (const [scopes, ask, look] of SCOPES) {
    it(`'${scopes.join(' ')}' may do what they say and nothing else`, async () => {
      const { call } = callerWith(service, await addToken(service, merchant.id, scopes))
      const asked = await call('POST', '/v2/statements', statementBody())
      if (ask) assert.equal(asked.body.status, 'ACCEPTED')
      else assertAnswer(asked, 403, reason('AUTHORISATION_ERROR', /the scope 'finances'/))
      const looked = await call('GET', `/v2/statements/${randomUUID()}`)
      if (look) assertAnswer(looked, 200, { status: 'NOT_FOUND' })
      else assertAnswer(looked, 403, refused('AUTHORISATION_ERROR', /the scope 'finances:read'/))
    })
  }
})

it('a suspended account gets no statement', async () => {
  const closed = await addMerchant(service, { slug: 'suspended' })
  await suspendMerchant(service.database, closed.id, Date.now())
  await eventually(async () => {
    const answer = await closed.call('POST', '/v2/statements', statementBody())
    assertAnswer(answer, 403, reason('AUTHORISATION_ERROR', /suspended/))
  })
})

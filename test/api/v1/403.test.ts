import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import { eventually, startService } from '../../../harness/service.ts'
import type { Scope } from '../../../src/domain/accounts/token.ts'
import { suspendMerchant } from '../../../src/usecases/accounts/manage-merchants.ts'
import { assertDeprecated } from '../../support/earlier-generation.ts'
import { LEGACY_CALLS, nameOf } from '../../support/legacy-calls.ts'
import { assertLegacyError, legacyDeposit } from '../../support/legacy-payments.ts'

const service = await startService()
after(service.stop)

const merchant = await addMerchant(service, { slug: 'scoped' })

const SCOPES: readonly Scope[] = [
  '*',
  'deposits',
  'deposits:read',
  'payouts',
  'payouts:read',
  'refunds',
  'refunds:read',
  'payment-page',
  'payment-page:read',
  'toolkit',
]

describe('a token with the scope', () => {
  for (const scope of SCOPES) {
    it(`${scope} may do what it says, and gets 403 with error code 3 else`, async () => {
      const { call } = callerWith(service, await addToken(service, merchant.id, [scope]))
      for (const one of LEGACY_CALLS) {
        const answer = await call(one.method, one.path, one.body)
        const permitted: readonly Scope[] = [
          '*',
          one.group,
          ...(one.level === 'read' ? [`${one.group}:read` as const] : []),
        ]
        if (permitted.includes(scope)) assert.equal(answer.status, 200, nameOf(one))
        else
          assertLegacyError(service, answer, 403, /may not use this endpoint.*the scope '[a-z:-]+'/)
        assertDeprecated(answer, one.successor)
      }
    })
  }
})

it('403 comes before any look at the request', async () => {
  const { call } = callerWith(service, await addToken(service, merchant.id, ['toolkit']))
  for (const one of LEGACY_CALLS.filter(({ method }) => method === 'POST')) {
    const answer = await call(one.method, one.path, '{')
    assertLegacyError(service, answer, 403, new RegExp(`lacks the scope '${one.group}'`))
  }
})

it('a suspended account may do nothing', async () => {
  const closed = await addMerchant(service, { slug: 'suspended' })
  await suspendMerchant(service.database, closed.id, Date.now())
  await eventually(async () => {
    const answer = await closed.call('POST', '/deposits', legacyDeposit())
    assert.equal(answer.status, 403)
  })
  for (const { method, path, body } of LEGACY_CALLS) {
    const answer = await closed.call(method, path, body)
    assertLegacyError(service, answer, 403, /suspended/)
  }
})

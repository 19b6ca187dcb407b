import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import { depositBody, eventually, startService } from '../../../harness/service.ts'
import { SCOPES, type Scope } from '../../../src/domain/accounts/token.ts'
import { suspendMerchant } from '../../../src/usecases/accounts/manage-merchants.ts'
import { assertDeprecated } from '../../support/earlier-generation.ts'
import { CALLS, nameOf, refusalOf } from '../../support/every-endpoint.ts'
import { LEGACY_CALLS, nameOf as legacyName } from '../../support/legacy-calls.ts'
import { assertLegacyError } from '../../support/legacy-payments.ts'
import { assertAnswer } from '../../support/shapes.ts'

// One of the calls sets the clock back, which others that share a service would notice.
const service = await startService()
after(service.stop)

const merchant = await addMerchant(service)

/** The scopes that permit what needs this one at least. */
function permitting(scope: Scope): readonly Scope[] {
  const group = scope.replace(/:read$/, '') as Scope
  return group === scope ? ['*', scope] : ['*', group, scope]
}

const callers = new Map<string, ReturnType<typeof callerWith>>()

/** Calls as a token with these scopes alone. */
async function callerOf(scopes: readonly Scope[]): Promise<ReturnType<typeof callerWith>> {
  const known = callers.get(scopes.join())
  if (known !== undefined) return known
  const caller = callerWith(service, await addToken(service, merchant.id, scopes))
  callers.set(scopes.join(), caller)
  return caller
}

const lacking = (scope: Scope): RegExp =>
  new RegExp(`may not use this endpoint.*lacks the scope '${scope}'`)

describe('a call is permitted by its scope, and refused with all others together:', () => {
  for (const call of CALLS) {
    it(`${nameOf(call)}: ${call.scope}`, async () => {
      const { method, path, body, scope, orAny = [], answers } = call
      const permitted = [scope, ...orAny].flatMap(permitting)
      for (const one of permitted) {
        const { status } = await (await callerOf([one])).call(method, path, body)
        const isExpected = answers === undefined ? isSuccess(status) : status === answers
        assert.ok(isExpected, `${one}: ${status}`)
      }
      const others = SCOPES.filter((one) => !permitted.includes(one))
      for (const scopes of [others, []]) {
        const answer = await (await callerOf(scopes)).call(method, path, body)
        assertAnswer(answer, 403, refusalOf(call, 'AUTHORISATION_ERROR', lacking(scope)))
      }
    })
  }

  for (const call of LEGACY_CALLS) {
    const scope: Scope = call.level === 'read' ? `${call.group}:read` : call.group
    it(`${legacyName(call)}: ${scope}`, async () => {
      const { method, path, body, successor } = call
      for (const one of permitting(scope)) {
        const answer = await (await callerOf([one])).call(method, path, body)
        assert.equal(answer.status, 200, one)
        assertDeprecated(answer, successor)
      }
      const others = SCOPES.filter((one) => !permitting(scope).includes(one))
      for (const scopes of [others, []]) {
        const answer = await (await callerOf(scopes)).call(method, path, body)
        assertLegacyError(service, answer, 403, lacking(scope))
        assertDeprecated(answer, successor)
      }
    })
  }
})

function isSuccess(status: number): boolean {
  return status === 200 || status === 204
}

it('two scopes permit what either of them does', async () => {
  const { call } = await callerOf(['deposits:read', 'finances'])
  assert.equal((await call('GET', `/v2/deposits/${depositBody().depositId}`)).status, 200)
  assert.equal((await call('GET', '/v2/wallet-balances')).status, 200)
  assert.equal((await call('POST', '/v2/deposits', depositBody())).status, 403)
})

it('403 comes before any look at the request', async () => {
  const { call } = await callerOf([])
  for (const one of CALLS.filter(({ method }) => method !== 'GET')) {
    const { method, path, idField, scope } = one
    const refusal = (id: object) => refusalOf(one, 'AUTHORISATION_ERROR', lacking(scope), id)
    assertAnswer(await call(method, path, '{'), 403, refusal({}))
    const odd = `{"${idField ?? 'depositId'}":"ORDER","amnt":1}`
    const echoed = idField === undefined ? {} : { [idField]: 'ORDER' }
    assertAnswer(await call(method, path, odd), 403, refusal(echoed))
  }
  for (const one of CALLS.filter(({ path }) => /\/[0-9a-f-]{36}$/.test(path))) {
    const path = one.path.replace(/[0-9a-f-]{36}$/, 'order-17')
    const refusal = refusalOf(one, 'AUTHORISATION_ERROR', lacking(one.scope))
    assertAnswer(await call(one.method, path), 403, refusal)
  }
  for (const { method, path, group } of LEGACY_CALLS.filter((one) => one.method === 'POST')) {
    assertLegacyError(service, await call(method, path, '{'), 403, lacking(group))
  }
})

it('a suspended account may do nothing, and everything when it is open again', async () => {
  const closed = await addMerchant(service)
  const first = depositBody()
  assert.equal((await closed.call('POST', '/v2/deposits', first)).body.status, 'ACCEPTED')
  await service.database.inTransaction((tx) => suspendMerchant(tx, closed.id, Date.now()))
  await eventually(async () => {
    assert.equal((await closed.call('GET', '/v2/wallet-balances')).status, 403)
  })
  for (const call of CALLS) {
    const answer = await closed.call(call.method, call.path, call.body)
    assertAnswer(answer, 403, refusalOf(call, 'AUTHORISATION_ERROR', /suspended/))
  }
  for (const { method, path, body } of LEGACY_CALLS) {
    assertLegacyError(service, await closed.call(method, path, body), 403, /suspended/)
  }
  await service.database.inTransaction((tx) => suspendMerchant(tx, closed.id, undefined))
  await eventually(async () => {
    const { body } = await closed.call('GET', `/v2/deposits/${first.depositId}`)
    assert.equal(body.data?.status, 'COMPLETED')
  })
})

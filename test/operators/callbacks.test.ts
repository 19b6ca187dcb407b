import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addOperatorAccount, managing } from '../../harness/operator-accounts.ts'
import { eventually, startService } from '../../harness/service.ts'
import { MTN_MOMO_STAND_IN } from '../../src/providers/mtn-momo/stand-in/operator.ts'
import { startStandIn } from '../../src/providers/stand-in/server.ts'
import { changeAccount } from '../../src/usecases/operators/manage-accounts.ts'

const service = await startService()
const operator = await startStandIn(MTN_MOMO_STAND_IN)
after(async () => {
  await operator.close()
  await service.stop()
})

await addOperatorAccount(service, {
  name: 'mtn-zambia',
  connector: 'mtn-momo',
  baseUrl: operator.url,
  providers: { MTN_MOMO_ZMB: ['DEPOSIT'] },
  priority: 1,
  settings: { targetEnvironment: 'mtnzambia' },
  secrets: {
    collection: { subscriptionKey: 'sub-0123', apiUser: 'user-0123', apiKey: 'key-0123' },
  },
})
const accountOf = () => service.node.ctx.operators.named('mtn-zambia')?.account ?? assert.fail()
const secret = accountOf().callbackSecret
const REFERENCE = '8d5f0a4e-27a3-4d39-a0a1-3d3a7e1b9f50'

describe('the address for callbacks of an operator', () => {
  it('is nowhere for a wrong name or a wrong secret, whatever the method', async () => {
    const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
    for (const path of [`/operators/nobody/${secret}`, `/operators/mtn-zambia/${wrong}`]) {
      for (const method of ['POST', 'PUT']) {
        assert.equal((await service.call(method, path, { status: 'SUCCESSFUL' })).status, 404)
        assert.equal((await service.call(method, `${path}/${REFERENCE}`, {})).status, 404)
      }
    }
  })

  it('takes POST and PUT, with and without a reference, and bodies that mean nothing', async () => {
    for (const body of [{ externalId: REFERENCE }, 'not json', '', { externalId: { a: 1 } }]) {
      for (const method of ['POST', 'PUT']) {
        for (const path of ['', `/${REFERENCE}`]) {
          const { status } = await service.call(
            method,
            `/operators/mtn-zambia/${secret}${path}`,
            body,
          )
          assert.equal(status, 200)
        }
      }
    }
  })

  it('takes 256 KiB and refuses more', async () => {
    const path = `/operators/mtn-zambia/${secret}`
    assert.equal((await service.post(path, ' '.repeat(256 * 1024))).status, 200)
    assert.equal((await service.post(path, ' '.repeat(256 * 1024 + 1))).status, 413)
  })

  it('is nowhere for addresses that the account does not allow', async () => {
    const path = `/operators/mtn-zambia/${secret}`
    await changeAccount(managing(service), 'mtn-zambia', { callbackSources: ['196.201.214.0/24'] })
    await eventually(async () => assert.equal((await service.post(path, {})).status, 404))
    await changeAccount(managing(service), 'mtn-zambia', {
      callbackSources: ['196.201.214.0/24', '127.0.0.0/8'],
    })
    await eventually(async () => assert.equal((await service.post(path, {})).status, 200))
  })

  it('goes by the address that a known proxy names, and by no other word', async () => {
    await changeAccount(managing(service), 'mtn-zambia', { callbackSources: ['196.201.214.0/24'] })
    const behind = await service.addNode({ MALIPO_TRUSTED_PROXIES: '127.0.0.1, 10.1.0.0/16' })
    const path = `/operators/mtn-zambia/${secret}`
    const statusOf = async (node: typeof behind, forwardedFor: string) =>
      (await node.post(path, {}, { 'x-forwarded-for': forwardedFor })).status
    await eventually(async () => assert.equal((await behind.post(path, {})).status, 404))
    for (const [forwardedFor, status] of [
      ['196.201.214.7', 200],
      ['196.201.214.7:443', 200],
      ['::ffff:196.201.214.7', 200],
      ['8.8.8.8, 196.201.214.7, 10.1.2.3', 200],
      // What the client itself wrote comes first.
      ['196.201.214.7, 8.8.8.8', 404],
      ['196.201.214.7, unknown', 404],
      ['10.1.2.3', 404],
      ['', 404],
    ] as const) {
      assert.equal(await statusOf(behind, forwardedFor), status, forwardedFor)
    }
    await eventually(async () => assert.equal(await statusOf(service, '196.201.214.7'), 404))
    await behind.stop()
  })
})

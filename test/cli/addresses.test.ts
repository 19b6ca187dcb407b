import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../harness/merchant.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'
import { openCommandLine } from './command-line.ts'

const LIVE = {
  MALIPO_ENV: 'production',
  MALIPO_SECRET_KEY: 'a secret for this test, long enough for production',
}
const production = await startService({ ...LIVE, MALIPO_SANDBOX_DELAY_MS: '' })
const service = await startService()
const receiver = await startReceiver()
const commandLine = openCommandLine()
after(async () => {
  commandLine.close()
  await production.stop()
  await service.stop()
  await receiver.close()
})
await addMerchant(production, { slug: 'acme', name: 'Acme Ltd' })

const SANDBOX = { DATABASE_URL: service.databaseUrl }
const PRODUCTION = { ...LIVE, DATABASE_URL: production.databaseUrl }
const run = (settings: Record<string, string>, ...args: string[]) =>
  commandLine.run(['merchant', 'callbacks', ...args], settings)

async function json(settings: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await run(settings, ...args, '--json')
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

const HOOKS = 'https://shop.example/hooks'
const set = (kind: string, url: string) => ({ kind, url, state: 'ACTIVE' })
const unset = (kind: string) => ({ kind, url: null, state: 'NOT_SET' })

it('malipo merchant create says in production what its payments need', async () => {
  const args = ['merchant', 'create', 'stand']
  const live = await commandLine.run(args, PRODUCTION)
  assert.match(
    live.stdout,
    /created\.\nIts payments are accepted for the providers that an operator account serves: .*\nNext: /,
  )
  const test = await commandLine.run(args, SANDBOX)
  assert.equal(test.stdout, 'Merchant stand created.\nNext: malipo token create stand\n')
})

it('malipo merchant return-schemes lets customers return to apps, and nowhere dangerous', async () => {
  const schemes = (settings: Record<string, string>, ...args: string[]) =>
    commandLine.run(['merchant', 'return-schemes', 'acme', ...args], settings)
  assert.equal((await schemes(PRODUCTION)).stdout, 'https\n')
  const { stdout } = await schemes(PRODUCTION, '--set', 'myapp, com.example.shop', '--json')
  const returnSchemes = ['myapp', 'com.example.shop']
  assert.deepEqual(JSON.parse(stdout), { shortName: 'acme', returnSchemes })
  for (const [list, says] of [
    ['myapp,javascript', /--set: "javascript" cannot be used: it is not .*Nothing was changed\./],
    ['http', /"http" cannot be used: http is for the sandbox only/],
    ['myapp://', /"myapp:\/\/" cannot be used: a scheme has 2 to 63/],
    ['', /"" cannot be used: a scheme has/],
  ] as const) {
    const { code, stderr } = await schemes(PRODUCTION, '--set', list)
    assert.equal(code, 2, list)
    assert.match(stderr, says)
  }
  assert.equal((await schemes(PRODUCTION)).stdout, 'https\nmyapp\ncom.example.shop\n')
  assert.equal((await schemes(PRODUCTION, '--set', 'none')).stdout, 'https\n')
})

describe('malipo merchant callbacks', { timeout: 540_000 }, () => {
  it('sets addresses in production, for each kind or for all, and takes them away', async () => {
    const kinds = ['deposit', 'payout', 'refund', 'remittance', 'splitPayment', 'checkout']
    assert.deepEqual(await json(PRODUCTION, 'acme'), {
      shortName: 'acme',
      callbacks: kinds.map(unset),
    })
    const one = await json(PRODUCTION, 'acme', '--deposit', HOOKS, '--split-payment', `${HOOKS}/2`)
    assert.deepEqual(one.callbacks, [
      set('deposit', HOOKS),
      ...['payout', 'refund', 'remittance'].map(unset),
      set('splitPayment', `${HOOKS}/2`),
      unset('checkout'),
    ])
    const all = await json(PRODUCTION, 'acme', '--all', HOOKS, '--refund', 'none')
    assert.deepEqual(
      all.callbacks,
      kinds.map((kind) => (kind === 'refund' ? unset(kind) : set(kind, HOOKS))),
    )
    assert.deepEqual(await json(PRODUCTION, 'acme'), all)
    const { stdout } = await run(PRODUCTION, 'acme', '--all', 'none', '--payout', HOOKS)
    assert.match(stdout, /^kind +url +state\n/)
    assert.match(stdout, /^payout +https:\/\/shop.example\/hooks +ACTIVE$/m)
    assert.match(stdout, /^deposit +NOT_SET$/m)
  })

  it('reaches running nodes', async () => {
    await json(PRODUCTION, 'acme', '--deposit', `${HOOKS}/changed`)
    const [row] = await production.database.query<{ merchant_id: number }>(
      "select merchant_id from merchants where slug = 'acme'",
    )
    await eventually(async () => {
      const merchant = await production.node.ctx.merchants.byId(row?.merchant_id as never)
      assert.equal(merchant?.callbackUrls.deposit, `${HOOKS}/changed`)
    })
  })

  it('refuses what the environment does not allow, and then changes nothing', async () => {
    const before = await json(PRODUCTION, 'acme')
    const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
      [
        ['acme', '--deposit', 'http://shop.example/'],
        /--deposit: .* starts with http:.*use https:/,
      ],
      [['acme', '--all', 'https://10.0.0.1/'], /--all: 10\.0\.0\.1 is .*give a public address/],
      [['acme', '--payout', HOOKS, '--refund', 'nothing'], /--refund: .*not a valid URL/],
      [['acme', '--deposit', ' '], /--deposit is empty; give an address, or none to remove it/],
      [['nobody'], /There is no merchant "nobody"/],
    ]
    for (const [args, says] of wrong) {
      const { code, stderr } = await run(PRODUCTION, ...args)
      assert.equal(code, 2, args.join(' '))
      assert.match(stderr, says)
    }
    assert.deepEqual(await json(PRODUCTION, 'acme'), before)
  })

  it('shows a pause, and ends it when the same address is saved again', async () => {
    const url = receiver.url
    await json(SANDBOX, 'demo', '--deposit', url, '--payout', url)
    receiver.answer(410)
    const { id } = await service.deposit()
    const paused = await eventually(async () => {
      const { callbacks } = await json(SANDBOX, 'demo')
      assert.equal(callbacks[0].state, 'PAUSED')
      return callbacks
    })
    assert.match(paused[0].since, /^\d{4}-\d\d-\d\dT/)
    assert.equal(paused[1].state, 'PAUSED')
    const { stdout } = await run(SANDBOX, 'demo')
    assert.match(stdout, /^deposit .* PAUSED since \d{4}-.*: it answered 410 \(gone\)$/m)
    receiver.answer(200)
    const { callbacks } = await json(SANDBOX, 'demo', '--payout', url)
    assert.deepEqual(callbacks.slice(0, 2), [set('deposit', url), set('payout', url)])
    await eventually(async () => {
      const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
      assert.equal(body[0].delivery, 'DELIVERED')
    })
  })
})

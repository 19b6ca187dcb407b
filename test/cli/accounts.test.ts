import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { depositBody, eventually, startService } from '../../harness/service.ts'
import { call } from '../node/program.ts'
import { openCommandLine } from './command-line.ts'

const first = await startService()
const second = await first.addNode()
const nodes = [first, second]
const commandLine = openCommandLine({ DATABASE_URL: first.databaseUrl })
after(async () => {
  commandLine.close()
  await second.stop()
  await first.stop()
})

const run = async (...args: string[]) => {
  const ended = await commandLine.run(args)
  assert.deepEqual({ code: ended.code, stderr: ended.stderr }, { code: 0, stderr: '' })
  return ended.stdout
}
const runJson = async (...args: string[]) => JSON.parse(await run(...args, '--json'))

/** Holds on every node; a node learns of a change within a moment. */
const everywhere = (token: string, status: number) =>
  eventually(async () => {
    for (const { url } of nodes) {
      assert.equal((await call(`${url}/v2/wallet-balances`, token)).status, status)
    }
  })

it('a merchant is created with empty wallets, and listed', async () => {
  assert.equal(
    await run('merchant', 'create', 'acme', '--name', 'Acme Ltd'),
    'Merchant acme created.\nNext: malipo token create acme\n',
  )
  const listed = await runJson('merchant', 'list')
  const { id: _, created, ...acme } = listed.at(-1)
  assert.deepEqual(acme, { shortName: 'acme', name: 'Acme Ltd', state: 'active' })
  assert.match(created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  const [head, ...rows] = (await run('merchant', 'list')).trimEnd().split('\n')
  assert.match(head ?? '', /^id +shortName +name +state +created$/)
  assert.match(rows.join('\n'), /^\d+ +demo +Demo Merchant +active +\S+\n\d+ +acme +Acme Ltd/)

  const { token } = await runJson('token', 'create', 'acme')
  const { body } = await call(`${first.url}/v2/wallet-balances?country=ZMB`, token)
  assert.deepEqual(
    body.balances.map((one: { balance: string }) => one.balance),
    ['0.00'],
  )
})

it('the short name follows from the name if none is given, and is unique', async () => {
  const made = await runJson('merchant', 'create', 'kiosk')
  assert.deepEqual({ ...made, id: 0 }, { id: 0, shortName: 'kiosk', name: 'kiosk' })
  const again = await commandLine.run(['merchant', 'create', 'kiosk'])
  assert.equal(again.code, 2)
  assert.match(again.stderr, /The short name "kiosk" is taken\./)
})

it('a new token works at once on every node, and its text is shown this once', async () => {
  const words = await run('token', 'create', 'demo', '--label', 'shop')
  const [token = '', , note = ''] = words.split('\n')
  assert.match(token, /^mlp_sbx_[\w-]{32}$/)
  const tokenId = /Token id (tok_[\w-]+)\.$/.exec(note)?.[1] ?? ''
  for (const { url } of nodes) {
    assert.equal((await call(`${url}/v2/deposits`, token, depositBody())).body.status, 'ACCEPTED')
  }
  const listing = await run('token', 'list', '--merchant', 'demo')
  assert.match(listing, new RegExp(`^${tokenId} +demo +shop +\\* +\\S+`, 'm'))
  assert.ok(!listing.includes(token))
  const all = await runJson('token', 'list')
  assert.ok(all.length > (await runJson('token', 'list', '--merchant', 'demo')).length)
  assert.ok(!JSON.stringify(all).includes(token))
})

it('a token does what its scopes allow and nothing else', async () => {
  const { token, scopes } = await runJson(
    ...['token', 'create', 'demo', '--scope', 'finances:read', '--scope', 'toolkit'],
  )
  assert.deepEqual(scopes, ['finances:read', 'toolkit'])
  assert.equal((await call(`${first.url}/v2/wallet-balances`, token)).status, 200)
  const { status, body } = await call(`${first.url}/v2/deposits`, token, depositBody())
  assert.equal(status, 403)
  assert.match(body.failureReason.failureMessage, /lacks the scope 'deposits'/)
  const wrong = await commandLine.run(['token', 'create', 'demo', '--scope', 'money'])
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /"money" is not a scope\. Scopes are \*, deposits, /)
})

it('a revoked token is refused by every node, also after a restart', async () => {
  const { token, tokenId } = await runJson('token', 'create', 'demo')
  await everywhere(token, 200)
  assert.equal(await run('token', 'revoke', tokenId), `Token ${tokenId} is revoked.\n`)
  await everywhere(token, 401)
  const entry = (await runJson('token', 'list')).find(
    (one: { tokenId: string }) => one.tokenId === tokenId,
  )
  assert.match(entry.revoked, /^\d{4}-/)
  const again = await commandLine.run(['token', 'revoke', tokenId])
  assert.equal(again.code, 2)
})

it('a suspended merchant is refused by every node until the suspension is lifted', async () => {
  await run('merchant', 'create', 'market')
  const { token } = await runJson('token', 'create', 'market')
  await everywhere(token, 200)
  assert.equal(await run('merchant', 'suspend', 'market'), 'Merchant market is suspended.\n')
  await everywhere(token, 403)
  const listed = await runJson('merchant', 'list')
  assert.equal(listed.at(-1).state, 'suspended')
  assert.deepEqual(await runJson('merchant', 'suspend', 'market', '--lift'), {
    shortName: 'market',
    suspended: false,
  })
  await everywhere(token, 200)
  // Others were never disturbed.
  assert.equal((await first.get('/v2/wallet-balances')).status, 200)
})

it('a merchant may use identifiers of every UUID version, on every node', async () => {
  await run('merchant', 'create', 'stall')
  const { token } = await runJson('token', 'create', 'stall')
  const depositId = '018f4e2a-7b6c-7d3e-9f10-aabbccddeeff'
  const answers = (status: number) =>
    eventually(async () => {
      for (const { url } of nodes) {
        const answer = await call(`${url}/v2/deposits`, token, depositBody({ depositId }))
        assert.equal(answer.status, status)
      }
    })
  await answers(400)
  assert.equal(
    await run('merchant', 'identifiers', 'stall', '--any-uuid', 'on'),
    'Merchant stall uses UUIDs of every version as identifiers.\n',
  )
  await answers(200)
  const off = await runJson('merchant', 'identifiers', 'stall', '--any-uuid', 'off')
  assert.deepEqual(off, { shortName: 'stall', anyUuid: false })
  await answers(400)
  for (const wrong of [[], ['--any-uuid', 'yes']]) {
    assert.equal((await commandLine.run(['merchant', 'identifiers', 'stall', ...wrong])).code, 2)
  }
})

it('migrating a database that is up to date does nothing and says so', async () => {
  assert.match(await run('migrate'), /^Schema version \d+: nothing to do\.\n$/)
  assert.deepEqual((await runJson('migrate')).applied, [])
})

it('a token with an end works until then, and is listed with it', async () => {
  const expires = new Date(Date.now() + 3_600_000).toISOString()
  const made = await runJson(
    'token',
    'create',
    'demo',
    '--label',
    'for an hour',
    '--expires',
    expires,
  )
  await everywhere(made.token, 200)
  const listed = await runJson('token', 'list', '--merchant', 'demo')
  const found = listed.find(({ tokenId }: { tokenId: string }) => tokenId === made.tokenId)
  assert.equal(found.expires, `${expires.slice(0, 19)}Z`)
  await first.database.query('update api_tokens set expires_at = now() where token_id = $1', [
    made.tokenId,
  ])
  for (const { node } of nodes) node.ctx.merchants.forget()
  await everywhere(made.token, 401)
  const past = await commandLine.run(['token', 'create', 'demo', '--expires', '2020-01-01'])
  assert.equal(past.code, 2)
  assert.match(past.stderr, /--expires is "2020-01-01", which has passed/)
})

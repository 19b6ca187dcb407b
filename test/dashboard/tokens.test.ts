import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { signedIn, type Visitor } from '../../harness/dashboard.ts'
import { clientOf, eventually } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { changeUser } from '../../src/store/people/users.ts'

const service = await shareService()
after(() => service.stop())
const { merchantId, database } = service
const developer = await signedIn(service, 'developer', { merchantId })

const TOKEN = /mlp_sbx_[\w-]{32}/
const formId = (html: string): string => /name="tokenId" value="([^"]+)"/.exec(html)?.[1] ?? ''

async function create(visitor: Visitor, fields: Record<string, string> = {}) {
  const tokenId = formId((await visitor.get('/dashboard/tokens')).text)
  const answer = await visitor.post('/dashboard/tokens', {
    tokenId,
    label: 'Shop',
    scope: 'toolkit',
    ...fields,
  })
  return { tokenId, answer, token: TOKEN.exec(answer.text)?.[0] ?? '' }
}

const statusWith = async (token: string): Promise<number> =>
  (await clientOf(service.url, token).get('/v2/availability')).status

/** Every column of every table as text. */
async function isStored(text: string): Promise<boolean> {
  const tables = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  for (const { name } of tables) {
    const rows = await database.query(
      `select 1 from "${name}" t where position($1 in t::text) > 0 limit 1`,
      [text],
    )
    if (rows.length > 0) return true
  }
  return false
}

describe('a token', () => {
  it('is shown in the answer to its form, and never again', async () => {
    const { token, answer, tokenId } = await create(developer, { label: 'Shown once' })
    assert.equal(answer.status, 200)
    assert.equal(await statusWith(token), 200)
    assert.doesNotMatch(answer.headers.get('set-cookie') ?? '', TOKEN)
    for (const path of ['/dashboard/tokens', `/dashboard/tokens/${tokenId}`]) {
      assert.ok(!(await developer.get(path)).text.includes(token))
    }
    assert.equal(await isStored(token), false)
    assert.ok(!service.logLines.some((line) => line.includes(token)))
  })

  it('is listed with name, last characters, scopes, maker and end', async () => {
    const fields = { label: 'Listed <one>', scope: 'toolkit:read', lasts: '30' }
    const { token } = await create(developer, fields)
    const { text } = await developer.get('/dashboard/tokens')
    const row = text.split('<tr>').find((one) => one.includes('Listed &lt;one')) ?? ''
    assert.match(row, new RegExp(`…${token.slice(-4)}</bdi>`))
    assert.match(row, /toolkit:read/)
    assert.match(row, new RegExp(developer.email))
    assert.equal(row.match(/<time /g)?.length, 2, 'created and expires; never used')
    await statusWith(token)
    const used = (await developer.get('/dashboard/tokens')).text
    const usedRow = used.split('<tr>').find((one) => one.includes('Listed &lt;one')) ?? ''
    assert.equal(usedRow.match(/<time /g)?.length, 3)
  })

  it('of a form that is sent twice is made once', async () => {
    const { tokenId } = await create(developer, { label: 'Twice' })
    const again = await create(developer, { label: 'Twice', tokenId })
    assert.equal(again.answer.status, 303)
    assert.equal(again.token, '')
    const [found] = await database.query<{ count: number }>(
      `select count(*)::int as count from api_tokens where merchant_id = $1 and label = 'Twice'`,
      [merchantId],
    )
    assert.equal(found?.count, 1)
    assert.ok(tokenId.startsWith('tok_'))
  })

  it('without a name or scope is not made, and the page says why', async () => {
    for (const fields of [{ label: ' ' }, { label: 'x'.repeat(81) }, { scope: 'everything' }]) {
      const { answer } = await create(developer, fields)
      assert.equal(answer.status, 400)
      assert.match(answer.text, /role="alert"/)
    }
  })

  it('may do no more than the person who makes or rotates it', async () => {
    const admin = await signedIn(service, 'admin', { merchantId })
    const beyond = ['pii']
    const offered = (await developer.get('/dashboard/tokens')).text
    for (const scope of beyond) {
      const { answer, token } = await create(developer, { label: `By admin: ${scope}`, scope })
      assert.deepEqual([answer.status, token], [400, ''], scope)
      assert.match(answer.text, /Ask an owner or admin to create it/)
      assert.ok(!offered.includes(`value="${scope}"`), scope)
      const made = await create(admin, { label: `By admin: ${scope}`, scope })
      assert.equal(made.answer.status, 200, scope)
      const path = `/dashboard/tokens/${made.tokenId}`
      assert.doesNotMatch((await developer.get(path)).text, /Rotate the token/)
      const fields = { tokenId: formId(offered), overlap: '24' }
      const rotating = await developer.post(`${path}/rotate`, fields)
      assert.deepEqual([rotating.status, rotating.location], [303, path], scope)
      assert.equal((await admin.get(path)).status, 200, 'it still works')
    }
  })

  it('of a developer has any scope in a sandbox, but not the one of personal data', async () => {
    const offered = (await developer.get('/dashboard/tokens')).text
    assert.doesNotMatch(offered, /name="scope"[^>]* checked/, 'nobody gives everything unasked')
    for (const scope of [
      '*',
      'deposits',
      'payouts',
      'refunds',
      'finances:read',
      'callbacks:read',
    ]) {
      assert.ok(offered.includes(`value="${scope}"`), scope)
      const { answer, token, tokenId } = await create(developer, { label: `Mine: ${scope}`, scope })
      assert.equal(answer.status, 200, scope)
      assert.notEqual(token, '', scope)
      assert.match((await developer.get(`/dashboard/tokens/${tokenId}`)).text, /Rotate the token/)
    }
    const both = new URLSearchParams({ tokenId: formId(offered), label: 'Both', scope: '*' })
    both.append('scope', 'pii')
    assert.equal((await developer.post('/dashboard/tokens', both)).status, 400)
  })

  it('works for all countries, so nobody with a country limit makes or rotates one', async () => {
    const { tokenId, token } = await create(developer, { label: 'Kept' })
    const limited = await signedIn(service, 'admin', { merchantId, countries: ['UGA'] })
    const why =
      /access is limited to Uganda\. An owner or admin of [^.]+ with access to all countries/
    const path = `/dashboard/tokens/${tokenId}`
    const fields = { tokenId: 'tok_zyxwvutsrqpo', label: 'More', scope: 'toolkit', overlap: '0' }
    for (const form of ['/dashboard/tokens', `${path}/rotate`]) {
      const answer = await limited.post(form, fields)
      assert.equal(answer.status, 403, form)
      assert.match(answer.text, why)
    }
    for (const page of ['/dashboard/tokens', path]) {
      const { text } = await limited.get(page)
      assert.match(text, why)
      assert.doesNotMatch(text, /Create the token|Rotate the token/)
    }
    assert.equal(await statusWith(token), 200)
    assert.equal((await limited.post(`${path}/revoke`, { name: 'Kept' })).status, 303)
  })

  it('that was rotated and its successor both work until the overlap is over', async () => {
    const { tokenId, token } = await create(developer, { label: 'Rotated', scope: 'toolkit' })
    const next = formId((await developer.get(`/dashboard/tokens/${tokenId}`)).text)
    const answer = await developer.post(`/dashboard/tokens/${tokenId}/rotate`, {
      tokenId: next,
      overlap: '1',
    })
    const successor = TOKEN.exec(answer.text)?.[0] ?? ''
    assert.notEqual(successor, token)
    assert.deepEqual([await statusWith(token), await statusWith(successor)], [200, 200])
    await database.query(
      `update api_tokens set expires_at = now() + interval '1 second' where token_id = $1`,
      [tokenId],
    )
    service.node.ctx.merchants.forget()
    // From now on in memory, with its end.
    await eventually(async () => assert.equal(await statusWith(token), 401))
    assert.equal(await statusWith(successor), 200)
    assert.equal((await developer.get(`/dashboard/tokens/${tokenId}`)).status, 404)
  })

  it('that was rotated without an overlap ends at once', async () => {
    const { tokenId, token } = await create(developer, { label: 'Ended' })
    const fields = { tokenId: 'tok_abcdefghijkl', overlap: '0' }
    const answer = await developer.post(`/dashboard/tokens/${tokenId}/rotate`, fields)
    assert.equal(answer.status, 200)
    assert.equal(await statusWith(token), 401)
  })

  it('is revoked after its name was typed, on every node', async () => {
    const { tokenId, token } = await create(developer, { label: 'Leaked' })
    const other = await service.addNode()
    try {
      const elsewhere = clientOf(other.url, token)
      assert.equal((await elsewhere.get('/v2/availability')).status, 200)
      const path = `/dashboard/tokens/${tokenId}/revoke`
      assert.equal((await developer.post(path, { name: 'Leak' })).status, 400)
      assert.equal(await statusWith(token), 200)
      assert.equal((await developer.post(path, { name: 'Leaked' })).status, 303)
      assert.equal(await statusWith(token), 401)
      await eventually(async () =>
        assert.equal((await elsewhere.get('/v2/availability')).status, 401),
      )
    } finally {
      await other.stop()
    }
    assert.match((await developer.get('/dashboard/tokens')).text, /Revoked/)
  })

  it('of another merchant is not found', async () => {
    const { tokenId } = await create(developer, { label: 'Mine' })
    const stranger = await signedIn(service, 'owner')
    assert.equal((await stranger.get(`/dashboard/tokens/${tokenId}`)).status, 404)
    const revoking = await stranger.post(`/dashboard/tokens/${tokenId}/revoke`, { name: 'Mine' })
    assert.equal(revoking.status, 404)
  })

  it('that is made, rotated or revoked leaves one entry in the audit log each', async () => {
    const { tokenId } = await create(developer, { label: 'Audited' })
    const fields = { tokenId: 'tok_0123456789ab', overlap: '24' }
    await developer.post(`/dashboard/tokens/${tokenId}/rotate`, fields)
    await developer.post(`/dashboard/tokens/${tokenId}/revoke`, { name: 'Audited' })
    const entries = await database.query<{ action: string; actor: string }>(
      `select action, actor from audit_entries where merchant_id = $1 and object = $2
       order by number`,
      [merchantId, tokenId],
    )
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['token created', 'token rotated', 'token revoked'],
    )
    assert.ok(entries.every(({ actor }) => actor === developer.email))
  })

  it('asks again who it is, once the last proof is old', async () => {
    const visitor = await signedIn(service, 'developer', { merchantId })
    await changeUser(database, visitor.userId, { passwordHash: 'scrypt$1$1$1$A$A' })
    await database.query(
      `update user_sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1`,
      [visitor.userId],
    )
    const { answer, token } = await create(visitor, { label: 'Unproven' })
    assert.equal(token, '')
    assert.match(answer.text, /name="proof"/)
  })
})

it('the page is in French as well', async () => {
  const { text } = await developer.get('/dashboard/tokens?lang=fr')
  assert.match(text, /Créer un jeton/)
  assert.doesNotMatch(text, /Create a token/)
})

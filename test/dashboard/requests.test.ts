import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { addToken } from '../../harness/merchant.ts'
import { clientOf, depositBody, eventually, payer } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { deleteRequestsBefore } from '../../src/store/accounts/api-requests.ts'

const service = await shareService()
after(() => service.stop())
const { merchantId, database } = service
const developer = await signedIn(service, 'developer', { merchantId })
const PAGE = '/dashboard/requests'

const rowsOf = (html: string): string[] =>
  html.split('<tr>').filter((one) => one.includes(`${PAGE}/`))
const rows = async (query = ''): Promise<string[]> =>
  rowsOf((await developer.get(PAGE + query)).text)
const stored = (): Promise<readonly Record<string, unknown>[]> =>
  database.query('select r.*, r::text as whole from api_requests r where merchant_id = $1', [
    merchantId,
  ])

describe('the API requests of a merchant', () => {
  it('are there as soon as they were answered: accepted, refused, repeated, unknown', async () => {
    assert.match((await developer.get(PAGE)).text, /No request came/)
    const body = depositBody()
    await service.post('/v2/deposits', body)
    await service.post('/v2/deposits', body)
    await service.deposit({ amount: 'much' })
    await service.post('/v2/deposits', '{ broken')
    await service.get('/v2/deposit/nothing')
    await service.get(`/v2/deposits/${body.depositId}`)
    const text = (await rows()).join('')
    assert.equal((await rows()).length, 6)
    for (const word of ['ACCEPTED', 'DUPLICATE_IGNORED', 'REJECTED', 'INVALID_INPUT', 'FOUND']) {
      assert.match(text, new RegExp(word))
    }
    assert.match(text, />404</)
    const expected = [
      'Accepted <small><code>ACCEPTED</code></small>',
      'Repeat, ignored <small><code>DUPLICATE_IGNORED</code></small>',
      'Found <small><code>FOUND</code></small>',
      'Refused. The request cannot be read. <small><code>REJECTED · INVALID_INPUT</code></small>',
    ]
    for (const words of expected) assert.ok(text.includes(words), words)
    const french = (await developer.get(`${PAGE}?lang=fr`)).text
    assert.match(french, /Refusée\. La requête est illisible\. <small>/)
    assert.match(french, /<option value="REJECTED">Refusée \(REJECTED\)/)
    assert.match(text, new RegExp(`/dashboard/search\\?q=${body.depositId}`))
    assert.match(text, /\d ms/)
  })

  it('of the earlier generation have their codes in words too', async () => {
    await service.post('/deposits', {
      depositId: randomUUID(),
      amount: '15',
      currency: 'ZMW',
      correspondent: 'NOBODY_ZMB',
      payer: { type: 'MSISDN', address: { value: '260763456789' } },
      customerTimestamp: '2026-11-18T08:00:00Z',
      statementDescription: 'Order 77',
    })
    const [row = ''] = await rows('?status=REJECTED')
    const words =
      'Refused. This provider cannot be used. <small><code>REJECTED · INVALID_CORRESPONDENT</code>'
    assert.ok(row.includes(words), row)
    const path = /href="(\/dashboard\/requests\/[^"]+)"/.exec(row)?.[1] ?? ''
    assert.ok((await developer.get(path)).text.includes(words), 'on its own page too')
  })

  it('are filtered by status, path and token, and the filter is in the address', async () => {
    const other = clientOf(service.url, await addToken(service, merchantId, ['toolkit']))
    await other.get('/v2/availability')
    await other.get('/v2/wallet-balances')
    assert.equal((await rows('?status=403')).length, 1)
    assert.ok((await rows('?status=4xx')).length >= 3)
    assert.equal((await rows('?status=DUPLICATE_IGNORED')).length, 1)
    assert.equal((await rows('?path=/v2/availability')).length, 1)
    const { text } = await developer.get(PAGE)
    const tokenId = /<option value="(tok_[^"]+)">toolkit/.exec(text)?.[1] ?? ''
    assert.equal((await rows(`?token=${tokenId}`)).length, 2)
    assert.equal((await rows(`?token=${tokenId}&status=403`)).length, 1)
    assert.match((await developer.get(`${PAGE}?path=/nowhere`)).text, /No request fits/)
  })

  it('are stored without secrets and personal data', async () => {
    const id = randomUUID()
    await service.post('/v2/deposits', {
      ...depositBody({ depositId: id }),
      payer: payer('260763456700', 'MTN_MOMO_ZMB'),
      preAuthorisationCode: '987654',
      metadata: [{ order: 'ORD-77' }, { mail: 'jane@example.com', isPII: true }],
    })
    await service.get(`/v2/deposits/${id}`)
    await rows()
    const found = (await stored()).filter(({ ids }) => (ids as string[]).includes(id))
    assert.equal(found.length, 2)
    for (const { whole } of found) {
      assert.doesNotMatch(String(whole), /260763456700|987654|jane@example\.com|mlp_sbx/)
      assert.ok(!String(whole).includes(service.token))
    }
    assert.match(String(found.find(({ method }) => method === 'POST')?.whole), /ORD-77/)
  })

  it('have a page each, with a command that sends it again without the token', async () => {
    await service.deposit({ amount: 'too much' })
    const [row = ''] = await rows('?status=REJECTED')
    const path = /href="(\/dashboard\/requests\/[^"]+)"/.exec(row)?.[1] ?? ''
    const { status, text } = await developer.get(path)
    assert.equal(status, 200)
    assert.match(text, /curl -X POST/)
    assert.match(text, /Authorization: Bearer \$MALIPO_TOKEN/)
    assert.ok(!text.includes(service.token))
    assert.match(text, /\+260 76 \*\*\* \*789/)
    const stranger = await signedIn(service, 'owner')
    assert.equal((await stranger.get(path)).status, 404)
    assert.equal((await developer.get(`${PAGE}/1.x`)).status, 404)
  })

  it('of strangers and of callers with a wrong token belong to nobody', async () => {
    const before = await database.query('select count(*) from api_requests')
    await clientOf(service.url, 'mlp_sbx_wrong').get('/v2/availability')
    await rows()
    assert.deepEqual(await database.query('select count(*) from api_requests'), before)
  })

  it('show a person with a country limit only what is about these countries', async () => {
    const limited = await signedIn(service, 'developer', { merchantId, countries: ['UGA'] })
    const { text } = await limited.get(PAGE)
    assert.doesNotMatch(rowsOf(text).join(''), />ACCEPTED|>FOUND/)
    const [row = ''] = await rows('?status=ACCEPTED')
    const path = /href="(\/dashboard\/requests\/[^"]+)"/.exec(row)?.[1] ?? ''
    assert.equal((await limited.get(path)).status, 404)
    const zambian = await signedIn(service, 'developer', { merchantId, countries: ['ZMB'] })
    assert.equal((await zambian.get(path)).status, 200)
  })

  it('come page by page, each once', async () => {
    for (let at = 0; at < 60; at += 1) await service.get(`/v2/payouts/${randomUUID()}`)
    const seen = new Set<string>()
    let next: string | undefined = `${PAGE}?path=/v2/payouts`
    let pages = 0
    while (next !== undefined) {
      const { text } = await developer.get(next)
      for (const row of rowsOf(text)) seen.add(/requests\/([^"]+)"/.exec(row)?.[1] ?? '')
      next = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
      pages += 1
    }
    assert.equal(pages, 2)
    assert.equal(seen.size, 60)
  })

  it('are written by the node itself within a moment, and deleted when they are old', async () => {
    const id = randomUUID()
    await service.get(`/v2/refunds/${id}`)
    await eventually(async () => {
      assert.ok((await stored()).some(({ ids }) => (ids as string[]).includes(id)))
    })
    const cutoff = Date.now() - 14 * 86_400_000
    await database.query(
      `update api_requests set at = to_timestamp($2::float8 / 1000) - interval '1 second'
       where merchant_id = $1 and $3 = any(ids)`,
      [merchantId, cutoff, id],
    )
    const before = (await stored()).length
    assert.ok((await deleteRequestsBefore(database, cutoff, 100)) <= 1)
    assert.equal((await stored()).length, before - 1)
  })

  it('are not kept whole where they are large', async () => {
    await service.post('/v2/deposits', { ...depositBody(), customerMessage: 'x'.repeat(20_000) })
    const [row = ''] = await rows('?path=/v2/deposits')
    const path = /href="(\/dashboard\/requests\/[^"]+)"/.exec(row)?.[1] ?? ''
    assert.match((await developer.get(path)).text, /bytes is not kept/)
  })
})

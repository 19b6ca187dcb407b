import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { signedIn, type Visitor } from '../../harness/dashboard.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, type Service, startService } from '../../harness/service.ts'
import { HEADER } from '../bulk/bulk-support.ts'

/** Breaks out of text, of attributes in either quotes, and of scripts, wherever it is not escaped. */
const HOSTILE = `"'></script><xss-here onload=alert(1)>`
const RAW = '<xss-here'
const PAGES_AT_MOST = 200

let service: Service
let owner: Visitor
const receiver = await startReceiver()
before(async () => {
  service = await startService()
  owner = await signedIn(service)
})
after(async () => {
  await service.stop()
  await receiver.close()
})

/** Texts that a merchant, its customers or its servers write, in each place that keeps them. */
async function writeEverywhere(): Promise<void> {
  receiver.answer(
    (response) => void response.writeHead(200, { 'x-note': HOSTILE }).end(`<p>${HOSTILE}</p>`),
  )
  for (const kind of ['deposit', 'payout', 'refund']) {
    await owner.post(`/dashboard/callback-urls/${kind}`, {
      url: `${receiver.url}?${new URLSearchParams({ hostile: HOSTILE })}`,
    })
  }
  const metadata = [{ orderId: HOSTILE }, { secret: HOSTILE, isPII: true }]
  const { id } = await service.deposit({ clientReferenceId: HOSTILE, metadata })
  await service.reaches(id, 'COMPLETED')
  const refund = { refundId: randomUUID(), depositId: id, amount: '4', metadata }
  assert.equal((await service.post('/v2/refunds', refund)).body.status, 'ACCEPTED')
  await fetch(`${service.url}/v2/deposits/${encodeURIComponent(HOSTILE)}`, {
    headers: { authorization: `Bearer ${service.token}`, 'user-agent': HOSTILE },
  })
  await service.post('/v2/deposits', { depositId: HOSTILE, customerMessage: HOSTILE })
  const forms: readonly (readonly [path: string, fields: Record<string, string>])[] = [
    ['/dashboard/tokens', { tokenId: randomUUID(), label: HOSTILE, scope: '*' }],
    ['/dashboard/deposits/views', { name: HOSTILE, query: 'status=FAILED' }],
    [
      '/dashboard/bulk-payouts',
      { paste: `${HEADER},clientReferenceId\r\n2,ZMW,${HOSTILE},${HOSTILE}` },
    ],
    [
      '/dashboard/links',
      {
        kind: 'PAGE',
        amount: '15',
        place: 'ZMB-ZMW',
        reason: 'Ticket',
        id: randomUUID(),
        reference: HOSTILE,
        metadataName: 'order',
        metadataValue: HOSTILE,
      },
    ],
    [
      '/dashboard/branding',
      { displayName: HOSTILE, accent: '#7A1FA2', support: HOSTILE, language: 'en' },
    ],
    ['/dashboard/team/invite', { email: `${HOSTILE}@example.com`, role: 'support' }],
    ['/dashboard/callback-urls/remittance', { url: HOSTILE }],
    ['/dashboard/signatures', { name: HOSTILE, pem: HOSTILE }],
  ]
  for (const [path, fields] of forms) {
    const { text, status } = await owner.post(path, fields)
    assert.ok(status < 500 && !text.includes(RAW), path)
  }
  await eventually(() => assert.ok(receiver.received.length >= 2))
}

it('what others wrote is text on every page, never markup', async () => {
  await writeEverywhere()
  const q = new URLSearchParams({ q: HOSTILE })
  const filters = [
    'clientReferenceId',
    'provider',
    'phone',
    'meta.orderId',
    'status',
    'from',
    'min',
  ]
  const given = filters.map((name) => new URLSearchParams({ [name]: HOSTILE }))
  const open = [
    '/dashboard',
    `/dashboard/search?${q}`,
    ...given.map((query) => `/dashboard/deposits?${query}`),
    ...['callbacks', 'audit', 'requests', 'statements'].map((page) => `/dashboard/${page}?${q}`),
    `/sign-in?${new URLSearchParams({ next: HOSTILE })}`,
  ]
  const seen = new Map<string, string>()
  let found = 0
  while (seen.size < PAGES_AT_MOST) {
    const path = open.shift()
    if (path === undefined) break
    if (seen.has(path)) continue
    const { text, headers, status } = await owner.get(path)
    seen.set(path, text)
    assert.ok(status < 500, path)
    const type = headers.get('content-type') ?? ''
    if (!type.startsWith('text/html')) {
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      continue
    }
    if (text.includes('xss-here')) found += 1
    assert.ok(!text.includes(RAW), path)
    assert.doesNotMatch(text, /(?:href|src|action)="(?:javascript|data:text)/i, path)
    const links = text.matchAll(/(?:href|src)="(\/(?:dashboard|pay)[^"#]*)"/g)
    for (const [, href = ''] of links) {
      const next = href.replaceAll('&amp;', '&')
      // One address of each page and filter is enough.
      if (!/[?&](?:after|lang|per)=|\.csv/.test(next)) open.push(next)
    }
  }
  assert.ok(seen.size > 50 && found > 15, `${found} of ${seen.size} pages show it`)
})

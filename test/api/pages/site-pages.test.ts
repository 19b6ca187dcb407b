import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { shareService } from '../../../harness/share.ts'

const service = await shareService()
after(service.stop)

/** Where a page may load from; anything else would be another origin. */
const OWN = /^('none'|'self'|data:|'sha256-[\w+/=]+')$/

const SITE: readonly (readonly [path: string, languages: readonly string[]])[] = [
  ['/', ['en', 'fr']],
  ['/docs', ['en']],
  ['/docs/api/deposits', ['en']],
  ['/docs/guides/callbacks', ['en']],
  ['/docs/search?q=amount', ['en']],
]

for (const [path, languages] of SITE) {
  for (const lang of languages) {
    it(`${path} is a page in ${lang} that loads nothing from elsewhere`, async () => {
      for (const [query, header] of [
        [`${path.includes('?') ? '&' : '?'}lang=${lang}`, 'sw'],
        ['', `${lang}-CD,${lang};q=0.9`],
      ]) {
        const answer = await service.get(path + query, { 'accept-language': header ?? '' })
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
        assert.ok(answer.body.startsWith(`<!doctype html><html lang="${lang}"`))
        const policy = answer.headers.get('content-security-policy') ?? ''
        assert.match(policy, /default-src 'none'/)
        const sources = policy
          .split(';')
          .flatMap((directive) => directive.trim().split(' ').slice(1))
        assert.deepEqual(
          sources.filter((source) => !OWN.test(source)),
          [],
        )
        assert.doesNotMatch(answer.body, /<(script|link|img|iframe)[^>]+(src|href)="(https?:)?\/\//)
      }
    })
  }
}

type Raw = { readonly status: number; readonly headers: NodeJS.Dict<string | string[]> } & {
  readonly body: Buffer
}

/** Without a client that unpacks. */
const raw = (path: string, headers: Record<string, string>): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const sent = request(service.url + path, { headers, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(parts),
        }),
      )
    })
    sent.on('error', reject).end()
  })

const GROUPS = Object.values<Record<string, { tags: string[] }>>(
  (await service.get('/openapi.json')).body.paths,
).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags))

const PAGES = ['/docs', '/docs/api/basics', ...new Set(GROUPS.map((tag) => `/docs/api/${tag}`))]

/** Bytes as HTML, bytes on the wire, elements: what the largest group needs, with some room. */
const LIMITS = { html: 300_000, wire: 32_000, elements: 6_500 }

describe('a page of the documentation', () => {
  for (const path of [...PAGES, '/docs/guides/proofs']) {
    it(`${path} is small`, async () => {
      const { body, headers } = await raw(path, { 'accept-encoding': 'gzip, br' })
      assert.equal(headers['content-encoding'], 'gzip')
      const html = gunzipSync(body).toString()
      assert.ok(body.length <= LIMITS.wire, `${body.length} bytes on the wire`)
      assert.ok(html.length <= LIMITS.html, `${html.length} bytes`)
      const elements = html.match(/<[a-z]/g)?.length ?? 0
      assert.ok(elements <= LIMITS.elements, `${elements} elements`)
    })
  }

  for (const path of ['/docs', '/docs/api/payouts', '/docs/guides/payments', '/openapi.json']) {
    it(`${path} is sent again only when it changed, packed or not`, async () => {
      const packed = await raw(path, { 'accept-encoding': 'gzip' })
      const plain = await raw(path, {})
      assert.equal(plain.headers['content-encoding'], undefined)
      assert.deepEqual(gunzipSync(packed.body), plain.body)
      const etag = String(packed.headers.etag)
      assert.equal(plain.headers.etag, etag)
      for (const { headers } of [packed, plain]) {
        assert.equal(headers['cache-control'], 'no-cache')
        assert.equal(headers.vary, 'accept-encoding')
      }
      const again = await raw(path, { 'if-none-match': `"other", ${etag}` })
      assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag])
      assert.equal((await raw(path, { 'if-none-match': '"other"' })).status, 200)
    })
  }

  for (const path of [
    '/docs/nothing',
    '/docs/api/nothing',
    '/docs/api/deposits/more',
    '/docs/guides/nothing',
    '/docs/guides/failure-codes/NOTHING',
    '/docs/guides/..%2fREADME',
    '/docs/pictures/images/nothing.png',
    '/docs/pictures/..%2f/package.json',
  ]) {
    it(`${path} is a page that says so and offers the search`, async () => {
      const { status, headers, body } = await service.get(path)
      assert.equal(status, 404)
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.match(body, /<h1>Page not found<\/h1>/)
      assert.match(body, /<form action="\/docs\/search"/)
    })
  }

  it('a picture of a guide is served as one', async () => {
    for (const [path, type] of [
      ['images/payment-page.png', 'image/png'],
      ['benchmarks/rates.svg', 'image/svg+xml'],
    ]) {
      const { status, headers } = await raw(`/docs/pictures/${path}`, {})
      assert.deepEqual([status, headers['content-type']], [200, type])
      assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    }
  })
})

describe('the search', () => {
  it('answers with a page: what was found, nothing, or how to begin', async () => {
    const found = await service.get('/docs/search?q=clientReferenceId')
    assert.match(found.body, /results for “clientReferenceId”/)
    assert.match(
      found.body,
      /href="\/docs\/api\/deposits#initiate-deposit\.body\.clientReferenceId"/,
    )
    assert.equal(found.headers.get('x-robots-tag'), 'noindex')
    const none = await service.get('/docs/search?q=xyzzy')
    assert.equal(none.status, 200)
    assert.match(none.body, /Nothing was found for “xyzzy”/)
    for (const query of ['', '?q=', '?q=+', '?q=a&q=b']) {
      const { status, body } = await service.get(`/docs/search${query}`)
      assert.equal(status, 200)
      assert.match(body, /Try the name of a field/)
    }
  })

  it('shows what was asked for as text, and no more of it than fits', async () => {
    const { body } = await service.get(
      `/docs/search?q=${encodeURIComponent(`"><script>1</script>${'a'.repeat(500)}`)}`,
    )
    assert.ok(!body.includes('<script>1'))
    assert.ok(!body.includes('a'.repeat(100)))
  })
})

describe('an address that leads nowhere', () => {
  const PATHS = ['/nothing', '/v2/nothing', '/sandbox/nothing', '/deposits/a/b']
  const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  it('is a page in the language of the browser, which names ways on', async () => {
    for (const path of PATHS) {
      for (const [lang, heading] of [
        ['en', 'Page not found'],
        ['fr', 'Page introuvable'],
      ] as const) {
        const answer = await service.get(path, { ...BROWSER, 'accept-language': `${lang}-CD` })
        assert.equal(answer.status, 404)
        assert.match(answer.headers.get('vary') ?? '', /accept, accept-language/)
        assert.ok(answer.body.startsWith(`<!doctype html><html lang="${lang}"`), answer.body)
        assert.ok(answer.body.includes(`<h1>${heading}</h1>`))
        for (const to of ['/', '/sandbox', '/sandbox/shop', '/sandbox/numbers']) {
          assert.ok(answer.body.includes(`href="${to}?lang=${lang}"`), to)
        }
        assert.ok(!answer.body.includes(path))
      }
    }
  })

  it('is JSON for programs, and for forms', async () => {
    for (const path of PATHS) {
      for (const answer of [await service.get(path), await service.post(path, '{}', BROWSER)]) {
        assert.equal(answer.status, 404)
        assert.equal(answer.headers.get('content-type'), 'application/json')
      }
    }
  })
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { firstPayment } from '../../src/web/site/first-payment.ts'
import { renderHome } from '../../src/web/site/home.tsx'
import type { HomeInfo } from '../../src/web/site/home-info.ts'
import { SANDBOX } from './sample-home.ts'

const PRODUCTION: HomeInfo = {
  ...SANDBOX,
  environment: 'production',
  baseUrl: 'https://pay.example.org',
}

const textOf = (html: string) => html.replace(/<[^>]+>/g, '')

describe('the overview', () => {
  it('shows where everything is', () => {
    const { html } = renderHome(SANDBOX, 'en')
    for (const path of ['/openapi.json', '/livez', '/readyz', '/metrics']) {
      assert.ok(html.includes(`href="${path}"`), path)
    }
    assert.ok(html.includes('href="/docs"'))
    assert.ok(html.includes('href="/docs/api/basics#test-numbers"'))
    assert.ok(html.includes('http://127.0.0.1:8080'))
    const [menu = ''] = /<nav class="top-links".*?<\/nav>/s.exec(html) ?? []
    const [live = ''] =
      /<nav class="top-links".*?<\/nav>/s.exec(renderHome(PRODUCTION, 'en').html) ?? []
    for (const path of ['/sandbox', '/sandbox/shop', '/sandbox/numbers']) {
      assert.ok(menu.includes(`href="${path}?lang=en"`) && !live.includes(path), menu)
    }
  })

  it('shows the state of the service', () => {
    const text = textOf(renderHome(SANDBOX, 'en').html)
    for (const fact of ['Accepting payments', 'reachable', '1,234', '56', '0.1.0-test']) {
      assert.ok(text.includes(fact), fact)
    }
    assert.ok(text.includes('10:20:30'))
    assert.ok(!text.includes('Test clock'))
  })

  it('says so when the database does not answer, and claims no counts', () => {
    const text = textOf(renderHome({ ...SANDBOX, database: { isReachable: false } }, 'en').html)
    assert.ok(text.includes('Not accepting payments'))
    assert.ok(text.includes('not reachable'))
    assert.ok(text.includes('Payments waitingunknown'))
  })

  it('accepts nothing without an operator account, and says so', () => {
    const info = { ...PRODUCTION, hasOperator: false }
    const [en, fr] = [renderHome(info, 'en').html, renderHome(info, 'fr').html]
    assert.match(en, /Not accepting payments/)
    assert.match(
      en,
      /No operator account, so every payment is refused\. Add one with malipo operator add\./,
    )
    assert.match(fr, /Paiements non acceptés/)
    assert.match(fr, /Aucun compte opérateur/)
    assert.doesNotMatch(en, /real money/)
    assert.doesNotMatch(fr, /argent réel/)
    assert.match(renderHome(PRODUCTION, 'en').html, /real money/)
  })

  it('shows how far the test clock was moved', () => {
    const ahead = textOf(renderHome({ ...SANDBOX, clockOffsetSeconds: 93_784 }, 'en').html)
    assert.ok(ahead.includes('1 day 2 hr ahead'))
  })

  it('leads to the shop and the phone before it goes on with the API', () => {
    for (const [lang, words] of [
      [
        'en',
        /on the virtual phone\..*Open the demo shop.*Open the virtual phone.*Or with the API/s,
      ],
      ['fr', /le téléphone virtuel\..*Ouvrir la boutique.*Ouvrir le téléphone.*Ou par l’API/s],
    ] as const) {
      assert.match(textOf(renderHome(SANDBOX, lang).html), words)
    }
  })

  it('names the token only as a variable', () => {
    for (const lang of ['en', 'fr'] as const) {
      const { html } = renderHome(SANDBOX, lang)
      assert.ok(html.includes('$MALIPO_TOKEN'))
      assert.doesNotMatch(html, /mlp_(sbx|live)_/)
    }
  })

  it('has no test payment in production', () => {
    const { html } = renderHome(PRODUCTION, 'en')
    assert.ok(html.includes('https://pay.example.org'))
    assert.ok(html.includes('Production'))
    assert.doesNotMatch(html, /curl|sandbox\/|260763456789|test-numbers/)
  })

  it('escapes every value', () => {
    const evil = '"><script>alert(1)</script>'
    const { html } = renderHome({ ...SANDBOX, baseUrl: evil, version: evil }, 'en')
    assert.ok(!html.includes('<script>alert'))
    assert.ok(html.includes('&lt;script'))
  })
})

describe('the first payment', () => {
  it('runs in a shell and sends one deposit under a new identifier', () => {
    const { token, send } = firstPayment(SANDBOX.baseUrl, 'a-token')
    const fakeCurl = 'curl() { printf "%s\\n" "$@" >&2; cat; }'
    const run = spawnSync('sh', ['-c', `${fakeCurl}\n${token}\n${send}`], { encoding: 'utf8' })
    assert.equal(run.status, 0, run.stderr)
    const body: unknown = JSON.parse(run.stdout)
    assert.ok(typeof body === 'object' && body !== null && 'depositId' in body)
    assert.match(String(body.depositId), /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    assert.ok(run.stderr.includes('http://127.0.0.1:8080/v2/deposits\n'))
    assert.ok(run.stderr.includes('Authorization: Bearer a-token\n'))
  })
})

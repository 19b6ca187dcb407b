import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { signedIn, type Visitor } from '../../harness/dashboard.ts'
import { checkout, page } from '../../harness/hosted.ts'
import { eventually, startService } from '../../harness/service.ts'
import { SAMPLE_SCREENS } from '../../src/usecases/hosted/samples.ts'
import { PAY_WORDS } from '../../src/web/pay/words.ts'

const service = await startService()
after(() => service.stop())
const owner = await signedIn(service, 'owner')
const PATH = '/dashboard/branding'

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="#7a1fa2"/></svg>'

/** As a browser sends a form with a file. */
async function save(
  visitor: Visitor,
  fields: Readonly<Record<string, string>>,
  logo?: string | Buffer,
) {
  const token = /name="form" value="([^"]+)"/.exec((await visitor.get(PATH)).text)?.[1] ?? ''
  const body = new FormData()
  for (const [name, value] of Object.entries({ form: token, ...fields })) body.append(name, value)
  body.append(
    'logo',
    new Blob(logo === undefined ? [] : [new Uint8Array(Buffer.from(logo))]),
    logo && 'logo',
  )
  const headers = { cookie: visitor.cookie, origin: service.url }
  const answer = await fetch(service.url + PATH, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
  })
  return { status: answer.status, text: await answer.text() }
}

const customerPage = async (query = ''): Promise<Response> =>
  fetch(`${service.url}/pay/${(await page(service)).token}${query}`)

const entries = (): Promise<readonly { before: unknown; after: Record<string, unknown> }[]> =>
  service.database.query(
    `select before, after from audit_entries where merchant_id = 1 and action = 'branding changed'
     order by number`,
  )

const FULL = {
  displayName: 'Mwila’s <b>Shop</b>',
  accent: '#7A1FA2',
  accentDark: '',
  support: '+260 76 345 6789',
  language: 'fr',
  returnSchemes: 'myapp, otherapp://',
}

describe('branding', { timeout: 540_000 }, () => {
  it('reaches the pages of customers on every node, and the audit log says who changed it', async (t: TestContext) => {
    const other = await service.addNode()
    t.after(() => other.stop())
    const before = await checkout(service)
    const at = (url: string) => fetch(`${url}/checkout/${before.code}`)
    assert.ok((await (await at(other.url)).text()).includes('Demo'))
    assert.equal((await save(owner, FULL, SVG)).status, 303)
    for (const { url } of [service, other]) {
      await eventually(async () => {
        const response = await at(url)
        const html = await response.text()
        assert.match(html, /Mwila’s &lt;b>Shop|Mwila’s &lt;b&gt;Shop/)
        assert.doesNotMatch(html, /<b>Shop/)
        assert.match(html, /<html lang="fr"/)
        assert.match(html, /--accent:#7a1fa2;/)
        assert.match(html, /<a href="tel:\+260763456789">\+260 76 345 6789<\/a>/)
        assert.match(
          html,
          /<img class="logo" src="\/branding\/[0-9a-f]{32}\.svg" alt(?:="")? width="56" height="28"/,
        )
        assert.doesNotMatch(html, /style="/)
      })
    }
    const [entry] = await entries()
    assert.equal(entry?.after.displayName, FULL.displayName)
    assert.deepEqual(entry?.after.returnSchemes, ['myapp', 'otherapp'])
    const { body } = await service.get('/v2/active-conf')
    assert.equal(JSON.stringify(body).includes('Mwila'), true)
  })

  it('allows its style by the hash of the one block, and nothing else', async () => {
    const response = await customerPage()
    const html = await response.text()
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.ok(policy.includes(`style-src 'sha256-${hash}'`))
    assert.ok(policy.includes("frame-ancestors 'none'"))
    assert.equal(html.match(/<style>/g)?.length, 1)
  })

  it('keeps the first document and the logo within the weight of a page', async () => {
    const html = await (await customerPage()).text()
    assert.ok(gzipSync(html).length + 4096 + 2000 < 14_000, `${gzipSync(html).length} bytes`)
  })

  it('serves the logo as a picture that can run nothing', async () => {
    const [address = ''] =
      /\/branding\/[0-9a-f]{32}\.svg/.exec(await (await customerPage()).text()) ?? []
    const response = await fetch(service.url + address)
    assert.equal(response.status, 200)
    assert.equal(await response.text(), SVG)
    assert.equal(response.headers.get('content-type'), 'image/svg+xml')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /^default-src 'none'.*sandbox$/,
    )
    assert.match(response.headers.get('cache-control') ?? '', /immutable/)
    for (const path of [
      address.replace('.svg', '.png'),
      '/branding/x',
      address.replace(/\/\w{3}/, '/0'),
    ]) {
      assert.equal((await fetch(service.url + path)).status, 404, path)
    }
  })

  it('refuses a colour that cannot be read, with its ratio and the nearest that can', async () => {
    const count = (await entries()).length
    const light = await save(owner, { ...FULL, accent: '#777777' })
    assert.equal(light.status, 422)
    assert.match(light.text, /<title>Error: /)
    assert.match(light.text, /White text on #777777 has a contrast of 4\.47 to 1/)
    assert.match(light.text, /The nearest colour that passes is #767676/)
    assert.match(light.text, /name="accentInstead" value="#767676"/)
    assert.match(light.text, /value="#777777"/)
    const dark = await save(owner, { ...FULL, accentDark: '#333333' })
    assert.match(dark.text, /On the dark page #333333 has a contrast of 1\.\d\d to 1/)
    assert.equal((await entries()).length, count)
    assert.equal(
      (await save(owner, { ...FULL, accent: '#777777', accentInstead: '#767676' })).status,
      303,
    )
    assert.equal((await entries()).at(-1)?.after.accent, '#767676')
  })

  it('refuses pictures that are too large or hold more than a picture', async () => {
    const refused = async (logo: string | Buffer, why: RegExp) => {
      const { status, text } = await save(owner, FULL, logo)
      assert.equal(status, 422)
      assert.match(text, why)
    }
    await refused(SVG.replace('<rect', '<script>1</script><rect'), /must not have: &lt;script/)
    await refused(SVG.replace('<rect', '<rect onload="x"'), /must not have: onload/)
    await refused(`${SVG}${' '.repeat(4096)}`, /larger than 4 KB/)
    await refused('hello', /neither an SVG nor a PNG/)
    assert.match(await (await customerPage()).text(), /\/branding\/[0-9a-f]{32}\.svg/)
  })

  it('says what else is wrong, in French too, and keeps what was typed', async () => {
    const fields = {
      ...FULL,
      displayName: 'x'.repeat(61),
      support: 'ask',
      returnSchemes: 'javascript',
    }
    const { text } = await save(owner, fields)
    assert.match(text, /at most 60 characters/)
    assert.match(text, /neither a phone number/)
    assert.match(text, /javascript: this is not the scheme of an app/)
    assert.match(text, /value="ask"/)
    const french = await owner.get(`${PATH}?lang=fr`)
    assert.match(french.text, /Couleur d’accent sur écran clair/)
    assert.doesNotMatch(french.text, /Accent colour|Display name/)
  })

  it('takes everything back to the usual look when its fields are emptied', async () => {
    const empty = { displayName: '', accent: '', support: '', language: '', returnSchemes: '' }
    assert.equal((await save(owner, { ...empty, removeLogo: '1' })).status, 303)
    await eventually(async () => {
      const html = await (await customerPage()).text()
      assert.match(html, /<html lang="en"/)
      assert.doesNotMatch(html, /class="logo"|--accent:#7|tel:/)
    })
  })

  it('shows every screen of a customer in both languages, with the branding', async () => {
    assert.equal((await save(owner, { ...FULL, language: '' }, SVG)).status, 303)
    const { text } = await owner.get(PATH)
    const headings = {
      details: /id="pay"/,
      country: /name="country"/,
      code: /preAuthorisationCode/,
      waiting: PAY_WORDS.en.waitHeading,
      slow: 'class="slow"',
      processing: PAY_WORDS.en.processHeading,
      go: 'operator.example',
      confirming: PAY_WORDS.en.confirmHeading,
      paid: PAY_WORDS.en.paidHeading,
      failed: PAY_WORDS.en.failBalance,
      unseen: PAY_WORDS.en.unseenHeading,
      expired: PAY_WORDS.en.expiredHeading,
      cancelled: PAY_WORDS.en.cancelledHeading,
      closed: PAY_WORDS.en.closedHeading,
    } as const
    for (const screen of SAMPLE_SCREENS) {
      assert.ok(text.includes(`${PATH}/preview/${screen}?lang=fr`), screen)
      for (const lang of ['en', 'fr'] as const) {
        const shown = await owner.get(`${PATH}/preview/${screen}?lang=${lang}`)
        assert.equal(shown.status, 200, screen)
        assert.ok(shown.text.includes(`<html lang="${lang}"`))
        assert.match(shown.text, /--accent:#7a1fa2;/)
        assert.match(shown.text, /class="logo"/)
        assert.doesNotMatch(shown.text, /<script/)
        const policy = shown.headers.get('content-security-policy') ?? ''
        assert.match(policy, /form-action 'none'/)
        assert.match(policy, /frame-ancestors 'self'/)
        const expected = headings[screen]
        if (lang === 'en') {
          assert.ok(
            typeof expected === 'string'
              ? shown.text.includes(expected)
              : expected.test(shown.text),
            screen,
          )
        }
      }
    }
    assert.equal((await owner.get(`${PATH}/preview/nothing`)).status, 404)
  })

  it('holds for all countries: people who are limited to some see it and change nothing', async () => {
    const limited = await signedIn(service, 'admin', { countries: ['ZMB'] })
    const before = (await entries()).length
    const answer = await limited.post(PATH, FULL)
    assert.equal(answer.status, 403)
    assert.match(answer.text, /your access is limited to/)
    assert.equal((await entries()).length, before)
    const { status, text } = await limited.get(PATH)
    assert.equal(status, 200)
    assert.match(text, /your access is limited to/)
    assert.doesNotMatch(text, /name="displayName"/)
    assert.match(text, /preview\/paid/)
  })

  it('is for owners and admins', async () => {
    for (const role of ['finance', 'operations', 'developer', 'support'] as const) {
      const visitor = await signedIn(service, role)
      assert.equal((await visitor.get(PATH)).status, 403)
      assert.equal((await visitor.get(`${PATH}/preview/paid`)).status, 403)
      assert.equal((await visitor.post(PATH, FULL)).status, 403)
    }
    const admin = await signedIn(service, 'admin')
    assert.equal((await admin.get(PATH)).status, 200)
    const foreign = new FormData()
    foreign.append('displayName', 'Somebody else')
    const headers = { cookie: admin.cookie, origin: 'https://evil.example' }
    const answer = await fetch(service.url + PATH, { method: 'POST', headers, body: foreign })
    assert.equal(answer.status, 403)
  })
})

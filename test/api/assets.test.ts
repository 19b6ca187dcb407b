import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { shareService } from '../../harness/share.ts'
import { UUID } from '../support/shapes.ts'

const service = await shareService()
after(service.stop)

type Country = {
  country: string
  displayName: { en: string }
  flag: string
  providers: { displayName: string; logo: string }[]
}
const { countries }: { countries: readonly Country[] } = (await service.get('/v2/active-conf')).body
const logos = new Map(
  countries.flatMap(({ providers }) => providers.map((one) => [one.displayName, one.logo])),
)

/** Without a token: pictures are for the pages of merchants. */
async function picture(url: string, type: string): Promise<Buffer> {
  const response = await fetch(url)
  assert.equal(response.status, 200, url)
  assert.equal(response.headers.get('content-type'), type)
  assert.equal(response.headers.get('cache-control'), 'public, max-age=2592000')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.equal(response.headers.get('content-security-policy'), "default-src 'none'")
  return Buffer.from(await response.arrayBuffer())
}

describe('the flag that the configuration names is a small drawing:', () => {
  for (const { country, displayName, flag } of countries) {
    it(displayName.en, async () => {
      assert.equal(flag, `${service.url}/assets/flags/${country.toLowerCase()}.svg`)
      const text = (await picture(flag, 'image/svg+xml')).toString()
      assert.match(
        text,
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 (8|9|12)00 600" [^>]+>\n/,
      )
      assert.ok(text.includes(`aria-label="${displayName.en}"`))
      assert.ok(text.endsWith('</svg>\n') && text.length < 2000)
      assert.doesNotMatch(text, /<script|<style|href|url\(|\son\w+=/i)
      // Every element inside is closed in itself.
      for (const line of text.trim().split('\n').slice(1, -1)) {
        assert.match(line, /^ {2}<(path|polygon|circle|ellipse) [^<>]+\/>$/)
      }
      // In three colours at least: what has no colour is black.
      const shapes = text.match(/<(path|polygon|circle|ellipse) [^>]+>/g) ?? []
      const colours = new Set(shapes.map((one) => / fill="([^"]+)"/.exec(one)?.[1] ?? 'black'))
      assert.ok(colours.size >= (country === 'NGA' ? 2 : 3), [...colours].join())
    })
  }

  it('no two countries have the same', async () => {
    const drawings = await Promise.all(
      countries.map(async ({ flag }) => (await picture(flag, 'image/svg+xml')).toString()),
    )
    const shapes = drawings.map((text) => text.split('\n').slice(1).join())
    assert.equal(new Set(shapes).size, 20)
  })
})

/** Colour type 6 is RGB with opacity: the corners of a tile are transparent. */
const TRUE_COLOUR_WITH_ALPHA = 6

describe('the logo that the configuration names is a small square PNG:', () => {
  for (const [name, url] of logos) {
    it(name, async () => {
      assert.equal(url, `${service.url}/assets/logos/${name.toLowerCase()}.png`)
      const png = await picture(url, 'image/png')
      assert.equal(png.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n')
      assert.equal(png.toString('latin1', 12, 16), 'IHDR')
      assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [96, 96])
      assert.equal(png[25], TRUE_COLOUR_WITH_ALPHA)
      assert.equal(png.toString('latin1', png.length - 8, png.length - 4), 'IEND')
      assert.ok(png.length < 5000, `${png.length} bytes`)
    })
  }

  it('each operator has its own, in every country the same', async () => {
    assert.equal(logos.size, 16)
    const pictures = await Promise.all(
      [...logos.values()].map(async (url) => (await picture(url, 'image/png')).toString('hex')),
    )
    assert.equal(new Set(pictures).size, logos.size)
  })
})

describe('nothing else is under /assets:', () => {
  for (const path of [
    '/assets',
    '/assets/flags',
    '/assets/flags/fra.svg',
    '/assets/flags/ZMB.svg',
    '/assets/flags/zmb',
    '/assets/flags/..%2fproviders.json',
    '/assets/logos/mtn.svg',
    '/assets/logos/nobody.png',
  ]) {
    it(`${path} is 404`, async () => {
      const { status, body } = await service.get(path)
      assert.equal(status, 404)
      assert.match(body.errorId, UUID)
    })
  }

  it('a picture can only be read', async () => {
    const { status, headers } = await service.post('/assets/flags/zmb.svg', {})
    assert.equal(status, 405)
    assert.equal(headers.get('allow'), 'GET')
  })
})

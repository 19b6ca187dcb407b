import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import {
  contrastProblem,
  darkAccentOf,
  PAGE_GROUNDS,
  paletteFor,
  readSupport,
} from '../../src/domain/hosted/branding.ts'
import { contrast, readColour } from '../../src/domain/hosted/colour.ts'
import { readLogo } from '../../src/domain/hosted/logo.ts'

const COLOURS = [
  '#ff0000',
  '#ffff00',
  '#00ff00',
  '#0000ff',
  '#ffffff',
  '#000000',
  '#777777',
].concat(
  Array.from(
    { length: 200 },
    (_, at) => `#${((at * 83_621 + 4711) % 0xffffff).toString(16).padStart(6, '0')}`,
  ),
)

describe('an accent colour', () => {
  it('is measured as WCAG has it', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21)
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
    assert.equal(contrast('#767676', '#ffffff').toFixed(2), '4.54')
    assert.equal(readColour(' #ABC '), '#aabbcc')
    assert.equal(readColour('0B6B4E'), '#0b6b4e')
    for (const text of ['green', '#12345', 'rgb(0,0,0)', '#0b6b4e;}'])
      assert.equal(readColour(text), undefined)
  })

  it('that fails is answered with one that passes, and little darker or lighter', () => {
    for (const colour of COLOURS) {
      for (const screen of ['light', 'dark'] as const) {
        const problem = contrastProblem(colour, screen)
        const ratio = contrast(colour, PAGE_GROUNDS[screen])
        assert.equal(problem === undefined, ratio >= 4.5, colour)
        if (problem === undefined) continue
        const reached = contrast(problem.nearest, PAGE_GROUNDS[screen])
        assert.ok(reached >= 4.5 && reached < 4.75, `${colour}: ${problem.nearest} has ${reached}`)
      }
    }
    assert.equal(contrastProblem('#777777', 'light')?.nearest, '#767676')
  })

  it('can be read wherever a page puts it', () => {
    for (const colour of COLOURS) {
      const accent = contrastProblem(colour, 'light')?.nearest ?? colour
      const light = paletteFor(accent, 'light')
      const grounds = [PAGE_GROUNDS.light, PAGE_GROUNDS.paper, light.tint]
      for (const ground of grounds) assert.ok(contrast(light.deep, ground) >= 4.5, colour)
      assert.ok(contrast(light.accent, light.tint) >= 3, colour)
      const dark = paletteFor(darkAccentOf(accent), 'dark')
      assert.ok(contrast(dark.accent, PAGE_GROUNDS.dark) >= 4.5, colour)
      for (const ground of [PAGE_GROUNDS.dark, dark.tint]) {
        assert.ok(contrast(dark.deep, ground) >= 4.5, colour)
      }
    }
  })

  it('is measured against the grounds that the pages have', () => {
    const css = readFileSync('src/web/assets/pay.css', 'utf8')
    const valuesOf = (name: string) =>
      [...css.matchAll(new RegExp(`--${name}: (#[0-9a-f]+)`, 'g'))].map(([, value]) =>
        readColour(value ?? ''),
      )
    assert.deepEqual(valuesOf('card'), [PAGE_GROUNDS.light, PAGE_GROUNDS.dark])
    assert.equal(valuesOf('paper')[0], PAGE_GROUNDS.paper)
  })
})

describe('a support contact', () => {
  it('is a phone number, an e-mail or an https address', () => {
    assert.deepEqual(readSupport('+260 76 345-6789'), {
      kind: 'PHONE',
      address: 'tel:+260763456789',
    })
    assert.deepEqual(readSupport('help@shop.example'), {
      kind: 'EMAIL',
      address: 'mailto:help@shop.example',
    })
    assert.deepEqual(readSupport('https://shop.example/help'), {
      kind: 'URL',
      address: 'https://shop.example/help',
    })
    for (const text of [
      'http://shop.example',
      'javascript:alert(1)',
      'call us',
      'https://a:b@shop.example',
      'a@b',
      'x@y.z?subject=a b',
    ]) {
      assert.equal(readSupport(text), undefined, text)
    }
  })
})

const svg = (inner: string, attributes = 'viewBox="0 0 40 20"'): Uint8Array =>
  new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inner}</svg>`)

describe('a logo', () => {
  it('is an SVG or a PNG, and has a shape', () => {
    assert.deepEqual(readLogo(svg('<path d="M0 0h9"/>')), {
      type: 'image/svg+xml',
      width: 64,
      height: 32,
    })
    assert.deepEqual(readLogo(svg('<g><circle r="4"/></g>', 'width="30" height="10px"')), {
      type: 'image/svg+xml',
      width: 30,
      height: 10,
    })
    const declared = new TextEncoder().encode(
      '<?xml version="1.0"?>\n<!-- ours --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">' +
        '<style>.a{fill:url(#g)}</style><linearGradient id="g"><stop offset="0"/></linearGradient>' +
        '<use href="#g"/><text>A &amp; B</text></svg>\n',
    )
    assert.deepEqual(readLogo(declared), { type: 'image/svg+xml', width: 64, height: 64 })
    assert.deepEqual(readLogo(png(120, 40)), { type: 'image/png', width: 120, height: 40 })
    assert.deepEqual(readLogo(png(30_000, 40)), { rule: 'TOO_MANY_PIXELS' })
    assert.deepEqual(readLogo(png(0, 40)), { rule: 'NOT_A_PICTURE' })
    assert.deepEqual(readLogo(new Uint8Array(4097)), { rule: 'TOO_LARGE' })
    assert.deepEqual(readLogo(new TextEncoder().encode('GIF89a')), { rule: 'NOT_A_PICTURE' })
  })

  const REFUSED = [
    '<script>alert(1)</script>',
    '<SCRIPT>alert(1)</SCRIPT>',
    '<svg:script>alert(1)</svg:script>',
    '<path onclick="alert(1)" d=""/>',
    '<g OnLoad="x"/>',
    '<foreignObject><body/></foreignObject>',
    '<image href="https://evil.example/x.png"/>',
    '<use href="https://evil.example/x.svg#a"/>',
    '<use xlink:href="data:image/svg+xml,x"/>',
    '<a href="javascript:alert(1)"><path d=""/></a>',
    '<animate attributeName="href" to="javascript:alert(1)"/>',
    '<set attributeName="onclick" to="alert(1)"/>',
    '<path style="fill:url(https://evil.example/)"/>',
    '<path fill="url(//evil.example/#a)"/>',
    '<style>@import "https://evil.example/x.css";</style>',
    '<style>path{fill:u\\72l(https://evil.example/)}</style>',
    '<style>@font-face{src:url(https://evil.example/f)}</style>',
    '<path d="&#106;avascript:"/>',
    '<iframe src="#a"/>',
    '<g xml:base="https://evil.example/"/>',
    '<![CDATA[<script>alert(1)</script>]]>',
    '<?xml-stylesheet href="https://evil.example/x.css"?>',
    '<g><path d=""/>',
    '</g>',
    '<path d="" d=""/>',
    '<path d=x/>',
  ]
  for (const inner of REFUSED) {
    it(`is refused with ${inner}`, () => {
      assert.ok('rule' in readLogo(svg(inner)))
    })
  }

  it('is refused with a document type, another root or none', () => {
    const texts = [
      '<!DOCTYPE svg [<!ENTITY x "y">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
      '<html><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/></html>',
      '<svg viewBox="0 0 1 1"/>',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/><svg xmlns="http://www.w3.org/2000/svg"/>',
      'text <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
    ]
    for (const text of texts) assert.ok('rule' in readLogo(new TextEncoder().encode(text)), text)
  })
})

function png(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(60)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const view = new DataView(bytes.buffer)
  view.setUint32(8, 13)
  view.setUint32(12, 0x49484452)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return bytes
}

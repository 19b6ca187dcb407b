/** What a person sees without scrolling, and can hit. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { signedIn } from '../../harness/dashboard.ts'
import { DASHBOARD_PAGES, signInBrowser } from '../../harness/dashboard-pages.ts'
import { start } from '../../harness/every-kind.ts'
import { addMerchant } from '../../harness/merchant.ts'
import { failForAnHour, startReceiver } from '../../harness/receiver.ts'
import { depositBody, eventually, payer } from '../../harness/service.ts'
import { approved, HEADER, uploaded } from '../bulk/bulk-support.ts'
import { browser, service } from './rig.ts'

const owner = await signedIn(service, 'owner')
const failed = await service.deposit({
  payer: payer('260763456039', 'MTN_MOMO_ZMB'),
  clientReferenceId: 'INV-2026-000017',
})
await service.reaches(failed.id, 'FAILED')
await start(service, 'deposit', 'COMPLETED', { clientReferenceId: 'INV-2026-000018' })
await start(service, 'payout', 'FAILED')

/** Made when it is looked at: other suites count what bulk payouts there are. */
async function bulkPath(): Promise<string> {
  const path = await uploaded(owner, `${HEADER}\n2,ZMW,260763450099\n2,ZMW,260763456789`)
  await approved(owner, await signedIn(service, 'finance'), path)
  return path.replace('/dashboard', '')
}

type Size = { readonly width: number; readonly height: number }

async function newTab(viewport: Size, visitor = owner): Promise<Page> {
  const context = await browser.newContext({ viewport })
  context.setDefaultTimeout(120_000)
  await signInBrowser(context, service.url, visitor)
  return context.newPage()
}

const shared = await newTab({ width: 1280, height: 800 })
after(() => shared.context().close())

/** One window for all tests: to open one takes longer than to look at a page. */
async function openTab(viewport: Size): Promise<Page> {
  await shared.setViewportSize(viewport)
  return shared
}

describe('at 1280 px, without scrolling sideways,', () => {
  const rows = [
    ['/statements', ['Amount', 'Balance after', 'Status'], ['Montant', 'Solde après', 'État']],
    ['/bulk-payouts', ['Amount', 'Result'], ['Montant', 'Résultat']],
    ['/deposits', ['Amount', 'Failure code'], ['Montant', 'Code d’échec']],
    ['/requests', ['Duration', 'Token'], ['Durée', 'Jeton']],
  ] as const
  for (const [path, english, french] of rows) {
    it(`${path} shows ${english.join(' and ')}`, async () => {
      const tab = await openTab({ width: 1280, height: 800 })
      const page = path === '/bulk-payouts' ? await bulkPath() : path
      for (const [lang, names] of [
        ['en', english],
        ['fr', french],
      ] as const) {
        await tab.goto(`${service.url}/dashboard${page}?lang=${lang}`)
        const region = await tab.locator('.scroll').last().boundingBox()
        for (const name of names) {
          const box = await tab.getByRole('columnheader', { name, exact: true }).boundingBox()
          assert.ok(box !== null && region !== null, name)
          assert.ok(box.x + box.width <= region.x + region.width, `${lang} ${name}`)
        }
      }
    })
  }
})

it('at 1280 px the list of callbacks does not scroll sideways', async (t) => {
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  receiver.answer(failForAnHour)
  const { id: merchantId, call } = await addMerchant(service)
  const urls = { deposit: `${receiver.url}/shop/malipo/callbacks/deposits` }
  assert.equal((await call('PUT', '/sandbox/callbacks', urls)).status, 204)
  const made = await call('POST', '/v2/deposits', depositBody())
  assert.equal(made.body.status, 'ACCEPTED')
  const visitor = await signedIn(service, 'owner', { merchantId })
  const tab = await newTab({ width: 1280, height: 800 }, visitor)
  await eventually(async () => {
    await tab.goto(`${service.url}/dashboard/callbacks?lang=en`)
    // It has failed once, so that every column has something.
    assert.equal(await tab.locator('main tbody td.number').first().textContent(), '1')
  })
  for (const lang of ['en', 'fr']) {
    await tab.goto(`${service.url}/dashboard/callbacks?lang=${lang}`)
    const [wide, room] = await tab.evaluate(() => {
      const region = document.querySelector('.scroll') as Element
      return [region.scrollWidth, region.clientWidth]
    })
    assert.ok(
      wide !== undefined && room !== undefined && wide <= room,
      `${lang}: ${wide} in ${room}`,
    )
  }
  await tab.context().close()
})

it('on a phone, letters of twice the size fit as well', async () => {
  const tab = await openTab({ width: 360, height: 740 })
  const found: string[] = []
  for (const path of [...DASHBOARD_PAGES, `/deposits/${failed.id}`]) {
    for (const lang of ['en', 'fr']) {
      const address = new URL(`${service.url}/dashboard${path}`)
      address.searchParams.set('lang', lang)
      await tab.goto(address.href)
      const wide = await tab.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
        return document.documentElement.scrollWidth
      })
      if (wide > 360) found.push(`${path} in ${lang} is ${wide} px wide`)
    }
  }
  assert.deepEqual(found, [])
})

it('on a phone, what the search box suggests is read whole', async () => {
  const tab = await openTab({ width: 360, height: 740 })
  for (const lang of ['en', 'fr']) {
    await tab.goto(`${service.url}/dashboard?lang=${lang}`)
    const [text, room] = await tab.evaluate(() => {
      const box = document.querySelector('[type=search]') as HTMLInputElement
      const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(box)
      const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
      pen.font = font
      const padding = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd)
      return [pen.measureText(box.placeholder).width, box.clientWidth - padding]
    })
    assert.ok(
      text !== undefined && room !== undefined && text <= room,
      `${lang}: ${text} in ${room}`,
    )
  }
})

it('the marks of a list stay inside of its panel', async () => {
  const tab = await openTab({ width: 1280, height: 800 })
  const { id } = await start(service, 'refund', 'COMPLETED')
  for (const path of [`/refunds/${id}`, '/search?q=2026-11-17']) {
    await tab.goto(`${service.url}/dashboard${path}`)
    const outside = await tab.evaluate(
      () =>
        [...document.querySelectorAll('.panel > ul')].filter((list) => {
          const { listStyleType, paddingInlineStart } = getComputedStyle(list)
          return listStyleType !== 'none' && Number.parseFloat(paddingInlineStart) < 16
        }).length,
    )
    assert.equal(outside, 0, path)
  }
})

it('the menu shows where one is, on a low screen too', async () => {
  const height = 600
  const tab = await openTab({ width: 1280, height })
  await tab.goto(`${service.url}/dashboard/branding`)
  const box = await tab.locator('.menu [aria-current]').boundingBox()
  assert.ok(box !== null && box.y > 0 && box.y + box.height <= height, JSON.stringify(box))
  assert.equal(await tab.evaluate(() => scrollY), 0)
})

it('every status has a shape beside its word and colour', async () => {
  const tab = await openTab({ width: 1280, height: 800 })
  await tab.goto(`${service.url}/dashboard/deposits`)
  const shapes = await tab.evaluate(() =>
    ['good', 'bad', 'open'].map((tone) => {
      const mark = document.querySelector('.state')?.cloneNode(true) as HTMLElement
      mark.className = `state ${tone}`
      document.querySelector('main')?.append(mark)
      const { clipPath, width, content } = getComputedStyle(mark, '::before')
      return { clipPath, isSeen: Number.parseFloat(width) > 6, content }
    }),
  )
  assert.equal(new Set(shapes.map(({ clipPath }) => clipPath)).size, 3)
  for (const { isSeen, content, clipPath } of shapes) {
    assert.ok(isSeen && clipPath.startsWith('polygon'), clipPath)
    assert.equal(content, '""')
  }
  await tab.goto(`${service.url}/dashboard/team`)
  const badge = await tab.evaluate(
    () => getComputedStyle(document.querySelector('.badge') as Element, '::before').content,
  )
  assert.equal(badge, 'none', 'what is no status has none')
})

it('a link or a fold that stands by itself in a list or a row is large enough, too', async () => {
  const tab = await openTab({ width: 1280, height: 800 })
  const { id } = await start(service, 'refund', 'COMPLETED')
  await tab.goto(`${service.url}/dashboard/refunds/${id}`)
  const related = await tab.locator('[aria-labelledby=related] a').first().boundingBox()
  assert.ok(related !== null && related.height >= 23.9, JSON.stringify(related))
  // What is rarely there: money that an operator took back, a provider in trouble, a change.
  const heights = await tab.evaluate(() => {
    const parts = [
      '<ul class="ids"><li><a href="#x">3f2b8c1e</a></li></ul>',
      '<ul class="strip"><li><a href="#x">Zambia</a> closed</li></ul>',
      '<table><tr><td><details><summary>Change</summary></details></td></tr></table>',
    ]
    return parts.map((html) => {
      const part = document.createElement('div')
      part.innerHTML = html
      document.querySelector('main')?.append(part)
      return part.querySelector('a, summary')?.getBoundingClientRect().height ?? 0
    })
  })
  assert.ok(
    heights.every((height) => height >= 23.9),
    heights.join(),
  )
})

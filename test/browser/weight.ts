import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { VIEWPORTS } from '../../harness/browser.ts'
import { form, PAYS, page, STAYS } from '../../harness/hosted.ts'
import { cookieOf } from '../../harness/sandbox-page.ts'
import { press } from '../../harness/screens.ts'
import { browser, service } from './rig.ts'

/** Bytes as they came over the wire, headers included. */
async function weigh(tab: Page): Promise<{ bytes: number; requests: number }> {
  const total = { bytes: 0, requests: 0 }
  const link = await tab.context().newCDPSession(tab)
  await link.send('Network.enable')
  await link.send('Network.setCacheDisabled', { cacheDisabled: true })
  link.on('Network.requestWillBeSent', ({ request, redirectResponse }) => {
    if (redirectResponse !== undefined) total.bytes += redirectResponse.encodedDataLength
    if (!request.url.startsWith('data:')) total.requests += 1
  })
  link.on('Network.loadingFinished', ({ encodedDataLength }) => {
    total.bytes += encodedDataLength
  })
  return total
}

it('G-1: the first document, and the whole way to the result, are light', async () => {
  const context = await browser.newContext({ viewport: VIEWPORTS.phone })
  const tab = await context.newPage()
  const total = await weigh(tab)
  const { token } = await page(service, { reason: 'Order 1042' })
  await tab.goto(`${service.url}/pay/${token}`, { waitUntil: 'networkidle' })
  assert.ok(total.bytes > 1000 && total.bytes <= 14_000, `first document: ${total.bytes} bytes`)
  assert.ok(total.requests <= 3, `${total.requests} requests`)
  await tab.locator('[name=phoneNumber]').fill(PAYS.slice(3))
  await tab.locator('[value=MTN_MOMO_ZMB]').check()
  await press(tab)
  await tab.locator('.sign.good').waitFor()
  assert.ok(total.bytes <= 30_000, `whole journey: ${total.bytes} bytes`)
  await context.close()
})

it('G-1: the sandbox is light for a page of a developer, the next one too', async () => {
  const context = await browser.newContext({ viewport: VIEWPORTS.desktop })
  const [name = '', value = ''] = (await cookieOf(service)).split('=')
  await context.addCookies([{ name, value, url: `${service.url}/sandbox` }])
  const tab = await context.newPage()
  const total = await weigh(tab)
  await tab.goto(`${service.url}/sandbox?phone=${PAYS}`, { waitUntil: 'load' })
  await tab.locator('#handset').waitFor()
  assert.ok(total.bytes > 1000 && total.bytes <= 150_000, `first load: ${total.bytes} bytes`)
  for (const path of ['shop', 'numbers']) {
    const before = total.bytes
    await tab.goto(`${service.url}/sandbox/${path}`, { waitUntil: 'load' })
    assert.ok(total.bytes - before <= 40_000, `${path}: ${total.bytes - before} bytes`)
  }
  await context.close()
})

it('G-8: nothing moves while a page comes', async () => {
  const context = await browser.newContext({ viewport: VIEWPORTS.phone })
  const tab = await context.newPage()
  const { token } = await page(service)
  await tab.goto(`${service.url}/pay/${token}`, { waitUntil: 'networkidle' })
  const shift = await tab.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        // biome-ignore lint/suspicious/noExplicitAny: runs inside the page
        const inside = globalThis as any
        const add = (entries: readonly { value: number }[]): void => {
          for (const { value } of entries) sum += value
        }
        const observer = new inside.PerformanceObserver(
          (list: { getEntries(): { value: number }[] }) => add(list.getEntries()),
        )
        observer.observe({ type: 'layout-shift', buffered: true })
        inside.requestAnimationFrame(() =>
          inside.setTimeout(() => {
            add(observer.takeRecords())
            resolve(sum)
          }, 0),
        )
      }),
  )
  assert.equal(shift, 0)
  await context.close()
})

it('G-8: what the script shows later takes no place before the script has come', async () => {
  const context = await browser.newContext({ viewport: VIEWPORTS.phone })
  const tab = await context.newPage()
  const { token, id } = await page(service)
  await service.node.hosted.payOnPage(token, form(STAYS))
  await service.reaches(id, 'PROCESSING')
  const html = await (await fetch(`${service.url}/pay/${token}`)).text()
  await tab.setContent(html.replace(/<script>.*<\/script>/s, ''))
  assert.equal(await tab.locator('details').count(), 1)
  assert.equal(await tab.locator('details').isVisible(), false)
  await context.close()
})

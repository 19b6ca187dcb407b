// Measures how soon a customer sees something over a slow network on a slow phone (G-8), and prints
// a table: npm run paint [-- C-1 C-3]. The throttling is that of the browser's DevTools.
import { buildIfNeeded } from './build.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { startTestDatabase } from './test-database.mjs'

const CPU_RATE = 6
const NETWORKS = [
  { name: '50 kbit/s, 500 ms', kbits: 50, latency: 500, barMs: 2500 },
  { name: '400 kbit/s, 400 ms', kbits: 400, latency: 400, barMs: 1200 },
]
const LONGEST_TASK_MS = 100
const TIMES = 5
/** One screen of each sort that a link opens by itself. */
const OPENED = ['C-1 details', 'C-1 choose country', 'C-3 waiting', 'C-5', 'C-6', 'C-8']
const wanted = process.argv.slice(2)

buildIfNeeded()
await ensureBrowser()
const server = await startTestDatabase()
const { startService } = await import('../dist/harness/service.js')
const { startBrowser, VIEWPORTS } = await import('../dist/harness/browser.js')
const { SCREENS } = await import('../dist/harness/screens.js')
const service = await startService()
const browser = await startBrowser()

console.log('| Screen | Network | First paint | Bar | Longest task | Shifted |')
console.log('|---|---|---|---|---|---|')
const screens = (wanted.length > 0 ? wanted : OPENED).flatMap(
  (start) => SCREENS.find(({ name }) => name.startsWith(start)) ?? [],
)
for (const { name, open } of screens) {
  for (const network of NETWORKS) {
    const looks = []
    for (let count = 0; count < TIMES; count += 1) looks.push(await look(open, network))
    const paint = median(looks.map((one) => one.paintMs))
    const task = median(looks.map((one) => one.longestMs))
    const shift = Math.max(...looks.map((one) => one.shift))
    const cells = [
      name,
      network.name,
      `${(paint / 1000).toFixed(2)} s`,
      `${network.barMs / 1000} s${paint <= network.barMs ? '' : ' (missed)'}`,
      task === 0 ? 'under 50 ms' : `${task} ms${task <= LONGEST_TASK_MS ? '' : ' (missed)'}`,
      Number(shift.toFixed(4)),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
await browser.close()
await service.stop()
await server.stop()

/** One visit with a new browser profile, to a page that was never opened before. */
async function look(open, { kbits, latency }) {
  const { visit, done } = await open(service)
  const context = await browser.newContext({ viewport: VIEWPORTS.phone })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const devTools = await context.newCDPSession(page)
  await devTools.send('Network.enable')
  const throughput = (kbits * 1000) / 8
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE })
  await visit(page, 'en')
  const seen = await page.evaluate(observe)
  await context.close()
  await done?.()
  return seen
}

/** Runs inside the page; what happened before it is buffered. */
function observe() {
  return new Promise((resolve) => {
    const seen = { paintMs: 0, longestMs: 0, shift: 0 }
    const watch = (type, note) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
        type,
        buffered: true,
      })
    watch('longtask', ({ duration }) => {
      seen.longestMs = Math.max(seen.longestMs, Math.round(duration))
    })
    watch('layout-shift', ({ value }) => {
      seen.shift += value
    })
    watch('paint', ({ name, startTime }) => {
      if (name !== 'first-contentful-paint') return
      seen.paintMs = startTime
      setTimeout(() => resolve(seen), 200)
    })
  })
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]
}

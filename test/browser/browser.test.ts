import assert from 'node:assert/strict'
import { after } from 'node:test'
import { browser, service } from './rig.ts'

/**
 * All tests in a browser, one suite after the other: they share a service and its clock.
 * MALIPO_TEST_BROWSER=paying runs only the suites that have this in their name.
 */
const SUITES = {
  'sandbox-door': () => import('./sandbox-door.ts'),
  'sandbox-phone': () => import('./sandbox-phone.ts'),
  'sandbox-controls': () => import('./sandbox-controls.ts'),
  'sandbox-pages': () => import('./sandbox-pages.ts'),
  paying: () => import('./paying.ts'),
  waiting: () => import('./waiting.ts'),
  returning: () => import('./returning.ts'),
  weight: () => import('./weight.ts'),
  screens: () => import('./screens.ts'),
}

const wanted = process.env.MALIPO_TEST_BROWSER ?? ''
const chosen = Object.entries(SUITES).filter(([name]) => name.includes(wanted))
assert.ok(chosen.length > 0, `no suite has "${wanted}" in its name`)
after(async () => {
  await browser.close()
  await service.stop()
})
for (const [, load] of chosen) await load()

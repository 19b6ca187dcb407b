import { after } from 'node:test'
import { browser, service } from './rig.ts'

/**
 * Runs suites one after the other: those of a process share a service with its clock, and a browser.
 * There are a few such processes, because a suite spends most of its time waiting for pages.
 */
export async function runSuites(suites: readonly (() => Promise<unknown>)[]): Promise<void> {
  after(async () => {
    await browser.close()
    await service.stop()
  })
  for (const load of suites) await load()
}

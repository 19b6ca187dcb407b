import { after } from 'node:test'
import { LOOKS_AT_ALL } from '../../harness/scale.ts'
import { browser, service } from './rig.ts'

type Suite = () => Promise<unknown>

type Suites = {
  /** What people do, and what comes of it. */
  readonly journeys: readonly Suite[]
  /** How pages look: sizes, contrast, weight, languages. `npm run proof -- pages` alone has them. */
  readonly looks: readonly Suite[]
  /** More of what people do, in `npm run proof -- pages` alone: in `npm test` a journey stands for it. */
  readonly moreJourneys?: readonly Suite[]
}

/**
 * Runs suites one after the other: those of a process share a service with its clock, and a browser.
 * There are a few such processes, because a suite spends most of its time waiting for pages.
 */
export async function runSuites({ journeys, moreJourneys = [], looks }: Suites): Promise<void> {
  after(async () => {
    await browser.close()
    await service.stop()
  })
  for (const load of journeys) await load()
  if (!LOOKS_AT_ALL) return
  for (const load of [...moreJourneys, ...looks]) await load()
}

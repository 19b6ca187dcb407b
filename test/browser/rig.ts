import { startBrowser } from '../../harness/browser.ts'
import { startService } from '../../harness/service.ts'

/** One service and one browser for the suites of a process: starting them takes longer than most. */
export const service = await startService()
export const browser = await startBrowser()

import { startBrowser } from '../../harness/browser.ts'
import { startService } from '../../harness/service.ts'

/** One service and one browser for all suites: starting them takes longer than most tests. */
export const service = await startService()
export const browser = await startBrowser()

import { durationText } from '../time.ts'
import { fill } from '../words.ts'
import type { Visit } from './visit.ts'
import { DASHBOARD_WORDS } from './words.ts'

/** A minute is more than clocks of machines differ. */
const CLOCKS_DIFFER_MS = 60_000

/** Where the test clock was moved, times of one page can be days apart. */
export function TestClock({ visit: { ctx, lang } }: { readonly visit: Visit }) {
  const ahead = ctx.clock.now() - ctx.clock.realNow()
  if (ahead < CLOCKS_DIFFER_MS) return null
  const by = durationText(ahead, lang)
  return <p class="note">{fill(DASHBOARD_WORDS[lang].testClock, { by })}</p>
}

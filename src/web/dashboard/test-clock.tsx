import { PAGES } from '../../domain/client-timing.ts'
import { durationText } from '../time.ts'
import { fill } from '../words.ts'
import type { Visit } from './visit.ts'
import { DASHBOARD_WORDS } from './words.ts'

/** Where the test clock was moved, times of one page can be days apart. */
export function TestClock({ visit: { ctx, lang } }: { readonly visit: Visit }) {
  const ahead = ctx.clock.now() - ctx.clock.realNow()
  if (ahead < PAGES.clocksDifferMs) return null
  const by = durationText(ahead, lang)
  return <p class="note">{fill(DASHBOARD_WORDS[lang].testClock, { by })}</p>
}

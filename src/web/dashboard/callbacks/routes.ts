import { may } from '../../../domain/people/roles.ts'
import type { Page } from '../../../http/pages.ts'
import { readCallbacks, revealCallbacks } from '../../../usecases/callbacks/history.ts'
import { startReplayAs, stopReplayAs } from '../../../usecases/callbacks/replay-as.ts'
import { resendAs } from '../../../usecases/callbacks/resend-as.ts'
import { fill } from '../../words.ts'
import { forbiddenPage, missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import { readMoment } from '../period.ts'
import type { DashboardRoute, Visit } from '../visit.ts'
import { RATES, USUAL_RATE } from './acts.tsx'
import { callbackPage, invalidState } from './detail.tsx'
import { callbackList } from './list.tsx'
import { KINDS, kindOf } from './query.ts'
import { CALLBACK_WORDS, type CallbackWords } from './words.ts'

const LIST = '/dashboard/callbacks'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const CALLBACK_ROUTES: readonly DashboardRoute[] = [
  { path: LIST, permission: 'callbacks:view', answer: callbackList },
  { path: `${LIST}/:key`, permission: 'callbacks:view', answer: (visit) => detail(visit, false) },
  {
    path: `${LIST}/:key/reveal`,
    method: 'POST',
    permission: 'pii:reveal',
    isSensitive: true,
    answer: (visit) =>
      may(visit.person.role, 'callbacks:view') ? detail(visit, true) : forbiddenPage(visit),
  },
  { path: `${LIST}/resend`, method: 'POST', permission: 'callbacks:view', answer: resend },
  { path: `${LIST}/replays`, method: 'POST', permission: 'callbacks:view', answer: replay },
  { path: `${LIST}/replays/stop`, method: 'POST', permission: 'callbacks:view', answer: stop },
]

async function detail(visit: Visit, isRevealed: boolean): Promise<Page> {
  const { ctx, person, request } = visit
  const key = (request.params.key ?? '').toLowerCase()
  if (!UUID.test(key)) return missingPage(visit)
  const found = isRevealed
    ? await revealCallbacks(ctx, person, key)
    : await readCallbacks(ctx, person, key, false)
  return found === undefined ? missingPage(visit) : callbackPage(visit, found)
}

async function resend(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const words = CALLBACK_WORDS[lang]
  const back = backFrom(request.form.get('back'))
  const kind = kindOf(request.form.get('kind') ?? '')
  const id = (request.form.get('id') ?? '').trim().slice(0, 100)
  if (kind === undefined) return goTo(visit, back, words.noKind, true)
  const resent = await resendAs(ctx, person, kind, id)
  switch (resent.result) {
    case 'NOT_FOUND': {
      const text = fill(words.notFound, { kind: words[`kind_${kind}`].toLowerCase(), id })
      return goTo(visit, back, text, true)
    }
    case 'ARCHIVED':
      return goTo(visit, back, fill(words.archived, { year: resent.year }), true)
    case 'INVALID_STATE':
      return goTo(visit, back, invalidState(visit, resent), true)
    case 'NO_ADDRESS':
      return goTo(visit, back, words.noUrl, true)
    case 'SENT':
      return goTo(visit, back, fill(words.resent, { id: resent.subject.idAsSent }))
  }
}

/** Only to a page of the dashboard. */
const backFrom = (given: string | null): string =>
  given !== null && /^\/dashboard(?:\/[\w.-]+)*$/.test(given) ? given : LIST

const PLACE = `${LIST}#replays`

async function replay(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const words = CALLBACK_WORDS[lang]
  const field = (name: string): string => (request.form.get(name) ?? '').trim()
  const fromMs = readMoment(field('since'), person.user.timeZone)
  if (fromMs === undefined) return goTo(visit, LIST, words.sinceWrong, true)
  const kind = kindOf(field('kind'))
  const start = await startReplayAs(ctx, person, {
    id: UUID.test(field('replay')) ? field('replay') : undefined,
    fromMs,
    kinds: kind === undefined ? KINDS : [kind],
    withPending: field('pending') === '1',
    perSecond: RATES.find((rate) => String(rate) === field('rate')) ?? USUAL_RATE,
  })
  switch (start.result) {
    case 'STARTED':
      return goTo(visit, PLACE, startedText(words, start.matched))
    case 'ALREADY':
      return goTo(visit, PLACE, words.replayAlready)
    case 'NOTHING':
      return goTo(visit, LIST, words.replayNothing)
    case 'ARCHIVED':
      return goTo(visit, LIST, fill(words.archived, { year: start.year }), true)
    case 'BUSY':
      return goTo(visit, PLACE, words.replayBusy, true)
  }
}

async function stop(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const words = CALLBACK_WORDS[lang]
  const id = request.form.get('replay') ?? ''
  const isStopped = UUID.test(id) && (await stopReplayAs(ctx, person, id))
  return isStopped
    ? goTo(visit, PLACE, words.stoppedReplay)
    : goTo(visit, PLACE, words.noReplay, true)
}

const startedText = (words: CallbackWords, count: number): string =>
  count === 1 ? words.replayStartedOne : fill(words.replayStarted, { count })

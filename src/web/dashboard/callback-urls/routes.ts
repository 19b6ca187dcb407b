import { CALLBACK_KINDS, type CallbackKind } from '../../../domain/accounts/merchant.ts'
import type { Page } from '../../../http/pages.ts'
import {
  type Address,
  changeAddresses,
  readAddresses,
  resumeAddress,
  testAddress,
} from '../../../usecases/callbacks/addresses-of-merchant.ts'
import { missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import type { DashboardRoute, Visit } from '../visit.ts'
import { addressesPage, addressPage, LIST, type Shown } from './pages.tsx'
import { refusalText, URL_WORDS } from './words.ts'

export const CALLBACK_URL_ROUTES: readonly DashboardRoute[] = [
  {
    path: LIST,
    permission: 'developers:manage',
    answer: async (visit) => addressesPage(visit, await readAddresses(visit.ctx, visit.person)),
  },
  {
    path: LIST,
    method: 'POST',
    permission: 'developers:manage',
    isSensitive: true,
    isForAllCountries: true,
    answer: saveAll,
  },
  {
    path: `${LIST}/:kind`,
    permission: 'developers:manage',
    answer: (visit) => ofKind(visit, (kind) => show(visit, kind)),
  },
  {
    path: `${LIST}/:kind`,
    method: 'POST',
    permission: 'developers:manage',
    isSensitive: true,
    isForAllCountries: true,
    answer: (visit) => ofKind(visit, (kind) => saveOne(visit, kind)),
  },
  {
    path: `${LIST}/:kind/resume`,
    method: 'POST',
    permission: 'developers:manage',
    isForAllCountries: true,
    answer: (visit) => ofKind(visit, (kind) => resume(visit, kind)),
  },
  {
    path: `${LIST}/:kind/test`,
    method: 'POST',
    permission: 'developers:manage',
    isForAllCountries: true,
    answer: (visit) => ofKind(visit, (kind) => sendTest(visit, kind)),
  },
]

async function ofKind(visit: Visit, then: (kind: CallbackKind) => Promise<Page>): Promise<Page> {
  const kind = CALLBACK_KINDS.find((one) => one === visit.request.params.kind)
  return kind === undefined ? missingPage(visit) : then(kind)
}

async function show(visit: Visit, kind: CallbackKind, shown?: Shown): Promise<Page> {
  const addresses = await readAddresses(visit.ctx, visit.person)
  const address = addresses.find((one) => one.kind === kind) as Address
  return addressPage(visit, address, shown)
}

const urlIn = ({ request }: Visit): string => (request.form.get('url') ?? '').trim()

async function saveAll(visit: Visit): Promise<Page> {
  const words = URL_WORDS[visit.lang]
  const url = urlIn(visit)
  const urls = new Map(CALLBACK_KINDS.map((kind) => [kind, url === '' ? undefined : url]))
  const refused = await changeAddresses(visit.ctx, visit.person, urls)
  if (refused === undefined) return goTo(visit, LIST, url === '' ? words.removed : words.saved)
  const problem = refusalText(refused.problem, words)
  return addressesPage(visit, await readAddresses(visit.ctx, visit.person), { url, problem })
}

async function saveOne(visit: Visit, kind: CallbackKind): Promise<Page> {
  const words = URL_WORDS[visit.lang]
  const url = urlIn(visit)
  const urls = new Map([[kind, url === '' ? undefined : url]])
  const refused = await changeAddresses(visit.ctx, visit.person, urls)
  if (refused === undefined) {
    return goTo(visit, `${LIST}/${kind}`, url === '' ? words.removed : words.saved)
  }
  return show(visit, kind, { refused: { url, problem: refusalText(refused.problem, words) } })
}

async function resume(visit: Visit, kind: CallbackKind): Promise<Page> {
  const words = URL_WORDS[visit.lang]
  const wasPaused = await resumeAddress(visit.ctx, visit.person, kind)
  if (!wasPaused) return goTo(visit, `${LIST}/${kind}`, words.notPaused, true)
  return goTo(visit, `${LIST}/${kind}`, words.resumed)
}

/** Answered at once, without a redirect: sending it again does no harm. */
async function sendTest(visit: Visit, kind: CallbackKind): Promise<Page> {
  const result = await testAddress(visit.ctx, visit.person, kind)
  if (result !== undefined) return show(visit, kind, { result })
  return goTo(visit, `${LIST}/${kind}`, URL_WORDS[visit.lang].testNoUrl, true)
}

import type { Page } from '../../../http/pages.ts'
import {
  changePassword,
  endOneSession,
  endOtherSessions,
  firstPasswordLink,
  setPreferences,
} from '../../../usecases/people/account.ts'
import { siteOf } from '../../../usecases/people/passkeys.ts'
import {
  type Added,
  addPasskey,
  beginAuthenticator,
  confirmAuthenticator,
  makeRecoveryCodes,
  namePasskey,
  removeAuthenticator,
  removePasskey,
  waitingKey,
} from '../../../usecases/people/second-factor.ts'
import { isConfirmed } from '../../../usecases/people/sessions.ts'
import { asLang } from '../../request.ts'
import { seeOther } from '../../response.ts'
import { forbiddenPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import type { DashboardRoute, Visit } from '../visit.ts'
import { accountPage } from './page.tsx'
import { authenticatorPage, recoveryPage } from './second-factor.tsx'
import { ACCOUNT_WORDS, type AccountWords } from './words.ts'

const PATH = '/dashboard/account'

type Answer = DashboardRoute['answer']
const form = (path: string, answer: Answer): DashboardRoute => ({
  path: PATH + path,
  method: 'POST',
  permission: 'anyone',
  answer,
})

/** How somebody signs in is theirs alone: people who came by a company's provider change none of it. */
const ofOwn =
  (answer: Answer): Answer =>
  (visit) =>
    visit.person.session.onlyMerchantId === null ? answer(visit) : forbiddenPage(visit)

const sensitive = (path: string, answer: Answer): DashboardRoute => ({
  ...form(path, ofOwn(answer)),
  isSensitive: true,
})

export const ACCOUNT_ROUTES: readonly DashboardRoute[] = [
  { path: PATH, permission: 'anyone', answer: (visit) => accountPage(visit) },
  form('/preferences', takePreferences),
  form('/password', ofOwn(takePassword)),
  sensitive('/password-link', async (visit) =>
    seeOther(`/set-password/${await firstPasswordLink(visit.ctx, visit.person)}`),
  ),
  {
    path: `${PATH}/authenticator`,
    permission: 'anyone',
    answer: ofOwn((visit) => showAuthenticator(visit)),
  },
  sensitive('/authenticator', async (visit) => {
    const isBegun = await beginAuthenticator(visit.ctx, visit.person)
    return isBegun ? goTo(visit, `${PATH}/authenticator`) : flash(visit, 'authenticatorThere', true)
  }),
  sensitive('/authenticator/confirm', takeCode),
  sensitive('/authenticator/remove', async (visit) => {
    await removeAuthenticator(visit.ctx, visit.person)
    return flash(visit, 'authenticatorRemoved')
  }),
  sensitive('/recovery-codes', async (visit) => {
    const codes = await makeRecoveryCodes(visit.ctx, visit.person)
    return codes === undefined ? flash(visit, 'recoveryNeedless', true) : recoveryPage(visit, codes)
  }),
  sensitive('/passkeys', takePasskey),
  sensitive('/passkeys/name', async (visit) => {
    const { id, name } = passkeyIn(visit, 'name')
    const isThere = await namePasskey(visit.ctx, visit.person, id, name)
    return isThere ? flash(visit, 'passkeyRenamed') : flash(visit, 'passkeyGone', true)
  }),
  sensitive('/passkeys/remove', async (visit) => {
    const isThere = await removePasskey(visit.ctx, visit.person, passkeyIn(visit, 'name').id)
    return isThere ? flash(visit, 'passkeyRemoved') : flash(visit, 'passkeyGone', true)
  }),
  form('/sessions/end', async (visit) => {
    const hash = Buffer.from(visit.request.form.get('id') ?? '', 'hex')
    const isEnded = await endOneSession(visit.ctx, visit.person, hash)
    return isEnded ? flash(visit, 'sessionEnded') : flash(visit, 'sessionGone', true)
  }),
  form('/sessions/end-others', async (visit) => {
    await endOtherSessions(visit.ctx, visit.person)
    return flash(visit, 'sessionsEnded')
  }),
]

const flash = (visit: Visit, text: keyof AccountWords, isProblem?: true): Page =>
  goTo(visit, PATH, ACCOUNT_WORDS[visit.lang][text], isProblem)

async function takePreferences(visit: Visit): Promise<Page> {
  const { form: fields } = visit.request
  const language = asLang(fields.get('language')) ?? visit.lang
  const isSaved = await setPreferences(visit.ctx, visit.person, {
    name: fields.get('name') ?? '',
    language,
    timeZone: fields.get('timeZone') ?? '',
  })
  if (!isSaved) return accountPage(visit, { text: 'notSaved', field: 'name' })
  // The address says the language, so that what the browser kept does not win over the choice.
  return goTo(visit, `${PATH}?lang=${language}`, ACCOUNT_WORDS[language].saved)
}

async function takePassword(visit: Visit): Promise<Page> {
  const { form: fields } = visit.request
  const password = fields.get('password') ?? ''
  if (password !== fields.get('again')) {
    return accountPage(visit, { text: 'DIFFERENT', field: 'password' })
  }
  const result = await changePassword(visit.ctx, visit.person, fields.get('old') ?? '', password)
  if (result === 'CHANGED') return flash(visit, 'passwordChanged')
  const field = result === 'WRONG' || result === 'WAIT' ? 'old' : 'password'
  return accountPage(visit, { text: result, field })
}

/** The key is shown only to a person who has just proved who they are. */
function showAuthenticator(visit: Visit): Page {
  const waiting = waitingKey(visit.ctx, visit.person)
  if (waiting === undefined || !isConfirmed(visit.ctx, visit.person)) return goTo(visit, PATH)
  return authenticatorPage(visit, waiting)
}

async function takeCode(visit: Visit): Promise<Page> {
  const { ctx, person, request } = visit
  const waiting = waitingKey(ctx, person)
  if (waiting === undefined) return goTo(visit, PATH)
  const result = await confirmAuthenticator(ctx, person, request.form.get('code') ?? '')
  if (result.status === 'ADDED') return added(visit, result, 'authenticatorAdded')
  return authenticatorPage(visit, waiting, { text: 'authenticatorWrong', field: 'code' })
}

async function takePasskey(visit: Visit): Promise<Page> {
  const { ctx, person, request, parts } = visit
  const site = siteOf(parts.publicUrl())
  const { name } = passkeyIn(visit, 'passkey-name')
  const answer = request.form.get('passkey') ?? ''
  const result: Added =
    site === undefined ? { status: 'WRONG' } : await addPasskey(ctx, person, { site, answer, name })
  if (result.status === 'ADDED') return added(visit, result, 'passkeyAdded')
  return flash(visit, 'passkeyWrong', true)
}

/** With the first second factor come the recovery codes. */
const added = (
  visit: Visit,
  { codes }: Extract<Added, { status: 'ADDED' }>,
  text: keyof AccountWords,
): Page => (codes.length === 0 ? flash(visit, text) : recoveryPage(visit, codes))

const NAME_MAX = 60

function passkeyIn({ request, lang }: Visit, field: string) {
  const name = (request.form.get(field) ?? '').trim().replaceAll(/[\s\p{Cc}]+/gu, ' ')
  return {
    id: request.form.get('id') ?? '',
    name: name.slice(0, NAME_MAX) || ACCOUNT_WORDS[lang].passkeyDefault,
  }
}

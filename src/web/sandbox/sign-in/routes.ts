import type { Page, PageRequest, PageRoute } from '../../../http/pages.ts'
import { isOwnOrigin, languageOf } from '../../request.ts'
import { privatePage, seeOther } from '../../response.ts'
import { endSession, keepSession, sessionIn } from '../cookies.ts'
import { numberIn, phonePath } from '../phone/address.ts'
import type { ForVisitor, SandboxParts } from '../route-parts.ts'
import { renderSignIn, type SignInProblem } from './page.tsx'

const PROBLEMS = { UNKNOWN_TOKEN: 'tokenWrong', NO_RIGHT: 'tokenNoRight' } as const

export function signInRoutes(parts: SandboxParts): PageRoute[] {
  const home = (request: PageRequest): string => phonePath(request, undefined)
  return [
    { path: '/sandbox/sign-in', render: (request) => seeOther(home(request)) },
    { path: '/sandbox/sign-in', method: 'POST', render: (request) => signIn(parts, request) },
    {
      path: '/sandbox/sign-out',
      method: 'POST',
      render: (request) => seeOther(home(request), endSession(parts.publicUrl())),
    },
    { path: '/sandbox/enter/:code', render: (request) => enter(parts, request) },
  ]
}

export const forVisitorsOf =
  ({ sandboxSessions }: SandboxParts): ForVisitor =>
  (answer, to = '/sandbox') =>
  async (request) => {
    const caller = await sandboxSessions.visitorOf(sessionIn(request))
    return caller === undefined ? askToSignIn(request, undefined, to) : answer(caller, request)
  }

/** Once signed in, the visitor is led on to `to`. */
function askToSignIn(request: PageRequest, problem: SignInProblem | undefined, to = ''): Page {
  const page = renderSignIn(languageOf(request), safeTarget(to), problem)
  return privatePage(page, problem === undefined ? 200 : 401)
}

/** Nowhere else than into the sandbox. */
const safeTarget = (to: string): string =>
  ['/sandbox/shop', '/sandbox/numbers', '/sandbox/mail'].includes(to) ? to : '/sandbox'

async function signIn(
  { sandboxSessions, publicUrl }: SandboxParts,
  request: PageRequest,
): Promise<Page> {
  const to = request.form.get('to') ?? ''
  const token = request.form.get('token')?.trim() ?? ''
  if (!isOwnOrigin(publicUrl(), request)) return askToSignIn(request, undefined, to)
  if (token === '') return askToSignIn(request, 'tokenMissing', to)
  const result = await sandboxSessions.signIn(token)
  if (result.status !== 'IN') return askToSignIn(request, PROBLEMS[result.status], to)
  const location = `${safeTarget(to)}?lang=${languageOf(request)}`
  return seeOther(location, keepSession(publicUrl(), result.session))
}

/** The link printed at the start, or one for another device: it works once, for the first visitor. */
async function enter(
  { sandboxSessions, publicUrl }: SandboxParts,
  request: PageRequest,
): Promise<Page> {
  // Programs that preview links ask like this, and would leave none for the person.
  if (request.method === 'HEAD') return askToSignIn(request, undefined)
  const session = await sandboxSessions.enter(request.params.code ?? '')
  if (session === undefined) return askToSignIn(request, 'linkUsed')
  const location = phonePath(request, numberIn(request.query.phone))
  return seeOther(location, keepSession(publicUrl(), session))
}

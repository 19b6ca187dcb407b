/** The second step of signing in: what is asked for, and codes by mail. */
import type { Page, PageRequest } from '../../../http/pages.ts'
import { passkeyRequest, siteOf } from '../../../usecases/people/passkeys.ts'
import { hasSecondFactor, secondFactorPurpose } from '../../../usecases/people/proofs.ts'
import { halfSignedIn, type MailedCode, mailAgain } from '../../../usecases/people/sign-in.ts'
import { isOwnOrigin } from '../../request.ts'
import { privatePage, seeOther } from '../../response.ts'
import { sessionIn } from '../cookies.ts'
import { codeMail } from '../mails.ts'
import type { DashboardParts } from '../visit.ts'
import { type CodeView, renderCode } from './code-page.tsx'
import { langOf, safeNext } from './request.ts'

/** Somebody with a passkey can use it there. */
export async function codePage(
  parts: DashboardParts,
  request: PageRequest,
  view: Omit<CodeView, 'lang' | 'passkey' | 'mailed'>,
  status = 200,
): Promise<Page> {
  const { ctx } = parts
  const site = siteOf(parts.publicUrl())
  const user = await halfSignedIn(ctx, sessionIn(parts.publicUrl(), request))
  const passkey =
    site === undefined || user === undefined || user.passkeys === 0
      ? undefined
      : await passkeyRequest(ctx, site, secondFactorPurpose(user.userId), user)
  const mailed =
    user === undefined || hasSecondFactor(user)
      ? undefined
      : { email: user.email, isKept: ctx.people.mailer.way === 'KEPT' }
  return privatePage(renderCode({ ...view, lang: langOf(parts, request), passkey, mailed }), status)
}

export const codeAddress = (next: string, more: Readonly<Record<string, string>> = {}): string =>
  `/sign-in?${new URLSearchParams({ next, ...more })}`

export function sendCode(
  parts: DashboardParts,
  request: PageRequest,
  { user, code }: MailedCode,
): void {
  const lang = user.language ?? langOf(parts, request)
  const link = `${parts.publicUrl()}/sign-in/forgotten`
  parts.ctx.people.mailer.send(() => codeMail(lang, user.email, { code, link }))
}

export async function takeAgain(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const publicUrl = parts.publicUrl()
  const next = safeNext(request.form.get('next'))
  if (!isOwnOrigin(publicUrl, request)) return seeOther('/sign-in')
  const result = await mailAgain(parts.ctx, sessionIn(publicUrl, request))
  if (result.status === 'WAIT') {
    return codePage(parts, request, { next, waitSeconds: result.seconds }, 429)
  }
  if (result.status === 'NOBODY') return seeOther(codeAddress(next))
  sendCode(parts, request, result.mailed)
  return seeOther(codeAddress(next, { notice: 'codeSent' }))
}

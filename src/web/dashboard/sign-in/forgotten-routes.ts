import type { Page, PageRequest, PageRoute } from '../../../http/pages.ts'
import { forgottenLink } from '../../../usecases/people/forgotten.ts'
import { passwordUrl } from '../../../usecases/people/manage-users.ts'
import { isOwnOrigin } from '../../request.ts'
import { privatePage, seeOther } from '../../response.ts'
import { resetMail } from '../mails.ts'
import type { DashboardParts } from '../visit.ts'
import { renderForgotten } from './more-pages.tsx'
import { langOf, originOf } from './request.ts'

export function forgottenRoutes(parts: DashboardParts): PageRoute[] {
  const path = '/sign-in/forgotten'
  const { mailer } = parts.ctx.people
  const show = (request: PageRequest): Page =>
    privatePage(renderForgotten(langOf(parts, request), mailer.way !== 'NONE'))
  return [
    { path, render: show },
    {
      path,
      method: 'POST',
      render: (request) => {
        if (!isOwnOrigin(parts.publicUrl(), request)) return seeOther(path)
        if (mailer.way === 'NONE') return show(request)
        sendLink(parts, request)
        return seeOther(`/sign-in?${new URLSearchParams({ notice: 'linkSent' })}`)
      },
    },
  ]
}

/** Everything behind the answer, which comes as fast for people who do not exist. */
function sendLink(parts: DashboardParts, request: PageRequest): void {
  const { ctx } = parts
  const email = request.form.get('email') ?? ''
  const origin = originOf(parts, request)
  const lang = langOf(parts, request)
  ctx.people.mailer.send(async () => {
    const found = await forgottenLink(ctx, email, origin)
    if (found === undefined) return undefined
    const { user, code } = found
    return resetMail(user.language ?? lang, user.email, passwordUrl(parts.publicUrl(), code))
  })
}

import type { PageRoute } from '../../../http/pages.ts'
import { keptMailOf } from '../../../usecases/sandbox/kept-mail.ts'
import { languageOf } from '../../request.ts'
import { privatePage } from '../../response.ts'
import type { ForVisitor, SandboxParts } from '../route-parts.ts'
import { renderMails } from './page.tsx'

export function mailRoutes({ ctx }: SandboxParts, forVisitor: ForVisitor): PageRoute[] {
  const path = '/sandbox/mail'
  return [
    {
      path,
      render: forVisitor(async ({ merchant }, request) => {
        const mails = await keptMailOf(ctx, merchant.id)
        return privatePage(renderMails(languageOf(request), mails))
      }, path),
    },
  ]
}

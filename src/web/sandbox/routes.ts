import type { PageRoute } from '../../http/pages.ts'
import { languageOf } from '../request.ts'
import { privatePage } from '../response.ts'
import { mailRoutes } from './mail/routes.ts'
import { numberRoutes } from './numbers/routes.ts'
import { renderTrouble } from './parts.tsx'
import { phoneRoutes } from './phone/routes.ts'
import type { SandboxParts } from './route-parts.ts'
import { shopRoutes } from './shop/routes.ts'
import { forVisitorsOf, signInRoutes } from './sign-in/routes.ts'
import { walletRoutes } from './wallet/routes.ts'

/** The sandbox in a browser. In production none of these paths exists. */
export function sandboxPageRoutes(parts: SandboxParts): PageRoute[] {
  const forVisitor = forVisitorsOf(parts)
  const routes = [
    ...signInRoutes(parts),
    ...phoneRoutes(parts, forVisitor),
    ...numberRoutes(parts, forVisitor),
    ...shopRoutes(parts, forVisitor),
    ...mailRoutes(parts, forVisitor),
  ]
  return [
    ...routes.map((route) => ({ ...route, render: safely(parts, route.render) })),
    ...walletRoutes(parts.ctx),
  ]
}

/** People get a page also when something is broken. */
function safely({ log }: SandboxParts, render: PageRoute['render']): PageRoute['render'] {
  return async (request) => {
    try {
      return await render(request)
    } catch (err) {
      log.error({ err }, 'a page of the sandbox failed')
      return privatePage(renderTrouble(languageOf(request)), 500)
    }
  }
}

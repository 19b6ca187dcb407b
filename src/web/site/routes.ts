import type { PageRoute } from '../../http/pages.ts'
import type { Context } from '../../usecases/context.ts'
import type { Page } from '../page.tsx'
import { languageOf } from '../request.ts'
import { publicPage } from '../response.ts'
import type { Lang } from '../words.ts'
import { renderHome } from './home.tsx'
import { pictureRoutes } from './pictures.ts'

export type SiteParts = {
  readonly ctx: Context
  readonly version: string
  /** Holds the pictures that the active configuration names. */
  readonly catalogFolder: string
  readonly publicUrl: () => string
  readonly isReady: () => boolean
  /** How many payments and callbacks wait to be worked on. */
  readonly waiting: () => { readonly payments: number; readonly callbacks: number }
}

export const siteRoutes = (parts: SiteParts): PageRoute[] => [
  { path: '/', render: (request) => publicPage(home(parts, languageOf(request))) },
  ...pictureRoutes(parts.ctx.providers.catalog.all, parts.catalogFolder),
]

function home({ ctx, version, publicUrl, isReady, waiting }: SiteParts, lang: Lang): Page {
  const info = {
    baseUrl: publicUrl(),
    environment: ctx.environment,
    version,
    readAt: new Date(ctx.clock.realNow()).toISOString(),
    database: isReady()
      ? {
          isReachable: true as const,
          waitingPayments: waiting().payments,
          waitingCallbacks: waiting().callbacks,
        }
      : { isReachable: false as const },
    hasOperator: ctx.providers.hasOperator(),
    clockOffsetSeconds: ctx.clock.offsetMs() / 1000,
  }
  return renderHome(info, lang)
}

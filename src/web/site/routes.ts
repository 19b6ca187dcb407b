import type { PageRoute } from '../../http/app.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { openApiDocument } from '../../http/openapi.ts'
import { VERSION } from '../../package-root.ts'
import type { SandboxContext } from '../../usecases/sandbox/context.ts'
import type { Workers } from '../../workers/workers.ts'
import { languageOf } from '../language.ts'
import type { Page } from '../page.tsx'
import { introduction } from '../reference/introduction.ts'
import type { OpenApiDocument } from '../reference/openapi.ts'
import { renderReference } from '../reference/reference.tsx'
import { walletRoutes } from '../sandbox/wallet-routes.ts'
import type { Lang } from '../words.ts'
import { renderHome } from './home.tsx'
import { pictureRoutes } from './pictures.ts'

/** The pages for people, and the reference as data. Rendered once where they do not change. */
export type PageParts = {
  readonly ctx: SandboxContext
  readonly workers: Workers
  readonly endpoints: readonly Endpoint[]
  readonly publicUrl: () => string
  readonly isReady: () => boolean
}

export function pageRoutes(parts: PageParts): PageRoute[] {
  const { ctx, endpoints, publicUrl } = parts
  const document = once(() =>
    openApiDocument(endpoints, {
      version: VERSION,
      baseUrl: publicUrl(),
      introduction: introduction(ctx.environment, ctx.providers.catalog),
    }),
  )
  const text = once(() => JSON.stringify(document()))
  const reference: Readonly<Record<Lang, () => Page>> = {
    en: once(() => renderReference(document() as unknown as OpenApiDocument, 'en')),
    fr: once(() => renderReference(document() as unknown as OpenApiDocument, 'fr')),
  }
  return [
    { path: '/', render: (request) => answer(home(parts, languageOf(request))) },
    { path: '/docs', render: (request) => answer(reference[languageOf(request)]()) },
    {
      path: '/openapi.json',
      render: () => ({ headers: { 'content-type': 'application/json' }, body: text() }),
    },
    ...pictureRoutes(ctx.providers.catalog.all),
    ...(ctx.environment === 'sandbox' ? walletRoutes(ctx) : []),
  ]
}

function home({ ctx, workers, publicUrl, isReady }: PageParts, lang: Lang): Page {
  const info = {
    baseUrl: publicUrl(),
    environment: ctx.environment,
    version: VERSION,
    readAt: new Date(ctx.clock.realNow()).toISOString(),
    database: isReady()
      ? {
          isReachable: true as const,
          waitingPayments: workers.payments.waiting(),
          waitingCallbacks: workers.callbacks.waiting(),
        }
      : { isReachable: false as const },
    clockOffsetSeconds: ctx.clock.offsetMs() / 1000,
  }
  return renderHome(info, lang)
}

const answer = ({ html, headers }: Page) => ({ headers, body: html })

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

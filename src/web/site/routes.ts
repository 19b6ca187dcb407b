import type { PageRoute } from '../../http/app.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { openApiDocument } from '../../http/openapi.ts'
import type { Context } from '../../usecases/context.ts'
import { languageOf } from '../language.ts'
import type { Page } from '../page.tsx'
import { introduction } from '../reference/introduction.ts'
import type { OpenApiDocument } from '../reference/openapi.ts'
import { renderReference } from '../reference/page.tsx'
import type { Lang } from '../words.ts'
import { renderHome } from './home.tsx'
import { pictureRoutes } from './pictures.ts'

/** The pages for people, and the reference as data. Rendered once where they do not change. */
export type PageParts = {
  readonly ctx: Context
  readonly version: string
  /** Holds the pictures that the active configuration names. */
  readonly catalogFolder: string
  readonly endpoints: readonly Endpoint[]
  readonly publicUrl: () => string
  readonly isReady: () => boolean
  /** How many payments and callbacks wait to be worked on. */
  readonly waiting: () => { readonly payments: number; readonly callbacks: number }
}

export function pageRoutes(parts: PageParts): PageRoute[] {
  const { ctx, version, endpoints, publicUrl } = parts
  const document = once(() =>
    openApiDocument(endpoints, {
      version,
      baseUrl: publicUrl(),
      introduction: introduction(ctx.environment, ctx.providers.catalog.all),
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
    ...pictureRoutes(ctx.providers.catalog.all, parts.catalogFolder),
  ]
}

function home({ ctx, version, publicUrl, isReady, waiting }: PageParts, lang: Lang): Page {
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

import type { PageRoute } from '../../http/app.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { openApiDocument } from '../../http/openapi.ts'
import type { Context } from '../../usecases/context.ts'
import { once } from '../once.ts'
import type { Page } from '../page.tsx'
import { languageOf } from '../request.ts'
import { publicPage } from '../response.ts'
import type { Lang } from '../words.ts'
import { introduction } from './introduction.ts'
import type { OpenApiDocument } from './openapi.ts'
import { renderReference } from './page.tsx'

export type ReferenceParts = {
  readonly ctx: Context
  readonly version: string
  readonly endpoints: readonly Endpoint[]
  readonly publicUrl: () => string
}

/** The reference for people and as data. The same for every visitor, so it is made once. */
export function referenceRoutes({
  ctx,
  version,
  endpoints,
  publicUrl,
}: ReferenceParts): PageRoute[] {
  const document = once(() =>
    openApiDocument(endpoints, {
      version,
      baseUrl: publicUrl(),
      introduction: introduction(ctx.environment, ctx.providers.catalog.all),
    }),
  )
  const page = (lang: Lang): (() => Page) =>
    once(() => renderReference(document() as unknown as OpenApiDocument, lang))
  const pages: Readonly<Record<Lang, () => Page>> = { en: page('en'), fr: page('fr') }
  const text = once(() => JSON.stringify(document()))
  return [
    { path: '/docs', render: (request) => publicPage(pages[languageOf(request)]()) },
    {
      path: '/openapi.json',
      render: () => ({ headers: { 'content-type': 'application/json' }, body: text() }),
    },
  ]
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPageQueue } from '../../http/admission-control.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { openApiDocument } from '../../http/openapi.ts'
import type { Page, PageRequest, PageRoute, StrayPage } from '../../http/pages.ts'
import type { Context } from '../../usecases/context.ts'
import { kept } from '../kept.ts'
import { once } from '../once.ts'
import type { Page as Rendered } from '../page.tsx'
import { BASICS_PAGE, DOCS, groupPath, SEARCH_PATH } from './anchors.ts'
import { renderBasics, renderGroup } from './group.tsx'
import { readLibrary } from './guides/library.ts'
import { guidePath, PICTURES_PATH } from './guides/links.ts'
import { renderGuide } from './guides/page.tsx'
import { introduction } from './introduction.ts'
import { renderMissing } from './missing.tsx'
import type { OpenApiDocument } from './openapi.ts'
import { renderOverview } from './overview.tsx'
import { type Reading, readingOf } from './reading.ts'
import { entriesOf } from './search/entries.ts'
import { finder } from './search/find.ts'
import { QUERY_MAX } from './search/form.tsx'
import { renderSearch } from './search/page.tsx'

export type ReferenceParts = {
  readonly ctx: Context
  readonly version: string
  readonly endpoints: readonly Endpoint[]
  /** Holds the guides as Markdown. */
  readonly guidesFolder: string
  readonly publicUrl: () => string
}

type Reference = {
  readonly routes: readonly PageRoute[]
  /** For people who follow a link into the documentation that leads nowhere. */
  readonly strayPage: StrayPage
}

/** The reference for people and as data, and the guides. Each page is made when first asked for. */
export function createReference(parts: ReferenceParts): Reference {
  const document = once(() => documentOf(parts))
  const reading = once(() =>
    readingOf(document() as unknown as OpenApiDocument, readLibrary(parts.guidesFolder)),
  )
  const page = (render: (reading: Reading) => Rendered) =>
    kept(() => {
      const { html, headers } = render(reading())
      return { headers, body: html }
    })
  const missing = page(renderMissing)
  const notFound = (request: PageRequest): Page => {
    const answer = missing({ ...request, headers: {} })
    return { ...answer, status: 404, headers: { ...answer.headers, 'cache-control': 'no-store' } }
  }
  const pages = once(() => pagesOf(reading(), page, parts.guidesFolder))
  const byPath = (path: string) => (request: PageRequest) =>
    (pages().get(path) ?? notFound)(request)
  const find = once(() => finder(entriesOf(reading())))
  const inTurn = createPageQueue()
  const text = kept(() => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document()),
  }))
  return {
    routes: [
      { path: DOCS, render: byPath(DOCS) },
      { path: groupPath(':group'), render: (one) => byPath(groupPath(param(one, 'group')))(one) },
      { path: guidePath(':name'), render: (one) => byPath(guidePath(param(one, 'name')))(one) },
      {
        path: guidePath(':name/:page'),
        render: (one) => byPath(guidePath(`${param(one, 'name')}/${param(one, 'page')}`))(one),
      },
      {
        path: `${PICTURES_PATH}/:folder/:file`,
        render: (one) =>
          byPath(`${PICTURES_PATH}/${param(one, 'folder')}/${param(one, 'file')}`)(one),
      },
      {
        path: SEARCH_PATH,
        render: ({ query }) =>
          inTurn(() => {
            const asked = typeof query.q === 'string' ? query.q.trim().slice(0, QUERY_MAX) : ''
            const { html, headers } = renderSearch(reading(), asked, find()(asked))
            return { headers: { ...headers, 'x-robots-tag': 'noindex' }, body: html }
          }),
      },
      { path: '/openapi.json', render: text },
    ],
    strayPage: (path, status, request) =>
      status === 404 && path.startsWith(`${DOCS}/`) ? notFound(request) : undefined,
  }
}

function documentOf({ ctx, version, endpoints, publicUrl }: ReferenceParts): object {
  return openApiDocument(endpoints, {
    version,
    baseUrl: publicUrl(),
    introduction: introduction(ctx.environment, ctx.providers.catalog.all),
  })
}

const param = ({ params }: PageRequest, name: string): string => params[name] ?? ''

type Render = (request: PageRequest) => Page
type Keep = (render: (reading: Reading) => Rendered) => Render

/** Every page and picture by its address. */
function pagesOf(reading: Reading, page: Keep, folder: string): ReadonlyMap<string, Render> {
  const { outline, library } = reading
  return new Map<string, Render>([
    [DOCS, page(renderOverview)],
    [groupPath(BASICS_PAGE), page(renderBasics)],
    ...outline.groups.map((group): [string, Render] => [
      group.path,
      page((one) => renderGroup(one, group)),
    ]),
    ...[...library.guides.values()].map((guide): [string, Render] => [
      guide.path,
      page((one) => renderGuide(one, guide)),
    ]),
    ...[...library.pictures].map((name): [string, Render] => [
      `${PICTURES_PATH}/${name}`,
      kept(() => ({ headers: pictureHeaders(name), body: readFileSync(join(folder, name)) })),
    ]),
  ])
}

const pictureHeaders = (name: string) => ({
  'content-type': name.endsWith('.svg') ? 'image/svg+xml' : 'image/png',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
})

import type { OpenApiDocument } from '../../src/web/openapi.ts'
import { exampleOf } from '../../src/web/schema-example.ts'

/** One thing that can be called, with what a good call of it looks like. */
export type Target = {
  readonly method: string
  /** With `{name}` for a parameter. */
  readonly path: string
  readonly generation: 'current' | 'earlier' | 'page'
  readonly body?: unknown
  readonly query: readonly string[]
  /** Starts something that is stored when the answer says ACCEPTED, or 201. */
  readonly starts: boolean
  /** Changes settings: called as a merchant of its own, so that the others go on. */
  readonly isControl: boolean
}

/** Pages and what is left out of the reference. */
const PAGES = [
  ...['/', '/livez', '/readyz', '/metrics', '/openapi.json', '/docs', '/statements/{id}/{token}'],
  ...['/pay/{token}', '/pay/{token}/status', '/pay/{token}/provider', '/checkout/{token}'],
  ...['/checkout/{token}/status', '/checkout/{token}/provider', '/sandbox', '/sandbox/shop'],
  ...['/sandbox/enter/{token}', '/sandbox/live/{token}', '/sandbox/wallet/{token}'],
]
const FORMS = [
  ...['/pay/{token}', '/checkout/{token}', '/sandbox/sign-in', '/sandbox/sign-out'],
  ...['/sandbox/acts', '/sandbox/shop', '/sandbox/wallet/{token}/approve'],
]

// biome-ignore lint/suspicious/noExplicitAny: the document is read freely
type Json = any

export function targetsOf(document: OpenApiDocument): readonly Target[] {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Json).map(([method, operation]) =>
      targetOf(document, method.toUpperCase(), path, operation),
    ),
  )
  const page =
    (method: string) =>
    (path: string): Target => ({
      method,
      path,
      generation: 'page',
      query: ['lang'],
      starts: false,
      isControl: false,
    })
  return [...operations, ...PAGES.map(page('GET')), ...FORMS.map(page('POST'))]
}

function targetOf(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: Json,
): Target {
  const media = operation.requestBody?.content?.['application/json']
  const named = Object.values<Json>(media?.examples ?? {})[0]?.value
  const body =
    media === undefined ? undefined : (media.example ?? named ?? exampleOf(document, media.schema))
  const isCurrent = /^\/(v2|sandbox|callbacks)\b/.test(path)
  return {
    method,
    path,
    generation: isCurrent ? 'current' : 'earlier',
    ...(body === undefined ? {} : { body }),
    query: operation.parameters
      .filter((one: Json) => one.in === 'query')
      .map((one: Json) => one.name),
    starts:
      method === 'POST' && body !== undefined && !/sandbox|resend|fail|expire|predict/.test(path),
    isControl: path.startsWith('/sandbox'),
  }
}

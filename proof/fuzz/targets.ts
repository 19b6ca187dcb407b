import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import type { OpenApiDocument } from '../../src/web/reference/openapi.ts'
import { exampleOf } from '../../src/web/reference/schema-example.ts'
import { ALIASES, PAGES, type PageTarget, picturePaths } from './routes.ts'

/** One thing that can be called, and what a good call looks like. */
export type Target = {
  readonly method: string
  /** With `{name}` for a parameter. */
  readonly path: string
  readonly generation: 'current' | 'earlier' | 'page'
  readonly body?: unknown
  readonly query: readonly string[]
  /** Starts something that is stored when the answer says ACCEPTED, or 201. */
  readonly starts: boolean
  /** Changes settings: called as a separate merchant, so that the others are not disturbed. */
  readonly isControl: boolean
  readonly needsSession: boolean
  /** One of many of its kind. */
  readonly isPicture: boolean
}

export const nameOf = ({ method, path }: Pick<Target, 'method' | 'path'>): string =>
  `${method} ${path}`

// biome-ignore lint/suspicious/noExplicitAny: the document is read freely
type Json = any

/** Every route of a node: the operations of the reference, and what is left out of it. */
export function targetsOf(document: OpenApiDocument): readonly Target[] {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Json).map(([method, operation]) =>
      targetOf(document, method.toUpperCase(), path, operation),
    ),
  )
  const pictures = picturePaths(readCatalog(CATALOG_FILE).all)
  return [
    ...operations,
    ...ALIASES.map(({ call, of }) => aliasOf(operations, call, of)),
    ...PAGES.map(pageOf),
    ...pictures.map((path) => ({ ...pageOf({ method: 'GET', path }), isPicture: true })),
  ]
}

/** With another method it may be a call that changes settings, which its caller may do. */
export const askedWith = (target: Target, method: string): Target => ({
  ...target,
  isControl: target.isControl || (isSandbox(target.path) && method !== target.method),
})

const isSandbox = (path: string): boolean => path.startsWith('/sandbox')

const pageOf = ({ method, path, query, needsSession, isControl }: PageTarget): Target => ({
  method,
  path,
  generation: 'page',
  query: query ?? [],
  starts: false,
  isControl: isControl === true,
  needsSession: needsSession === true,
  isPicture: false,
})

function aliasOf(operations: readonly Target[], call: string, of: string): Target {
  const original = operations.find((one) => nameOf(one) === of)
  if (original === undefined) throw new Error(`there is no ${of} in the reference`)
  const [method = '', path = ''] = call.split(' ')
  return { ...original, method, path }
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
  const isCurrent = /^\/(v2|sandbox|callbacks|payments)\b/.test(path)
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
    isControl: isSandbox(path) && method !== 'GET',
    needsSession: false,
    isPicture: false,
  }
}

import type { OpenApiDocument, Operation, Schema } from '../../src/web/reference/openapi.ts'

/** An operation of the document with its place in it. */
export type Placed = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly operation: Operation
}

/** The operations that programs of today use, in the order of the document. */
export function operationsOf(document: OpenApiDocument): readonly Placed[] {
  return Object.entries(document.paths ?? {})
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        id: (operation as Operation).operationId ?? '',
        method: method.toUpperCase(),
        path,
        tag: (operation as Operation).tags?.[0] ?? '',
        operation: operation as Operation,
      })),
    )
    .filter(({ operation }) => operation.deprecated !== true)
}

export const bodySchema = ({ operation }: Placed): Schema | undefined =>
  operation.requestBody?.content?.['application/json']?.schema

/** What is answered when the call is taken: 200, and 201 where something can be made. */
export const answerSchemas = ({ operation }: Placed): readonly Schema[] =>
  ['200', '201'].flatMap((status) => {
    const schema = operation.responses?.[status]?.content?.['application/json']?.schema
    return schema === undefined ? [] : [schema]
  })

/** Names of schemas below one, in the order in which they occur. */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' ? [nameOf(String(inner))] : namesIn(inner),
  )
}

export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

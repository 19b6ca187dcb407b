/** The responses of an operation with their references followed. */
import { mediaOf, type Response, resolve, type Schema } from './openapi.ts'
import type { OperationEntry } from './outline.ts'
import type { Reading } from './reading.ts'
import { examplesOf, type NamedExample } from './schema-example.ts'

export type Answer = {
  readonly status: string
  readonly response: Response
  readonly schema: Schema | undefined
  readonly examples: readonly NamedExample[]
}

/** The response a reader wants to see first; its first example is shown beside the request. */
export function firstSuccess(reading: Reading, entry: OperationEntry): Answer | undefined {
  return answersOf(reading, entry).find((answer) => answer.status.startsWith('2'))
}

export function answersOf({ document }: Reading, { operation }: OperationEntry): readonly Answer[] {
  return Object.entries(operation.responses ?? {}).map(([status, given]) => {
    const response = resolve(document.components?.responses, given)
    const media = mediaOf(response.content)?.media
    const examples = media === undefined ? [] : examplesOf(document, media)
    return { status, response, schema: media?.schema, examples }
  })
}

import Type, { type TSchema } from 'typebox'
import { invalidBody, RequestFault } from './fault.ts'

/** Several requests in one call. One broken entry refuses the call; rules judge each by itself. */
const MOST = 20

export type Bulk<Request> = {
  readonly request: TSchema
  readonly answer: TSchema
  read(body: unknown): readonly Request[]
}

export function bulkOf<Request>(
  request: TSchema,
  answer: TSchema,
  what: string,
  readOne: (body: unknown) => Request,
): Bulk<Request> {
  return {
    request: Type.Array(request, {
      minItems: 1,
      maxItems: MOST,
      description: `1 to ${MOST} ${what}`,
    }),
    answer: Type.Array(answer, { description: 'one answer for each entry, in their order' }),
    read: (body) => {
      if (!Array.isArray(body)) throw invalidBody(`it must be an array of ${what}`)
      if (body.length < 1 || body.length > MOST) {
        throw invalidBody(`it takes 1 to ${MOST} ${what}, and has ${body.length}`)
      }
      return body.map((entry, index) => readEntry(entry, index, readOne))
    },
  }
}

function readEntry<Request>(
  entry: unknown,
  index: number,
  readOne: (body: unknown) => Request,
): Request {
  try {
    return readOne(entry)
  } catch (error) {
    throw error instanceof RequestFault ? error.inside(`[${index}]`) : error
  }
}

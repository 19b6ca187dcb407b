import { invalidBody, RequestFault } from './fault.ts'
import { type TSchema, Type } from './schema.ts'

/** Several requests in one call. One broken entry refuses the call; rules judge each by itself. */
const MOST = 20

type Bulk<Request, Rest extends readonly unknown[]> = {
  readonly request: TSchema
  readonly answer: TSchema
  read(body: unknown, ...rest: Rest): readonly Request[]
}

export function bulkOf<Request, Rest extends readonly unknown[]>(
  request: TSchema,
  answer: TSchema,
  what: string,
  readOne: (body: unknown, ...rest: Rest) => Request,
): Bulk<Request, Rest> {
  return {
    request: Type.Array(request, {
      minItems: 1,
      maxItems: MOST,
      description: `1 to ${MOST} ${what}`,
    }),
    answer: Type.Array(answer, { description: 'one answer for each entry, in their order' }),
    read: (body, ...rest) => {
      if (!Array.isArray(body)) throw invalidBody(`it must be an array of ${what}`)
      if (body.length < 1 || body.length > MOST) {
        throw invalidBody(`it takes 1 to ${MOST} ${what}, and has ${body.length}`)
      }
      return body.map((entry, index) => readEntry(index, () => readOne(entry, ...rest)))
    },
  }
}

function readEntry<Request>(index: number, read: () => Request): Request {
  try {
    return read()
  } catch (error) {
    throw error instanceof RequestFault ? error.inside(`[${index}]`) : error
  }
}

import { present } from '../domain/present.ts'
import type { Log } from '../usecases/context.ts'
import { addressRanges, clientAddress } from '../usecases/operators/address-ranges.ts'
import type { OperatorContext } from '../usecases/operators/context.ts'
import { receiveCallback } from '../usecases/operators/receive-callback.ts'
import { OPERATOR_BODY_LIMIT } from './bodies.ts'
import type { Arriving, Page, PageRequest, PageRoute } from './pages.ts'

/**
 * Where operators report what became of orders: `/operators/<account>/<secret>`, and below it the
 * order. For a name that does not exist, a wrong secret or a stranger's address there is nothing here.
 */
export function operatorCallbackRoutes(
  ctx: OperatorContext,
  log: Log,
  trustedProxies: readonly string[],
): PageRoute[] {
  const proxies = addressRanges(trustedProxies)
  const accountOf = ({ params, headers, remoteAddress }: Arriving) => {
    const found = ctx.operators.byAddress(params.account ?? '', params.secret ?? '')
    const sources = found?.account.callbackSources ?? []
    if (sources.length === 0) return found
    // Of several headers of this name, node makes one list.
    const forwardedFor = headers['x-forwarded-for']?.toString()
    const from = clientAddress(proxies, remoteAddress, forwardedFor)
    return addressRanges(sources).has(from) ? found : undefined
  }
  const render = async (request: PageRequest): Promise<Page> => {
    const account = accountOf(request)
    // It was removed while its body came in.
    if (account === undefined) return answer(404, undefined)
    const { method, headers, raw, params } = request
    const received = { account, method, headers, raw, ...present({ reference: params.reference }) }
    const { status, body } = await receiveCallback(ctx, log, received)
    return answer(status, body)
  }
  const exists: PageRoute['exists'] = (request) => accountOf(request) !== undefined
  const paths = ['/operators/:account/:secret', '/operators/:account/:secret/:reference']
  return paths.flatMap((path) =>
    (['POST', 'PUT'] as const).map((method) => ({
      method,
      path,
      render,
      exists,
      bodyLimit: OPERATOR_BODY_LIMIT,
    })),
  )
}

const answer = (status: number, body: unknown): Page => ({
  status,
  headers: body === undefined ? {} : { 'content-type': 'application/json' },
  body: body === undefined ? '' : JSON.stringify(body),
})

/** How many payments of a list have come since the newest that the page shows. */
import { PassThrough } from 'node:stream'
import type { Page } from '../../../http/pages.ts'
import { countNewer } from '../../../usecases/payments/browse-payments.ts'
import { privateEvents, privateJson } from '../../response.ts'
import { paymentFilter, readList } from '../lists/filter.ts'
import type { ListShape } from '../lists/shape.ts'
import type { Visit } from '../visit.ts'

function sinceIn({ request }: Visit): string | undefined {
  const { since } = request.query
  return typeof since === 'string' && UUID.test(since) ? since : undefined
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** For browsers and proxies that know no events: asked now and then. */
export async function newerCount(visit: Visit, shape: ListShape): Promise<Page> {
  const since = sinceIn(visit)
  const filter = paymentFilter(readList(visit, shape))
  const count = since === undefined ? 0 : await countNewer(visit.ctx, filter, since)
  return privateJson({ count })
}

/** Goes on until the page is left. 204 tells the browser not to try again. */
export function newerEvents(visit: Visit, shape: ListShape): Page {
  const { ctx, person, request } = visit
  const since = sinceIn(visit)
  if (since === undefined || request.method === 'HEAD') return privateEvents(undefined)
  const body = new PassThrough()
  const leave = ctx.arrivals.watch({
    filter: paymentFilter(readList(visit, shape)),
    since,
    session: person.session.hash,
    tell: (count) => {
      // It may have ended in the same round.
      if (body.writableEnded || body.destroyed) return
      const text = count === undefined ? ':\n\n' : `data: ${JSON.stringify({ count })}\n\n`
      // A browser that does not take so little is not there any more.
      if (!body.write(text)) body.destroy()
    },
    end: () => body.end(),
  })
  if (leave === undefined) return privateEvents(undefined)
  body.on('close', leave)
  body.on('error', leave)
  // Headers leave with the first bytes; a browser that lost its node comes back after this time.
  body.write('retry: 3000\n\n')
  return privateEvents(body)
}

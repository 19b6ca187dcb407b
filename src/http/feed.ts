import { SUBJECT_WORDS } from '../domain/callbacks/callback-subject.ts'
import { CONNECTIONS } from '../domain/client-timing.ts'
import type { CallbackContext } from '../usecases/callbacks/context.ts'
import { listen, type Place } from '../usecases/callbacks/listen.ts'
import { invalid, missing } from '../wire/fault.ts'
import { Type } from '../wire/schema.ts'
import type { Endpoint } from './endpoint.ts'
import { queryText } from './query-text.ts'

const Feed = Type.Object(
  {
    account: Type.String({ description: 'whose callbacks these are' }),
    cursor: Type.String({ description: 'send it as `after` to go on from here' }),
    callbacks: Type.Array(
      Type.Object({
        cursor: Type.String({ description: 'to go on after this one' }),
        kind: Type.Enum(Object.values(SUBJECT_WORDS)),
        id: Type.String(),
        status: Type.String(),
        headers: Type.Record(Type.String(), Type.String(), {
          description: 'signed now, for `address`; the signature lives for a minute',
        }),
        body: Type.String({ description: 'the very text that is signed' }),
      }),
    ),
  },
  { $id: 'CallbackFeed' },
)

/** What `malipo listen` reads: callbacks for clients that cannot receive requests. */
export const feedEndpoint = (ctx: CallbackContext): Endpoint => ({
  method: 'GET',
  path: '/callbacks/feed',
  operationId: 'readCallbackFeed',
  tag: 'callbacks',
  summary: 'Read callbacks instead of being called',
  description:
    'The callbacks of your account in the order in which they were owed, each signed afresh for ' +
    '`address`, whether or not an address is set for its kind. Without `after` the answer holds ' +
    'only a cursor: begin with that. When there is nothing new it waits for `wait` seconds. ' +
    'Nothing is missed as long as you come back within seven days. `malipo listen` uses it.',
  access: { group: 'callbacks', level: 'read' },
  failureShape: { kind: 'resource' },
  query: {
    after: Type.Optional(Type.String({ description: 'the cursor of the last answer' })),
    wait: Type.Optional(
      Type.String({ description: `0 to ${CONNECTIONS.heldSeconds} seconds; 0 by default` }),
    ),
    address: Type.String({
      description: 'where you hand them on to, on this machine; signatures are for it alone',
      examples: ['http://localhost:3000/callbacks'],
    }),
  },
  answer: Feed,
  refusals: [400, 401, 403],
  isLong: true,
  handle: async ({ caller, query }) => {
    const feed = await listen(ctx, caller.merchant, {
      after: placeOf(queryText(query, 'after', CURSOR, 'it must be a cursor of an earlier answer')),
      address: addressOf(query),
      waitMs: 1000 * secondsOf(query),
    })
    if ('misplaced' in feed) {
      throw invalid('after', `${feed.misplaced}; leave it out to begin with what is new`)
    }
    return {
      account: caller.merchant.slug,
      cursor: cursorOf(feed.next),
      callbacks: feed.callbacks.map(({ place, subject, headers, body }) => ({
        cursor: cursorOf(place),
        kind: SUBJECT_WORDS[subject.kind],
        id: subject.idAsSent,
        status: subject.state,
        headers,
        body,
      })),
    }
  },
})

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const CURSOR = new RegExp(`^(${UUID})\\.(\\d{1,9})\\.(\\d{1,19})\\.(${UUID})\\.([A-Z_]{0,30})$`)

const cursorOf = ({ database, merchantId, transaction, key, state }: Place): string =>
  `${database}.${merchantId}.${transaction}.${key}.${state}`

function placeOf(cursor: string | undefined): Place | undefined {
  const found = CURSOR.exec(cursor ?? '')
  if (found === null) return undefined
  const [, database = '', merchantId, transaction = '', key = '', state = ''] = found
  return { database, merchantId: Number(merchantId), transaction, key, state }
}

function secondsOf(query: Readonly<Record<string, unknown>>): number {
  const expected = `it must be a whole number from 0 to ${CONNECTIONS.heldSeconds}`
  const seconds = Number(queryText(query, 'wait', /^\d{1,2}$/, expected) ?? 0)
  if (seconds > CONNECTIONS.heldSeconds) throw invalid('wait', expected)
  return seconds
}

/**
 * Only addresses of the caller's own machine: the service signs for all merchants with one key, and
 * what it signs for an address out there could be replayed to another merchant's receiver.
 */
function addressOf(query: Readonly<Record<string, unknown>>): string {
  const { address } = query
  if (address === undefined || address === '') throw missing('address')
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalid('address', 'it must be an absolute http or https address')
  }
  if (LOOPBACK.test(url.hostname)) return url.href
  throw invalid(
    'address',
    'it must be on your own machine, such as http://localhost:3000/callbacks',
  )
}

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

import type { Context } from '../../usecases/context.ts'
import { PublicKeys } from '../../wire/v2/toolkit.ts'
import type { Endpoint } from '../endpoint.ts'

export function toolkitEndpoints(ctx: Context): readonly Endpoint[] {
  return [publicKeys(ctx)]
}

const publicKeys = (ctx: Context): Endpoint => ({
  method: 'GET',
  path: '/v2/public-key/http',
  operationId: 'getPublicKeys',
  tag: 'toolkit',
  summary: 'Get the public keys',
  description:
    'The keys that verify the signatures of callbacks. The first one signs now; keys retired ' +
    'earlier follow it. Fetch the list again when a signature names a key id you do not know.',
  access: { group: 'toolkit', level: 'read' },
  failureShape: { kind: 'resource' },
  answer: PublicKeys,
  refusals: [401, 403],
  handle: async () => ctx.signingKeys.published,
})

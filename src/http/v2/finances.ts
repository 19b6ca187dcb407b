import { readBalances } from '../../usecases/accounts/read-balances.ts'
import type { Context } from '../../usecases/context.ts'
import { CountryCode } from '../../wire/formats.ts'
import { Type } from '../../wire/schema.ts'
import { fromWallets, WalletBalances } from '../../wire/v2/finances.ts'
import type { Endpoint } from '../endpoint.ts'
import { queryText } from '../query-text.ts'
import { BALANCE_EXAMPLES } from './examples.ts'

export function financeEndpoints(ctx: Context): readonly Endpoint[] {
  return [balances(ctx)]
}

const balances = (ctx: Context): Endpoint => ({
  method: 'GET',
  path: '/v2/wallet-balances',
  operationId: 'getWalletBalances',
  tag: 'finances',
  summary: 'Read wallet balances',
  description: 'The money in each wallet of the account, or of one country.',
  access: { group: 'finances', level: 'read' },
  failureShape: { kind: 'resource' },
  query: { country: Type.Optional(CountryCode) },
  answer: WalletBalances,
  examples: BALANCE_EXAMPLES,
  refusals: [400, 401, 403],
  handle: async ({ caller, query }) => {
    const expected = 'it must be a country as three capital letters (ISO 3166-1 alpha-3)'
    const country = queryText(query, 'country', /^[A-Z]{3}$/, expected)
    return fromWallets(await readBalances(ctx, caller.merchant, country))
  },
})

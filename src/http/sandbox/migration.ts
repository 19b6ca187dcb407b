import type { AccountContext } from '../../usecases/accounts/context.ts'
import { Timestamp, timestampText } from '../../wire/formats.ts'
import { Type } from '../../wire/schema.ts'
import { rulesOf } from '../../wire/v1/migration.ts'
import type { Endpoint } from '../endpoint.ts'
import { replacements } from '../v1/endpoints.ts'

const MigrationReport = Type.Object(
  {
    calls: Type.Array(
      Type.Object({
        method: Type.String(),
        path: Type.String(),
        count: Type.Integer(),
        lastUsed: Timestamp,
        replacement: Type.String({ description: 'the call that takes its place' }),
      }),
    ),
    fields: Type.Array(
      Type.Object({
        call: Type.String(),
        field: Type.String(),
        count: Type.Integer(),
        lastUsed: Timestamp,
        rule: Type.String({ description: 'what becomes of it in the current generation' }),
      }),
    ),
  },
  { $id: 'MigrationReport' },
)

/** What a merchant still uses of the earlier generation, each with its way out. */
export function migrationEndpoint(ctx: AccountContext): Endpoint {
  const instead = replacements()
  return {
    method: 'GET',
    path: '/sandbox/migration',
    operationId: 'getMigrationReport',
    tag: 'sandbox',
    summary: 'See what you still use of the earlier generation',
    description:
      'The earlier calls made with your tokens and the fields they carried: how often, when ' +
      'last, and what takes their place.',
    access: { group: 'sandbox', level: 'read' },
    failureShape: { kind: 'resource' },
    answer: MigrationReport,
    refusals: [401, 403],
    handle: async ({ caller }) => {
      const usage = await ctx.legacyUsage.read(caller.merchant.id)
      const calls = usage.filter(({ field }) => field === '')
      const fields = usage.filter(({ field }) => field !== '')
      return {
        calls: calls.map(({ call, count, lastUsedMs }) => {
          const [method = '', path = ''] = call.split(' ')
          const replacement = instead.get(call) ?? ''
          return { method, path, count, lastUsed: timestampText(lastUsedMs), replacement }
        }),
        fields: fields.map(({ call, field, count, lastUsedMs }) => {
          const rule = rulesOf(call).find((one) => one.field === field)?.rule ?? ''
          return { call, field, count, lastUsed: timestampText(lastUsedMs), rule }
        }),
      }
    },
  }
}
